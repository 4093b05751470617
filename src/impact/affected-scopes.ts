import { compareCodePoints } from '../core/text';
import { and, arrayParameter, raw, sql, type Sql } from '../database/sql';
import type { LevelKind } from '../variables/key-levels';
import type { UpdatedLevel } from './changed-levels';
import type { KeyLevels, SettingLevel } from './setting-levels';

/** Devices that a change affects in the same way: those in a region, in a cell, or with a label. */
export interface AffectedScope {
  /** A query for their ids, as `id`. */
  readonly devices: Sql;
  /** The keys whose value changes for them, unless a narrower level overrides it. */
  readonly keys: readonly OverridableKey[];
}

/** A key whose value changes in a scope, for every device in it that does not override the value. */
export interface OverridableKey {
  readonly key: string;
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
  readonly keys: readonly KeyLevels[];
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
  readonly keyLevels: readonly KeyLevels[];
  /** The ids of the devices that the change itself touches. They are excluded, because they are resolved one by one. */
  readonly touched: readonly number[];
}

/**
 * Finds the affected devices without resolving every device. It starts from the few updated levels, and finds for each
 * of them the narrower levels that override its keys.
 */
export function findAffectedScopes(updates: LevelUpdates): AffectedScopes {
  const labels = ofKind(updates.levels, 'label').filter((label) => keysOfLabel(label, updates).length > 0);
  const cells = ofKind(updates.levels, 'cell');
  const regions = ofKind(updates.levels, 'region');
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

const ofKind = <T extends { readonly kind: LevelKind }>(levels: readonly T[], kind: LevelKind): T[] =>
  levels.filter((level) => level.kind === kind);

const ids = (levels: readonly { readonly id: number }[]): number[] => levels.map(({ id }) => id);

const findLevel = (
  levels: readonly SettingLevel[],
  kind: LevelKind,
  id: number | undefined,
): SettingLevel | undefined => levels.find((level) => level.kind === kind && level.id === id);

/** The devices of a region that are in no updated cell and have no updated label. */
function regionScope(
  region: UpdatedLevel,
  cells: readonly UpdatedLevel[],
  labels: readonly UpdatedLevel[],
  updates: LevelUpdates,
): AffectedScope {
  const excluded = ids(cells.filter((cell) => cell.regionId === region.id));
  const isNotInExcludedCell =
    excluded.length === 0
      ? sql`true`
      : sql`(d.cell_id IS NULL OR d.cell_id <> ALL(${arrayParameter(excluded)}::bigint[]))`;
  const overridingCells = ({ levels }: KeyLevels) =>
    ids(ofKind(levels, 'cell').filter((cell) => cell.regionId === region.id && !excluded.includes(cell.id)));
  return {
    devices: untouchedDevices(
      updates,
      and([sql`d.region_id = ${region.id}`, isNotInExcludedCell, hasNoneOf(labels)]),
    ),
    keys: updates.keyLevels
      .filter(({ jsonKey: text }) => region.keys.includes(text))
      .map((keyLevels): OverridableKey => ({
        ...overridableKey(keyLevels),
        overridingCells: overridingCells(keyLevels),
      })),
  };
}

/** The devices of a cell that have no updated label. Their region can be updated as well. */
function cellScope(
  cell: UpdatedLevel,
  labels: readonly UpdatedLevel[],
  updates: LevelUpdates,
): AffectedScope {
  const changesValue = ({ levels }: KeyLevels) => {
    const [own, region] = [findLevel(levels, 'cell', cell.id), findLevel(levels, 'region', cell.regionId)];
    return (own?.before ?? region?.before) !== (own?.after ?? region?.after);
  };
  return {
    devices: untouchedDevices(updates, and([sql`d.cell_id = ${cell.id}`, hasNoneOf(labels)])),
    keys: updates.keyLevels.filter(changesValue).map(overridableKey),
  };
}

/**
 * The devices with a label that is the only updated level.
 * @returns undefined if the values of broader levels decide for which devices a key changes
 */
function labelScope(label: UpdatedLevel, updates: LevelUpdates): AffectedScope | undefined {
  const keys: OverridableKey[] = [];
  for (const keyLevels of keysOfLabel(label, updates)) {
    const self = findLevel(keyLevels.levels, 'label', label.id);
    const others = keyLevels.levels.filter((level) => level !== self && level.kind === 'label');
    if (!self || others.some((other) => isReordered(label, other))) return undefined;
    const narrower = others.filter((other) => compareCodePoints(other.nameAfter, label.nameAfter) > 0);
    if (self.before === undefined || self.after === undefined) {
      const value = self.before ?? self.after;
      const broader = keyLevels.levels.filter((level) => level !== self && !narrower.includes(level));
      if (broader.some((level) => level.after === value)) return undefined;
    }
    keys.push({ ...overridableKey(keyLevels), overridingLabels: ids(narrower) });
  }
  return { devices: devicesWith([label], updates), keys };
}

function labelledDevices(labels: readonly UpdatedLevel[], updates: LevelUpdates): LabelledDevices {
  const affected = new Set(updates.levels.flatMap(({ keys }) => keys));
  for (const label of labels) for (const { jsonKey: text } of keysOfLabel(label, updates)) affected.add(text);
  return {
    devices: devicesWith(labels, updates),
    keys: updates.keyLevels.filter(({ jsonKey: text }) => affected.has(text)),
  };
}

/** The keys of a label whose value changed, or whose order relative to another label changed. */
function keysOfLabel(label: UpdatedLevel, { keyLevels }: LevelUpdates): KeyLevels[] {
  return keyLevels.filter(({ jsonKey: text, levels }) => {
    if (label.keys.includes(text)) return true;
    if (!findLevel(levels, 'label', label.id)) return false;
    return ofKind(levels, 'label').some((other) => isReordered(label, other));
  });
}

/** Whether the order of two labels changed. */
const isReordered = (one: UpdatedLevel, other: SettingLevel): boolean =>
  compareCodePoints(one.nameBefore, other.nameBefore) > 0 !==
  compareCodePoints(one.nameAfter, other.nameAfter) > 0;

/** A key of a region or a cell. Own values of devices and all labels override it. */
const overridableKey = (keyLevels: KeyLevels): OverridableKey => ({
  key: keyLevels.key,
  ownKinds: keyLevels.ownKinds,
  overridingLabels: ids(ofKind(keyLevels.levels, 'label')),
  overridingCells: [],
});

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
