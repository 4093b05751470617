import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** What the system says of processes, where it has /proc; elsewhere these figures are left out. */
export const hasProc = process.platform === 'linux';

/** Linux counts a process's CPU time in these, whatever its own clock does: USER_HZ. */
const TICKS_PER_SECOND = 100;

/** The fields of /proc/PID/stat from the third on: the second, the program's name, may hold anything. */
function statOf(pid: number | string): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch (error) {
    // It has ended.
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH'))
      return undefined;
    throw error;
  }
}

const seconds = (fields: readonly string[], from: number, to: number): number =>
  fields.slice(from, to).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND;

/** Seconds of CPU that a process has used so far, in all its threads. */
export function cpuOf(pid: number): number {
  return seconds(statOf(pid) ?? [], 11, 13);
}

/** Seconds of CPU that a PostgreSQL has used so far: its postmaster, all that live under it, and all that did. */
export function cpuOfServer(postmaster: number): number {
  // 11 to 15: its own, and what its children had used when they ended.
  const own = seconds(statOf(postmaster) ?? [], 11, 15);
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(statOf)
    .filter((fields) => fields !== undefined)
    .filter(([, parent]) => Number(parent) === postmaster)
    .map((fields) => seconds(fields, 11, 13));
  return children.reduce((sum, one) => sum + one, own);
}

/** Forgets the peak of a process's memory: it then counts from now. */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${String(pid)}/clear_refs`, '5');
}

/** The most memory that a process has held (resident set), in bytes. */
export function peakMemory(pid: number): number {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1024;
}
