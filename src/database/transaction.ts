import type { QueryResult, QueryResultRow } from 'pg';
import type { EntityManager } from 'typeorm';
import type { PlanMode, Queryable } from './queryable';
import { join, raw, sql, type Sql } from './sql';

/** A write of one row `t`, and a read of that row. */
export interface WrittenRow {
  /** The write, with columns over `t` in its `RETURNING` clause. */
  readonly write: (returning: Sql) => Sql;
  readonly columns: Sql;
  /** A statement that reads the same columns of the row with this id. */
  readonly read: (id: number) => Sql;
}

/**
 * Makes the rows of a query readable by several of the writes: as a materialized CTE, so the query runs once. On Citus, each
 * write repeats the query, so the writes must not change what it reads.
 * @returns what a write has in its `FROM` clause
 */
export type Materialize = (query: Sql) => Sql;

/** Writes that belong together. None sees the rows of another one. */
export interface JointWrites {
  /** An insert that returns an `id`, which the other writes use. */
  readonly insert?: Sql;
  /** The other writes. @param id an expression for the id */
  readonly writes: (id: Sql, materialize: Materialize) => readonly Sql[];
  /** The columns of the result, with the `id` of the insert. */
  readonly result: Sql;
}

/** One transaction on one connection; entities and composed SQL see the same state. */
export interface Transaction extends Queryable {
  readonly entities: EntityManager;
  /** Runs a statement and returns the number of affected rows. */
  execute(statement: Sql): Promise<number>;
  /** Writes a row and reads it, in one statement if the server can. @returns no row if none was written */
  writeRow<T extends QueryResultRow>(row: WrittenRow): Promise<T[]>;
  /**
   * Runs a statement that locks rows and writes others. Without support by the server, it returns no rows: the caller then
   * takes the locks by statements of their own.
   */
  tryCombined<T extends QueryResultRow>(statement: Sql): Promise<T[]>;
  /** Runs writes, in one statement if the server can. */
  writeJointly<T extends QueryResultRow>(writes: JointWrites): Promise<T[]>;
  /**
   * Updates the statistics of a table that this transaction fills, quickly: see the first migration.
   * @returns false if another session has the lock of the table
   */
  analyze(table: string): Promise<boolean>;
}

/**
 * Does work after a savepoint, and rolls back what it did unless its result is kept. If it throws, the savepoint stays, and
 * the transaction must end: its error may be one that nothing can follow, such as a lost connection.
 */
export async function inSavepoint<T>(
  tx: Pick<Transaction, 'execute'>,
  work: () => Promise<T>,
  isKept: (result: T) => boolean,
): Promise<T> {
  await tx.execute(sql`SAVEPOINT part`);
  const result = await work();
  if (!isKept(result)) await tx.execute(sql`ROLLBACK TO SAVEPOINT part`);
  // Even after a rollback, which keeps the savepoint: later ones would nest inside it.
  await tx.execute(sql`RELEASE SAVEPOINT part`);
  return result;
}

/** Runs a statement on the connection of a transaction. */
export type RunStatement = <T extends QueryResultRow>(
  statement: Sql,
  planning?: PlanMode,
) => Promise<QueryResult<T>>;

/** Creates what the work of a transaction uses. @param run runs a statement on its connection */
export type NewTransaction = (
  entities: EntityManager,
  run: RunStatement,
) => Transaction | Promise<Transaction>;

/** A transaction on a PostgreSQL server. */
export function postgresTransaction(entities: EntityManager, run: RunStatement): Transaction {
  const rows: Queryable['rows'] = async <T extends QueryResultRow>(statement: Sql, planning?: PlanMode) =>
    (await run<T>(statement, planning)).rows;
  return {
    entities,
    rows,
    execute: async (statement) => (await run(statement)).rowCount ?? 0,
    writeRow: ({ write, columns }) => rows(write(columns)),
    tryCombined: rows,
    writeJointly: ({ insert, writes, result }) => {
      const queries: Sql[] = [];
      const materialize: Materialize = (query) => {
        const name = raw(`materialized${String(queries.length)}`);
        queries.push(sql`${name} AS MATERIALIZED (${query})`);
        return name;
      };
      const others = writes(sql`(SELECT id FROM inserted)`, materialize);
      const parts = [...queries, ...others.map((write, i) => sql`${raw(`part${String(i)}`)} AS (${write})`)];
      if (!insert) return rows(sql`WITH ${join(parts)} SELECT ${result}`);
      return rows(sql`WITH inserted AS (${insert}), ${join(parts)} SELECT ${result} FROM inserted`);
    },
    analyze: async (table) => {
      const statement = sql`SELECT analyze_table(${table}, true) AS is_analyzed`;
      const [row] = await rows<{ is_analyzed: boolean }>(statement, 'custom');
      return row?.is_analyzed === true;
    },
  };
}
