import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { EXIT, Failure, usage } from '../failures';
import { BEGINNING, titleOf } from './file-fault';
import { STANDARD } from './file-format';
import { utf8Text } from './json-check';

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
