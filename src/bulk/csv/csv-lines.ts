import { CsvError, parse } from 'csv-parse';
import { pipeline, Readable } from 'node:stream';
import { InventoryError } from '../../core/errors/inventory-error';
import { keyFault } from '../../core/context/variable-key';
import { MOST_COLUMNS, VARIABLES, type Column } from './host-columns';
import { jsonOfCell } from './cell-text';

/** A record of a table as a line of an import. */
export interface CsvLine {
  /** The line of the table that the record begins in, from 1 on. */
  readonly line: number;
  /** What NDJSON would say instead, or what is wrong with the record. */
  readonly read: string | InventoryError;
}

type Columns = ReadonlyMap<string, Column>;

/** In characters: a record is held in memory as a whole. */
const LONGEST_RECORD = 8 * 1024 * 1024;
/** In characters: by then the first line has ended. */
const LONGEST_HEADER = 4 * 1024 * 1024;

/**
 * Reads a table of devices: UTF-8 with or without a byte order mark, separated by commas, semicolons or tabs, records
 * ended as any system ends lines. The first record names the columns: see `cell-text.ts` for what cells mean. Before it
 * there may be the line by which spreadsheets say what separates cells (`sep=;`). Records with nothing in them are passed
 * over.
 * @param columns those that a table may have, by their names
 * @throws InventoryError 400 for what is no table, and for columns that are not known, naming them
 */
export async function* csvLines(bytes: AsyncIterable<Uint8Array>, columns: Columns): AsyncGenerator<CsvLine> {
  const texts = decoded(bytes);
  const { head, delimiter, isNamed } = await beginning(texts);
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: LONGEST_RECORD,
  });
  const source = Readable.from(rejoined(head, texts));
  // What goes wrong on the way reaches whoever reads the parser.
  pipeline(source, parser, () => undefined);
  let line = 1;
  let isDelimiterRead = !isNamed;
  let header: Header | undefined;
  try {
    for await (const record of parser as AsyncIterable<string[]>) {
      const at = line;
      line += linesOf(record);
      if (record.every((cell) => cell === '')) continue;
      if (header) yield { line: at, read: header.lineOf(record) };
      else if (isDelimiterRead)
        header = new Header(
          record.map((name) => name.trim()),
          columns,
        );
      else isDelimiterRead = true;
    }
  } catch (error) {
    throw error instanceof CsvError ? notATable(error) : error;
  }
  if (!header) throw InventoryError.invalid('body', 'is empty: the first line of a table names its columns');
}

/** The first record: what the others tell. */
class Header {
  private readonly members: readonly (readonly [at: number, Column])[];
  private readonly variables: readonly (readonly [at: number, key: string])[];
  /** Where each record tells its kind; -1 where none does. */
  private readonly kindAt: number;
  /** How many columns there are up to the last that has a name: spreadsheets also write what is empty. */
  private readonly width: number;

  /** @throws InventoryError 400 naming the columns that there are not */
  constructor(
    private readonly names: readonly string[],
    columns: Columns,
  ) {
    const faults = faultsOf(names, columns).map((message) => ({ field: 'columns', message }));
    if (faults.length > 0)
      throw new InventoryError(
        'invalid_request',
        `columns: ${faults.map(({ message }) => message).join('; ')}`,
        faults,
      );
    this.kindAt = names.indexOf('kind');
    this.width = names.findLastIndex((name) => name !== '') + 1;
    this.members = names.flatMap((name, at) => {
      const column = columns.get(name);
      return column ? [[at, column] as const] : [];
    });
    this.variables = names.flatMap((name, at) =>
      name.startsWith(VARIABLES) ? [[at, name.slice(VARIABLES.length)] as const] : [],
    );
  }

  /** A record as a line of NDJSON, or what keeps it from being one. */
  lineOf(record: readonly string[]): string | InventoryError {
    const nameless = record.findIndex((cell, at) => (this.names[at] ?? '') === '' && cell.trim() !== '');
    if (record.length < this.width || nameless >= this.names.length)
      return invalidRecord(`has ${String(record.length)} cells, and the table ${String(this.width)} columns`);
    if (nameless >= 0)
      return invalidRecord(
        `has a cell in the column ${String(nameless + 1)}, which has no name in the header`,
      );
    const isSet = ([at]: readonly [number, unknown]) => record[at] !== '';
    const members = this.members
      .filter(isSet)
      .map(([at, { name, json }]) => `${JSON.stringify(name)}:${json(record[at] ?? '')}`);
    const variables = this.variables
      .filter(isSet)
      .map(([at, key]) => `${JSON.stringify(key)}:${jsonOfCell(record[at] ?? '')}`);
    return `{${[
      ...(this.kindAt < 0 || record[this.kindAt] === '' ? ['"kind":"host"'] : []),
      ...members,
      ...(variables.length > 0 ? [`"variables":{${variables.join(',')}}`] : []),
    ].join(',')}}`;
  }
}

const invalidRecord = (message: string): InventoryError =>
  new InventoryError('invalid_request', `The record ${message}.`);

/** So many faults are told at most. */
const MOST_FAULTS = 20;

function faultsOf(names: readonly string[], columns: Columns): string[] {
  if (names.length > MOST_COLUMNS)
    return [`there are ${String(names.length)} of them, and a table has at most ${String(MOST_COLUMNS)}`];
  const seen = new Set<string>();
  const faults = names.flatMap((name) => {
    if (name === '') return [];
    if (seen.has(name)) return [`${JSON.stringify(name)} stands twice`];
    seen.add(name);
    if (name.startsWith(VARIABLES)) {
      const fault = keyFault(name.slice(VARIABLES.length));
      return fault === undefined ? [] : [`${JSON.stringify(name)}: ${fault}`];
    }
    return columns.has(name) ? [] : [unknown(name)];
  });
  if (!names.includes('name')) faults.unshift('there is no column "name"');
  return faults.slice(0, MOST_FAULTS);
}

function unknown(name: string): string {
  const fault = `${JSON.stringify(name)} is not a column`;
  return keyFault(name) === undefined
    ? `${fault} (that of a variable is ${JSON.stringify(VARIABLES + name)})`
    : fault;
}

/** @throws InventoryError 400 for what is not UTF-8: other letters than were meant would come of it */
async function* decoded(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (part?: Uint8Array): string => {
    try {
      return part ? decoder.decode(part, { stream: true }) : decoder.decode();
    } catch {
      throw InventoryError.invalid('body', 'is not UTF-8: save it as CSV UTF-8');
    }
  };
  for await (const part of bytes) yield decode(part);
  yield decode();
}

/** What separates cells, and whether a line before the header says so. */
interface Beginning {
  readonly head: string;
  readonly delimiter: string;
  readonly isNamed: boolean;
}

/**
 * Reads up to the end of the first line that is not empty, which tells what separates cells: no column is named with it.
 * Each part is looked at once, and by no pattern with a loop: a line may be longer than what those can walk over.
 */
async function beginning(texts: AsyncGenerator<string, void>): Promise<Beginning> {
  const parts: string[] = [];
  let length = 0;
  let isBegun = false;
  while (length < LONGEST_HEADER) {
    const { value, done } = await texts.next();
    if (done === true) break;
    parts.push(value);
    length += value.length;
    const from = isBegun ? 0 : value.search(IN_LINE);
    if (from < 0) continue;
    isBegun = true;
    if (LINE_END.test(value.slice(from))) break;
  }
  const head = parts.join('');
  const from = head.slice(Math.max(head.search(IN_LINE), 0));
  const end = from.search(LINE_END);
  const first = end < 0 ? from : from.slice(0, end);
  const delimiter = /[,;\t]/.exec(first)?.[0] ?? ',';
  return { head, delimiter, isNamed: /^sep=[,;\t]$/i.test(first) };
}

const IN_LINE = /[^\r\n]/;
const LINE_END = /[\r\n]/;

async function* rejoined(head: string, rest: AsyncGenerator<string, void>): AsyncGenerator<string, void> {
  yield head;
  yield* rest;
}

/** In how many lines a record stands. */
const linesOf = (record: readonly string[]): number =>
  record.reduce((lines, cell) => lines + (cell.match(/\r\n|\r|\n/g)?.length ?? 0), 1);

const notATable = (error: CsvError): InventoryError =>
  InventoryError.invalid('body', `is not CSV: ${error.message}`);
