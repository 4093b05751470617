import { useMounted } from '@mantine/hooks';
import { useLayoutEffect, type RefCallback } from 'react';

interface Props {
  readonly anchor: HTMLElement;
  /** Given by the library. */
  readonly ref?: RefCallback<HTMLElement>;
}

/** Stands for an element that is rendered elsewhere, as the target of a popover or a menu. */
export function Anchored({ anchor, ref }: Props) {
  useLayoutEffect(() => {
    ref?.(anchor);
    return () => {
      ref?.(null);
    };
  }, [anchor, ref]);
  return null;
}

/** Opens after the first render: only then the library remembers which element had the focus before. */
export function useIsShown(isOpen: boolean): boolean {
  const isMounted = useMounted();
  return isMounted && isOpen;
}
