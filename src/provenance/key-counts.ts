import type { Queryable } from '../shared/persistence/database';
import { list, raw, sql, type Sql } from '../shared/persistence/sql';
import { OF_THE_INVENTORY } from './key-chain';

/** A key in a project. */
export interface ProjectKey {
  readonly project_id: string;
  readonly key: string;
}

/** The keys that are asked about, numbered, as rows `a (project_id, key, n)`. */
const asked = (keys: readonly ProjectKey[]): Sql =>
  sql`unnest(${list(keys.map((one) => one.project_id))}::uuid[], ${list(keys.map((one) => one.key))}::text[])
    WITH ORDINALITY AS a (project_id, key, n)`;

interface SettingCount {
  [column: string]: unknown;
  readonly n: number;
  readonly kind: string;
  readonly count: number;
}

/** For each key, in order, how many of each kind set it. */
export async function settingCounts(
  keys: readonly ProjectKey[],
  on: Queryable,
): Promise<readonly ReadonlyMap<string, number>[]> {
  const rows = await on.rows<SettingCount>(sql`
    SELECT a.n, c.kind, c.count FROM ${asked(keys)} CROSS JOIN LATERAL (
      SELECT t.object_type AS kind, count(*) AS count FROM variable_correlations t
      WHERE t.project_id = a.project_id AND t.key = a.key GROUP BY t.object_type) c`);
  const counts = keys.map(() => new Map<string, number>());
  for (const { n, kind, count } of rows) counts[n - 1]?.set(kind, count);
  return counts;
}

/** Levels that devices inherit from; what else sets a key is a device. */
const LEVELS = raw(`('region', 'cell', 'label')`);

/**
 * For each key, in order, how many devices resolve it to a value. Nothing is resolved for it: those are the devices
 * that set it themselves, and those below a region, a cell or a label that sets it, each counted once. Below the
 * regions they are counted by the region, then below those cells that are in none of these regions, by the cell; and
 * of those that it is set for by a label or by themselves, who is in neither.
 */
export async function resolvedCounts(keys: readonly ProjectKey[], on: Queryable): Promise<readonly number[]> {
  const rows = await on.rows<{ n: number; devices: number }>(sql`
    WITH asked AS MATERIALIZED (SELECT a.* FROM ${asked(keys)}),
    level AS MATERIALIZED (
      SELECT a.n, a.project_id, t.object_type AS kind, t.object_id AS id
      FROM asked a JOIN variable_correlations t ON t.project_id = a.project_id AND t.key = a.key
      WHERE t.object_type IN ${LEVELS}),
    cell AS MATERIALIZED (
      SELECT l.n, l.project_id, l.id FROM level l JOIN cells c ON c.project_id = l.project_id AND c.id = l.id
      WHERE l.kind = 'cell'
        AND NOT EXISTS (SELECT FROM level r WHERE r.n = l.n AND r.kind = 'region' AND r.id = c.region_id)),
    in_region AS MATERIALIZED (
      SELECT r.id, (SELECT count(*) FROM devices d WHERE d.project_id = r.project_id AND d.region_id = r.id) AS devices
      FROM (SELECT DISTINCT project_id, id FROM level WHERE kind = 'region') r),
    in_cell AS MATERIALIZED (
      SELECT c.id, (SELECT count(*) FROM devices d WHERE d.project_id = c.project_id AND d.cell_id = c.id) AS devices
      FROM (SELECT DISTINCT project_id, id FROM cell) c)
    SELECT a.n,
      COALESCE((SELECT sum(i.devices) FROM level l JOIN in_region i ON i.id = l.id WHERE l.n = a.n AND l.kind = 'region'), 0)::bigint
      + COALESCE((SELECT sum(i.devices) FROM cell c JOIN in_cell i ON i.id = c.id WHERE c.n = a.n), 0)::bigint
      + (SELECT count(*) FROM (
          SELECT t.object_id AS id FROM variable_correlations t
          WHERE t.project_id = a.project_id AND t.key = a.key AND t.object_type NOT IN ${LEVELS} AND ${raw(OF_THE_INVENTORY)}
          UNION
          SELECT b.device_id FROM level l JOIN device_labels b ON b.project_id = l.project_id AND b.label_id = l.id
          WHERE l.n = a.n AND l.kind = 'label') u
        JOIN devices d ON d.project_id = a.project_id AND d.id = u.id
        WHERE NOT EXISTS (SELECT FROM level r WHERE r.n = a.n AND r.kind = 'region' AND r.id = d.region_id)
          AND NOT EXISTS (SELECT FROM cell c WHERE c.n = a.n AND c.id = d.cell_id)) AS devices
    FROM asked a`);
  const counts = keys.map(() => 0);
  for (const { n, devices } of rows) counts[n - 1] = devices;
  return counts;
}
