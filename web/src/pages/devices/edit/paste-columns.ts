import { columnType, NO_CELLS, withCell, type ColumnCells, type ColumnType } from '@muster/api-types';
import type { ListRow } from '../../../components/member-columns';
import { variableOf } from '../../../components/variable-column';
import type { VariablePath } from '../../../components/variable-path';
import { resolvedPart } from './cell-value';

type Block = readonly (readonly string[])[];

const cellsOf = (block: Block, x: number): ColumnCells =>
  block.reduce((cells, line) => withCell(cells, line[x] ?? ''), NO_CELLS);

/** Whether one of the rows has a text in a column already. */
const haveText = (rows: readonly ListRow[], column: string): boolean =>
  rows.some((row) => typeof resolvedPart(row, column)?.value === 'string');

/**
 * The type of each column that a block is pasted into: one for all its cells. Columns of members have none.
 * @param rows those that the block is pasted into
 * @param hasTexts whether devices of the project have texts in a variable; it is only asked if the block does not decide
 */
export async function pastedTypes(
  block: Block,
  rows: readonly ListRow[],
  columns: readonly string[],
  hasTexts: (path: VariablePath) => Promise<boolean>,
): Promise<ReadonlyMap<string, ColumnType>> {
  const pasted = block.slice(0, rows.length);
  const types = new Map<string, ColumnType>();
  for (const [x, column] of columns.entries()) {
    const path = variableOf(column);
    const cells = cellsOf(pasted, x);
    if (!path || (cells.text === undefined && !cells.isAmbiguous)) continue;
    const isTextElsewhere = cells.text === undefined && (haveText(rows, column) || (await hasTexts(path)));
    types.set(column, columnType(cells, isTextElsewhere));
  }
  return types;
}
