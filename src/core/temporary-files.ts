import { closeSync, fsyncSync, mkdtempSync, openSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { InventoryError, StartupError } from './errors';

/**
 * Removes the temporary files that killed processes left when they wrote a file.
 * @param suffix the end of the names of temporary files, after the file's name and the process id
 */
export function removeDrafts(file: string, suffix = ''): void {
  const [folder, start] = [dirname(file), `${basename(file)}.`];
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(start) || !name.endsWith(suffix)) continue;
    const pid = name.slice(start.length, name.length - suffix.length);
    if (/^\d+$/.test(pid) && !isAlive(Number(pid))) rmSync(join(folder, name), { force: true });
  }
}

/** Flushes a folder to disk, so that new names in it survive a power failure. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Why a file system does not take a file, by the code of the error. */
const FILE_FAULTS: Readonly<Record<string, string>> = {
  ENOSPC: 'is full',
  EDQUOT: 'is full: its quota is used up',
  EROFS: 'is on a read-only file system',
  EACCES: 'is not writable for this user',
  EPERM: 'is not writable for this user',
  ENOENT: 'does not exist',
  ENOTDIR: 'is not a folder',
};

/** What is wrong with the temporary folder, as the end of a sentence; undefined for errors of other kinds. */
function folderFault(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  const code = String(error.code);
  const fault = Object.hasOwn(FILE_FAULTS, code) ? FILE_FAULTS[code] : undefined;
  return fault === undefined ? undefined : `${fault} (${code})`;
}

/**
 * Writes a file to the temporary folder (`TMPDIR`, by default `/tmp`) and removes it.
 * @throws StartupError if that is not possible
 */
export function checkTemporaryFolder(): void {
  try {
    const folder = mkdtempSync(join(tmpdir(), 'muster-start-'));
    try {
      writeFileSync(join(folder, 'file'), 'x');
    } finally {
      rmSync(folder, { recursive: true });
    }
  } catch (error) {
    const fault = folderFault(error);
    if (fault === undefined) throw error;
    throw new StartupError(
      `The temporary folder ${tmpdir()} ${fault}. Imports need it: mount a volume there, free some space, or set TMPDIR to another folder.`,
      { cause: error },
    );
  }
}

/**
 * Works with temporary files.
 * @throws InventoryError 503 that names the folder if it is full or not writable
 */
export async function withTemporaryFiles<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const fault = folderFault(error);
    if (fault === undefined) throw error;
    throw new InventoryError(
      'unavailable',
      `The temporary folder ${tmpdir()} of the service ${fault}. Tell its operator, and retry later.`,
      [],
      { 'retry-after': '60' },
    );
  }
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's process cannot be signalled, but it is alive.
    return !(typeof error === 'object' && error !== null && 'code' in error && error.code === 'ESRCH');
  }
}
