import { Button } from '@mantine/core';
import type { LinkOptions } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { counted } from './counted';
import { RouteLink } from './resource-link';
import classes from './resource-table.module.css';

interface Props {
  /** Whether rows can be selected. */
  readonly selects: boolean;
  /** Whether cells can be edited. */
  readonly edits: boolean;
  readonly label: string;
  readonly knownRows: number;
  /** The number of rows, if it is known. */
  readonly total: number | undefined;
  /** The first and the last row of the selected cells, if there are several. */
  readonly range: readonly [number, number] | undefined;
  /** Undefined if the cursor is on no cell that can be edited. */
  readonly onFillDown: (() => void) | undefined;
  /** The list of the rows with the same value as the cell that the cursor is on; undefined if there is none. */
  readonly link: LinkOptions | undefined;
  /** The offer to show newer changes, if there are some. */
  readonly newer: ReactNode;
  /** What there is to say about the rows. */
  readonly note: ReactNode;
}

/** How many rows a list has, what the keyboard does, and what can be done with the cell that the cursor is on. */
export const Footer = ({
  selects,
  edits,
  label,
  knownRows,
  total,
  range,
  onFillDown,
  link,
  newer,
  note,
}: Props) => (
  <div className={classes.footer}>
    <span role="status">
      {total === undefined
        ? `More than ${counted(knownRows, label.replace(/s$/, ''), label)}`
        : counted(total, label.replace(/s$/, ''), label)}
    </span>
    {newer}
    {note}
    <span className={classes.keys}>{keysOf(selects, edits)}</span>
    {link && (
      <RouteLink {...link} className={classes.onCell} size="xs" title={`All ${label} with this value`}>
        Same value
      </RouteLink>
    )}
    {onFillDown && (
      <Button
        className={classes.onCell}
        variant="default"
        size="compact-sm"
        title={
          range
            ? 'Copies the first value into the other selected rows of its column (Ctrl-D)'
            : 'Copies the value of the row above, or that of the first selected row into the other ones (Ctrl-D)'
        }
        onClick={onFillDown}
      >
        {range ? `Fill down ${counted(range[1] - range[0] + 1, 'value')}` : 'Fill down'}
      </Button>
    )}
  </div>
);

/** What the keyboard does. */
const keysOf = (selects: boolean, edits: boolean): string =>
  [
    '↑ ↓ move',
    'Enter opens',
    ...(selects ? ['Space, Shift and Ctrl-A select'] : []),
    ...(edits ? ['→ F2 edit a value'] : []),
  ].join(' · ');
