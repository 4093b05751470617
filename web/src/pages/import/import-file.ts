import { parseJson } from '../../api/exact-json';
import { linesOf, NDJSON } from '../../components/import-write';
import { isObject } from '../../components/is-object';

/** The formats of files that the page reads. */
export type ImportFormat = 'csv' | 'ndjson' | 'json' | 'yaml';

const EXTENSIONS: Readonly<Record<string, ImportFormat>> = {
  csv: 'csv',
  tsv: 'csv',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  json: 'json',
  yaml: 'yaml',
  yml: 'yaml',
};

/** The format of a file by its name, and whether it is compressed with gzip. */
export function formatOf(name: string): {
  readonly format: ImportFormat | undefined;
  readonly isGzip: boolean;
} {
  const isGzip = /\.gz$/i.test(name);
  const extension = /\.([^.]+?)(?:\.gz)?$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  return { format: EXTENSIONS[extension], isGzip };
}

/** The body of an import. */
export interface ImportBody {
  readonly content: Blob;
  readonly contentType: string;
  /** What a line of the body is in the file, if it is another line. */
  readonly lineTitle?: (line: number) => string;
}

/** Files that are parsed as a whole have at most this many bytes. */
const MAX_PARSED_BYTES = 100 * 1024 * 1024;

/** A file that cannot be imported. The message says why. */
export class FileError extends Error {
  override readonly name = 'FileError';
}

/** The body for a file of lines, as it is. */
export const linesBody = (file: Blob): ImportBody => ({ content: file, contentType: NDJSON });

/** The body for resources. @param what the kind of their numbers in messages: `item` */
export const itemsBody = (items: readonly unknown[], what = 'item'): ImportBody => ({
  content: new Blob([...linesOf(items)]),
  contentType: NDJSON,
  lineTitle: (line) => `${what} ${line}${resourceText(items[line - 1])}`,
});

/** `, host web-1`: the resource of a line, for messages. */
function resourceText(item: unknown): string {
  if (!isObject(item)) return '';
  const words = [item['kind'], item['name'] ?? item['label']].filter((word) => typeof word === 'string');
  return words.length === 0 ? '' : `, ${words.join(' ')}`;
}

/** The text of a file that is parsed as a whole. @throws FileError if it is too long */
export async function wholeText(file: Blob): Promise<string> {
  if (file.size > MAX_PARSED_BYTES)
    throw new FileError(
      'The file is too long to convert it in a browser. Convert it to NDJSON, or use “muster import”.',
    );
  return file.text();
}

/** Parses a JSON file. @throws FileError */
export async function readJson(file: Blob): Promise<unknown> {
  try {
    return parseJson(await wholeText(file));
  } catch (error) {
    if (error instanceof SyntaxError) throw new FileError(`The file is not valid JSON: ${error.message}`);
    throw error;
  }
}

/** Whether a document is the output of `ansible-inventory --list`. */
export const isAnsible = (document: unknown): boolean =>
  isObject(document) && isObject(document['_meta']) && isObject(document['_meta']['hostvars']);
