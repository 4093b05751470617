import { useEffect, useState } from 'react';

/**
 * The largest height (px) of an element, with a reserve: Firefox cuts elements off at 17.9 million pixels, Chrome at 33.5
 * million pixels of the screen.
 */
const maxHeight = (): number => Math.min(16_000_000, 32_000_000 / devicePixelRatio);

/** Rows that are rendered above and below the visible ones. */
const OVERSCAN = 5;

/** What is visible of an element that scrolls. */
interface Viewport {
  readonly scrollTop: number;
  readonly height: number;
}

/** The visible rows of a list, and where they are, in pixels. */
interface RowWindow {
  /** The positions of the first and of the last visible row. */
  readonly visible: readonly [number, number];
  /** The positions of the rows to render: always as many, so that the same elements can show them. */
  readonly rendered: readonly number[];
  /** The height of the element with the rows. */
  readonly height: number;
  /** Where in this element the first rendered row begins. */
  readonly top: number;
  /** The rows pass by this much faster than the element scrolls. */
  readonly speed: number;
}

/**
 * The window of a list whose rows have the same height: it takes the same time for any number of rows. If the rows are
 * higher than an element can be, the element is as high as possible, and rows pass by faster than it scrolls.
 */
export function rowWindow({ scrollTop, height }: Viewport, count: number, rowHeight: number): RowWindow {
  const full = count * rowHeight;
  const space = Math.min(full, maxHeight());
  const speed = space < full ? (full - height) / (space - height) : 1;
  const offset = Math.max(0, Math.min(scrollTop * speed, full - height));
  const first = Math.floor(offset / rowHeight);
  const end = Math.min(count, Math.max(first + 1, Math.ceil((offset + height) / rowHeight)));
  const size = Math.min(count, Math.ceil(Math.max(0, height) / rowHeight) + 1 + 2 * OVERSCAN);
  const from = Math.max(0, Math.min(first - OVERSCAN, count - size));
  return {
    visible: [first, Math.max(first, end - 1)],
    rendered: Array.from({ length: size }, (_, i) => from + i),
    height: space,
    top: Math.floor(from * rowHeight - offset + scrollTop),
    speed,
  };
}

/** How far an element has to scroll until a row is visible, or not at all. */
export function scrollTopOf(
  row: number,
  { scrollTop, height }: Viewport,
  speed: number,
  rowHeight: number,
): number {
  const start = row * rowHeight;
  const offset = scrollTop * speed;
  if (start < offset) return start / speed;
  return Math.max(scrollTop, (start + rowHeight - height) / speed);
}

/** The height (px) of the content of an element. */
export function useClientHeight(element: HTMLElement | null): number {
  const [height, setHeight] = useState(0);
  useEffect(() => {
    if (!element) return undefined;
    const observer = new ResizeObserver(() => {
      setHeight(element.clientHeight);
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
    };
  }, [element]);
  return height;
}
