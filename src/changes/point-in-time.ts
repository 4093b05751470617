import type { OneProject, RequestContext } from '../core/context/request-context';
import { shownTime } from '../core/context/times';
import { arrayParameter, raw, sql, type Sql } from '../database/sql';
import { timestampText, type ResourceMapping } from '../database/resource-mapping';
import { InventoryError } from '../core/errors';
import type { Queryable, Reader } from '../database/database';
import { from, inScope, isReadable } from '../database/resource-sql';
import { scopeOfResource } from '../database/resource-scope';

/** A point in the history of change records: a time, or the state before or after a change. */
export type PointInTime =
  | { readonly time: string }
  | { readonly before: number }
  | { readonly after: number };

/**
 * Whether the record `o` of an object is at or before a point in time. The time of a record is the object's own
 * `updated_at` or `created_at`. A read as of this time, or as of the slightly later `created_at` of the change,
 * therefore returns what the change wrote. For a deletion it is the `created_at` of the change.
 */
function isBefore(at: PointInTime): Sql {
  if ('before' in at) return sql`(o.change_id < ${at.before})`;
  if ('after' in at) return sql`(o.change_id <= ${at.after})`;
  return sql`(CASE o.action
    WHEN 'delete' THEN (SELECT c.created_at FROM changes c WHERE c.project_id = o.project_id AND c.id = o.change_id)
    ELSE COALESCE(o.after ->> 'updated_at', o.after ->> 'created_at')::timestamp AT TIME ZONE 'UTC'
    END <= ${at.time}::timestamptz)`;
}

/**
 * Reads the current state, or the state as of a point in time, which is read from one snapshot of the records.
 * @throws InventoryError 400 for a time in the future
 */
export async function readAsOf<T>(
  from: Reader,
  at: PointInTime | undefined,
  read: (on: Queryable) => Promise<T>,
): Promise<T> {
  if (!at) return read(from);
  return from.snapshot(async (on) => {
    if ('time' in at) await assertPast(at.time, on);
    return read(on);
  });
}

/** @throws InventoryError 400 for a time in the future */
export async function assertPast(time: string, on: Queryable): Promise<void> {
  // Uses the database's clock, which also sets the times that clients pass. A replica's clock may be behind the
  // primary's, but the replica knows when the last replayed transaction was committed.
  const now = sql`GREATEST(clock_timestamp(), pg_last_xact_replay_timestamp())`;
  const [to] = await on.rows(sql`SELECT WHERE ${time}::timestamptz > ${now}`);
  if (to) throw InventoryError.invalid('at', 'out_of_range', 'must not be in the future');
}

/**
 * The error for a resource that is not found, now or at a point in time. If the resource was created later, and the
 * caller can see it, the error says so by name.
 */
export async function notFoundError(
  ctx: RequestContext,
  mapping: ResourceMapping,
  id: number | string,
  { at, on }: { readonly at: PointInTime | undefined; readonly on: Queryable },
): Promise<InventoryError> {
  const name = mapping.fields[mapping.nameField]?.sql;
  if (at && 'time' in at && name !== undefined && mapping.fields['created_at']) {
    const [later] = await on.rows<{ name: string; created: string }>(sql`
      SELECT (${raw(name)})::text AS name, ${raw(timestampText('t.created_at'))} AS created ${from(mapping)}
      WHERE ${inScope(mapping, await scopeOfResource(ctx, mapping, id, on))} AND ${isReadable(mapping, ctx)}
        AND t.id = ${id}::${raw(mapping.idType)} AND t.created_at > ${at.time}::timestamptz`);
    if (later)
      return new InventoryError(
        'not_found',
        `The ${mapping.kind} ${later.name} did not exist yet (created ${shownTime(ctx, later.created)}).`,
        [{ field: 'at', code: 'not_found', message: 'is before its creation' }],
      );
  }
  return InventoryError.notFound(mapping.kind, id);
}

/**
 * A query for the newest record of an object at a point in time, a row of `change_objects`. It may be the record of the
 * deletion. Scans the object's records from the newest.
 * @param object a condition over `o` that selects the records of one object
 */
export const changeRecordAt = (at: PointInTime, object: Sql): Sql =>
  sql`SELECT o.* FROM change_objects o WHERE ${object} AND ${isBefore(at)} ORDER BY o.change_id DESC LIMIT 1`;

/**
 * The record of an object that another object referred to at a point in time. With concurrent transactions, or within
 * one change, the referring object may have the earlier time. Then it is the record of the referenced object's
 * creation.
 */
export const referencedAt = (at: PointInTime, object: Sql): Sql => sql`
  WITH found AS (SELECT * FROM (${changeRecordAt(at, object)}) newest WHERE newest.action <> 'delete')
  SELECT * FROM found
  UNION ALL (
    SELECT o.* FROM change_objects o WHERE NOT EXISTS (SELECT FROM found)
      AND ${object} AND o.action <> 'delete' AND NOT ${isBefore(at)} ORDER BY o.change_id LIMIT 1
  )`;

/** The resources of a mapping as of a point in time, as a table `t` that replaces the mapping's own. */
export function fromSnapshotAt(
  mapping: ResourceMapping,
  { project }: OneProject,
  ids: readonly (number | string)[],
  at: PointInTime,
): Sql {
  const object =
    mapping.idType === 'uuid'
      ? sql`o.project_id = wanted.id AND o.object_id IS NULL`
      : sql`o.object_id = wanted.id`;
  const state = changeRecordAt(
    at,
    sql`o.project_id = ${project}::uuid AND o.kind = ${mapping.kind} AND ${object}`,
  );
  return sql`FROM (
    SELECT s.project_id, wanted.id, s.kind, s.object_id, s.change_id, s.name, s.after,
      s.labels_after AS label_ids, (s.after ->> 'version')::bigint AS version ${raw(references(mapping))}
    FROM unnest(${arrayParameter(ids)}::${raw(mapping.idType)}[]) AS wanted (id) CROSS JOIN LATERAL (${state}) s
    WHERE s.action <> 'delete') t`;
}

/** The members that refer to other resources, as columns with the same names. */
const references = ({ fields }: ResourceMapping): string =>
  Object.entries(fields)
    .filter(([member, { sort }]) => member.endsWith('_id') && sort?.type === 'bigint')
    .map(([member]) => `, (s.after ->> '${member}')::bigint AS ${member}`)
    .join('');

/**
 * An object's own variables as of its record `t`, as one document. The value of each key comes from the key's newest
 * record. Numbers keep all their digits.
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

/** The names, at that time, of the labels of the resource `t` of `fromSnapshotAt`. */
export const labelNamesAt = (at: PointInTime): Sql => sql`COALESCE((
  SELECT string_agg(l.name, ',' ORDER BY l.name COLLATE "C") FROM unnest(t.label_ids) AS carried (id)
  CROSS JOIN LATERAL (${referencedAt(at, sql`o.project_id = t.project_id AND o.kind = 'label' AND o.object_id = carried.id`)}) l
), '')`;
