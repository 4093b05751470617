import type { QueryResultRow } from 'pg';
import type { Queryable } from './database';
import { raw, sql, type Sql } from './sql';

/**
 * Reads the rows of a statement that has very many, so many at a time; the database finds them once.
 * @param on a transaction; within it, one such reading after the other
 */
export async function* inBatches<T extends QueryResultRow>(
  on: Queryable,
  statement: Sql,
  size: number,
): AsyncGenerator<T[]> {
  // All rows are going to be read, and not the first few.
  await on.rows(sql`SELECT set_config('cursor_tuple_fraction', '1', true)`);
  await on.rows(sql`DECLARE batches NO SCROLL CURSOR FOR ${statement}`, 'each time');
  // Not prepared: its columns are those of the statement.
  const fetch = sql`FETCH ${raw(String(size))} FROM batches`;
  for (;;) {
    const rows = await on.rows<T>(fetch, 'each time');
    if (rows.length === 0) break;
    yield rows;
  }
  await on.rows(sql`CLOSE batches`, 'each time');
}
