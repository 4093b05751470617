/**
 * The encoding of values in CSV cells. A value must survive a round trip through a spreadsheet, so each value has
 * exactly one encoding. A string that is ambiguous as plain text is encoded as a quoted JSON string:
 *
 * - an empty cell means that the value is not set;
 * - a string is plain text, unless the text is valid JSON (`"1"`), empty (`""`) or contains a formula (`"=A1"`);
 * - any other value is JSON, with every digit.
 *
 * `csv-formulas.ts` defines what a formula is.
 *
 * Text columns (for example names) hold only strings. There, `1` is the string `1`; only `null` and JSON strings in
 * quotes are parsed as JSON.
 */

import { containsFormula, escapeFormulas } from './csv-formulas';
import { isTextDeeperThan, MAX_JSON_DEPTH } from '../../core/json/json-depth';

/** Whitespace that JSON allows around a value. */
const WHITESPACE = ' \t\n\r';
/** Longer texts are parsed. `true`, `null` and most numbers are shorter. */
const MAX_SCALAR_LENGTH = 64;
const SCALAR = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;

/**
 * Whether a text is valid JSON. It is only parsed if its first characters do not decide. A text that is nested too
 * deeply counts as JSON without being parsed, because parsing it could take seconds: an import rejects the line, and an
 * export writes such a string in quotes.
 */
export function isJson(text: string): boolean {
  const bare = trimJson(text);
  if (bare.length <= MAX_SCALAR_LENGTH && !/^["[{]/.test(bare)) return SCALAR.test(bare);
  if (!/^["[{\d-]/.test(bare)) return false;
  if (isTextDeeperThan(MAX_JSON_DEPTH, bare)) return true;
  try {
    JSON.parse(bare);
    return true;
  } catch {
    return false;
  }
}

/** Does not use a regular expression: it takes quadratic time on long cells with much whitespace. */
function trimJson(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && WHITESPACE.includes(text.charAt(start))) start++;
  while (start < end && WHITESPACE.includes(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/** Whether a cell of a text column is encoded as JSON. */
const isEncoded = (text: string): boolean => text === 'null' || (text.startsWith('"') && isJson(text));

/** Formats any JSON value. @param json as PostgreSQL prints it */
export function formatJsonCell(json: string): string {
  if (!json.startsWith('"')) return escapeFormulas(json);
  const text = JSON.parse(json) as string;
  return text === '' || containsFormula(text) || isJson(text) ? escapeFormulas(json) : text;
}

/** Formats a string for a text column. */
export const formatTextCell = (text: string): string =>
  text === '' || containsFormula(text) || isEncoded(text) ? escapeFormulas(JSON.stringify(text)) : text;

/** Parses a cell for any value, as JSON text. */
export const parseJsonCell = (cell: string): string =>
  // JSON can contain line breaks between tokens, but an import line must not.
  isJson(cell) ? cell.replace(/[\n\r]/g, ' ') : JSON.stringify(cell);

/** Parses a cell of a text column, as JSON text. */
export const parseTextCell = (cell: string): string => (isEncoded(cell) ? cell : JSON.stringify(cell));
