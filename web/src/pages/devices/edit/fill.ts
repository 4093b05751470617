import Papa from 'papaparse';
import { jsonText } from '../../../api/exact-json';
import type { ListRow } from '../../../components/member-columns';
import { becomesJsonInTexts, isAmbiguousScalar, type ColumnType } from '../../../components/typed-text';
import { columnTitle } from './edit-titles';
import { MAX_OPERATIONS } from './batch-operations';
import { cellKey, type CellEdit, type CellName } from './cell-edit';
import { resolvedPart, textOf, valueOf, type CellContext } from './cell-value';
import { writeCell, type CellFormat } from './write-cell';

/** The largest number of cells that are filled or pasted at once, as it is shown. */
export const LIMIT = MAX_OPERATIONS.toLocaleString('en');

/** The cells of a block that was copied from a spreadsheet: tabs between cells, quotes around those of several lines. */
export function blockOf(text: string): readonly (readonly string[])[] {
  const { data } = Papa.parse<string[]>(text.replace(/\r?\n$/, ''), { delimiter: '\t' });
  return data;
}

/** A block as it is pasted into several selected rows: as often as it fits, as in spreadsheets, or once if it does not fit exactly. */
export const repeatedBlock = <Line>(block: readonly Line[], rows: number): readonly Line[] =>
  rows % block.length === 0 ? Array.from({ length: rows / block.length }, () => block).flat() : block;

/** What entering, clearing, filling or pasting does. */
export interface EditResult {
  readonly edits: readonly CellEdit[];
  /** The cells that have their values already: edits of them are dropped. */
  readonly unchanged: readonly CellName[];
  /** What does not fit, and what cannot be read. */
  readonly problems: readonly string[];
  /** What became something else than one may expect. */
  readonly notes: readonly string[];
}

/** A text for a cell. */
interface TextCell {
  readonly row: ListRow;
  readonly column: string;
  readonly text: string;
  /** By default that of a text which is typed into the cell. */
  readonly format?: CellFormat;
}

/** Writes texts into cells. */
export function fillCells(context: CellContext, cells: readonly TextCell[]): EditResult {
  const edits = new Map(context.edits);
  const results = cells.map(({ row, column, text, format }) => {
    const written = writeCell({ ...context, edits }, row, column, text, { format });
    // The cell of a device belongs to the region that was pasted before it.
    if ('edit' in written && written.edit) edits.set(cellKey(row.id, column), written.edit);
    return { row, column, text, written };
  });
  const nameOf = (row: ListRow, column: string) => `${row.name ?? ''}, ${columnTitle(column)}`;
  return {
    edits: results.flatMap(({ written }) => ('edit' in written && written.edit ? [written.edit] : [])),
    unchanged: results.flatMap(({ row, column, written }) =>
      'edit' in written && !written.edit ? [{ device: row.id, column }] : [],
    ),
    problems: results.flatMap(({ row, column, written }) =>
      'problem' in written ? [`${nameOf(row, column)}: ${written.problem}`] : [],
    ),
    notes: results.flatMap(({ row, column, text, written }) => {
      if (!('note' in written)) return [];
      // The note about a region is on the cell, which may be among these.
      if (column === 'region_id' && edits.has(cellKey(row.id, 'cell_id'))) return [];
      // What was edited loses its edit.
      if (!written.edit && context.edits.has(cellKey(row.id, column))) return [];
      return [`${nameOf(row, column)}: ${text === '' ? '' : `${text}. `}${written.note}`];
    }),
  };
}

/** The number of columns of a block. */
const widthOf = (block: readonly (readonly string[])[]): number =>
  block.reduce((width, line) => Math.max(width, line.length), 0);

/**
 * The number of rows of a block that are pasted at once: each cell can become an operation of a batch.
 * @param columns how many columns it is pasted into
 */
export function pastedRows(block: readonly (readonly string[])[], columns: number): number {
  const width = Math.max(1, Math.min(widthOf(block), columns));
  return Math.min(block.length, Math.max(1, Math.floor(MAX_OPERATIONS / width)));
}

/**
 * Pastes a block of cells.
 * @param rows from the row of the cursor on: `pastedRows`, or as many as the list has left
 * @param columns from the column of the cursor on
 * @param types of the columns of variables
 */
export function pasteBlock(
  context: CellContext,
  block: readonly (readonly string[])[],
  rows: readonly ListRow[],
  columns: readonly string[],
  types: ReadonlyMap<string, ColumnType>,
): EditResult {
  const cells = rows.flatMap((row, y) =>
    columns.flatMap((column, x) => {
      const text = block[y]?.[x];
      // An empty cell of a spreadsheet says nothing.
      if (text === undefined || text.trim() === '') return [];
      const isText = types.get(column)?.kind === 'text' && !becomesJsonInTexts(text);
      return [{ row, column, text, ...(isText ? ({ format: 'text' } as const) : {}) }];
    }),
  );
  // Where a text was before, one is expected.
  const textColumns = new Set(
    cells.flatMap(({ row, column, text, format }) =>
      format === 'text' && isAmbiguousScalar(text) && typeof resolvedPart(row, column)?.value !== 'string'
        ? [column]
        : [],
    ),
  );
  const result = fillCells(context, cells);
  const [width, limit] = [widthOf(block), pastedRows(block, columns.length)];
  const beyond = block.length - limit;
  return {
    ...result,
    problems: [
      ...(beyond > 0
        ? [`${beyond} of ${block.length} rows are left out: at most ${LIMIT} values are pasted at once.`]
        : []),
      ...(limit > rows.length
        ? [`${limit - rows.length} of ${block.length} rows do not fit: the list ends before.`]
        : []),
      ...(width > columns.length
        ? [`${width - columns.length} of ${width} columns do not fit: the list has no column for them.`]
        : []),
      ...result.problems,
    ],
    notes: [
      ...[...textColumns].map(
        (column) => `${columnTitle(column)}: ${textsReason(column, types.get(column))}`,
      ),
      ...result.notes,
    ],
  };
}

/** Why the numbers of a column are texts. */
const textsReason = (column: string, type: ColumnType | undefined): string =>
  type?.kind === 'text' && type.decidedBy !== undefined
    ? `all values are texts, because ${type.decidedBy} is one.`
    : `all values are texts, because devices have texts in ${columnTitle(column)}.`;

/** Fills cells of a column with what the first one has. */
export function fillDown(
  context: CellContext,
  [first, ...others]: readonly ListRow[],
  column: string,
): EditResult {
  if (!first) return { edits: [], unchanged: [], problems: [], notes: [] };
  const value = valueOf(context, first, column);
  // The value, not what an editor shows of it: a text that looks like a number stays a text.
  const filled = value
    ? ({ text: jsonText(value.value), format: 'json' } as const)
    : { text: textOf(context, first, column) };
  return fillCells(
    context,
    others.map((row) => ({ row, column, ...filled })),
  );
}
