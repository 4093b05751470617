import { TypeOverrides, types, type ClientBase, type Pool, type QueryResult, type QueryResultRow } from 'pg';
import { type Caller, ConcurrencyLimiter, type Shares, sharesOf } from '../core/concurrency';
import { statementName, type Sql } from './sql';

/**
 * How a statement is planned. `generic`: prepared once per connection, with a plan for all values. `custom`: planned
 * for each execution. It costs a fraction of a millisecond, and is used if the best plan depends on the values.
 */
export type PlanMode = 'generic' | 'custom';

/** A pool, or one of its connections. */
export type Connected = Pool | ClientBase;

/** The text of a statement, and its parameters. */
export interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

/** Reads rows, for example from the pool or in a transaction. */
export interface Queryable {
  rows<T extends QueryResultRow>(statement: Sql, planning?: PlanMode): Promise<T[]>;
}

/** Reads rows with single statements, or from one snapshot. */
export interface Reader extends Queryable {
  /**
   * Runs `work` on one snapshot of the database. It can be run again, so `work` must have no side effects.
   */
  snapshot<T>(work: (on: Queryable) => Promise<T>): Promise<T>;
}

/** Ids are far below 2^53. Times are texts, because a `Date` has no microseconds. */
const valueTypes = new TypeOverrides();
valueTypes.setTypeParser(types.builtins.INT8, Number);
valueTypes.setTypeParser(types.builtins.TIMESTAMPTZ, String);

/**
 * Runs a statement on a connection of a pool, or on a client.
 * @param timeoutMs the query timeout. After it, the connection is unusable
 */
export async function runStatement<T extends QueryResultRow>(
  on: Connected,
  { text, values }: Statement,
  planning: PlanMode = 'generic',
  timeoutMs?: number,
): Promise<QueryResult<T>> {
  const name = planning === 'generic' ? statementName(text) : undefined;
  return on.query<T>({
    text,
    values,
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

/** The limiter of the reads or transactions of one server. @param timeoutMs how long a call waits at most */
export const databaseLimiter = (
  maxConcurrent: number,
  shares: Shares,
  callsName: string,
  timeoutMs: number,
) =>
  new ConcurrencyLimiter({
    maxConcurrent,
    queue: { maxLength: Infinity, timeoutMs },
    message: 'The database is busy. Retry the request.',
    retryAfterSeconds: 1,
    shares: { ...shares, callsName },
  });

/**
 * The queue of single reads of one server. They wait in the order of their requests' first reads, not in their own order:
 * otherwise, a request with ten statements would wait ten times as long as one with a single statement. Of several users,
 * the one with the fewest running statements is next. At most half of the connections are used: more statements at once
 * would only compete for processors. Transactions have the other half.
 */
export class ReadQueue {
  private readonly limiter: ConcurrencyLimiter;
  private readers = 0;

  /**
   * @param connections the maximum number of connections to the server
   * @param timeoutMs how long a statement waits at most
   */
  constructor(
    private readonly server: Queryable,
    connections: number,
    timeoutMs: number,
  ) {
    const maxConcurrent = Math.ceil(connections / 2);
    this.limiter = databaseLimiter(
      maxConcurrent,
      sharesOf(maxConcurrent),
      'reads of the database',
      timeoutMs,
    );
  }

  /** The number of waiting statements. */
  get length(): number {
    return this.limiter.queued;
  }

  /** A reader for one request. */
  newReader(caller: Caller): Queryable {
    const order = this.readers++;
    return {
      rows: (statement, planning) =>
        this.limiter.run(() => this.server.rows(statement, planning), { caller, order }),
    };
  }
}
