import { exactJson } from '../api/exact-json';
import { parseCellId, type Fleet, type FleetDevice, type KeySettings } from './fleet';
import {
  countSettings,
  findFewestSettings,
  type DeviceValue,
  type LevelSetting,
  type SettingsByLevel,
} from './fewest-settings';

/** What to hoist. */
export interface HoistOptions {
  /** Undefined for all. */
  readonly keys: readonly string[] | undefined;
  /** How many settings a new setting on a cell or region has to save. */
  readonly minSaving: number;
  /** Whether values move to cells only. */
  readonly keepsRegions: boolean;
}

/** The number of settings of one variable on regions, cells and devices. */
interface SettingCounts {
  readonly regions: number;
  readonly cells: number;
  readonly devices: number;
}

/** A value that is set on a region or cell, instead of on devices or cells. */
export interface HoistedValue {
  readonly kind: 'region' | 'cell';
  /** The region of a cell. */
  readonly region?: string;
  readonly name: string;
  /** As JSON. */
  readonly value: string;
}

/** How the settings of one variable change. */
export interface HoistedKey {
  readonly key: string;
  readonly before: SettingCounts;
  readonly after: SettingCounts;
  readonly set: readonly HoistedValue[];
}

/** A line of an import that sets and unsets variables of an existing resource. */
export interface HoistLine {
  /** For messages: `host web-1`. */
  readonly resource: string;
  readonly body: object;
}

/** The result of hoisting. */
export interface HoistPlan {
  /** The variables that have fewer settings afterwards. */
  readonly keys: readonly HoistedKey[];
  /** The import that changes the settings. */
  readonly lines: readonly HoistLine[];
}

/**
 * A value is set on a cell or region only if at least this share of its devices has it. Otherwise a value that a few
 * devices happen to share would become the default of all others.
 */
const MIN_SHARE = 0.5;

/**
 * Moves values that cells and regions share to them, so that every device resolves the same with fewer settings.
 *
 * Settings of regions and labels do not change, nor does the value that a cell resolves if it sets it itself. A device
 * that inherits a value goes on to inherit it from there.
 */
export function planHoist(fleet: Fleet, { keys, minSaving, keepsRegions }: HoistOptions): HoistPlan {
  const lines = new HoistLines(fleet);
  const hoisted = (keys ?? fleet.allKeys()).flatMap((key): HoistedKey[] => {
    const settings = fleet.settingsOf(key);
    const after = findFewestSettings({
      devices: fleet.devices.map((device) => resolve(device, settings)),
      existing: existingSettings(settings),
      minSaving,
      minShare: MIN_SHARE,
      keepsRegions,
    });
    if (countSettings(after) >= countSettings(settings)) return [];
    lines.add(key, settings, after);
    return [
      { key, before: countLevels(settings), after: countLevels(after), set: newValues(settings, after) },
    ];
  });
  return { keys: hoisted, lines: lines.all() };
}

/**
 * What a device resolves now, and from where. Only this function knows the precedence of levels: it is the order of `levels` in
 * the API's explanations, and that of `FleetDevice.labels`.
 */
function resolve(device: FleetDevice, { regions, cells, labels, devices }: KeySettings): DeviceValue {
  const { name, region, cell } = device;
  const label = labels.size === 0 ? undefined : device.labels.findLast((one) => labels.has(one));
  const fromLabels = label === undefined ? undefined : labels.get(label);
  const own = devices.get(name);
  const inherited = (cell === undefined ? undefined : cells.get(cell)) ?? regions.get(region);
  const value = own ?? fromLabels ?? inherited;
  const inherits = own === undefined && fromLabels === undefined && inherited !== undefined;
  return { id: name, region, cell, value, fromLabels, inherits };
}

const existingSettings = ({ regions, cells }: KeySettings): LevelSetting[] => [
  ...[...regions].map(([id, value]) => ({ level: 'region' as const, id, value })),
  ...[...cells].map(([id, value]) => ({ level: 'cell' as const, id, region: parseCellId(id)[0], value })),
];

const countLevels = ({
  regions,
  cells,
  devices,
}: Readonly<Record<keyof SettingCounts, ReadonlyMap<string, string>>>): SettingCounts => ({
  regions: regions.size,
  cells: cells.size,
  devices: devices.size,
});

const newValues = (before: KeySettings, after: SettingsByLevel): HoistedValue[] => [
  ...[...after.regions]
    .filter(([region]) => !before.regions.has(region))
    .map(([name, value]) => ({ kind: 'region' as const, name, value })),
  ...[...after.cells]
    .filter(([cell]) => !before.cells.has(cell))
    .map(([id, value]) => {
      const [region, name] = parseCellId(id);
      return { kind: 'cell' as const, region, name, value };
    }),
];

/** Collects the changes of all variables by resource. */
class HoistLines {
  private readonly regions: LevelChanges;
  private readonly cells: LevelChanges;
  private readonly devices: LevelChanges;

  constructor({ devices, versions }: Fleet) {
    const kinds = new Map(devices.map(({ name, kind }) => [name, kind]));
    this.regions = new LevelChanges((name) => ({
      kind: 'region',
      name,
      ...preconditionOf(versions.region.get(name)),
    }));
    this.cells = new LevelChanges((id) => {
      const [region, name] = parseCellId(id);
      return { kind: 'cell', region, name, ...preconditionOf(versions.cell.get(id)) };
    });
    this.devices = new LevelChanges((name) => ({ kind: kinds.get(name) ?? '', name }));
  }

  add(key: string, before: KeySettings, after: SettingsByLevel): void {
    this.regions.add(key, before.regions, after.regions);
    this.cells.add(key, before.cells, after.cells);
    this.devices.add(key, before.devices, after.devices);
  }

  all(): HoistLine[] {
    return [...this.regions.lines(), ...this.cells.lines(), ...this.devices.lines()];
  }
}

/** The members of a line that identify a resource, and its version. */
interface Identity {
  readonly kind: string;
  readonly region?: string;
  readonly name: string;
  readonly if_version?: number;
}

/** Others may have set the variable on a region or cell meanwhile, even without an effect on devices. */
const preconditionOf = (version: number | undefined): Pick<Identity, 'if_version'> =>
  version === undefined ? {} : { if_version: version };

/** What changes on the resources of one level. */
class LevelChanges {
  /** By the identifier of the resource. */
  private readonly changes = new Map<
    string,
    { readonly set: Map<string, unknown>; readonly unset: string[] }
  >();

  constructor(private readonly identify: (id: string) => Identity) {}

  add(key: string, before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): void {
    for (const [id, value] of after)
      if (before.get(id) !== value) this.changeOf(id).set.set(key, exactJson.parse(value));
    for (const id of before.keys()) if (!after.has(id)) this.changeOf(id).unset.push(key);
  }

  lines(): HoistLine[] {
    return [...this.changes].map(([id, { set, unset }]) => {
      const identity = this.identify(id);
      const { kind, region, name } = identity;
      return {
        resource: `${kind} ${region === undefined ? '' : `${region}/`}${name}`,
        body: {
          ...identity,
          // Unlike an assignment to a member, this works even for `__proto__`.
          ...(set.size === 0 ? {} : { variables: Object.fromEntries(set) }),
          ...(unset.length === 0 ? {} : { unset_variables: unset }),
        },
      };
    });
  }

  private changeOf(id: string): { readonly set: Map<string, unknown>; readonly unset: string[] } {
    const found = this.changes.get(id);
    if (found) return found;
    const change = { set: new Map<string, unknown>(), unset: [] };
    this.changes.set(id, change);
    return change;
  }
}
