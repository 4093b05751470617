import { visibleProjects, type RequestContext } from '../core/context/request-context';
import { InventoryError } from '../core/errors/inventory-error';
import type { Queryable } from '../database/database';
import { sql } from '../database/sql';
import { from, inScope, isReadable } from '../database/resource-sql';
import { changeRecords } from './change-record';

/** Identifies a recorded change. */
export interface ChangeOnRecord {
  readonly projectId: string;
  readonly id: number;
}

/** Finds a change that the caller can see. @throws InventoryError 404 */
export async function visibleChange(ctx: RequestContext, id: number, on: Queryable): Promise<ChangeOnRecord> {
  const { shape } = changeRecords;
  const [row] = await on.rows<{ project_id: string }>(sql`SELECT t.project_id ${from(shape)}
    WHERE ${inScope(shape, visibleProjects(ctx))} AND ${isReadable(shape, ctx)} AND t.id = ${id}`);
  if (!row) throw InventoryError.notFound(shape.kind, id);
  return { projectId: row.project_id, id };
}
