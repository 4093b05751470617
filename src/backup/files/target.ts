import { readdirSync, statSync, unlinkSync } from 'node:fs';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { StartupError } from '../../shared/errors/startup-error';
import { systemReason } from './reasons';
import { writerTo } from './streams';

/** Where a backup is written to. */
export interface Target {
  /** For people. */
  readonly name: string;
  readonly sink: Writable;
  /** Makes what was written last, and gives it its name. */
  complete(): Promise<void>;
  /** Leaves nothing. */
  abandon(): Promise<void>;
  /** What an error of writing is for a person; any other error stays as it is. */
  explain(error: unknown): unknown;
}

/**
 * A file that bears its name only when it is whole, which only its owner may read. One that is there is replaced by it.
 * @throws StartupError if it cannot be made
 */
export async function fileTarget(path: string): Promise<Target> {
  const file = resolve(path);
  const explain = (error: unknown) => explained(error, `to ${file}`);
  try {
    refuseOtherThanFile(file);
    removeLeftOver(file);
    const partial = `${file}.${process.pid}.partial`;
    const handle = await open(partial, 'wx', 0o600);
    return {
      name: file,
      sink: writerTo(handle),
      complete: async () => {
        await handle.sync();
        await handle.close();
        await rename(partial, file);
        await syncFolder(dirname(file));
      },
      abandon: async () => {
        await handle.close();
        await rm(partial, { force: true });
      },
      explain,
    };
  } catch (error) {
    throw explain(error);
  }
}

/** The standard output. @throws StartupError if that is a terminal */
export function outputTarget(): Target {
  const { stdout } = process;
  if (stdout.isTTY)
    throw new StartupError('A backup is nothing to look at: name a file, or redirect the output.');
  // Whatever is wrong with it, whoever writes gets to know.
  stdout.removeAllListeners('error');
  return {
    name: 'the standard output',
    sink: stdout,
    complete: () => Promise.resolve(),
    abandon: () => Promise.resolve(),
    explain: (error) => explained(error, 'to the standard output'),
  };
}

function explained(error: unknown, where: string): unknown {
  const reason = systemReason(error);
  if (reason === undefined) return error;
  return new StartupError(`The backup cannot be written ${where}: ${reason}. There is none.`, {
    cause: error,
  });
}

function refuseOtherThanFile(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found && !found.isFile())
    throw new StartupError(`${file} is not a file: name one, or "-" for the standard output.`);
}

/** What backups to the same file have left that were killed. */
function removeLeftOver(file: string): void {
  const folder = dirname(file);
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${basename(file)}.`)) continue;
    const pid = /^\.(\d+)\.partial$/.exec(name.slice(basename(file).length))?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) unlinkSync(join(folder, name));
  }
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Somebody else's is alive, too.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

/** Makes a rename outlast a power failure. */
async function syncFolder(folder: string): Promise<void> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(folder, 'r');
    await handle.sync();
  } finally {
    await handle?.close();
  }
}
