import type { Moment } from '../changes/point-in-time';
import { referredAt } from '../changes/past-state';
import { sql, type Sql } from '../database/sql';

/**
 * The change that had set a key of a level at a point in time. `variable_correlations` has only the present state. For
 * the past, it is the newest change record of the level, up to that time, that contains the key.
 * @param wanted a query for `project_id`, `kind`, `id` and `key`
 * @returns a query for the same columns and `change_id`
 */
export function settersAt(at: Moment, wanted: Sql): Sql {
  const object = sql`o.project_id = level.project_id AND o.kind = level.kind AND o.object_id = level.id`;
  // All keys of a level are found by one scan, because its history can be long.
  return sql`
    SELECT level.project_id, level.kind, level.id, origin.key, origin.change_id
    FROM (SELECT project_id, kind, id, array_agg(key) AS keys FROM (${wanted}) wanted GROUP BY project_id, kind, id) level
    CROSS JOIN LATERAL (${referredAt(at, object)}) state
    CROSS JOIN LATERAL (
      SELECT DISTINCT ON (touched.key) touched.key, o.change_id
      FROM change_objects o CROSS JOIN LATERAL unnest(o.keys) AS touched (key)
      WHERE ${object} AND o.change_id <= state.change_id AND touched.key = ANY(level.keys)
      ORDER BY touched.key, o.change_id DESC
    ) origin`;
}
