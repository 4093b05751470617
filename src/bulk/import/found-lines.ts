import type { Transaction } from '../../shared/persistence/database';
import { list, raw, sql, type Sql } from '../../shared/persistence/sql';
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
  // Planned for these lines: how large the tables have become, no older plan knows.
  return tx.rows<Found>(sql`${statementOf(group, projectId, given)} ORDER BY l.n`, 'each time');
}

type Given = (member: string) => ReturnType<typeof list>;

function statementOf(group: LineGroup, projectId: string, given: Given): Sql {
  if (group === lineGroups.devices) return ofDevices(projectId, given);
  if (group === lineGroups.cells) return ofCells(projectId, given);
  const { table, name } = group;
  return sql`SELECT t.id, c.id AS cloud_id
    FROM unnest(${given(name)}::text[], ${given('cloud')}::text[]) WITH ORDINALITY AS l (name, cloud, n)
    LEFT JOIN ${raw(table)} t ON t.project_id = ${projectId} AND t.${raw(name)} = l.name
    LEFT JOIN clouds c ON c.project_id = ${projectId} AND c.name = l.cloud`;
}

const ofCells = (projectId: string, given: Given): Sql => sql`
  SELECT t.id, r.id AS region_id
  FROM unnest(${given('name')}::text[], ${given('region')}::text[]) WITH ORDINALITY AS l (name, region, n)
  LEFT JOIN regions r ON r.project_id = ${projectId} AND r.name = l.region
  LEFT JOIN cells t ON t.project_id = ${projectId} AND t.region_id = r.id AND t.name = l.name`;

/** A cell is one of the region that the line names, or else of the one that the device is in. */
const ofDevices = (projectId: string, given: Given): Sql => sql`
  SELECT t.id, t.kind, t.region_id AS in_region, t.cell_id AS in_cell, r.id AS region_id, c.id AS cell_id,
    p.id AS parent_id
  FROM unnest(${given('name')}::text[], ${given('region')}::text[], ${given('cell')}::text[], ${given('parent')}::text[])
    WITH ORDINALITY AS l (name, region, cell, parent, n)
  LEFT JOIN devices t ON t.project_id = ${projectId} AND t.name = l.name
  LEFT JOIN regions r ON r.project_id = ${projectId} AND r.name = l.region
  LEFT JOIN cells c ON c.project_id = ${projectId} AND c.name = l.cell
    AND c.region_id = CASE WHEN l.region IS NULL THEN t.region_id ELSE r.id END
  LEFT JOIN devices p ON p.project_id = ${projectId} AND p.name = l.parent`;
