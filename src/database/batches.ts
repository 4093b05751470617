import type { QueryResultRow } from 'pg';
import type { Queryable } from './database';
import { raw, sql, type Sql } from './sql';

/** Splits a list into consecutive parts of at most `size` items. */
export function* chunk<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/**
 * Reads a large result in batches, with a cursor.
 * @param on a transaction. It can have only one such cursor at a time
 */
export async function* inBatches<T extends QueryResultRow>(
  on: Queryable,
  statement: Sql,
  size: number,
): AsyncGenerator<T[]> {
  // The planner otherwise optimizes for reading only the first rows.
  await on.rows(sql`SELECT set_config('cursor_tuple_fraction', '1', true)`);
  await on.rows(sql`DECLARE batches NO SCROLL CURSOR FOR ${statement}`, 'custom');
  // Not prepared, because its columns depend on the statement.
  const fetch = sql`FETCH ${raw(String(size))} FROM batches`;
  for (;;) {
    const rows = await on.rows<T>(fetch, 'custom');
    if (rows.length === 0) break;
    yield rows;
  }
  await on.rows(sql`CLOSE batches`, 'custom');
}

/** How many ids are read at a time. */
const ID_BATCH_SIZE = 2_000;
const MAX_BATCH_ROWS = 500;
const MIN_BATCH_ROWS = 10;
const TARGET_BATCH_CHARACTERS = 512 * 1024;

/**
 * Reads very many rows in batches of bounded size. Rows can have a hundred bytes or a megabyte, so the number of rows
 * in a batch depends on the sizes in the previous batch.
 * @param on a transaction
 * @param ids a statement for the ids of all rows, in order
 * @param read reads the rows of some ids
 * @param lengthOf the number of characters of a row
 */
export async function* adaptiveBatches<R>(
  on: Queryable,
  ids: Sql,
  read: (ids: readonly number[]) => Promise<R[]>,
  lengthOf: (row: R) => number,
): AsyncGenerator<R[]> {
  let size = MIN_BATCH_ROWS;
  for await (const batch of inBatches<{ id: number }>(on, ids, ID_BATCH_SIZE))
    for (let at = 0; at < batch.length;) {
      const part = batch.slice(at, at + size);
      at += size;
      const rows = await read(part.map(({ id }) => id));
      yield rows;
      const length = rows.reduce((sum, row) => sum + lengthOf(row), 1);
      const fitting = Math.floor((TARGET_BATCH_CHARACTERS * rows.length) / length);
      size = Math.max(MIN_BATCH_ROWS, Math.min(MAX_BATCH_ROWS, 2 * size, fitting));
    }
}
