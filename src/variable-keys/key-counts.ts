import { deviceKindNames } from '../devices/device-kinds';
import type { Queryable } from '../database/database';
import { arrayParameter, raw, sql, type Sql } from '../database/sql';
import { inSameProject, lookUp } from '../database/resource-sql';
import { keyLevels, LEVEL_KINDS, setsKey } from '../variables/key-levels';

/** A key in a project. */
export interface ProjectKey {
  readonly project_id: string;
  readonly key: string;
}

/** The number of resources that set a key, by kind. */
type CountsByKind = ReadonlyMap<string, number>;

/** Numbered keys, as rows `a (project_id, key, n)`. */
const keyRows = (keys: readonly ProjectKey[]): Sql =>
  sql`unnest(${arrayParameter(keys.map((one) => one.project_id))}::uuid[], ${arrayParameter(keys.map((one) => one.key))}::text[])
    WITH ORDINALITY AS a (project_id, key, n)`;

interface CountRow {
  [column: string]: unknown;
  readonly n: number;
  readonly kind: string;
  readonly count: number;
}

/** Counts the resources that set each key, by kind. */
export async function countByKind(
  keys: readonly ProjectKey[],
  on: Queryable,
): Promise<readonly CountsByKind[]> {
  if (keys.length === 0) return [];
  const statement = sql`
    SELECT a.n, c.kind, c.count FROM ${keyRows(keys)} CROSS JOIN LATERAL (
      SELECT t.object_type AS kind, count(*) AS count FROM variable_correlations t
      WHERE t.project_id = a.project_id AND t.key = a.key GROUP BY t.object_type) c
    WHERE ${ofOneProject(keys)}`;
  // The counts of two keys can differ by a million, so the query is planned for the given keys.
  const rows = await on.rows<CountRow>(statement, 'custom');
  const counts = keys.map(() => new Map<string, number>());
  for (const { n, kind, count } of rows) counts[n - 1]?.set(kind, count);
  return counts;
}

/** The number of devices with an own value of a key. */
const ownCount = (counts: CountsByKind): number =>
  deviceKindNames.reduce((sum, kind) => sum + (counts.get(kind) ?? 0), 0);

/**
 * Counts the devices that resolve each key to a value: devices that set it, and devices in a region or cell or with a
 * label that sets it. Each device is counted once. No device is resolved: indexes count the devices of regions and cells,
 * and of the others, which are usually few, those are counted that are in no such region and cell.
 */
export async function countResolvingDevices(
  keys: readonly ProjectKey[],
  settingCounts: readonly CountsByKind[],
  on: Queryable,
): Promise<readonly number[]> {
  const counts = settingCounts.map(ownCount);
  const countOf = (index: number, kind: string) => settingCounts[index]?.get(kind) ?? 0;
  const inherited = keys.flatMap((_, i) => (LEVEL_KINDS.some((kind) => countOf(i, kind) > 0) ? [i] : []));
  const incomplete: number[] = [];
  for (const { n, located, total } of await countLocated(keysAt(keys, inherited), on)) {
    const index = inherited[n - 1] ?? 0;
    const own = ownCount(settingCounts[index] ?? new Map());
    counts[index] = own === total ? total : located;
    if (Math.max(own, located) < total && own + countOf(index, 'label') > 0) incomplete.push(index);
  }
  for (const { n, devices } of await countElsewhere(keysAt(keys, incomplete), on)) {
    const index = incomplete[n - 1] ?? 0;
    counts[index] = (counts[index] ?? 0) + devices;
  }
  return counts;
}

const keysAt = (keys: readonly ProjectKey[], indexes: readonly number[]): ProjectKey[] =>
  indexes.flatMap((index) => keys[index] ?? []);

const ofOneProject = (keys: readonly ProjectKey[]): Sql =>
  inSameProject(
    'a.project_id',
    keys.map(({ project_id }) => project_id),
  );

/**
 * The levels that set the keys. Cells in a region that sets the same key are excluded from `cell`: only they are looked up.
 * The planner expects few rows of `level`. So that ten thousand are not compared with each other, the list of NOT IN is hashed.
 */
const levelTables = (keys: readonly ProjectKey[]): Sql => sql`
  wanted AS MATERIALIZED (SELECT a.* FROM ${keyRows(keys)}),
  level AS MATERIALIZED (
    SELECT l.n, l.project_id, l.kind, l.id FROM (${keyLevels({ keys: sql`wanted k`, kinds: ['region', 'cell'], isOrdered: false })}) l),
  cell AS MATERIALIZED (
    SELECT l.n, l.project_id, l.id FROM level l
    WHERE l.kind = 'cell' AND l.n NOT IN (SELECT r.n FROM level r WHERE r.kind = 'region')
    UNION ALL
    SELECT l.n, l.project_id, l.id FROM (SELECT * FROM level
      WHERE kind = 'cell' AND n IN (SELECT r.n FROM level r WHERE r.kind = 'region')) l
    ${lookUp({ table: 'cells' }, sql`l.project_id`, sql`l.id`)}
    WHERE (l.n, t.region_id) NOT IN (SELECT r.n, r.id FROM level r WHERE r.kind = 'region'))`;

interface LocatedRow {
  [column: string]: unknown;
  readonly n: number;
  /** The number of devices in regions and cells that set the key. */
  readonly located: number;
  /** The number of devices in the project. */
  readonly total: number;
}

/**
 * Counts devices by location. The devices of a region or cell are counted once for all keys that it sets. Locations are
 * grouped, not joined: the planner expects few of them, and would join ten thousand by comparing each with each.
 */
async function countLocated(keys: readonly ProjectKey[], on: Queryable): Promise<LocatedRow[]> {
  if (keys.length === 0) return [];
  const counted = (levels: Sql, column: 'region_id' | 'cell_id') => sql`
      SELECT r.ns, (SELECT count(*) FROM devices d WHERE d.project_id = r.project_id AND d.${raw(column)} = r.id) AS devices
      FROM (SELECT project_id, id, array_agg(n) AS ns FROM ${levels} GROUP BY project_id, id) r`;
  const statement = sql`
    WITH ${levelTables(keys)},
    counted AS MATERIALIZED (${counted(sql`level WHERE kind = 'region'`, 'region_id')}
      UNION ALL ${counted(sql`cell`, 'cell_id')}),
    located AS (SELECT u.n, sum(i.devices)::bigint AS devices FROM counted i CROSS JOIN unnest(i.ns) AS u (n) GROUP BY u.n),
    in_project AS MATERIALIZED (
      SELECT p.project_id, (SELECT count(*) FROM devices d WHERE d.project_id = p.project_id) AS devices
      FROM (SELECT DISTINCT project_id FROM wanted) p)
    SELECT a.n, p.devices AS total, COALESCE(l.devices, 0) AS located
    FROM wanted a JOIN in_project p ON p.project_id = a.project_id LEFT JOIN located l ON l.n = a.n
    WHERE ${ofOneProject(keys)}`;
  return on.rows<LocatedRow>(statement, 'custom');
}

interface ElsewhereRow {
  [column: string]: unknown;
  readonly n: number;
  readonly devices: number;
}

/**
 * Counts the devices that set the keys, or have a label that does, and are in no region or cell that does. Only these are read,
 * and not for each key the devices of ten thousand cells.
 */
async function countElsewhere(keys: readonly ProjectKey[], on: Queryable): Promise<ElsewhereRow[]> {
  if (keys.length === 0) return [];
  const labels = keyLevels({ keys: sql`(SELECT a.*) k`, kinds: ['label'], isOrdered: false });
  const statement = sql`
    SELECT a.n, (SELECT count(DISTINCT t.id) FROM (
        SELECT t.object_id AS id FROM variable_correlations t
        WHERE t.project_id = a.project_id AND t.key = a.key AND t.object_type = ANY(${arrayParameter(deviceKindNames)}::text[])
        UNION ALL
        SELECT b.device_id FROM (${labels}) l JOIN device_labels b ON b.project_id = l.project_id AND b.label_id = l.id) u
      ${lookUp({ table: 'devices' }, sql`a.project_id`, sql`u.id`)}
      WHERE NOT ${setsKey('region', sql`t.region_id`, sql`a`)} AND NOT ${setsKey('cell', sql`t.cell_id`, sql`a`)}) AS devices
    FROM ${keyRows(keys)} WHERE ${ofOneProject(keys)}`;
  return on.rows<ElsewhereRow>(statement, 'custom');
}
