import { userInfo } from 'node:os';
import { StartupError } from '../../core/errors/startup-error';

/** The code of a system error (`ENOENT`, …), or `undefined` for any other error. */
export function errorCode(error: unknown): string | undefined {
  return textOf(error, 'code');
}

/** Not by `instanceof Error`: under Jest, Node's own errors are of another realm. */
function textOf(error: unknown, property: 'code' | 'path'): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const value: unknown = Reflect.get(error, property);
  return typeof value === 'string' ? value : undefined;
}

/** Runs a file system call whose target may be missing; `undefined` stands for "there is none". */
export function ifExists<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    // ENOTDIR: a folder on the way to it is a file, so it cannot be there.
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Turns what the file system says about the data folder into a sentence; leaves every other error alone. */
export function explainFolderFailure(error: unknown, dataDir: string): unknown {
  const path = textOf(error, 'path') ?? dataDir;
  switch (errorCode(error)) {
    case 'EACCES':
    case 'EPERM':
      return new StartupError(
        `The data folder ${dataDir} cannot be used by the user "${currentUser()}" (no permission on ${path}): run ` +
          'Muster as the user that the folder belongs to, or set DATA_DIR to a folder that this user can write.',
        { cause: error },
      );
    case 'EROFS':
      return new StartupError(
        `The data folder ${dataDir} is on a read-only file system: set DATA_DIR to a folder that can be written.`,
        { cause: error },
      );
    case 'ENOSPC':
    case 'EDQUOT':
      return diskFullError(dataDir, error);
    case 'ENOENT':
      return new StartupError(
        `The data folder ${dataDir} cannot be made (there is no ${path}): set DATA_DIR to a folder on a disk that ` +
          'is there.',
        { cause: error },
      );
    case 'ENOTDIR':
    case 'EEXIST':
      return new StartupError(
        `The data folder ${dataDir} cannot be made, because it or a folder above it is a file: set DATA_DIR to another.`,
        { cause: error },
      );
    default:
      return error;
  }
}

/** The sentence for a full disk. */
export function diskFullError(dataDir: string, cause?: unknown): StartupError {
  return new StartupError(
    `The disk of the data folder ${dataDir} is full: make room on it, or set DATA_DIR to a folder elsewhere.`,
    { cause },
  );
}

/** The last lines of what a program wrote, in one line, for the end of a sentence. */
export function lastLines(output: string, count = 5): string {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.slice(-count).join(' | ') || '(it wrote nothing)';
}

/** Whether a program's output says that it found no room on the disk. */
export function isDiskFullMessage(output: string): boolean {
  return /No space left on device|Check free disk space|Disk quota exceeded/.test(output);
}

/** The name of the user this process runs as; the number for a user without a name. */
export function currentUser(): string {
  try {
    return userInfo().username;
  } catch (error) {
    // A container may run as a number that /etc/passwd does not know.
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ERR_SYSTEM_ERROR') {
      return String(process.getuid?.());
    }
    throw error;
  }
}
