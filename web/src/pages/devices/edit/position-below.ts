import { useEffect, useEffectEvent, useLayoutEffect, type RefObject } from 'react';

/** In pixels. */
const MARGIN = 8;

/**
 * Keeps an element below another one, or above it if there is no room, while the page scrolls. Not Mantine's `Popover`: that moves
 * the focus itself, and closes on Escape, which the cursor of the list does here.
 */
export function usePositionBelow(frame: RefObject<HTMLElement | null>, element: HTMLElement): void {
  useLayoutEffect(() => {
    const update = () => {
      const { current } = frame;
      if (!current) return;
      const cell = element.getBoundingClientRect();
      const { width, height } = current.getBoundingClientRect();
      const isBelow = cell.bottom + height < innerHeight;
      current.style.setProperty(
        'left',
        `${Math.max(MARGIN, Math.min(cell.left, innerWidth - width - MARGIN))}px`,
      );
      current.style.setProperty('top', `${isBelow ? cell.bottom : Math.max(0, cell.top - height)}px`);
    };
    update();
    const resized = new ResizeObserver(update);
    if (frame.current) resized.observe(frame.current);
    addEventListener('scroll', update, true);
    addEventListener('resize', update);
    return () => {
      resized.disconnect();
      removeEventListener('scroll', update, true);
      removeEventListener('resize', update);
    };
  }, [frame, element]);
}

/** Cancels at a click elsewhere. */
export function useOutside(frame: RefObject<HTMLElement | null>, onLeave: () => void): void {
  const leave = useEffectEvent(onLeave);
  useEffect(() => {
    const onPointerDown = ({ target }: PointerEvent) => {
      if (target instanceof Node && frame.current?.contains(target) === false) leave();
    };
    addEventListener('pointerdown', onPointerDown);
    return () => {
      removeEventListener('pointerdown', onPointerDown);
    };
  }, [frame]);
}
