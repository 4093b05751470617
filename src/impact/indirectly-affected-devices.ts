import type { Queryable } from '../database/database';
import { join, sql, type Sql } from '../database/sql';
import { labelledChanges } from './labelled-changes';
import { hiding, isHideable, sees } from './overrides';
import type { Place, Reach } from './affected-scopes';

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
  if (places.length > 0 || labelled) await prepareSets(on);
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
 * For the rest of the transaction: sets of some hundred thousand ids fit into memory; the many rows that are looked up one
 * by one are taken to be in memory, too, so that no table is read whole instead; and no parallel workers. Distinct ids
 * that these spill to disk PostgreSQL 18 hardly gets through again (seen with those of a quarter of a million devices),
 * and a write should not take every core.
 */
async function prepareSets(on: Queryable): Promise<void> {
  await on.rows(
    sql`SELECT set_config('work_mem', '64MB', true), set_config('random_page_cost', '1.1', true),
      set_config('max_parallel_workers_per_gather', '0', true)`,
  );
}

/**
 * Counts the devices of a place for which some key changes: all, but for those for which every key is hidden. Those are
 * few, as a rule, or none, so that the devices of a whole region need not be looked at.
 */
async function inPlace(
  on: Queryable,
  projectId: string,
  place: Place,
  page: Page | undefined,
): Promise<ReachedDevices> {
  const [row] = await on.rows<PlaceRow>(statementOf(projectId, place, page), 'each time');
  if (!row || row.size === row.hidden) return { devices: 0, keys: [], ids: [] };
  const { size, hidden, nowhere, ids } = row;
  const keys = place.keys.map(({ key }) => key).filter((key) => !nowhere.includes(key));
  return { devices: size - hidden, keys, ids };
}

function statementOf(projectId: string, { devices, keys }: Place, page: Page | undefined): Sql {
  const hideable = keys.filter(isHideable);
  const hasOpenKey = hideable.length < keys.length;
  // A key that nothing hides settles the number. Which other keys change anywhere is for a page to say.
  if (hideable.length === 0 || (hasOpenKey && !page))
    return sql`SELECT (${count(devices)}) AS size, 0 AS hidden, '{}'::text[] AS nowhere, ${firstIds(devices, page)}`;
  const [only] = keys;
  if (only && keys.length === 1) {
    const changed = sql`SELECT d.id FROM (${devices}) AS d WHERE ${sees(projectId, sql`d.id`, only)}`;
    return sql`SELECT (${count(devices)}) AS size, (${count(hiding(projectId, devices, only))}) AS hidden,
      '{}'::text[] AS nowhere, ${firstIds(changed, page)}`;
  }
  const found = hideable.map((key) => sql`(${hiding(projectId, devices, key)})`);
  const hidden = hasOpenKey
    ? sql`SELECT NULL::bigint WHERE false`
    : sql`SELECT id FROM hiding GROUP BY id HAVING count(*) = ${keys.length}`;
  return sql`
    WITH place (size) AS MATERIALIZED (${count(devices)}),
    hiding (id, key) AS (${join(found, ' UNION ALL ')}),
    hidden (id) AS (${hidden})
    SELECT size, (SELECT count(*) FROM hidden) AS hidden, ${hiddenEverywhere(page)},
      ${firstIds(hasOpenKey ? devices : sql`${devices} EXCEPT SELECT id FROM hidden`, page)}
    FROM place`;
}

const count = (devices: Sql): Sql => sql`SELECT count(*) FROM (${devices}) AS d`;

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
