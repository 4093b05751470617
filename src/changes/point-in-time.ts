import type { ProjectScope } from '../core/context/request-context';
import { list, raw, sql, type Sql } from '../database/sql';
import type { ResourceShape } from '../database/resource-shape';
import { InventoryError } from '../core/errors/inventory-error';
import type { Queryable, Reader } from '../database/database';

/** A moment that change records tell of: a time, or what a change found, or what it left. */
export type PointInTime =
  { readonly time: string } | { readonly before: number } | { readonly after: number };

/**
 * Whether the record `o` of an object lies before a moment. The time of a record is the one that the object itself
 * shows: a client that asks for an object's `updated_at`, or for the `created_at` of the change, which is a little
 * later, finds what the change left. Of a deletion the object shows nothing; there it is the change's own.
 */
export function isBefore(moment: PointInTime): Sql {
  if ('before' in moment) return sql`(o.change_id < ${moment.before})`;
  if ('after' in moment) return sql`(o.change_id <= ${moment.after})`;
  return sql`(CASE o.action
    WHEN 'delete' THEN (SELECT c.created_at FROM changes c WHERE c.project_id = o.project_id AND c.id = o.change_id)
    ELSE COALESCE(o.after ->> 'updated_at', o.after ->> 'created_at')::timestamp AT TIME ZONE 'UTC'
    END <= ${moment.time}::timestamptz)`;
}

/**
 * Reads by now, or as of a moment, and then all from one state of the records.
 * @throws InventoryError 400 for a time to come: what will be then, nobody knows
 */
export async function readAsOf<T>(
  from: Reader,
  moment: PointInTime | undefined,
  read: (on: Queryable) => Promise<T>,
): Promise<T> {
  if (!moment) return read(from);
  return from.snapshot(async (on) => {
    if ('time' in moment) await requirePast(moment.time, on);
    return read(on);
  });
}

async function requirePast(time: string, on: Queryable): Promise<void> {
  // By the database's clock, which also writes the times that clients ask for. A replica's may go behind the primary's,
  // but it knows when what it shows was committed there.
  const now = sql`GREATEST(clock_timestamp(), pg_last_xact_replay_timestamp())`;
  const [to] = await on.rows(sql`SELECT WHERE ${time}::timestamptz > ${now}`);
  if (to) throw InventoryError.invalid('at', 'lies in the future');
}

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
export const changeRecordAt = (moment: PointInTime, object: Sql): Sql =>
  sql`SELECT o.* FROM change_objects o WHERE ${object} AND ${isBefore(moment)} ORDER BY o.change_id DESC LIMIT 1`;

/**
 * The record by which something stood that another object referred to at a moment. Of two transactions at the same
 * time, or of two objects of one change, the one that refers may bear the earlier time; then it is the record by which
 * the other came into being.
 */
export const referencedAt = (moment: PointInTime, object: Sql): Sql => sql`
  WITH found AS (SELECT * FROM (${changeRecordAt(moment, object)}) newest WHERE newest.action <> 'delete')
  SELECT * FROM found
  UNION ALL (
    SELECT o.* FROM change_objects o WHERE NOT EXISTS (SELECT FROM found)
      AND ${object} AND o.action <> 'delete' AND NOT ${isBefore(moment)} ORDER BY o.change_id LIMIT 1
  )`;

/** The resources of a shape as they were at a moment, as a table `t` in place of the shape's own. */
export function fromSnapshotAt(
  shape: ResourceShape,
  scope: ProjectScope,
  ids: readonly (number | string)[],
  moment: PointInTime,
): Sql {
  const inProject =
    scope === 'every project'
      ? sql`o.project_id IN (${raw(RECORDED_PROJECTS)})`
      : sql`o.project_id = ${scope.project}::uuid`;
  const object =
    shape.idType === 'uuid'
      ? sql`o.project_id = asked.id AND o.object_id IS NULL`
      : sql`o.object_id = asked.id`;
  const state = changeRecordAt(moment, sql`${inProject} AND o.kind = ${shape.kind} AND ${object}`);
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
export const variablesAt: Sql = sql`(
  SELECT COALESCE(jsonb_object_agg(newest.key, newest.value -> 'after') FILTER (WHERE newest.value ? 'after'), '{}')::text
  FROM (
    SELECT DISTINCT ON (v.key) v.key, v.value
    FROM change_objects o CROSS JOIN LATERAL jsonb_each(o.variables) v
    WHERE o.project_id = t.project_id AND o.kind = t.kind AND o.object_id = t.object_id
      AND o.change_id <= t.change_id AND o.keys <> '{}'
    ORDER BY v.key, o.change_id DESC
  ) newest)`;

/** The names of the labels that the resource `t` of `fromPast` carried, as they were called. */
export const labelNamesAt = (moment: PointInTime): Sql => sql`COALESCE((
  SELECT string_agg(l.name, ',' ORDER BY l.name COLLATE "C") FROM unnest(t.label_ids) AS carried (id)
  CROSS JOIN LATERAL (${referencedAt(moment, sql`o.project_id = t.project_id AND o.kind = 'label' AND o.object_id = carried.id`)}) l
), '')`;
