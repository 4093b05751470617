import { useEffect, useEffectEvent, useLayoutEffect, type RefObject } from 'react';

/** In pixels. */
const MARGIN = 8;

/** Keeps an element below another one, or above it if there is no room, while the page scrolls. */
export function useBeside(frame: RefObject<HTMLElement | null>, element: HTMLElement): void {
  useLayoutEffect(() => {
    const place = () => {
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
    place();
    const resized = new ResizeObserver(place);
    if (frame.current) resized.observe(frame.current);
    addEventListener('scroll', place, true);
    addEventListener('resize', place);
    return () => {
      resized.disconnect();
      removeEventListener('scroll', place, true);
      removeEventListener('resize', place);
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
