import { statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { removeDrafts, syncFolder } from '../../../core/temporary-files';
import { StartupError } from '../../../core/errors/startup-error';
import { systemReason } from './explain-file-error';
import { writerTo } from './file-streams';

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
    removeDrafts(file, '.partial');
    const partial = `${file}.${process.pid}.partial`;
    const handle = await open(partial, 'wx', 0o600);
    return {
      name: file,
      sink: writerTo(handle),
      complete: async () => {
        await handle.sync();
        await handle.close();
        await rename(partial, file);
        syncFolder(dirname(file));
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
export function outputTarget(output: Writable & { readonly isTTY?: boolean }): Target {
  if (output.isTTY)
    throw new StartupError('A backup is nothing to look at: name a file, or redirect the output.');
  // Whatever is wrong with it, whoever writes gets to know.
  output.removeAllListeners('error');
  return {
    name: 'the standard output',
    sink: output,
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
