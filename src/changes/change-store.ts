import { list, sql } from '../shared/persistence/sql';
import type { DescribedChange, DescribedObject } from './described-change';
import type { ImpactCount } from './impact-assessor';
import { diffText, type VariableChange } from './variable-diff';

/** Label ids as the text of an array: arrays of arrays of different lengths cannot be passed. */
const idsText = (ids: readonly number[] | undefined): string | null => (ids ? `{${ids.join(',')}}` : null);

/**
 * Stores a change's record: the change itself, an object for each resource that it touched, and which variables it was
 * the last to set. One statement. The record's id is drawn when everything is locked: of two changes of one resource,
 * the later one has the greater id.
 * @returns the record's id
 */
export async function storeChange(change: DescribedChange, impact: ImpactCount): Promise<number> {
  const { ctx, tx, projectId, objects, reason } = change;
  const { principal, requestId } = ctx;
  const of = <T>(read: (object: DescribedObject) => T) => objects.map(read);
  const set = correlations(objects, (variable) => variable.after !== undefined);
  const unset = correlations(objects, (variable) => variable.after === undefined);
  const [row] = await tx.rows<{ id: number }>(sql`
    WITH change AS (
      INSERT INTO changes
        (project_id, created_at, actor_id, actor_username, request_id, reason, impact_devices, impact_public,
          impact_hiding)
      VALUES (${projectId}, clock_timestamp(), ${principal.userId || null}::bigint,
        ${principal.username}, ${requestId}, ${reason ?? null}, ${impact.devices}, ${impact.seenByEverybody},
        ${list(change.policy?.hidden ?? [])}::text[])
      RETURNING id
    ), objects AS (
      INSERT INTO change_objects (project_id, change_id, ordinal, kind, object_id, name, action, before, after,
        labels_before, labels_after, variables, keys)
      SELECT ${projectId}::uuid, change.id, o.ordinal, o.kind, o.object_id, o.name, o.action, o.before, o.after,
        o.labels_before::bigint[], o.labels_after::bigint[], o.variables, ARRAY(SELECT jsonb_object_keys(o.variables))
      FROM change, unnest(
        ${list(objects.map((_, ordinal) => ordinal))}::integer[],
        ${list(of((o) => o.shape.kind))}::text[],
        ${list(of((o) => o.id || null))}::bigint[],
        ${list(of((o) => o.name))}::text[],
        ${list(of((o) => o.action))}::text[],
        ${list(of((o) => o.before?.members ?? null))}::jsonb[],
        ${list(of((o) => o.after?.members ?? null))}::jsonb[],
        ${list(of((o) => idsText(o.before?.labelIds)))}::text[],
        ${list(of((o) => idsText(o.after?.labelIds)))}::text[],
        ${list(of((o) => diffText(o.variables)))}::jsonb[]
      ) AS o (ordinal, kind, object_id, name, action, before, after, labels_before, labels_after, variables)
    ), correlated AS (
      INSERT INTO variable_correlations (project_id, object_type, object_id, key, change_id)
      SELECT ${projectId}::uuid, c.kind, c.object_id, c.key, change.id
      FROM change, unnest(${list(set.kinds)}::text[], ${list(set.ids)}::bigint[], ${list(set.keys)}::text[])
        AS c (kind, object_id, key)
      ON CONFLICT (project_id, object_type, object_id, key) DO UPDATE SET change_id = excluded.change_id
    ), uncorrelated AS (
      DELETE FROM variable_correlations v
      USING unnest(${list(unset.kinds)}::text[], ${list(unset.ids)}::bigint[], ${list(unset.keys)}::text[])
        AS c (kind, object_id, key)
      WHERE v.project_id = ${projectId}::uuid
        AND v.object_type = c.kind AND v.object_id = c.object_id AND v.key = c.key
    )
    SELECT id FROM change`);
  if (!row) throw new Error('a change was not recorded');
  return row.id;
}

function correlations(objects: readonly DescribedObject[], which: (variable: VariableChange) => boolean) {
  const rows = objects.flatMap((object) =>
    object.variables.filter(which).map((variable) => ({ object, key: JSON.parse(variable.key) as string })),
  );
  return {
    kinds: rows.map(({ object }) => object.shape.kind),
    ids: rows.map(({ object }) => object.id),
    keys: rows.map(({ key }) => key),
  };
}
