import { globToRegExp } from '../../../text';
import { cellId } from '../../../hoist/fleet';
import type { CountedKey } from '../skipped-objects';
import { mapKeys, variableKeyError, type RefusedKey } from '../variable-keys';
import { preferredLevels, type ConfigContext } from './config-contexts';
import type { Mapping } from './mapping';
import type { PlannedDevice } from './plan';
import {
  countSettings,
  findFewestSettings,
  type DeviceValue,
  type SettingsProblem,
  type SettingsByLevel,
} from '../../../hoist/fewest-settings';

/** Variables of resources as canonical JSON: by the name of the resource, and then by key. */
type VariablesByName = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** How often a key is set on each level. */
export interface SettingCounts {
  readonly regions: number;
  readonly cells: number;
  readonly labels: number;
  readonly devices: number;
}

/** Where variables are set, so that every device resolves what NetBox renders. */
export interface AssignedVariables {
  readonly regions: VariablesByName;
  /** By `cellId`. */
  readonly cells: VariablesByName;
  readonly labels: VariablesByName;
  readonly devices: VariablesByName;
  /** What each device has to resolve: by its name, and then by key. */
  readonly expected: VariablesByName;
  /** All keys of the import. */
  readonly keys: ReadonlySet<string>;
  /** The settings of each key of config contexts. */
  readonly contextSettings: ReadonlyMap<string, SettingCounts>;
  /** How many values of devices the keys of config contexts have. */
  readonly contextValues: number;
  /** How many custom fields and members are set on devices. */
  readonly ownSettings: number;
  /** The keys that are not imported, with the number of devices that have them. */
  readonly refused: readonly CountedKey[];
}

/** Finds the smallest set of settings from which every device resolves its rendered config context. */
export function assignVariables(
  devices: readonly PlannedDevice[],
  contexts: readonly ConfigContext[],
  mapping: Mapping,
): AssignedVariables {
  const skipped = mapping.contexts.skipKeys.map(globToRegExp);
  const contextKeys = keysOf(devices, ({ source }) => source.context);
  for (const key of contextKeys) if (skipped.some((pattern) => pattern.test(key))) contextKeys.delete(key);
  const mapped = mapKeys(contextKeys, mapping.contexts);
  const own = mapOwnKeys(devices, new Set(mapped.keys.values()));
  const levels = {
    regions: new Levels(),
    cells: new Levels(),
    labels: new Levels(),
    devices: new Levels(),
  };
  const expected = new Levels();
  const contextSettings = new Map<string, SettingCounts>();
  for (const [key, target] of mapped.keys) {
    const levelOf = preferredLevels(contexts, key);
    const chosen = findFewestSettingsWithLabels({
      devices: devices.map(({ name, region, cell, labels, source }) => ({
        id: name,
        region,
        cell: cell === undefined ? undefined : cellId(region, cell),
        labels: mapping.contexts.labels ? labels : [],
        value: source.context.get(key),
      })),
      isPreferred: ({ level, value }) => (levelOf(value) ?? level) === level,
    });
    levels.regions.addAll(target, chosen.regions);
    levels.cells.addAll(target, chosen.cells);
    levels.labels.addAll(target, chosen.labels);
    levels.devices.addAll(target, chosen.devices);
    contextSettings.set(target, {
      regions: chosen.regions.size,
      cells: chosen.cells.size,
      labels: chosen.labels.size,
      devices: chosen.devices.size,
    });
    for (const { name, source } of devices) {
      const value = source.context.get(key);
      if (value !== undefined) expected.add(name, target, value);
    }
  }
  const contextValues = expected.size;
  for (const { name, source } of devices)
    for (const [key, value] of source.own)
      if (own.keys.has(key)) {
        levels.devices.add(name, key, value);
        expected.add(name, key, value);
      }
  const devicesWith = (key: string): number =>
    devices.filter(({ source }) => source.context.has(key) || source.own.has(key)).length;
  return {
    regions: levels.regions.variables,
    cells: levels.cells.variables,
    labels: levels.labels.variables,
    devices: levels.devices.variables,
    expected: expected.variables,
    keys: new Set([...mapped.keys.values(), ...own.keys]),
    contextSettings,
    contextValues,
    ownSettings: expected.size - contextValues,
    refused: [...mapped.refused, ...own.refused].map((one) => ({ ...one, devices: devicesWith(one.key) })),
  };
}

/** Checks the keys of custom fields and members. Config contexts take precedence over them. */
function mapOwnKeys(
  devices: readonly PlannedDevice[],
  contextKeys: ReadonlySet<string>,
): { readonly keys: ReadonlySet<string>; readonly refused: readonly RefusedKey[] } {
  const keys = new Set<string>();
  const refused: RefusedKey[] = [];
  for (const key of keysOf(devices, ({ source }) => source.own)) {
    const reason = contextKeys.has(key)
      ? 'a custom field or member has the key of a config context'
      : variableKeyError(key);
    if (reason === undefined) keys.add(key);
    else refused.push({ key, reason });
  }
  return { keys, refused };
}

/** The keys that any of the devices has. */
function keysOf(
  devices: readonly PlannedDevice[],
  variablesOf: (device: PlannedDevice) => ReadonlyMap<string, string>,
): Set<string> {
  const keys = new Set<string>();
  for (const device of devices) for (const key of variablesOf(device).keys()) keys.add(key);
  return keys;
}

/** The variables of the resources of one level. */
class Levels {
  readonly variables = new Map<string, Map<string, string>>();
  /** The number of variables. */
  size = 0;

  add(name: string, key: string, value: string): void {
    const variables = this.variables.get(name) ?? new Map<string, string>();
    this.variables.set(name, variables.set(key, value));
    this.size++;
  }

  addAll(key: string, values: ReadonlyMap<string, string>): void {
    for (const [name, value] of values) this.add(name, key, value);
  }
}

/** A device with its labels. */
export interface LabelledDeviceValue extends DeviceValue {
  readonly labels: readonly string[];
}

/** Where one variable is set, including labels: values by the names of labels. */
interface SettingsByLevelAndLabel extends SettingsByLevel {
  readonly labels: Map<string, string>;
}

/**
 * Like `findFewestSettings`, but also sets values on labels if that takes fewer settings.
 *
 * A value is set on labels if all devices with these labels have it, all devices that have it have one of these labels,
 * and there are fewer of these labels than settings of this value without labels. So all labels of a device
 * set the same value, whatever their order. If this does not reduce the number of settings, no label is used.
 */
export function findFewestSettingsWithLabels(
  problem: SettingsProblem<LabelledDeviceValue>,
): SettingsByLevelAndLabel {
  const withoutLabels = { ...findFewestSettings(problem), labels: new Map<string, string>() };
  const labels = chooseLabels(problem.devices, countByValue(withoutLabels));
  if (labels.size === 0) return withoutLabels;
  const devices = problem.devices.map((device) => {
    const label = device.labels.find((name) => labels.has(name));
    return label === undefined ? device : { ...device, fromLabels: labels.get(label) };
  });
  const withLabels = { ...findFewestSettings({ ...problem, devices }), labels };
  const isBetter = countSettings(withLabels) + labels.size < countSettings(withoutLabels);
  return isBetter ? withLabels : withoutLabels;
}

/** The number of settings of each value. */
function countByValue({ regions, cells, devices }: SettingsByLevel): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const settings of [regions, cells, devices])
    for (const value of settings.values()) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** The labels to set values on, with the values. @param counts the number of settings of each value without labels */
function chooseLabels(
  devices: readonly LabelledDeviceValue[],
  counts: ReadonlyMap<string, number>,
): Map<string, string> {
  const uncovered = new Map<string, Set<string>>();
  for (const { id, value } of devices)
    if (value !== undefined && (counts.get(value) ?? 0) > 1) addTo(uncovered, value, id);
  const chosen = new Map<string, string[]>();
  for (const { label, value, members } of uniformLabels(devices)) {
    const rest = uncovered.get(value);
    if (!rest || !members.some((id) => rest.has(id))) continue;
    for (const id of members) rest.delete(id);
    chosen.set(value, [...(chosen.get(value) ?? []), label]);
  }
  const labels = new Map<string, string>();
  for (const [value, names] of chosen)
    if (uncovered.get(value)?.size === 0 && names.length < (counts.get(value) ?? 0))
      for (const name of names) labels.set(name, value);
  return labels;
}

interface UniformLabel {
  readonly label: string;
  /** The value of all its devices. */
  readonly value: string;
  readonly members: readonly string[];
}

/** The labels whose devices all have the same value, and no value from other labels; those of most devices first. */
function uniformLabels(devices: readonly LabelledDeviceValue[]): UniformLabel[] {
  const labels = new Map<string, { readonly value: string; readonly members: string[] }>();
  const mixed = new Set<string>();
  for (const { id, value, fromLabels, labels: names } of devices)
    for (const name of names) {
      const known = labels.get(name);
      if (value === undefined || fromLabels !== undefined || (known && known.value !== value))
        mixed.add(name);
      else if (known) known.members.push(id);
      else labels.set(name, { value, members: [id] });
    }
  return [...labels]
    .filter(([label]) => !mixed.has(label))
    .map(([label, uniform]) => ({ label, ...uniform }))
    .sort((a, b) => b.members.length - a.members.length || (a.label < b.label ? -1 : 1));
}

function addTo(sets: Map<string, Set<string>>, key: string, item: string): void {
  const set = sets.get(key);
  if (set) set.add(item);
  else sets.set(key, new Set([item]));
}
