import type { ListRow } from '../../../components/member-columns';
import {
  addCell,
  columnType,
  isUndecided,
  NO_CELLS,
  type ColumnSummary,
  type ColumnType,
} from '../../../components/typed-text';
import { variableOf } from '../../../components/variable-column';
import type { VariablePath } from '../../../components/variable-path';
import { resolvedPart } from './cell-value';

type Block = readonly (readonly string[])[];

const summaryOf = (block: Block, x: number): ColumnSummary =>
  block.reduce((summary, line) => addCell(summary, line[x] ?? ''), NO_CELLS);

/** Whether one of the rows has a text in a column already. */
const haveText = (rows: readonly ListRow[], column: string): boolean =>
  rows.some((row) => typeof resolvedPart(row, column)?.value === 'string');

/**
 * The type of each column that a block is pasted into: one for all its cells. Columns of members have none.
 * @param rows those that the block is pasted into
 * @param resolvesToText whether devices of the project have texts in a variable; only called if the block does not decide
 */
export async function pastedTypes(
  block: Block,
  rows: readonly ListRow[],
  columns: readonly string[],
  resolvesToText: (path: VariablePath) => Promise<boolean>,
): Promise<ReadonlyMap<string, ColumnType>> {
  const pasted = block.slice(0, rows.length);
  const types = new Map<string, ColumnType>();
  for (const [x, column] of columns.entries()) {
    const path = variableOf(column);
    if (!path) continue;
    const summary = summaryOf(pasted, x);
    const haveDevicesTexts = isUndecided(summary) && (haveText(rows, column) || (await resolvesToText(path)));
    types.set(column, columnType(summary, haveDevicesTexts));
  }
  return types;
}
