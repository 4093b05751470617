import { closeSync, fsyncSync, openSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Removes what processes that were killed have left of a file that they were about to write.
 * @param suffix what follows the file's name and the process's id in the names of its drafts
 */
export function removeDrafts(file: string, suffix = ''): void {
  const [folder, start] = [dirname(file), `${basename(file)}.`];
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(start) || !name.endsWith(suffix)) continue;
    const pid = name.slice(start.length, name.length - suffix.length);
    if (/^\d+$/.test(pid) && !isAlive(Number(pid))) rmSync(join(folder, name), { force: true });
  }
}

/** Makes a new name in a folder outlast a power failure. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Somebody else's is alive, too.
    return !(typeof error === 'object' && error !== null && 'code' in error && error.code === 'ESRCH');
  }
}
