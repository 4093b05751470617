import type { EffectGroup } from '../changes/impact-assessor';
import type { Effects, ResourceEffect } from './impact-digest';

/** A device on which a proposal has another effect than it had. */
export interface ChangedDevice {
  readonly id: number;
  /** Its changes of values; empty if the proposal did not, or does not, affect it. */
  readonly approved: readonly EffectGroup[];
  readonly now: readonly EffectGroup[];
}

/** How the effects of a proposal differ from those that were approved. */
export interface EffectDifference {
  /** The numbers of devices that it affects now and did not, the other way round, and in another way. */
  readonly came: number;
  readonly went: number;
  readonly other: number;
  /** Some of these devices, in the order of their ids, without those that it creates. */
  readonly devices: readonly ChangedDevice[];
  readonly resources: readonly {
    readonly approved: ResourceEffect | undefined;
    readonly now: ResourceEffect | undefined;
  }[];
}

/** How many devices, and how many members and variables, a difference shows. */
const MAX_SHOWN = 100;

const changeKey = ({ before, after }: Pick<EffectGroup, 'before' | 'after'>): string =>
  JSON.stringify([before ?? null, after ?? null]);

/** Compares the approved effects of a proposal with the present ones. */
export function effectDifference(approved: Effects, now: Effects): EffectDifference {
  // Values can be long: each change of a value is compared once, and devices by the numbers of their changes.
  const numbers = new Map<string, number>();
  const numberOf = (group: EffectGroup): number => {
    const key = `${group.key} ${changeKey(group)}`;
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  };
  const [former, present] = [groupsByDevice(approved.groups), groupsByDevice(now.groups)];
  const numbered = new Map([...approved.groups, ...now.groups].map((group) => [group, numberOf(group)]));
  const idOf = (groups: readonly EffectGroup[]) =>
    groups
      .map((group) => numbered.get(group) ?? 0)
      .sort((a, b) => a - b)
      .join();
  const changed = [...new Set([...former.keys(), ...present.keys()])]
    .map((id): ChangedDevice => ({ id, approved: former.get(id) ?? [], now: present.get(id) ?? [] }))
    .filter((device) => idOf(device.approved) !== idOf(device.now))
    .sort((a, b) => a.id - b.id);
  const count = (which: (device: ChangedDevice) => boolean) => changed.filter(which).length;
  return {
    came: count((device) => device.approved.length === 0),
    went: count((device) => device.now.length === 0),
    other: count((device) => device.approved.length > 0 && device.now.length > 0),
    devices: changed.filter(({ id }) => id > 0).slice(0, MAX_SHOWN),
    resources: changedResources(approved.resources, now.resources).slice(0, MAX_SHOWN),
  };
}

function groupsByDevice(groups: readonly EffectGroup[]): ReadonlyMap<number, readonly EffectGroup[]> {
  const found = new Map<number, EffectGroup[]>();
  for (const group of groups)
    for (const device of group.devices) {
      const known = found.get(device);
      if (known) known.push(group);
      else found.set(device, [group]);
    }
  return found;
}

function changedResources(
  approved: readonly ResourceEffect[],
  now: readonly ResourceEffect[],
): EffectDifference['resources'] {
  const keyOf = ({ kind, id, field }: ResourceEffect) => `${kind} ${String(id)} ${field}`;
  const byKey = (effects: readonly ResourceEffect[]) =>
    new Map(effects.map((effect) => [keyOf(effect), effect]));
  const [former, present] = [byKey(approved), byKey(now)];
  return [...new Set([...former.keys(), ...present.keys()])]
    .map((key) => ({ approved: former.get(key), now: present.get(key) }))
    .filter(({ approved: a, now: b }) => !a || !b || changeKey(a) !== changeKey(b));
}

/** How many devices the stored effects of an approval can have, and how many characters its values. */
const MAX_STORED_DEVICES = 50_000;
const MAX_STORED_LENGTH = 1024 * 1024;

/** The effects of an approval, as they are stored; undefined if they are too large. */
export function storedEffects({ groups, resources }: Effects): string | undefined {
  const devices = groups.reduce((sum, group) => sum + group.devices.length, 0);
  if (devices > MAX_STORED_DEVICES) return undefined;
  const lengthOf = ({ before = '', after = '' }: Pick<EffectGroup, 'before' | 'after'>) =>
    before.length + after.length;
  const length = [...groups, ...resources].reduce((sum, change) => sum + lengthOf(change), 0);
  if (length > MAX_STORED_LENGTH) return undefined;
  const stored = groups.map(({ devices: ids, ...change }) => ({ ...change, devices: Array.from(ids) }));
  return JSON.stringify({ groups: stored, resources });
}
