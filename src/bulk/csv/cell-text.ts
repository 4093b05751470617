/**
 * How values stand in the cells of a table. What comes back from a spreadsheet must be what went there, so there is one
 * spelling for each value, and whatever could be taken for something else is written as JSON, with its quotes:
 *
 * - an empty cell says nothing;
 * - a string is its own text, unless that is JSON itself (`"1"`), empty (`""`), or contains a formula (`"=A1"`);
 * - all else is JSON, with every digit.
 *
 * `csv-formulas.ts` says what a formula is.
 *
 * Cells that can hold strings alone (a name, say) read less as JSON: there `1` is a name, and only what begins with `"`,
 * and `null`, is not taken as it stands.
 */

import { containsFormula, withoutFormulas } from './csv-formulas';
import { isTextDeeperThan, MAX_JSON_DEPTH } from '../../core/json/json-depth';

/** What may stand around JSON. */
const SPACE = ' \t\n\r';
/** In characters: `true`, `null` and most numbers are shorter. */
const SHORT = 64;
const SCALAR = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;

/**
 * Whether a text is JSON: told from its first characters, where these are enough. A text that is nested too deep counts
 * as JSON without being parsed, which could take seconds. An import rejects the line, and an export writes a string
 * like this with quotes.
 */
export function isJson(text: string): boolean {
  const bare = withoutSpace(text);
  if (bare.length <= SHORT && !/^["[{]/.test(bare)) return SCALAR.test(bare);
  if (!/^["[{\d-]/.test(bare)) return false;
  if (isTextDeeperThan(MAX_JSON_DEPTH, bare)) return true;
  try {
    JSON.parse(bare);
    return true;
  } catch {
    return false;
  }
}

/** Not by a pattern: for the space at the end it would begin at each space within, and cells are long. */
function withoutSpace(text: string): string {
  let begin = 0;
  let end = text.length;
  while (begin < end && SPACE.includes(text.charAt(begin))) begin++;
  while (begin < end && SPACE.includes(text.charAt(end - 1))) end--;
  return text.slice(begin, end);
}

/** Whether a cell that can hold strings alone does not mean its own text. */
const isSpelled = (text: string): boolean => text === 'null' || (text.startsWith('"') && isJson(text));

/** The cell for any JSON value. @param json as PostgreSQL prints it */
export function cellOfJson(json: string): string {
  if (!json.startsWith('"')) return withoutFormulas(json);
  const text = JSON.parse(json) as string;
  return text === '' || containsFormula(text) || isJson(text) ? withoutFormulas(json) : text;
}

/** The cell for a string, where there are only strings. */
export const cellOfText = (text: string): string =>
  text === '' || containsFormula(text) || isSpelled(text) ? withoutFormulas(JSON.stringify(text)) : text;

/** The JSON that a cell for any value means. */
export const jsonOfCell = (cell: string): string =>
  // Between its tokens JSON may have line ends; a line must not.
  isJson(cell) ? cell.replace(/[\n\r]/g, ' ') : JSON.stringify(cell);

/** The JSON that a cell for strings means. */
export const textOfCell = (cell: string): string => (isSpelled(cell) ? cell : JSON.stringify(cell));
