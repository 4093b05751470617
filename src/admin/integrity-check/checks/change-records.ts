import { raw, sql, type Sql } from '../../../database/sql';
import type { ResourceMapping } from '../../../database/resource-mapping';
import { type Check, kinds, union, storedKindOf, ofEveryKind, recordedId } from '../check';
import { from, isChanged, jsonOf, ofKind, ownMembers } from '../../../database/resource-sql';

const quoted = (mappings: readonly ResourceMapping[]): string =>
  mappings.map(({ kind }) => `'${kind}'`).join(', ');

/** The kinds whose id is that of the project, and the kinds without a member `id`. */
const ofProject = quoted(kinds.filter(({ idType }) => idType === 'uuid'));
const withoutId = quoted(kinds.filter(({ fields }) => fields['id'] === undefined));

/** A side (before or after) has as many label ids as label names. Kinds without labels have neither. */
const labelsFit = (side: 'before' | 'after'): string =>
  `CASE WHEN o.${side} ? 'labels' AND o.kind <> 'label'
     THEN cardinality(o.labels_${side}) = cardinality(string_to_array(o.${side} ->> 'labels', ','))
     ELSE o.labels_${side} IS NULL END`;

/** Conditions for an object `o` of a change record, with the problem to report for a violation. */
const rules: readonly (readonly [holds: string, problem: string])[] = [
  [
    `CASE o.action WHEN 'create' THEN o.before IS NULL AND o.after IS NOT NULL
       WHEN 'update' THEN o.before IS NOT NULL AND o.after IS NOT NULL
       WHEN 'delete' THEN o.before IS NOT NULL AND o.after IS NULL ELSE false END`,
    'does not have the sides of its action',
  ],
  [
    `(o.before IS NULL OR jsonb_typeof(o.before) = 'object') AND (o.after IS NULL OR jsonb_typeof(o.after) = 'object')`,
    'has a side that is not a JSON object',
  ],
  [
    `(o.object_id IS NULL) = (o.kind IN (${ofProject}))
     AND COALESCE(o.before ->> 'id' = COALESCE(o.object_id::text, o.project_id::text),
       o.before IS NULL OR o.kind IN (${withoutId}))
     AND COALESCE(o.after ->> 'id' = COALESCE(o.object_id::text, o.project_id::text),
       o.after IS NULL OR o.kind IN (${withoutId}))
     AND COALESCE(o.before ->> 'project_id' = o.project_id::text, o.before IS NULL)
     AND COALESCE(o.after ->> 'project_id' = o.project_id::text, o.after IS NULL)`,
    'has a side that belongs to another resource',
  ],
  [
    `jsonb_typeof(o.variables) = 'object' AND NOT EXISTS (
       SELECT FROM jsonb_each(CASE WHEN jsonb_typeof(o.variables) = 'object' THEN o.variables ELSE '{}' END) e
       WHERE CASE WHEN jsonb_typeof(e.value) <> 'object' THEN true
         ELSE e.value - '{before,after}'::text[] <> '{}' OR e.value = '{}'
           OR COALESCE((e.value -> 'before')::text = (e.value -> 'after')::text, false)
           OR (o.action = 'create' AND e.value ? 'before') OR (o.action = 'delete' AND e.value ? 'after') END)`,
    'has a variable without the sides that its change must have',
  ],
  [
    `ARRAY(SELECT k FROM unnest(o.keys) k ORDER BY k COLLATE "C") = ARRAY(SELECT k COLLATE "C"
       FROM jsonb_object_keys(CASE WHEN jsonb_typeof(o.variables) = 'object' THEN o.variables ELSE '{}' END) k
       ORDER BY k COLLATE "C")`,
    'has keys that differ from its variables',
  ],
  [`${labelsFit('before')} AND ${labelsFit('after')}`, 'has label ids that do not match its label names'],
  [
    `NOT EXISTS (SELECT FROM unnest(o.labels_before || o.labels_after) l (id) WHERE NOT EXISTS (
       SELECT FROM change_objects r WHERE r.project_id = o.project_id AND r.kind = 'label' AND r.object_id = l.id))`,
    'has a label without a change record',
  ],
];

const malformed = rules.map(([holds, problem]) =>
  raw(`SELECT o.project_id, o.kind, o.object_id AS id, 'object ' || o.ordinal || ' of the change ' || o.change_id || ' ${problem}' AS problem
    FROM change_objects o WHERE (${holds}) IS NOT TRUE`),
);

export const changeForm: Check = {
  name: 'change records',
  invariant: 'every change record is complete and well formed',
  counted: sql`SELECT count(*) AS count FROM change_objects`,
  faults: union([
    ...malformed,
    // The objects of a change are numbered from zero without a gap.
    sql`SELECT c.project_id, 'changes', c.id, 'has missing objects: ' || count(o.ordinal) || ' exist'
      FROM changes c LEFT JOIN change_objects o ON o.project_id = c.project_id AND o.change_id = c.id
      GROUP BY c.project_id, c.id
      HAVING count(o.ordinal) = 0 OR min(o.ordinal) <> 0 OR max(o.ordinal) <> count(o.ordinal) - 1`,
    sql`SELECT project_id, 'changes', id, 'has no author' FROM changes WHERE actor_username = ''`,
  ]),
};

/**
 * The records of a resource continue each other's versions. Their ids are in the order of the changes, because a
 * change holds the lock of the resource from before its record gets an id until the commit. A deleted resource can be
 * restored by a revert, with a greater version.
 */
export const history: Check = {
  name: 'histories',
  invariant:
    "each resource's change records begin with its creation and have consecutive versions; only a restoration follows a deletion",
  counted: sql`SELECT count(*) AS count FROM (SELECT DISTINCT project_id, kind, object_id FROM change_objects) o`,
  faults: sql`
    SELECT project_id, kind, id, CASE
      WHEN earlier IS NULL THEN format('its history begins with the change %s, which did not create it', change_id)
      WHEN earlier = 'delete' AND action <> 'create' THEN format('the change %s came after its deletion', change_id)
      WHEN earlier = 'delete' THEN format('the change %s restored it at the version %s, but it was deleted at %s',
        change_id, brought::text, ended_at::text)
      WHEN action = 'create' THEN format('the change %s created it again', change_id)
      ELSE format('the change %s found it at the version %s, but the change before left it at %s',
        change_id, found::text, left_at::text) END AS problem
    FROM (
      SELECT o.project_id, o.kind, o.object_id AS id, o.change_id, o.action, o.before -> 'version' AS found,
        lag(o.action) OVER resource AS earlier, lag(o.after -> 'version') OVER resource AS left_at,
        o.after -> 'version' AS brought, lag(o.before -> 'version') OVER resource AS ended_at
      FROM change_objects o
      WINDOW resource AS (PARTITION BY o.project_id, o.kind, o.object_id ORDER BY o.change_id)
    ) step
    WHERE CASE WHEN earlier IS NULL THEN action <> 'create'
      WHEN earlier = 'delete' THEN action <> 'create' OR COALESCE(brought <= ended_at, true)
      ELSE action = 'create' OR found IS DISTINCT FROM left_at END`,
};

/** Whether the change object `o` belongs to the resource `t`. */
const belongsTo = (mapping: ResourceMapping): Sql =>
  sql`o.project_id = t.project_id AND o.kind = ${storedKindOf(mapping)}
    AND ${raw(mapping.idType === 'uuid' ? 'o.object_id IS NULL' : 'o.object_id = t.id')}`;

/** The ids of the current labels of a resource `t`, in order. */
const labelIds = ({ labels }: ResourceMapping): Sql =>
  raw(
    labels
      ? `ARRAY(SELECT a.label_id FROM ${labels.table} a
          WHERE a.project_id = t.project_id AND a.${labels.owner} = t.id ORDER BY a.label_id)`
      : 'NULL::bigint[]',
  );

/** A query for the existing resources, each with the state in its newest change record. */
function existing(mapping: ResourceMapping): Sql {
  return sql`
    SELECT t.project_id, ${storedKindOf(mapping)} AS kind, ${recordedId(mapping)} AS id, newest.change_id, newest.action,
      newest.after, newest.labels_after, ${jsonOf(mapping, ownMembers(mapping))}::jsonb AS members,
      ${labelIds(mapping)} AS label_ids
    ${from(mapping)} LEFT JOIN LATERAL (
      SELECT o.change_id, o.action, o.after, o.labels_after FROM change_objects o WHERE ${belongsTo(mapping)}
      ORDER BY o.change_id DESC LIMIT 1
    ) newest ON true WHERE ${ofKind(mapping)}`;
}

/** A query for resources with change records, but without a deletion, that do not exist. */
function deleted(mapping: ResourceMapping): Sql {
  return sql`
    SELECT o.project_id, o.kind, o.object_id AS id, 'does not exist, but no change record deletes it' AS problem
    FROM change_objects o WHERE o.kind = ${storedKindOf(mapping)}
      AND NOT EXISTS (SELECT ${from(mapping)} WHERE ${ofKind(mapping)} AND ${belongsTo(mapping)})
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
    WHERE m.key <> 'labels' AND l.members ? m.key AND ${isChanged(sql`m.value`, sql`l.members -> m.key`)}
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
          AND (${isChanged(sql`l.after`, sql`l.members`)} OR l.labels_after IS DISTINCT FROM l.label_ids)
        THEN (${differences}) END AS differing
      FROM (${union(kinds.map(existing))}) l
    ) compared
    WHERE action IS NULL OR action = 'delete' OR differing IS NOT NULL
    UNION ALL ${union(kinds.map(deleted))}`,
};
