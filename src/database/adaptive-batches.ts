import { inBatches } from './cursor';
import type { Queryable } from './database';
import type { Sql } from './sql';

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
export async function* portions<R>(
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
