import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { ClientBase, Pool, QueryResultRow } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';
import type { RequestContext } from '../context/request-context';
import { Overtaken } from '../errors/overtaken';
import { isRetryable, postgresError } from '../errors/postgres-error';
import { run, type Planning, type Queryable, type Reading } from './queryable';
import { COMMITTED, type LogPosition } from './replication/log-position';
import { Replicas } from './replication/replicas';
import { RequestReading } from './replication/request-reading';
import { sql, type Sql } from './sql';

export type { Planning, Queryable, Reading } from './queryable';

/** One transaction on one connection; entities and composed SQL see the same state. */
export interface Transaction extends Queryable {
  readonly entities: EntityManager;
  /** Runs a statement and answers how many rows it touched. */
  execute(statement: Sql): Promise<number>;
}

const MOST_TRIES = 5;

function mayBeRepeated(error: unknown): boolean {
  const cause = postgresError(error);
  return error instanceof Overtaken || (cause !== undefined && isRetryable(cause));
}

/**
 * The database: single statements on the pool, and transactions that are retried as a whole. All of it is on the
 * primary but what a request reads by `reading`: who forgets that is slower, and never wrong.
 */
@Injectable()
export class Database implements Reading {
  private readonly readings = new WeakMap<RequestContext, Reading>();

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly replicas: Replicas,
  ) {}

  private get pool(): Pool {
    return (this.dataSource.driver as PostgresDriver).master as Pool;
  }

  async rows<T extends QueryResultRow>(statement: Sql, planning?: Planning): Promise<T[]> {
    return (await run<T>(this.pool, statement, planning)).rows;
  }

  /**
   * What a request reads from where it may be a moment behind: one and the same server for all of it, a replica where
   * there are any. It shows whatever the client has seen itself write.
   */
  reading(ctx: RequestContext): Reading {
    if (!this.replicas.areThere) return this;
    let reading = this.readings.get(ctx);
    if (!reading) {
      reading = new RequestReading(this, this.replicas, ctx.consistency?.after);
      this.readings.set(ctx, reading);
    }
    return reading;
  }

  /** Lets the client's later reads show all that is committed by now, wherever they are read. */
  async mark({ consistency }: RequestContext): Promise<void> {
    if (!consistency || !this.replicas.areThere) return;
    const [position] = await this.rows<LogPosition & Record<string, unknown>>(COMMITTED);
    if (position) consistency.mark(position);
  }

  /**
   * Runs `work` in a transaction (read committed). Serialisation failures, deadlocks and `Overtaken` are retried, with the whole
   * of `work`, which must therefore have no effects outside the database; every other error rolls back and is thrown.
   */
  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.attempt(work);
      } catch (error) {
        if (!mayBeRepeated(error) || attempt === MOST_TRIES) throw error;
        // Not all at once again.
        await delay(Math.random() * 20 * attempt);
      }
    }
  }

  /** Runs `work` on one unchanging state of the whole database, whatever others write meanwhile. */
  async snapshot<T>(work: (on: Queryable) => Promise<T>): Promise<T> {
    return this.attempt(async (tx) => {
      await tx.execute(sql`SET TRANSACTION READ ONLY`);
      return work(tx);
    }, 'REPEATABLE READ');
  }

  /**
   * The same for what is sent while it is read. The database does not end it for its client's slowness: whoever sends
   * has to leave a client that takes nothing.
   */
  async longSnapshot<T>(work: (on: Queryable) => Promise<T>): Promise<T> {
    return this.snapshot(async (on) => {
      await on.rows(sql`SELECT set_config('idle_in_transaction_session_timeout', '0', true)`);
      return work(on);
    });
  }

  private async attempt<T>(work: (tx: Transaction) => Promise<T>, isolation?: 'REPEATABLE READ'): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    try {
      const client = (await runner.connect()) as ClientBase;
      await runner.startTransaction(isolation);
      const tx: Transaction = {
        entities: runner.manager,
        rows: async (statement, planning) => (await run(client, statement, planning)).rows as never,
        execute: async (statement) => (await run(client, statement)).rowCount ?? 0,
      };
      const result = await work(tx);
      await runner.commitTransaction();
      return result;
    } catch (error) {
      await rollBack(runner, error);
      throw error;
    } finally {
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
    // The connection is gone, and with it the transaction: the first error is the one that says why.
    if (cause instanceof Error && cause.cause === undefined) cause.cause = failure;
  }
}
