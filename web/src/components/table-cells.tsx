import { Text } from '@mantine/core';
import { ChevronDownIcon, ChevronUpIcon } from '@radix-ui/react-icons';
import clsx from 'clsx';
import { useMemo, type ReactNode } from 'react';
import { cellId } from './grid-cursor';
import { ResizeHandle, resizeByKey } from './column-widths';
import { LinkStops } from './link-stops';
import { PopoverButton } from './popover-button';
import classes from './resource-table.module.css';
import type { Column, Sort, Unsortable } from './table-column';

interface CellsProps<T> {
  readonly row: T | undefined;
  readonly columns: readonly Column<T>[];
  /** The first part of the ids of cells. */
  readonly id: string;
  readonly index: number;
  /** Whether it is the active row: Tab leads to its links. */
  readonly isActive: boolean;
  /** The column that has the cursor, in the row that has it. */
  readonly active: string | undefined;
  /** The column that has selected cells, in the rows of these. */
  readonly ranged: string | undefined;
}

/** The cells of a row. Scrolling renders those of new rows only. */
export function Cells<T>({ row, columns, id, index, isActive, active, ranged }: CellsProps<T>) {
  const cells = useMemo(
    () =>
      columns.map((column) => (
        <div
          key={column.id}
          id={cellId(id, index, column.id)}
          className={classOf(column)}
          role="gridcell"
          data-column={column.id}
          data-sticky={column.isSticky}
          data-active={column.id === active || undefined}
          data-ranged={column.id === ranged || undefined}
        >
          {row ? column.render(row) : <span className={classes.placeholder} />}
        </div>
      )),
    [row, columns, id, index, active, ranged],
  );
  return <LinkStops value={isActive}>{cells}</LinkStops>;
}

function classOf<T>({ isSticky, isNumeric }: Column<T>): string {
  return clsx(classes.cell, isSticky === true && classes.sticky, isNumeric === true && classes.numeric);
}

/** The header of a column, which sorts by it, or says why the list cannot be sorted by it, and changes its width. */
export function HeaderCell<T>({
  column,
  sort,
  onSort,
  onResize,
}: {
  readonly column: Column<T>;
  readonly sort: Sort | undefined;
  readonly onSort: ((sort: Sort) => void) | undefined;
  readonly onResize: (width: number | undefined) => void;
}) {
  const { sorting, header } = column;
  const unsortable = sorting && 'reason' in sorting ? sorting : undefined;
  if (!sorting || 'reason' in sorting || !onSort)
    return (
      <div
        className={classOf(column)}
        role="columnheader"
        // The keyboard changes the width of every column.
        {...(!unsortable && column.isCellStop !== false && { tabIndex: 0 })}
        onKeyDown={(event) => {
          resizeByKey(event, onResize);
        }}
      >
        {unsortable ? <UnsortableHeader {...unsortable}>{header}</UnsortableHeader> : header}
        <ResizeHandle onResize={onResize} />
      </div>
    );
  const { key, by } = sorting;
  const direction = sort?.key === key ? sort.direction : undefined;
  const Chevron = direction === 'desc' ? ChevronDownIcon : ChevronUpIcon;
  return (
    <div
      className={classOf(column)}
      role="columnheader"
      onKeyDown={(event) => {
        resizeByKey(event, onResize);
      }}
      aria-sort={direction === undefined ? 'none' : direction === 'asc' ? 'ascending' : 'descending'}
    >
      <button
        type="button"
        className={classes.sort}
        title={by?.hint}
        onClick={() => {
          onSort({ key, direction: direction === 'asc' ? 'desc' : 'asc' });
        }}
      >
        {header}
        {direction !== undefined && (
          <>
            {by && <span className={classes.sortedBy}>{by.text}</span>}
            <Chevron aria-hidden />
          </>
        )}
      </button>
      <ResizeHandle onResize={onResize} />
    </div>
  );
}

/** A button that says why the list cannot be sorted by a column, where sorted columns have theirs. */
const UnsortableHeader = ({ reason, instead, children }: Unsortable & { readonly children: ReactNode }) => (
  <PopoverButton
    position="bottom-start"
    width={280}
    target={(opener) => (
      <button {...opener} type="button" className={classes.sort} title={reason}>
        {children}
      </button>
    )}
  >
    {() => (
      // The focus is in the popover then: on a link, behind what screen readers have to read first.
      <Text size="sm" role="alert">
        {reason} {instead}
      </Text>
    )}
  </PopoverButton>
);
