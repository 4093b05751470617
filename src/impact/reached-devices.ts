import type { Queryable } from '../shared/persistence/database';
import { join, list, sql, type Sql } from '../shared/persistence/sql';
import { labelledChanges } from './labelled-changes';
import type { Place, Reach, ReachingKey } from './places';
import { DEVICE_KINDS } from './setters';

/** Devices that a change reaches without touching them. */
export interface ReachedDevices {
  readonly devices: number;
  /** The keys that change for any of them; not all, where only the number is asked for. */
  readonly keys: readonly string[];
  /** The first of their ids, in order. */
  readonly ids: readonly number[];
}

/** The devices to name: so many, behind one. */
export interface Page {
  readonly behind: number;
  readonly most: number;
}

interface PlaceRow {
  [column: string]: unknown;
  readonly size: number;
  readonly hidden: number;
  readonly nowhere: string[];
  readonly ids: number[];
}

interface LabelledRow {
  [column: string]: unknown;
  readonly devices: number;
  readonly keys: string[];
  readonly ids: number[];
}

/**
 * Counts the devices that a change reaches, group by group: the groups do not overlap.
 * @param page which of them to name; without it, they are only counted
 */
export async function reachedDevices(
  on: Queryable,
  projectId: string,
  { places, labelled }: Reach,
  page: Page | undefined,
): Promise<ReachedDevices> {
  if (places.length > 0 || labelled) await makeRoom(on);
  const found: ReachedDevices[] = [];
  for (const place of places) found.push(await inPlace(on, projectId, place, page));
  if (labelled) {
    const [row] = await on.rows<LabelledRow>(
      sql`WITH changed (key, id) AS MATERIALIZED (${labelledChanges(projectId, labelled)})
        SELECT (SELECT count(DISTINCT id) FROM changed) AS devices, ARRAY(SELECT DISTINCT key FROM changed) AS keys,
          ${firstIds(sql`SELECT DISTINCT id FROM changed`, page)}`,
      'each time',
    );
    if (row) found.push(row);
  }
  return {
    devices: found.reduce((sum, { devices }) => sum + devices, 0),
    keys: [...new Set(found.flatMap(({ keys }) => keys))],
    ids: found
      .flatMap(({ ids }) => ids)
      .sort((a, b) => a - b)
      .slice(0, page?.most ?? 0),
  };
}

/**
 * For the rest of the transaction: sets of some hundred thousand ids fit into memory, and no parallel workers. Sets that
 * they spill to disk PostgreSQL 18 hardly gets through again (seen with distinct ids of a quarter of a million devices),
 * and a write should not take every core.
 */
async function makeRoom(on: Queryable): Promise<void> {
  await on.rows(
    sql`SELECT set_config('work_mem', '64MB', true), set_config('max_parallel_workers_per_gather', '0', true)`,
  );
}

/**
 * Counts the devices of a place for which some key changes: all, but for those for which every key is hidden. They are
 * few, as a rule, or none: so that the devices of a whole region need not be looked at.
 */
async function inPlace(
  on: Queryable,
  projectId: string,
  { devices, keys }: Place,
  page: Page | undefined,
): Promise<ReachedDevices> {
  const hideable = keys.filter(isHideable);
  const hasOpenKey = hideable.length < keys.length;
  // A key that nothing hides settles the number. Which other keys change anywhere is for a page to say.
  const asked = page === undefined && hasOpenKey ? [] : hideable;
  const [row] = await on.rows<PlaceRow>(
    asked.length === 0
      ? sql`SELECT (${count(devices)}) AS size, 0 AS hidden, '{}'::text[] AS nowhere, ${firstIds(devices, page)}`
      : sql`
        WITH place (size) AS MATERIALIZED (${count(devices)}),
        hiding (id, key) AS (${hiding(projectId, devices, asked)}),
        hidden (id) AS (${hasOpenKey ? sql`SELECT NULL::bigint WHERE false` : hiddenBy(keys.length)})
        SELECT size, (SELECT count(*) FROM hidden) AS hidden, ${hiddenEverywhere(page)},
          ${firstIds(hasOpenKey ? devices : sql`${devices} EXCEPT SELECT id FROM hidden`, page)}
        FROM place`,
    'each time',
  );
  if (!row || row.size === 0) return { devices: 0, keys: [], ids: [] };
  const { size, hidden, nowhere, ids } = row;
  return {
    devices: size - hidden,
    keys: keys.map(({ key }) => key).filter((key) => !nowhere.includes(key)),
    ids,
  };
}

const isHideable = ({ own, labels, cells }: ReachingKey): boolean =>
  own || labels.length > 0 || cells.length > 0;

const count = (devices: Sql): Sql => sql`SELECT count(*) FROM (${devices}) AS d`;

/** The devices for which every one of so many keys is hidden. */
const hiddenBy = (keys: number): Sql =>
  keys === 1 ? sql`SELECT id FROM hiding` : sql`SELECT id FROM hiding GROUP BY id HAVING count(*) = ${keys}`;

/** The keys that change for no device at all, as a column. */
const hiddenEverywhere = (page: Page | undefined): Sql =>
  page
    ? sql`ARRAY(SELECT key FROM hiding GROUP BY key HAVING count(*) = (SELECT size FROM place)) AS nowhere`
    : sql`'{}'::text[] AS nowhere`;

/** The first ids of devices, as a column; none where none are asked for. */
function firstIds(devices: Sql, page: Page | undefined): Sql {
  if (!page) return sql`'{}'::float8[] AS ids`;
  return sql`ARRAY(SELECT f.id::float8 FROM (${devices}) AS f (id) WHERE f.id > ${page.behind}
    ORDER BY f.id LIMIT ${page.most}) AS ids`;
}

/** The devices of a place that do not see a key change, each with the key: once, be it hidden by several levels. */
function hiding(projectId: string, devices: Sql, keys: readonly ReachingKey[]): Sql {
  const queries: Sql[] = [];
  const own = keys.filter((key) => key.own).map(({ key }) => key);
  if (own.length > 0)
    queries.push(sql`SELECT v.object_id, v.key FROM variable_correlations v JOIN (${devices}) AS d ON d.id = v.object_id
      WHERE v.project_id = ${projectId} AND v.object_type = ANY(${list(DEVICE_KINDS)}::text[])
        AND v.key = ANY(${list(own)}::text[])`);
  const labels = keys.flatMap(({ key, labels }) => labels.map((id) => [key, id] as const));
  if (labels.length > 0)
    queries.push(sql`SELECT a.device_id, h.key FROM ${pairs(labels)} JOIN device_labels a
      ON a.project_id = ${projectId} AND a.label_id = h.id JOIN (${devices}) AS d ON d.id = a.device_id`);
  const cells = keys.flatMap(({ key, cells }) => cells.map((id) => [key, id] as const));
  if (cells.length > 0)
    queries.push(sql`SELECT c.id, h.key FROM ${pairs(cells)} JOIN devices c
      ON c.project_id = ${projectId} AND c.cell_id = h.id JOIN (${devices}) AS d ON d.id = c.id`);
  // A device hides a key by its own at most once; by labels it may twice.
  return labels.length === 0 && queries.length === 1
    ? join(queries)
    : sql`SELECT DISTINCT * FROM (${join(queries, ' UNION ALL ')}) AS found`;
}

const pairs = (of: readonly (readonly [string, number])[]): Sql =>
  sql`unnest(${list(of.map(([key]) => key))}::text[], ${list(of.map(([, id]) => id))}::bigint[]) AS h (key, id)`;
