import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable, Logger, Optional } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Pool, PoolClient, QueryResultRow } from 'pg';
import { DataSource, QueryRunnerAlreadyReleasedError, type EntityManager } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';
import type { RequestContext } from '../core/context/request-context';
import {
  CommitUnknownError,
  ConcurrentModificationError,
  isCommitUnknown,
  isDatabaseUnavailable,
  isReadOnly,
  isRetryable,
  postgresError,
  TransactionTimeoutError,
} from './errors/postgres-error';
import { AppMetrics } from '../core/app-metrics';
import { runStatement, type PlanMode, type Queryable, type Reader } from './queryable';
import { NO_POSITION, type WalPosition } from '../core/wal-position';
import { COMMITTED_POSITION } from './replication/primary-position';
import { Replicas } from './replication/replicas';
import { RequestReader } from './replication/read-routing';
import { sql, type Sql } from './sql';
import { queryTimeout, TIME_LIMITS, type TimeLimits } from './timeouts';

export type { PlanMode, Queryable, Reader } from './queryable';

/** One transaction on one connection; entities and composed SQL see the same state. */
export interface Transaction extends Queryable {
  readonly entities: EntityManager;
  /** Runs a statement and answers how many rows it touched. */
  execute(statement: Sql): Promise<number>;
}

const MAX_TRIES = 5;

/** Options of a transaction that writes. */
export interface WriteOptions {
  /** Whether it is rolled back at its end, also where its work succeeds. */
  readonly isRolledBack?: boolean;
}

/** How a transaction differs from an ordinary one. */
interface Manner extends WriteOptions {
  /** Whether it reads one unchanging state, and writes nothing. */
  readonly isSnapshot?: boolean;
  /** Whether it takes the time that it takes. */
  readonly isLong?: boolean;
}

function mayBeRepeated(error: unknown): boolean {
  const cause = postgresError(error);
  return error instanceof ConcurrentModificationError || (cause !== undefined && isRetryable(cause));
}

/**
 * The database: single statements on the pool, and transactions that are retried as a whole. All of it is on the
 * primary but what a request reads by `reading`: who forgets that is slower, and never wrong.
 */
@Injectable()
export class Database implements Reader {
  private readonly log = new Logger('Database');
  private readonly readings = new WeakMap<RequestContext, Reader>();

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly replicas: Replicas,
    private readonly measurements: AppMetrics,
    @Optional() @Inject(TIME_LIMITS) private readonly limits?: TimeLimits,
  ) {}

  /** The driver forgets it when it disconnects. */
  private get pool(): Pool | undefined {
    return (this.dataSource.driver as PostgresDriver).master as Pool | undefined;
  }

  /** How many connections the pool has and may have, and how many wait for one: none before its time, and after. */
  get connections(): { all: number; idle: number; waiting: number; most: number } {
    const { pool } = this;
    if (!pool) return { all: 0, idle: 0, waiting: 0, most: 0 };
    return { all: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount, most: pool.options.max };
  }

  async rows<T extends QueryResultRow>(statement: Sql, planning?: PlanMode): Promise<T[]> {
    const { limits, pool } = this;
    if (!pool) throw new Error('the database is not connected to');
    const timeoutMs = limits && queryTimeout(limits);
    return (await runStatement<T>(pool, statement, planning, timeoutMs)).rows;
  }

  /**
   * What a request reads from where it may be a moment behind: one and the same server for all of it, a replica where
   * there are any. It shows whatever the client has seen itself write.
   */
  reader(ctx: RequestContext): Reader {
    if (!this.replicas.areThere) return this;
    let reading = this.readings.get(ctx);
    if (!reading) {
      reading = new RequestReader(this, this.replicas, ctx.consistency?.after);
      this.readings.set(ctx, reading);
    }
    return reading;
  }

  /**
   * Lets the client's later reads show all that is committed by now, wherever they are read. It does not fail: what is
   * committed is done, whatever becomes of the primary afterwards.
   */
  async issueConsistencyToken({ consistency }: RequestContext): Promise<void> {
    if (!consistency || !this.replicas.areThere) return;
    consistency.mark(await this.committed());
  }

  private async committed(): Promise<WalPosition> {
    try {
      const [position] = await this.rows<WalPosition & Record<string, unknown>>(COMMITTED_POSITION);
      return position ?? NO_POSITION;
    } catch (error) {
      this.log.warn(`The primary does not report its WAL position: ${String(error)}`);
      return NO_POSITION;
    }
  }

  /**
   * Runs `work` in a transaction (read committed). Serialisation failures, deadlocks and `ConcurrentModificationError` are retried, with the whole
   * of `work`, which must therefore have no effects outside the database; every other error rolls back and is thrown.
   * @throws OutcomeUnknown if the connection was lost while it committed
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options: WriteOptions = {}): Promise<T> {
    return this.retried(work, options);
  }

  /** The same for what is long by nature: neither it nor one of its statements is ended because of its time. */
  longTransaction<T>(work: (tx: Transaction) => Promise<T>, options: WriteOptions = {}): Promise<T> {
    return this.retried(work, { ...options, isLong: true });
  }

  private async retried<T>(work: (tx: Transaction) => Promise<T>, manner: Manner): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.attempt(work, manner);
      } catch (error) {
        if (!mayBeRepeated(error) || attempt === MAX_TRIES) throw error;
        this.measurements.retries.inc();
        // Not all at once again.
        await delay(Math.random() * 20 * attempt);
      }
    }
  }

  /** Runs `work` on one unchanging state of the whole database, whatever others write meanwhile. */
  async snapshot<T>(work: (on: Queryable) => Promise<T>): Promise<T> {
    return this.snapshotOf(work, {});
  }

  /**
   * The same for what is sent while it is read. The database does not end it for its client's slowness, nor for its
   * length: whoever sends has to leave a client that takes nothing.
   */
  async longSnapshot<T>(work: (on: Queryable) => Promise<T>): Promise<T> {
    return this.snapshotOf(
      async (on) => {
        await on.rows(sql`SELECT set_config('idle_in_transaction_session_timeout', '0', true)`);
        return work(on);
      },
      { isLong: true },
    );
  }

  private snapshotOf<T>(work: (on: Queryable) => Promise<T>, manner: Manner): Promise<T> {
    return this.attempt(
      async (tx) => {
        await tx.execute(sql`SET TRANSACTION READ ONLY`);
        return work(tx);
      },
      { ...manner, isSnapshot: true },
    );
  }

  private async attempt<T>(
    work: (tx: Transaction) => Promise<T>,
    { isSnapshot = false, isLong = false, isRolledBack = false }: Manner,
  ): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    let watch: ConnectionWatch | undefined;
    let isCommitting = false;
    try {
      const client = (await runner.connect()) as PoolClient;
      watch = new ConnectionWatch(client, isLong ? undefined : this.limits?.transaction);
      await runner.startTransaction(isSnapshot ? 'REPEATABLE READ' : undefined);
      if (isLong && this.limits)
        await runStatement(client, sql`SELECT set_config('statement_timeout', '0', true)`);
      const tx: Transaction = {
        entities: runner.manager,
        rows: async (statement, planning) => (await runStatement(client, statement, planning)).rows as never,
        execute: async (statement) => (await runStatement(client, statement)).rowCount ?? 0,
      };
      const result = await work(tx);
      if (isRolledBack) {
        await runner.rollbackTransaction();
        return result;
      }
      isCommitting = !isSnapshot;
      await runner.commitTransaction();
      return result;
    } catch (error) {
      await rollBack(runner, error);
      // It would stay with a server that is no longer the primary.
      if (isReadOnly(error)) await watch?.cut();
      const reason = watch?.reasonOf(error) ?? error;
      throw isCommitting && isCommitUnknown(reason) ? new CommitUnknownError(reason) : reason;
    } finally {
      watch?.end();
      await runner.release();
    }
  }
}

/** A connection during one transaction: whether it is lost, and why. */
class ConnectionWatch {
  private reason: Error | undefined;
  private hasEnded: () => void = () => undefined;
  /** Known from the beginning: it may come before anybody waits for it. */
  private readonly ended = new Promise<void>((resolve) => (this.hasEnded = resolve));
  private readonly timer: NodeJS.Timeout | undefined;
  private readonly lose = (error: Error): void => {
    this.reason ??= error;
  };

  /** @param seconds after so many it is cut, and with it the transaction */
  constructor(
    private readonly client: PoolClient,
    seconds: number | undefined,
  ) {
    client.on('error', this.lose);
    client.once('end', this.hasEnded);
    if (seconds === undefined) return;
    this.timer = setTimeout(() => {
      this.reason ??= new TransactionTimeoutError(seconds);
      client.connection.stream.destroy();
    }, seconds * 1000);
  }

  /** Why the connection was lost, where an error is the consequence of that. */
  reasonOf(error: unknown): Error | undefined {
    // What the database itself has said comes before the loss.
    if (postgresError(error)) return undefined;
    const isConsequence = isDatabaseUnavailable(error) || error instanceof QueryRunnerAlreadyReleasedError;
    return isConsequence ? this.reason : undefined;
  }

  /** Ends the connection, so that no pool keeps it. */
  async cut(): Promise<void> {
    this.client.connection.stream.destroy();
    await this.ended;
  }

  end(): void {
    clearTimeout(this.timer);
    this.client.off('error', this.lose);
    this.client.off('end', this.hasEnded);
  }
}

async function rollBack(
  runner: { isTransactionActive: boolean; rollbackTransaction(): Promise<void> },
  cause: unknown,
) {
  if (!runner.isTransactionActive) return;
  try {
    await runner.rollbackTransaction();
  } catch (failure) {
    // The connection is gone, and with it the transaction: the first error is the one that says why.
    if (cause instanceof Error && cause.cause === undefined) cause.cause = failure;
  }
}
