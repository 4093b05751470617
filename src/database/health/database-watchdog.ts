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
import type { PoolSockets } from './pool-sockets';
import { HealthProbe } from './health-probe';
import type { ServerConfig } from '../connection/pool-config';
import { sql, type Sql } from '../sql';

/** Whose pulse is felt, and what is cut where there is none. */
export interface WatchdogOptions {
  readonly server: ServerConfig;
  /** The pool's. */
  readonly lines: PoolSockets;
  /** Those to replicas, which are left alone until the process ends: they do not depend on this database's pulse. */
  readonly replicaLines: PoolSockets;
}

/** The injection token of `WatchdogOptions`. Without it nobody looks: commands wait for the database as long as it takes. */
export const WATCHDOG_OPTIONS = Symbol('pulse');

/** So often the database is asked whether it answers. */
const ASK_EVERY_MS = 500;
/** Of a database that is silent it is asked for so long: then it is asked on a new connection. */
const GIVE_UP_MS = 5_000;
/**
 * No question may wait for a lock, or for a disk, so long that the next one makes the database look silent. It is the
 * database that ends it: one that is silent does not.
 */
const QUESTION_ENDS = '-c statement_timeout=1s';
/** The time is counted in steps that this process has lived through, so that its own standstill is not the database's. */
const STEP_MS = 100;
/** After so many steps without an answer the database is silent. */
const SILENT_AFTER = 30;

/**
 * Whether the database answers at all. One that is stopped, or behind a broken network, neither answers nor refuses, and
 * whatever waits for it would wait in vain: its connections are cut as soon as that is known, and until it answers
 * again nobody gets one. It is asked on a connection of its own, because a busy pool is no sign of silence.
 */
@Injectable()
export class DatabaseWatchdog implements OnModuleInit, OnApplicationShutdown {
  private readonly probe: HealthProbe | undefined;
  private readonly lines: PoolSockets | undefined;
  private readonly replicaLines: PoolSockets | undefined;
  private readonly ending = new AbortController();
  private probing: Promise<void> | undefined;
  private hasStopped = false;
  private readonly log = new Logger('Database');

  constructor(@Optional() @Inject(WATCHDOG_OPTIONS) plan?: WatchdogOptions) {
    this.probe = plan && new HealthProbe(hurried(plan.server), GIVE_UP_MS);
    this.lines = plan?.lines;
    this.replicaLines = plan?.replicaLines;
  }

  /** It was asked, and has not answered since. */
  get isSilent(): boolean {
    return this.hasStopped;
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
   * Asks the database beside the pool, which may be busy.
   * @param question must have a row for an answer
   * @throws if it is away, refuses to answer, or cannot within a second
   */
  async ask<T extends QueryResultRow>(question: Sql): Promise<T> {
    if (!this.probe) throw new Error('the watchdog has no database to probe');
    return this.probe.ask<T>(question);
  }

  /** Cuts whatever still waits for the database, or a replica of it: this process is about to end. */
  cutAll(): void {
    this.lines?.cut();
    this.replicaLines?.cut();
  }

  private async watch(probe: HealthProbe): Promise<void> {
    const { signal } = this.ending;
    while (!signal.aborted) {
      let steps = 0;
      const clock = setInterval(() => {
        if (++steps === SILENT_AFTER) this.stopped();
      }, STEP_MS);
      try {
        await probe.ask(sql`SELECT 1 AS one`);
        this.recovered();
      } catch {
        // Who is told so soon that there is no answer need not be spared the waiting: those in the pool are told, too.
        if (steps < SILENT_AFTER) this.recovered();
      } finally {
        clearInterval(clock);
      }
      await delay(ASK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  private stopped(): void {
    if (this.hasStopped || this.ending.signal.aborted) return;
    this.hasStopped = true;
    this.log.error('The database does not answer: its connections are cut until it does');
    this.lines?.cut();
  }

  private recovered(): void {
    if (!this.hasStopped || this.ending.signal.aborted) return;
    this.hasStopped = false;
    this.lines?.open();
    this.log.log('The database answers again');
  }
}

/** The options that a URL names are among these: see `ormconfig.ts`. */
const hurried = (server: ServerConfig): ServerConfig => ({
  ...server,
  options: `${server.options ?? ''} ${QUESTION_ENDS}`,
});
