import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Whether the system has /proc. Without it, process figures are omitted. */
export const hasProc = process.platform === 'linux';

/** The unit of /proc/PID/stat: USER_HZ. */
const TICKS_PER_SECOND = 100;

/** The CPU time (s) of a process, in all its threads. */
export function cpuOf(pid: number | string): number {
  const threads = ifExists(() => readdirSync(`/proc/${pid}/task`)) ?? [];
  // In nanoseconds. The times in /proc/PID/stat are in hundredths of a second.
  const times = threads.map((id) =>
    ifExists(() => readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8')),
  );
  return times.reduce((sum, text = '0') => sum + Number(text.split(' ')[0]) / 1e9, 0);
}

/** The CPU time (s) of a PostgreSQL: its postmaster, live children and exited children. */
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

/** The fields of /proc/PID/stat from the third on. The second, the program name, may contain any characters. */
function statOf(pid: number | string): string[] {
  const text = ifExists(() => readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? '';
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** Resets the peak memory of a process. */
export function resetPeak(pid: number): void {
  writeFileSync(`/proc/${String(pid)}/clear_refs`, '5');
}

/** The peak memory (resident set) of a process, in bytes. */
export function peakMemory(pid: number): number {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1024;
}

/** Reads a file, or returns undefined if the process or thread has exited. */
function ifExists<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH'))
      return undefined;
    throw error;
  }
}
