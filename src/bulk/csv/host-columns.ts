import type { Field } from '../../database/resource-shape';
import { cellOfJson, cellOfText, isJson, jsonOfCell, textOfCell } from './cell-text';

/** A column of an imported CSV file. */
export interface Column {
  /** The name of the column and of the member. */
  readonly name: string;
  /** Parses a cell that is not empty, as JSON text. */
  readonly json: (cell: string) => string;
}

/** A column that is also exported. */
interface ExportedColumn extends Column {
  /** Formats a value. The cell of a value that is not set is empty. */
  readonly format: (value: unknown) => string;
}

/** The maximum number of columns in a spreadsheet. */
export const MOST_COLUMNS = 16_384;

/** The prefix of variable columns. The key follows it. */
export const VARIABLES = 'variables.';

const textColumn = (name: string): ExportedColumn => ({
  name,
  format: (value) => (typeof value === 'string' ? cellOfText(value) : ''),
  json: textOfCell,
});

/** Spreadsheets write booleans in upper case. */
const booleanColumn = (name: string): ExportedColumn => ({
  name,
  format: String,
  json: (cell) => (/^(?:true|false)$/i.test(cell) ? cell.toLowerCase() : textOfCell(cell)),
});

const isJsonArray = (text: string): boolean => /^[ \t\n\r]*\[/.test(text) && isJson(text);

/**
 * Labels are separated by commas, which their names cannot contain. A list with a name that starts or ends with a space
 * is formatted as a JSON array, because the parser trims names.
 */
function formatLabels(names: readonly string[]): string {
  const joined = names.join(',');
  return isJsonArray(joined) || names.some((name) => name !== name.trim())
    ? cellOfJson(JSON.stringify(names))
    : cellOfText(joined);
}

const labelsColumn: ExportedColumn = {
  name: 'labels',
  format: (value) => (Array.isArray(value) && value.length > 0 ? formatLabels(value) : ''),
  json: (cell) => {
    if (isJsonArray(cell)) return jsonOfCell(cell);
    const names = JSON.parse(textOfCell(cell)) as string | null;
    return JSON.stringify(names === '' ? [] : (names?.split(',').map((name) => name.trim()) ?? null));
  },
};

/** The columns of an exported CSV file, without those of variables. */
export const hostColumns: readonly ExportedColumn[] = [
  textColumn('name'),
  textColumn('region'),
  textColumn('cell'),
  textColumn('parent'),
  textColumn('ip_address'),
  textColumn('device_type'),
  booleanColumn('active'),
  textColumn('note'),
  labelsColumn,
];

const fieldColumn = (name: string, { sort }: Field): Column => {
  if (sort?.type === 'boolean') return booleanColumn(name);
  return sort?.type === 'text' || sort?.type === 'inet' || sort?.type === 'uuid'
    ? textColumn(name)
    : { name, json: jsonOfCell };
};

/**
 * The columns that an imported CSV file of devices can have, by name.
 * @param fields members that only some kinds of devices have
 */
export const columnsToRead = (
  fields: readonly (readonly [name: string, Field])[],
): ReadonlyMap<string, Column> =>
  new Map(
    [textColumn('kind'), ...hostColumns, ...fields.map(([name, field]) => fieldColumn(name, field))].map(
      (column) => [column.name, column],
    ),
  );
