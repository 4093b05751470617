import { createHash } from 'node:crypto';
import type { VariableChange } from '../changes/change-diff';
import { compareCodePoints } from '../core/text';

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

/** Counts devices by variable and change of the value. It counts a limited number of groups: those that it meets first. */
export class GroupCounts {
  private readonly groups = new Map<string, GroupCount>();
  private length = 0;

  add(change: VariableChange, { region, devices = 1, overriding = 0 }: CountedDevices): void {
    if (devices === 0 && overriding === 0) return;
    const group = this.groupOf(change);
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
    const changed = [...this.groups.values()]
      .filter(({ devices }) => devices > 0)
      .sort((a, b) => b.devices - a.devices || compareCodePoints(a.key, b.key));
    return [
      `"groups":[${changed.slice(0, MAX_SHOWN).map(groupText).join(',')}]`,
      `"groups_total":${String(changed.length)}`,
    ];
  }

  private groupOf(change: VariableChange): GroupCount | undefined {
    const { key, before, after } = change;
    const id = textOf(change);
    const known = this.groups.get(id);
    if (known) return known;
    const length = this.length + id.length;
    if (this.groups.size >= MAX_COUNTED || length > MAX_COUNTED_LENGTH) return undefined;
    this.length = length;
    const group = { key, before, after, devices: 0, overriding: 0, regions: new Map<number, number>() };
    this.groups.set(id, group);
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
