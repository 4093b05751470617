import { setTimeout as delay } from 'node:timers/promises';
import {
  Inject,
  Injectable,
  Logger,
  Optional,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { HealthProbe } from '../health/health-probe';
import type { ServerConfig, ServerPoolConfig } from '../connection/pool-config';
import type { WalPosition } from '../../core/wal-position';
import { FLUSHED_POSITION, PrimaryPosition } from './primary-position';
import { Replica } from './replica';

/** Which servers there are. */
export interface ReplicationOptions {
  readonly primary: ServerConfig;
  readonly replicas: readonly ServerPoolConfig[];
  /** What may be older is not shown. */
  readonly maxLagSeconds: number;
  /** In milliseconds: for so long the answer of a replica to one statement is waited for. */
  readonly timeoutMs: number;
}

/** The injection token of `ReplicationOptions`. Without it there are no replicas: commands have none. */
export const REPLICATION = Symbol('replication');

/** How a replica fares, for people. */
export interface ReplicaStatus {
  readonly name: string;
  readonly isUsed: boolean;
  /** Infinite if it is not known. */
  readonly lagSeconds: number;
  /** How many requests it was chosen for. */
  readonly reads: number;
}

/** So often each server is asked how far it is. */
const LOOK_EVERY_MS = 500;
/** So long a read waits for a replica to reach what it has to show. */
const MAX_WAIT_MS = 500;
/** Who lacks for longer what was there before will not have the rest in time. It is not known any closer. */
const NEAR_MS = MAX_WAIT_MS + LOOK_EVERY_MS;
/** While anybody waits, so often is looked. */
const LOOK_AGAIN_MS = 3;

/** The replicas, and which of them may be read from. */
@Injectable()
export class Replicas implements OnModuleInit, OnApplicationShutdown {
  /** How many requests were to read, and read from the primary, although there are replicas. */
  readsOfPrimary = 0;
  private readonly replicas: readonly Replica[];
  private readonly primary: HealthProbe | undefined;
  private readonly log: PrimaryPosition;
  private readonly maxLagMs: number;
  private readonly ending = new AbortController();
  private watching: Promise<unknown> | undefined;
  private isPrimaryAway = false;
  private turn = 0;
  private readonly logger = new Logger('Replicas');
  /** What was said of them last: why they are not used. */
  private readonly lastReported = new Map<Replica, string | undefined>();

  constructor(@Optional() @Inject(REPLICATION) plan?: ReplicationOptions) {
    this.replicas = plan?.replicas.map((config) => new Replica(config, plan.timeoutMs)) ?? [];
    this.primary = plan && new HealthProbe(plan.primary);
    this.maxLagMs = (plan?.maxLagSeconds ?? 0) * 1000;
    this.log = new PrimaryPosition(this.maxLagMs);
  }

  get areThere(): boolean {
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

  /** Nobody waits for the first answers: until they are there, the primary is read. */
  onModuleInit(): void {
    const { primary } = this;
    if (primary && this.areThere) this.watching = this.watch(primary);
  }

  /** After the last request, which may be reading. */
  async onApplicationShutdown(): Promise<void> {
    this.ending.abort();
    await this.watching;
    this.primary?.close();
    await Promise.all(this.replicas.map((replica) => replica.close()));
  }

  /**
   * A replica to read from; undefined where it has to be the primary.
   * @param after what the replica has to show at least: it is waited for, for a moment
   */
  async choose(after: WalPosition | undefined): Promise<Replica | undefined> {
    const used = this.replicas.filter((replica) => this.rejectionReason(replica) === undefined);
    const chosen = after ? await this.thatHas(after, used) : this.oneOf(used);
    if (chosen) chosen.reads++;
    else this.readsOfPrimary++;
    return chosen;
  }

  private async thatHas(after: WalPosition, used: readonly Replica[]): Promise<Replica | undefined> {
    // What another log's position is worth in this one, nobody knows.
    if (after.log !== this.log.name) return undefined;
    const until = Date.now() + MAX_WAIT_MS;
    const near = used.filter((replica) => this.lagOf(replica) < NEAR_MS);
    for (;;) {
      const there = near.filter((replica) => replica.hasReached(after.at) && !this.rejectionReason(replica));
      const left = until - Date.now();
      if (there.length > 0 || near.length === 0 || left <= 0) return this.oneOf(there);
      await Promise.race([...near.map((replica) => replica.look()), delay(left, undefined, { ref: false })]);
      if (!near.some((replica) => replica.hasReached(after.at))) await delay(LOOK_AGAIN_MS);
    }
  }

  /** Each in its turn. */
  private oneOf(replicas: readonly Replica[]): Replica | undefined {
    return replicas[this.turn++ % Math.max(replicas.length, 1)];
  }

  private lagOf({ said }: Replica): number {
    return said ? this.log.lagOf(said.at) : Infinity;
  }

  /** Why a replica is not read from; undefined if it is. */
  private rejectionReason({ said, strays, fault }: Replica): string | undefined {
    if (this.log.name === '') return 'the primary does not report its WAL position';
    if (!said) return `it does not answer: ${fault}`;
    if (!said.follows) return 'it follows no other server';
    if (said.cluster !== this.log.cluster) return 'it is of another cluster than the primary';
    if (strays) return 'it has what the primary has not';
    return this.log.ageOf(said.at) > this.maxLagMs ? 'it lags too far behind the primary' : undefined;
  }

  private async watch(primary: HealthProbe): Promise<void> {
    await this.lookAtPrimary(primary);
    await Promise.all([
      this.often(() => this.lookAtPrimary(primary)),
      ...this.replicas.map((replica) =>
        this.often(async () => {
          await replica.look();
          this.report(replica);
        }),
      ),
    ]);
  }

  private async often(look: () => Promise<void>): Promise<void> {
    const { signal } = this.ending;
    while (!signal.aborted) {
      await look();
      await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  private async lookAtPrimary(primary: HealthProbe): Promise<void> {
    const time = Date.now();
    const before = this.replicas.map((replica) => replica.said?.at ?? '');
    try {
      const position = await primary.ask<WalPosition & Record<string, unknown>>(FLUSHED_POSITION);
      this.log.note(position, time);
      for (const [i, replica] of this.replicas.entries()) replica.strays = (before[i] ?? '') > position.at;
      this.isPrimaryAway = false;
    } catch (error) {
      // Without it nobody knows how far the replicas are: they are left when their time is over.
      if (!this.isPrimaryAway)
        this.logger.warn(`The primary does not report its WAL position: ${String(error)}`);
      this.isPrimaryAway = true;
    }
  }

  private report(replica: Replica): void {
    const rejectionReason = this.rejectionReason(replica);
    if (this.lastReported.has(replica) && this.lastReported.get(replica) === rejectionReason) return;
    this.lastReported.set(replica, rejectionReason);
    if (rejectionReason === undefined) this.logger.log(`The replica ${replica.name} is read from`);
    else this.logger.warn(`The replica ${replica.name} is not read from: ${rejectionReason}`);
  }
}
