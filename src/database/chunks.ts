import type { QueryResultRow } from 'pg';
import type { Queryable } from './database';
import { raw, sql, type Sql } from './sql';

/** Splits a list into consecutive parts of at most `size` items. */
export function* chunk<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/**
 * Reads a large result in chunks, with a cursor.
 * @param on a transaction. It can have only one such cursor at a time
 */
export async function* inChunks<T extends QueryResultRow>(
  on: Queryable,
  statement: Sql,
  size: number,
): AsyncGenerator<T[]> {
  // The planner otherwise optimizes for reading only the first rows.
  await on.rows(sql`SELECT set_config('cursor_tuple_fraction', '1', true)`);
  await on.rows(sql`DECLARE chunks NO SCROLL CURSOR FOR ${statement}`, 'custom');
  // Not prepared, because its columns depend on the statement.
  const fetch = sql`FETCH ${raw(String(size))} FROM chunks`;
  for (;;) {
    const rows = await on.rows<T>(fetch, 'custom');
    if (rows.length === 0) break;
    yield rows;
  }
  await on.rows(sql`CLOSE chunks`, 'custom');
}

/** How many ids are read at a time. */
const ID_CHUNK_SIZE = 2_000;
const MAX_CHUNK_ROWS = 500;
const MIN_CHUNK_ROWS = 10;
const TARGET_CHUNK_CHARACTERS = 512 * 1024;

/**
 * Reads very many rows in chunks of bounded size. Rows can have a hundred bytes or a megabyte, so the number of rows
 * in a chunk depends on the sizes in the previous chunk.
 * @param on a transaction
 * @param ids a statement for the ids of all rows, in order
 * @param read reads the rows of some ids
 * @param lengthOf the number of characters of a row
 */
export async function* adaptiveChunks<R>(
  on: Queryable,
  ids: Sql,
  read: (ids: readonly number[]) => Promise<R[]>,
  lengthOf: (row: R) => number,
): AsyncGenerator<R[]> {
  let size = MIN_CHUNK_ROWS;
  for await (const chunk of inChunks<{ id: number }>(on, ids, ID_CHUNK_SIZE))
    for (let at = 0; at < chunk.length;) {
      const part = chunk.slice(at, at + size);
      at += size;
      const rows = await read(part.map(({ id }) => id));
      yield rows;
      const length = rows.reduce((sum, row) => sum + lengthOf(row), 1);
      const fitting = Math.floor((TARGET_CHUNK_CHARACTERS * rows.length) / length);
      size = Math.max(MIN_CHUNK_ROWS, Math.min(MAX_CHUNK_ROWS, 2 * size, fitting));
    }
}
