import { randomBytes } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { STANDARD } from '../../files/file-format';
import { unwritable } from '../../files/file-access';
import { print, printLines } from '../../output/streams';

/** Of a file's mode: who may do what. */
const PERMISSIONS = 0o777;

/** Where an export goes. */
export interface Target {
  readonly file: string;
  readonly gzip: boolean;
}

/**
 * Writes pieces out. A file is written beside the one that is meant, and takes its place once it is complete: one that was
 * cut off never looks whole.
 * @throws Failure for what cannot be written; and whatever the making of the pieces throws
 */
export async function writeAll(
  { file, gzip }: Target,
  pieces: AsyncIterable<string | Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  if (file === STANDARD) {
    await printAll(pieces);
    return;
  }
  const found = statSync(file, { throwIfNoEntry: false });
  // Pipes and devices are written to as they are.
  const isPlain = found === undefined || found.isFile() || found.isDirectory();
  // A link goes on leading to the file.
  const place = found === undefined ? file : realpathSync(file);
  const written = isPlain
    ? join(dirname(place), `.${basename(place)}.${randomBytes(6).toString('hex')}.part`)
    : file;
  try {
    // What others may not read they may not read meanwhile either.
    const mode = found === undefined ? undefined : found.mode & PERMISSIONS;
    // Opened before the pieces are read: a pipeline that fails at once would not wait for a stream that is still opening,
    // and the file would be created after it was removed.
    const handle = await open(written, isPlain ? 'wx' : 'w', mode);
    try {
      const out = handle.createWriteStream({ autoClose: false });
      const source = Readable.from(pieces, { objectMode: false });
      await (gzip ? pipeline(source, createGzip(), out, { signal }) : pipeline(source, out, { signal }));
      if (!isPlain) return;
      if (mode !== undefined) await handle.chmod(mode);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(written, place);
  } catch (error) {
    if (isPlain) await rm(written, { force: true });
    throw isOfFiles(error) ? unwritable(file, error) : error;
  }
}

/** In a pipe byte by byte; on a terminal there is nothing to obey in it. */
async function printAll(pieces: AsyncIterable<string | Uint8Array>): Promise<void> {
  if (!process.stdout.isTTY) {
    for await (const piece of pieces) await print(piece);
    return;
  }
  const decoder = new TextDecoder();
  for await (const piece of pieces)
    await printLines(typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true }));
}

/** What went wrong with the file itself has a path, or came of writing; all else comes from the pieces. */
const isOfFiles = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && !('cause' in error);
