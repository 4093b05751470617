import type { ProjectScope } from '../core/context/request-context';
import { list, raw, sql, type Sql } from '../database/sql';
import type { ResourceShape } from '../database/resource-shape';
import { liesBefore, type Moment } from './point-in-time';

/** The ids of all projects with records, also of those that were deleted, each found by one look into the index. */
export const RECORDED_PROJECTS = `
  WITH RECURSIVE recorded (project_id) AS (
    (SELECT project_id FROM changes ORDER BY project_id LIMIT 1)
    UNION ALL
    SELECT (SELECT c.project_id FROM changes c WHERE c.project_id > recorded.project_id ORDER BY c.project_id LIMIT 1)
    FROM recorded WHERE recorded.project_id IS NOT NULL
  ) SELECT project_id FROM recorded WHERE project_id IS NOT NULL`;

/**
 * The newest record of an object before a moment, as a query for its row of `change_objects`; it may be that of its
 * deletion. Walks the object's records from the newest on.
 * @param object a condition over `o` that only the records of one object fulfil
 */
export const recordAt = (moment: Moment, object: Sql): Sql =>
  sql`SELECT o.* FROM change_objects o WHERE ${object} AND ${liesBefore(moment)} ORDER BY o.change_id DESC LIMIT 1`;

/**
 * The record by which something stood that another object referred to at a moment. Of two transactions at the same
 * time, or of two objects of one change, the one that refers may bear the earlier time; then it is the record by which
 * the other came into being.
 */
export const referredAt = (moment: Moment, object: Sql): Sql => sql`
  WITH found AS (SELECT * FROM (${recordAt(moment, object)}) newest WHERE newest.action <> 'delete')
  SELECT * FROM found
  UNION ALL (
    SELECT o.* FROM change_objects o WHERE NOT EXISTS (SELECT FROM found)
      AND ${object} AND o.action <> 'delete' AND NOT ${liesBefore(moment)} ORDER BY o.change_id LIMIT 1
  )`;

/** The resources of a shape as they were at a moment, as a table `t` in place of the shape's own. */
export function fromPast(
  shape: ResourceShape,
  scope: ProjectScope,
  ids: readonly (number | string)[],
  moment: Moment,
): Sql {
  const inProject =
    scope === 'every project'
      ? sql`o.project_id IN (${raw(RECORDED_PROJECTS)})`
      : sql`o.project_id = ${scope.project}::uuid`;
  const object =
    shape.idType === 'uuid'
      ? sql`o.project_id = asked.id AND o.object_id IS NULL`
      : sql`o.object_id = asked.id`;
  const state = recordAt(moment, sql`${inProject} AND o.kind = ${shape.kind} AND ${object}`);
  return sql`FROM (
    SELECT s.project_id, asked.id, s.kind, s.object_id, s.change_id, s.name, s.after,
      s.labels_after AS label_ids, (s.after ->> 'version')::bigint AS version ${raw(references(shape))}
    FROM unnest(${list(ids)}::${raw(shape.idType)}[]) AS asked (id) CROSS JOIN LATERAL (${state}) s
    WHERE s.action <> 'delete') t`;
}

/** Of the members, those that refer to other resources, as columns of the same names. */
const references = ({ fields }: ResourceShape): string =>
  Object.entries(fields)
    .filter(([member, { sort }]) => member.endsWith('_id') && sort?.type === 'bigint')
    .map(([member]) => `, (s.after ->> '${member}')::bigint AS ${member}`)
    .join('');

/**
 * An object's own variables as its record `t` left them, as one document: of every key what its newest record says.
 * A record's values come out as they went in, digit by digit.
 */
export const variablesUpTo: Sql = sql`(
  SELECT COALESCE(jsonb_object_agg(newest.key, newest.value -> 'after') FILTER (WHERE newest.value ? 'after'), '{}')::text
  FROM (
    SELECT DISTINCT ON (v.key) v.key, v.value
    FROM change_objects o CROSS JOIN LATERAL jsonb_each(o.variables) v
    WHERE o.project_id = t.project_id AND o.kind = t.kind AND o.object_id = t.object_id
      AND o.change_id <= t.change_id AND o.keys <> '{}'
    ORDER BY v.key, o.change_id DESC
  ) newest)`;

/** The names of the labels that the resource `t` of `fromPast` carried, as they were called. */
export const pastLabelNames = (moment: Moment): Sql => sql`COALESCE((
  SELECT string_agg(l.name, ',' ORDER BY l.name COLLATE "C") FROM unnest(t.label_ids) AS carried (id)
  CROSS JOIN LATERAL (${referredAt(moment, sql`o.project_id = t.project_id AND o.kind = 'label' AND o.object_id = carried.id`)}) l
), '')`;
