import { readFileSync } from 'node:fs';
import type { Environment } from '../config/environment';

/** For the program's own files and pipes, the lines of imports, and the check of the database. */
const OTHER_FILES = 100;

/** How many files and connections a process may have open at the same time with these settings. */
function neededFiles({
  MAX_CONNECTIONS,
  DATABASE_POOL_SIZE,
  DATABASE_REPLICA_URLS = [],
}: Environment): number {
  return MAX_CONNECTIONS + DATABASE_POOL_SIZE * (1 + DATABASE_REPLICA_URLS.length) + OTHER_FILES;
}

/**
 * A warning if the operating system allows a process fewer open files than the settings need: connections beyond that are
 * closed, and requests fail that need one to the database. Only Linux tells the limit without a child process.
 */
export function fileLimitWarning(environment: Environment, limits = readLimits()): string | undefined {
  // Node.js raises the soft limit to the hard one when it starts.
  const limit = Number(/^Max open files +\d+ +(\d+)/m.exec(limits)?.[1] ?? Infinity);
  const needed = neededFiles(environment);
  if (limit >= needed) return undefined;
  return `The settings need ${String(needed)} open files per process, most of them for MAX_CONNECTIONS, and the limit is ${String(limit)}: raise it ("ulimit -Hn", LimitNOFILE of systemd), or lower MAX_CONNECTIONS.`;
}

function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return ''; // Not Linux.
  }
}
