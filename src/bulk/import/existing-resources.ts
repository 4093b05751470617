import type { Queryable } from '../../database/queryable';
import { raw, sql, textArray, type Sql } from '../../database/sql';
import { type ImportLine, type LineGroup, lineGroups } from './line-kinds';

/** The ids of the existing resources that a line names; null if they do not exist. */
export interface LookupResult {
  [column: string]: unknown;
  /** The id of the resource of the line. */
  readonly id: number | null;
  /** The version of the resource; null if it does not exist. */
  readonly version: number | null;
  /** The kind of an existing device. */
  readonly kind?: string | null;
  readonly cloud_id?: number | null;
  readonly region_id?: number | null;
  readonly cell_id?: number | null;
  readonly parent_id?: number | null;
  /** The current region of a device. */
  readonly in_region?: number | null;
  /** The current cell of a device. */
  readonly in_cell?: number | null;
}

/** Looks up the resources that lines name, with one query. @returns one result per line, in order */
export async function lookUpExisting(
  on: Queryable,
  projectId: string,
  group: LineGroup,
  lines: readonly ImportLine[],
): Promise<LookupResult[]> {
  const values = (member: string) =>
    textArray(lines.map(({ body }) => (typeof body[member] === 'string' ? body[member] : null)));
  return on.rows<LookupResult>(sql`${lookupStatement(group, projectId, values)} ORDER BY l.n`);
}

type MemberValues = (member: string) => ReturnType<typeof textArray>;

function lookupStatement(group: LineGroup, projectId: string, values: MemberValues): Sql {
  if (group === lineGroups.devices) return deviceLookup(projectId, values);
  if (group === lineGroups.cells) return cellLookup(projectId, values);
  const { table, name } = group;
  return sql`SELECT t.id, t.version, ${idByName('clouds', projectId, sql`l.cloud`)} AS cloud_id
    FROM unnest(${values(name)}::text[], ${values('cloud')}::text[]) WITH ORDINALITY AS l (name, cloud, n)
    LEFT JOIN LATERAL (SELECT o.id, o.version FROM ${raw(table)} o
      WHERE o.project_id = ${projectId} AND o.${raw(name)} = l.name OFFSET 0) AS t ON true`;
}

/**
 * The id of the resource with a name. A subquery is an index lookup per line. The planner would choose a join by the
 * number of rows, but the statistics of tables that this transaction fills are wrong.
 */
const idByName = (table: string, projectId: string, name: Sql): Sql =>
  sql`(SELECT o.id FROM ${raw(table)} o WHERE o.project_id = ${projectId} AND o.name = ${name})`;

const cellLookup = (projectId: string, values: MemberValues): Sql => sql`
  SELECT r.id AS region_id, t.id, t.version
  FROM (
    SELECT l.name, l.n, ${idByName('regions', projectId, sql`l.region`)} AS id
    FROM unnest(${values('name')}::text[], ${values('region')}::text[]) WITH ORDINALITY AS l (name, region, n) OFFSET 0
  ) AS r CROSS JOIN LATERAL (SELECT r.name, r.n) AS l
  LEFT JOIN LATERAL (SELECT c.id, c.version FROM cells c
    WHERE c.project_id = ${projectId} AND c.region_id = r.id AND c.name = l.name OFFSET 0) AS t ON true`;

/** A cell is looked up in the region that the line names, or else in the current region of the device. */
const deviceLookup = (projectId: string, values: MemberValues): Sql => sql`
  SELECT t.id, t.version, t.kind, t.region_id AS in_region, t.cell_id AS in_cell, r.region_id,
    (SELECT c.id FROM cells c WHERE c.project_id = ${projectId} AND c.name = l.cell
      AND c.region_id = CASE WHEN l.region IS NULL THEN t.region_id ELSE r.region_id END) AS cell_id,
    ${idByName('devices', projectId, sql`l.parent`)} AS parent_id
  FROM unnest(${values('name')}::text[], ${values('region')}::text[], ${values('cell')}::text[], ${values('parent')}::text[])
    WITH ORDINALITY AS l (name, region, cell, parent, n)
  LEFT JOIN LATERAL (
    SELECT d.id, d.version, d.kind, d.region_id, d.cell_id FROM devices d
    WHERE d.project_id = ${projectId} AND d.name = l.name OFFSET 0
  ) AS t ON true
  CROSS JOIN LATERAL (SELECT ${idByName('regions', projectId, sql`l.region`)} AS region_id OFFSET 0) AS r`;
