import clsx from 'clsx';
import { useId, useLayoutEffect, useState, type KeyboardEvent, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { cellId, useGridCursor, type CellActions } from './grid-cursor';
import { useColumnWidths } from './column-widths';
import { useKeysetPages, type KeysetList, type Row } from './keyset-pages';
import { lazyComponent } from './lazy-component';
import { isTextKey } from './pending-editor';
import { PAGE_SIZE } from './list-page';
import { useFormerPosition, useRememberedPosition } from './list-position';
import classes from './resource-table.module.css';
import { ErrorState, LoadingState } from './states';
import { Cells, HeaderCell } from './table-cells';
import { Footer } from './table-footer';
import type { Column, Sort } from './table-column';
import { rowWindow, scrollTopOf, useClientHeight } from './virtual-rows';

const NewerChanges = lazyComponent(
  () => import('./newer-changes').then(({ NewerChanges: component }) => component),
  { failure: () => null },
);

export type { Column, Sort } from './table-column';

/** In pixels, also of the header. */
const ROW_HEIGHT = 32;

/** The rows that are selected. */
export interface RowSelection<T> {
  readonly has: (row: T) => boolean;
  readonly toggle: (row: T) => void;
  readonly add: (rows: readonly T[]) => void;
  /** Adds rows that are not in memory: a row, and as many as `count` before or after it. */
  readonly addNext: (row: T, count: number, isBackward: boolean) => void;
  readonly addAll: () => void;
}

interface Props<T extends Row> extends KeysetList<T> {
  /** What the rows are: `devices`. */
  readonly label: string;
  /** Identifies the list in the cache: the collection, the filters and the order. */
  readonly queryKey: readonly unknown[];
  readonly columns: readonly Column<T>[];
  readonly sort?: Sort | undefined;
  readonly onSort?: (sort: Sort) => void;
  /** Called with the row when it is opened with Enter or a double click. */
  readonly onOpen: (row: T) => void;
  /** Whether a row is selected, and what Space does. Without it, rows cannot be selected. */
  readonly selection?: RowSelection<T> | undefined;
  /** What can be done with cells. Without it, the cursor is on rows. */
  readonly cells?: CellActions<T> | undefined;
  /** Whether it is offered to read the list again, once something of the project was changed. */
  readonly offersNewer?: boolean;
  /** What there is to say about the rows, below them. */
  readonly note?: ReactNode;
  /** Shown instead of an empty table. */
  readonly empty: ReactNode;
}

/**
 * A list of any length: rows are virtual, pages load while scrolling and are dropped far away. Arrows, Page Up, Page
 * Down, Home and End move; Enter opens; Space selects. Another list is another component: its position starts at the top.
 */
export function ResourceTable<T extends Row>(props: Props<T>) {
  return <Table key={JSON.stringify(props.queryKey)} {...props} />;
}

function Table<T extends Row>({
  label,
  queryKey,
  columns,
  sort,
  onSort,
  onOpen,
  selection,
  cells,
  offersNewer = false,
  note,
  empty,
  ...list
}: Props<T>) {
  const id = useId();
  const [widths, setWidth] = useColumnWidths(label);
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  const former = useFormerPosition<T>(queryKey);
  const [scrollTop, setScrollTop] = useState(former?.scrollTop ?? 0);
  const countedRows = list.total ?? former?.total;
  const viewport = { scrollTop, height: useClientHeight(scroller) - ROW_HEIGHT };
  const windowOf = (length: number) => rowWindow(viewport, length, ROW_HEIGHT);
  const pages = useKeysetPages(
    queryKey,
    { ...list, total: countedRows },
    (length) => windowOf(length).visible,
    former?.positions,
  );
  const { knownRows, isComplete } = pages;
  // Rows may have been added or deleted since they were counted.
  const isCountCurrent = countedRows !== undefined && countedRows > knownRows;
  const total = isComplete ? knownRows : isCountCurrent ? countedRows : undefined;
  const rows = windowOf(pages.length);
  const [active, activeId, setActive] = useActiveRow(pages.rowAt, list.pageSize ?? PAGE_SIZE, former);
  useRememberedPosition<T>(queryKey, scroller, {
    ...{ scrollTop, active, activeId, positions: pages.positions, total: countedRows },
  });
  useLayoutEffect(() => {
    if (!scroller || !former) return;
    scroller.scrollTo({ top: former.scrollTop });
    if (former.hasFocus) scroller.focus({ preventScroll: true });
  }, [scroller, former]);

  const [anchor, setAnchor] = useState<{ readonly index: number; readonly row: T }>();
  const within = (index: number): number => Math.max(0, Math.min(index, knownRows - 1));
  const move = (to: number) => {
    const next = within(to);
    setActive(next);
    // A selection with Shift begins where the cursor is, as in a spreadsheet.
    setAnchor(undefined);
    scroller?.scrollTo({
      top: scrollTopOf(next, { ...viewport, scrollTop: scroller.scrollTop }, rows.speed, ROW_HEIGHT),
    });
  };
  const cursor = useGridCursor({
    ...{ actions: cells, columns, id, active, rowAt: pages.rowAt, scroller, onMove: move },
  });

  if (pages.isUnread)
    return pages.error ? (
      <ErrorState error={pages.error} what={label} onRetry={pages.retry} />
    ) : (
      <LoadingState what={label} />
    );
  const newer = offersNewer && (
    <NewerChanges
      queryKeys={pages.queryKeys}
      onShow={() => {
        // Otherwise the focus would be lost with the button.
        scroller?.focus({ preventScroll: true });
      }}
    />
  );
  if (isComplete && knownRows === 0)
    return (
      <>
        {empty}
        {newer}
      </>
    );

  const startAt = (index: number) => {
    const row = pages.rowAt(index);
    setAnchor(row && { index, row });
  };
  /** Selects the rows from where the selection began. */
  const selectTo = (index: number) => {
    const current = pages.rowAt(active);
    const from = anchor ?? (current && { index: active, row: current });
    if (!selection || !from) return;
    setAnchor(from);
    const first = Math.min(from.index, index);
    const indexes = Array.from({ length: Math.abs(index - from.index) + 1 }, (_, i) => first + i);
    const loaded = indexes.flatMap((one) => pages.rowAt(one) ?? []);
    if (loaded.length === indexes.length) selection.add(loaded);
    else selection.addNext(from.row, indexes.length - 1, index < from.index);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.nativeEvent.isComposing) return;
    if (event.altKey && !isTextKey(event)) return;
    if (cursor.onKeyDown(event)) {
      event.preventDefault();
      return;
    }
    if (event.ctrlKey || event.metaKey) {
      if (event.key.toLowerCase() !== 'a' || !selection) return;
      event.preventDefault();
      selection.addAll();
      return;
    }
    const page = Math.max(1, rows.visible[1] - rows.visible[0] - 2);
    const target = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + page,
      PageUp: active - page,
    };
    const jumps = { Home: 0, End: knownRows - 1 };
    const to = { ...target, ...jumps }[event.key];
    const row = pages.rowAt(active);
    if (to !== undefined) {
      move(to);
      // On a cell, Shift selects cells, and else rows.
      if (!event.shiftKey) cursor.collapse();
      else if (!cursor.extendTo(within(to))) selectTo(within(to));
    } else if (event.key === 'Enter' && row) onOpen(row);
    else if (event.key === ' ' && row && selection) {
      selection.toggle(row);
      startAt(active);
    } else return;
    event.preventDefault();
  };

  // The element of a row that was scrolled away shows the next one, and stays where it is in the document. Otherwise the
  // browser would create elements, or lay them out anew, and take hundreds of megabytes until it collects the old ones.
  const slotOf = (index: number) => index % rows.rendered.length;
  const elements = rows.rendered.toSorted((a, b) => slotOf(a) - slotOf(b));
  const [firstRendered = 0] = rows.rendered;
  const template = columns
    .map(({ id: column, width }) =>
      widths[column] === undefined ? `minmax(${width}px, ${width}fr)` : `${widths[column]}px`,
    )
    .join(' ');
  return (
    <div className={classes.frame}>
      <div
        ref={setScroller}
        className={classes.scroller}
        role="grid"
        aria-label={label}
        aria-multiselectable={selection !== undefined}
        aria-rowcount={total === undefined ? -1 : total + 1}
        aria-activedescendant={
          pages.rowAt(active)
            ? cursor.column === undefined
              ? `${id}-${active}`
              : cellId(id, active, cursor.column)
            : undefined
        }
        tabIndex={0}
        // What is typed is no shortcut: see app/search-keys.ts.
        data-typing={(cells?.pendingEditor ?? cells?.onCancelPreview) !== undefined || undefined}
        onKeyDown={onKeyDown}
        onPaste={cursor.onPaste}
        onScroll={({ currentTarget: { scrollTop: top } }) => {
          // Rows that pass by as fast as the element scrolls stay where they are until another one is the first.
          const newTop = rows.speed === 1 ? top - (top % ROW_HEIGHT) : top;
          // Rendered in this frame: otherwise it would be painted without the rows that scroll into view.
          flushSync(() => {
            setScrollTop(newTop);
          });
        }}
        style={{ '--columns': template, '--row-height': `${ROW_HEIGHT}px` }}
      >
        <div
          className={classes.table}
          role="rowgroup"
          // Screen readers read the rows in their order.
          aria-owns={rows.rendered.map((index) => `${id}-${index}`).join(' ')}
        >
          <div className={clsx(classes.row, classes.header)} role="row" aria-rowindex={1}>
            {columns.map((column) => (
              <HeaderCell
                key={column.id}
                column={column}
                sort={sort}
                onSort={onSort}
                onResize={(width) => {
                  setWidth(column.id, width);
                }}
              />
            ))}
          </div>
          {/* One offset for all rows keeps their positions exact, also at millions of pixels. */}
          <div role="presentation" style={{ height: rows.height }}>
            <div role="presentation" className={classes.rows} style={{ top: rows.top }}>
              {elements.map((index) => {
                const row = pages.rowAt(index);
                return (
                  <div
                    key={slotOf(index)}
                    style={{ top: (index - firstRendered) * ROW_HEIGHT }}
                    id={`${id}-${index}`}
                    className={classes.row}
                    role="row"
                    aria-rowindex={index + 2}
                    aria-busy={row === undefined}
                    aria-selected={selection ? row !== undefined && selection.has(row) : index === active}
                    data-active={index === active || undefined}
                    onMouseDown={(event) => {
                      // A checkbox would keep the focus, and the keys of the list would do nothing.
                      const isInput = event.target instanceof HTMLInputElement;
                      if (isInput) scroller?.focus({ preventScroll: true });
                      // Otherwise, the texts between both clicks would be selected.
                      if (isInput || (event.shiftKey && selection)) event.preventDefault();
                    }}
                    onClickCapture={cursor.onClickCapture}
                    onClick={(event) => {
                      setActive(index);
                      cursor.onClick(event.target);
                      if (event.shiftKey) selectTo(index);
                      else startAt(index);
                    }}
                    onDoubleClick={({ target }) => {
                      if (row && !cursor.onDoubleClick(index, target)) onOpen(row);
                    }}
                  >
                    <Cells
                      {...{ row, columns, id, index }}
                      isActive={index === active}
                      active={index === active ? cursor.column : undefined}
                      ranged={isInRange(index, cursor.range) ? cursor.column : undefined}
                    />
                  </div>
                );
              })}
            </div>
          </div>
        </div>
      </div>
      {pages.error && <ErrorState error={pages.error} what={label} onRetry={pages.retry} />}
      <Footer
        selects={selection !== undefined}
        edits={cells !== undefined}
        label={label}
        knownRows={knownRows}
        total={total}
        range={cursor.range}
        onFillDown={cursor.fillDown}
        link={cursor.link}
        newer={newer}
        note={note}
      />
    </div>
  );
}

const isInRange = (index: number, range: readonly [number, number] | undefined): boolean =>
  range !== undefined && index >= range[0] && index <= range[1];

/** The position of the active row. It follows its row when rows before it appear or are deleted. */
function useActiveRow<T extends Row>(
  rowAt: (index: number) => T | undefined,
  maxShift: number,
  former: { readonly active: number; readonly activeId: T['id'] | undefined } | undefined,
): readonly [number, T['id'] | undefined, (index: number) => void] {
  const [active, setActive] = useState(former?.active ?? 0);
  const [id, setId] = useState(former?.activeId);
  const row = rowAt(active);
  if (row && row.id !== id) {
    const shifts = Array.from({ length: maxShift }, (_, n) => [n + 1, -n - 1]).flat();
    const moved = id === undefined ? undefined : shifts.find((n) => rowAt(active + n)?.id === id);
    if (moved === undefined) setId(row.id);
    else setActive(active + moved);
  }
  const move = (index: number) => {
    setActive(index);
    setId(rowAt(index)?.id);
  };
  return [active, id, move];
}
