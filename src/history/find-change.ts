import { visibleProjects, type RequestContext } from '../core/context/request-context';
import { InventoryError } from '../core/errors/inventory-error';
import type { Queryable } from '../database/database';
import { sql } from '../database/sql';
import { from, inScope, isReadable } from '../database/resource-sql';
import { changeRecords } from './change-record';

/** A change on record. */
export interface ChangeOnRecord {
  readonly projectId: string;
  readonly id: number;
}

/** Finds a change that the caller may see. @throws InventoryError 404 */
export async function visibleChange(ctx: RequestContext, id: number, on: Queryable): Promise<ChangeOnRecord> {
  const { shape } = changeRecords;
  const [found] = await on.rows<{ project_id: string }>(sql`SELECT t.project_id ${from(shape)}
    WHERE ${inScope(shape, visibleProjects(ctx))} AND ${isReadable(shape, ctx)} AND t.id = ${id}`);
  if (!found) throw InventoryError.notFound(shape.kind, id);
  return { projectId: found.project_id, id };
}
