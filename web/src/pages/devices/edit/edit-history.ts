import { NO_EDITS, type CellEdits } from './cell-edit';

/** The edited cells, and the steps that led to them. */
export interface EditHistory {
  readonly edits: CellEdits;
  /** The edits before each step, the last one first. */
  readonly before: readonly CellEdits[];
  /** The edits after each step that was undone, the next one first. */
  readonly after: readonly CellEdits[];
}

export const NO_HISTORY: EditHistory = { edits: NO_EDITS, before: [], after: [] };

/** How many steps can be undone. */
const MAX_STEPS = 100;

export type EditsChange = (edits: CellEdits) => CellEdits;

/** A further step: what was undone before cannot be redone any more. */
export function withStep(history: EditHistory, change: EditsChange): EditHistory {
  const edits = change(history.edits);
  if (isSame(edits, history.edits)) return history;
  return { edits, before: [history.edits, ...history.before].slice(0, MAX_STEPS), after: [] };
}

/** Goes back to before the last step. */
export function undo(history: EditHistory): EditHistory {
  const [edits, ...before] = history.before;
  return edits ? { edits, before, after: [history.edits, ...history.after] } : history;
}

/** Repeats the step that was undone last. */
export function redo(history: EditHistory): EditHistory {
  const [edits, ...after] = history.after;
  return edits ? { edits, before: [history.edits, ...history.before], after } : history;
}

/**
 * Drops the edits that were written, and all steps: a step back would restore edits of values as they were before the write, which
 * then would be conflicts.
 * @param change removes the written edits
 */
export const withoutWritten = (history: EditHistory, change: EditsChange): EditHistory => ({
  edits: change(history.edits),
  before: [],
  after: [],
});

const isSame = (a: CellEdits, b: CellEdits): boolean =>
  a.size === b.size && [...a].every(([key, edit]) => b.get(key) === edit);
