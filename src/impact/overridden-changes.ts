import type { VariableChange } from '../changes/change-diff';
import type { DocumentMembers } from '../core/json/json-text';
import { decidingLevel } from '../variables/key-levels';
import type { LevelMembers } from '../variables/levels';

/** The levels that devices inherit from before and after a change, broadest first. */
interface InheritedLevels {
  readonly before: readonly LevelMembers[];
  readonly after: readonly LevelMembers[];
}

/** The own variables of a device before and after a change. */
export interface OwnVariables {
  readonly before: DocumentMembers;
  readonly after: DocumentMembers;
}

/** A key that levels change. */
interface ChangedKey {
  /** The change of the narrowest of these levels: a device that sets the key overrides it. */
  readonly narrowest: VariableChange;
  /** The change of the narrowest of those that a narrower level overrides. */
  readonly overridden: VariableChange | undefined;
  /** What the devices inherit. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/**
 * Changes that do not reach devices, because a narrower level or the device itself sets the key, and its value remains: those of the
 * levels that a device inherits from before and after. Of several levels that change a key, the narrowest one counts.
 */
export class OverriddenChanges {
  private readonly counts = new Map<VariableChange, number>();

  /** @param changesOf returns the changes of a level, always the same objects: they are counted by identity */
  constructor(
    private readonly changesOf: (before: LevelMembers, after: LevelMembers) => readonly VariableChange[],
  ) {}

  /** The changes with the numbers of devices, which can be 0. Several changes can be equal. */
  get devices(): ReadonlyMap<VariableChange, number> {
    return this.counts;
  }

  /**
   * Adds devices that have the same levels. The keys of the levels are compared once for all of them; of a device, only its own keys.
   * @param devices their own variables; not iterated if the levels change no key
   */
  add(levels: InheritedLevels, devices: Iterable<OwnVariables>): void {
    const keys = this.changedKeys(levels);
    if (keys.size === 0) return;
    let number = 0;
    for (const own of devices) {
      number++;
      for (const name of namesOf(own)) {
        const key = keys.get(name);
        if (!key) continue;
        this.count(overriddenChange(key), -1);
        this.count(overriddenChange(key, own.before.get(name), own.after.get(name)), 1);
      }
    }
    for (const key of keys.values()) this.count(overriddenChange(key), number);
  }

  private count(change: VariableChange | undefined, devices: number): void {
    if (change) this.counts.set(change, (this.counts.get(change) ?? 0) + devices);
  }

  private changedKeys({ before, after }: InheritedLevels): ReadonlyMap<string, ChangedKey> {
    const keys = new Map<string, ChangedKey>();
    for (const [i, level] of after.entries()) {
      const old = before.findIndex(({ kind, id }) => kind === level.kind && id === level.id);
      const former = before[old];
      const changes = former ? this.changesOf(former, level) : [];
      if (changes.length === 0) continue;
      const [formerBroader, broader] = [before.slice(0, old), after.slice(0, i)];
      const narrower = after.slice(i + 1);
      for (const ofLevel of changes) {
        const change = withBroaderValues(ofLevel, formerBroader, broader);
        const { key } = change;
        if (change.before === change.after) continue;
        keys.set(key, {
          narrowest: change,
          overridden: decidingLevel(narrower, key) ? change : keys.get(key)?.overridden,
          before: valueOf(before, key),
          after: valueOf(after, key),
        });
      }
    }
    return keys;
  }
}

/** Where a level does not set a key, the value of the broader levels applies. */
function withBroaderValues(
  change: VariableChange,
  formerBroader: readonly LevelMembers[],
  broader: readonly LevelMembers[],
): VariableChange {
  const { key, before, after } = change;
  if (before !== undefined && after !== undefined) return change;
  const values = { before: before ?? valueOf(formerBroader, key), after: after ?? valueOf(broader, key) };
  return values.before === before && values.after === after ? change : { key, ...values };
}

const valueOf = (levels: readonly LevelMembers[], key: string): string | undefined =>
  decidingLevel(levels, key)?.members.get(key);

const namesOf = ({ before, after }: OwnVariables): Iterable<string> =>
  before === after ? after.keys() : new Set([...before.keys(), ...after.keys()]);

/** The change of a key that a device does not get. @param before its own values, if it sets the key */
function overriddenChange(key: ChangedKey, before?: string, after?: string): VariableChange | undefined {
  if ((before ?? key.before) !== (after ?? key.after)) return undefined;
  return after === undefined ? key.overridden : key.narrowest;
}
