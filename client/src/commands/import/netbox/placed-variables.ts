import { globToRegExp } from '../../../text';
import { cellId } from '../../../placement/fleet';
import { placeKeyWithLabels } from '../../../placement/place-with-labels';
import {
  preferredLevels,
  type ConfigContext,
  mapContextKeys,
  variableKeyError,
  type RefusedKey,
} from './config-contexts';
import type { Mapping } from './mapping';
import type { PlannedDevice } from './plan';

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
export interface PlacedVariables {
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
  readonly refused: readonly (RefusedKey & { readonly devices: number })[];
}

/** Finds the smallest set of settings from which every device resolves its rendered config context. */
export function placeVariables(
  devices: readonly PlannedDevice[],
  contexts: readonly ConfigContext[],
  mapping: Mapping,
): PlacedVariables {
  const skipped = mapping.contexts.skipKeys.map(globToRegExp);
  const contextKeys = keysOf(devices, ({ source }) => source.context);
  for (const key of contextKeys) if (skipped.some((pattern) => pattern.test(key))) contextKeys.delete(key);
  const mapped = mapContextKeys(contextKeys, mapping.contexts);
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
    const placed = placeKeyWithLabels({
      devices: devices.map(({ name, region, cell, labels, source }) => ({
        id: name,
        region,
        cell: cell === undefined ? undefined : cellId(region, cell),
        labels: mapping.contexts.labels ? labels : [],
        value: source.context.get(key),
      })),
      isPreferred: ({ level, value }) => (levelOf(value) ?? level) === level,
    });
    levels.regions.addAll(target, placed.regions);
    levels.cells.addAll(target, placed.cells);
    levels.labels.addAll(target, placed.labels);
    levels.devices.addAll(target, placed.devices);
    contextSettings.set(target, {
      regions: placed.regions.size,
      cells: placed.cells.size,
      labels: placed.labels.size,
      devices: placed.devices.size,
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
