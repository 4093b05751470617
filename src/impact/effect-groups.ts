import type { VariableChange } from '../changes/change-diff';
import type { DeviceIds, EffectGroup } from '../changes/impact-assessor';
import { compareCodePoints } from '../core/code-points';

interface CollectedGroup extends Omit<EffectGroup, 'devices'> {
  /** Devices that were added one by one. */
  readonly single: number[];
  /** Devices that were added together, each array in order. */
  readonly sets: DeviceIds[];
}

/** Collects the devices of groups. A device is added to one group of each key. */
export class EffectGroups {
  private readonly groups = new Map<string, CollectedGroup>();
  /** Values can be long, and many groups have the same. */
  private readonly numbers = new Map<string | undefined, number>();

  add({ key, before, after }: VariableChange, device: number): void {
    this.groupOf(key, before, after).single.push(device);
  }

  /** @param devices in order */
  addAll({ key, before, after }: VariableChange, devices: DeviceIds): void {
    if (devices.length > 0) this.groupOf(key, before, after).sets.push(devices);
  }

  /** The groups, those with the most devices first. */
  get sorted(): EffectGroup[] {
    return [...this.groups.values()]
      .map(({ single, sets: [first = [], ...others], ...change }) => ({
        ...change,
        devices: single.length + others.length === 0 ? first : sortedIds([single, first, ...others]),
      }))
      .sort((a, b) => b.devices.length - a.devices.length || compareCodePoints(a.key, b.key));
  }

  private groupOf(key: string, before: string | undefined, after: string | undefined): CollectedGroup {
    const id = `${String(this.numberOf(before))} ${String(this.numberOf(after))} ${key}`;
    let group = this.groups.get(id);
    if (!group) this.groups.set(id, (group = { key, before, after, single: [], sets: [] }));
    return group;
  }

  private numberOf(value: string | undefined): number {
    const known = this.numbers.get(value) ?? this.numbers.size;
    this.numbers.set(value, known);
    return known;
  }
}

function sortedIds(sets: readonly DeviceIds[]): Float64Array {
  const ids = new Float64Array(sets.reduce((length, set) => length + set.length, 0));
  let start = 0;
  for (const set of sets) {
    ids.set(set, start);
    start += set.length;
  }
  return ids.sort();
}
