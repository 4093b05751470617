import { isTyped, withTyped, type EditorKey, type TypedText } from '../../../components/pending-editor';
import type { GridCell } from '../../../components/grid-cursor';
import type { ListRow } from '../../../components/member-columns';
import { cellKey } from './cell-edit';

/** What the user does with cells, or with what was done before. */
export type CellAction = GridAction | HistoryStep | PreviewAction;

/** A step back or forward in what was done. */
export interface HistoryStep {
  readonly type: 'undo' | 'redo';
}

export const isStep = (action: object): action is HistoryStep =>
  'type' in action && (action.type === 'undo' || action.type === 'redo');

/** Previews all edits, once the actions before it are done. */
export interface PreviewAction {
  readonly type: 'preview';
  /** Whether it was asked for before anything of it was shown: then nothing is previewed if a text could not be entered. */
  readonly isEarly: boolean;
}

/** Opens the editor of a cell. */
export interface EditAction {
  readonly type: 'edit';
  readonly cell: GridCell<ListRow>;
  /** What was typed before the editor is there. */
  readonly typed: TypedText;
}

/** Enters what was typed before the editor is there. */
interface WriteAction extends Omit<EditAction, 'type'> {
  readonly type: 'write';
}

/** What the user does with the cell that the cursor is on. */
type GridAction =
  | EditAction
  | WriteAction
  | {
      readonly type: 'clear';
      readonly cell: GridCell<ListRow>;
      /** How many rows the range of cells has after the cell, or before it if the number is negative. */
      readonly extent: number;
    }
  | {
      readonly type: 'paste';
      readonly cell: GridCell<ListRow>;
      readonly text: string;
      /** As above. The block begins at the first cell of the range. */
      readonly extent: number;
    }
  | {
      readonly type: 'fill';
      readonly cell: GridCell<ListRow>;
      readonly above: ListRow | undefined;
      /** How many rows the range of cells has after the cell, or before it if the number is negative. It is filled from the first. */
      readonly extent: number;
      /** The ids of the selected rows. Without a range, they are filled from the first of them, if there are any. */
      readonly selected: readonly number[];
    };

/** What is done without the editor. */
export type RunAction = Exclude<GridAction, EditAction>;

/**
 * The actions that wait for the code that does them, after one more. An editor that is not there yet takes what is typed on its cell,
 * and what was typed is entered if something else is done first.
 */
export function withAction(waiting: readonly CellAction[], next: CellAction): readonly CellAction[] {
  const last = pendingEdit(waiting);
  if (!last) return [...waiting, next];
  if (next.type !== 'edit' || keyOf(last) !== keyOf(next)) return [...withKey(waiting, 'write'), next];
  return [...waiting.slice(0, -1), { ...next, typed: withTyped(last.typed, next.typed) }];
}

const keyOf = ({ cell }: EditAction): string => cellKey(cell.row.id, cell.column);

/** The editor that was asked for last, if it is not there yet. */
export function pendingEdit(waiting: readonly CellAction[]): EditAction | undefined {
  const last = waiting.at(-1);
  return last?.type === 'edit' ? last : undefined;
}

/** The actions that wait, after a key for the editor that is not there yet. */
export function withKey(waiting: readonly CellAction[], key: EditorKey): readonly CellAction[] {
  const last = pendingEdit(waiting);
  if (!last) return waiting;
  const former = waiting.slice(0, -1);
  const { typed } = last;
  if (key === 'cancel') return former;
  // As in the editor, nothing is entered if nothing was typed.
  if (key === 'write') return isTyped(typed) ? [...former, { ...last, type: 'write' }] : former;
  return [...former, { ...last, typed: withTyped(typed, key) }];
}
