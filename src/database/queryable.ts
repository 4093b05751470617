import { TypeOverrides, types, type ClientBase, type Pool, type QueryResult, type QueryResultRow } from 'pg';
import { statementName, type Sql } from './sql';

/**
 * Whether the database plans a statement once per connection, for whatever values; or anew each time, for the values
 * that it is given: where the best way depends on them, that is worth the fraction of a millisecond.
 */
export type PlanMode = 'once' | 'each time';

/** Reads rows. The pool is one, and so is a transaction. */
export interface Queryable {
  rows<T extends QueryResultRow>(statement: Sql, planning?: PlanMode): Promise<T[]>;
}

/** Reads rows, statement by statement or all on one state. */
export interface Reader extends Queryable {
  /**
   * Runs `work` on one unchanging state of the whole database, whatever others write meanwhile. It may be run again, so
   * it must have no effects of its own.
   */
  snapshot<T>(work: (on: Queryable) => Promise<T>): Promise<T>;
}

/** Ids come from an identity column and stay far below 2^53; times stay text, which keeps their microseconds. */
const valueTypes = new TypeOverrides();
valueTypes.setTypeParser(types.builtins.INT8, Number);
valueTypes.setTypeParser(types.builtins.TIMESTAMPTZ, String);

/**
 * Runs a statement on any connection of a pool, or on this one.
 * @param timeoutMs the query timeout. After it, the connection cannot be used any more
 */
export async function runStatement<T extends QueryResultRow>(
  on: Pool | ClientBase,
  statement: Sql,
  planning: PlanMode = 'once',
  timeoutMs?: number,
): Promise<QueryResult<T>> {
  const text = statement.text;
  const name = planning === 'once' ? statementName(text) : undefined;
  return on.query<T>({
    text,
    values: statement.values,
    types: valueTypes,
    ...(name === undefined ? {} : { name }),
    ...(timeoutMs === undefined ? {} : { query_timeout: timeoutMs }),
  });
}

/** Reads from a connection. @param timeoutMs see `runStatement` */
export const readerOn = (client: ClientBase, timeoutMs: number): Queryable => ({
  rows: async (statement, planning) =>
    (await runStatement(client, statement, planning, timeoutMs)).rows as never,
});
