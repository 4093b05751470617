import type { ProjectScope, RequestContext } from '../../core/context/request-context';
import type { Queryable } from '../../database/database';
import { and, sql, type Sql } from '../../database/sql';
import { projectRows } from '../../database/resource-sql';
import { changeRecords } from '../change-record';
import { seesRecord } from '../visible-change';
import type { Cursor, Window } from './feed-cursor';

/** The last ids of the records of each predecessor whose records were restored here, in their order. */
export type Restorations = readonly number[];

/**
 * The greatest window that there is by now. What can still become visible was made by a transaction that has not
 * ended, and so by none before the first of those. Ids are drawn under all locks: who changes what an earlier change
 * has changed has the greater id, and the earlier one is visible. So the window ends before the first visible record
 * that does not belong to it, for whatever depends on that comes later. See ADR 14.
 */
export async function furthestWindow(
  scope: ProjectScope,
  on: Queryable,
): Promise<{ readonly window: Window; readonly restorations: Restorations }> {
  const [now] = await on.rows<{ ended_before: string; restorations: number[] }>(sql`
    SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS ended_before,
      ARRAY(SELECT last_change_id::float8 FROM feed_restorations ORDER BY last_change_id) AS restorations`);
  if (!now) throw new Error('a query for one row found none');
  const { ended_before: endedBefore, restorations } = now;
  const floor = restorations.at(-1) ?? 0;
  // In the order of the index: the planner, who does not know that there are few, would look through all records.
  const unsettled = sql`SELECT c.id FROM changes c WHERE c.project_id = s.project_id
    AND c.transaction_id >= ${endedBefore}::xid8 AND c.id > ${floor} ORDER BY c.transaction_id OFFSET 0`;
  const greatest = sql`SELECT c.id FROM changes c WHERE c.project_id = s.project_id ORDER BY c.id DESC LIMIT 1`;
  const [row] = await on.rows<{ below: number }>(
    sql`SELECT COALESCE(LEAST(
        (SELECT min(u.id) FROM ${projectRows(changeRecords.shape, scope)} CROSS JOIN LATERAL (${unsettled}) u),
        (SELECT max(g.id) FROM ${projectRows(changeRecords.shape, scope)} CROSS JOIN LATERAL (${greatest}) g) + 1), 0) AS below`,
    'each time',
  );
  return { window: { floor, endedBefore, below: row?.below ?? 0 }, restorations };
}

/** The first id that is none of the window's cluster: above, records were made by a successor of it. */
const successorsOf = ({ floor }: Window, restorations: Restorations): number | undefined =>
  restorations.find((last) => last > floor);

/** Whether nothing is lost of what was delivered when a window takes the place of another that was read. */
export function reachesBeyond(next: Window, read: Window, restorations: Restorations): boolean {
  const restored = successorsOf(read, restorations);
  return next.below >= (restored === undefined ? read.below : Math.min(read.below, restored + 1));
}

/** Whether the record `c` belongs to a window. */
function belongs(window: Window, restorations: Restorations): Sql {
  const { floor, endedBefore, below } = window;
  const restored = successorsOf(window, restorations);
  const own = restored === undefined ? sql`true` : sql`c.id <= ${restored}`;
  return sql`c.id < ${below} AND (c.id <= ${floor} OR c.transaction_id < ${endedBefore}::xid8 AND ${own})`;
}

interface ReadOptions {
  readonly reader?: RequestContext;
  readonly limit: number;
  readonly body: Sql;
  readonly on: Queryable;
}

/**
 * The next records of the window that is being read, without those that were delivered before.
 * @param body the record `t` as JSON text
 * @param reader who reads: records that the reader may not see are passed over; absent: all are read
 */
export async function readOn(
  scope: ProjectScope,
  { delivered, reading, last }: Cursor,
  restorations: Restorations,
  { reader, limit, body, on }: ReadOptions,
): Promise<{ id: number; project_id: string; body: string }[]> {
  const belonging = and([sql`c.project_id = s.project_id`, belongs(reading, restorations)]);
  const seen = (row: 'c' | 'l'): Sql => (reader ? seesRecord(reader, row) : sql`true`);
  const from = Math.max(last + 1, delivered.below);
  const inOrder = sql`(SELECT c.project_id, c.id FROM changes c WHERE ${belonging} AND c.id >= ${from} AND ${seen('c')}
    ORDER BY c.id LIMIT ${limit})`;
  // Those that had their ids before the end of what was delivered, and committed after it.
  const latecomers =
    last + 1 < delivered.below
      ? sql`(SELECT l.project_id, l.id FROM (
          SELECT c.project_id, c.id FROM changes c WHERE ${belonging} AND c.id > ${last}
            AND ${late(delivered, reading, restorations)} OFFSET 0) l
          WHERE ${seen('l')} ORDER BY l.id LIMIT ${limit})`
      : sql`(SELECT NULL::uuid, NULL::bigint WHERE false)`;
  return on.rows(
    sql`SELECT t.id, t.project_id, ${body} AS body FROM (
        SELECT k.project_id, k.id FROM ${projectRows(changeRecords.shape, scope)}
        CROSS JOIN LATERAL (${inOrder} UNION ALL ${latecomers}) AS k (project_id, id)
        ORDER BY k.id LIMIT ${limit}
      ) page JOIN changes t ON t.project_id = page.project_id AND t.id = page.id ORDER BY t.id`,
    'each time',
  );
}

/** Whether the record `c`, whose id is below a window that was read, was not part of it. */
function late(delivered: Window, reading: Window, restorations: Restorations): Sql {
  const missing = sql`c.id < ${delivered.below} AND NOT (${belongs(delivered, restorations)})`;
  // Said so that the index of transactions serves; across a restoration, their ids do not compare.
  return delivered.floor === reading.floor && successorsOf(delivered, restorations) === undefined
    ? sql`${missing} AND c.transaction_id >= ${delivered.endedBefore}::xid8 AND c.transaction_id < ${reading.endedBefore}::xid8`
    : missing;
}
