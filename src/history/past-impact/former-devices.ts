import { recordAt } from '../../changes/past-state';
import type { Queryable } from '../../database/database';
import { list, sql, type Sql } from '../../database/sql';
import { DEVICE_KINDS } from '../../impact/key-definitions';
import type { ReachOfRecord } from './affected-scopes-of-record';
import type { ChangeOnRecord } from '../find-change';

/** Devices that were below an altered level when the change was made, and were touched since. */
export interface FormerDevices {
  /** In ascending order. */
  readonly ids: readonly number[];
  /** The search covered the ids up to this one; undefined if it covered all. */
  readonly through: number | undefined;
  /** The number of devices that were examined. */
  readonly looked: number;
}

/** With at most this many later records, one query finds all former devices. */
const MAX_RECORDS_PER_QUERY = 5_000;
/** With more later records, each query examines this many devices. */
const DEVICES_PER_QUERY = 5_000;

/** Whether the device of a row `d (kind, id)` was below an altered level when the change was made. */
function wasBelow({ projectId, id }: ChangeOnRecord, { levels }: ReachOfRecord): Sql {
  const { region, cell, label } = levels;
  const pastRecord = recordAt(
    { after: id },
    sql`o.project_id = ${projectId} AND o.kind = d.kind AND o.object_id = d.id`,
  );
  return sql`EXISTS (SELECT FROM (${pastRecord}) s WHERE s.action <> 'delete'
    AND ((s.after ->> 'region_id')::bigint = ANY(${list(region)}::bigint[])
      OR (s.after ->> 'cell_id')::bigint = ANY(${list(cell)}::bigint[])
      OR s.labels_after && ${list(label)}::bigint[]))`;
}

/**
 * Finds all former devices with one query, if there are few records after the change.
 * @returns undefined if there are more than `MAX_RECORDS_PER_QUERY`
 */
export async function formerDevices(
  change: ChangeOnRecord,
  scopes: ReachOfRecord,
  on: Queryable,
): Promise<FormerDevices | undefined> {
  const { projectId, id } = change;
  const [row] = await on.rows<{ records: number; examined: number; ids: number[] }>(
    sql`WITH later AS MATERIALIZED (
      SELECT l.kind, l.object_id FROM change_objects l WHERE l.project_id = ${projectId} AND l.change_id > ${id}
      ORDER BY l.change_id LIMIT ${MAX_RECORDS_PER_QUERY + 1}
    ), touched AS MATERIALIZED (
      SELECT DISTINCT l.kind, l.object_id AS id FROM later l WHERE l.kind = ANY(${list(DEVICE_KINDS)}::text[])
        AND (SELECT count(*) FROM later) <= ${MAX_RECORDS_PER_QUERY}
    ) SELECT (SELECT count(*) FROM later) AS records, (SELECT count(*) FROM touched) AS examined,
      ARRAY(SELECT d.id FROM touched d WHERE ${wasBelow(change, scopes)} ORDER BY d.id)::float8[] AS ids`,
    'each time',
  );
  if (!row) throw new Error('a query for one row found none');
  const { records, examined, ids } = row;
  return records > MAX_RECORDS_PER_QUERY ? undefined : { ids, through: undefined, looked: examined };
}

/**
 * Finds the next former devices after an id. It works with any number of records: it walks the index from device to
 * device and stops after `DEVICES_PER_QUERY`.
 */
export async function nextFormerDevices(
  change: ChangeOnRecord,
  scopes: ReachOfRecord,
  afterId: number,
  on: Queryable,
): Promise<FormerDevices> {
  const { projectId, id } = change;
  const next = (last: Sql): Sql => sql`(
    SELECT k.kind, n.object_id FROM unnest(${list(DEVICE_KINDS)}::text[]) AS k (kind) CROSS JOIN LATERAL (
      SELECT o.object_id FROM change_objects o
      WHERE o.project_id = ${projectId} AND o.kind = k.kind AND o.object_id > ${last} ORDER BY o.object_id LIMIT 1) n
    ORDER BY n.object_id LIMIT 1)`;
  const [row] = await on.rows<{ examined: number; last: number | null; ids: number[] }>(
    sql`WITH RECURSIVE walk (kind, id, step) AS (
      SELECT f.kind, f.object_id, 1 FROM ${next(sql`${afterId}::bigint`)} f
      UNION ALL
      SELECT f.kind, f.object_id, w.step + 1 FROM walk w CROSS JOIN LATERAL ${next(sql`w.id`)} f
      WHERE w.step < ${DEVICES_PER_QUERY}
    ) SELECT count(*) AS examined, max(d.id) AS last, COALESCE(array_agg(d.id::float8 ORDER BY d.id) FILTER (
        WHERE EXISTS (SELECT FROM change_objects l WHERE l.project_id = ${projectId} AND l.kind = d.kind
          AND l.object_id = d.id AND l.change_id > ${id}) AND ${wasBelow(change, scopes)}), '{}') AS ids
    FROM walk d`,
    'each time',
  );
  if (!row) throw new Error('a query for one row found none');
  const { examined, last, ids } = row;
  return { ids, through: examined < DEVICES_PER_QUERY ? undefined : (last ?? undefined), looked: examined };
}
