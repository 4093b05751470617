import { basename } from 'node:path';
import { usage } from '../failures';

/** How an inventory stands in a file. */
export const FILE_FORMATS = ['ndjson', 'json', 'yaml', 'csv'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

const ENDINGS: Readonly<Record<string, FileFormat>> = {
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  json: 'json',
  yaml: 'yaml',
  yml: 'yaml',
  csv: 'csv',
  tsv: 'csv',
};

/** What is read from, or written to, in place of a file: the standard input, or the standard output. */
export const STANDARD = '-';

/** How a file is written, and whether it is compressed with gzip. */
export interface FileKind {
  readonly format: FileFormat;
  readonly gzip: boolean;
}

/**
 * How a file is written: as the command line says, else by how its name ends; the standard streams have lines of JSON.
 * @throws Failure if neither tells
 */
export function kindOfFile(file: string, asked: FileFormat | undefined): FileKind {
  if (file === STANDARD) return { format: asked ?? 'ndjson', gzip: false };
  const gzip = /\.gz$/i.test(file);
  const ending = /\.([^.]+?)(?:\.gz)?$/i.exec(basename(file))?.[1]?.toLowerCase() ?? '';
  const format = asked ?? (Object.hasOwn(ENDINGS, ending) ? ENDINGS[ending] : undefined);
  if (format !== undefined) return { format, gzip };
  throw usage(
    `The name of ${file} does not tell how it is written (.ndjson, .json, .yaml, .csv, each with .gz or without): say it with --format.`,
  );
}
