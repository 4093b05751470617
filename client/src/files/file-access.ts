import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { EXIT, Failure, usage } from '../cli-error';
import { isUtf8 } from 'buffer';
import { basename } from 'node:path';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it is not there',
  EACCES: 'you may not',
  ENOTDIR: 'what is to be its folder is none',
  EISDIR: 'it is a folder',
  ENOSPC: 'there is no room left',
  EROFS: 'nothing can be written there',
  Z_DATA_ERROR: 'it is not compressed by gzip, or damaged',
  Z_BUF_ERROR: 'it is cut off',
};

/** The whole of a file, or of standard input. @throws Failure where it cannot be read, or is no UTF-8 */
export async function readText(file: string): Promise<string> {
  const stream = file === STANDARD ? process.stdin : createReadStream(file);
  const bytes = await buffer(stream).catch((error: unknown) => {
    throw unreadable(file, error);
  });
  return utf8Text(bytes, titleOf(file), BEGINNING).replace(/^\uFEFF/, '');
}

/** What keeps a file from being read. What is wrong with its content has been said already. */
export const unreadable = (file: string, error: unknown): Failure => inaccessible(file, 'read', error);

/** What keeps a file from being written. */
export const unwritable = (file: string, error: unknown): Failure => inaccessible(file, 'written', error);

function inaccessible(file: string, how: string, error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (!(error instanceof Error)) return new Failure(String(error), EXIT.fault);
  const code = 'code' in error ? String(error.code) : '';
  return usage(`${titleOf(file)} cannot be ${how}: ${REASONS[code] ?? error.message}.`);
}

/** Where something stands in a file, from 1 on. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Where a file begins. */
export const BEGINNING: Position = { line: 1, column: 1 };

/** A file that is not what it should be, with the place. */
export const fileFault = (file: string, { line, column }: Position, message: string): Failure =>
  usage(`${file}, line ${String(line)}, column ${String(column)}: ${message}`);

/** Where the character at an offset of a text stands, if the text begins somewhere. */
export function positionIn(text: string, offset: number, start: Position): Position {
  const before = text.slice(0, offset);
  const breaks = before.split('\n').length - 1;
  return breaks === 0
    ? { line: start.line, column: start.column + before.length }
    : { line: start.line + breaks, column: before.length - before.lastIndexOf('\n') };
}

/** How a file is called when it is told about. */
export const titleOf = (file: string): string => (file === '-' ? 'standard input' : file);
/** Bytes as text. @throws Failure where they are no UTF-8 */

export function utf8Text(bytes: Buffer, file: string, at: Position): string {
  const text = bytes.toString('utf8');
  if (isUtf8(bytes)) return text;
  // What cannot be read has become this character; one that stood there is as good a place to look.
  const position = positionIn(text, Math.max(0, text.indexOf('\uFFFD')), at);
  throw fileFault(file, position, 'this is not UTF-8.');
}

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
