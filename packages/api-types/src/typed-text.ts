/**
 * The rule by which a text that somebody typed, pasted, or has in a table becomes a value. A text that is JSON becomes the JSON
 * value, and any other text stays a text. It never loses a character: `6.10`, `1e3` and `007` are texts, because the numbers
 * are written 6.1, 1000 and 7.
 */

/** A number as it is written in its shortest form, without an exponent. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/;
/** A number as JSON allows it. */
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Whether a text is JSON for a number, but not in the shortest form, so that the number would lose characters of it: `6.10`. */
export const losesCharacters = (text: string): boolean =>
  JSON_NUMBER.test(text.trim()) && !isNumber(text.trim());

const isNumber = (text: string): boolean => NUMBER.test(text) && text !== '-0';

/** Whether a text could be a number or a boolean, or the text itself: `6.8`, `true`. */
export const isAmbiguousScalar = (text: string): boolean => {
  const trimmed = text.trim();
  return isNumber(trimmed) || trimmed === 'true' || trimmed === 'false';
};

/** Whether a text becomes the JSON value that it is, and not a text. */
export function becomesJson(text: string): boolean {
  const trimmed = text.trim();
  if (isAmbiguousScalar(trimmed) || trimmed === 'null') return true;
  if (!/^["[{]/.test(trimmed)) return false;
  try {
    JSON.parse(trimmed);
    return true;
  } catch {
    return false;
  }
}

/** The type of a column: all its numbers and booleans are texts, or each cell is what it is by itself. */
export type ColumnType =
  | { readonly is: 'values' }
  /** `cell` is the one that makes all of them texts; undefined: the variable has texts elsewhere. */
  | { readonly is: 'texts'; readonly cell: string | undefined };

/** What is known of the cells of a column. */
export interface ColumnCells {
  /** The first cell that can be a text only. */
  readonly text: string | undefined;
  /** Whether a cell can be a number or boolean, or a text. */
  readonly isAmbiguous: boolean;
}

export const NO_CELLS: ColumnCells = { text: undefined, isAmbiguous: false };

/** The cell of a table that removes a value. */
export const UNSET_CELL = '(unset)';

/** Adds a cell to what is known of a column. Empty cells, `null`, lists and objects say nothing about the others. */
export function withCell(cells: ColumnCells, cell: string): ColumnCells {
  if (cells.isAmbiguous && cells.text !== undefined) return cells;
  const text = cell.trim();
  if (text === '' || text === 'null' || text === UNSET_CELL) return cells;
  if (isAmbiguousScalar(text)) return cells.isAmbiguous ? cells : { ...cells, isAmbiguous: true };
  if (cells.text !== undefined || (!text.startsWith('"') && becomesJson(text))) return cells;
  return { ...cells, text };
}

/**
 * The type of a column, which is one for all its cells.
 * @param isTextElsewhere whether the variable has texts elsewhere in the project
 */
export function columnType({ text, isAmbiguous }: ColumnCells, isTextElsewhere: boolean): ColumnType {
  if (text !== undefined) return { is: 'texts', cell: text };
  return isTextElsewhere && isAmbiguous ? { is: 'texts', cell: undefined } : { is: 'values' };
}

/** Whether a cell becomes JSON in a column of texts: null, a text in quotes, a list or an object. */
export const becomesJsonInTexts = (cell: string): boolean => becomesJson(cell) && !isAmbiguousScalar(cell);
