import { InventoryError } from '../core/errors/inventory-error';
import type { Queryable } from '../database/database';
import { raw, sql } from '../database/sql';
import type { LockedResource } from './snapshot';

/**
 * Refuses to delete what others refer to.
 * @throws InventoryError 409 naming what still uses it, and how many
 */
export async function assertNotReferenced(
  on: Queryable,
  { shape, projectId, id, name }: LockedResource,
): Promise<void> {
  const uses: string[] = [];
  for (const { table, column, noun } of shape.usedBy) {
    const of = shape.idType === 'uuid' ? sql`true` : sql`${raw(column)} = ${id}`;
    const [row] = await on.rows<{ uses: number }>(
      sql`SELECT count(*) AS uses FROM ${raw(table)} WHERE project_id = ${projectId} AND ${of}`,
    );
    if (row && row.uses > 0) uses.push(`${String(row.uses)} ${noun}`);
  }
  if (uses.length === 0) return;
  throw new InventoryError(
    'conflict',
    `The ${shape.kind} ${name} is still used by ${uses.join(', ')}.`,
    uses.map((use) => ({ field: 'id', message: `still used by ${use}` })),
  );
}
