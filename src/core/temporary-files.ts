import { closeSync, fsyncSync, openSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

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

function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's process cannot be signalled, but it is alive.
    return !(typeof error === 'object' && error !== null && 'code' in error && error.code === 'ESRCH');
  }
}
