import { typedOver } from '../../../components/pending-editor';
import type { ListRow } from '../../../components/member-columns';
import type { VariablePath } from '../../../components/variable-path';
import { MAX_OPERATIONS } from './batch-operations';
import type { RunAction } from './cell-action';
import {
  blockOf,
  fillCells,
  fillDown,
  LIMIT,
  pasteBlock,
  pastedRows,
  repeatedBlock,
  type EditResult,
} from './fill';
import { pastedTypes } from './paste-columns';
import { textOf, type CellContext } from './cell-value';
import { readOnlyReason, writeCell, type WrittenCell } from './write-cell';

/** The result of an action that has done nothing. */
export const NOTHING: EditResult = { edits: [], unchanged: [], problems: [], notes: [] };

const NOTHING_ABOVE = 'There is no value above this one. Select values below with Shift+↓, then fill down.';

const tooMany = (selected: string): EditResult => ({
  ...NOTHING,
  problems: [`${selected} are selected, and at most ${LIMIT} values are changed at once: use “Change…”.`],
});

/** The result of writing one cell. */
export function resultOf(written: WrittenCell, row: ListRow, column: string): EditResult {
  if ('problem' in written) return { ...NOTHING, problems: [`${row.name ?? ''}: ${written.problem}`] };
  return written.edit
    ? { ...NOTHING, edits: [written.edit] }
    : { ...NOTHING, unchanged: [{ device: row.id, column }] };
}

/** Reads rows of the list after one of them, or before it, nearest first. @throws ApiError, NetworkError */
type ReadNear = (id: number, count: number, isBackward?: boolean) => Promise<readonly ListRow[]>;

/** What an action reads. All of it throws an `ApiError` or `NetworkError`. */
export interface ActionReads {
  readonly readNear: ReadNear;
  /** Whether devices of the project have texts in a variable. */
  readonly resolvesToText: (path: VariablePath) => Promise<boolean>;
}

/** What an action does with cells that the list may have to read. @throws ApiError, NetworkError */
export async function runAction(
  action: RunAction,
  context: CellContext,
  columns: readonly string[],
  { readNear, resolvesToText }: ActionReads,
): Promise<EditResult> {
  const { row, column } = action.cell;
  switch (action.type) {
    case 'write': {
      const reason = readOnlyReason(context, row, column);
      if (reason !== undefined) return resultOf({ problem: reason }, row, column);
      const text = typedOver(textOf(context, row, column), action.typed);
      return resultOf(writeCell(context, row, column, text), row, column);
    }
    case 'clear': {
      if (isTooLong(action.extent)) return tooManyCells(action.extent);
      const rows = await rangeRows(readNear, row, action.extent);
      return fillCells(
        context,
        rows.map((one) => ({ row: one, column, text: '' })),
      );
    }
    case 'paste': {
      const { extent } = action;
      if (isTooLong(extent)) return tooManyCells(extent);
      const block = repeatedBlock(blockOf(action.text), sizeOf(extent));
      const right = columns.slice(columns.indexOf(column));
      const count = pastedRows(block, right.length);
      const before = extent < 0 ? (await readNear(row.id, -extent, true)).toReversed() : [];
      const after = await readNear(row.id, count - before.length - 1);
      const rows = [...before, row, ...after].slice(0, count);
      const types = await pastedTypes(block, rows, right, resolvesToText);
      return pasteBlock(context, block, rows, right, types);
    }
    case 'fill': {
      const { above, extent, selected } = action;
      if (isTooLong(extent)) return tooManyCells(extent);
      if (extent !== 0) return fillDown(context, await rangeRows(readNear, row, extent), column);
      if (selected.length === 0)
        return above ? fillDown(context, [above, row], column) : { ...NOTHING, problems: [NOTHING_ABOVE] };
      if (selected.length > MAX_OPERATIONS) return tooMany(`${selected.length.toLocaleString('en')} devices`);
      const rows = await readSelected(readNear, row, new Set(selected));
      const missing = selected.length - rows.length;
      const result = fillDown(context, rows, column);
      const far = `${missing} of the selected devices are too far from the cursor, and are not filled.`;
      return missing === 0 ? result : { ...result, problems: [far, ...result.problems] };
    }
  }
}

/** The number of cells of a range. */
const sizeOf = (extent: number): number => Math.abs(extent) + 1;

const isTooLong = (extent: number): boolean => sizeOf(extent) > MAX_OPERATIONS;

const tooManyCells = (extent: number): EditResult => tooMany(`${sizeOf(extent).toLocaleString('en')} values`);

/** The rows of a range in the order of the list. */
async function rangeRows(readNear: ReadNear, row: ListRow, extent: number): Promise<readonly ListRow[]> {
  if (extent === 0) return [row];
  const others = await readNear(row.id, Math.abs(extent), extent < 0);
  return extent < 0 ? [...others.toReversed(), row] : [row, ...others];
}

/** The selected rows in the order of the list, as far as they are near the cursor. */
async function readSelected(
  readNear: ReadNear,
  row: ListRow,
  selected: ReadonlySet<number>,
): Promise<readonly ListRow[]> {
  const before = await readNear(row.id, selected.size, true);
  const after = await readNear(row.id, selected.size);
  return [...before.toReversed(), row, ...after].filter(({ id }) => selected.has(id));
}
