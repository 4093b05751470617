import { memberChanges, type VariableChange } from '../changes/change-diff';
import type { Visibility } from '../core/context/variable-keys';
import type { DocumentMembers } from '../core/json/json-text';
import { decidingLevel } from '../variables/key-levels';
import { LevelSet, type Level, type LevelMembers, type ResolutionTarget } from '../variables/levels';

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
  readonly inheritedLevels: readonly LevelMembers[];

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
  /** The changed keys of levels that exist before and after. */
  private readonly levelKeys = new Map<string, readonly string[]>();

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
   * Changes that do not reach the device, because a narrower level or the device itself sets the key: those of the levels that it
   * inherits from before and after. Of several levels that change a key, the narrowest one counts.
   */
  overriddenChangesOf(device: DeviceStates): VariableChange[] {
    const before = new DeviceState(this.before, device.before);
    const after = new DeviceState(this.after, device.after);
    const found = new Map<string, VariableChange>();
    for (const [i, level] of after.inheritedLevels.entries()) {
      const old = before.inheritedLevels.findIndex(({ kind, id }) => kind === level.kind && id === level.id);
      const former = before.inheritedLevels[old];
      if (!former) continue;
      const narrower = [...after.inheritedLevels.slice(i + 1), { members: after.own }];
      for (const key of this.changedKeys(former, level)) {
        const value = decidingLevel(after.inheritedLevels.slice(0, i + 1), key)?.members.get(key);
        const formerValue = decidingLevel(before.inheritedLevels.slice(0, old + 1), key)?.members.get(key);
        if (value === formerValue || !decidingLevel(narrower, key)) continue;
        if (before.value(key) === after.value(key))
          found.set(key, { key, before: formerValue, after: value });
      }
    }
    return [...found.values()];
  }

  private changedKeys(before: LevelMembers, after: LevelMembers): readonly string[] {
    const level = `${after.kind} ${String(after.id)}`;
    let keys = this.levelKeys.get(level);
    if (!keys) {
      keys = memberChanges(before.members, after.members).map(({ key }) => key);
      this.levelKeys.set(level, keys);
    }
    return keys;
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
