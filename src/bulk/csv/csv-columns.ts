import type { Field } from '../../database/resource-shape';
import { formatJsonCell, formatTextCell, isJson, parseJsonCell, parseTextCell, UNSET } from './csv-cells';

/** A column of an imported CSV file. */
export interface CsvColumn {
  /** The name of the column and of the member. */
  readonly name: string;
  /** Parses a cell that is not empty, as JSON text. */
  readonly parse: (cell: string) => string;
}

/** A column that is also exported. */
interface ExportedColumn extends CsvColumn {
  /** Formats a value. The cell of a value that is not set is empty. */
  readonly format: (value: unknown) => string;
}

/** The maximum number of columns in a spreadsheet. */
export const MAX_COLUMNS = 16_384;

/** The prefix of variable columns. The key follows it. */
export const VARIABLE_COLUMN_PREFIX = 'variables.';

const textColumn = (name: string): ExportedColumn => ({
  name,
  format: (value) => (typeof value === 'string' ? formatTextCell(value) : ''),
  parse: parseTextCell,
});

/** Spreadsheets write booleans in upper case. */
const booleanColumn = (name: string): ExportedColumn => ({
  name,
  format: String,
  parse: (cell) => (/^(?:true|false)$/i.test(cell) ? cell.toLowerCase() : parseTextCell(cell)),
});

const isJsonArray = (text: string): boolean => /^[ \t\n\r]*\[/.test(text) && isJson(text);

/**
 * Labels are separated by commas, which their names cannot contain. A list with a name that starts or ends with a space
 * is formatted as a JSON array, because the parser trims names.
 */
function formatLabels(names: readonly string[]): string {
  const joined = names.join(',');
  return isJsonArray(joined) || names.some((name) => name !== name.trim())
    ? formatJsonCell(JSON.stringify(names))
    : formatTextCell(joined);
}

const labelsColumn: ExportedColumn = {
  name: 'labels',
  format: (value) => (Array.isArray(value) && value.length > 0 ? formatLabels(value) : ''),
  parse: (cell) => {
    if (cell === UNSET) return '[]';
    if (isJsonArray(cell)) return parseJsonCell(cell);
    const names = JSON.parse(parseTextCell(cell)) as string | null;
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

const fieldColumn = (name: string, { sort }: Field): CsvColumn => {
  if (sort?.type === 'boolean') return booleanColumn(name);
  return sort?.type === 'text' || sort?.type === 'inet' || sort?.type === 'uuid'
    ? textColumn(name)
    : { name, parse: parseJsonCell };
};

/**
 * The columns that an imported CSV file of devices can have, by name.
 * @param fields members that only some kinds of devices have
 */
export const importColumns = (
  fields: readonly (readonly [name: string, Field])[],
): ReadonlyMap<string, CsvColumn> =>
  new Map(
    [textColumn('kind'), ...hostColumns, ...fields.map(([name, field]) => fieldColumn(name, field))].map(
      (column) => [column.name, column],
    ),
  );
