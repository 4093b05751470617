import { setTimeout as delay } from 'node:timers/promises';
import { prepareBinaries } from './binaries';
import { ensureDataDirectory, SUPERUSER } from './cluster';
import { prepareFolders, type DataFolders } from './data-folders';
import {
  claimOwnership,
  currentOwner,
  isHeld,
  type Ownership,
  type OwnershipRecord,
  type Role,
} from './ownership';
import {
  stopPreviousServer,
  isServing,
  assertNoForeignServer,
  startServer,
  type ServerPlan,
  type RunningServer,
} from './server';
import { serverUser, type ServerUser } from './server-user';
import { EmbeddedPostgresError, explainFolderFailure } from './startup-failures';
import { Watchdog } from './watchdog';

/** A PostgreSQL server that this process started. Only its own user can access its socket. */
export interface EmbeddedPostgres {
  /** The socket's folder, for pg's `host`. */
  readonly host: string;
  /** For pg's `port`. Without it, pg would use PGPORT. */
  readonly port: number;
  /** The superuser of the embedded cluster. */
  readonly user: string;
  /**
   * Announces that `stop` will follow, at the beginning of a shutdown that lets requests finish. So the next
   * owner waits for it instead of failing.
   */
  announceStop(): void;
  /** Shuts the server down and waits until it has ended. It does nothing if a service owns the server. */
  stop(): Promise<void>;
}

/** How to start the embedded PostgreSQL. */
export interface EmbeddedOptions {
  /** The cluster is in `postgres` in it. */
  readonly dataDir: string;
  /** The names of the files that the program itself stores in the data folder. */
  readonly programFiles?: RegExp;
  /** A service owns its server. A command uses the server of a running service, or starts its own. */
  readonly role: Role;
  /** Whether commits survive a power failure. Tests disable it. Default: true. */
  readonly durable?: boolean;
  /** Further settings of PostgreSQL. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Called with a message when the server ends unexpectedly, cannot be restarted yet, and runs again. */
  readonly onExit?: (sentence: string) => void;
}

const PORT = 5432;
/** How long a command waits for the server of a starting service. Its first start creates the cluster. */
const READY_TIMEOUT_MS = 60_000;

/**
 * Starts the PostgreSQL that npm installed, or uses the one of a running service.
 * @throws EmbeddedPostgresError for expected failures
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  if (process.platform === 'win32') {
    throw new EmbeddedPostgresError(
      'The embedded PostgreSQL does not run on Windows: set DATABASE_URL to a PostgreSQL.',
    );
  }
  try {
    const user = serverUser(options.dataDir);
    const folders = prepareFolders(options.dataDir, user, options.programFiles);
    await assertNoForeignServer(folders);
    for (;;) {
      const claim = await claimOwnership(folders.run, folders.dataDir, options.role);
      if ('ownership' in claim) return await startOwn(options, folders, user, claim.ownership);
      if (await becomesReady(folders, claim.owner)) return connectionTo(folders);
    }
  } catch (error) {
    throw explainFolderFailure(error, options.dataDir);
  }
}

async function startOwn(
  options: EmbeddedOptions,
  folders: DataFolders,
  user: ServerUser | undefined,
  ownership: Ownership,
): Promise<EmbeddedPostgres> {
  const durable = options.durable ?? true;
  let watchdog: Watchdog | undefined;
  try {
    const binaries = prepareBinaries(folders, user);
    watchdog = new Watchdog(user);
    await stopPreviousServer(folders);
    await ensureDataDirectory(folders, binaries, watchdog, { user, durable });
    const settings = { ...serverSettings(folders, durable), ...options.settings };
    const plan: ServerPlan = { folders, binaries, watchdog, settings };
    const supervisor = new Supervisor(plan, await startServer(plan), options.onExit ?? (() => undefined));
    const activeWatchdog = watchdog;
    let stopping: Promise<void> | undefined;
    const stop = async () => {
      ownership.announceStop();
      await supervisor.stop();
      await activeWatchdog.dismiss();
      ownership.release();
    };
    return connectionTo(folders, ownership, () => (stopping ??= stop()));
  } catch (error) {
    await watchdog?.dismiss();
    ownership.release();
    throw error;
  }
}

/** Waits for the server of a service. @returns false if the service ends before */
async function becomesReady(folders: DataFolders, owner: OwnershipRecord): Promise<boolean> {
  const until = Date.now() + READY_TIMEOUT_MS;
  while (Date.now() < until) {
    const present = currentOwner(folders.run);
    if (present?.pid !== owner.pid || present.state !== 'running' || !isHeld(present)) return false;
    if (await isServing(folders)) return true;
    await delay(20);
  }
  throw new EmbeddedPostgresError(
    `The service that uses the data folder ${folders.dataDir} (process ${owner.pid}) has no running database: ` +
      `check ${folders.log}, and restart that service.`,
  );
}

function connectionTo(
  folders: DataFolders,
  ownership?: Ownership,
  stop: () => Promise<void> = () => Promise.resolve(),
): EmbeddedPostgres {
  const announceStop = () => ownership?.announceStop();
  return { host: folders.socket, port: PORT, user: SUPERUSER, announceStop, stop };
}

/** The server's settings, for a small machine that is shared with other programs. It only listens on the socket. */
function serverSettings(folders: DataFolders, durable: boolean): Record<string, string> {
  const onOff = durable ? 'on' : 'off';
  return {
    listen_addresses: '',
    port: '5432',
    // In quotes, because a comma separates folders.
    unix_socket_directories: `"${folders.socket.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    fsync: onOff,
    synchronous_commit: onOff,
    full_page_writes: onOff,
    shared_buffers: '128MB',
    max_connections: '100',
    // Ends statements of disconnected clients, so that they release their locks.
    client_connection_check_interval: '1s',
    // There are no replicas, so the WAL can be minimal.
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_wal_size: '512MB',
    // Recovery begins with flushing the data folder. One call is faster than one per file.
    ...(process.platform === 'linux' ? { recovery_init_sync_method: 'syncfs' } : {}),
    // Plans for a project that is newer than the statistics can be slow. The default is a tenth of a table.
    autovacuum_analyze_scale_factor: '0.02',
    // The packaged PostgreSQL is built without it.
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '%m [%p] ',
    // Above ERROR: clients receive their errors, and the log would grow with every 409 response. Events of the server
    // itself have the level LOG or higher.
    log_min_messages: 'log',
    log_checkpoints: 'off',
  };
}

/** After running for this time, the next restart is immediate again. */
const HEALTHY_AFTER_MS = 30_000;

const MIN_DELAY_MS = 100;

/** Short, so that the server is back soon after a full disk has space again. */
const MAX_DELAY_MS = 1_000;

/** Restarts a server that ended unexpectedly. */
class Supervisor {
  private readonly stopRequest = new AbortController();
  private readonly watching: Promise<void>;
  /** The last reported failure. */
  private lastReported = '';

  constructor(
    private readonly plan: ServerPlan,
    private server: RunningServer | undefined,
    private readonly onExit: (sentence: string) => void,
  ) {
    this.watching = this.keepRunning();
  }

  /** Shuts the server down, and aborts a restart in progress. */
  async stop(): Promise<void> {
    this.stopRequest.abort();
    await this.server?.stop();
    await this.watching;
  }

  private isStopping(): boolean {
    return this.stopRequest.signal.aborted;
  }

  private async keepRunning(): Promise<void> {
    let delayMs = MIN_DELAY_MS;
    while (this.server) {
      // `stop` can have been called during a restart, when there was no server.
      if (this.isStopping()) await this.server.stop();
      const began = Date.now();
      const ending = await this.server.ended;
      this.server = undefined;
      if (this.isStopping()) return;
      if (Date.now() - began > HEALTHY_AFTER_MS) delayMs = MIN_DELAY_MS;
      this.report(`PostgreSQL has ended unexpectedly (${ending}); restarting it.`);
      while (!this.server && !this.isStopping()) {
        await this.pauseFor(delayMs);
        delayMs = Math.min(delayMs * 2, MAX_DELAY_MS);
        if (!this.isStopping()) this.server = await this.startAgain();
      }
    }
  }

  private async startAgain(): Promise<RunningServer | undefined> {
    try {
      const server = await startServer({ ...this.plan, signal: this.stopRequest.signal });
      if (!this.isStopping()) {
        this.onExit('PostgreSQL runs again.');
        this.lastReported = '';
        return server;
      }
      await server.stop();
    } catch (error) {
      if (!this.isStopping()) this.report(error instanceof Error ? error.message : String(error));
    }
    return undefined;
  }

  /** Reports a failure once, also if the next attempts fail for the same reason. */
  private report(sentence: string): void {
    if (sentence !== this.lastReported) this.onExit(sentence);
    this.lastReported = sentence;
  }

  private async pauseFor(milliseconds: number): Promise<void> {
    try {
      await delay(milliseconds, undefined, { signal: this.stopRequest.signal });
    } catch (error) {
      if (!this.isStopping()) throw error;
    }
  }
}
