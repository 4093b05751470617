import type { Queryable } from '../database/database';
import { join, sql, type Sql } from '../database/sql';
import { labelledChanges } from './labelled-changes';
import { hiding, isHideable, sees } from './overrides';
import type { Place, Reach } from './affected-scopes';

/** Devices that a change affects without touching them. */
export interface ReachedDevices {
  readonly devices: number;
  /** The keys that change for any of the devices. Incomplete if the devices are only counted. */
  readonly keys: readonly string[];
  /** The ids of the devices on the page, in order. */
  readonly ids: readonly number[];
}

/** A page of devices: at most a number of them, after an id. */
export interface Page {
  readonly behind: number;
  readonly most: number;
}

interface ScopeRow {
  [column: string]: unknown;
  readonly size: number;
  /** The number of devices for which all keys are overridden. */
  readonly overridden: number;
  /** The keys that all devices override. */
  readonly unchanged_keys: string[];
  readonly ids: number[];
}

interface LabelledRow {
  [column: string]: unknown;
  readonly devices: number;
  readonly keys: string[];
  readonly ids: number[];
}

/**
 * Counts the devices that a change affects indirectly, by disjoint groups.
 * @param page the page of devices to return; undefined: the devices are only counted
 */
export async function reachedDevices(
  on: Queryable,
  projectId: string,
  affected: Reach,
  page: Page | undefined,
): Promise<ReachedDevices> {
  const { labelled } = affected;
  if (affected.places.length > 0 || labelled) await configurePlanner(on);
  const found: ReachedDevices[] = [];
  for (const scope of affected.places) found.push(await findInScope(on, projectId, scope, page));
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
 * Sets planner settings for the rest of the transaction. `work_mem` is large enough for sets of some hundred thousand
 * ids. `random_page_cost` assumes that rows are cached, so that the planner prefers index lookups to reading whole
 * tables. Parallel workers are off, because PostgreSQL 18 is very slow when they spill distinct ids to disk (observed
 * with 250,000 devices), and because a write should not use all cores.
 */
async function configurePlanner(on: Queryable): Promise<void> {
  await on.rows(
    sql`SELECT set_config('work_mem', '64MB', true), set_config('random_page_cost', '1.1', true),
      set_config('max_parallel_workers_per_gather', '0', true)`,
  );
}

/**
 * Finds the devices of a scope for which a key changes: all devices except those that override all keys. There are
 * usually few of the latter, so the devices of a whole region need not be read.
 */
async function findInScope(
  on: Queryable,
  projectId: string,
  scope: Place,
  page: Page | undefined,
): Promise<ReachedDevices> {
  const [row] = await on.rows<ScopeRow>(scopeStatement(projectId, scope, page), 'each time');
  if (!row || row.size === row.overridden) return { devices: 0, keys: [], ids: [] };
  const { size, overridden, unchanged_keys: unchanged, ids } = row;
  const keys = scope.keys.map(({ key }) => key).filter((key) => !unchanged.includes(key));
  return { devices: size - overridden, keys, ids };
}

function scopeStatement(projectId: string, { devices, keys }: Place, page: Page | undefined): Sql {
  const overridable = keys.filter(isHideable);
  const changesForAll = overridable.length < keys.length;
  // A key that no device overrides determines the count. Which of the other keys change matters only for a page.
  if (overridable.length === 0 || (changesForAll && !page))
    return sql`SELECT (${count(devices)}) AS size, 0 AS overridden, '{}'::text[] AS unchanged_keys,
      ${firstIds(devices, page)}`;
  const [onlyKey] = keys;
  if (onlyKey && keys.length === 1) {
    const changed = sql`SELECT d.id FROM (${devices}) AS d WHERE ${sees(projectId, sql`d.id`, onlyKey)}`;
    return sql`SELECT (${count(devices)}) AS size, (${count(hiding(projectId, devices, onlyKey))}) AS overridden,
      '{}'::text[] AS unchanged_keys, ${firstIds(changed, page)}`;
  }
  const overrides = overridable.map((key) => sql`(${hiding(projectId, devices, key)})`);
  const unaffected = changesForAll
    ? sql`SELECT NULL::bigint WHERE false`
    : sql`SELECT id FROM override GROUP BY id HAVING count(*) = ${keys.length}`;
  return sql`
    WITH scope (size) AS MATERIALIZED (${count(devices)}),
    override (id, key) AS (${join(overrides, ' UNION ALL ')}),
    unaffected (id) AS (${unaffected})
    SELECT size, (SELECT count(*) FROM unaffected) AS overridden, ${unchangedKeys(page)},
      ${firstIds(changesForAll ? devices : sql`${devices} EXCEPT SELECT id FROM unaffected`, page)}
    FROM scope`;
}

const count = (devices: Sql): Sql => sql`SELECT count(*) FROM (${devices}) AS d`;

/** The keys that all devices override, as a column. */
const unchangedKeys = (page: Page | undefined): Sql =>
  page
    ? sql`ARRAY(SELECT key FROM override GROUP BY key HAVING count(*) = (SELECT size FROM scope)) AS unchanged_keys`
    : sql`'{}'::text[] AS unchanged_keys`;

/** The ids of the devices on a page, as a column; without a page, none. */
function firstIds(devices: Sql, page: Page | undefined): Sql {
  if (!page) return sql`'{}'::float8[] AS ids`;
  return sql`ARRAY(SELECT f.id::float8 FROM (${devices}) AS f (id) WHERE f.id > ${page.behind}
    ORDER BY f.id LIMIT ${page.most}) AS ids`;
}
