import { deviceKinds } from '../../devices/device-kinds';
import type { Queryable } from '../../database/database';
import { list, sql, type Sql } from '../../database/sql';

/** A key in a project. */
export interface ProjectKey {
  readonly project_id: string;
  readonly key: string;
}

/** How many of each kind set a key. */
type SettingCounts = ReadonlyMap<string, number>;

/** Keys that are asked about, numbered, as rows `a (project_id, key, n)`. */
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
): Promise<readonly SettingCounts[]> {
  const statement = sql`
    SELECT a.n, c.kind, c.count FROM ${asked(keys)} CROSS JOIN LATERAL (
      SELECT t.object_type AS kind, count(*) AS count FROM variable_correlations t
      WHERE t.project_id = a.project_id AND t.key = a.key GROUP BY t.object_type) c`;
  // How many that are can differ by a million from one key to the next: planned for these keys.
  const rows = await on.rows<SettingCount>(statement, 'each time');
  const counts = keys.map(() => new Map<string, number>());
  for (const { n, kind, count } of rows) counts[n - 1]?.set(kind, count);
  return counts;
}

const kinds = deviceKinds.map(({ shape }) => shape.kind);

/** How many devices set a key themselves. */
const ownCount = (counts: SettingCounts): number =>
  kinds.reduce((sum, kind) => sum + (counts.get(kind) ?? 0), 0);

/**
 * For each key, in order, how many devices resolve it to a value: those that set it themselves, and those below a
 * region, a cell or a label that sets it, each counted once. None is resolved for it: what is counted are sets that
 * indexes have; and only where several of them can hold the same devices are their ids laid together.
 */
export async function resolvedCounts(
  keys: readonly ProjectKey[],
  settings: readonly SettingCounts[],
  on: Queryable,
): Promise<readonly number[]> {
  const counts = settings.map(ownCount);
  const of = (place: number, kind: string) => settings[place]?.get(kind) ?? 0;
  const places = keys.map((_, place) => place);
  const inherited = places.filter((at) => of(at, 'region') + of(at, 'cell') + of(at, 'label') > 0);
  const overlapping: number[] = [];
  for (const { n, below, everywhere } of await belowPlaces(chosen(keys, inherited), on)) {
    const place = inherited[n - 1] ?? 0;
    if (below < everywhere && ownCount(settings[place] ?? new Map()) + of(place, 'label') > 0)
      overlapping.push(place);
    else counts[place] = below;
  }
  for (const { n, devices } of await distinctDevices(chosen(keys, overlapping), on))
    counts[overlapping[n - 1] ?? 0] = devices;
  return counts;
}

const chosen = (keys: readonly ProjectKey[], places: readonly number[]): ProjectKey[] =>
  places.flatMap((place) => keys[place] ?? []);

/** The levels that set the keys; of the cells only those which are in no region that sets the same key. */
const levels = (keys: readonly ProjectKey[]): Sql => sql`
  asked AS MATERIALIZED (SELECT a.* FROM ${asked(keys)}),
  level AS MATERIALIZED (
    SELECT a.n, a.project_id, t.object_type AS kind, t.object_id AS id
    FROM asked a JOIN variable_correlations t ON t.project_id = a.project_id AND t.key = a.key
    WHERE t.object_type IN ('region', 'cell', 'label')),
  cell AS MATERIALIZED (
    SELECT l.n, l.project_id, l.id FROM level l JOIN cells c ON c.project_id = l.project_id AND c.id = l.id
    WHERE l.kind = 'cell'
      AND NOT EXISTS (SELECT FROM level r WHERE r.n = l.n AND r.kind = 'region' AND r.id = c.region_id))`;

interface BelowPlaces {
  [column: string]: unknown;
  readonly n: number;
  /** How many devices are below regions and cells that set the key … */
  readonly below: number;
  /** … and how many there are in the project. */
  readonly everywhere: number;
}

/** Each region and each cell is counted once, however many keys it sets. */
async function belowPlaces(keys: readonly ProjectKey[], on: Queryable): Promise<BelowPlaces[]> {
  if (keys.length === 0) return [];
  const statement = sql`
    WITH ${levels(keys)},
    in_region AS MATERIALIZED (
      SELECT r.id, (SELECT count(*) FROM devices d WHERE d.project_id = r.project_id AND d.region_id = r.id) AS devices
      FROM (SELECT DISTINCT project_id, id FROM level WHERE kind = 'region') r),
    in_cell AS MATERIALIZED (
      SELECT c.id, (SELECT count(*) FROM devices d WHERE d.project_id = c.project_id AND d.cell_id = c.id) AS devices
      FROM (SELECT DISTINCT project_id, id FROM cell) c),
    in_project AS MATERIALIZED (
      SELECT p.project_id, (SELECT count(*) FROM devices d WHERE d.project_id = p.project_id) AS devices
      FROM (SELECT DISTINCT project_id FROM asked) p)
    SELECT a.n, p.devices AS everywhere,
      COALESCE((SELECT sum(i.devices) FROM level l JOIN in_region i ON i.id = l.id
        WHERE l.n = a.n AND l.kind = 'region'), 0)::bigint
      + COALESCE((SELECT sum(i.devices) FROM cell c JOIN in_cell i ON i.id = c.id WHERE c.n = a.n), 0)::bigint AS below
    FROM asked a JOIN in_project p ON p.project_id = a.project_id`;
  return on.rows<BelowPlaces>(statement, 'each time');
}

interface DistinctDevices {
  [column: string]: unknown;
  readonly n: number;
  readonly devices: number;
}

/** The ids of all that set the keys or are below what does, each once. They stand in indexes; no device is read. */
async function distinctDevices(keys: readonly ProjectKey[], on: Queryable): Promise<DistinctDevices[]> {
  if (keys.length === 0) return [];
  const statement = sql`
    WITH ${levels(keys)}
    SELECT a.n, (SELECT count(DISTINCT u.id) FROM (
      SELECT t.object_id AS id FROM variable_correlations t
      WHERE t.project_id = a.project_id AND t.key = a.key AND t.object_type = ANY(${list(kinds)}::text[])
      UNION ALL
      SELECT b.device_id FROM level l JOIN device_labels b ON b.project_id = l.project_id AND b.label_id = l.id
      WHERE l.n = a.n AND l.kind = 'label'
      UNION ALL
      SELECT d.id FROM level l JOIN devices d ON d.project_id = l.project_id AND d.region_id = l.id
      WHERE l.n = a.n AND l.kind = 'region'
      UNION ALL
      SELECT d.id FROM cell c JOIN devices d ON d.project_id = c.project_id AND d.cell_id = c.id
      WHERE c.n = a.n) u) AS devices
    FROM asked a`;
  return on.rows<DistinctDevices>(statement, 'each time');
}
