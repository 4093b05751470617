import type { Client } from 'pg';
import { snapshotColumns } from '../../src/changes/resource-snapshot';
import { raw, sql } from '../../src/database/sql';
import { ofKind } from '../../src/database/resource-sql';
import type { ResourceMapping } from '../../src/database/resource-mapping';

/**
 * Writes change records for the creation of all resources of a kind in a project, as the service would, so that the
 * fleet has a history and `muster-admin verify` finds no faults.
 * @param most the maximum number of resources per record
 */
export async function recordCreations(
  client: Client,
  project: string,
  mapping: ResourceMapping,
  most: number,
): Promise<void> {
  const impact = mapping.table === 'devices' ? sql`count(*)` : sql`0`;
  const change = sql`
    WITH part AS (
      SELECT CASE WHEN ${mapping.idType} = 'uuid' THEN 0 ELSE rank / ${most}::bigint END AS part, id FROM (
        SELECT t.uuid AS id, row_number() OVER (ORDER BY ${raw(mapping.idType === 'uuid' ? 't.uuid' : 't.id')}) - 1 AS rank
        FROM ${raw(mapping.table)} t WHERE t.project_id = ${project}::uuid AND ${ofKind(mapping)}) ranked
    )
    INSERT INTO changes (project_id, created_at, actor_username, request_id, reason, impact_devices, impact_public,
      impact_hiding)
    SELECT ${project}::uuid, clock_timestamp(), 'bench', 'bench', 'the fleet of the benchmark', ${impact}, ${impact}, '{}'
    FROM part GROUP BY part ORDER BY part RETURNING id`;
  const { rows } = await client.query<{ id: string }>(change.text, change.values);
  const id = raw(mapping.idType === 'uuid' ? 'NULL::bigint' : 's.id');
  const variables = raw(mapping.carriesVariables ? 's.variables::jsonb' : `'{}'::jsonb`);
  for (const [part, record] of rows.entries()) {
    const objects = sql`
      INSERT INTO change_objects (project_id, change_id, ordinal, kind, object_id, name, action, after, labels_after,
        variables, keys)
      SELECT s.project_id, ${record.id}::bigint, row_number() OVER (ORDER BY s.id) - 1, ${mapping.kind}, ${id}, s.name, 'create',
        s.members::jsonb, s.label_ids::bigint[], changed.variables, changed.keys
      FROM (
        SELECT ${snapshotColumns(mapping)} FROM ${raw(mapping.table)} t
        WHERE t.project_id = ${project}::uuid AND ${ofKind(mapping)} AND t.id IN (
          SELECT t.id FROM ${raw(mapping.table)} t WHERE t.project_id = ${project}::uuid AND ${ofKind(mapping)}
          ORDER BY t.id LIMIT ${most}::bigint OFFSET ${part * most}::bigint)
      ) s CROSS JOIN LATERAL (
        SELECT COALESCE(jsonb_object_agg(key, jsonb_build_object('after', value)), '{}') AS variables,
          COALESCE(array_agg(key), '{}') AS keys FROM jsonb_each(${variables})
      ) changed`;
    await client.query(objects.text, objects.values);
  }
}
