import type { Queryable } from '../database/database';
import { arrayParameter, join, raw, sql, type Sql } from '../database/sql';
import {
  allLevels,
  type KeyLevel,
  type KeyLevels,
  keysOf,
  narrowestValue,
  readKeyLevels,
} from '../variables/key-levels';
import { deviceLabels } from '../devices/device.entity';
import { deviceKindNames } from '../devices/device-kinds';
import type { DeviceSelection } from './device-selection';
import { GROUPED_COLUMNS, type Grouping, type GroupKey, labelJoin } from './grouping';

/** A variable, or a part of its value. */
export interface VariablePart {
  readonly key: string;
  /** A PostgreSQL jsonpath in the value; undefined: the whole value. Of several matches, the first one counts. */
  readonly path: string | undefined;
}

/** A resolved value, and the number of devices that have it. */
export interface CountedValue {
  /** As JSON text. */
  readonly value: string;
  readonly devices: number;
}

/** How the resolved values of a variable are distributed over devices. */
export interface Distribution {
  readonly devices: number;
  /** The number of devices without the variable, or without the part of its value. */
  readonly without: number;
  /** The number of different values, including those that are not in `values`. */
  readonly distinct: number;
  /** The most frequent values. */
  readonly values: readonly CountedValue[];
}

/** The distribution in one group of devices. */
export interface GroupDistribution extends Distribution {
  readonly group: GroupKey;
}

/** A level with the part of its value as JSON text; null if its value does not have the part. */
type SourceLevel = KeyLevel<string | null>;

/** Where a variable is set. `own` has the number of devices that set it. */
type VariableSources = KeyLevels<SourceLevel, number>;

/** If a larger share of all devices sets a variable, reading all documents takes less time than finding those devices. */
const SCANNED_SHARE = 0.1;

/** The maximum size of all returned values together, in bytes. Values beyond it are only counted. */
const MAX_VALUES_SIZE = 4 * 1024 * 1024;

/** The size of a value in the response in addition to its text, in bytes. */
const VALUE_OVERHEAD = 32;

/** The value of a variable, or the part of it, in a document. */
const partOf = ({ key, path }: VariablePart, document: Sql): Sql =>
  path === undefined
    ? sql`${document} -> ${key}`
    : sql`jsonb_path_query_first(${document} -> ${key}, ${path}::jsonpath, '{}', true)`;

/** Reads where a variable of a project is set. */
export async function readSources(
  part: VariablePart,
  projectId: string,
  on: Queryable,
): Promise<VariableSources> {
  const [sources] = await readKeyLevels<VariablePart, string | null, number>(on, [part], {
    keys: keysOf(projectId, [part.key]),
    value: sql`(${partOf(part, sql`t.variables`)})::text`,
    own: {
      value: sql`to_json(c.count)`,
      joined: sql`CROSS JOIN (SELECT count(*) FROM variable_correlations v WHERE ${isOwn(part, projectId)}) c`,
    },
  });
  if (!sources) throw new Error('the query returned no levels of the variable');
  return sources;
}

/** How much of a distribution is listed; everything is counted. */
export interface DistributionLimits {
  readonly groups: number;
  /** Of each group. */
  readonly values: number;
}

interface DistributionRow {
  [column: string]: unknown;
  /** The key of the group as text; empty for devices that have none, and without a grouping. */
  readonly key: string;
  readonly value: string | null;
  readonly devices: number;
  readonly total: number;
  readonly without: number;
  readonly distinct_values: number;
}

/**
 * Counts the devices that resolve a variable to each of its values, without resolving each device. It starts from the
 * few levels that set the variable. All devices are counted by region and cell, through one index. Devices with an own
 * value, or with a label that sets the variable, are subtracted from these counts and are counted by that value.
 * @param grouping counts the devices of each group separately; absent: of all selected devices
 * @returns one distribution for each group, the largest group first. Without a grouping one; none without devices.
 */
export async function readDistributions(
  part: VariablePart,
  sources: VariableSources,
  selection: DeviceSelection,
  grouping: Grouping | undefined,
  limits: DistributionLimits,
  on: Queryable,
): Promise<GroupDistribution[]> {
  const isScanned = await shouldScanDevices(sources, selection, on);
  const statement = distributionStatement(part, sources, selection, grouping, limits, isScanned);
  const groups = new Map<string, GroupDistribution & { values: CountedValue[] }>();
  for (const row of await on.rows<DistributionRow>(statement, 'custom')) {
    const { key, value, devices, total, without, distinct_values: distinct } = row;
    const group = groups.get(key) ?? {
      group: key === '' ? null : grouping?.refersTo ? Number(key) : key,
      devices: total,
      without,
      distinct,
      values: [],
    };
    groups.set(key, group);
    if (value !== null) group.values.push({ value, devices });
  }
  return [...groups.values()];
}

/** Whether no region, cell or label sets the variable. */
export const isOwnOnly = (sources: VariableSources): boolean => allLevels(sources).length === 0;

/** The number of devices that set the variable. */
const ownDevices = ({ own }: VariableSources): number => own[0] ?? 0;

/** Whether only devices set the variable, but many of all devices. */
async function shouldScanDevices(
  sources: VariableSources,
  { projectId, isWhole }: DeviceSelection,
  on: Queryable,
): Promise<boolean> {
  if (!isWhole || !isOwnOnly(sources) || ownDevices(sources) === 0) return false;
  const [row] = await on.rows<{ devices: number }>(
    sql`SELECT count(*) AS devices FROM devices t WHERE t.project_id = ${projectId}`,
    'custom',
  );
  return ownDevices(sources) > (row?.devices ?? 0) * SCANNED_SHARE;
}

/** @param isScanned reads the documents of all devices; only devices may set the variable */
function distributionStatement(
  part: VariablePart,
  sources: VariableSources,
  selection: DeviceSelection,
  grouping: Grouping | undefined,
  limits: DistributionLimits,
  isScanned: boolean,
): Sql {
  // All devices of a project are read where they are needed, through different indexes.
  const columns = selection.isWhole ? sql`${GROUPED_COLUMNS}, t.variables` : GROUPED_COLUMNS;
  const selected = sql`SELECT t.*, ${raw(grouping?.column ?? 'NULL::bigint')} AS key FROM (${selection.rows(columns)}) t
    ${labelJoin(grouping ? [grouping] : [], selection.projectId)}`;
  // If no level of a kind sets the variable, devices are not counted by it.
  const location = raw(
    [
      't.key',
      sources.regions.length > 0 ? 't.region_id' : 'NULL::bigint AS region_id',
      sources.cells.length > 0 ? 't.cell_id' : 'NULL::bigint AS cell_id',
    ].join(', '),
  );
  const narrower = [
    ...(ownDevices(sources) > 0
      ? [
          {
            name: raw('own'),
            counts: ownCounts(part, selection, location),
            byValue: sql`SELECT t.key, t.value, t.devices FROM own t`,
          },
        ]
      : []),
    ...(sources.labels.length > 0
      ? [
          {
            name: raw('labelled'),
            counts: labelCounts(part, sources, selection, location, grouping),
            byValue: sql`SELECT t.key, l.value, t.devices FROM labelled t
              JOIN ${levelValues(sources.labels)} ON l.rank = t.rank`,
          },
        ]
      : []),
  ];
  const located = [
    sql`SELECT ${location}, count(*) AS devices FROM selected t GROUP BY 1, 2, 3`,
    ...narrower.map(({ name }) => sql`SELECT t.key, t.region_id, t.cell_id, -t.devices FROM ${name} t`),
  ];
  const byLocation = sql`SELECT t.key, ${narrowestValue({
    region: { value: sql`r.value` },
    cell: { value: sql`c.value`, isSet: sql`c.id IS NOT NULL` },
  })} AS value, t.devices
    FROM (SELECT t.key, t.region_id, t.cell_id, sum(t.devices) AS devices
      FROM (${join(located, ' UNION ALL ')}) t GROUP BY 1, 2, 3) t
    LEFT JOIN ${levelValues(sources.cells, 'c')} ON c.id = t.cell_id
    LEFT JOIN ${levelValues(sources.regions, 'r')} ON r.id = t.region_id`;
  const counted = [byLocation, ...narrower.map(({ byValue }) => byValue)];
  const rows = sql`(SELECT COALESCE(t.key::text, '') AS key, t.value, t.devices FROM (${join(counted, ' UNION ALL ')}) t)`;
  // Own values are already grouped. Grouping a million of them again takes a third of the time.
  const merged = isOwnOnly(sources)
    ? sql`SELECT t.key, t.value, t.devices::bigint AS devices FROM ${rows} t WHERE t.devices > 0`
    : sql`SELECT t.key, t.value, sum(t.devices)::bigint AS devices FROM ${rows} t GROUP BY 1, 2 HAVING sum(t.devices) > 0`;
  const scanned = sql`SELECT COALESCE(t.key::text, '') AS key, ${partOf(part, sql`t.variables`)} AS value, count(*) AS devices
    FROM selected t GROUP BY 1, 2`;
  const intermediate = isScanned
    ? []
    : narrower.map(({ name, counts }) => sql`${name} AS MATERIALIZED (${counts}),`);
  return sql`WITH selected AS ${raw(selection.isWhole ? 'NOT MATERIALIZED' : 'MATERIALIZED')} (${selected}),
    ${join([...intermediate, sql``], ' ')}
    counted AS MATERIALIZED (${isScanned ? scanned : merged}),
    totals AS (SELECT t.key, sum(t.devices)::bigint AS total, count(t.value) AS distinct_values,
        COALESCE(sum(t.devices) FILTER (WHERE t.value IS NULL), 0)::bigint AS without
      FROM counted t GROUP BY 1 ORDER BY total DESC, t.key LIMIT ${limits.groups}),
    listed AS (${grouping ? mostFrequentOfGroups(limits.values) : mostFrequent(limits.values)})
    SELECT g.key, g.total, g.without, g.distinct_values, v.value, v.devices
    FROM totals g LEFT JOIN (
      SELECT t.*, sum(octet_length(t.value) + ${VALUE_OVERHEAD}) OVER (ORDER BY t.position, t.key) AS size FROM listed t) v
      ON v.key = g.key AND v.size <= ${MAX_VALUES_SIZE}
    ORDER BY g.total DESC, g.key, v.position`;
}

/** The own values of devices, with numbers of devices. */
function ownCounts(part: VariablePart, { projectId, isWhole }: DeviceSelection, location: Sql): Sql {
  const documents = isWhole
    ? { join: sql``, column: sql`t.variables` }
    : {
        join: sql`JOIN devices d ON d.project_id = ${projectId} AND d.id = t.id`,
        column: sql`d.variables`,
      };
  return sql`SELECT ${location}, ${partOf(part, documents.column)} AS value, count(*) AS devices
    FROM selected t ${documents.join} JOIN variable_correlations v ON v.object_id = t.id
    WHERE ${isOwn(part, projectId)} GROUP BY 1, 2, 3, 4`;
}

/** Whether a row `v` of `variable_correlations` is about an own value of a device. */
const isOwn = ({ key }: VariablePart, projectId: string): Sql =>
  sql`v.project_id = ${projectId} AND v.key = ${key} AND v.object_type = ANY(${arrayParameter(deviceKindNames)}::text[])`;

/** The devices without an own value that have labels which set the variable, by the rank of the last one. */
function labelCounts(
  part: VariablePart,
  sources: VariableSources,
  { projectId, isWhole }: DeviceSelection,
  location: Sql,
  grouping: Grouping | undefined,
): Sql {
  const hasNoOwn =
    ownDevices(sources) > 0
      ? sql`NOT EXISTS (SELECT FROM variable_correlations v WHERE v.object_id = l.id AND ${isOwn(part, projectId)})`
      : sql`true`;
  // Sorting the label assignments takes less time than hashing a group for each device.
  const ranked = sql`(SELECT DISTINCT ON (b.${raw(deviceLabels.owner)}) b.${raw(deviceLabels.owner)} AS id, l.rank
    FROM ${levelValues(sources.labels)} JOIN ${raw(deviceLabels.table)} b ON b.project_id = ${projectId} AND b.label_id = l.id
    ORDER BY 1, 2 DESC)`;
  // Without filters, groups and locations, label assignments are counted without their devices.
  if (isWhole && !grouping && sources.regions.length + sources.cells.length === 0)
    return sql`SELECT NULL::bigint AS key, NULL::bigint AS region_id, NULL::bigint AS cell_id, l.rank, count(*) AS devices
      FROM ${ranked} l WHERE ${hasNoOwn} GROUP BY 4`;
  return sql`SELECT ${location}, l.rank, count(*) AS devices FROM ${ranked} l JOIN selected t ON t.id = l.id
    WHERE ${hasNoOwn} GROUP BY 1, 2, 3, 4`;
}

/** Levels and their values, as rows `(id, value, rank)`. */
const levelValues = (levels: readonly SourceLevel[], alias: 'c' | 'r' | 'l' = 'l'): Sql =>
  sql`unnest(${arrayParameter(levels.map(({ id }) => id))}::bigint[], ${arrayParameter(levels.map(({ value }) => value))}::jsonb[]) WITH ORDINALITY
    AS ${raw(alias)} (id, value, rank)`;

const mostFrequent = (limit: number): Sql =>
  sql`SELECT t.key, t.devices, t.value::text AS value, row_number() OVER () AS position FROM (
    SELECT t.* FROM counted t WHERE t.value IS NOT NULL ORDER BY t.devices DESC, t.value LIMIT ${limit}) t`;

const mostFrequentOfGroups = (limit: number): Sql =>
  sql`SELECT t.key, t.devices, t.value::text AS value, t.position FROM (
    SELECT t.*, row_number() OVER (PARTITION BY t.key ORDER BY t.devices DESC, t.value) AS position
    FROM counted t WHERE t.value IS NOT NULL) t
    WHERE t.position <= ${limit} AND t.key IN (SELECT g.key FROM totals g)`;
