import type { Queryable } from '../database/database';
import { join, arrayParameter, raw, sql, type Sql } from '../database/sql';
import type { AffectedScope, AffectedScopes, LabelledDevices, OverridableKey } from './affected-scopes';
import { allLevels, comparePrecedence, type LevelKind, narrowestValue } from '../variables/key-levels';
import { deviceKindNames } from '../devices/device-kinds';
import type { ChangedKey, SettingLevel } from './setting-levels';

/** Devices for which a key does not change, because a narrower level defines it, as parts of a query. */
interface Override {
  readonly from: Sql;
  readonly where: Sql;
  /** The id of the device. */
  readonly id: Sql;
  /** Whether each device has at most one row. */
  readonly isDistinct: boolean;
}

/** The overrides of a key. Own values are split by kind, because an index then returns ids in order without a sort. */
function overridesOf(projectId: string, overridden: OverridableKey): Override[] {
  const { key, overridingLabels: labels, overridingCells: cells } = overridden;
  const ofOwn = overridden.ownKinds.map((kind) => ({
    from: sql`variable_correlations v`,
    where: sql`v.project_id = ${projectId} AND v.key = ${key} AND v.object_type = ${kind}`,
    id: sql`v.object_id`,
    isDistinct: true,
  }));
  const ofLabels = {
    from: sql`device_labels a`,
    where: sql`a.project_id = ${projectId} AND a.label_id = ANY(${arrayParameter(labels)}::bigint[])`,
    id: sql`a.device_id`,
    isDistinct: labels.length === 1,
  };
  const ofCells = {
    from: sql`devices c`,
    where: sql`c.project_id = ${projectId} AND c.cell_id = ANY(${arrayParameter(cells)}::bigint[])`,
    id: sql`c.id`,
    isDistinct: true,
  };
  return [...ofOwn, ...(labels.length > 0 ? [ofLabels] : []), ...(cells.length > 0 ? [ofCells] : [])];
}

/** Whether any level can override a key. */
export const isOverridable = (key: OverridableKey): boolean =>
  key.ownKinds.length > 0 || key.overridingLabels.length > 0 || key.overridingCells.length > 0;

/** The devices that override a key, each once, as a query for `id` and `key`. */
export function overridingDevices(projectId: string, devices: Sql, key: OverridableKey): Sql {
  const overrides = overridesOf(projectId, key);
  const found = overrides.map(
    ({ from, where, id }) =>
      sql`SELECT ${id} AS id, ${key.key}::text AS key FROM ${from} JOIN (${devices}) AS d ON d.id = ${id} WHERE ${where}`,
  );
  const all = join(found, ' UNION ALL ');
  // A device has one kind and at most one own value of the key, so own values of several kinds are distinct, too.
  const isDistinct =
    overrides.every((override) => override.isDistinct) && [1, key.ownKinds.length].includes(overrides.length);
  return isDistinct ? all : sql`SELECT DISTINCT * FROM (${all}) AS found`;
}

/** Whether a device does not override a key, as a condition. @param device an expression for the id of the device */
const isNotOverridden = (projectId: string, device: Sql, key: OverridableKey): Sql =>
  join(
    overridesOf(projectId, key).map(
      ({ from, where, id }) => sql`NOT EXISTS (SELECT FROM ${from} WHERE ${where} AND ${id} = ${device})`,
    ),
    ' AND ',
  );

/** The values of a key at a level, replaced by numbers that are equal for equal values; null: the key is not set. */
interface NumberedLevel {
  readonly key: string;
  readonly kind: LevelKind;
  readonly id: number;
  readonly before: number | null;
  readonly after: number | null;
}

/**
 * The number of a label's value is rank * RANK_FACTOR + value. So the value of the highest-ranking label is the
 * maximum.
 */
const RANK_FACTOR = 2 ** 26;

/**
 * The keys that change for devices with updated labels, as a query for `key`, the `id` of the device, and the numbers of
 * both values: see `valueNumbers`. The query resolves these keys for each device before and after the change. It compares
 * numbers instead of values.
 */
export function labelledChanges(projectId: string, { devices, keys }: LabelledDevices): Sql {
  const numbered = keys.flatMap(numberLevels);
  return sql`
    SELECT k.key, d.id, ${resolved('before')} AS before, ${resolved('after')} AS after FROM unnest(${arrayParameter(keys.map(({ key }) => key))}::text[]) AS k (key)
    CROSS JOIN (${devices}) AS c JOIN devices d ON d.project_id = ${projectId} AND d.id = c.id
    LEFT JOIN (
      SELECT l.key, a.device_id, max(l.before) % ${RANK_FACTOR}::bigint AS before, max(l.after) % ${RANK_FACTOR}::bigint AS after
      FROM (${devices}) AS c JOIN device_labels a ON a.project_id = ${projectId} AND a.device_id = c.id
      JOIN ${levelRows(numbered, 'label')} AS l (key, id, before, after) ON l.id = a.label_id
      GROUP BY l.key, a.device_id
    ) AS label ON label.key = k.key AND label.device_id = d.id
    LEFT JOIN ${levelRows(numbered, 'cell')} AS cell (key, id, before, after)
      ON cell.key = k.key AND cell.id = d.cell_id
    LEFT JOIN ${levelRows(numbered, 'region')} AS region (key, id, before, after)
      ON region.key = k.key AND region.id = d.region_id
    WHERE ${resolved('before')} IS DISTINCT FROM ${resolved('after')}
    AND NOT EXISTS (SELECT FROM variable_correlations v WHERE v.project_id = ${projectId}
      AND v.object_type = ANY(${arrayParameter(deviceKindNames)}::text[]) AND v.object_id = d.id AND v.key = k.key)`;
}

/** The number of the resolved value of a device, in `labelledChanges`. */
const resolved = (side: 'before' | 'after'): Sql =>
  narrowestValue({
    region: { value: raw(`region.${side}`) },
    cell: { value: raw(`cell.${side}`) },
    label: { value: raw(`label.${side}`) },
  });

/** A number for each value that a key has before or after a change. */
export function valueNumbers(changed: ChangedKey): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>();
  for (const { before, value: after } of allLevels(changed))
    for (const value of [before.value, after])
      if (value !== undefined && !numbers.has(value)) numbers.set(value, numbers.size);
  return numbers;
}

function numberLevels(changed: ChangedKey): NumberedLevel[] {
  const numbers = valueNumbers(changed);
  const numberOf = (value: string | undefined, rank = 0): number | null =>
    value === undefined ? null : rank * RANK_FACTOR + (numbers.get(value) ?? 0);
  const ranksOf = (side: (label: SettingLevel) => Pick<SettingLevel, 'kind' | 'name'>) => {
    const sorted = changed.labels.toSorted((a, b) => comparePrecedence(side(a), side(b)));
    return new Map(sorted.map((label, rank) => [label, rank]));
  };
  const [ranksBefore, ranksAfter] = [ranksOf(({ before }) => before), ranksOf((label) => label)];
  return allLevels(changed).map((level) => ({
    key: changed.key,
    kind: level.kind,
    id: level.id,
    before: numberOf(level.before.value, ranksBefore.get(level)),
    after: numberOf(level.value, ranksAfter.get(level)),
  }));
}

/** The levels of one kind, as rows. */
function levelRows(numbered: readonly NumberedLevel[], kind: LevelKind): Sql {
  const found = numbered.filter((level) => level.kind === kind);
  const column = (name: 'id' | 'before' | 'after') =>
    sql`${arrayParameter(found.map((one) => one[name]))}::bigint[]`;
  return sql`unnest(${arrayParameter(found.map(({ key }) => key))}::text[], ${column('id')}, ${column('before')}, ${column('after')})`;
}

/** Devices that a change affects without touching them. */
export interface IndirectlyAffectedDevices {
  readonly devices: number;
  /** The keys that change for any of the devices. Incomplete if the devices are only counted. */
  readonly keys: readonly string[];
  /** The ids of the devices on the page, in order. */
  readonly ids: readonly number[];
}

/** A page of devices: at most a number of them, after an id. */
export interface DeviceRange {
  readonly after: number;
  readonly limit: number;
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
export async function findIndirectlyAffectedDevices(
  on: Queryable,
  projectId: string,
  affected: AffectedScopes,
  page: DeviceRange | undefined,
): Promise<IndirectlyAffectedDevices> {
  const { labelled } = affected;
  if (affected.scopes.length > 0 || labelled) await configurePlanner(on);
  const found: IndirectlyAffectedDevices[] = [];
  for (const scope of affected.scopes) found.push(await findInScope(on, projectId, scope, page));
  if (labelled) {
    const [row] = await on.rows<LabelledRow>(
      sql`WITH changed AS MATERIALIZED (${labelledChanges(projectId, labelled)})
        SELECT (SELECT count(DISTINCT id) FROM changed) AS devices, ARRAY(SELECT DISTINCT key FROM changed) AS keys,
          ${firstIds(sql`SELECT DISTINCT id FROM changed`, page)}`,
      'custom',
    );
    if (row) found.push(row);
  }
  return {
    devices: found.reduce((sum, { devices }) => sum + devices, 0),
    keys: [...new Set(found.flatMap(({ keys }) => keys))],
    ids: found
      .flatMap(({ ids }) => ids)
      .sort((a, b) => a - b)
      .slice(0, page?.limit ?? 0),
  };
}

/**
 * Sets planner settings for the rest of the transaction. `work_mem` is large enough for sets of some hundred thousand
 * ids. `random_page_cost` assumes that rows are cached, so that the planner prefers index lookups to reading whole
 * tables. Parallel workers are off, because PostgreSQL 18 is very slow when they spill distinct ids to disk (observed
 * with 250,000 devices), and because a write should not use all cores.
 */
export async function configurePlanner(on: Queryable): Promise<void> {
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
  scope: AffectedScope,
  page: DeviceRange | undefined,
): Promise<IndirectlyAffectedDevices> {
  const [row] = await on.rows<ScopeRow>(scopeStatement(projectId, scope, page), 'custom');
  if (!row || row.size === row.overridden) return { devices: 0, keys: [], ids: [] };
  const { size, overridden, unchanged_keys: unchanged, ids } = row;
  const keys = scope.keys.map(({ key }) => key).filter((key) => !unchanged.includes(key));
  return { devices: size - overridden, keys, ids };
}

function scopeStatement(
  projectId: string,
  { devices, keys }: AffectedScope,
  page: DeviceRange | undefined,
): Sql {
  const overridable = keys.filter(isOverridable);
  const changesForAll = overridable.length < keys.length;
  // A key that no device overrides determines the count. Which of the other keys change matters only for a page.
  if (overridable.length === 0 || (changesForAll && !page))
    return sql`SELECT (${count(devices)}) AS size, 0 AS overridden, '{}'::text[] AS unchanged_keys,
      ${firstIds(devices, page)}`;
  const [onlyKey] = keys;
  if (onlyKey && keys.length === 1) {
    const changed = sql`SELECT d.id FROM (${devices}) AS d WHERE ${isNotOverridden(projectId, sql`d.id`, onlyKey)}`;
    return sql`SELECT (${count(devices)}) AS size, (${count(overridingDevices(projectId, devices, onlyKey))}) AS overridden,
      '{}'::text[] AS unchanged_keys, ${firstIds(changed, page)}`;
  }
  const overrides = overridable.map((key) => sql`(${overridingDevices(projectId, devices, key)})`);
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
const unchangedKeys = (page: DeviceRange | undefined): Sql =>
  page
    ? sql`ARRAY(SELECT key FROM override GROUP BY key HAVING count(*) = (SELECT size FROM scope)) AS unchanged_keys`
    : sql`'{}'::text[] AS unchanged_keys`;

/** The ids of the devices on a page, as a column; without a page, none. */
function firstIds(devices: Sql, page: DeviceRange | undefined): Sql {
  if (!page) return sql`'{}'::float8[] AS ids`;
  return sql`ARRAY(SELECT f.id::float8 FROM (${devices}) AS f (id) WHERE f.id > ${page.after}
    ORDER BY f.id LIMIT ${page.limit}) AS ids`;
}
