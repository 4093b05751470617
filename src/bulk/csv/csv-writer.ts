import { stringify } from 'csv-stringify/sync';
import { InventoryError } from '../../core/errors';
import { membersOf } from '../../core/json/json-text';
import { type ExportedColumn, formatVariableCell, MAX_COLUMNS, VARIABLE_COLUMN_PREFIX } from './csv-columns';

/** The number of characters that are buffered before a write. */
const BUFFER_LENGTH = 64 * 1024;

const CRLF = '\r\n';

/** Formats records by RFC 4180. Cells with any line break or another separator are also quoted. */
const formatRecords = (records: string[][]): string =>
  stringify(records, { record_delimiter: CRLF, quoted_match: /[\r\n;\t]/ });

/** Writes hosts as CSV: one record per host, one column per member and per variable. */
export class HostCsvWriter {
  readonly header: string;
  /** The keys of the variable columns, in order, as JSON strings. */
  private readonly keys: readonly string[];
  private records: string[][] = [];
  /** The approximate size of `records`, in characters. */
  private length = 0;

  /** @throws InventoryError 405 if there are more columns than a spreadsheet supports */
  constructor(
    private readonly columns: readonly ExportedColumn[],
    keys: readonly string[],
  ) {
    if (columns.length + keys.length > MAX_COLUMNS)
      throw InventoryError.validationException(
        'format',
        'limit_exceeded',
        `a CSV file can have at most ${String(MAX_COLUMNS)} columns, but these hosts have ${String(keys.length)} different variables`,
      );
    this.keys = keys.map((key) => JSON.stringify(key));
    this.header = formatRecords([
      [...columns.map(({ name }) => name), ...keys.map((key) => VARIABLE_COLUMN_PREFIX + key)],
    ]);
  }

  /**
   * Adds a host.
   * @param body its members, as JSON text
   * @param variables its variables, as PostgreSQL prints them
   * @returns the text to write now; it can be empty
   */
  add(body: string, variables: string): string {
    const members = JSON.parse(body) as Record<string, unknown>;
    const values = membersOf(variables);
    this.records.push([
      ...this.columns.map(({ name, format }) => format(members[name])),
      ...this.keys.map((key) => {
        const value = values.get(key);
        return value === undefined ? '' : formatVariableCell(value);
      }),
    ]);
    this.length += body.length + variables.length + this.keys.length;
    return this.length < BUFFER_LENGTH ? '' : this.flush();
  }

  /** Returns the buffered text, and empties the buffer. */
  flush(): string {
    const text = formatRecords(this.records);
    this.records = [];
    this.length = 0;
    return text;
  }
}
