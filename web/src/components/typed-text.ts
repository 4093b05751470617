/**
 * The explorer's rule by which a text that is typed, pasted, or in a table that it imports becomes a value. A text that is JSON
 * becomes the JSON value, and any other text stays a text. It never loses a character: `6.10`, `1e3` and `007` are texts, because
 * the numbers are written 6.1, 1000 and 7. The service and `muster import` read the cells of CSV by the same rule (docs/api/export.md).
 * Fields for one value follow it, too, except that `enteredValue` rejects invalid JSON.
 */

/** A number as it is written in its shortest form, without an exponent. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/;
/** A number as JSON allows it. */
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Whether a text is JSON for a number, but not in the shortest form, so that the number would lose characters of it: `6.10`. */
export const losesCharacters = (text: string): boolean =>
  JSON_NUMBER.test(text.trim()) && !isNumber(text.trim());

const isNumber = (text: string): boolean => NUMBER.test(text) && text !== '-0';

/** Whether a text is JSON for a boolean. */
export const isBooleanText = (text: string): boolean => ['true', 'false'].includes(text.trim());

/** Whether a text could be a number or a boolean, or the text itself: `6.8`, `true`. */
export const isAmbiguousScalar = (text: string): boolean => {
  const trimmed = text.trim();
  return isNumber(trimmed) || isBooleanText(trimmed);
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

/** A value that was entered in a field, as JSON; or what is wrong with it. */
export type EnteredValue =
  | {
      readonly json: string;
      /** Why it is a text, although it was entered without quotes. */
      readonly note?: string;
    }
  | { readonly problem: string };

/**
 * Reads a field for a value, in which texts have quotes. Input that starts with a quote or bracket must be valid JSON. Other input
 * follows the rule above, except that a number or boolean replaces a text without a question.
 * @param current what the field shows until something is entered: the number 1.0 stays one
 */
export function enteredValue(text: string, current = ''): EnteredValue {
  const trimmed = text.trim();
  if (trimmed === '') return { problem: 'Enter a value: a text, 12, true, null, [ … ] or { … }.' };
  if (trimmed === current || becomesJson(trimmed)) return { json: trimmed };
  // As spreadsheets write them.
  if (isBooleanText(current) && isBooleanText(trimmed.toLowerCase())) return { json: trimmed.toLowerCase() };
  if (/^["[{]/.test(trimmed))
    return {
      problem: 'Not valid JSON. A text that begins with a quote or a bracket needs double quotes around it.',
    };
  const note = losesCharacters(trimmed)
    ? 'A text: a number would lose its last digits, or be written differently.'
    : 'A text: it is not JSON.';
  return { json: JSON.stringify(trimmed), note };
}

/**
 * The text in quotes that is offered instead of a number or boolean where a text was: `"6.12"` for `6.12`.
 * @param text the JSON that was entered
 */
export const quotedText = (text: string, former: unknown): string | undefined =>
  typeof former === 'string' && (isAmbiguousScalar(text) || losesCharacters(text))
    ? `"${text.trim()}"`
    : undefined;

/** The type of a column: each cell becomes a value by itself, or all its numbers and booleans are texts. */
export type ColumnType =
  | { readonly kind: 'mixed' }
  /** `decidedBy` is the cell because of which all are texts; undefined: devices have texts in the variable. */
  | { readonly kind: 'text'; readonly decidedBy?: string };

/** What is known of the cells of a column. */
export interface ColumnSummary {
  /** The first cell that can be a text only. */
  readonly text: string | undefined;
  /** Whether a cell can be a number or boolean, or a text. */
  readonly isAmbiguous: boolean;
}

export const NO_CELLS: ColumnSummary = { text: undefined, isAmbiguous: false };

/** The cell of a table that removes a value. */
export const UNSET_CELL = '(unset)';

/** The beginning of a list or object. `{{` and `{%` begin templates. */
const DOCUMENT_START = /^(?:\[|\{(?![{%]))/;

/**
 * Adds a cell to what is known of a column. Empty cells, `null`, lists and objects say nothing about the others, even if they are not
 * valid JSON: the service does not warn of these in a column of texts.
 */
export function addCell(summary: ColumnSummary, cell: string): ColumnSummary {
  if (summary.isAmbiguous && summary.text !== undefined) return summary;
  const text = cell.trim();
  if (text === '' || text === 'null' || text === UNSET_CELL) return summary;
  if (isAmbiguousScalar(text)) return summary.isAmbiguous ? summary : { ...summary, isAmbiguous: true };
  if (summary.text !== undefined || DOCUMENT_START.test(text)) return summary;
  return { ...summary, text };
}

/** Whether the cells of a column can be numbers and booleans, or texts, and none of them decides it. */
export const isUndecided = ({ text, isAmbiguous }: ColumnSummary): boolean =>
  text === undefined && isAmbiguous;

/**
 * The type of a column, which is one for all its cells.
 * @param haveDevicesTexts whether devices of the project have texts in the variable
 */
export function columnType(summary: ColumnSummary, haveDevicesTexts: boolean): ColumnType {
  if (summary.text !== undefined) return { kind: 'text', decidedBy: summary.text };
  return haveDevicesTexts && isUndecided(summary) ? { kind: 'text' } : { kind: 'mixed' };
}

/** Whether a cell becomes JSON in a column of texts: null, a text in quotes, a list or an object. */
export const becomesJsonInTexts = (cell: string): boolean => becomesJson(cell) && !isAmbiguousScalar(cell);
