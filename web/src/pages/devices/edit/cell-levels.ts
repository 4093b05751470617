import type { Locations } from '../../../api/locations';
import { UNKNOWN_TAG } from '../../../components/conflict';
import { levelOf, type Level } from '../../../components/levels';
import type { ListRow } from '../../../components/member-columns';
import type { OwnVariable, VariableOwner } from '../../../components/variable-write';

/** A level on which a variable of a device can be set. */
export interface LevelOption {
  readonly level: Level;
  readonly kind: string;
  readonly collection: string;
  /** Undefined for a label that does not set the variable yet: it is read when it is chosen. */
  readonly id: number | undefined;
  readonly name: string;
  /** What the level sets now. */
  readonly own: OwnVariable;
}

const RANKS: Readonly<Record<Level, number>> = { region: 0, cell: 1, label: 2, device: 3 };

const COLLECTIONS: Readonly<Record<Exclude<Level, 'device'>, string>> = {
  region: 'regions',
  cell: 'cells',
  label: 'labels',
};

/**
 * The levels on which a variable of a device can be set: the device, its labels by name, of which the last one takes precedence,
 * its cell and its region.
 */
export function levelsOf(
  device: VariableOwner,
  { region_id, cell_id, labels = '', explain }: ListRow,
  key: string,
  locations: Pick<Locations, 'regionName' | 'cellTitle'>,
): readonly LevelOption[] {
  const setting = explain?.[key]?.levels ?? [];
  const option = (level: Exclude<Level, 'device'>, id: number | undefined, name: string): LevelOption => {
    const set = setting.find(
      (one) => levelOf(one.kind) === level && (id === undefined ? one.name === name : one.id === id),
    );
    const own = ownOf(set);
    return { level, kind: level, collection: COLLECTIONS[level], id: id ?? set?.id, name, own };
  };
  const own = ownOf(setting.find(({ kind }) => levelOf(kind) === 'device'));
  return [
    {
      level: 'device',
      kind: device.kind,
      collection: device.collection,
      id: device.id,
      name: device.name,
      own,
    },
    ...labels
      .split(',')
      .filter((label) => label !== '')
      .map((label) => option('label', undefined, label)),
    ...(typeof cell_id === 'number' ? [option('cell', cell_id, locations.cellTitle(cell_id))] : []),
    ...(typeof region_id === 'number' ? [option('region', region_id, locations.regionName(region_id))] : []),
  ];
}

/** What a level sets, with the entity tag of the variable: `c` and the id of the change that set it. */
function ownOf(set: { readonly value: unknown; readonly change_id: number | null } | undefined): OwnVariable {
  if (!set) return { current: undefined };
  return {
    current: { value: set.value, etag: set.change_id === null ? UNKNOWN_TAG : `"c${set.change_id}"` },
  };
}

/** The level that takes precedence over an option, if there is one: a narrower one, or of labels a later one by name. */
export function winnerOver(
  { level, name }: LevelOption,
  { explain }: ListRow,
  key: string,
): { readonly kind: string; readonly name: string } | undefined {
  const source = explain?.[key]?.source;
  if (!source) return undefined;
  const rank = RANKS[levelOf(source.kind)] - RANKS[level];
  const isLater = rank > 0 || (rank === 0 && level === 'label' && isAfter(source.name, name));
  return isLater ? source : undefined;
}

/** Whether a name comes after another one by code points, as the service compares them: JavaScript compares UTF-16 units. */
function isAfter(name: string, other: string): boolean {
  const [a, b] = [Array.from(name), Array.from(other)];
  const i = a.findIndex((character, n) => character !== b[n]);
  return i >= 0 && (a[i]?.codePointAt(0) ?? 0) > (b[i]?.codePointAt(0) ?? -1);
}
