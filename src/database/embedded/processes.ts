import { spawnSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { errorCode } from './startup-failures';

/** The process lives, but the system does not show us when it started. */
const UNKNOWN_START = 'unknown';

let bootId: string | undefined;

/**
 * What tells a process from every other that has had or will have the same number: when it started, on which
 * boot. `undefined` if there is no such process; a zombie counts as none, for nobody may ever reap it.
 */
export function processIdentity(pid: number): string | undefined {
  if (process.platform === 'linux') return linuxIdentity(pid);
  const answer = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' });
  if (answer.error) return signalReaches(pid) ? UNKNOWN_START : undefined;
  const [state = '', ...started] = answer.stdout.trim().split(/\s+/);
  return state === '' || state.startsWith('Z') ? undefined : started.join(' ');
}

/** Whether the process with this number is still the one that had this identity. */
export function isSameProcess(pid: number, identity: string): boolean {
  const present = processIdentity(pid);
  if (present === undefined) return false;
  return present === identity || present === UNKNOWN_START || identity === UNKNOWN_START;
}

/** Whether this process is a PostgreSQL server on this cluster, and not a stranger that got its number. */
export function isPostgresOn(pid: number, cluster: string): boolean {
  if (processIdentity(pid) === undefined) return false;
  if (process.platform !== 'linux') {
    const answer = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
    return answer.stdout.includes('postgres') && answer.stdout.includes(cluster);
  }
  try {
    if (readFileSync(`/proc/${pid}/comm`, 'utf8').trim() !== 'postgres') return false;
    // PostgreSQL works inside its cluster's folder; another cluster's server works in another.
    return readlinkSync(`/proc/${pid}/cwd`).replace(/ \(deleted\)$/, '') === cluster;
  } catch (error) {
    if (isGone(error)) return false;
    // Its folder is hidden from us, so it belongs to somebody else; it is called postgres: believe it.
    if (errorCode(error) === 'EACCES' || errorCode(error) === 'EPERM') return true;
    throw error;
  }
}

function linuxIdentity(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in brackets, may itself hold blanks and brackets: the numbers begin after the last one.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const state = fields[0];
    if (state === 'Z' || state === 'X') return undefined;
    bootId ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${bootId}/${fields[19] ?? UNKNOWN_START}`;
  } catch (error) {
    // A /proc mounted with hidepid shows other users' processes to nobody; a signal still finds them.
    if (isGone(error)) return signalReaches(pid) ? UNKNOWN_START : undefined;
    throw error;
  }
}

function signalReaches(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

function isGone(error: unknown): boolean {
  return errorCode(error) === 'ENOENT' || errorCode(error) === 'ESRCH';
}
