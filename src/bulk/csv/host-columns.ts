import type { Field } from '../../database/resource-shape';
import { cellOfJson, cellOfText, isJson, jsonOfCell, textOfCell } from './cell-text';

/** A column of a table of devices that is read. */
export interface Column {
  /** The member's. */
  readonly name: string;
  /** The JSON text that a cell that is not empty means. */
  readonly json: (cell: string) => string;
}

/** One that is also written. */
interface WrittenColumn extends Column {
  /** The cell for a value; empty for one that is not set. */
  readonly cell: (value: unknown) => string;
}

/** As many columns as spreadsheets have. */
export const MOST_COLUMNS = 16_384;

/** Before the key, in the names of columns for variables. */
export const VARIABLES = 'variables.';

const ofText = (name: string): WrittenColumn => ({
  name,
  cell: (value) => (typeof value === 'string' ? cellOfText(value) : ''),
  json: textOfCell,
});

/** Spreadsheets shout their truth values. */
const ofBoolean = (name: string): WrittenColumn => ({
  name,
  cell: String,
  json: (cell) => (/^(?:true|false)$/i.test(cell) ? cell.toLowerCase() : textOfCell(cell)),
});

const isJsonArray = (text: string): boolean => /^[ \t\n\r]*\[/.test(text) && isJson(text);

/** Names of labels have no comma, but may have spaces outside, which people put behind commas: those are an array. */
function cellOfLabels(names: readonly string[]): string {
  const joined = names.join(',');
  return isJsonArray(joined) || names.some((name) => name !== name.trim())
    ? cellOfJson(JSON.stringify(names))
    : cellOfText(joined);
}

const labels: WrittenColumn = {
  name: 'labels',
  cell: (value) => (Array.isArray(value) && value.length > 0 ? cellOfLabels(value) : ''),
  json: (cell) => {
    if (isJsonArray(cell)) return jsonOfCell(cell);
    const names = JSON.parse(textOfCell(cell)) as string | null;
    return JSON.stringify(names === '' ? [] : (names?.split(',').map((name) => name.trim()) ?? null));
  },
};

/** The columns that a table of hosts has, but for those of variables. */
export const hostColumns: readonly WrittenColumn[] = [
  ofText('name'),
  ofText('region'),
  ofText('cell'),
  ofText('parent'),
  ofText('ip_address'),
  ofText('device_type'),
  ofBoolean('active'),
  ofText('note'),
  labels,
];

const ofField = (name: string, { sort }: Field): Column => {
  if (sort?.type === 'boolean') return ofBoolean(name);
  return sort?.type === 'text' || sort?.type === 'inet' || sort?.type === 'uuid'
    ? ofText(name)
    : { name, json: jsonOfCell };
};

/**
 * The columns that a table of devices may have when it is read.
 * @param fields the members that only some kinds of devices have
 */
export const columnsToRead = (
  fields: readonly (readonly [name: string, Field])[],
): ReadonlyMap<string, Column> =>
  new Map(
    [ofText('kind'), ...hostColumns, ...fields.map(([name, field]) => ofField(name, field))].map((column) => [
      column.name,
      column,
    ]),
  );
