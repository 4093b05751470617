import type { RequestContext } from '../../core/context/request-context';
import { isVisible } from '../../database/visible-keys';
import type { Queryable } from '../../database/database';
import { sql, type Sql } from '../../database/sql';

interface KeyQuery {
  readonly ctx: RequestContext;
  readonly on: Queryable;
  readonly query: { readonly resolved: boolean };
  /** A query for the ids of the devices. */
  readonly devices: Sql;
}

/** Reads the keys of own or resolved variables of devices that the caller may see, in the order of code points. */
export async function exportedKeys({ ctx, on, query, devices }: KeyQuery): Promise<string[]> {
  const project = sql`t.project_id = ${ctx.projectId}`;
  const documents = query.resolved
    ? sql`SELECT t.variables FROM selected JOIN devices t ON ${project} AND t.id = selected.id
        UNION ALL
        SELECT t.variables FROM regions t WHERE ${project} AND t.id IN (
          SELECT d.region_id FROM selected JOIN devices d ON d.project_id = ${ctx.projectId} AND d.id = selected.id)
        UNION ALL
        SELECT t.variables FROM cells t WHERE ${project} AND t.id IN (
          SELECT d.cell_id FROM selected JOIN devices d ON d.project_id = ${ctx.projectId} AND d.id = selected.id)
        UNION ALL
        SELECT t.variables FROM labels t WHERE ${project} AND t.id IN (
          SELECT a.label_id FROM selected JOIN device_labels a ON a.project_id = ${ctx.projectId} AND a.device_id = selected.id)`
    : sql`SELECT t.variables FROM selected JOIN devices t ON ${project} AND t.id = selected.id`;
  const rows = await on.rows<{ key: string }>(
    sql`WITH selected AS (${devices})
      SELECT k.key FROM (
        SELECT DISTINCT jsonb_object_keys(o.variables) AS key FROM (${documents}) AS o
      ) AS k WHERE ${isVisible(ctx.visibility, sql`k.key`)} ORDER BY k.key COLLATE "C"`,
    'each time',
  );
  return rows.map(({ key }) => key);
}
