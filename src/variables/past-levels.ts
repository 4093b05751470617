import type { Moment } from '../changes/point-in-time';
import { referredAt, variablesUpTo } from '../changes/past-state';
import { list, sql, type Sql } from '../database/sql';
import { levelsOf, type Subject } from './levels';

/** The levels that subjects of a moment inherited from, as they were at that moment, as a query for rows of `Level`. */
export function pastLevels(subjects: readonly Subject[], moment: Moment): Sql {
  const wanted = levelsOf(subjects);
  const object = sql`o.project_id = asked.project_id AND o.kind = asked.kind AND o.object_id = asked.id`;
  return sql`
    SELECT t.kind, t.object_id AS id, t.name, ${variablesUpTo} AS variables
    FROM unnest(${list(wanted.map((level) => level.projectId))}::uuid[],
      ${list(wanted.map((level) => level.kind))}::text[], ${list(wanted.map((level) => level.id))}::bigint[])
      AS asked (project_id, kind, id)
    CROSS JOIN LATERAL (${referredAt(moment, object)}) t`;
}
