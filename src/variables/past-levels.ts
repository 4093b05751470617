import type { Moment } from '../changes/point-in-time';
import { referredAt, variablesUpTo } from '../changes/past-state';
import { list, sql, type Sql } from '../database/sql';
import { levelsOf, type Subject } from './levels';

/** The levels that targets inherited from at a point in time, in their state at that time, as rows of `Level`. */
export function pastLevels(targets: readonly Subject[], at: Moment): Sql {
  const wanted = levelsOf(targets);
  const object = sql`o.project_id = wanted.project_id AND o.kind = wanted.kind AND o.object_id = wanted.id`;
  return sql`
    SELECT t.kind, t.object_id AS id, t.name, ${variablesUpTo} AS variables
    FROM unnest(${list(wanted.map((level) => level.projectId))}::uuid[],
      ${list(wanted.map((level) => level.kind))}::text[], ${list(wanted.map((level) => level.id))}::bigint[])
      AS wanted (project_id, kind, id)
    CROSS JOIN LATERAL (${referredAt(at, object)}) t`;
}
