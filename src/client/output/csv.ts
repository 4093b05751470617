import { stringify } from 'csv-stringify/sync';
import { exactJson, isLosslessNumber } from '../api/exact-json';
import type { Row } from './output';

/** As in the service's tables of hosts: see `cell-text.ts` there. */
const FORMULA = /^[\s"]*[=+\-@\uff0b\uff0d\uff1d\uff20]/;
const SEPARATOR = /[;\t\r\n]/;
const FORMULA_AFTER_SEMICOLON = /(;[\s"]*)([=+\-@\uff0b\uff0d\uff1d\uff20])/g;
const DROPPED = /^[\t\r\n]/;

const containsFormula = (text: string): boolean =>
  DROPPED.test(text) || text.split(SEPARATOR).some((part) => FORMULA.test(part));

const withoutFormulas = (json: string): string =>
  json.replace(
    FORMULA_AFTER_SEMICOLON,
    (_, before: string, sign: string) => `${before}\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** The names of columns, as a line. */
export const csvHeader = (names: readonly string[]): string => written(names.map(cellOf));

/** A row as a record: RFC 4180, with the line ends of the shell. */
export const csvRecord = (row: Row, names: readonly string[]): string =>
  written(names.map((name) => cellOf(row[name])));

const written = (cells: string[]): string => stringify([cells], { quoted_match: /[\r\n;\t]/ });

/** A string is its own text, except one that contains a formula: that is JSON, with its quotes. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string' && !containsFormula(value)) return value;
  return isLosslessNumber(value) ? value.toString() : withoutFormulas(exactJson.stringify(value));
}
