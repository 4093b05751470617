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

/** In rows: ids are read so many at a time. */
const IDS = 2_000;
/** In rows: a portion has no more … */
const MOST = 500;
/** … and no fewer. */
const LEAST = 10;
/** In characters: as much text as a portion is meant to have. */
const TEXT = 512 * 1024;

/**
 * Reads very many rows in portions of a size that memory does not notice: rows may have a hundred bytes or a megabyte,
 * so each portion is as large as the one before lets expect.
 * @param on a transaction
 * @param ids a statement for the ids of all rows, in order
 * @param read reads the rows of some ids
 * @param lengthOf the characters of a row
 */
export async function* adaptiveBatches<R>(
  on: Queryable,
  ids: Sql,
  read: (ids: readonly number[]) => Promise<R[]>,
  lengthOf: (row: R) => number,
): AsyncGenerator<R[]> {
  let size = LEAST;
  for await (const batch of inBatches<{ id: number }>(on, ids, IDS))
    for (let at = 0; at < batch.length;) {
      const part = batch.slice(at, at + size);
      at += size;
      const rows = await read(part.map(({ id }) => id));
      yield rows;
      const length = rows.reduce((sum, row) => sum + lengthOf(row), 1);
      const fitting = Math.floor((TEXT * rows.length) / length);
      size = Math.max(LEAST, Math.min(MOST, 2 * size, fitting));
    }
}
