import { InventoryError } from '../core/errors';
import type { Queryable } from '../database/database';
import type { ResourceMapping } from '../database/resource-mapping';
import { from, ofKind } from '../database/resource-sql';
import { raw, sql, type Sql } from '../database/sql';

/** A resource of the same project that a written resource refers to. */
export interface Reference {
  /** The member that contains its id. */
  readonly field: string;
  readonly mapping: ResourceMapping;
  readonly id: number;
  /** A condition over `t` that it must fulfil, and the error message if it does not. */
  readonly requires?: { readonly condition: Sql; readonly message: string };
}

/**
 * Locks a resource that a change refers to, so that it cannot be deleted meanwhile.
 * @param columns columns over `t`
 * @param condition a further condition over `t`
 */
export const lockReferenceStatement = (
  projectId: string,
  { mapping, id }: Reference,
  columns: Sql,
  condition = sql`true`,
): Sql => sql`SELECT ${columns} ${from(mapping)}
  WHERE t.project_id = ${projectId} AND ${ofKind(mapping)} AND t.id = ${id} AND ${condition} FOR KEY SHARE OF t`;

/**
 * Locks the resources that a change refers to, in this order.
 * @throws InventoryError 405 if the project has no such resource, or it does not fulfil its condition
 */
export async function lockReferences(
  on: Queryable,
  projectId: string,
  references: readonly Reference[],
): Promise<void> {
  for (const reference of references) {
    const { field, mapping, id, requires } = reference;
    const isValid = sql`${requires?.condition ?? sql`true`} AS is_valid`;
    const [row] = await on.rows<{ is_valid: boolean }>(lockReferenceStatement(projectId, reference, isValid));
    if (row?.is_valid === true) continue;
    const missing = `there is no ${mapping.kind} ${String(id)} in this project`;
    throw row && requires
      ? InventoryError.validationException(field, 'inconsistent', requires.message)
      : InventoryError.validationException(field, 'not_found', missing);
  }
}

/** A resource that others may refer to. */
interface ReferencedResource {
  readonly mapping: ResourceMapping;
  readonly projectId: string;
  readonly id: number;
  readonly name: string;
}

/**
 * Rejects the deletion of a resource that other resources refer to.
 * @throws InventoryError 409 with the number of references of each kind
 */
export async function assertNotReferenced(
  on: Queryable,
  { mapping, projectId, id, name }: ReferencedResource,
): Promise<void> {
  const uses: string[] = [];
  for (const { table, column, pluralName } of mapping.usedBy) {
    const of = mapping.idType === 'uuid' ? sql`true` : sql`${raw(column)} = ${id}`;
    const [row] = await on.rows<{ uses: number }>(
      sql`SELECT count(*) AS uses FROM ${raw(table)} WHERE project_id = ${projectId} AND ${of}`,
    );
    if (row && row.uses > 0) uses.push(countText(row.uses, pluralName));
  }
  if (uses.length === 0) return;
  throw new InventoryError(
    'conflict',
    `The ${mapping.kind} ${name} is still used by ${uses.join(', ')}.`,
    uses.map((use) => ({ field: 'id', code: 'in_use', message: `still used by ${use}` })),
  );
}

/** "1 device", "2 devices". @param plural a noun whose plural ends in `s` */
const countText = (count: number, plural: string): string =>
  `${String(count)} ${count === 1 ? plural.replace(/s$/, '') : plural}`;
