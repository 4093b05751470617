import type { Moment } from '../changes/point-in-time';
import { referredAt } from '../changes/past-state';
import { sql, type Sql } from '../database/sql';

/**
 * Which change had set a key of a level, as of a moment. `variable_correlations` knows that of the present alone; the
 * newest record of the level up to that moment which touches the key says it of every moment.
 * @param asked a query for `project_id`, `kind`, `id` and `key`
 * @returns a query for the same with `change_id`
 */
export function settersAt(moment: Moment, asked: Sql): Sql {
  const object = sql`o.project_id = level.project_id AND o.kind = level.kind AND o.object_id = level.id`;
  // Level by level, and then all its keys at once: of a level with a long history, that is walked through once.
  return sql`
    SELECT level.project_id, level.kind, level.id, setter.key, setter.change_id
    FROM (SELECT project_id, kind, id, array_agg(key) AS keys FROM (${asked}) asked GROUP BY project_id, kind, id) level
    CROSS JOIN LATERAL (${referredAt(moment, object)}) state
    CROSS JOIN LATERAL (
      SELECT DISTINCT ON (touched.key) touched.key, o.change_id
      FROM change_objects o CROSS JOIN LATERAL unnest(o.keys) AS touched (key)
      WHERE ${object} AND o.change_id <= state.change_id AND touched.key = ANY(level.keys)
      ORDER BY touched.key, o.change_id DESC
    ) setter`;
}
