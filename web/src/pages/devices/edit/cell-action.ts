import type { GridCell } from '../../../components/grid-cursor';
import type { ListRow } from '../../../components/member-columns';

/** What the user does with cells, or with what was done before. */
export type CellAction = GridAction | HistoryStep;

/** A step back or forward in what was done. */
export interface HistoryStep {
  readonly type: 'undo' | 'redo';
}

export const isStep = (action: object): action is HistoryStep =>
  'type' in action && (action.type === 'undo' || action.type === 'redo');

/** What the user does with the cell that the cursor is on. */
export type GridAction =
  /** `text` replaces the value; undefined: the value is edited. */
  | { readonly type: 'edit'; readonly cell: GridCell<ListRow>; readonly text: string | undefined }
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

/** What changes cells without the editor. */
export type DirectAction = Exclude<GridAction, { readonly type: 'edit' }>;

/** The next action. What is typed while the code of the editor is loaded belongs to the same text, also if Enter follows it. */
export function followedBy(former: CellAction | undefined, next: CellAction): CellAction {
  const isSameEdit =
    former?.type === 'edit' &&
    next.type === 'edit' &&
    former.cell.row.id === next.cell.row.id &&
    former.cell.column === next.cell.column;
  if (!isSameEdit || former.text === undefined) return next;
  return { ...next, text: former.text + (next.text ?? '') };
}
