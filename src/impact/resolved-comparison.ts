import { memberChanges, type VariableChange } from '../changes/change-diff';
import { SteppedWork } from '../core/concurrency';
import type { Visibility } from '../core/context/variable-keys';
import type { DocumentMembers } from '../core/json/json-text';
import { decidingLevel } from '../variables/key-levels';
import { LevelSet, type Level, type LevelMembers, type ResolutionTarget } from '../variables/levels';
import { OverriddenChanges, type OwnVariables } from './overridden-changes';

/** A device before and after a change: undefined if it did not exist. */
export interface DeviceStates {
  readonly before: ResolutionTarget | undefined;
  readonly after: ResolutionTarget | undefined;
}

const NO_MEMBERS: DocumentMembers = new Map();

/** The variables of a device before or after a change. */
class DeviceState {
  private ownMembers: DocumentMembers | undefined;
  private levelsWithOwn: readonly Pick<LevelMembers, 'members'>[] | undefined;
  /** The levels that the device inherits from, broadest first. */
  private readonly inheritedLevels: readonly LevelMembers[];

  constructor(
    private readonly levelSet: LevelSet,
    private readonly target: ResolutionTarget | undefined,
  ) {
    this.inheritedLevels = target ? levelSet.inheritedLevels(target) : [];
  }

  /** The variables inherited from region and cell. */
  get location(): DocumentMembers {
    return this.target ? this.levelSet.inheritedMembers({ ...this.target, label_levels: null }) : NO_MEMBERS;
  }

  /** Identifies the region and cell. */
  get locationKey(): string {
    return `${String(this.target?.region_level)} ${String(this.target?.cell_level)}`;
  }

  /** The labels with variables, in their order. */
  get labels(): readonly LevelMembers[] {
    return this.inheritedLevels.filter(({ kind }) => kind === 'label');
  }

  get own(): DocumentMembers {
    return (this.ownMembers ??= this.target ? this.levelSet.ownMembers(this.target) : NO_MEMBERS);
  }

  value(key: string): string | undefined {
    this.levelsWithOwn ??= [...this.inheritedLevels, { members: this.own }];
    return decidingLevel(this.levelsWithOwn, key)?.members.get(key);
  }
}

/**
 * Finds the keys of devices whose resolved values differ between two states of the inventory. Only keys that a level
 * defines differently are compared. The differences between two locations are computed once for all of their devices.
 */
export class ResolvedComparison {
  private readonly before: LevelSet;
  private readonly after: LevelSet;
  private readonly changedLabels: ReadonlySet<number>;
  private readonly locationKeys = new Map<string, readonly string[]>();
  /** The changes of levels that exist before and after. */
  private readonly levelChanges = new Map<string, readonly VariableChange[]>();

  constructor(before: readonly Level[], after: readonly Level[], visibility: Visibility) {
    this.before = new LevelSet(before, visibility);
    this.after = new LevelSet(after, visibility);
    const documents = new Map(labelDocuments(before));
    this.changedLabels = new Set(
      labelDocuments(after).flatMap(([id, document]) => (documents.get(id) === document ? [] : [id])),
    );
  }

  /** The changed keys of a device, with both values. Computed lazily. */
  *changesOf(device: DeviceStates): Generator<VariableChange> {
    const before = new DeviceState(this.before, device.before);
    const after = new DeviceState(this.after, device.after);
    for (const key of this.candidates(device, before, after)) {
      const change = { key, before: before.value(key), after: after.value(key) };
      if (change.before !== change.after) yield change;
    }
  }

  /** Whether any key changes. */
  hasChanges(device: DeviceStates): boolean {
    return this.changesOf(device).next().done !== true;
  }

  /**
   * The changes that devices do not get (see `OverriddenChanges`), with the numbers of devices. Several changes can be equal.
   * @param hasTime called before each combination of levels
   * @returns undefined if the time is over
   */
  async overriddenChanges(
    devices: readonly DeviceStates[],
    hasTime: () => boolean,
  ): Promise<ReadonlyMap<VariableChange, number> | undefined> {
    const work = new SteppedWork();
    const overridden = new OverriddenChanges((before, after) => this.changesOfLevel(before, after));
    for (const combined of devicesByLevels(devices).values()) {
      await work.yieldIfDue();
      if (!hasTime()) return undefined;
      const [first] = combined;
      const levels = {
        before: first?.before ? this.before.inheritedLevels(first.before) : [],
        after: first?.after ? this.after.inheritedLevels(first.after) : [],
      };
      overridden.add(levels, this.ownVariables(combined));
    }
    return overridden.devices;
  }

  /** One by one, because documents can be large. */
  private *ownVariables(devices: readonly DeviceStates[]): Generator<OwnVariables> {
    for (const { before, after } of devices) {
      const own = after ? this.after.ownMembers(after) : NO_MEMBERS;
      if (before?.own_variables === after?.own_variables) yield { before: own, after: own };
      else yield { before: before ? this.before.ownMembers(before) : NO_MEMBERS, after: own };
    }
  }

  private changesOfLevel(before: LevelMembers, after: LevelMembers): readonly VariableChange[] {
    const level = `${after.kind} ${String(after.id)}`;
    let changes = this.levelChanges.get(level);
    if (!changes) {
      changes = memberChanges(before.members, after.members);
      this.levelChanges.set(level, changes);
    }
    return changes;
  }

  /** The keys that can differ. */
  private candidates(device: DeviceStates, before: DeviceState, after: DeviceState): Iterable<string> {
    const fromLocations = this.keysOfLocations(before, after);
    const hasOwnChanges = device.before?.own_variables !== device.after?.own_variables;
    const hasLabelChanges = this.labelsDiffer(before, after);
    if (!hasOwnChanges && !hasLabelChanges) return fromLocations;
    const keys = new Set(fromLocations);
    if (hasOwnChanges) for (const { key } of memberChanges(before.own, after.own)) keys.add(key);
    if (hasLabelChanges)
      for (const { members } of [...before.labels, ...after.labels])
        for (const key of members.keys()) keys.add(key);
    return keys;
  }

  private keysOfLocations(before: DeviceState, after: DeviceState): readonly string[] {
    const locations = `${before.locationKey} ${after.locationKey}`;
    let keys = this.locationKeys.get(locations);
    if (!keys) {
      keys = memberChanges(before.location, after.location).map(({ key }) => key);
      this.locationKeys.set(locations, keys);
    }
    return keys;
  }

  private labelsDiffer(before: DeviceState, after: DeviceState): boolean {
    const isSameOrder =
      before.labels.length === after.labels.length &&
      before.labels.every(({ id }, i) => after.labels[i]?.id === id);
    return !isSameOrder || before.labels.some(({ id }) => this.changedLabels.has(id));
  }
}

const labelDocuments = (levels: readonly Level[]): (readonly [number, string])[] =>
  levels.flatMap(({ kind, id, variables }) => (kind === 'label' ? [[id, variables] as const] : []));

function devicesByLevels(devices: readonly DeviceStates[]): ReadonlyMap<string, readonly DeviceStates[]> {
  const groups = new Map<string, DeviceStates[]>();
  for (const device of devices) {
    const levels = `${levelsKey(device.before)} ${levelsKey(device.after)}`;
    const group = groups.get(levels);
    if (group) group.push(device);
    else groups.set(levels, [device]);
  }
  return groups;
}

/** Identifies the levels that a device inherits from. */
const levelsKey = (target: ResolutionTarget | undefined): string =>
  target ? `${String(target.region_level)} ${String(target.cell_level)} ${String(target.label_levels)}` : '';
