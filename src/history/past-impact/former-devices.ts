import { recordAt } from '../../changes/past-state';
import type { Queryable } from '../../database/database';
import { list, sql, type Sql } from '../../database/sql';
import { DEVICE_KINDS, type ReachOfRecord } from './affected-scopes-of-record';
import type { ChangeOnRecord } from '../find-change';

/** Devices that stood below an altered level when a change was made, and were touched since. */
export interface FormerDevices {
  /** In order. */
  readonly ids: readonly number[];
  /** Up to this id they were looked for; undefined: everywhere. */
  readonly through: number | undefined;
  /** How many devices were looked at for it. */
  readonly looked: number;
}

/** Among so many later records, they are looked for at once. */
const FEW_RECORDS = 5_000;
/** Among more, so many devices are gone through at a time. */
const DEVICES_AT_A_TIME = 5_000;

/** Whether a device of a row `d (kind, id)` stood below an altered level when the change was made. */
function stoodBelow({ projectId, id }: ChangeOnRecord, { levels }: ReachOfRecord): Sql {
  const { region, cell, label } = levels;
  const then = recordAt(
    { after: id },
    sql`o.project_id = ${projectId} AND o.kind = d.kind AND o.object_id = d.id`,
  );
  return sql`EXISTS (SELECT FROM (${then}) s WHERE s.action <> 'delete'
    AND ((s.after ->> 'region_id')::bigint = ANY(${list(region)}::bigint[])
      OR (s.after ->> 'cell_id')::bigint = ANY(${list(cell)}::bigint[])
      OR s.labels_after && ${list(label)}::bigint[]))`;
}

/**
 * All of them, where few records are later than the change.
 * @returns undefined where there are more
 */
export async function formerDevices(
  change: ChangeOnRecord,
  reach: ReachOfRecord,
  on: Queryable,
): Promise<FormerDevices | undefined> {
  const { projectId, id } = change;
  const [found] = await on.rows<{ records: number; looked: number; ids: number[] }>(
    sql`WITH later AS MATERIALIZED (
      SELECT l.kind, l.object_id FROM change_objects l WHERE l.project_id = ${projectId} AND l.change_id > ${id}
      ORDER BY l.change_id LIMIT ${FEW_RECORDS + 1}
    ), touched AS MATERIALIZED (
      SELECT DISTINCT l.kind, l.object_id AS id FROM later l WHERE l.kind = ANY(${list(DEVICE_KINDS)}::text[])
        AND (SELECT count(*) FROM later) <= ${FEW_RECORDS}
    ) SELECT (SELECT count(*) FROM later) AS records, (SELECT count(*) FROM touched) AS looked,
      ARRAY(SELECT d.id FROM touched d WHERE ${stoodBelow(change, reach)} ORDER BY d.id)::float8[] AS ids`,
    'each time',
  );
  if (!found) throw new Error('a query for one row found none');
  const { records, looked, ids } = found;
  return records > FEW_RECORDS ? undefined : { ids, through: undefined, looked };
}

/**
 * The next of them behind an id, however many records there are: goes through the devices that have any, one look into
 * the index after the other, and stops after so many.
 */
export async function nextFormerDevices(
  change: ChangeOnRecord,
  reach: ReachOfRecord,
  behind: number,
  on: Queryable,
): Promise<FormerDevices> {
  const { projectId, id } = change;
  const next = (last: Sql): Sql => sql`(
    SELECT k.kind, n.object_id FROM unnest(${list(DEVICE_KINDS)}::text[]) AS k (kind) CROSS JOIN LATERAL (
      SELECT o.object_id FROM change_objects o
      WHERE o.project_id = ${projectId} AND o.kind = k.kind AND o.object_id > ${last} ORDER BY o.object_id LIMIT 1) n
    ORDER BY n.object_id LIMIT 1)`;
  const [found] = await on.rows<{ looked: number; last: number | null; ids: number[] }>(
    sql`WITH RECURSIVE walk (kind, id, step) AS (
      SELECT f.kind, f.object_id, 1 FROM ${next(sql`${behind}::bigint`)} f
      UNION ALL
      SELECT f.kind, f.object_id, w.step + 1 FROM walk w CROSS JOIN LATERAL ${next(sql`w.id`)} f
      WHERE w.step < ${DEVICES_AT_A_TIME}
    ) SELECT count(*) AS looked, max(d.id) AS last, COALESCE(array_agg(d.id::float8 ORDER BY d.id) FILTER (
        WHERE EXISTS (SELECT FROM change_objects l WHERE l.project_id = ${projectId} AND l.kind = d.kind
          AND l.object_id = d.id AND l.change_id > ${id}) AND ${stoodBelow(change, reach)}), '{}') AS ids
    FROM walk d`,
    'each time',
  );
  if (!found) throw new Error('a query for one row found none');
  const { looked, last, ids } = found;
  return { ids, through: looked < DEVICES_AT_A_TIME ? undefined : (last ?? undefined), looked };
}
