import { InventoryError } from '../core/errors/inventory-error';
import type { Queryable } from '../database/database';
import { raw, sql } from '../database/sql';
import type { LockedResource } from './snapshot';

/**
 * Rejects the deletion of a resource that other resources refer to.
 * @throws InventoryError 409 with the number of references of each kind
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
    if (row && row.uses > 0) uses.push(countText(row.uses, noun));
  }
  if (uses.length === 0) return;
  throw new InventoryError(
    'conflict',
    `The ${shape.kind} ${name} is still used by ${uses.join(', ')}.`,
    uses.map((use) => ({ field: 'id', message: `still used by ${use}` })),
  );
}

/** "1 device", "2 devices". @param plural a noun whose plural ends in `s` */
const countText = (count: number, plural: string): string =>
  `${String(count)} ${count === 1 ? plural.replace(/s$/, '') : plural}`;
