import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { socketPath, type DataFolders } from './data-folders';
import { isPostgresOn } from './processes';
import { errorCode, ifExists } from './startup-failures';

/** What a running server writes into its `postmaster.pid`: its number, and whether it takes connections yet. */
export interface Postmaster {
  readonly pid: number;
  readonly ready: boolean;
}

/** Lines of postmaster.pid, counted from zero (PostgreSQL's `miscadmin.h`). */
const PID_LINE = 0;
const STATUS_LINE = 7;

/** The server that `postmaster.pid` names, whether it lives or not. */
export function readPostmaster(cluster: string): Postmaster | undefined {
  const text = ifExists(() => readFileSync(join(cluster, 'postmaster.pid'), 'utf8'));
  const lines = text?.split('\n') ?? [];
  const pid = Number.parseInt(lines[PID_LINE] ?? '', 10);
  return pid > 0 ? { pid, ready: lines[STATUS_LINE]?.trim() === 'ready' } : undefined;
}

/** The number of the live server on this cluster, if there is one. */
export function runningPostmaster(cluster: string): number | undefined {
  const named = readPostmaster(cluster);
  return named && isPostgresOn(named.pid, cluster) ? named.pid : undefined;
}

/**
 * Removes the lock files of a server that is gone. PostgreSQL itself gives up on a lock file whose number
 * belongs to any live process, and after a reboot or in a container such numbers are soon taken by others.
 */
export function removeStaleLocks(folders: DataFolders): void {
  for (const file of [join(folders.cluster, 'postmaster.pid'), `${socketPath(folders)}.lock`]) {
    const pid = pidIn(file);
    if (pid === undefined || isPostgresOn(pid, folders.cluster)) continue;
    removeIfStill(file, pid);
  }
}

function pidIn(file: string): number | undefined {
  const text = ifExists(() => readFileSync(file, 'utf8'));
  return text === undefined ? undefined : Math.abs(Number.parseInt(text, 10)) || 0;
}

/** A server may have replaced the file since we read it: take it away first, look again, and give it back. */
function removeIfStill(file: string, pid: number): void {
  const aside = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`;
  ifExists(() => {
    renameSync(file, aside);
  });
  const taken = pidIn(aside);
  if (taken !== undefined && taken !== pid) {
    try {
      linkSync(aside, file);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  }
  rmSync(aside, { force: true });
}
