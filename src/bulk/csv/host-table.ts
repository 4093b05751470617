import { stringify } from 'csv-stringify/sync';
import { InventoryError } from '../../core/errors/inventory-error';
import { membersOf } from '../../core/json/json-document';
import { cellOfJson } from './cell-text';
import { hostColumns, MOST_COLUMNS, VARIABLES } from './host-columns';

/** In characters: as much of a table is written at a time. */
const TOGETHER = 64 * 1024;

const CRLF = '\r\n';

/** RFC 4180; cells with any line break or with another separator are quoted, too. */
const written = (records: string[][]): string =>
  stringify(records, { record_delimiter: CRLF, quoted_match: /[\r\n;\t]/ });

/** Hosts as a table: one in each record, a column for each member and each variable. */
export class HostTable {
  readonly header: string;
  /** The keys of variables, in the order of their columns, as JSON strings. */
  private readonly keys: readonly string[];
  private records: string[][] = [];
  private length = 0;

  /** @throws InventoryError 405 if there are more columns than spreadsheets have */
  constructor(keys: readonly string[]) {
    if (hostColumns.length + keys.length > MOST_COLUMNS)
      throw InventoryError.forbiddenByInventory(
        'format',
        `a table has at most ${String(MOST_COLUMNS)} columns, and these hosts have ${String(keys.length)} different variables`,
      );
    this.keys = keys.map((key) => JSON.stringify(key));
    this.header = written([[...hostColumns.map(({ name }) => name), ...keys.map((key) => VARIABLES + key)]]);
  }

  /**
   * Adds a host.
   * @param body its members as JSON text
   * @param variables as PostgreSQL prints them
   * @returns what is to be written by now
   */
  add(body: string, variables: string): string {
    const members = JSON.parse(body) as Record<string, unknown>;
    const values = membersOf(variables);
    this.records.push([
      ...hostColumns.map(({ name, cell }) => cell(members[name])),
      ...this.keys.map((key) => {
        const value = values.get(key);
        return value === undefined ? '' : cellOfJson(value);
      }),
    ]);
    this.length += body.length + variables.length + this.keys.length;
    return this.length < TOGETHER ? '' : this.rest();
  }

  /** What is yet to be written. */
  rest(): string {
    const text = written(this.records);
    this.records = [];
    this.length = 0;
    return text;
  }
}
