import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Every live process that uses this folder: initdb and all processes of the server. */
export function processesOn(folder: string): number[] {
  if (process.platform !== 'linux') {
    const lines = spawnSync('ps', ['-axo', 'pid=,command='], { encoding: 'utf8' }).stdout.split('\n');
    const ofPostgres = lines.filter((line) => line.includes(folder) && /postgres|initdb/.test(line));
    return ofPostgres.map((line) => Number.parseInt(line, 10));
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => {
      try {
        if (stateOf(name) === 'Z') return false;
        const [program = '', ...args] = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0');
        if (/(postgres|initdb|sh)$/.test(program) && args.some((arg) => arg.includes(folder))) return true;
        return readlinkSync(`/proc/${name}/cwd`).startsWith(folder);
      } catch (error) {
        // The process has exited or belongs to another user.
        if (['ENOENT', 'ESRCH', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
        throw error;
      }
    })
    .map(Number);
}

/** The live children of a process. */
export function childrenOf(pid: number): number[] {
  const lines = spawnSync('ps', ['-axo', 'pid=,ppid=,stat='], { encoding: 'utf8' }).stdout.split('\n');
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, state]) => Number(parent) === pid && !state?.startsWith('Z'))
    .map(([child]) => Number(child));
}

/** Whether the process is alive and not a zombie. */
export function isAlive(pid: number): boolean {
  const state = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim();
  return state !== '' && !state.startsWith('Z');
}

/** Sends a signal to processes, of which some may have ended. */
export function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, name);
    } catch (error) {
      if (!String(error).includes('ESRCH')) throw error;
    }
}

/** Suspends a server of PostgreSQL with all its processes. @returns them */
export function suspendPostgres(postmaster: number, processes: () => number[]): number[] {
  // First the postmaster, so that no process begins after the others were listed.
  signal([postmaster], 'SIGSTOP');
  const pids = processes();
  signal(pids, 'SIGSTOP');
  return pids;
}

function stateOf(pid: string): string | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
}
