import Papa from 'papaparse';
import { FileError } from './import-file';

/** The beginning of a table. */
export interface CsvHead {
  readonly separator: string;
  /** The names of the columns. */
  readonly names: readonly string[];
  /** The first records after the header. */
  readonly records: readonly (readonly string[])[];
  /** The first bytes of the file, up to the first record. */
  readonly headerBytes: number;
}

const SEPARATOR = /[,;\t]/;
const DECLARATION = /^\uFEFF?sep=([,;\t])\r?\n?/i;
const BOM = /^\uFEFF/;

/** In characters: that of the service. */
const MAX_RECORD_LENGTH = 8 * 1024 * 1024;

/**
 * Cuts a text that comes in parts between records. CRLF, LF or CR end a record, also mixed in one file, as for the service.
 * They become LF; line breaks in quotes stay.
 */
class RecordSplitter {
  /** The record that may go on in the next part. */
  private rest = '';
  /** A CR at the end of a part: an LF may follow. */
  private held = '';
  private isQuoted = false;
  /** Whether a quote begins, ends or is within a quoted cell. Others are a part of their cell. */
  private canQuote = true;

  constructor(private readonly separator: string) {}

  /** The next complete records. @throws FileError if one is too long */
  split(part: string): string {
    const text = this.held + part;
    this.held = text.endsWith('\r') ? '\r' : '';
    return this.add(text.slice(0, text.length - this.held.length));
  }

  /** The other records, of which the last one may have no line end. */
  end(): string {
    return this.add(this.held) + this.rest;
  }

  private add(text: string): string {
    let read = this.rest;
    let end = 0;
    for (const [i, piece] of text.split('"').entries()) {
      if (i > 0) {
        read += '"';
        if (this.canQuote) this.isQuoted = !this.isQuoted;
      }
      if (this.isQuoted || piece === '') {
        read += piece;
        continue;
      }
      const lines = piece.replaceAll(/\r\n?/g, '\n');
      const lineEnd = lines.lastIndexOf('\n');
      if (lineEnd >= 0) end = read.length + lineEnd + 1;
      this.canQuote = lines.endsWith('\n') || lines.endsWith(this.separator);
      read += lines;
    }
    this.rest = read.slice(end);
    if (this.rest.length > MAX_RECORD_LENGTH)
      throw new FileError(
        'A record of the table is longer than 8 MB. Check whether all quotes (") are closed.',
      );
    return read.slice(0, end);
  }
}

/** Records of a text that end with LF, each with the offset at which the next one begins. */
function recordsOf(text: string, delimiter: string, options: Papa.ParseConfig = {}) {
  const records: { readonly cells: readonly string[]; readonly end: number }[] = [];
  Papa.parse<string[]>(text, {
    ...options,
    delimiter,
    newline: '\n',
    step: ({ data, meta }) => {
      records.push({ cells: data, end: meta.cursor });
    },
  });
  return records;
}

const isBlank = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === '');

/**
 * Reads the header of a table, and some records.
 * @param text the beginning of the file, with its byte order mark; it may end within a record
 * @param isWhole whether it is the whole file
 * @returns undefined if the text has no header
 */
export function readHead(text: string, isWhole: boolean, maxRecords: number): CsvHead | undefined {
  const declared = DECLARATION.exec(text);
  const start = declared?.[0].length ?? BOM.exec(text)?.[0].length ?? 0;
  const table = text.slice(start).replace(/^[\r\n]+/, '');
  const [firstLine = ''] = table.split(/[\r\n]/, 1);
  if (firstLine.trim() === '') return undefined;
  const separator = declared?.[1] ?? SEPARATOR.exec(firstLine)?.[0] ?? ',';
  const splitter = new RecordSplitter(separator);
  const lines = splitter.split(table) + splitter.end();
  const [header, ...others] = recordsOf(lines, separator, { preview: maxRecords + MAX_BLANK });
  if (!header) return undefined;
  // The last record of a part may go on.
  const records = others.filter(({ cells, end }) => !isBlank(cells) && (isWhole || end < lines.length));
  // Only the end of the header may be longer in the file.
  const headerEnd = table.startsWith('\r\n', header.end - 1) ? header.end + 1 : header.end;
  return {
    separator,
    names: header.cells.map((name) => name.trim()),
    records: records.slice(0, maxRecords).map(({ cells }) => cells),
    headerBytes: bytesOf(text.slice(0, text.length - table.length + headerEnd)),
  };
}

/** So many blank records may stand before those that are shown. */
const MAX_BLANK = 10;

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** Records as text, each with a line break. */
const textOf = (records: readonly (readonly string[])[], delimiter: string): string =>
  `${Papa.unparse(
    records.map((cells) => [...cells]),
    { delimiter, newline: '\n' },
  )}\n`;

/** What a column that is left out has before its name: the service ignores it. */
export const IGNORED = '#';

/**
 * The header with which the service reads the table, with a line break.
 * @param targets what each column becomes; an empty text: it is ignored
 * @param constants further columns, with the same cell in all records
 */
export const headerText = (
  { names, separator }: CsvHead,
  targets: readonly string[],
  constants: readonly string[] = [],
): string =>
  textOf([[...names.map((name, i) => targets[i] || `${IGNORED}${name}`), ...constants]], separator);

type Records = readonly (readonly string[])[];

/** Reads the records of a text that comes in parts. */
export class RecordReader {
  private readonly splitter: RecordSplitter;

  constructor(private readonly head: Pick<CsvHead, 'separator'>) {
    this.splitter = new RecordSplitter(head.separator);
  }

  /** The next complete records. @throws FileError if one is too long */
  read(part: string): Records {
    return this.parse(this.splitter.split(part));
  }

  /** The last records. */
  end(): Records {
    return this.parse(this.splitter.end());
  }

  private parse(text: string): Records {
    const records = recordsOf(text, this.head.separator).map(({ cells }) => cells);
    // The parser reads an empty record after the last line end.
    return text.endsWith('\n') && isBlank(records.at(-1) ?? []) ? records.slice(0, -1) : records;
  }
}

/** Records as text, with the same cells appended to each one. */
export function withCells(
  records: Records,
  cells: readonly string[],
  { separator }: Pick<CsvHead, 'separator'>,
): string {
  if (records.length === 0) return '';
  // Blank records stay, so that the numbers of lines do.
  return textOf(
    records.map((record) => (isBlank(record) ? record : [...record, ...cells])),
    separator,
  );
}
