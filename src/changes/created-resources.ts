import { from, recordedMembers, valueHash } from '../database/resource-sql';
import type { ResourceMapping } from '../database/resource-mapping';
import { arrayParameter, sql, textArray, type Sql } from '../database/sql';
import { insertValues, scalarsIn } from '../database/variable-values';
import type { ObjectDiff } from './change-diff';
import { nameOf } from './resource-snapshot';

/** An object with its position in the record. */
export interface NumberedObject {
  readonly object: ObjectDiff;
  readonly ordinal: number;
}

/**
 * The statements that record resources that a large change created. The database copies what they record from the rows of
 * the resources, so that nothing is sent to the service and back. New resources have no correlations yet.
 * @param changeId an expression
 */
export function createdStatements(
  projectId: string,
  objects: readonly NumberedObject[],
  changeId: Sql,
): Sql[] {
  const mappings = new Set(objects.map(({ object }) => object.mapping));
  return [...mappings].flatMap((mapping) => {
    const created = objects.filter(({ object }) => object.mapping === mapping);
    const record = recordStatement(projectId, mapping, created, changeId);
    const setting = created.filter(({ object }) => (object.after?.variables ?? '{}') !== '{}');
    return [record, ...(setting.length > 0 ? variableStatements(projectId, mapping, setting, changeId) : [])];
  });
}

function recordStatement(
  projectId: string,
  mapping: ResourceMapping,
  created: readonly NumberedObject[],
  changeId: Sql,
): Sql {
  const rows = sql`unnest(${idsOf(created)}::bigint[], ${arrayParameter(created.map(({ ordinal }) => ordinal))}::integer[],
    ${textArray(created.map(({ object }) => labelsText(object)))}::text[]) AS i (id, ordinal, labels)`;
  const variables = mapping.carriesVariables
    ? sql`SELECT COALESCE(jsonb_object_agg(e.key, jsonb_build_object('after', e.value)), '{}') AS variables,
        COALESCE(array_agg(e.key), '{}') AS keys FROM jsonb_each(t.variables) e`
    : sql`SELECT '{}'::jsonb AS variables, '{}'::text[] AS keys`;
  return sql`INSERT INTO change_objects (project_id, change_id, ordinal, kind, object_id, name, action, after, labels_after,
      variables, keys)
    SELECT ${projectId}::uuid, ${changeId}, i.ordinal, ${mapping.kind}::text, t.id, ${nameOf(mapping)}, 'create',
      ${recordedMembers(mapping)}, i.labels::bigint[], v.variables, v.keys
    FROM ${lookedUp(mapping, projectId, rows)} CROSS JOIN LATERAL (${variables}) AS v`;
}

/** The ids of labels as the text of an array. */
const labelsText = ({ after }: ObjectDiff): string | null =>
  after?.labelIds ? `{${after.labelIds.join(',')}}` : null;

function variableStatements(
  projectId: string,
  mapping: ResourceMapping,
  created: readonly NumberedObject[],
  changeId: Sql,
): Sql[] {
  const rows = sql`unnest(${idsOf(created)}::bigint[]) AS i (id)`;
  const documents = sql`SELECT t.project_id, t.id, t.variables FROM ${lookedUp(mapping, projectId, rows)}`;
  const scalar = sql`CASE WHEN jsonb_typeof(e.value) NOT IN ('array', 'object') THEN e.value END`;
  return [
    sql`INSERT INTO variable_correlations (project_id, object_type, object_id, key, change_id, value_hash)
      SELECT ${projectId}::uuid, ${mapping.kind}::text, d.id, e.key, ${changeId}, ${valueHash(sql`e.key`, scalar)}
      FROM (${documents}) d CROSS JOIN LATERAL jsonb_each(d.variables) e`,
    insertValues(scalarsIn(documents), sql`${projectId}::uuid`),
  ];
}

const idsOf = (created: readonly NumberedObject[]) => arrayParameter(created.map(({ object }) => object.id));

/** Rows `t` that are looked up one by one. @param rows rows `i` with their ids */
const lookedUp = (mapping: ResourceMapping, projectId: string, rows: Sql): Sql => sql`${rows}
  CROSS JOIN LATERAL (SELECT t.* ${from(mapping)} WHERE t.project_id = ${projectId} AND t.id = i.id OFFSET 0) AS t`;
