import { stringify } from 'csv-stringify/sync';
import { exactJson, isLosslessNumber } from '../api/exact-json';
import type { Row } from './output';

/** What a spreadsheet would calculate, or throw away, where a cell begins with it: as the service has it. */
const FORMULA = /^\s*[=+\-@\uff0b\uff0d\uff1d\uff20]|^[\t\r\n]/;

/** The names of columns, as a line. */
export const csvHeader = (names: readonly string[]): string => written(names.map(cellOf));

/** A row as a record: RFC 4180, with the line ends of the shell. */
export const csvRecord = (row: Row, names: readonly string[]): string =>
  written(names.map((name) => cellOf(row[name])));

const written = (cells: string[]): string => stringify([cells], { quoted_match: /[\r\n]/ });

/** A string is its own text, but for one that begins like a formula: that is JSON, with its quotes. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return FORMULA.test(value) ? exactJson.stringify(value) : value;
  return isLosslessNumber(value) ? value.toString() : exactJson.stringify(value);
}
