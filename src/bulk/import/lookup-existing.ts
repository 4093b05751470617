import type { Transaction } from '../../database/database';
import { list, raw, sql, type Sql } from '../../database/sql';
import { lineGroups, type LineGroup } from './line-kinds';
import type { Line } from './line';

/** What the inventory has of what a line names: ids, null where there is nothing. */
export interface Found {
  [column: string]: unknown;
  /** The resource itself. */
  readonly id: number | null;
  /** A device's kind. */
  readonly kind?: string | null;
  readonly cloud_id?: number | null;
  readonly region_id?: number | null;
  readonly cell_id?: number | null;
  readonly parent_id?: number | null;
  /** Where a device is by now. */
  readonly in_region?: number | null;
  readonly in_cell?: number | null;
}

/** Looks up what lines name, all at once. @returns for each line, in their order */
export async function foundLines(
  tx: Transaction,
  projectId: string,
  group: LineGroup,
  lines: readonly Line[],
): Promise<Found[]> {
  const given = (member: string) =>
    list(lines.map(({ body }) => (typeof body[member] === 'string' ? body[member] : null)));
  return tx.rows<Found>(sql`${statementOf(group, projectId, given)} ORDER BY l.n`);
}

type Given = (member: string) => ReturnType<typeof list>;

function statementOf(group: LineGroup, projectId: string, given: Given): Sql {
  if (group === lineGroups.devices) return ofDevices(projectId, given);
  if (group === lineGroups.cells) return ofCells(projectId, given);
  const { table, name } = group;
  return sql`SELECT ${idOf(table, name, projectId, sql`l.name`)} AS id,
      ${idOf('clouds', 'name', projectId, sql`l.cloud`)} AS cloud_id
    FROM unnest(${given(name)}::text[], ${given('cloud')}::text[]) WITH ORDINALITY AS l (name, cloud, n)`;
}

/**
 * The id of what has a name. A query within the query is asked for each line, by an index; a join would be planned by how
 * many rows there are, which nobody knows of tables that this very transaction fills.
 */
const idOf = (table: string, column: string, projectId: string, name: Sql): Sql =>
  sql`(SELECT o.id FROM ${raw(table)} o WHERE o.project_id = ${projectId} AND o.${raw(column)} = ${name})`;

const ofCells = (projectId: string, given: Given): Sql => sql`
  SELECT r.id AS region_id, (SELECT c.id FROM cells c
    WHERE c.project_id = ${projectId} AND c.region_id = r.id AND c.name = l.name) AS id
  FROM (
    SELECT l.name, l.n, ${idOf('regions', 'name', projectId, sql`l.region`)} AS id
    FROM unnest(${given('name')}::text[], ${given('region')}::text[]) WITH ORDINALITY AS l (name, region, n) OFFSET 0
  ) AS r, LATERAL (SELECT r.name, r.n) AS l`;

/** A cell is one of the region that the line names, or else of the one that the device is in. */
const ofDevices = (projectId: string, given: Given): Sql => sql`
  SELECT t.id, t.kind, t.region_id AS in_region, t.cell_id AS in_cell, r.region_id,
    (SELECT c.id FROM cells c WHERE c.project_id = ${projectId} AND c.name = l.cell
      AND c.region_id = CASE WHEN l.region IS NULL THEN t.region_id ELSE r.region_id END) AS cell_id,
    ${idOf('devices', 'name', projectId, sql`l.parent`)} AS parent_id
  FROM unnest(${given('name')}::text[], ${given('region')}::text[], ${given('cell')}::text[], ${given('parent')}::text[])
    WITH ORDINALITY AS l (name, region, cell, parent, n)
  LEFT JOIN LATERAL (
    SELECT d.id, d.kind, d.region_id, d.cell_id FROM devices d
    WHERE d.project_id = ${projectId} AND d.name = l.name OFFSET 0
  ) AS t ON true
  CROSS JOIN LATERAL (SELECT ${idOf('regions', 'name', projectId, sql`l.region`)} AS region_id OFFSET 0) AS r`;
