import type { RequestContext } from '../../core/context/request-context';
import { isVisible } from '../../database/visible-keys';
import type { Queryable } from '../../database/database';
import { sql, type Sql } from '../../database/sql';
import { alteredMembers, isAltered, type RecordedChange } from './recorded-change';

/** The number of later changes, and the ids of the oldest ones. */
export interface LaterChanges {
  readonly count: number;
  readonly oldest: readonly number[];
}

/** A member or a variable that both the change and later changes touched. */
interface ConflictingField extends LaterChanges {
  /** The ordinal of the change's object. */
  readonly ordinal: number;
  /** The name of a member, or `variables.` and a key. */
  readonly field: string;
}

/** The later changes that conflict with a revert. */
export interface LaterTouches {
  /** All conflicting changes. */
  readonly all: LaterChanges;
  /** The first conflicting fields, ordered by object. */
  readonly fields: readonly ConflictingField[];
}

/** Limits on the conflicts that an error reports. */
export const MOST_TOLD = { fields: 100, changes: 5 } as const;

/** The later rows `l` of change_objects for the same resource as the object `o`. */
const laterRecords = ((later: Sql) =>
  sql`${later} AND l.object_id = o.object_id UNION ALL ${later} AND o.object_id IS NULL AND l.object_id IS NULL`)(
  sql`SELECT l.* FROM change_objects l
    WHERE l.project_id = o.project_id AND l.kind = o.kind AND l.change_id > o.change_id`,
);

/**
 * Finds the members and variables that the change and later changes touched, without those hidden from the caller. A
 * created or deleted resource is reverted as a whole, so any later change of it conflicts. The query reads the later
 * records once and returns a limited number of rows.
 */
export async function laterTouches(
  { visibility }: RequestContext,
  { projectId, id }: RecordedChange,
  on: Queryable,
): Promise<LaterTouches> {
  const rows = await on.rows<{ ordinal: number | null; field: string; count: number; oldest: number[] }>(
    sql`WITH own AS MATERIALIZED (
      SELECT o.*, o.action <> 'update' AS whole, ${alteredMembers('o')} AS members
      FROM change_objects o WHERE o.project_id = ${projectId} AND o.change_id = ${id}
    ), later AS MATERIALIZED (
      SELECT o.ordinal, o.whole, l.change_id,
        CASE WHEN o.whole THEN ${alteredMembers('l')}
          ELSE ARRAY(SELECT m.name FROM unnest(o.members) AS m (name) WHERE ${isAltered('l', sql`m.name`)}) END AS members,
        CASE WHEN o.whole OR o.keys <> '{}'
          THEN ARRAY(SELECT k.key FROM unnest(l.keys) AS k (key) WHERE ${isVisible(visibility, sql`k.key`)})
          ELSE '{}' END AS keys
      FROM own o CROSS JOIN LATERAL (${laterRecords}) l
    ), named (ordinal, field, rank, change_id, counts) AS (
      SELECT t.ordinal, m.name, 1, t.change_id, true FROM later t, unnest(t.members) AS m (name)
      UNION ALL SELECT t.ordinal, k.key, 2, t.change_id, t.whole FROM later t, unnest(t.keys) AS k (key)
      -- A later change that altered nothing recorded, or nothing that the caller can see, still conflicts.
      UNION ALL SELECT t.ordinal, 'version', 1, t.change_id, true FROM later t
        WHERE t.whole AND t.members = '{}' AND t.keys = '{}'
      -- The keys of the change itself: a union and a window function, because a join could get a slow plan.
      UNION ALL SELECT o.ordinal, k.key, 2, NULL, true FROM own o, unnest(o.keys) AS k (key)
    ), touched AS (
      SELECT n.*, bool_or(n.counts) OVER (PARTITION BY n.ordinal, n.rank, n.field COLLATE "C") AS conflicts FROM named n
    )
    SELECT t.ordinal, CASE t.rank WHEN 2 THEN 'variables.' ELSE '' END || t.field AS field,
      count(DISTINCT t.change_id) AS count,
      (array_agg(DISTINCT t.change_id ORDER BY t.change_id))[1:${MOST_TOLD.changes}]::float8[] AS oldest
    FROM touched t WHERE t.conflicts AND t.change_id IS NOT NULL
    GROUP BY GROUPING SETS ((), (t.ordinal, t.rank, t.field)) HAVING count(*) > 0
    ORDER BY t.ordinal NULLS FIRST, min(t.change_id), t.rank, t.field COLLATE "C" LIMIT ${MOST_TOLD.fields + 1}`,
    'each time',
  );
  const fields = rows.flatMap(({ ordinal, ...row }) => (ordinal === null ? [] : [{ ordinal, ...row }]));
  const [all = { count: 0, oldest: [] }] = rows.filter(({ ordinal }) => ordinal === null);
  return { all, fields };
}
