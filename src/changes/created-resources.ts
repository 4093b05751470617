import { from, recordedMembers, valueHash } from '../database/resource-sql';
import type { ResourceMapping } from '../database/resource-mapping';
import { integerArray, sql, textArray, type Sql } from '../database/sql';
import type { Materialize } from '../database/transaction';
import { insertValues } from '../database/variable-values';
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
  materialize: Materialize,
): Sql[] {
  const mappings = new Set(objects.map(({ object }) => object.mapping));
  return [...mappings].flatMap((mapping) => {
    const created = objects.filter(({ object }) => object.mapping === mapping);
    const rows = materialize(rowsOf(projectId, mapping, created));
    const setsVariables = created.some(({ object }) => (object.after?.variables ?? '{}') !== '{}');
    return [
      recordStatement(projectId, mapping, rows, changeId),
      ...(setsVariables
        ? variableStatements(projectId, mapping, materialize(variablesIn(rows)), changeId)
        : []),
    ];
  });
}

/** The rows of created resources, with what the record has in addition. Each is looked up by its id. */
function rowsOf(projectId: string, mapping: ResourceMapping, created: readonly NumberedObject[]): Sql {
  const read = <T>(member: (object: ObjectDiff) => T) => created.map(({ object }) => member(object));
  return sql`SELECT i.ordinal, i.label_ids, i.label_names, t.*
    FROM unnest(${integerArray(read(({ id }) => id))}::bigint[], ${integerArray(created.map(({ ordinal }) => ordinal))}::integer[],
      ${textArray(read(labelIdsText))}::text[], ${textArray(read(labelNames))}::text[]) AS i (id, ordinal, label_ids, label_names)
    CROSS JOIN LATERAL (SELECT t.* ${from(mapping)} WHERE t.project_id = ${projectId} AND t.id = i.id OFFSET 0) AS t`;
}

/** The ids of labels as the text of an array. */
const labelIdsText = ({ after }: ObjectDiff): string | null =>
  after?.labelIds ? `{${after.labelIds.join(',')}}` : null;

const labelNames = ({ after }: ObjectDiff): string | null =>
  after && 'labelNames' in after ? (after.labelNames ?? null) : null;

const variablesIn = (rows: Sql): Sql =>
  sql`SELECT t.id, e.key, e.value FROM ${rows} AS t CROSS JOIN LATERAL jsonb_each(t.variables) e`;

function recordStatement(projectId: string, mapping: ResourceMapping, rows: Sql, changeId: Sql): Sql {
  const variables = mapping.carriesVariables
    ? sql`SELECT COALESCE(jsonb_object_agg(e.key, jsonb_build_object('after', e.value)), '{}') AS variables,
        COALESCE(array_agg(e.key), '{}') AS keys FROM jsonb_each(t.variables) e`
    : sql`SELECT '{}'::jsonb AS variables, '{}'::text[] AS keys`;
  const members = recordedMembers(mapping, mapping.labels ? { labels: sql`t.label_names` } : {});
  return sql`INSERT INTO change_objects (project_id, change_id, ordinal, kind, object_id, name, action, after, labels_after,
      variables, keys)
    SELECT ${projectId}::uuid, ${changeId}, t.ordinal, ${mapping.kind}::text, t.id, ${nameOf(mapping)}, 'create',
      ${members}, t.label_ids::bigint[], v.variables, v.keys
    FROM ${rows} AS t CROSS JOIN LATERAL (${variables}) AS v`;
}

/** @param variables rows of `id`, `key` and `value` */
function variableStatements(
  projectId: string,
  mapping: ResourceMapping,
  variables: Sql,
  changeId: Sql,
): Sql[] {
  const isScalar = sql`jsonb_typeof(e.value) NOT IN ('array', 'object')`;
  return [
    sql`INSERT INTO variable_correlations (project_id, object_type, object_id, key, change_id, value_hash)
      SELECT ${projectId}::uuid, ${mapping.kind}::text, e.id, e.key, ${changeId},
        ${valueHash(sql`e.key`, sql`CASE WHEN ${isScalar} THEN e.value END`)}
      FROM ${variables} AS e`,
    insertValues(
      sql`SELECT ${projectId}::uuid AS project_id, e.key, e.value AS scalar FROM ${variables} AS e WHERE ${isScalar}`,
      sql`${projectId}::uuid`,
    ),
  ];
}
