import { byCodePoint } from '../core/characters';
import { and, list, raw, sql, type Sql } from '../database/sql';
import type { LevelKind } from '../variables/levels';
import type { AlteredLevel } from './changed-levels';
import type { KeySetters, Setter } from './key-definitions';

/** Devices that a change reaches in the same way: those in a region, in a cell, or with a label. */
export interface Place {
  /** A query for their ids, as `id`. */
  readonly devices: Sql;
  /** What changes for them, unless something narrower hides it. */
  readonly keys: readonly ReachingKey[];
}

/** A key whose value changes in a place, for every device there that is not below what hides it. */
export interface ReachingKey {
  readonly key: string;
  /** The kinds of devices of which some hide it by a value of their own. */
  readonly own: readonly string[];
  /** The labels and the cells that hide it. */
  readonly labels: readonly number[];
  readonly cells: readonly number[];
}

/** Devices with labels that a change altered: what changes for them is found device by device. */
export interface Labelled {
  /** A query for their ids, as `id`. */
  readonly devices: Sql;
  readonly keys: readonly KeySetters[];
}

/** The devices that a change reaches without touching them, in groups that do not overlap. */
export interface Reach {
  readonly places: readonly Place[];
  readonly labelled: Labelled | undefined;
}

/** What a change altered, and who sets the keys that it is about. */
export interface Alterations {
  readonly projectId: string;
  readonly altered: readonly AlteredLevel[];
  readonly setters: readonly KeySetters[];
  /** The devices that the change itself touches, which are looked at one by one. */
  readonly touched: readonly number[];
}

/**
 * Turns the question round: instead of resolving every device, it starts from the few levels that give otherwise than
 * before, and asks of each what narrower levels keep its devices from seeing that.
 */
export function reachOf(of: Alterations): Reach {
  const labels = ofKind(of.altered, 'label').filter((label) => keysOfLabel(label, of).length > 0);
  const cells = ofKind(of.altered, 'cell');
  const regions = ofKind(of.altered, 'region');
  const [label] = labels;
  if (label && labels.length + cells.length + regions.length === 1) {
    const place = labelPlace(label, of);
    if (place) return { places: [place], labelled: undefined };
  }
  const places = [
    ...regions.map((region) => regionPlace(region, cells, labels, of)),
    ...cells.map((cell) => cellPlace(cell, labels, of)),
  ];
  return {
    places: places.filter(({ keys }) => keys.length > 0),
    labelled: labels.length === 0 ? undefined : labelled(labels, of),
  };
}

/** The keys that a change can be about, as JSON strings: a label that is called otherwise moves all that it sets. */
export function keysOf(altered: readonly AlteredLevel[], sees: (key: string) => boolean): string[] {
  const keys = new Set<string>();
  for (const level of altered) {
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

const at = (setters: readonly Setter[], kind: LevelKind, id: number | undefined): Setter | undefined =>
  setters.find((setter) => setter.kind === kind && setter.id === id);

/** The devices of a region that are in no altered cell and carry no altered label. */
function regionPlace(
  region: AlteredLevel,
  cells: readonly AlteredLevel[],
  labels: readonly AlteredLevel[],
  of: Alterations,
): Place {
  const apart = cells.filter((cell) => cell.region === region.id);
  const noCell =
    apart.length === 0
      ? sql`true`
      : sql`(d.cell_id IS NULL OR d.cell_id <> ALL(${list(ids(apart))}::bigint[]))`;
  const hiding = ({ levels }: KeySetters) =>
    ids(ofKind(levels, 'cell').filter((cell) => cell.region === region.id && !ids(apart).includes(cell.id)));
  return {
    devices: devices(of, and([sql`d.region_id = ${region.id}`, noCell, carriesNone(labels)])),
    keys: of.setters
      .filter(({ text }) => region.keys.includes(text))
      .map((setters) => ({ ...reaching(setters), cells: hiding(setters) })),
  };
}

/** The devices of a cell that carry no altered label: their region may be altered, too. */
function cellPlace(cell: AlteredLevel, labels: readonly AlteredLevel[], of: Alterations): Place {
  const changes = ({ levels }: KeySetters) => {
    const [own, region] = [at(levels, 'cell', cell.id), at(levels, 'region', cell.region)];
    return (own?.before ?? region?.before) !== (own?.after ?? region?.after);
  };
  return {
    devices: devices(of, and([sql`d.cell_id = ${cell.id}`, carriesNone(labels)])),
    keys: of.setters.filter(changes).map(reaching),
  };
}

/**
 * The devices that carry a label, where it is the only thing that is altered.
 * @returns undefined if a key may change for some and not for others by what they inherit from broader levels
 */
function labelPlace(label: AlteredLevel, of: Alterations): Place | undefined {
  const keys: ReachingKey[] = [];
  for (const setters of keysOfLabel(label, of)) {
    const self = at(setters.levels, 'label', label.id);
    const others = setters.levels.filter((setter) => setter !== self && setter.kind === 'label');
    if (!self || others.some((other) => changesOrder(label, other))) return undefined;
    const narrower = others.filter((other) => byCodePoint(other.nameAfter, label.nameAfter) > 0);
    if (self.before === undefined || self.after === undefined) {
      const value = self.before ?? self.after;
      const broader = setters.levels.filter((setter) => setter !== self && !narrower.includes(setter));
      if (broader.some((setter) => setter.after === value)) return undefined;
    }
    keys.push({ ...reaching(setters), labels: ids(narrower) });
  }
  return { devices: carriers([label], of), keys };
}

function labelled(labels: readonly AlteredLevel[], of: Alterations): Labelled {
  const about = new Set(of.altered.flatMap(({ keys }) => keys));
  for (const label of labels) for (const { text } of keysOfLabel(label, of)) about.add(text);
  return { devices: carriers(labels, of), keys: of.setters.filter(({ text }) => about.has(text)) };
}

/** The keys that a label sets otherwise, or before or behind another label than it did. */
function keysOfLabel(label: AlteredLevel, { setters }: Alterations): KeySetters[] {
  return setters.filter(({ text, levels }) => {
    if (label.keys.includes(text)) return true;
    if (!at(levels, 'label', label.id)) return false;
    return ofKind(levels, 'label').some((other) => changesOrder(label, other));
  });
}

/** Whether one of two labels came before the other, and does not any more. */
const changesOrder = (one: AlteredLevel, other: Setter): boolean =>
  byCodePoint(one.nameBefore, other.nameBefore) > 0 !== byCodePoint(one.nameAfter, other.nameAfter) > 0;

/** What hides a region's or a cell's value: what a device has itself, and every label. */
const reaching = ({ key, own, levels }: KeySetters): ReachingKey => ({
  key,
  own,
  labels: ids(ofKind(levels, 'label')),
  cells: [],
});

const untouched = ({ touched }: Alterations, id: Sql): Sql =>
  touched.length === 0 ? sql`true` : sql`${id} <> ALL(${list(touched)}::bigint[])`;

const devices = (of: Alterations, condition: Sql): Sql =>
  sql`SELECT d.id FROM devices d WHERE d.project_id = ${of.projectId} AND ${condition} AND ${untouched(of, sql`d.id`)}`;

const carriers = (labels: readonly AlteredLevel[], of: Alterations): Sql =>
  sql`SELECT ${raw(labels.length > 1 ? 'DISTINCT' : '')} a.device_id AS id FROM device_labels a WHERE a.project_id = ${of.projectId}
    AND a.label_id = ANY(${list(ids(labels))}::bigint[]) AND ${untouched(of, sql`a.device_id`)}`;

const carriesNone = (labels: readonly AlteredLevel[]): Sql =>
  labels.length === 0
    ? sql`true`
    : sql`NOT EXISTS (SELECT FROM device_labels a WHERE a.project_id = d.project_id AND a.device_id = d.id
        AND a.label_id = ANY(${list(ids(labels))}::bigint[]))`;
