import { raw, sql, type Sql } from '../../shared/persistence/sql';
import { from, jsonOf, ofKind, ownMembers } from '../../shared/resources/projection';
import type { ResourceShape } from '../../shared/resources/resource-shape';
import type { Check } from '../check';
import { kindOf, kinds, ofEveryKind, recordedId, union } from '../kinds';

/** Whether the change object `o` tells of the resource `t`. */
const tellsOf = (shape: ResourceShape): Sql =>
  sql`o.project_id = t.project_id AND o.kind = ${kindOf(shape)}
    AND ${raw(shape.idType === 'uuid' ? 'o.object_id IS NULL' : 'o.object_id = t.id')}`;

/** A resource as it is by now, beside what its newest change record left. */
function living(shape: ResourceShape): Sql {
  return sql`
    SELECT t.project_id, ${kindOf(shape)} AS kind, ${recordedId(shape)} AS id, newest.change_id, newest.action,
      newest.after, ${jsonOf(shape, ownMembers(shape))}::jsonb AS members
    ${from(shape)} LEFT JOIN LATERAL (
      SELECT o.change_id, o.action, o.after FROM change_objects o WHERE ${tellsOf(shape)}
      ORDER BY o.change_id DESC LIMIT 1
    ) newest ON true WHERE ${ofKind(shape)}`;
}

/** What change records tell of, and do not tell the end of, but is not there. */
function gone(shape: ResourceShape): Sql {
  return sql`
    SELECT o.project_id, o.kind, o.object_id AS id, 'is not there, but no change record deletes it' AS problem
    FROM change_objects o WHERE o.kind = ${kindOf(shape)}
      AND NOT EXISTS (SELECT ${from(shape)} WHERE ${ofKind(shape)} AND ${tellsOf(shape)})
    GROUP BY o.project_id, o.kind, o.object_id HAVING NOT bool_or(o.action = 'delete')`;
}

/**
 * Members that differ. Only those count that the record has: one from before a migration lacks what came later.
 * Labels are told by their names, and renaming a label changes no resource that carries it: so many labels must be
 * told as there are, and a name that none of them has must be a name that a label once had.
 */
const differences = sql`
  SELECT string_agg(m.key, ', ' ORDER BY m.key) FROM jsonb_each(l.after) m
  WHERE l.members ? m.key AND l.members -> m.key <> m.value AND NOT (m.key = 'labels'
    AND cardinality(string_to_array(m.value #>> '{}', ',')) = cardinality(string_to_array(l.members ->> 'labels', ','))
    AND NOT EXISTS (
      SELECT FROM unnest(string_to_array(m.value #>> '{}', ',')) told (label)
      WHERE told.label <> ALL (string_to_array(l.members ->> 'labels', ',')) AND NOT EXISTS (
        SELECT FROM change_objects r WHERE r.project_id = l.project_id AND r.kind = 'label' AND r.action = 'update'
          AND r.before ->> 'label' = told.label AND r.after ->> 'label' <> told.label)))`;

export const currentState: Check = {
  name: 'present state',
  promise: 'every resource is as its newest change record left it, and none is there or gone without one',
  counted: sql`SELECT count(*) AS count FROM (${ofEveryKind(kinds, () => sql`t.id::text`)}) t`,
  faults: sql`
    SELECT project_id, kind, id, CASE
      WHEN action IS NULL THEN 'is there, but no change record tells of it'
      WHEN action = 'delete' THEN format('is there, but the change %s deleted it', change_id)
      ELSE format('is not as the change %s left it: %s', change_id, differing) END AS problem
    FROM (
      SELECT l.*, CASE WHEN l.after IS NOT NULL AND jsonb_typeof(l.after) = 'object' AND l.after <> l.members
        THEN (${differences}) END AS differing
      FROM (${union(kinds.map(living))}) l
    ) compared
    WHERE action IS NULL OR action = 'delete' OR differing IS NOT NULL
    UNION ALL ${union(kinds.map(gone))}`,
};
