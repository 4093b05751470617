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
import { HealthProbe } from '../health/health-probe';
import type { ServerConfig, ServerPoolConfig } from '../connection/server-config';
import type { RequestContext } from '../../core/context/request-context';
import type { WalPosition } from '../../core/wal-position';
import { FLUSHED_POSITION, PrimaryPosition } from './primary-position';
import { Replica } from './replica';
import { isDatabaseUnavailable, isRetryable, isQueryTimeout, postgresError } from '../errors/postgres-error';
import type { PlanMode, Queryable, Reader } from '../queryable';
import type { Sql } from '../sql';

/** The servers, and the limits of reads from replicas. */
export interface ReplicationOptions {
  readonly primary: ServerConfig;
  readonly replicas: readonly ServerPoolConfig[];
  /** Replicas with a larger lag are not used. */
  readonly maxLagSeconds: number;
  /** The timeout of statements on replicas, in milliseconds. */
  readonly timeoutMs: number;
}

/** The injection token of `ReplicationOptions`. Commands do not provide it, so they use no replicas. */
export const REPLICATION = Symbol('replication');

/** The state of a replica, for metrics. */
export interface ReplicaStatus {
  readonly name: string;
  readonly isUsed: boolean;
  /** Infinite if it is unknown. */
  readonly lagSeconds: number;
  /** The number of requests that read from it. */
  readonly reads: number;
}

/** How often the position of each server is read. */
const POLL_INTERVAL_MS = 500;

/** How long a read waits for a replica to reach a position. */
const MAX_WAIT_MS = 500;

/** Replicas with a larger lag are unlikely to catch up in time. The lag is only known to the interval of polls. */
const MAX_CATCH_UP_LAG_MS = MAX_WAIT_MS + POLL_INTERVAL_MS;

/** The poll interval while a read waits. */
const WAIT_POLL_INTERVAL_MS = 3;

/** The replicas, and the selection of those that are usable for reads. */
@Injectable()
export class Replicas implements OnModuleInit, OnApplicationShutdown {
  /** The number of requests that read from the primary although replicas are configured. */
  readsOfPrimary = 0;
  private readonly replicas: readonly Replica[];
  private readonly primary: HealthProbe | undefined;
  private readonly log: PrimaryPosition;
  private readonly maxLagMs: number;
  private readonly ending = new AbortController();
  private watching: Promise<unknown> | undefined;
  private isPrimaryUnavailable = false;
  private nextIndex = 0;
  private readonly logger = new Logger('Replicas');
  /** The last logged reason why a replica is not used; undefined if it is used. */
  private readonly lastReported = new Map<Replica, string | undefined>();

  constructor(@Optional() @Inject(REPLICATION) plan?: ReplicationOptions) {
    this.replicas = plan?.replicas.map((config) => new Replica(config, plan.timeoutMs)) ?? [];
    this.primary = plan && new HealthProbe(plan.primary);
    this.maxLagMs = (plan?.maxLagSeconds ?? 0) * 1000;
    this.log = new PrimaryPosition(this.maxLagMs);
  }

  get areConfigured(): boolean {
    return this.replicas.length > 0;
  }

  get status(): ReplicaStatus[] {
    return this.replicas.map((replica) => ({
      name: replica.name,
      isUsed: this.rejectionReason(replica) === undefined,
      lagSeconds: this.lagOf(replica) / 1000,
      reads: replica.reads,
    }));
  }

  /** Does not wait for the first poll. Until then, reads use the primary. */
  onModuleInit(): void {
    const { primary } = this;
    if (primary && this.areConfigured) this.watching = this.watch(primary);
  }

  /** Runs after the last request. */
  async onApplicationShutdown(): Promise<void> {
    this.ending.abort();
    await this.watching;
    this.primary?.close();
    await Promise.all(this.replicas.map((replica) => replica.close()));
  }

  /**
   * Selects a replica to read from; undefined if the primary must be used.
   * @param after the position that the replica must have reached. The call waits for it for a moment
   */
  async choose(after: WalPosition | undefined): Promise<Replica | undefined> {
    const used = this.replicas.filter((replica) => this.rejectionReason(replica) === undefined);
    const chosen = after ? await this.waitForPosition(after, used) : this.next(used);
    if (chosen) chosen.reads++;
    else this.readsOfPrimary++;
    return chosen;
  }

  private async waitForPosition(after: WalPosition, used: readonly Replica[]): Promise<Replica | undefined> {
    // Positions of different logs cannot be compared.
    if (after.log !== this.log.name) return undefined;
    const until = Date.now() + MAX_WAIT_MS;
    const near = used.filter((replica) => this.lagOf(replica) < MAX_CATCH_UP_LAG_MS);
    for (;;) {
      const ready = near.filter((replica) => replica.hasReached(after.at) && !this.rejectionReason(replica));
      const remaining = until - Date.now();
      if (ready.length > 0 || near.length === 0 || remaining <= 0) return this.next(ready);
      const timeout = delay(remaining, undefined, { ref: false });
      await Promise.race([...near.map((replica) => replica.refresh()), timeout]);
      if (!near.some((replica) => replica.hasReached(after.at))) await delay(WAIT_POLL_INTERVAL_MS);
    }
  }

  /** Selects replicas in turn (round robin). */
  private next(replicas: readonly Replica[]): Replica | undefined {
    return replicas[this.nextIndex++ % Math.max(replicas.length, 1)];
  }

  private lagOf({ position }: Replica): number {
    return position ? this.log.lagOf(position.at) : Infinity;
  }

  /** Why a replica is not used; undefined if it is. */
  private rejectionReason({ position, isAhead, failure }: Replica): string | undefined {
    if (this.log.name === '') return 'the primary does not report its WAL position';
    if (!position) return `it does not respond: ${failure}`;
    if (!position.follows) return 'it is not in recovery (it was promoted, for example)';
    if (position.cluster !== this.log.cluster) return 'it belongs to another cluster than the primary';
    if (isAhead) return 'it is ahead of the primary';
    return this.log.ageOf(position.at) > this.maxLagMs ? 'it lags too far behind the primary' : undefined;
  }

  private async watch(primary: HealthProbe): Promise<void> {
    await this.refreshPrimary(primary);
    await Promise.all([
      this.poll(() => this.refreshPrimary(primary)),
      ...this.replicas.map((replica) =>
        this.poll(async () => {
          await replica.refresh();
          this.report(replica);
        }),
      ),
    ]);
  }

  private async poll(refresh: () => Promise<void>): Promise<void> {
    const { signal } = this.ending;
    while (!signal.aborted) {
      await refresh();
      await delay(POLL_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  private async refreshPrimary(primary: HealthProbe): Promise<void> {
    const time = Date.now();
    const before = this.replicas.map((replica) => replica.position?.at ?? '');
    try {
      const position = await primary.query<WalPosition & Record<string, unknown>>(FLUSHED_POSITION);
      this.log.addSample(position, time);
      for (const [i, replica] of this.replicas.entries()) replica.isAhead = (before[i] ?? '') > position.at;
      this.isPrimaryUnavailable = false;
    } catch (error) {
      // Without the position of the primary, the age of the replicas grows until they are no longer used.
      if (!this.isPrimaryUnavailable)
        this.logger.warn(`The primary does not report its WAL position: ${String(error)}`);
      this.isPrimaryUnavailable = true;
    }
  }

  private report(replica: Replica): void {
    const rejectionReason = this.rejectionReason(replica);
    if (this.lastReported.has(replica) && this.lastReported.get(replica) === rejectionReason) return;
    this.lastReported.set(replica, rejectionReason);
    if (rejectionReason === undefined) this.logger.log(`The replica ${replica.name} is used for reads`);
    else this.logger.warn(`The replica ${replica.name} is not used for reads: ${rejectionReason}`);
  }
}

/**
 * Reads for one request, all from one server, so that no read is older than a previous one: from a replica, or from the
 * primary if no replica is usable, or after the replica failed.
 */
export class RequestReader implements Reader {
  private chosen: Promise<Replica | undefined> | undefined;

  /** @param ctx the request. Its token of consistency is the position that the reads must include */
  constructor(
    private readonly primary: Reader,
    private readonly replicas: Replicas,
    private readonly ctx: RequestContext,
  ) {}

  async rows<T extends QueryResultRow>(statement: Sql, planning?: PlanMode): Promise<T[]> {
    return this.read((server) => server.rows<T>(statement, planning));
  }

  async snapshot<T>(work: (on: Queryable) => Promise<T>): Promise<T> {
    return this.read((server) => server.snapshot(work));
  }

  private async read<T>(read: (server: Reader) => Promise<T>): Promise<T> {
    const replica = await (this.chosen ??= this.replicas.choose(this.ctx.consistency?.after));
    if (!replica) return read(this.primary);
    try {
      return await replica.limiter.run(() => read(replica), { caller: this.ctx });
    } catch (error) {
      // A slow replica ends the statement itself, so a query timeout means that the replica does not respond.
      const isUnavailable = isDatabaseUnavailable(error) || isQueryTimeout(error);
      if (!isUnavailable && !isConflict(error)) throw error;
      if (isUnavailable) replica.markUnavailable();
      this.chosen = Promise.resolve(undefined);
      return read(this.primary);
    }
  }
}

/** Whether a replica cancelled a statement because it conflicted with recovery. */
function isConflict(error: unknown): boolean {
  const dbError = postgresError(error);
  return dbError !== undefined && isRetryable(dbError);
}
