import { addCell, NO_CELLS, type ColumnSummary } from '../../components/typed-text';
import { headerText, readHead, RecordReader, withCells, type CsvHead } from './csv';
import { FileError, type ImportBody } from './import-file';

/** How much of a table is read for its header and examples, in bytes. */
const HEAD_BYTES = 256 * 1024;
const MAX_EXAMPLES = 3;
const CSV = 'text/csv';
/** In characters. So many are in memory while a table is rewritten. */
const PART_LENGTH = 4 * 1024 * 1024;

/** Reads the beginning of a table. @throws FileError if it is empty, or not UTF-8 */
export async function readCsvHead(file: Blob): Promise<CsvHead> {
  const bytes = await file.slice(0, HEAD_BYTES).arrayBuffer();
  const isWhole = file.size <= HEAD_BYTES;
  // With the byte order mark, so that lengths stay the same.
  const decode = utf8Decoder({ ignoreBOM: true });
  // The beginning of a longer file may end within a character.
  const text = decode(new Uint8Array(bytes)) + (isWhole ? decode() : '');
  const head = readHead(text, isWhole, MAX_EXAMPLES);
  if (!head) throw new FileError('The file is empty: the first line of a table names its columns.');
  return head;
}

/**
 * The body for a table with other names of columns, and with the same cells in all records. The browser reads the file while it is
 * sent; only if there are cells to append, it is rewritten before, part by part.
 * @param constants cells by the name of their column
 * @throws FileError if it is not UTF-8
 */
export async function csvBody(
  file: Blob,
  head: CsvHead,
  targets: readonly string[],
  constants: Readonly<Record<string, string>>,
): Promise<ImportBody> {
  const header = headerText(head, targets, Object.keys(constants));
  const rest = file.slice(head.headerBytes);
  const values = Object.values(constants);
  const records = values.length === 0 ? [rest] : await appended(rest, head, values);
  return { content: new Blob([header, ...records]), contentType: CSV };
}

/** A function that decodes the next bytes of a table; without any, its end. It throws a `FileError`. */
function utf8Decoder(options?: TextDecoderOptions): (bytes?: Uint8Array<ArrayBuffer>) => string {
  const decoder = new TextDecoder('utf-8', { ...options, fatal: true });
  return (bytes) => {
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
    } catch {
      throw new FileError('The file is not UTF-8: save it as “CSV UTF-8”.');
    }
  };
}

/** The records of a table without its header, part by part. @throws FileError if it is not UTF-8 */
async function* recordsOf(records: Blob, head: CsvHead): AsyncGenerator<readonly (readonly string[])[]> {
  const stream = records.stream().getReader();
  const reader = new RecordReader(head);
  const decode = utf8Decoder();
  for (;;) {
    const { done, value } = await stream.read();
    if (done) break;
    yield reader.read(decode(value));
  }
  yield reader.read(decode());
  yield reader.end();
}

async function appended(rest: Blob, head: CsvHead, cells: readonly string[]): Promise<BlobPart[]> {
  const parts: BlobPart[] = [];
  let text = '';
  for await (const records of recordsOf(rest, head)) {
    text += withCells(records, cells, head);
    if (text.length < PART_LENGTH) continue;
    // The browser keeps the content of a `Blob` outside of the memory of the page.
    parts.push(new Blob([text]));
    text = '';
  }
  return [...parts, text];
}

/**
 * Reads all cells of a table to find the types of its columns.
 * @returns what is known of each column
 * @throws FileError if it is not UTF-8
 */
export async function readColumns(file: Blob, head: CsvHead): Promise<readonly ColumnSummary[]> {
  let columns: readonly ColumnSummary[] = head.names.map(() => NO_CELLS);
  for await (const records of recordsOf(file.slice(head.headerBytes), head))
    for (const record of records) columns = columns.map((summary, i) => addCell(summary, record[i] ?? ''));
  return columns;
}
