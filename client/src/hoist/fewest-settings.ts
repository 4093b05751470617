/** A device, and the value of one variable that it has to resolve. */
export interface DeviceValue {
  readonly id: string;
  readonly region: string;
  /** An identifier that no cell of another region has. */
  readonly cell: string | undefined;
  /** The value as canonical JSON: equal values have equal texts. Undefined if the device has no such variable. */
  readonly value: string | undefined;
  /** The value that the labels of the device set and that stays set there: the one of the last label by name. */
  readonly fromLabels?: string | undefined;
  /**
   * Whether the device inherits its value from an existing setting now. It goes on to do so, and gets no setting of its
   * own: later changes of what it inherits must still reach it.
   */
  readonly inherits?: boolean;
}

/** A value that is set on a region, cell or device. */
export interface Setting {
  readonly level: 'region' | 'cell' | 'device';
  readonly id: string;
  readonly value: string;
}

/** A value that a region sets now, or a cell with its region. */
export type LevelSetting =
  | { readonly level: 'region'; readonly id: string; readonly value: string }
  | { readonly level: 'cell'; readonly id: string; readonly region: string; readonly value: string };

/** What `findFewestSettings` gets: one variable of all devices. */
export interface SettingsProblem<Device extends DeviceValue = DeviceValue> {
  readonly devices: readonly Device[];
  /** Which settings to choose among solutions with equally few settings. */
  readonly isPreferred?: (setting: Setting) => boolean;
  /**
   * Values that regions and cells set now. They stay, except that a cell no longer sets a value that its region sets.
   * So a device that is added later resolves them, too.
   */
  readonly existing?: readonly LevelSetting[];
  /** Whether regions get no new settings. */
  readonly keepsRegions?: boolean;
  /** How many settings a new setting on a cell or region has to save: 1 by default. */
  readonly minSaving?: number;
  /** The share of its devices that have the value of a new setting on a cell or region, from 0 (the default) to 1. */
  readonly minShare?: number;
}

/** Where one variable is set: values by the identifiers of regions, cells and devices. */
export interface SettingsByLevel {
  readonly regions: Map<string, string>;
  readonly cells: Map<string, string>;
  readonly devices: Map<string, string>;
}

/**
 * Finds the fewest settings of one variable from which every device resolves exactly its value: the narrowest of region,
 * cell, labels and device that has the variable determines it.
 *
 * A device without the variable rules out settings on its region and cell, because nothing unsets a variable: `null` is
 * a value. Among solutions with equally few settings it chooses one with the most preferred settings, and among those the
 * narrower levels: so a setting applies to no more devices than it has to, including those added later.
 *
 * Takes time linear in the number of devices.
 *
 * @throws TypeError if a device has no value although its labels, or existing settings above it, set one
 */
export function findFewestSettings(problem: SettingsProblem): SettingsByLevel {
  const costs = new Costs(problem);
  const settings: SettingsByLevel = { regions: new Map(), cells: new Map(), devices: new Map() };
  for (const region of groupByRegion(problem, costs, settings.devices).values()) region.settle(settings);
  return settings;
}

/** The number of settings on regions, cells and devices. */
export const countSettings = ({
  regions,
  cells,
  devices,
}: Readonly<Record<keyof SettingsByLevel, ReadonlyMap<string, string>>>): number =>
  regions.size + cells.size + devices.size;

/**
 * Costs of settings as single numbers that compare first by the number of settings and then by the number of those that
 * are not preferred.
 */
class Costs {
  /** More than all settings together. */
  private readonly unit: number;
  private readonly minSaving: number;
  private readonly minShare: number;
  private readonly isPreferred: SettingsProblem['isPreferred'];

  constructor({ devices, existing = [], isPreferred, minSaving = 1, minShare = 0 }: SettingsProblem) {
    this.unit = 3 * (devices.length + existing.length) + 1;
    this.isPreferred = isPreferred;
    this.minSaving = minSaving;
    this.minShare = minShare;
  }

  /** The cost of a setting. A new setting above devices costs as many settings as it has to save. */
  of(level: Setting['level'], id: string, value: string, isNew: boolean): number {
    const settings = isNew && level !== 'device' ? this.minSaving : 1;
    const isPreferred = this.isPreferred === undefined || this.isPreferred({ level, id, value });
    return settings * this.unit + (isPreferred ? 0 : 1);
  }

  /** Whether enough devices have a value for a new setting. */
  isShared(devices: number, all: number): boolean {
    return devices >= this.minShare * all;
  }
}

/** The devices of a group that have the same value. */
interface ValueTotal {
  /** The number of devices, including those that inherit the value. */
  devices: number;
  /** The cost of setting the value on the others. */
  cost: number;
}

/** Devices that inherit the same value of their cell, or of their region if they have no cell. */
class DeviceGroup {
  /** The devices that have to set their values, unless they inherit them. */
  private readonly settable: DeviceValue[] = [];
  /** Whether a device has no value, so that it may inherit none. */
  hasUnset = false;
  /** Whether a device inherits its value from an existing setting. */
  hasInheriting = false;
  /** The total of all values. */
  readonly total: ValueTotal = { devices: 0, cost: 0 };
  readonly values = new Map<string, ValueTotal>();

  add(device: DeviceValue, costs: Costs): void {
    const { id, value, inherits = false } = device;
    if (value === undefined) {
      this.hasUnset = true;
      return;
    }
    const cost = inherits ? 0 : costs.of('device', id, value, false);
    if (inherits) this.hasInheriting = true;
    else this.settable.push(device);
    increase(this.total, 1, cost);
    const found = this.values.get(value);
    if (found) increase(found, 1, cost);
    else this.values.set(value, { devices: 1, cost });
  }

  /** The cost of the settings on devices, if they inherit a value. */
  costUnder(inherited: string | undefined): number {
    if (inherited === undefined) return this.total.cost;
    return this.hasUnset ? Infinity : this.total.cost - (this.values.get(inherited)?.cost ?? 0);
  }

  settle(inherited: string | undefined, devices: Map<string, string>): void {
    for (const { id, value } of this.settable)
      if (value !== undefined && value !== inherited) devices.set(id, value);
  }
}

function increase(total: ValueTotal, devices: number, cost: number): void {
  total.devices += devices;
  total.cost += cost;
}

/** A value that a level could set, and the cost of everything below it and itself. */
interface Candidate {
  readonly value: string;
  readonly cost: number;
}

const NO_DEVICES: ValueTotal = { devices: 0, cost: 0 };

class CellGroup extends DeviceGroup {
  /** The value that the cell sets now. */
  existing: string | undefined;
  private own: Candidate | undefined;

  constructor(private readonly id: string) {
    super();
  }

  /** Finds the best value to set here. Called after all devices were added. */
  prepare(costs: Costs): void {
    if (this.hasUnset || (this.hasInheriting && this.existing === undefined)) return;
    const { total } = this;
    const consider = (value: string, { devices, cost }: ValueTotal): void => {
      const isNew = value !== this.existing;
      if (isNew && !costs.isShared(devices, total.devices)) return;
      const sum = costs.of('cell', this.id, value, isNew) + total.cost - cost;
      if (sum < (this.own?.cost ?? Infinity)) this.own = { value, cost: sum };
    };
    if (this.existing !== undefined) consider(this.existing, this.values.get(this.existing) ?? NO_DEVICES);
    else for (const [value, devices] of this.values) consider(value, devices);
  }

  /** The cost of the cell and its devices, if the region sets a value. */
  costUnderRegion(inherited: string | undefined): number {
    return Math.min(this.costWithout(inherited), this.own?.cost ?? Infinity);
  }

  settleUnderRegion(inherited: string | undefined, settings: SettingsByLevel): void {
    const own = this.own && this.own.cost < this.costWithout(inherited) ? this.own.value : undefined;
    if (own !== undefined) settings.cells.set(this.id, own);
    this.settle(own ?? inherited, settings.devices);
  }

  /** The cost if the cell sets nothing. */
  private costWithout(inherited: string | undefined): number {
    return this.existing !== undefined && this.existing !== inherited ? Infinity : this.costUnder(inherited);
  }
}

class RegionGroup {
  /** The devices without a cell. */
  readonly direct = new DeviceGroup();
  readonly cells = new Map<string, CellGroup>();
  /** The value that the region sets now. */
  existing: string | undefined;

  constructor(
    private readonly id: string,
    private readonly costs: Costs,
    private readonly isFixed: boolean,
  ) {}

  cellOf(id: string): CellGroup {
    const found = this.cells.get(id);
    if (found) return found;
    const cell = new CellGroup(id);
    this.cells.set(id, cell);
    return cell;
  }

  /** @throws TypeError if no settings fit */
  settle(settings: SettingsByLevel): void {
    for (const cell of this.cells.values()) cell.prepare(this.costs);
    const own = this.chooseValue();
    if (own !== undefined) settings.regions.set(this.id, own);
    this.direct.settle(own, settings.devices);
    for (const cell of this.cells.values()) cell.settleUnderRegion(own, settings);
  }

  /** The value to set on the region; undefined to set none. */
  private chooseValue(): string | undefined {
    const groups = [this.direct, ...this.cells.values()];
    // A value that no device has costs as much below the region as no value does.
    let without = this.direct.total.cost;
    for (const cell of this.cells.values()) without += cell.costUnderRegion(undefined);
    const hasUnset = groups.some((group) => group.hasUnset);
    if (without === Infinity || (this.existing !== undefined && hasUnset))
      throw new TypeError(`A device in ${this.id} has no value although a level above it sets one.`);
    if (this.existing !== undefined || hasUnset || this.isFixed) return this.existing;
    const all = groups.reduce((sum, { total }) => sum + total.devices, 0);
    let best: { readonly value?: string; readonly cost: number } = { cost: without };
    for (const [value, { devices, cost: saving }] of this.savings()) {
      if (!this.costs.isShared(devices, all)) continue;
      const cost = this.costs.of('region', this.id, value, true) + without - saving;
      if (cost < best.cost) best = { value, cost };
    }
    return best.value;
  }

  /** The number of devices with each value, and how much it would save below the region. */
  private savings(): ReadonlyMap<string, ValueTotal> {
    const savings = new Map<string, ValueTotal>();
    const add = (value: string, devices: number, saving: number) => {
      const found = savings.get(value);
      if (found) increase(found, devices, saving);
      else savings.set(value, { devices, cost: saving });
    };
    for (const [value, { devices, cost }] of this.direct.values) add(value, devices, cost);
    for (const cell of this.cells.values()) {
      const without = cell.costUnderRegion(undefined);
      for (const [value, { devices }] of cell.values)
        add(value, devices, without - cell.costUnderRegion(value));
      if (cell.existing !== undefined && !cell.values.has(cell.existing))
        add(cell.existing, 0, without - cell.costUnderRegion(cell.existing));
    }
    return savings;
  }
}

/** Groups devices by region and cell. Devices with a value from labels are settled at once: they inherit nothing else. */
function groupByRegion(
  { devices, existing = [], keepsRegions = false }: SettingsProblem,
  costs: Costs,
  settings: Map<string, string>,
): ReadonlyMap<string, RegionGroup> {
  const regions = new Map<string, RegionGroup>();
  const regionOf = (id: string): RegionGroup => {
    const found = regions.get(id);
    if (found) return found;
    const region = new RegionGroup(id, costs, keepsRegions);
    regions.set(id, region);
    return region;
  };
  for (const setting of existing)
    if (setting.level === 'region') regionOf(setting.id).existing = setting.value;
    else regionOf(setting.region).cellOf(setting.id).existing = setting.value;
  for (const device of devices) {
    const { id, region, cell, value, fromLabels } = device;
    if (fromLabels === undefined) {
      const group = regionOf(region);
      (cell === undefined ? group.direct : group.cellOf(cell)).add(device, costs);
    } else if (value === undefined)
      throw new TypeError(`The device ${id} has no value although one of its labels sets one.`);
    else if (value !== fromLabels) settings.set(id, value);
  }
  return regions;
}
