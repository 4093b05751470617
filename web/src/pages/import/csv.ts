import Papa from 'papaparse';

const LINE_BREAKS = ['\r\n', '\n', '\r'] as const;
type LineBreak = (typeof LINE_BREAKS)[number];

/** The beginning of a table. */
export interface CsvHead {
  readonly separator: string;
  readonly lineBreak: LineBreak;
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

/** Records of a text, each with the offset at which the next one begins. */
function recordsOf(text: string, delimiter: string, options: Papa.ParseConfig = {}) {
  const records: {
    readonly cells: readonly string[];
    readonly end: number;
    readonly lineBreak: LineBreak;
  }[] = [];
  Papa.parse<string[]>(text, {
    ...options,
    delimiter,
    step: ({ data, meta }) => {
      records.push({
        cells: data,
        end: meta.cursor,
        lineBreak: LINE_BREAKS.find((one) => one === meta.linebreak) ?? '\n',
      });
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
  const [header, ...others] = recordsOf(table, separator, { preview: maxRecords + MAX_BLANK });
  if (!header) return undefined;
  // The last record of a part may go on.
  const records = others.filter(({ cells, end }) => !isBlank(cells) && (isWhole || end < table.length));
  return {
    separator,
    lineBreak: header.lineBreak,
    names: header.cells.map((name) => name.trim()),
    records: records.slice(0, maxRecords).map(({ cells }) => cells),
    headerBytes: bytesOf(text.slice(0, text.length - table.length + header.end)),
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
  /** The record that may go on in the next part. */
  private rest = '';

  constructor(private readonly head: Pick<CsvHead, 'separator' | 'lineBreak'>) {}

  /** The next complete records. */
  read(part: string): Records {
    const text = this.rest + part;
    const records = this.parse(text);
    this.rest = text.slice(records.at(-2)?.end ?? 0);
    return records.slice(0, -1).map(({ cells }) => cells);
  }

  /** The last record. */
  end(): Records {
    return this.parse(this.rest).map(({ cells }) => cells);
  }

  private parse(text: string) {
    // A part can end within a line break, so they are not detected in it.
    return recordsOf(text, this.head.separator, { newline: this.head.lineBreak });
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
