import { setTimeout as delay } from 'node:timers/promises';
import {
  Inject,
  Injectable,
  Logger,
  Optional,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import type { QueryResultRow } from 'pg';
import { HealthProbe } from './health-probe';
import type { PoolSockets } from '../connection/connection-options';
import type { ServerConfig } from '../connection/server-config';
import { connectionErrorMessage, isDatabaseUnavailable } from '../errors/postgres-error';
import { sql, type Sql } from '../sql';

/** The server to probe, and the connections to close if it does not respond. */
export interface WatchdogOptions {
  readonly server: ServerConfig;
  /** The sockets of the pool. */
  readonly sockets: PoolSockets;
  /** The sockets to replicas, which do not depend on this server. They are only closed when the process ends. */
  readonly replicaSockets: PoolSockets;
}

/** The injection token of `WatchdogOptions`. Without it there is no watchdog: commands have no timeouts. */
export const WATCHDOG_OPTIONS = Symbol('watchdog options');

const PROBE_INTERVAL_MS = 500;

/** After this time without a response, the next probe uses a new connection. */
const PROBE_TIMEOUT_MS = 5_000;

/** Ends a probe that waits for a lock or a disk: then the server is busy, but not unresponsive. */
const STATEMENT_TIMEOUT = '-c statement_timeout=1s';

/** Time is counted in timer steps, so that a blocked event loop of this process does not count. */
const STEP_MS = 100;

/** After this many steps without a response, the database counts as unresponsive. */
const MAX_SILENT_STEPS = 30;

/**
 * Detects an unresponsive database. A server that is stopped, or behind a broken network, neither responds nor refuses
 * connections, so requests would wait until they time out. The watchdog closes the connections of the pool, and new
 * ones fail at once until the server responds again. It probes on its own connection, because a pool can be busy. It also
 * logs when an outage of any kind begins and ends, with and without requests.
 */
@Injectable()
export class DatabaseWatchdog implements OnModuleInit, OnApplicationShutdown {
  private readonly probe: HealthProbe | undefined;
  private readonly sockets: PoolSockets | undefined;
  private readonly replicaSockets: PoolSockets | undefined;
  private readonly ending = new AbortController();
  private probing: Promise<void> | undefined;
  private isDown = false;
  /** When the present outage began, in milliseconds; undefined: there is none. */
  private outageSince: number | undefined;
  private readonly log = new Logger('Database');

  constructor(@Optional() @Inject(WATCHDOG_OPTIONS) plan?: WatchdogOptions) {
    this.probe = plan && new HealthProbe(withStatementTimeout(plan.server), PROBE_TIMEOUT_MS);
    this.sockets = plan?.sockets;
    this.replicaSockets = plan?.replicaSockets;
  }

  /** Whether the database does not respond. */
  get isUnresponsive(): boolean {
    return this.isDown;
  }

  /** Whether the last probe succeeded. */
  get isAvailable(): boolean {
    return this.outageSince === undefined;
  }

  onModuleInit(): void {
    if (this.probe) this.probing = this.watch(this.probe);
  }

  /** After the last request. */
  async onApplicationShutdown(): Promise<void> {
    this.ending.abort();
    this.probe?.close();
    await this.probing;
  }

  /**
   * Runs a query outside of the pool, which can be busy.
   * @param query must return a row
   * @throws if the database is unavailable, or the query fails or takes longer than a second
   */
  async query<T extends QueryResultRow>(query: Sql): Promise<T> {
    if (!this.probe) throw new Error('the watchdog has no database to probe');
    return this.probe.query<T>(query);
  }

  /** Closes all connections to the database and its replicas, because this process is about to end. */
  closeConnections(): void {
    this.sockets?.closeAll();
    this.replicaSockets?.closeAll();
  }

  private async watch(probe: HealthProbe): Promise<void> {
    const { signal } = this.ending;
    while (!signal.aborted) {
      let steps = 0;
      const clock = setInterval(() => {
        if (++steps === MAX_SILENT_STEPS) this.markUnresponsive();
      }, STEP_MS);
      try {
        await this.probeServer(probe);
        this.markResponsive();
        this.endOutage();
      } catch (error) {
        // The server fails fast, so requests on the pool fail fast, too, and need not be interrupted.
        if (steps < MAX_SILENT_STEPS) this.markResponsive();
        if (isDatabaseUnavailable(error)) this.beginOutage(connectionErrorMessage(error));
      } finally {
        clearInterval(clock);
      }
      await delay(PROBE_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Tries again at once if the connection of the probe was lost: only if a new one fails, too, the server is unavailable. */
  private async probeServer(probe: HealthProbe): Promise<void> {
    try {
      await probe.query(sql`SELECT 1 AS one`);
    } catch (error) {
      if (!this.isAvailable || !isDatabaseUnavailable(error)) throw error;
      await probe.query(sql`SELECT 1 AS one`);
    }
  }

  private markUnresponsive(): void {
    if (this.isDown || this.ending.signal.aborted) return;
    this.isDown = true;
    this.beginOutage('it does not respond. Its connections are closed, and new ones fail until it does');
    this.sockets?.closeAll();
  }

  private beginOutage(reason: string): void {
    if (!this.isAvailable || this.ending.signal.aborted) return;
    this.outageSince = Date.now();
    this.log.error(`The database is unavailable: ${reason}.`);
  }

  private endOutage(): void {
    if (this.outageSince === undefined) return;
    const seconds = Math.round((Date.now() - this.outageSince) / 1000);
    this.outageSince = undefined;
    this.log.warn(`The database is available again, after ${String(seconds)} seconds.`);
  }

  private markResponsive(): void {
    if (!this.isDown || this.ending.signal.aborted) return;
    this.isDown = false;
    this.sockets?.reopen();
  }
}

/** Keeps the options of the URL: see `connection-options.ts`. */
const withStatementTimeout = (server: ServerConfig): ServerConfig => ({
  ...server,
  options: `${server.options ?? ''} ${STATEMENT_TIMEOUT}`,
});
