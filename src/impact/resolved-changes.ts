import { memberChanges, type VariableChange } from '../changes/variable-diff';
import type { Visibility } from '../core/context/visibility';
import type { DocumentMembers } from '../core/json/json-document';
import { Levels, type Level, type LevelMembers, type Subject } from '../variables/levels';

/** A device as it was and as it is: undefined where it was not there yet, or is not there any more. */
export interface Sides {
  readonly before: Subject | undefined;
  readonly after: Subject | undefined;
}

const NOTHING: DocumentMembers = new Map();

/** What a device has on one side of a change. */
class Side {
  private ownMembers: DocumentMembers | undefined;
  /** Broadest first. */
  private readonly inherited: readonly LevelMembers[];

  constructor(
    private readonly levels: Levels,
    private readonly subject: Subject | undefined,
  ) {
    this.inherited = subject ? levels.of(subject) : [];
  }

  /** What region and cell give. */
  get place(): DocumentMembers {
    return this.subject ? this.levels.inheritedBy({ ...this.subject, label_levels: null }) : NOTHING;
  }

  get placeName(): string {
    return `${String(this.subject?.region_level)} ${String(this.subject?.cell_level)}`;
  }

  /** Those that set anything, in the order in which they do. */
  get labels(): readonly LevelMembers[] {
    return this.inherited.filter(({ kind }) => kind === 'label');
  }

  get own(): DocumentMembers {
    return (this.ownMembers ??= this.subject ? this.levels.own(this.subject) : NOTHING);
  }

  value(key: string): string | undefined {
    return this.own.get(key) ?? this.inherited.findLast(({ members }) => members.has(key))?.members.get(key);
  }
}

/**
 * Finds the keys whose resolved values differ between two states of the inventory, device by device. Only keys are
 * looked at that some level sets otherwise; what two places give differently is found once for all devices in them.
 */
export class ResolvedChanges {
  private readonly before: Levels;
  private readonly after: Levels;
  private readonly alteredLabels: ReadonlySet<number>;
  private readonly placeKeys = new Map<string, readonly string[]>();

  constructor(before: readonly Level[], after: readonly Level[], visibility: Visibility) {
    this.before = new Levels(before, visibility);
    this.after = new Levels(after, visibility);
    const documents = new Map(labelDocuments(before));
    this.alteredLabels = new Set(
      labelDocuments(after).flatMap(([id, document]) => (documents.get(id) === document ? [] : [id])),
    );
  }

  /** Every key of a device that changes, with both sides, one after the other as they are asked for. */
  *of(device: Sides): Generator<VariableChange> {
    const before = new Side(this.before, device.before);
    const after = new Side(this.after, device.after);
    for (const key of this.candidates(device, before, after)) {
      const change = { key, before: before.value(key), after: after.value(key) };
      if (change.before !== change.after) yield change;
    }
  }

  /** Whether any key changes. */
  any(device: Sides): boolean {
    return this.of(device).next().done !== true;
  }

  private candidates(device: Sides, before: Side, after: Side): Iterable<string> {
    const ofPlaces = this.keysOfPlaces(before, after);
    const ofOwn = device.before?.own_variables !== device.after?.own_variables;
    const ofLabels = this.labelsDiffer(before, after);
    if (!ofOwn && !ofLabels) return ofPlaces;
    const keys = new Set(ofPlaces);
    if (ofOwn) for (const { key } of memberChanges(before.own, after.own)) keys.add(key);
    if (ofLabels)
      for (const { members } of [...before.labels, ...after.labels])
        for (const key of members.keys()) keys.add(key);
    return keys;
  }

  private keysOfPlaces(before: Side, after: Side): readonly string[] {
    const name = `${before.placeName} ${after.placeName}`;
    let keys = this.placeKeys.get(name);
    if (!keys) {
      keys = memberChanges(before.place, after.place).map(({ key }) => key);
      this.placeKeys.set(name, keys);
    }
    return keys;
  }

  private labelsDiffer(before: Side, after: Side): boolean {
    const sameInOrder =
      before.labels.length === after.labels.length &&
      before.labels.every(({ id }, place) => after.labels[place]?.id === id);
    return !sameInOrder || before.labels.some(({ id }) => this.alteredLabels.has(id));
  }
}

const labelDocuments = (levels: readonly Level[]): (readonly [number, string])[] =>
  levels.flatMap(({ kind, id, variables }) => (kind === 'label' ? [[id, variables] as const] : []));
