import { randomBytes } from 'node:crypto';
import { open, unlink, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StartupError } from '../../../core/errors/startup-error';
import { Archive } from '../archive/archive-reader';
import { systemReason } from './explain-file-error';
import { writerTo } from './file-streams';

/** The standard input, or what stands in for it. */
type Input = Readable & { readonly isTTY?: boolean };

/**
 * Runs `work` on the backup in a file.
 * @param from its path; or the input, which is kept first: a backup is read to its end before anything is written
 * @throws StartupError if it cannot be read
 */
export async function withArchive<T>(
  from: string | Input,
  work: (archive: Archive) => Promise<T>,
): Promise<T> {
  const name = typeof from === 'string' ? resolve(from) : 'The standard input';
  let file: FileHandle | undefined;
  try {
    file = typeof from === 'string' ? await openFile(name) : await kept(from);
    return await work(new Archive(file, name));
  } catch (error) {
    const reason = systemReason(error);
    if (reason === undefined) throw error;
    throw new StartupError(`${name} cannot be read: ${reason}. Nothing was changed.`, { cause: error });
  } finally {
    await file?.close();
  }
}

async function openFile(path: string): Promise<FileHandle> {
  const file = await open(path, 'r');
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new StartupError(`${path} is not a file: name one, or "-" for the standard input.`);
}

/** In a file that has no name any more when this returns: nothing stays, however the program ends. */
async function kept(input: Input): Promise<FileHandle> {
  if (input.isTTY) throw new StartupError('Name the file of a backup, or redirect one into the input.');
  const path = join(tmpdir(), `muster-restore-${randomBytes(8).toString('hex')}`);
  const file = await open(path, 'wx+', 0o600);
  try {
    await unlink(path);
    await pipeline(input, writerTo(file));
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}
