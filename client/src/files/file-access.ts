import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { CliError, EXIT, usageError } from '../cli-error';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'permission denied',
  ENOTDIR: 'its path contains a file where a folder is expected',
  EISDIR: 'it is a folder',
  ENOSPC: 'no space left on the device',
  EROFS: 'the file system is read-only',
  Z_DATA_ERROR: 'it is not gzip data, or is damaged',
  Z_BUF_ERROR: 'the gzip data is truncated',
};

/** Reads a whole file, or standard input. @throws CliError if it cannot be read, or is not UTF-8 */
export async function readTextFile(file: string): Promise<string> {
  const stream = file === STDIO ? process.stdin : createReadStream(file);
  const bytes = await buffer(stream).catch((error: unknown) => {
    throw fileReadError(file, error);
  });
  return decodeUtf8(bytes, displayFileName(file), START).replace(/^\uFEFF/, '');
}

/** The error for a file that cannot be read. A CliError about its content is returned unchanged. */
export const fileReadError = (file: string, error: unknown): CliError => fileAccessError(file, 'read', error);

/** The error for a file that cannot be written. */
export const fileWriteError = (file: string, error: unknown): CliError =>
  fileAccessError(file, 'written', error);

function fileAccessError(file: string, participle: string, error: unknown): CliError {
  if (error instanceof CliError) return error;
  if (!(error instanceof Error)) return new CliError(String(error), EXIT.internalError);
  const code = 'code' in error ? String(error.code) : '';
  const reason = code === 'ENOENT' && participle === 'written' ? 'its folder does not exist' : REASONS[code];
  return usageError(`${displayFileName(file)} cannot be ${participle}: ${reason ?? error.message}.`);
}

/** A position in a file, counted from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The start of a file. */
export const START: Position = { line: 1, column: 1 };

/** An error at a position of a file. */
export const fileError = (file: string, { line, column }: Position, message: string): CliError =>
  usageError(`${file}, line ${String(line)}, column ${String(column)}: ${message}`);

/** The position of an offset in a text that begins at another position of the file. */
export function positionAt(text: string, offset: number, start: Position): Position {
  const before = text.slice(0, offset);
  const breaks = before.split('\n').length - 1;
  return breaks === 0
    ? { line: start.line, column: start.column + before.length }
    : { line: start.line + breaks, column: before.length - before.lastIndexOf('\n') };
}

/** The name of a file in messages. */
export const displayFileName = (file: string): string => (file === '-' ? 'standard input' : file);

/** Decodes UTF-8. @throws CliError for invalid bytes, with their position */
export function decodeUtf8(bytes: Buffer, file: string, at: Position): string {
  const text = bytes.toString('utf8');
  if (isUtf8(bytes)) return text;
  // Invalid bytes have become U+FFFD.
  const position = positionAt(text, Math.max(0, text.indexOf('\uFFFD')), at);
  throw fileError(file, position, 'the text is not valid UTF-8.');
}

/** The formats of inventory files. */
export const FILE_FORMATS = ['ndjson', 'json', 'yaml', 'csv'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

const EXTENSIONS: Readonly<Record<string, FileFormat>> = {
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  json: 'json',
  yaml: 'yaml',
  yml: 'yaml',
  csv: 'csv',
  tsv: 'csv',
};

/** The file name that means standard input or standard output. */
export const STDIO = '-';

/** The format of a file, and whether it is compressed with gzip. */
export interface FileKind {
  readonly format: FileFormat;
  readonly gzip: boolean;
}

/**
 * The format of a file: as requested, else by the extension of its name. The default of standard input and output is NDJSON.
 * @param formats those that the message for an unknown extension suggests
 * @throws CliError for an unknown extension
 */
export function detectFileKind(
  file: string,
  requested: FileFormat | undefined,
  formats: readonly FileFormat[] = FILE_FORMATS,
): FileKind {
  if (file === STDIO) return { format: requested ?? 'ndjson', gzip: false };
  const gzip = /\.gz$/i.test(file);
  const extension = /\.([^.]+?)(?:\.gz)?$/i.exec(basename(file))?.[1]?.toLowerCase() ?? '';
  const format = requested ?? (Object.hasOwn(EXTENSIONS, extension) ? EXTENSIONS[extension] : undefined);
  if (format !== undefined) return { format, gzip };
  const extensions = formats.map((one) => `.${one}`);
  throw usageError(
    `Unknown file extension: ${file}. Use ${extensions.slice(0, -1).join(', ')} or ${extensions.at(-1) ?? ''}, optionally with .gz, or set --format.`,
  );
}
