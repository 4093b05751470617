import { spawnSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { errorCode } from './startup-failures';

/** The process is alive, but its start time cannot be read. */
const UNKNOWN_START = 'unknown';

let bootId: string | undefined;

/**
 * Identifies a process among all processes with the same process id, by its start time and the boot. `undefined` if
 * there is no such process. Zombies count as ended, because they may never be reaped.
 */
export function processIdentity(pid: number): string | undefined {
  if (process.platform === 'linux') return linuxIdentity(pid);
  const result = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' });
  if (result.error) return canSignal(pid) ? UNKNOWN_START : undefined;
  const [state = '', ...started] = result.stdout.trim().split(/\s+/);
  return state === '' || state.startsWith('Z') ? undefined : started.join(' ');
}

/** Whether the process with this id still has this identity. */
export function isSameProcess(pid: number, identity: string): boolean {
  const present = processIdentity(pid);
  if (present === undefined) return false;
  return present === identity || present === UNKNOWN_START || identity === UNKNOWN_START;
}

/** Whether a process is a PostgreSQL server on this cluster, and not another process with the same id. */
export function isPostgresOn(pid: number, cluster: string): boolean {
  if (processIdentity(pid) === undefined) return false;
  if (process.platform !== 'linux') {
    const { stdout } = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
    return stdout.includes('postgres') && stdout.includes(cluster);
  }
  try {
    if (readFileSync(`/proc/${pid}/comm`, 'utf8').trim() !== 'postgres') return false;
    // The working directory of a server is its cluster.
    return readlinkSync(`/proc/${pid}/cwd`).replace(/ \(deleted\)$/, '') === cluster;
  } catch (error) {
    if (isNoSuchProcess(error)) return false;
    // The process belongs to another user. Its name is postgres, so it is assumed to be the server.
    if (errorCode(error) === 'EACCES' || errorCode(error) === 'EPERM') return true;
    throw error;
  }
}

function linuxIdentity(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name is in parentheses, and can itself contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const state = fields[0];
    if (state === 'Z' || state === 'X') return undefined;
    bootId ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${bootId}/${fields[19] ?? UNKNOWN_START}`;
  } catch (error) {
    // With hidepid, /proc hides the processes of other users. Signals still find them.
    if (isNoSuchProcess(error)) return canSignal(pid) ? UNKNOWN_START : undefined;
    throw error;
  }
}

function canSignal(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

function isNoSuchProcess(error: unknown): boolean {
  return errorCode(error) === 'ENOENT' || errorCode(error) === 'ESRCH';
}
