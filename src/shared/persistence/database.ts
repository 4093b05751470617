import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { TypeOverrides, types, type ClientBase, type Pool, type QueryResultRow } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';
import { Overtaken } from '../errors/overtaken';
import { isRetryable, postgresError } from '../errors/postgres-error';
import { sql, statementName, type Sql } from './sql';

/**
 * Whether the database plans a statement once per connection, for whatever values; or anew each time, for the values
 * that it is given: where the best way depends on them, that is worth the fraction of a millisecond.
 */
export type Planning = 'once' | 'each time';

/** Reads rows. The pool is one, and so is a transaction. */
export interface Queryable {
  rows<T extends QueryResultRow>(statement: Sql, planning?: Planning): Promise<T[]>;
}

/** One transaction on one connection; entities and composed SQL see the same state. */
export interface Transaction extends Queryable {
  readonly entities: EntityManager;
  /** Runs a statement and answers how many rows it touched. */
  execute(statement: Sql): Promise<number>;
}

/** Ids come from an identity column and stay far below 2^53; times stay text, which keeps their microseconds. */
const valueTypes = new TypeOverrides();
valueTypes.setTypeParser(types.builtins.INT8, Number);
valueTypes.setTypeParser(types.builtins.TIMESTAMPTZ, String);

async function run<T extends QueryResultRow>(
  on: Pool | ClientBase,
  statement: Sql,
  planning: Planning = 'once',
) {
  const text = statement.text;
  const name = planning === 'once' ? statementName(text) : undefined;
  return on.query<T>({
    text,
    values: statement.values,
    types: valueTypes,
    ...(name === undefined ? {} : { name }),
  });
}

const MOST_TRIES = 5;

function mayBeRepeated(error: unknown): boolean {
  const cause = postgresError(error);
  return error instanceof Overtaken || (cause !== undefined && isRetryable(cause));
}

/** The database: single statements on the pool, and transactions that are retried as a whole. */
@Injectable()
export class Database implements Queryable {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  private get pool(): Pool {
    return (this.dataSource.driver as PostgresDriver).master as Pool;
  }

  async rows<T extends QueryResultRow>(statement: Sql, planning?: Planning): Promise<T[]> {
    return (await run<T>(this.pool, statement, planning)).rows;
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
