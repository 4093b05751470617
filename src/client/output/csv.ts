import { stringify } from 'csv-stringify/sync';
import { exactJson, isLosslessNumber } from '../api/exact-json';
import { containsFormula, withoutFormulas } from '../../bulk/csv/csv-formulas';
import type { Row } from './output';

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
