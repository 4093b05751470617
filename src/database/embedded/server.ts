import { closeSync, existsSync, fstatSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { StartupError } from '../../core/errors/startup-error';
import type { Binaries } from './binaries';
import { socketPath, type DataFolders } from './data-folders';
import { runningPostmaster, readPostmaster, removeStaleLocks } from './postmaster-pid';
import { diskFullError, errorCode, ifExists, lastLines, isDiskFullMessage } from './startup-failures';
import type { Watchdog } from './watchdog';

/** Everything a server needs to be started, and started again. */
export interface ServerPlan {
  readonly folders: DataFolders;
  readonly binaries: Binaries;
  readonly watchdog: Watchdog;
  readonly settings: Readonly<Record<string, string>>;
  /** Ends a start that is under way. */
  readonly abandoned?: AbortSignal;
}

/** A server that takes connections. */
export interface RunningServer {
  readonly pid: number;
  /** Settles when the server has ended, with how it ended. */
  readonly ended: Promise<string>;
  /** Shuts it down and waits until it has ended. */
  stop(): Promise<void>;
}

/** How long a fast shutdown may take, with its last checkpoint, before it is cut short; recovery then redoes it. */
const SHUTDOWN_PATIENCE = 30_000;
/** Crash recovery after heavy writing may take minutes. */
const START_PATIENCE = 10 * 60_000;
/** How long an earlier server may take to let go of the cluster. */
const LOCK_PATIENCE = 15_000;
const LOG_LIMIT = 1_000_000;

/** What PostgreSQL says when an earlier server, or a process of it, still holds on to the cluster. */
const STILL_LOCKED = /lock file ".*" already exists|pre-existing shared memory block .* is still in use/;

/** Starts PostgreSQL and waits until it takes connections. */
export async function startServer(plan: ServerPlan): Promise<RunningServer> {
  const giveUp = Date.now() + LOCK_PATIENCE;
  for (;;) {
    removeStaleLocks(plan.folders);
    const attempt = await tryStart(plan);
    if ('server' in attempt) return attempt.server;
    if (STILL_LOCKED.test(attempt.log) && Date.now() < giveUp && !plan.abandoned?.aborted) {
      await delay(100);
      continue;
    }
    if (isDiskFullMessage(attempt.log)) throw diskFullError(plan.folders.dataDir);
    throw new StartupError(
      `PostgreSQL did not start in ${plan.folders.dataDir} (it ended with ${attempt.ending}); the end of ` +
        `${plan.folders.log} is: ${lastLines(attempt.log)}`,
    );
  }
}

/**
 * Waits until the server of an owner that died is gone, its watchdog being about to end it; helps along, for the
 * watchdog may have been killed too.
 */
export async function awaitEarlierServerGone(folders: DataFolders): Promise<void> {
  const steps = [
    { signal: 'SIGINT', timeoutMs: 6_000 },
    { signal: 'SIGQUIT', timeoutMs: 3_000 },
    { signal: 'SIGKILL', timeoutMs: 3_000 },
  ] as const;
  for (const { signal, timeoutMs } of steps) {
    const until = Date.now() + timeoutMs;
    const pid = runningPostmaster(folders.cluster);
    if (pid === undefined) break;
    signalIfThere(pid, signal);
    while (Date.now() < until && runningPostmaster(folders.cluster) !== undefined) await delay(20);
  }
}

/**
 * Refuses a data folder whose server runs where we cannot see it: in another container that shares the volume.
 * Its owner's record says nothing here, because process numbers mean nothing across that border.
 */
export async function refuseForeignServer(folders: DataFolders): Promise<void> {
  for (const pause of [0, 200]) {
    await delay(pause);
    // A server of ours that has just ended may have answered before its number was looked up: hence twice.
    if (!(await takesConnections(folders)) || runningPostmaster(folders.cluster) !== undefined) return;
  }
  throw new StartupError(
    `Another PostgreSQL serves the data folder ${folders.dataDir}, probably from another container: stop it first, ` +
      'or set DATA_DIR to another folder.',
  );
}

/** Whether a server is ready on this folder's socket. */
export async function isServing(folders: DataFolders): Promise<boolean> {
  return readPostmaster(folders.cluster)?.ready === true && (await takesConnections(folders));
}

type Attempt = { server: RunningServer } | { ending: string; log: string };

async function tryStart({ folders, binaries, watchdog, settings, abandoned }: ServerPlan): Promise<Attempt> {
  const { file, from } = openLog(folders.log);
  const args = ['-D', folders.cluster];
  for (const [name, value] of Object.entries(settings)) args.push('-c', `${name}=${value}`);
  const child = watchdog.launch('server', binaries.postgres, args, file);
  closeSync(file);
  // A service is kept alive by what it serves, and a command by its work; when they are done, so is the server.
  child.unref();

  let ending: string | undefined;
  const ended = new Promise<string>((settle, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => settle((ending = signal ?? `exit code ${code}`)));
  });
  const { pid } = child;
  const until = Date.now() + START_PATIENCE;
  while (pid !== undefined && ending === undefined && Date.now() < until && !abandoned?.aborted) {
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
      if (await settlesWithin(ended, SHUTDOWN_PATIENCE)) return;
    }
    throw new Error(`PostgreSQL (process ${pid}) cannot be ended`);
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

/** One old log is kept; so the two together stay small, however long the service lives. */
function openLog(path: string): { file: number; from: number } {
  if ((ifExists(() => statSync(path))?.size ?? 0) > LOG_LIMIT) renameSync(path, `${path}.1`);
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

async function takesConnections(folders: DataFolders): Promise<boolean> {
  const path = socketPath(folders);
  if (!existsSync(path)) return false;
  return new Promise((settle) => {
    const socket = connect({ path });
    socket.once('connect', () => {
      socket.destroy();
      settle(true);
    });
    // Refused: a socket that a dead server has left.
    socket.once('error', () => settle(false));
  });
}

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}
