import type { RequestContext } from '../../core/context/request-context';
import { isVisible } from '../../database/visible-keys';
import type { Queryable } from '../../database/database';
import { sql, type Sql } from '../../database/sql';

interface Asked {
  readonly ctx: RequestContext;
  readonly on: Queryable;
  readonly query: { readonly resolved: boolean };
  /** The ids of the devices, as a query. */
  readonly devices: Sql;
}

/** The keys that devices set themselves, or resolve, as far as the caller sees them, in the order of code points. */
export async function exportedKeys({ ctx, on, query, devices }: Asked): Promise<string[]> {
  const project = sql`t.project_id = ${ctx.projectId}`;
  const documents = query.resolved
    ? sql`SELECT t.variables FROM meant JOIN devices t ON ${project} AND t.id = meant.id
        UNION ALL
        SELECT t.variables FROM regions t WHERE ${project} AND t.id IN (
          SELECT d.region_id FROM meant JOIN devices d ON d.project_id = ${ctx.projectId} AND d.id = meant.id)
        UNION ALL
        SELECT t.variables FROM cells t WHERE ${project} AND t.id IN (
          SELECT d.cell_id FROM meant JOIN devices d ON d.project_id = ${ctx.projectId} AND d.id = meant.id)
        UNION ALL
        SELECT t.variables FROM labels t WHERE ${project} AND t.id IN (
          SELECT a.label_id FROM meant JOIN device_labels a ON a.project_id = ${ctx.projectId} AND a.device_id = meant.id)`
    : sql`SELECT t.variables FROM meant JOIN devices t ON ${project} AND t.id = meant.id`;
  const rows = await on.rows<{ key: string }>(
    sql`WITH meant AS (${devices})
      SELECT k.key FROM (
        SELECT DISTINCT jsonb_object_keys(o.variables) AS key FROM (${documents}) AS o
      ) AS k WHERE ${isVisible(ctx.visibility, sql`k.key`)} ORDER BY k.key COLLATE "C"`,
    'each time',
  );
  return rows.map(({ key }) => key);
}
