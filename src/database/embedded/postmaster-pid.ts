import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { socketPath, type DataFolders } from './data-folders';
import { isPostgresOn } from './processes';
import { errorCode, ifExists } from './startup-failures';

/** The contents of `postmaster.pid`: the process id of the server, and whether it accepts connections. */
export interface Postmaster {
  readonly pid: number;
  readonly ready: boolean;
}

/** Lines of postmaster.pid, counted from zero (PostgreSQL's `miscadmin.h`). */
const PID_LINE = 0;
const STATUS_LINE = 7;

/** The server in `postmaster.pid`, whether it runs or not. */
export function readPostmaster(cluster: string): Postmaster | undefined {
  const text = ifExists(() => readFileSync(join(cluster, 'postmaster.pid'), 'utf8'));
  const lines = text?.split('\n') ?? [];
  const pid = Number.parseInt(lines[PID_LINE] ?? '', 10);
  return pid > 0 ? { pid, ready: lines[STATUS_LINE]?.trim() === 'ready' } : undefined;
}

/** The process id of the server that runs on this cluster, if any. */
export function runningPostmaster(cluster: string): number | undefined {
  const named = readPostmaster(cluster);
  return named && isPostgresOn(named.pid, cluster) ? named.pid : undefined;
}

/**
 * Removes the lock files of a server that has ended. PostgreSQL itself refuses to start if any process has the process
 * id in the file, and after a reboot or in a container, process ids are soon reused.
 */
export function removeStaleLocks(folders: DataFolders): void {
  for (const file of [join(folders.cluster, 'postmaster.pid'), `${socketPath(folders)}.lock`]) {
    const pid = pidIn(file);
    if (pid === undefined || isPostgresOn(pid, folders.cluster)) continue;
    removeIfUnchanged(file, pid);
  }
}

function pidIn(file: string): number | undefined {
  const text = ifExists(() => readFileSync(file, 'utf8'));
  return text === undefined ? undefined : Math.abs(Number.parseInt(text, 10)) || 0;
}

/** A server can have replaced the file since it was read. So it is moved, checked again, and moved back if new. */
function removeIfUnchanged(file: string, pid: number): void {
  const movedFile = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`;
  ifExists(() => {
    renameSync(file, movedFile);
  });
  const movedPid = pidIn(movedFile);
  if (movedPid !== undefined && movedPid !== pid) {
    try {
      linkSync(movedFile, file);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  }
  rmSync(movedFile, { force: true });
}
