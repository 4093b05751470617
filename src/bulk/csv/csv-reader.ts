import { assertLineCount } from '../line-count';
import { CsvError, parse } from 'csv-parse';
import { pipeline, Readable } from 'node:stream';
import { InventoryError } from '../../core/errors';
import { variableKeyError } from '../../core/context/variable-keys';
import {
  MAX_COLUMNS,
  VARIABLE_COLUMN_PREFIX,
  type CsvColumn,
  UNSET,
  variableColumn,
  type VariableColumn,
} from './csv-columns';
import { fault, type Fault } from '../../core/error-details';

/** A record of a CSV file, converted into an import line. */
export interface CsvRecord {
  /** The line of the file in which the record starts. The first line is 1. */
  readonly line: number;
  /** The equivalent NDJSON line, or the error of an invalid record. */
  readonly content: string | InventoryError;
  /** The variables that the record unsets. They are null in the line. */
  readonly unsetKeys: readonly string[];
  /** The variables whose cells are texts, but likely lists or objects with a mistake. */
  readonly invalidJsonKeys: readonly string[];
  readonly columns: CsvColumns;
}

/** The named columns of a CSV file. */
export interface CsvColumns {
  readonly members: readonly string[];
  /** The keys of the variables. */
  readonly keys: readonly string[];
}

type Columns = ReadonlyMap<string, CsvColumn>;

/** In characters. A record is held in memory. */
const MAX_RECORD_LENGTH = 8 * 1024 * 1024;
/** Of a length that differs from that of the header: the parser takes ten times as long for these. */
const MAX_EMPTY_RECORDS = 100_000;
/** In characters. The first line must end within this length. */
const MAX_HEADER_LENGTH = 4 * 1024 * 1024;

/**
 * Reads a CSV file of devices. It is UTF-8, with or without a byte order mark. Commas, semicolons or tabs separate
 * cells; CRLF, LF or CR end records. The first record names the columns, and `csv-columns.ts` defines the encoding of
 * cells. A line that declares the separator (`sep=;`), as spreadsheets write it, can precede the header. Empty records
 * are skipped.
 * @param columns the columns that the file can have, by name
 * @throws InventoryError 400 if the file is not CSV; CsvHeaderError
 */
export async function* readCsv(
  bytes: AsyncIterable<Uint8Array>,
  columns: Columns,
): AsyncGenerator<CsvRecord> {
  const texts = decodeUtf8(bytes);
  const { head, delimiter, isDeclared } = await detectDelimiter(texts);
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: MAX_RECORD_LENGTH,
  });
  const source = Readable.from(prepend(head, texts));
  // Errors reach the consumer of the parser.
  pipeline(source, parser, () => undefined);
  let line = 1;
  let isDeclarationRead = !isDeclared;
  let header: Header | undefined;
  let firstLength: number | undefined;
  let emptyRecords = 0;
  try {
    for await (const record of parser as AsyncIterable<string[]>) {
      const start = line;
      line += countLines(record);
      assertLineCount(start);
      firstLength ??= record.length;
      if (record.every((cell) => cell === '')) {
        if (record.length !== firstLength && ++emptyRecords > MAX_EMPTY_RECORDS) throw tooManyEmptyRecords();
        continue;
      }
      if (header) {
        yield {
          line: start,
          content: header.convert(record),
          columns: header.columns,
          unsetKeys: header.unsetKeys(record),
          invalidJsonKeys: header.invalidJsonKeys(record),
        };
      } else if (isDeclarationRead)
        header = new Header(
          record.map((name) => columnName(name.trim(), columns)),
          columns,
        );
      else isDeclarationRead = true;
    }
  } catch (error) {
    throw error instanceof CsvError ? notCsv(error) : error;
  }
  if (!header)
    throw InventoryError.invalid(
      'body',
      'required',
      'is empty: the first line of a CSV file must name its columns',
    );
}

/** The name of a column that is written in other letters, such as `Name`. The case of keys of variables matters. */
function columnName(name: string, columns: Columns): string {
  const lowerCase = name.toLowerCase();
  if (lowerCase.startsWith(VARIABLE_COLUMN_PREFIX))
    return VARIABLE_COLUMN_PREFIX + name.slice(VARIABLE_COLUMN_PREFIX.length);
  return columns.has(lowerCase) ? lowerCase : name;
}

/** The first record. It converts the other records into JSON. */
class Header {
  readonly columns: CsvColumns;
  private readonly members: readonly (readonly [index: number, CsvColumn])[];
  private readonly variables: readonly (readonly [index: number, VariableColumn])[];
  /** The index of the column `kind`, or -1. */
  private readonly kindIndex: number;
  /** The number of columns up to the last named one. Spreadsheets also write empty columns after it. */
  private readonly width: number;

  /** @throws CsvHeaderError */
  constructor(
    private readonly names: readonly string[],
    columns: Columns,
  ) {
    const faults = columnFaults(names, columns);
    if (faults.length > 0) throw new CsvHeaderError(faults, keysOf(names));
    this.kindIndex = names.indexOf('kind');
    this.width = names.findLastIndex((name) => name !== '') + 1;
    this.members = names.flatMap((name, i) => {
      const column = columns.get(name);
      return column ? [[i, column] as const] : [];
    });
    this.variables = names.flatMap((name, i) => {
      const column = variableColumn(name);
      return column ? [[i, column] as const] : [];
    });
    this.columns = {
      members: this.members.map(([, { name }]) => name),
      keys: this.variables.map(([, { key }]) => key),
    };
  }

  /** The variables that a record unsets. */
  unsetKeys(record: readonly string[]): string[] {
    return this.variables.filter(([index]) => record[index] === UNSET).map(([, { key }]) => key);
  }

  /** The variables whose cells are likely lists or objects with a mistake. */
  invalidJsonKeys(record: readonly string[]): string[] {
    return this.variables
      .filter(([index, { isBroken }]) => isBroken(record[index] ?? ''))
      .map(([, { key }]) => key);
  }

  /** Converts a record into an NDJSON line. Returns the error of an invalid record. */
  convert(record: readonly string[]): string | InventoryError {
    const unnamed = record.findIndex((cell, i) => (this.names[i] ?? '') === '' && cell.trim() !== '');
    if (record.length < this.width || unnamed >= this.names.length)
      return invalidRecord(
        `has ${String(record.length)} cells, but the header has ${String(this.width)} columns`,
      );
    if (unnamed >= 0)
      return invalidRecord(`has a value in column ${String(unnamed + 1)}, which has no name in the header`);
    const members = this.members
      .filter(([index]) => !isBlank(record[index]))
      .map(([index, { name, parse }]) => `${JSON.stringify(name)}:${parse(record[index] ?? '')}`);
    const variables = this.variables
      .filter(([index]) => record[index] !== '')
      .map(([index, { key, parse }]) => `${JSON.stringify(key)}:${parse(record[index] ?? '')}`);
    return `{${[
      ...(this.kindIndex < 0 || isBlank(record[this.kindIndex]) ? ['"kind":"host"'] : []),
      ...members,
      ...(variables.length > 0 ? [`"variables":{${variables.join(',')}}`] : []),
    ].join(',')}}`;
  }
}

/** Why a header is invalid. */
interface ColumnFault extends Fault {
  /** The name of an unknown column, if it can be the key of a variable: the prefix may be missing. */
  readonly possibleKey?: string;
}

/** 400 for the header of a CSV file. It names the invalid columns. */
export class CsvHeaderError extends InventoryError {
  /**
   * @param keys the valid keys of the columns of variables
   * @param keyFor the key to suggest for a `possibleKey`
   */
  constructor(
    readonly faults: readonly ColumnFault[],
    readonly keys: readonly string[],
    keyFor = (possibleKey: string): string => possibleKey,
  ) {
    const details = faults.map(({ code, message, possibleKey }) => ({
      field: 'columns',
      code,
      message: possibleKey === undefined ? message : `${message} (${variableHint(keyFor(possibleKey))})`,
    }));
    super('invalid_request', `columns: ${details.map(({ message }) => message).join('; ')}`, details);
  }
}

const variableHint = (key: string): string =>
  `for a variable, use ${JSON.stringify(VARIABLE_COLUMN_PREFIX + key)}`;

const isBlank = (cell = ''): boolean => cell.trim() === '';

const invalidRecord = (message: string): InventoryError =>
  new InventoryError('invalid_request', `The record ${message}.`);

/** Columns whose names begin with it are ignored. */
const IGNORED_COLUMN = '#';

const MAX_COLUMN_FAULTS = 20;

function columnFaults(names: readonly string[], columns: Columns): ColumnFault[] {
  if (names.length > MAX_COLUMNS)
    return [
      fault(
        'too_long',
        `there are ${String(names.length)} columns, but the maximum is ${String(MAX_COLUMNS)}`,
      ),
    ];
  const seen = new Set<string>();
  const faults = names.flatMap((name): ColumnFault[] => {
    if (name === '' || name.startsWith(IGNORED_COLUMN)) return [];
    const variable = variableColumn(name);
    const target = variable ? VARIABLE_COLUMN_PREFIX + variable.key : name;
    if (seen.has(target)) return [fault('repeated', `${JSON.stringify(target)} appears twice`)];
    seen.add(target);
    if (variable) {
      const error = variableKeyError(variable.key);
      return error ? [fault(error.code, `${JSON.stringify(name)}: ${error.message}`)] : [];
    }
    return columns.has(name) ? [] : [unknownColumn(name)];
  });
  if (!names.includes('name')) faults.unshift(fault('required', 'the column "name" is missing'));
  return faults.slice(0, MAX_COLUMN_FAULTS);
}

const unknownColumn = (name: string): ColumnFault => ({
  ...fault('unknown_member', `${JSON.stringify(name)} is not a column`),
  ...(isKey(name) ? { possibleKey: name } : {}),
});

const keysOf = (names: readonly string[]): string[] =>
  names.flatMap((name) => variableColumn(name)?.key ?? []).filter(isKey);

const isKey = (text: string): boolean => variableKeyError(text) === undefined;

/** @throws InventoryError 400 if the bytes are not UTF-8; decoding them would corrupt names */
async function* decodeUtf8(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (part?: Uint8Array): string => {
    try {
      return part ? decoder.decode(part, { stream: true }) : decoder.decode();
    } catch {
      throw InventoryError.invalid('body', 'invalid_format', 'is not UTF-8: save it as CSV UTF-8');
    }
  };
  for await (const part of bytes) yield decode(part);
  yield decode();
}

interface DetectedDelimiter {
  /** The text that was read to detect the delimiter. */
  readonly head: string;
  readonly delimiter: string;
  /** Whether a line before the header declares the delimiter. */
  readonly isDeclared: boolean;
}

/**
 * Reads up to the end of the first line that is not empty, and detects the delimiter in it. No column name contains a
 * delimiter. Each part is scanned once, without a repeating regular expression: these overflow on very long lines.
 */
async function detectDelimiter(texts: AsyncGenerator<string, void>): Promise<DetectedDelimiter> {
  const parts: string[] = [];
  let length = 0;
  let isStarted = false;
  while (length < MAX_HEADER_LENGTH) {
    const { value, done } = await texts.next();
    if (done === true) break;
    parts.push(value);
    length += value.length;
    const from = isStarted ? 0 : value.search(NOT_LINE_END);
    if (from < 0) continue;
    isStarted = true;
    if (LINE_END.test(value.slice(from))) break;
  }
  const head = parts.join('');
  const from = head.slice(Math.max(head.search(NOT_LINE_END), 0));
  const end = from.search(LINE_END);
  const first = end < 0 ? from : from.slice(0, end);
  const delimiter = /[,;\t]/.exec(first)?.[0] ?? ',';
  return { head, delimiter, isDeclared: /^sep=[,;\t]$/i.test(first) };
}

const NOT_LINE_END = /[^\r\n]/;
const LINE_END = /[\r\n]/;

async function* prepend(head: string, rest: AsyncGenerator<string, void>): AsyncGenerator<string, void> {
  yield head;
  yield* rest;
}

/** The number of lines that a record spans. */
const countLines = (record: readonly string[]): number =>
  record.reduce((lines, cell) => lines + (cell.match(/\r\n|\r|\n/g)?.length ?? 0), 1);

const tooManyEmptyRecords = (): InventoryError =>
  InventoryError.invalid(
    'body',
    'too_long',
    `has more than ${String(MAX_EMPTY_RECORDS)} empty lines: remove them`,
  );

const notCsv = (error: CsvError): InventoryError =>
  InventoryError.invalid('body', 'invalid_format', `is not CSV: ${error.message}`);
