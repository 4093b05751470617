import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  statSync,
  linkSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Binaries } from './binaries';
import { socketPath, type DataFolders } from './data-folders';
import {
  diskFullError,
  EmbeddedPostgresError,
  errorCode,
  ifExists,
  isDiskFullMessage,
  lastLines,
} from './startup-failures';
import type { Watchdog } from './watchdog';
import { isPostgresOn } from './processes';

/** What is needed to start and restart a server. */
export interface ServerPlan {
  readonly folders: DataFolders;
  readonly binaries: Binaries;
  readonly watchdog: Watchdog;
  readonly settings: Readonly<Record<string, string>>;
  /** Aborts a start in progress. */
  readonly signal?: AbortSignal;
}

/** A server that accepts connections. */
export interface RunningServer {
  readonly pid: number;
  /** Resolves when the server has ended, with its exit code or signal. */
  readonly ended: Promise<string>;
  /** Shuts it down and waits until it has ended. */
  stop(): Promise<void>;
}

/** How long a fast shutdown can take, including its checkpoint. After an immediate shutdown, recovery is needed. */
const SHUTDOWN_TIMEOUT_MS = 30_000;

/** Crash recovery after heavy writing can take minutes. */
const START_TIMEOUT_MS = 10 * 60_000;

/** How long a previous server can take to release the cluster. */
const LOCK_TIMEOUT_MS = 15_000;

const MAX_LOG_BYTES = 1_000_000;

/** The message of PostgreSQL if processes of a previous server still use the cluster. */
const STILL_LOCKED = /lock file ".*" already exists|pre-existing shared memory block .* is still in use/;

/** Starts PostgreSQL and waits until it accepts connections. */
export async function startServer(plan: ServerPlan): Promise<RunningServer> {
  const giveUp = Date.now() + LOCK_TIMEOUT_MS;
  for (;;) {
    removeStaleLocks(plan.folders);
    const attempt = await tryStart(plan);
    if ('server' in attempt) return attempt.server;
    if (STILL_LOCKED.test(attempt.log) && Date.now() < giveUp && !plan.signal?.aborted) {
      await delay(100);
      continue;
    }
    if (isDiskFullMessage(attempt.log)) throw diskFullError(plan.folders.dataDir);
    throw new EmbeddedPostgresError(
      `PostgreSQL did not start in ${plan.folders.dataDir} (it exited with ${attempt.ending}). The end of ` +
        `${plan.folders.log}: ${lastLines(attempt.log)}`,
    );
  }
}

/**
 * Stops the server of an owner that was killed, and waits for its end. The owner's watchdog stops it, too, but can have
 * been killed as well.
 */
export async function stopPreviousServer(folders: DataFolders): Promise<void> {
  const steps = [
    { signal: 'SIGINT', timeoutMs: 6_000 },
    { signal: 'SIGQUIT', timeoutMs: 3_000 },
    { signal: 'SIGKILL', timeoutMs: 3_000 },
  ] as const;
  for (const { signal, timeoutMs } of steps) {
    const until = Date.now() + timeoutMs;
    const pid = runningPostmaster(folders.cluster);
    if (pid === undefined) break;
    signalIfAlive(pid, signal);
    while (Date.now() < until && runningPostmaster(folders.cluster) !== undefined) await delay(20);
  }
}

/**
 * Rejects a data folder whose server runs in another container that shares the volume. The ownership record does not
 * help, because process ids are local to a container.
 */
export async function assertNoForeignServer(folders: DataFolders): Promise<void> {
  for (const pause of [0, 200]) {
    await delay(pause);
    // Twice, because a local server can have ended between the two checks.
    if (!(await acceptsConnections(folders)) || runningPostmaster(folders.cluster) !== undefined) return;
  }
  throw new EmbeddedPostgresError(
    `Another PostgreSQL server uses the data folder ${folders.dataDir}, probably in another container: stop it first, ` +
      'or set DATA_DIR to another folder.',
  );
}

/** Whether a server is ready on this folder's socket. */
export async function isServing(folders: DataFolders): Promise<boolean> {
  return readPostmaster(folders.cluster)?.ready === true && (await acceptsConnections(folders));
}

type Attempt = { server: RunningServer } | { ending: string; log: string };

async function tryStart({
  folders,
  binaries,
  watchdog,
  settings,
  signal: abort,
}: ServerPlan): Promise<Attempt> {
  const { file, from } = openLog(folders.log);
  const args = ['-D', folders.cluster];
  for (const [name, value] of Object.entries(settings)) args.push('-c', `${name}=${value}`);
  const child = watchdog.launch('server', binaries.postgres, args, file);
  closeSync(file);
  // The server does not keep this process alive.
  child.unref();

  let ending: string | undefined;
  const ended = new Promise<string>((settle, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => settle((ending = signal ?? `exit code ${code}`)));
  });
  const { pid } = child;
  const until = Date.now() + START_TIMEOUT_MS;
  while (pid !== undefined && ending === undefined && Date.now() < until && !abort?.aborted) {
    const named = readPostmaster(folders.cluster);
    if (named?.pid === pid && named.ready) return { server: { pid, ended, stop } };
    await Promise.race([delay(10), ended]);
  }
  if (pid !== undefined && ending === undefined) await stop();
  return { ending: await ended, log: readFrom(folders.log, from) };

  async function stop(): Promise<void> {
    child.ref();
    for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
      child.kill(signal);
      if (await settlesWithin(ended, SHUTDOWN_TIMEOUT_MS)) return;
    }
    throw new Error(`PostgreSQL (process ${pid}) cannot be stopped`);
  }
}

async function settlesWithin(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  const timer = new AbortController();
  const timeout = delay(milliseconds, false, { signal: timer.signal }).catch((error: unknown) => {
    if (errorCode(error) !== 'ABORT_ERR') throw error;
    return true;
  });
  try {
    return await Promise.race([promise.then(() => true), timeout]);
  } finally {
    timer.abort();
  }
}

/** Rotates the log. One old file is kept. */
function openLog(path: string): { file: number; from: number } {
  if ((ifExists(() => statSync(path))?.size ?? 0) > MAX_LOG_BYTES) renameSync(path, `${path}.1`);
  const file = openSync(path, 'a', 0o600);
  return { file, from: fstatSync(file).size };
}

function readFrom(path: string, from: number): string {
  const file = openSync(path, 'r');
  try {
    const text = Buffer.alloc(Math.min(fstatSync(file).size - from, 64_000));
    return text.toString('utf8', 0, readSync(file, text, 0, text.length, from));
  } finally {
    closeSync(file);
  }
}

async function acceptsConnections(folders: DataFolders): Promise<boolean> {
  const path = socketPath(folders);
  if (!existsSync(path)) return false;
  return new Promise((settle) => {
    const socket = connect({ path });
    socket.once('connect', () => {
      socket.destroy();
      settle(true);
    });
    // A socket that a previous server left refuses connections.
    socket.once('error', () => settle(false));
  });
}

function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}

/** The contents of `postmaster.pid`: the process id of the server, and whether it accepts connections. */
interface Postmaster {
  readonly pid: number;
  readonly ready: boolean;
}

/** Lines of postmaster.pid, counted from zero (PostgreSQL's `miscadmin.h`). */
const PID_LINE = 0;
const STATUS_LINE = 7;

/** The server in `postmaster.pid`, whether it runs or not. */
function readPostmaster(cluster: string): Postmaster | undefined {
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
function removeStaleLocks(folders: DataFolders): void {
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
