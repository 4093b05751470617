import Papa from 'papaparse';
import { jsonText } from '../../../api/exact-json';
import type { ListRow } from '../../../components/member-columns';
import { memberTitle } from '../../../components/member-title';
import { variableOf } from '../../../components/variable-column';
import type { CellEdit } from './cell-edit';
import { textOf, valueOf, writeCell, type CellContext } from './read-cell';

/** The largest number of cells that are filled or pasted at once: each becomes an operation of a batch. */
export const MAX_CELLS = 1_000;

/** The cells of a block that was copied from a spreadsheet: tabs between cells, quotes around those of several lines. */
export function blockOf(text: string): readonly (readonly string[])[] {
  const { data } = Papa.parse<string[]>(text.replace(/\r?\n$/, ''), { delimiter: '\t' });
  return data;
}

const titleOf = (column: string): string => variableOf(column)?.text ?? memberTitle(column);

/** What filling or pasting does. */
export interface Filling {
  readonly edits: readonly CellEdit[];
  /** Rows and columns of cells that have their values already: edits of them are dropped. */
  readonly unchanged: readonly { readonly device: number; readonly column: string }[];
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
  /** Whether the text is JSON, also where a text was before. */
  readonly isJson?: boolean;
}

/** Writes texts into cells. */
export function fillCells(context: CellContext, cells: readonly TextCell[]): Filling {
  const edits = new Map(context.edits);
  const results = cells.map(({ row, column, text, isJson }) => {
    const written = writeCell({ ...context, edits }, row, column, text, {
      isText: isJson ? false : undefined,
    });
    // The cell of a device belongs to the region that was pasted before it.
    if ('edit' in written && written.edit) edits.set(`${row.id}/${column}`, written.edit);
    return { row, column, text, written };
  });
  const nameOf = (row: ListRow, column: string) => `${row.name ?? ''}, ${titleOf(column)}`;
  return {
    edits: results.flatMap(({ written }) => ('edit' in written && written.edit ? [written.edit] : [])),
    unchanged: results.flatMap(({ row, column, written }) =>
      'edit' in written && !written.edit ? [{ device: row.id, column }] : [],
    ),
    problems: results.flatMap(({ row, column, written }) =>
      'problem' in written ? [`${nameOf(row, column)}: ${written.problem}`] : [],
    ),
    notes: results.flatMap(({ row, column, text, written }) =>
      'note' in written ? [`${nameOf(row, column)}: ${text}. ${written.note}`] : [],
    ),
  };
}

/**
 * Pastes a block of cells.
 * @param rows from the row of the cursor on: as many as the block has, or as the list has left
 * @param columns from the column of the cursor on
 */
export function pasteBlock(
  context: CellContext,
  block: readonly (readonly string[])[],
  rows: readonly ListRow[],
  columns: readonly string[],
): Filling {
  const cells = rows.flatMap((row, y) =>
    columns.flatMap((column, x) => {
      const text = block[y]?.[x];
      // An empty cell of a spreadsheet says nothing.
      return text === undefined || text.trim() === '' ? [] : [{ row, column, text }];
    }),
  );
  const width = Math.max(...block.map((line) => line.length));
  const filling = fillCells(context, cells);
  return {
    ...filling,
    problems: [
      ...(block.length > rows.length
        ? [`${block.length - rows.length} of ${block.length} rows do not fit: the list ends before.`]
        : []),
      ...(width > columns.length
        ? [`${width - columns.length} of ${width} columns do not fit: the list has no column for them.`]
        : []),
      ...filling.problems,
    ],
  };
}

/** Fills cells of a column with what the first one has. */
export function fillDown(
  context: CellContext,
  [first, ...others]: readonly ListRow[],
  column: string,
): Filling {
  if (!first) return { edits: [], unchanged: [], problems: [], notes: [] };
  const value = valueOf(context, first, column);
  // The value, not what an editor shows of it: a text that looks like a number stays a text.
  const filled = value
    ? { text: jsonText(value.value), isJson: true }
    : { text: textOf(context, first, column) };
  return fillCells(
    context,
    others.map((row) => ({ row, column, ...filled })),
  );
}
