import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { Pool, PoolClient, QueryResult, QueryResultRow } from 'pg';
import type { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';
import type { ProjectScope, RequestContext } from '../core/context/request-context';
import {
  CommitUnknownError,
  ConcurrentModificationError,
  isCommitUnknown,
  isReadOnly,
  isRetryable,
  postgresError,
} from './errors/postgres-error';
import type { AppMetrics } from '../core/app-metrics';
import type { Caller, ConcurrencyLimiter, Shares } from '../core/concurrency';
import {
  databaseLimiter,
  ReadQueue,
  runStatement,
  type Connected,
  type PlanMode,
  type Queryable,
  type Reader,
  type Statement,
} from './queryable';
import { NO_POSITION, type WalPosition } from '../core/wal-position';
import { COMMITTED_POSITION } from './replication/primary-position';
import { type Replicas, RequestReader } from './replication/replicas';
import { type CachedRows, postgresRowCache, type RowCache } from './row-cache';
import type { ResourceMapping } from './resource-mapping';
import { Session } from './session';
import { sql, type Sql } from './sql';
import { type NewTransaction, postgresTransaction, type Transaction } from './transaction';
import { CONNECT_TIMEOUT_MS, queryTimeout, type TimeLimits } from './connection/connection-options';
import { ConnectionWatch } from './connection/connection-watch';

export type { PlanMode, Queryable, Reader } from './queryable';
export type { Transaction } from './transaction';

const MAX_TRIES = 5;

/** For a long transaction, which can also wait for its client, or for another connection. */
const NO_TIMEOUTS = sql`SELECT set_config('statement_timeout', '0', true),
  set_config('idle_in_transaction_session_timeout', '0', true)`;

/**
 * The shares of transactions and snapshots. Together with the shares of single reads, they leave connections of the
 * default pool for others.
 */
function transactionShares(connections: number): Shares {
  const maxPerUser = Math.ceil(connections / 2);
  return { maxPerUser, maxPerProject: Math.max(maxPerUser, Math.floor((connections * 5) / 8)) };
}

/** Options of a transaction that writes. */
export interface WriteOptions {
  /** Whose share of the connections the transaction uses; absent: it is not part of a request. */
  readonly caller?: Caller;
  /** Whether it is rolled back at its end, even if its work succeeds. */
  readonly isRolledBack?: boolean;
}

interface TransactionOptions extends WriteOptions {
  /** Whether it only reads, from one snapshot. */
  readonly isSnapshot?: boolean;
  /** Whether it has no timeouts. */
  readonly isLong?: boolean;
}

/** The number of nodes of the database, and of those that cannot be reached. */
export interface NodeCounts {
  readonly nodes: number;
  readonly unreachable: number;
}

function isRetryableError(error: unknown): boolean {
  const cause = postgresError(error);
  return error instanceof ConcurrentModificationError || (cause !== undefined && isRetryable(cause));
}

/**
 * The database: single statements on the pool, and transactions, which are retried as a whole. Requests read through
 * `reader`, which queues their statements and can use a replica. All else runs on the primary, and waits for a
 * connection only.
 *
 * Statements are about one project, or can be about all of them. The methods for what else differs between PostgreSQL
 * and Citus are overridden by `CitusDatabase`.
 */
export class Database implements Reader {
  private readonly log = new Logger('Database');
  private readonly readers = new WeakMap<RequestContext, Reader>();
  private readonly readQueue: ReadQueue;
  private readonly transactions: ConcurrencyLimiter;

  constructor(
    private readonly dataSource: DataSource,
    private readonly replicas: Replicas,
    private readonly metrics: AppMetrics,
    private readonly limits?: TimeLimits,
  ) {
    const { poolSize = 1 } = dataSource.options;
    this.readQueue = new ReadQueue(this, poolSize, CONNECT_TIMEOUT_MS);
    const shares = transactionShares(poolSize);
    this.transactions = databaseLimiter(poolSize, shares, 'transactions and snapshots', CONNECT_TIMEOUT_MS);
  }

  /** The driver drops it when it disconnects. */
  private get pool(): Pool | undefined {
    return (this.dataSource.driver as PostgresDriver).master as Pool | undefined;
  }

  /** The state of the pool. All values are zero while the data source is not connected. */
  get connections(): { all: number; idle: number; waiting: number; max: number } {
    const { pool } = this;
    if (!pool) return { all: 0, idle: 0, waiting: 0, max: 0 };
    const waiting = pool.waitingCount + this.readQueue.length + this.transactions.queued;
    return { all: pool.totalCount, idle: pool.idleCount, waiting, max: pool.options.max };
  }

  async rows<T extends QueryResultRow>(statement: Sql, planning?: PlanMode): Promise<T[]> {
    const { limits, pool } = this;
    if (!pool) throw new Error('the database is not connected');
    return (await this.send<T>(pool, statement, planning, limits && queryTimeout(limits))).rows;
  }

  /** Sends a statement. @param timeoutMs see `runStatement` */
  protected send<T extends QueryResultRow>(
    on: Connected,
    statement: Statement,
    planning?: PlanMode,
    timeoutMs?: number,
  ): Promise<QueryResult<T>> {
    return runStatement<T>(on, statement, planning, timeoutMs);
  }

  /** Begins the work of a transaction. */
  protected readonly newTransaction: NewTransaction = postgresTransaction;

  /** Gives an error of the database the meaning that PostgreSQL's errors have. */
  protected interpret(error: unknown): unknown {
    return error;
  }

  /** The scopes of the statements that read the resources in a scope, one after the other. */
  statementScopes(_mapping: ResourceMapping, scope: ProjectScope): Promise<ProjectScope[]> {
    return Promise.resolve([scope]);
  }

  /** Splits rows of several projects into parts for which one statement can be run. */
  splitByProject<T extends { readonly project_id: string }>(rows: readonly T[]): (readonly T[])[] {
    return [rows];
  }

  /**
   * The parts of all tables that one statement can read. Each is a `WITH` clause in which the name of a table stands for
   * its rows in this part.
   */
  tableParts(): Promise<Sql[]> {
    return Promise.resolve([sql``]);
  }

  /** Creates a cache of rows. */
  rowCache<T extends object>(cached: CachedRows<T>): RowCache<T> {
    return postgresRowCache(cached);
  }

  /**
   * Updates the planner's statistics of a table: see the first migration.
   * @returns false if another session has the lock of the table
   */
  async analyze(table: string): Promise<boolean> {
    const statement = sql`SELECT analyze_table(${table}, false) AS is_analyzed`;
    const [row] = await this.rows<{ is_analyzed: boolean }>(statement, 'custom');
    return row?.is_analyzed === true;
  }

  /** The nodes that have projects. Undefined if nothing is known about them. */
  nodeCounts(): Promise<NodeCounts | undefined> {
    return Promise.resolve({ nodes: 1, unreachable: 0 });
  }

  /**
   * Returns the reader of a request. Its statements wait in the `ReadQueue`, or run on a replica if one is usable, which
   * can lag slightly behind the primary: a request uses one server for all its reads. The reads include all writes that the
   * client knows of. Reads and snapshots count towards the shares of its user and its project.
   */
  reader(ctx: RequestContext): Reader {
    let reader = this.readers.get(ctx);
    if (!reader) {
      const primary: Reader = {
        ...this.readQueue.newReader(ctx),
        snapshot: (work) => this.transactions.run(() => this.snapshot(work), { caller: ctx }),
      };
      reader = this.replicas.areConfigured ? new RequestReader(primary, this.replicas, ctx) : primary;
      this.readers.set(ctx, reader);
    }
    return reader;
  }

  /**
   * The position for the client's consistency token: its later reads, on any server, include all that is committed now.
   * It does not fail, because the change is already committed.
   * @returns undefined if the client needs no token
   */
  async committedPosition({ consistency }: RequestContext): Promise<WalPosition | undefined> {
    return consistency && this.replicas.areConfigured ? this.readCommittedPosition() : undefined;
  }

  private async readCommittedPosition(): Promise<WalPosition> {
    try {
      const [position] = await this.rows<WalPosition & Record<string, unknown>>(COMMITTED_POSITION);
      return position ?? NO_POSITION;
    } catch (error) {
      this.log.warn(`The primary does not report its WAL position: ${String(error)}`);
      return NO_POSITION;
    }
  }

  /** Opens a connection beside the pool. The caller must end it. */
  openSession(): Promise<Session> {
    const { pool } = this;
    if (!pool) throw new Error('the database is not connected');
    return Session.open(pool.options);
  }

  /**
   * Runs `work` in a transaction (read committed). After serialisation failures, deadlocks and
   * `ConcurrentModificationError`, it runs `work` again, which must therefore have no effects outside of the database.
   * All other errors roll back and are thrown.
   * @throws CommitUnknownError if the connection was lost during the commit
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options: WriteOptions = {}): Promise<T> {
    return this.runInShare(work, options);
  }

  /** A transaction without timeouts, for itself and for its statements. */
  longTransaction<T>(work: (tx: Transaction) => Promise<T>, options: WriteOptions): Promise<T> {
    return this.runInShare(work, { ...options, isLong: true });
  }

  private runInShare<T>(
    work: (tx: Transaction) => Promise<T>,
    { caller, ...options }: TransactionOptions,
  ): Promise<T> {
    const run = () => this.runWithRetries(work, options);
    return caller ? this.transactions.run(run, { caller }) : run();
  }

  private async runWithRetries<T>(
    work: (tx: Transaction) => Promise<T>,
    options: TransactionOptions,
  ): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.attempt(work, options);
      } catch (error) {
        if (!isRetryableError(error) || attempt === MAX_TRIES) throw error;
        this.metrics.retries.inc();
        // The random delay avoids the same conflict again.
        await delay(Math.random() * 20 * attempt);
      }
    }
  }

  /** Runs `work` on one snapshot of the database. */
  async snapshot<T>(work: (on: Queryable) => Promise<T>): Promise<T> {
    return this.runSnapshot(work, {});
  }

  /**
   * A snapshot for responses that are sent while they are read. It has no timeouts, neither for its duration nor while
   * the client is slow, so the sender must disconnect a client that does not read.
   */
  async longSnapshot<T>(work: (on: Queryable) => Promise<T>): Promise<T> {
    return this.runSnapshot(work, { isLong: true });
  }

  private runSnapshot<T>(work: (on: Queryable) => Promise<T>, options: TransactionOptions): Promise<T> {
    return this.attempt(
      async (tx) => {
        await tx.execute(sql`SET TRANSACTION READ ONLY`);
        return work(tx);
      },
      { ...options, isSnapshot: true },
    );
  }

  private async attempt<T>(
    work: (tx: Transaction) => Promise<T>,
    { isSnapshot = false, isLong = false, isRolledBack = false }: TransactionOptions,
  ): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    let watch: ConnectionWatch | undefined;
    let isCommitting = false;
    let isOpen = true;
    try {
      const client = (await runner.connect()) as PoolClient;
      watch = new ConnectionWatch(client, isLong ? undefined : this.limits?.transaction);
      await runner.startTransaction(isSnapshot ? 'REPEATABLE READ' : undefined);
      if (isLong && this.limits) await runStatement(client, NO_TIMEOUTS);
      const tx = await this.newTransaction(runner.manager, async (statement, planning) => {
        // Work that goes on after an error would write into the next transaction of this connection.
        if (!isOpen) throw new Error('a statement came after the end of its transaction');
        return this.send(client, statement, planning);
      });
      const result = await work(tx);
      isOpen = false;
      if (isRolledBack) {
        await runner.rollbackTransaction();
        return result;
      }
      isCommitting = !isSnapshot;
      await runner.commitTransaction();
      return result;
    } catch (error) {
      isOpen = false;
      await rollBack(runner, error);
      // The connection would stay with a server that is no longer the primary.
      if (isReadOnly(error)) await watch?.destroy();
      const reason = watch?.reasonOf(error) ?? error;
      throw isCommitting && isCommitUnknown(reason) ? new CommitUnknownError(reason) : this.interpret(reason);
    } finally {
      watch?.end();
      await runner.release();
    }
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
    // The connection is lost, and with it the transaction. The first error has the reason.
    if (cause instanceof Error && cause.cause === undefined) cause.cause = failure;
  }
}
