import { and, arrayParameter, raw, sql, type Sql } from '../database/sql';
import { allLevels, byKind, comparePrecedence, narrowest } from '../variables/key-levels';
import type { UpdatedLevel } from './changed-levels';
import type { ChangedKey, SettingLevel } from './setting-levels';

/** Devices that a change affects in the same way: those in a region, in a cell, or with a label. */
export interface AffectedScope {
  /** A query for their ids, as `id`. */
  readonly devices: Sql;
  /** The region in which all of them are, if it is known; null: they have none. */
  readonly region?: number | null | undefined;
  /** The keys whose value changes for them, unless a narrower level overrides it. */
  readonly keys: readonly OverridableKey[];
}

/** A key whose value changes in a scope, for every device in it that does not override the value. */
export interface OverridableKey {
  readonly key: string;
  /** The values that the devices inherit before and after the change, as JSON texts; undefined: the key is not set. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** The kinds of devices that have devices with an own value. */
  readonly ownKinds: readonly string[];
  /** The ids of the labels and cells that override the value. */
  readonly overridingLabels: readonly number[];
  readonly overridingCells: readonly number[];
}

/** Devices with changed labels. They are resolved one by one, because several labels can define the same key. */
export interface LabelledDevices {
  /** A query for their ids, as `id`. */
  readonly devices: Sql;
  readonly keys: readonly ChangedKey[];
}

/** The devices that a change affects indirectly, in disjoint groups. */
export interface AffectedScopes {
  readonly scopes: readonly AffectedScope[];
  readonly labelled: LabelledDevices | undefined;
}

/** The levels that a change updated, and where the affected keys are defined. */
interface LevelUpdates {
  readonly projectId: string;
  readonly levels: readonly UpdatedLevel[];
  readonly keys: readonly ChangedKey[];
  /** The ids of the devices that the change itself touches. They are excluded, because they are resolved one by one. */
  readonly touched: readonly number[];
  /** Whether all devices of a scope must have the same two values of a key: see `addIndirectDevices`. */
  readonly withValues?: boolean;
}

/**
 * Finds the affected devices without resolving every device. It starts from the few updated levels, and finds for each
 * of them the narrower levels that override its keys.
 */
export function findAffectedScopes(updates: LevelUpdates): AffectedScopes {
  const { regions, cells, labels: updatedLabels } = byKind(updates.levels);
  const labels = updatedLabels.filter((label) => keysOfLabel(label, updates).length > 0);
  const [label] = labels;
  if (label && labels.length + cells.length + regions.length === 1) {
    const scope = labelScope(label, updates);
    if (scope) return { scopes: [scope], labelled: undefined };
  }
  const scopes = [
    ...regions.map((region) => regionScope(region, cells, labels, updates)),
    ...cells.map((cell) => cellScope(cell, labels, updates)),
  ];
  return {
    scopes: scopes.filter(({ keys }) => keys.length > 0),
    labelled: labels.length === 0 ? undefined : labelledDevices(labels, updates),
  };
}

const ids = (levels: readonly { readonly id: number }[]): number[] => levels.map(({ id }) => id);

/** The devices of a region that are in no updated cell and have no updated label. */
function regionScope(
  region: UpdatedLevel,
  cells: readonly UpdatedLevel[],
  labels: readonly UpdatedLevel[],
  updates: LevelUpdates,
): AffectedScope {
  const excluded = ids(cells.filter((cell) => cell.region_id === region.id));
  const isNotInExcludedCell =
    excluded.length === 0
      ? sql`true`
      : sql`(d.cell_id IS NULL OR d.cell_id <> ALL(${arrayParameter(excluded)}::bigint[]))`;
  return {
    devices: untouchedDevices(
      updates,
      and([sql`d.region_id = ${region.id}`, isNotInExcludedCell, hasNoneOf(labels)]),
    ),
    region: region.id,
    keys: updates.keys
      .filter(({ jsonKey }) => region.keys.includes(jsonKey))
      .map((key) => {
        const self = key.regions.find(({ id }) => id === region.id);
        return overridableKey(key, region, [self?.before.value, self?.value], excluded);
      }),
  };
}

/** The devices of a cell that have no updated label. Their region can be updated as well. */
function cellScope(
  cell: UpdatedLevel,
  labels: readonly UpdatedLevel[],
  updates: LevelUpdates,
): AffectedScope {
  const valuesOf = ({ regions, cells }: ChangedKey) => {
    const inherited = [
      ...regions.filter(({ id }) => id === cell.region_id),
      ...cells.filter(({ id }) => id === cell.id),
    ];
    return [narrowest(inherited.map(({ before }) => before)), narrowest(inherited)] as const;
  };
  const changed = updates.keys.flatMap((key) => {
    const [before, after] = valuesOf(key);
    return before === after ? [] : [overridableKey(key, cell, [before, after])];
  });
  return {
    devices: untouchedDevices(updates, and([sql`d.cell_id = ${cell.id}`, hasNoneOf(labels)])),
    region: cell.region_id,
    keys: changed,
  };
}

/**
 * The devices with a label that is the only updated level.
 * @returns undefined if the values of broader levels decide for which devices a key changes
 */
function labelScope(label: UpdatedLevel, updates: LevelUpdates): AffectedScope | undefined {
  const keys: OverridableKey[] = [];
  for (const key of keysOfLabel(label, updates)) {
    const self = key.labels.find(({ id }) => id === label.id);
    const others = allLevels(key).filter((level) => level !== self);
    if (!self || others.some((other) => isReordered(label, other))) return undefined;
    if (self.before.value === undefined || self.value === undefined) {
      const value = self.before.value ?? self.value;
      const isDecisive = (other: SettingLevel) => updates.withValues === true || other.value === value;
      if (others.some((other) => !isNarrower(other, label) && isDecisive(other))) return undefined;
    }
    keys.push(overridableKey(key, label, [self.before.value, self.value]));
  }
  return { devices: devicesWith([label], updates), keys };
}

function labelledDevices(labels: readonly UpdatedLevel[], updates: LevelUpdates): LabelledDevices {
  const affected = new Set(updates.levels.flatMap(({ keys }) => keys));
  for (const label of labels) for (const { jsonKey } of keysOfLabel(label, updates)) affected.add(jsonKey);
  return {
    devices: devicesWith(labels, updates),
    keys: updates.keys.filter(({ jsonKey }) => affected.has(jsonKey)),
  };
}

/** The keys of a label whose value changed, or whose order relative to another label changed. */
const keysOfLabel = (label: UpdatedLevel, { keys }: LevelUpdates): ChangedKey[] =>
  keys.filter(
    ({ jsonKey, labels }) =>
      label.keys.includes(jsonKey) ||
      (labels.some(({ id }) => id === label.id) && labels.some((other) => isReordered(label, other))),
  );

type ComparedLevel = Pick<SettingLevel, 'kind' | 'name'>;

const isNarrower = (one: ComparedLevel, other: ComparedLevel): boolean => comparePrecedence(one, other) > 0;

/** Whether the order of two levels changed. */
const isReordered = (one: UpdatedLevel, other: SettingLevel): boolean =>
  isNarrower(one.before, other.before) !== isNarrower(one, other);

/** A key of a level. Own values of devices and narrower levels override it, except for cells that are not in its scope. */
const overridableKey = (
  { key, own, cells, labels }: ChangedKey,
  level: UpdatedLevel,
  [before, after]: readonly [string | undefined, string | undefined],
  excludedCells: readonly number[] = [],
): OverridableKey => {
  const isInScope = (cell: SettingLevel) => cell.region_id === level.id && !excludedCells.includes(cell.id);
  return {
    key,
    before,
    after,
    ownKinds: own,
    overridingLabels: ids(labels.filter((label) => isNarrower(label, level))),
    overridingCells: ids(cells.filter((cell) => isNarrower(cell, level) && isInScope(cell))),
  };
};

const isUntouched = ({ touched }: LevelUpdates, id: Sql): Sql =>
  touched.length === 0 ? sql`true` : sql`${id} <> ALL(${arrayParameter(touched)}::bigint[])`;

const untouchedDevices = (updates: LevelUpdates, condition: Sql): Sql =>
  sql`SELECT d.id FROM devices d WHERE d.project_id = ${updates.projectId} AND ${condition} AND ${isUntouched(updates, sql`d.id`)}`;

const devicesWith = (labels: readonly UpdatedLevel[], updates: LevelUpdates): Sql =>
  sql`SELECT ${raw(labels.length > 1 ? 'DISTINCT' : '')} a.device_id AS id FROM device_labels a WHERE a.project_id = ${updates.projectId}
    AND a.label_id = ANY(${arrayParameter(ids(labels))}::bigint[]) AND ${isUntouched(updates, sql`a.device_id`)}`;

const hasNoneOf = (labels: readonly UpdatedLevel[]): Sql =>
  labels.length === 0
    ? sql`true`
    : sql`NOT EXISTS (SELECT FROM device_labels a WHERE a.project_id = d.project_id AND a.device_id = d.id
        AND a.label_id = ANY(${arrayParameter(ids(labels))}::bigint[]))`;
