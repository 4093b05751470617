import { createHash } from 'node:crypto';
import type { VariableChange } from '../changes/change-diff';
import { compareCodePoints } from '../core/code-points';

/** Devices on which the value of a variable changes in the same way. */
interface GroupCount extends VariableChange {
  devices: number;
  /** How many devices do not get the value, because a narrower level overrides it. */
  overriding: number;
  /** How many of the devices are in which region. */
  readonly regions: Map<number, number>;
}

/** A device whose variables change. */
interface CountedDevice {
  readonly changes: readonly VariableChange[];
  readonly region?: number | null | undefined;
}

/** What is added to a group. */
export interface CountedDevices {
  /** Their region after the change; null or undefined: they have none. */
  readonly region: number | null | undefined;
  /** By default one. */
  readonly devices?: number;
  /** By default none. */
  readonly overriding?: number;
}

/** How many groups a response has, and how many regions each of them. */
const MAX_SHOWN = 100;
const MAX_SHOWN_REGIONS = 20;
/** How many groups are counted, and how many characters their values have together. */
const MAX_COUNTED = 10_000;
const MAX_COUNTED_LENGTH = 16 * 1024 * 1024;

/** A map that adds no entries beyond `MAX_COUNTED` and `MAX_COUNTED_LENGTH`. */
class LimitedMap<V> {
  private readonly entries = new Map<string, V>();
  private length = 0;

  get(id: string): V | undefined {
    return this.entries.get(id);
  }

  get values(): V[] {
    return [...this.entries.values()];
  }

  /** @returns false if the id is new, and the map is full */
  set(id: string, value: V): boolean {
    if (!this.entries.has(id)) {
      const length = this.length + id.length;
      if (this.entries.size >= MAX_COUNTED || length > MAX_COUNTED_LENGTH) return false;
      this.length = length;
    }
    this.entries.set(id, value);
    return true;
  }

  delete(id: string): void {
    if (this.entries.delete(id)) this.length -= id.length;
  }
}

/** Counts devices by variable and change of the value. It counts a limited number of groups: those that it meets first. */
export class GroupCounts {
  private readonly groups = new LimitedMap<GroupCount>();
  /**
   * The number of devices that override a change, for changes that no device is known to get. They are not groups, so they have their
   * own limit. A change without room here loses these devices if a device gets it later.
   */
  private readonly overridingOnly = new LimitedMap<number>();

  add(change: VariableChange, { region, devices = 1, overriding = 0 }: CountedDevices): void {
    if (devices === 0 && overriding === 0) return;
    const id = textOf(change);
    if (devices === 0 && !this.groups.get(id)) {
      this.overridingOnly.set(id, (this.overridingOnly.get(id) ?? 0) + overriding);
      return;
    }
    const group = this.groupOf(id, change);
    if (!group) return;
    group.devices += devices;
    group.overriding += overriding;
    if (region !== undefined && region !== null && devices > 0)
      group.regions.set(region, (group.regions.get(region) ?? 0) + devices);
  }

  addDevices(devices: readonly CountedDevice[]): void {
    for (const { changes, region } of devices) for (const change of changes) this.add(change, { region });
  }

  /** The groups with the most devices, as the members `groups` and `groups_total` of an object, as JSON text. */
  get members(): string[] {
    const sorted = this.groups.values.sort(
      (a, b) => b.devices - a.devices || compareCodePoints(a.key, b.key),
    );
    return [
      `"groups":[${sorted.slice(0, MAX_SHOWN).map(groupText).join(',')}]`,
      `"groups_total":${String(sorted.length)}`,
    ];
  }

  private groupOf(id: string, { key, before, after }: VariableChange): GroupCount | undefined {
    const known = this.groups.get(id);
    if (known) return known;
    const overriding = this.overridingOnly.get(id) ?? 0;
    const group = { key, before, after, devices: 0, overriding, regions: new Map<number, number>() };
    if (!this.groups.set(id, group)) return undefined;
    this.overridingOnly.delete(id);
    return group;
  }
}

/** Identifies a change of a value. JSON texts contain no line breaks. */
const textOf = ({ key, before, after }: VariableChange): string => `${key}\n${before ?? ''}\n${after ?? ''}`;

/** The id of the group of a change, by which the devices of the group can be listed: values can be long. */
export const groupIdOf = (change: VariableChange): string =>
  createHash('sha256').update(textOf(change)).digest('base64url').slice(0, 16);

function groupText(group: GroupCount): string {
  const { key, before, after, devices, overriding, regions } = group;
  const largest = [...regions]
    .map(([id, inRegion]) => ({ id, devices: inRegion }))
    .sort((a, b) => b.devices - a.devices || a.id - b.id)
    .slice(0, MAX_SHOWN_REGIONS);
  const members = [
    `"id":"${groupIdOf(group)}"`,
    `"key":${key}`,
    ...(before === undefined ? [] : [`"before":${before}`]),
    ...(after === undefined ? [] : [`"after":${after}`]),
    `"devices":${String(devices)}`,
    `"overriding":${String(overriding)}`,
    `"regions":${JSON.stringify(largest)}`,
    `"regions_total":${String(regions.size)}`,
  ];
  return `{${members.join(',')}}`;
}
