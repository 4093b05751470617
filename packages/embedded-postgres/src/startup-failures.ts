import { userInfo } from 'node:os';

/**
 * An expected reason why the server cannot start. The message says what is wrong and what to do. It calls the settings
 * of the program DATA_DIR (the data folder) and DATABASE_URL (another PostgreSQL).
 */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

/** The code of a system error (`ENOENT`, …), or `undefined` for any other error. */
export function errorCode(error: unknown): string | undefined {
  return textOf(error, 'code');
}

/** Without `instanceof Error`, because Node's own errors belong to another realm under Jest. */
function textOf(error: unknown, property: 'code' | 'path'): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const value: unknown = Reflect.get(error, property);
  return typeof value === 'string' ? value : undefined;
}

/** Runs a file system call. @returns undefined if its target does not exist */
export function ifExists<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    // ENOTDIR: one of its parents is a file.
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Converts a file system error about the data folder to a message. Returns other errors unchanged. */
export function explainFolderFailure(error: unknown, dataDir: string): unknown {
  const path = textOf(error, 'path') ?? dataDir;
  switch (errorCode(error)) {
    case 'EACCES':
    case 'EPERM':
      return new EmbeddedPostgresError(
        `The data folder ${dataDir} cannot be used by the user "${currentUser()}" (no permission on ${path}): run ` +
          'the program as the owner of the folder, or set DATA_DIR to a folder that this user can write.',
        { cause: error },
      );
    case 'EROFS':
      return new EmbeddedPostgresError(
        `The data folder ${dataDir} is on a read-only file system: set DATA_DIR to a writable folder.`,
        { cause: error },
      );
    case 'ENOSPC':
    case 'EDQUOT':
      return diskFullError(dataDir, error);
    case 'ENOENT':
      return new EmbeddedPostgresError(
        `The data folder ${dataDir} cannot be created (${path} does not exist): set DATA_DIR to a folder on a mounted ` +
          'disk.',
        { cause: error },
      );
    case 'ENOTDIR':
    case 'EEXIST':
      return new EmbeddedPostgresError(
        `The data folder ${dataDir} cannot be created, because it or a parent is a file: set DATA_DIR to another folder.`,
        { cause: error },
      );
    default:
      return error;
  }
}

/** The error for a full disk. */
export function diskFullError(dataDir: string, cause?: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The disk of the data folder ${dataDir} is full: free space on it, or set DATA_DIR to a folder on another disk.`,
    { cause },
  );
}

const SHOWN_LINES = 5;

/** The last lines of a program's output, joined to one line. */
export function lastLines(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.slice(-SHOWN_LINES).join(' | ') || '(no output)';
}

/** Whether a program's output reports a full disk. */
export function isDiskFullMessage(output: string): boolean {
  return /No space left on device|Check free disk space|Disk quota exceeded/.test(output);
}

/** The name of the current user, or the id of a user without a name. */
export function currentUser(): string {
  try {
    return userInfo().username;
  } catch (error) {
    // A container can run as a user id that is not in /etc/passwd.
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ERR_SYSTEM_ERROR') {
      return String(process.getuid?.());
    }
    throw error;
  }
}
