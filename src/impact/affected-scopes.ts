import { byCodePoint } from '../core/characters';
import { and, list, raw, sql, type Sql } from '../database/sql';
import type { LevelKind } from '../variables/levels';
import type { AlteredLevel } from './changed-levels';
import type { KeySetters, Setter } from './key-definitions';

/** Devices that a change affects in the same way: those in a region, in a cell, or with a label. */
export interface Place {
  /** A query for their ids, as `id`. */
  readonly devices: Sql;
  /** The keys whose value changes for them, unless a narrower level overrides it. */
  readonly keys: readonly ReachingKey[];
}

/** A key whose value changes in a scope, for every device in it that does not override the value. */
export interface ReachingKey {
  readonly key: string;
  /** The kinds of devices that have devices with an own value. */
  readonly own: readonly string[];
  /** The ids of the labels and cells that override the value. */
  readonly labels: readonly number[];
  readonly cells: readonly number[];
}

/** Devices with changed labels. They are resolved one by one, because several labels can define the same key. */
export interface Labelled {
  /** A query for their ids, as `id`. */
  readonly devices: Sql;
  readonly keys: readonly KeySetters[];
}

/** The devices that a change affects indirectly, in disjoint groups. */
export interface Reach {
  readonly places: readonly Place[];
  readonly labelled: Labelled | undefined;
}

/** The levels that a change updated, and where the affected keys are defined. */
interface LevelUpdates {
  readonly projectId: string;
  readonly levels: readonly AlteredLevel[];
  readonly definitions: readonly KeySetters[];
  /** The ids of the devices that the change itself touches. They are excluded, because they are resolved one by one. */
  readonly touched: readonly number[];
}

/**
 * Finds the affected devices without resolving every device. It starts from the few updated levels, and finds for each
 * of them the narrower levels that override its keys.
 */
export function reachOf(updates: LevelUpdates): Reach {
  const labels = ofKind(updates.levels, 'label').filter((label) => keysOfLabel(label, updates).length > 0);
  const cells = ofKind(updates.levels, 'cell');
  const regions = ofKind(updates.levels, 'region');
  const [label] = labels;
  if (label && labels.length + cells.length + regions.length === 1) {
    const scope = labelScope(label, updates);
    if (scope) return { places: [scope], labelled: undefined };
  }
  const scopes = [
    ...regions.map((region) => regionScope(region, cells, labels, updates)),
    ...cells.map((cell) => cellScope(cell, labels, updates)),
  ];
  return {
    places: scopes.filter(({ keys }) => keys.length > 0),
    labelled: labels.length === 0 ? undefined : labelledDevices(labels, updates),
  };
}

/**
 * The visible keys that an update can affect, as JSON strings. Renaming a label affects all of its keys, because the
 * names of labels decide which of them wins.
 */
export function keysOf(levels: readonly AlteredLevel[], sees: (key: string) => boolean): string[] {
  const keys = new Set<string>();
  for (const level of levels) {
    for (const key of level.keys) keys.add(key);
    if (level.nameBefore === level.nameAfter || level.kind !== 'label') continue;
    for (const key of [...level.before.keys(), ...level.after.keys()])
      if (sees(JSON.parse(key) as string)) keys.add(key);
  }
  return [...keys];
}

const ofKind = <T extends { readonly kind: LevelKind }>(levels: readonly T[], kind: LevelKind): T[] =>
  levels.filter((level) => level.kind === kind);

const ids = (levels: readonly { readonly id: number }[]): number[] => levels.map(({ id }) => id);

const findLevel = (levels: readonly Setter[], kind: LevelKind, id: number | undefined): Setter | undefined =>
  levels.find((level) => level.kind === kind && level.id === id);

/** The devices of a region that are in no updated cell and have no updated label. */
function regionScope(
  region: AlteredLevel,
  cells: readonly AlteredLevel[],
  labels: readonly AlteredLevel[],
  updates: LevelUpdates,
): Place {
  const excluded = ids(cells.filter((cell) => cell.region === region.id));
  const isNotInExcludedCell =
    excluded.length === 0
      ? sql`true`
      : sql`(d.cell_id IS NULL OR d.cell_id <> ALL(${list(excluded)}::bigint[]))`;
  const overridingCells = ({ levels }: KeySetters) =>
    ids(ofKind(levels, 'cell').filter((cell) => cell.region === region.id && !excluded.includes(cell.id)));
  return {
    devices: untouchedDevices(
      updates,
      and([sql`d.region_id = ${region.id}`, isNotInExcludedCell, hasNoneOf(labels)]),
    ),
    keys: updates.definitions
      .filter(({ text }) => region.keys.includes(text))
      .map((definitions): ReachingKey => ({
        ...overridableKey(definitions),
        cells: overridingCells(definitions),
      })),
  };
}

/** The devices of a cell that have no updated label. Their region can be updated as well. */
function cellScope(cell: AlteredLevel, labels: readonly AlteredLevel[], updates: LevelUpdates): Place {
  const changesValue = ({ levels }: KeySetters) => {
    const [own, region] = [findLevel(levels, 'cell', cell.id), findLevel(levels, 'region', cell.region)];
    return (own?.before ?? region?.before) !== (own?.after ?? region?.after);
  };
  return {
    devices: untouchedDevices(updates, and([sql`d.cell_id = ${cell.id}`, hasNoneOf(labels)])),
    keys: updates.definitions.filter(changesValue).map(overridableKey),
  };
}

/**
 * The devices with a label that is the only updated level.
 * @returns undefined if the values of broader levels decide for which devices a key changes
 */
function labelScope(label: AlteredLevel, updates: LevelUpdates): Place | undefined {
  const keys: ReachingKey[] = [];
  for (const definitions of keysOfLabel(label, updates)) {
    const self = findLevel(definitions.levels, 'label', label.id);
    const others = definitions.levels.filter((level) => level !== self && level.kind === 'label');
    if (!self || others.some((other) => isReordered(label, other))) return undefined;
    const narrower = others.filter((other) => byCodePoint(other.nameAfter, label.nameAfter) > 0);
    if (self.before === undefined || self.after === undefined) {
      const value = self.before ?? self.after;
      const broader = definitions.levels.filter((level) => level !== self && !narrower.includes(level));
      if (broader.some((level) => level.after === value)) return undefined;
    }
    keys.push({ ...overridableKey(definitions), labels: ids(narrower) });
  }
  return { devices: devicesWith([label], updates), keys };
}

function labelledDevices(labels: readonly AlteredLevel[], updates: LevelUpdates): Labelled {
  const affected = new Set(updates.levels.flatMap(({ keys }) => keys));
  for (const label of labels) for (const { text } of keysOfLabel(label, updates)) affected.add(text);
  return {
    devices: devicesWith(labels, updates),
    keys: updates.definitions.filter(({ text }) => affected.has(text)),
  };
}

/** The keys of a label whose value changed, or whose order relative to another label changed. */
function keysOfLabel(label: AlteredLevel, { definitions }: LevelUpdates): KeySetters[] {
  return definitions.filter(({ text, levels }) => {
    if (label.keys.includes(text)) return true;
    if (!findLevel(levels, 'label', label.id)) return false;
    return ofKind(levels, 'label').some((other) => isReordered(label, other));
  });
}

/** Whether the order of two labels changed. */
const isReordered = (one: AlteredLevel, other: Setter): boolean =>
  byCodePoint(one.nameBefore, other.nameBefore) > 0 !== byCodePoint(one.nameAfter, other.nameAfter) > 0;

/** A key of a region or a cell. Own values of devices and all labels override it. */
const overridableKey = (definitions: KeySetters): ReachingKey => ({
  key: definitions.key,
  own: definitions.own,
  labels: ids(ofKind(definitions.levels, 'label')),
  cells: [],
});

const isUntouched = ({ touched }: LevelUpdates, id: Sql): Sql =>
  touched.length === 0 ? sql`true` : sql`${id} <> ALL(${list(touched)}::bigint[])`;

const untouchedDevices = (updates: LevelUpdates, condition: Sql): Sql =>
  sql`SELECT d.id FROM devices d WHERE d.project_id = ${updates.projectId} AND ${condition} AND ${isUntouched(updates, sql`d.id`)}`;

const devicesWith = (labels: readonly AlteredLevel[], updates: LevelUpdates): Sql =>
  sql`SELECT ${raw(labels.length > 1 ? 'DISTINCT' : '')} a.device_id AS id FROM device_labels a WHERE a.project_id = ${updates.projectId}
    AND a.label_id = ANY(${list(ids(labels))}::bigint[]) AND ${isUntouched(updates, sql`a.device_id`)}`;

const hasNoneOf = (labels: readonly AlteredLevel[]): Sql =>
  labels.length === 0
    ? sql`true`
    : sql`NOT EXISTS (SELECT FROM device_labels a WHERE a.project_id = d.project_id AND a.device_id = d.id
        AND a.label_id = ANY(${list(ids(labels))}::bigint[]))`;
