import { stringify } from 'csv-stringify/sync';
import { exactJson, isLosslessNumber } from '../api/exact-json';
import type { Row } from './rows';

/** The header line. */
export const csvHeader = (names: readonly string[]): string => writeRecord(names.map(csvCell));

/** A row as a record of RFC 4180, but with LF as line end. */
export const csvRecord = (row: Row, names: readonly string[]): string =>
  writeRecord(names.map((name) => csvCell(row[name])));

const writeRecord = (cells: string[]): string => stringify([cells], { quoted_match: /[\r\n;\t]/ });

/** A string is printed as it is, unless it contains a formula: then it is printed as JSON, with quotes. */
function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string' && !containsFormula(value)) return value;
  return isLosslessNumber(value) ? value.toString() : withoutFormulas(exactJson.stringify(value));
}

/*
 * Formulas: the same rules as in the service's CSV exports. A text contains a formula if it begins like one, or if a part
 * of it does after `;`, a tab or a line break. A spreadsheet whose separator is not the comma recognises quotes only at the
 * beginning of a line, so quotes do not keep these parts in one cell.
 */

/** The beginning of a formula, in full width too. Spreadsheets skip spaces before it, and quotes where a cell begins. */
const FORMULA = /^[\s"]*[=+\-@\uff0b\uff0d\uff1d\uff20]/;
const SEPARATOR = /[;\t\r\n]/;
const FORMULA_AFTER_SEMICOLON = /(;[\s"]*)([=+\-@\uff0b\uff0d\uff1d\uff20])/g;
/** Characters that a spreadsheet drops at the beginning of a cell. */
const DROPPED = /^[\t\r\n]/;

/** Checks part by part: one pattern for the whole text would take quadratic time on many tabs. */
const containsFormula = (text: string): boolean =>
  DROPPED.test(text) || text.split(SEPARATOR).some((part) => FORMULA.test(part));

/** Escapes formulas after semicolons, as in `\u003d`. In JSON a semicolon is always inside a string. */
const withoutFormulas = (json: string): string =>
  json.replace(
    FORMULA_AFTER_SEMICOLON,
    (_, before: string, sign: string) => `${before}\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
