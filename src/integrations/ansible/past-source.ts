import { assertPast, changeRecordAt, referencedAt, type PointInTime } from '../../changes/point-in-time';
import type { RequestContext } from '../../core/context/request-context';
import { InventoryError } from '../../core/errors';
import { adaptiveChunks } from '../../database/chunks';
import type { Queryable } from '../../database/database';
import { arrayParameter, sql, type Sql } from '../../database/sql';
import { deviceInheritance } from '../../devices/device-kind';
import { deviceKindNames } from '../../devices/device-kinds';
import { devicesAt } from '../../devices/past-devices';
import { LEVEL_KINDS } from '../../variables/key-levels';
import { labelIdsOf, type LevelSet, type ResolutionTarget } from '../../variables/levels';
import { targetColumns, type VariableResolver } from '../../variables/variable-resolver';
import type { HostWithLevels } from '../host-query.service';
import { groupKey, type InventoryGroup, type LabelMember, type RegionMember } from './inventory-groups';
import { findMatching, type PastFilters } from './past-filters';
import { nameGroups, type GroupNames, type HostRow, type InventorySource } from './inventory-source';

/** The devices of an inventory at a point in time. */
export interface PastSelection {
  readonly time: string;
  readonly kinds: readonly string[];
  readonly activeOnly: boolean;
  /** The name of the only device; undefined: all. */
  readonly name: string | undefined;
  readonly filters: PastFilters;
}

/** The maximum number of devices of all kinds, whose members are in memory. */
export const MAX_PAST_DEVICES = 100_000;

/** A device without its variables. */
interface PastRow extends HostRow {
  readonly project_id: string;
  readonly region_level: number;
  readonly cell_level: number | null;
  readonly label_levels: string | null;
}

interface PastDevice extends PastRow {
  /** Whether it was written since: then its state is read from records. */
  readonly isChanged: boolean;
}

/**
 * Reads the devices of a project as they were: a device that was not written since is now as it was then, and the state of the
 * others is in their records.
 * @throws InventoryError 400 for a time in the future, or if there are more than `MAX_PAST_DEVICES`
 */
export async function pastSource(
  ctx: RequestContext,
  on: Queryable,
  resolver: VariableResolver,
  selection: PastSelection,
): Promise<InventorySource> {
  const { time, name, filters } = selection;
  await assertPast(time, on);
  const at = { time };
  const all = await readDevices(ctx.projectId, at, name, on);
  let names: Promise<GroupNames> | undefined;
  const readNames = () => (names ??= readGroupNames(ctx.projectId, at, all, on));
  const groups = filters.labels.length === 0 ? [] : (await readNames()).groups.values();
  const candidates = selectByMembers(all, selection, [...groups]).sort((a, b) => a.id - b.id);
  const matching =
    filters.variables.length === 0
      ? undefined
      : await findMatching(readHosts(ctx, candidates, at, resolver, on), filters.variables, on);
  const selected = matching ? candidates.filter(({ id }) => matching.has(id)) : candidates;
  return {
    readGroupNames: readNames,
    readHosts: () => readHosts(ctx, selected, at, resolver, on),
    readRegionMembers: () => membersOfRegions(selected),
    readLabelMembers: () => membersOfLabels(selected),
  };
}

/** The devices that a selection contains without its filters by variables. @param groups for filters by labels */
function selectByMembers(
  devices: readonly PastDevice[],
  { kinds, activeOnly, name, filters: { regions, cells, deviceTypes, labels } }: PastSelection,
  groups: readonly InventoryGroup[],
): PastDevice[] {
  const wanted = labels.map((label) =>
    groups.filter((group) => group.kind === 'label' && group.names[0] === label),
  );
  return devices.filter((device) => {
    const labelIds = labelIdsOf(device);
    return (
      kinds.includes(device.kind) &&
      (!activeOnly || device.active) &&
      (name === undefined || device.name === name) &&
      (!regions || regions.includes(device.region_level)) &&
      (!cells || cells.includes(device.cell_level)) &&
      (!deviceTypes || deviceTypes.includes(device.device_type)) &&
      wanted.every((ofName) => ofName.some(({ id }) => labelIds.includes(id)))
    );
  });
}

/** Ids that existed at a time, or were deleted since, as a query for `kind` and `id`. */
const everSince = (
  projectId: string,
  { time }: { time: string },
  kinds: readonly string[],
  present: Sql,
): Sql =>
  sql`${present} UNION SELECT o.kind, o.object_id FROM changes c
    JOIN change_objects o ON o.project_id = c.project_id AND o.change_id = c.id
    WHERE c.project_id = ${projectId} AND c.created_at > ${time}::timestamptz AND o.action = 'delete'
      AND o.kind = ANY(${arrayParameter(kinds)}::text[])`;

/** The condition that the present device `t` was not written since. */
const isUnchanged = (projectId: string, time: string): Sql =>
  sql`t.project_id = ${projectId} AND COALESCE(t.updated_at, t.created_at) <= ${time}::timestamptz`;

/** The column without which a `ResolutionTarget` is small. */
const WITHOUT_VARIABLES = { own_variables: '{}' };

/** @param name of the only device that is needed; those that were written since are read, too, as they can have had it */
async function readDevices(
  projectId: string,
  at: { readonly time: string },
  name: string | undefined,
  on: Queryable,
): Promise<PastDevice[]> {
  const isWanted =
    name === undefined ? sql`true` : sql`(t.name = ${name} OR t.updated_at > ${at.time}::timestamptz)`;
  const present = sql`SELECT t.kind, t.id FROM devices t WHERE t.project_id = ${projectId} AND t.created_at <= ${at.time}::timestamptz
    AND ${isWanted}`;
  const ids = await on.rows<{ kind: string; id: number }>(
    sql`${everSince(projectId, at, deviceKindNames, present)} LIMIT ${MAX_PAST_DEVICES + 1}`,
    'custom',
  );
  if (ids.length > MAX_PAST_DEVICES)
    throw InventoryError.invalid(
      'at',
      'limit_exceeded',
      `is only possible with at most ${MAX_PAST_DEVICES.toLocaleString('en')} devices`,
    );
  const unchanged = await on.rows<PastRow>(
    sql`SELECT t.project_id, t.id, t.name, t.kind, host(t.ip_address) AS ip_address, t.device_type, t.active,
      t.region_id AS region_level, t.cell_id AS cell_level, (SELECT string_agg(a.label_id::text, ',')
        FROM device_labels a WHERE a.project_id = t.project_id AND a.device_id = t.id) AS label_levels
      FROM devices t WHERE ${isUnchanged(projectId, at.time)} AND ${isWanted}`,
    'custom',
  );
  const isUnchangedId = new Set(unchanged.map(({ id }) => id));
  const devices: PastDevice[] = unchanged.map((device) => ({ ...device, isChanged: false }));
  const others = ids.filter(({ id }) => !isUnchangedId.has(id));
  if (others.length === 0) return devices;
  const columns = sql`t.project_id, t.object_id AS id, t.name, t.kind, t.after ->> 'ip_address' AS ip_address,
    t.after ->> 'device_type' AS device_type, (t.after ->> 'active')::boolean AS active,
    t.region_id AS region_level, t.cell_id AS cell_level,
    NULLIF(array_to_string(t.label_ids, ','), '') AS label_levels`;
  const changed = await on.rows<PastRow>(devicesAt(projectId, others, at, columns), 'custom');
  for (const device of changed) devices.push({ ...device, isChanged: true });
  return devices;
}

/** Reads the own variables chunk by chunk, and those of all levels once. */
async function* readHosts(
  ctx: RequestContext,
  devices: readonly PastDevice[],
  at: PointInTime,
  resolver: VariableResolver,
  on: Queryable,
): AsyncGenerator<HostWithLevels<HostRow>> {
  const targets = devices.map((device): ResolutionTarget => ({ ...device, ...WITHOUT_VARIABLES }));
  const levels: LevelSet = await resolver.readLevelSet(ctx, targets, on, at);
  const byId = new Map(devices.map((device) => [device.id, device]));
  const ids = sql`SELECT d.id FROM unnest(${arrayParameter([...byId.keys()])}::bigint[]) AS d (id) ORDER BY d.id`;
  const readChunk = async (chunk: readonly number[]) => {
    const ofChunk = chunk.flatMap((id) => byId.get(id) ?? []);
    const own = await readOwnVariables(ctx.projectId, ofChunk, at, on);
    return ofChunk.map((device) => ({ ...device, own_variables: own.get(device.id) ?? '{}' }));
  };
  for await (const rows of adaptiveChunks(on, ids, readChunk, ({ own_variables: own }) => own.length))
    for (const row of rows) yield { row, levels };
}

async function readOwnVariables(
  projectId: string,
  devices: readonly PastDevice[],
  at: PointInTime,
  on: Queryable,
): Promise<ReadonlyMap<number, string>> {
  const unchanged = devices.filter(({ isChanged }) => !isChanged).map(({ id }) => id);
  const present = sql`SELECT t.id, t.variables::text AS own_variables FROM devices t
    WHERE t.project_id = ${projectId} AND t.id = ANY(${arrayParameter(unchanged)}::bigint[])`;
  const changed = devices.filter(({ isChanged }) => isChanged);
  const past = devicesAt(projectId, changed, at, sql`t.id, ${targetColumns(deviceInheritance, at)}`);
  const own = new Map<number, string>();
  for (const statement of [present, past])
    for (const row of await on.rows<{ id: number; own_variables: string }>(statement))
      own.set(row.id, row.own_variables);
  return own;
}

interface PastGroup {
  readonly [column: string]: unknown;
  readonly kind: InventoryGroup['kind'];
  readonly id: number;
  readonly name: string;
  readonly region_id: number | null;
}

/** The groups that existed, and those that devices were in; the time of these can be slightly later. */
async function readGroupNames(
  projectId: string,
  at: { readonly time: string },
  devices: readonly PastDevice[],
  on: Queryable,
): Promise<GroupNames> {
  const present = sql`SELECT 'region' AS kind, id FROM regions WHERE project_id = ${projectId}
    UNION ALL SELECT 'cell', id FROM cells WHERE project_id = ${projectId}
    UNION ALL SELECT 'label', id FROM labels WHERE project_id = ${projectId}`;
  const isWanted = sql`o.project_id = ${projectId} AND o.kind = w.kind AND o.object_id = w.id`;
  const read = (wanted: Sql, record: Sql) =>
    on.rows<PastGroup>(
      sql`SELECT s.kind, s.object_id AS id, s.name, (s.after ->> 'region_id')::bigint AS region_id
        FROM (${wanted}) AS w (kind, id) CROSS JOIN LATERAL (${record}) s WHERE s.action <> 'delete'`,
      'custom',
    );
  const existing = await read(everSince(projectId, at, LEVEL_KINDS, present), changeRecordAt(at, isWanted));
  const found = new Map(existing.map((group) => [groupKey(group.kind, group.id), group]));
  const missing = [...referencedGroups(devices)].filter(([key]) => !found.has(key)).map(([, group]) => group);
  const wanted = sql`SELECT * FROM unnest(${arrayParameter(missing.map(({ kind }) => kind))}::text[],
    ${arrayParameter(missing.map(({ id }) => id))}::bigint[])`;
  if (missing.length > 0)
    for (const group of await read(wanted, referencedAt(at, isWanted)))
      found.set(groupKey(group.kind, group.id), group);
  const groups = [...found.values()].map(({ kind, id, name, region_id: regionId }): InventoryGroup => {
    const region = kind === 'cell' && regionId !== null ? found.get(groupKey('region', regionId)) : undefined;
    return { kind, id, names: region ? [region.name, name] : [name] };
  });
  const names = new Set(devices.map((device) => device.name));
  return nameGroups(groups, (candidates) => Promise.resolve(candidates.filter((one) => names.has(one))));
}

function referencedGroups(devices: readonly PastDevice[]): Map<string, Pick<InventoryGroup, 'kind' | 'id'>> {
  const groups = new Map<string, Pick<InventoryGroup, 'kind' | 'id'>>();
  const add = (kind: InventoryGroup['kind'], id: number) => groups.set(groupKey(kind, id), { kind, id });
  for (const device of devices) {
    add('region', device.region_level);
    if (device.cell_level !== null) add('cell', device.cell_level);
    for (const label of labelIdsOf(device)) add('label', label);
  }
  return groups;
}

function membersOfRegions(devices: readonly PastDevice[]): RegionMember[] {
  const order = (cell: number | null) => cell ?? Number.MAX_SAFE_INTEGER;
  return devices
    .map(({ name, region_level, cell_level }) => ({ name, region_id: region_level, cell_id: cell_level }))
    .sort((a, b) => a.region_id - b.region_id || order(a.cell_id) - order(b.cell_id));
}

const membersOfLabels = (devices: readonly PastDevice[]): LabelMember[] =>
  devices
    .flatMap((device) => labelIdsOf(device).map((label) => ({ name: device.name, label_id: label })))
    .sort((a, b) => a.label_id - b.label_id);
