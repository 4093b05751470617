import { raw, sql, type Sql } from '../../../database/sql';
import { from, jsonOf, ofKind, ownMembers } from '../../../database/resource-sql';
import type { ResourceShape } from '../../../database/resource-shape';
import { type Check, storedKindOf, kinds, ofEveryKind, recordedId, union } from '../check';

/** Whether the change object `o` belongs to the resource `t`. */
const belongsTo = (shape: ResourceShape): Sql =>
  sql`o.project_id = t.project_id AND o.kind = ${storedKindOf(shape)}
    AND ${raw(shape.idType === 'uuid' ? 'o.object_id IS NULL' : 'o.object_id = t.id')}`;

/** The ids of the current labels of a resource `t`, in order. */
const labelIds = ({ labels }: ResourceShape): Sql =>
  raw(
    labels
      ? `ARRAY(SELECT a.label_id FROM ${labels.table} a
          WHERE a.project_id = t.project_id AND a.${labels.owner} = t.id ORDER BY a.label_id)`
      : 'NULL::bigint[]',
  );

/** A query for the existing resources, each with the state in its newest change record. */
function existing(shape: ResourceShape): Sql {
  return sql`
    SELECT t.project_id, ${storedKindOf(shape)} AS kind, ${recordedId(shape)} AS id, newest.change_id, newest.action,
      newest.after, newest.labels_after, ${jsonOf(shape, ownMembers(shape))}::jsonb AS members,
      ${labelIds(shape)} AS label_ids
    ${from(shape)} LEFT JOIN LATERAL (
      SELECT o.change_id, o.action, o.after, o.labels_after FROM change_objects o WHERE ${belongsTo(shape)}
      ORDER BY o.change_id DESC LIMIT 1
    ) newest ON true WHERE ${ofKind(shape)}`;
}

/** A query for resources with change records, but without a deletion, that do not exist. */
function deleted(shape: ResourceShape): Sql {
  return sql`
    SELECT o.project_id, o.kind, o.object_id AS id, 'does not exist, but no change record deletes it' AS problem
    FROM change_objects o WHERE o.kind = ${storedKindOf(shape)}
      AND NOT EXISTS (SELECT ${from(shape)} WHERE ${ofKind(shape)} AND ${belongsTo(shape)})
    GROUP BY o.project_id, o.kind, o.object_id
    HAVING (array_agg(o.action ORDER BY o.change_id DESC))[1] <> 'delete'`;
}

/**
 * Members that differ. Only members in the record are compared, because older records lack members that migrations
 * added. Labels are compared by their ids, because renaming a label does not change the resources that have it.
 */
const differences = sql`
  SELECT string_agg(d.member, ', ' ORDER BY d.member) FROM (
    SELECT m.key AS member FROM jsonb_each(l.after) m
    WHERE m.key <> 'labels' AND l.members ? m.key AND l.members -> m.key <> m.value
    UNION ALL SELECT 'labels' WHERE l.labels_after IS DISTINCT FROM l.label_ids
  ) d`;

export const currentState: Check = {
  name: 'present state',
  invariant: 'every resource matches its newest change record, and none was created or deleted without one',
  counted: sql`SELECT count(*) AS count FROM (${ofEveryKind(kinds, () => sql`t.id::text`)}) t`,
  faults: sql`
    SELECT project_id, kind, id, CASE
      WHEN action IS NULL THEN 'exists, but has no change record'
      WHEN action = 'delete' THEN format('exists, but the change %s deleted it', change_id)
      ELSE format('differs from the state after the change %s: %s', change_id, differing) END AS problem
    FROM (
      SELECT l.*, CASE WHEN jsonb_typeof(l.after) = 'object'
          AND (l.after <> l.members OR l.labels_after IS DISTINCT FROM l.label_ids)
        THEN (${differences}) END AS differing
      FROM (${union(kinds.map(existing))}) l
    ) compared
    WHERE action IS NULL OR action = 'delete' OR differing IS NOT NULL
    UNION ALL ${union(kinds.map(deleted))}`,
};
