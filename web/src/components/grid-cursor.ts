import type { LinkOptions } from '@tanstack/react-router';
import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type ClipboardEvent,
  type KeyboardEvent,
  type MouseEvent,
} from 'react';
import { isTextKey, keyForEditor, NOTHING_TYPED, type PendingEditor, type TypedText } from './pending-editor';
import type { CellTarget } from './cell-target';
import type { Row } from './keyset-pages';
import type { Column } from './table-column';

/** A cell of a list, and the way on from it. */
export interface GridCell<T> {
  readonly row: T;
  /** The id of its column. */
  readonly column: string;
  readonly element: HTMLElement;
  /** Gives the focus back to the list, with its cursor as many rows and columns further. */
  readonly moveOn: (rows: number, columns: number) => void;
}

/** What can be done with the cells of a list. */
export interface CellActions<T> {
  /** Called before anything is done, when the cursor is on a cell. */
  readonly onReach: () => void;
  /** Whether Enter and a double click edit the cells of a column, instead of opening the row. */
  readonly isEditable: (column: string) => boolean;
  /** @param typed what was typed on the cell */
  readonly onEdit: (cell: GridCell<T>, typed: TypedText) => void;
  /** The editor of the cell with the cursor, until it is there and takes the keys itself. */
  readonly pendingEditor: PendingEditor | undefined;
  /** Previews what was edited, also if it is not shown yet. Undefined if nothing was edited. */
  readonly onPreview: (() => void) | undefined;
  /** Cancels the requested preview. Undefined unless it waits for earlier actions. */
  readonly onCancelPreview: (() => void) | undefined;
  /**
   * Clears the cells of a range, or this one.
   * @param extent as that of `onFill`
   */
  readonly onClear: (cell: GridCell<T>, extent: number) => void;
  /**
   * Fills the cells of a range, those of selected rows, or this one, with the value above.
   * @param above the row above, if there is one
   * @param extent how many rows the range has after the cell, or before it if the number is negative; 0: there is no range
   */
  readonly onFill: (cell: GridCell<T>, above: T | undefined, extent: number) => void;
  /** @param extent as that of `onFill` */
  readonly onPaste: (cell: GridCell<T>, text: string, extent: number) => void;
  /** Called when something was pasted while the cursor is on no cell. */
  readonly onLostPaste: () => void;
  /** Undoes what was done last with any cells. Undefined if nothing was done. */
  readonly onUndo: (() => void) | undefined;
  /** Does again what was undone last. */
  readonly onRedo: () => void;
  /** The list of the rows with the value of a cell; undefined if there is none. Links in cells would take the clicks that choose them. */
  readonly linkOf: (row: T, column: string) => LinkOptions | undefined;
  /** The cell that the list goes to. */
  readonly target: CellTarget | undefined;
  /** Called when the list shows it, and the cursor is on it. @param cell undefined: another row is there now */
  readonly onTarget: (cell: GridCell<T> | undefined) => void;
}

interface Options<T> {
  readonly actions: CellActions<T> | undefined;
  readonly columns: readonly Column<T>[];
  /** The first part of the ids of rows and cells. */
  readonly id: string;
  readonly active: number;
  readonly rowAt: (index: number) => T | undefined;
  readonly scroller: HTMLElement | null;
  readonly onMove: (index: number) => void;
}

/** Keys that are shortcuts everywhere, and so are not typed on a cell. */
const SHORTCUTS = new Set([' ', '/', '?']);

/** A double click edits a cell, so a click on a link in it waits (ms) for a second one. */
const DOUBLE_CLICK = 250;

export const cellId = (id: string, index: number, column: string): string =>
  `${id}-${index}-${encodeURIComponent(column)}`;

const columnOf = (target: EventTarget): string | undefined =>
  target instanceof Element ? target.closest<HTMLElement>('[data-column]')?.dataset['column'] : undefined;

/**
 * The cursor on a cell: Right and Left move it, and a click sets it; Escape leads back to the row. Without actions there is none.
 * The handlers return whether they have handled the event.
 */
export function useGridCursor<T extends Row>({
  actions,
  columns,
  id,
  active,
  rowAt,
  scroller,
  onMove,
}: Options<T>) {
  const [chosen, setChosen] = useState<string>();
  // From the cursor to where its range began. It stays the same if new rows appear before both.
  const [extent, setExtent] = useState(0);
  const clickedLink = useRef<number>(undefined);
  const stops = columns.filter(({ isCellStop = true }) => isCellStop).map((column) => column.id);
  const column = actions && chosen !== undefined && stops.includes(chosen) ? chosen : undefined;
  useLayoutEffect(() => {
    const cell = column === undefined ? null : document.getElementById(cellId(id, active, column));
    if (scroller && cell) showSideways(scroller, cell);
  }, [scroller, id, active, column]);

  const onDocumentPaste = useEffectEvent(
    ({ defaultPrevented, target, clipboardData }: globalThis.ClipboardEvent) => {
      const isOurs =
        isNowhere(target) || (scroller?.contains(target as Node) && !isTextField(target)) === true;
      if (isLostPaste(defaultPrevented, isOurs, clipboardData?.getData('text/plain') ?? ''))
        actions?.onLostPaste();
    },
  );
  useEffect(() => {
    // What the list has handled comes here afterwards.
    const listen = (event: globalThis.ClipboardEvent) => {
      onDocumentPaste(event);
    };
    document.addEventListener('paste', listen);
    return () => {
      document.removeEventListener('paste', listen);
    };
  }, []);

  const set = (next: string | undefined) => {
    setChosen(next);
    setExtent(0);
    if (next !== undefined) actions?.onReach();
  };
  const moveBy = (steps: number) => {
    const from = column === undefined ? -1 : stops.indexOf(column);
    set(stops[Math.min(from + steps, stops.length - 1)]);
  };
  const cellAt = (index: number, at: string | undefined): GridCell<T> | undefined => {
    const row = rowAt(index);
    const element = at === undefined ? null : document.getElementById(cellId(id, index, at));
    if (!row || at === undefined || !element) return undefined;
    return {
      row,
      column: at,
      element,
      moveOn: (rows, by) => {
        scroller?.focus({ preventScroll: true });
        if (rows !== 0) onMove(index + rows);
        const to = stops.indexOf(at) + by;
        set(stops[Math.max(0, Math.min(to, stops.length - 1))]);
      },
    };
  };
  const target = actions?.target;
  const goTo = useEffectEvent(onMove);
  useEffect(() => {
    if (target) goTo(target.index);
  }, [target]);
  const showTarget = useEffectEvent(() => {
    const cell = target && cellAt(target.index, target.column);
    if (!cell) return;
    const isThere = cell.row.id === target.id;
    if (isThere) cell.moveOn(0, 0);
    actions.onTarget(isThere ? cell : undefined);
  });
  // After every render, until the row is read and scrolled to.
  useEffect(showTarget);
  const onCell = (cell: GridCell<T>, event: KeyboardEvent): boolean => {
    if (event.key === 'F2' || (event.key === 'Enter' && actions?.isEditable(cell.column) === true))
      actions?.onEdit(cell, NOTHING_TYPED);
    else if (event.key === 'Delete' || event.key === 'Backspace') actions?.onClear(cell, extent);
    else if (isTextKey(event) && !SHORTCUTS.has(event.key))
      actions?.onEdit(cell, { isNew: true, erased: 0, text: event.key });
    else return false;
    return true;
  };
  const fill = () => {
    const cell = cellAt(active, column);
    if (cell) actions?.onFill(cell, rowAt(active - 1), extent);
    return cell;
  };
  const activeRow = rowAt(active);
  return {
    column,
    /** The first and the last row with a cell in the range; undefined if there is none. */
    range: rangeOf(active, column === undefined ? 0 : extent),
    /** Extends the range to the row that the cursor moves to. @returns whether the cursor is on a cell */
    extendTo: (index: number): boolean => {
      if (column === undefined) return false;
      setExtent(extent + active - index);
      return true;
    },
    /** Ends the range. */
    collapse: () => {
      setExtent(0);
    },
    /** The list of the rows with the same value as the cell that the cursor is on; undefined if there is none. */
    link: activeRow && column !== undefined ? actions?.linkOf(activeRow, column) : undefined,
    /** Fills cells down, and gives the focus back to the list; undefined if the cursor is on no cell that can be edited. */
    fillDown:
      column !== undefined && actions?.isEditable(column) === true
        ? () => {
            fill()?.moveOn(0, 0);
          }
        : undefined,
    onKeyDown: (event: KeyboardEvent): boolean => {
      if (!actions) return false;
      if (actions.onCancelPreview) {
        // The next keys are for the dialog. Until it has the focus, none may change a cell or the selection.
        if (event.key === 'Escape') actions.onCancelPreview();
        return event.key !== 'Tab';
      }
      const cell = cellAt(active, column);
      if (actions.pendingEditor && cell) {
        const result = keyForEditor(event, actions.pendingEditor, cell);
        if (result !== 'left') return result === 'taken';
      }
      if ((event.ctrlKey || event.metaKey) && !isTextKey(event)) {
        const key = event.key.toLowerCase();
        if (key === 'enter' && actions.onPreview) {
          // A key that is held would apply what nobody has seen previewed.
          if (!event.repeat) actions.onPreview();
        } else if (key === 'd' && cell) fill();
        else if (key === 'z' && !event.shiftKey && actions.onUndo) actions.onUndo();
        else if (key === 'z' && !event.shiftKey) return false;
        else if (key === 'z' || key === 'y') actions.onRedo();
        else return false;
        return true;
      }
      if (event.key === 'ArrowRight' || (event.key === 'F2' && !cell)) moveBy(1);
      else if (event.key === 'ArrowLeft' && column !== undefined) moveBy(-1);
      else if (event.key === 'Escape' && column !== undefined) set(undefined);
      else return cell !== undefined && onCell(cell, event);
      return true;
    },
    onPaste: (event: ClipboardEvent) => {
      const cell = cellAt(active, column);
      if (!cell || isTextField(event.target)) return;
      event.preventDefault();
      const text = event.clipboardData.getData('text/plain');
      if (actions?.onCancelPreview) return;
      if (actions?.pendingEditor) actions.pendingEditor.onKey({ text });
      else actions?.onPaste(cell, text, extent);
    },
    onClickCapture: (event: MouseEvent) => {
      const { target, detail, ctrlKey, metaKey, shiftKey } = event;
      const link = target instanceof Element ? target.closest('a') : null;
      // What is no click of a mouse has no count of clicks.
      if (!link || detail === 0 || ctrlKey || metaKey || shiftKey) return;
      if (actions?.isEditable(columnOf(target) ?? '') !== true) return;
      event.preventDefault();
      clearTimeout(clickedLink.current);
      if (detail > 1) return;
      clickedLink.current = window.setTimeout(() => {
        link.click();
      }, DOUBLE_CLICK);
    },
    onClick: (target: EventTarget) => {
      const clicked = columnOf(target);
      setExtent(0);
      actions?.pendingEditor?.onKey('write');
      if (actions && clicked !== undefined && stops.includes(clicked)) set(clicked);
    },
    onDoubleClick: (index: number, target: EventTarget): boolean => {
      const cell = cellAt(index, columnOf(target));
      if (!cell || actions?.isEditable(cell.column) !== true) return false;
      actions.onEdit(cell, NOTHING_TYPED);
      return true;
    },
  };
}

/** Whether an element takes what is pasted itself. After a click, a browser pastes to what was clicked, and not to what has the focus. */
const isTextField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;

/** Whether an event is at nothing that can be used: the page, or the heading that has the focus after another page was left. */
const isNowhere = (target: EventTarget | null): boolean =>
  target instanceof Element && target.matches('body, main, h1');

/**
 * Whether a paste has reached no cell, so that the user wants to know how.
 * @param isHandled whether a cell, or something else, has taken it
 * @param isOurs whether the list has the focus, or nothing on the page
 */
export const isLostPaste = (isHandled: boolean, isOurs: boolean, text: string): boolean =>
  !isHandled && isOurs && text.trim() !== '';

/** The first and the last row of a range. @param extent from the cursor to the other end */
export const rangeOf = (active: number, extent: number): readonly [number, number] | undefined =>
  extent === 0 ? undefined : [Math.min(active, active + extent), Math.max(active, active + extent)];

/** Scrolls sideways until a cell is in view, beside the column that stays there. */
function showSideways(scroller: HTMLElement, cell: HTMLElement): void {
  const sticky = cell.parentElement?.querySelector<HTMLElement>('[data-sticky]');
  const isSticky = sticky instanceof HTMLElement && getComputedStyle(sticky).position === 'sticky';
  if (isSticky && cell.hasAttribute('data-sticky')) return;
  const start = cell.offsetLeft - (isSticky ? sticky.offsetWidth : 0);
  const end = cell.offsetLeft + cell.offsetWidth - scroller.clientWidth;
  if (start < scroller.scrollLeft) scroller.scrollLeft = start;
  else if (end > scroller.scrollLeft) scroller.scrollLeft = end;
}
