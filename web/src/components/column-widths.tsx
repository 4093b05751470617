import { useState, type KeyboardEvent, type PointerEvent } from 'react';
import classes from './resource-table.module.css';

/** Widths that the user chose, in pixels, by the ids of columns. */
export type ColumnWidths = Readonly<Record<string, number>>;

const MIN_WIDTH = 48;
const STEP = 16;

const storageKey = (list: string): string => `muster-columns:${list}`;

function storedWidths(list: string): ColumnWidths {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey(list)) ?? '{}');
    if (typeof stored !== 'object' || stored === null) return {};
    return Object.fromEntries(
      Object.entries(stored).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
    );
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

/** The widths of the columns of a list, which this browser remembers. */
export function useColumnWidths(
  list: string,
): readonly [ColumnWidths, (id: string, width: number | undefined) => void] {
  const [widths, setWidths] = useState(() => storedWidths(list));
  return [
    widths,
    (id, width) => {
      const others = Object.fromEntries(Object.entries(widths).filter(([other]) => other !== id));
      const changed =
        width === undefined ? others : { ...others, [id]: Math.max(MIN_WIDTH, Math.round(width)) };
      setWidths(changed);
      localStorage.setItem(storageKey(list), JSON.stringify(changed));
    },
  ];
}

interface Props {
  readonly onResize: (width: number | undefined) => void;
}

const widthOf = (cell: Element | null): number => cell?.getBoundingClientRect().width ?? MIN_WIDTH;

/** The right edge of a header: dragging it changes the width, and a double click restores it. */
export const ResizeHandle = ({ onResize }: Props) => (
  <span
    className={classes.resize}
    aria-hidden
    onPointerDown={(event: PointerEvent<HTMLElement>) => {
      const handle = event.currentTarget;
      const start = widthOf(handle.parentElement) - event.clientX;
      handle.setPointerCapture(event.pointerId);
      handle.onpointermove = ({ clientX }) => {
        onResize(start + clientX);
      };
      handle.onlostpointercapture = () => {
        handle.onpointermove = null;
      };
    }}
    onClick={(event) => {
      event.stopPropagation();
    }}
    onDoubleClick={() => {
      onResize(undefined);
    }}
  />
);

/** With Shift, the arrows change the width of the column of a header. */
export function resizeByKey(
  event: KeyboardEvent<HTMLElement>,
  onResize: (width: number | undefined) => void,
): void {
  const steps = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
  if (steps === undefined || !event.shiftKey) return;
  event.preventDefault();
  onResize(widthOf(event.currentTarget) + steps);
}
