import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** What the system says of processes, where it has /proc; elsewhere these figures are left out. */
export const hasProc = process.platform === 'linux';

/** The unit of /proc/PID/stat, whatever the system's own clock does: USER_HZ. */
const TICKS_PER_SECOND = 100;

/** Seconds of CPU that a process has used so far, in all its threads. */
export function cpuOf(pid: number | string): number {
  const threads = ifThere(() => readdirSync(`/proc/${pid}/task`)) ?? [];
  // In nanoseconds; the times in /proc/PID/stat count in hundredths of a second.
  const times = threads.map((id) => ifThere(() => readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8')));
  return times.reduce((sum, text = '0') => sum + Number(text.split(' ')[0]) / 1e9, 0);
}

/** Seconds of CPU that a PostgreSQL has used so far: its postmaster, all that live under it, and all that did. */
export function cpuOfServer(postmaster: number): number {
  const children = readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && Number(statOf(name)[PARENT]) === postmaster,
  );
  const [user, system] = statOf(postmaster).slice(OF_ENDED_CHILDREN);
  const ended = (Number(user) + Number(system)) / TICKS_PER_SECOND;
  return children.reduce((sum, child) => sum + cpuOf(child), cpuOf(postmaster) + ended);
}

const PARENT = 1;
const OF_ENDED_CHILDREN = 13;

/** The fields of /proc/PID/stat from the third on: the second, the program's name, may hold anything. */
function statOf(pid: number | string): string[] {
  const text = ifThere(() => readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? '';
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
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

/** What is read, unless the process or thread has ended. */
function ifThere<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH'))
      return undefined;
    throw error;
  }
}
