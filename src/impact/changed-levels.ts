import type { ObjectDiff } from '../changes/change-diff';
import type { ResourceState } from '../changes/resource-snapshot';
import type { Visibility } from '../core/context/variable-keys';
import { membersOf, type DocumentMembers } from '../core/json/json-text';
import { isLevelKind, type KeyLevel, type LevelKind } from '../variables/key-levels';
import type { Level } from '../variables/levels';

/** A region, cell or label after a change, with its name and value before it. */
export interface ChangedLevel<Value> extends KeyLevel<Value> {
  readonly before: Pick<KeyLevel<Value>, 'kind' | 'name' | 'value'>;
}

/** A level, with its variables, whose update affects devices: the variables changed, or a label's name and so its order. */
export interface UpdatedLevel extends ChangedLevel<DocumentMembers> {
  /** The visible keys whose value changed, as JSON strings. */
  readonly keys: readonly string[];
}

/** The regions, cells and labels that a change touches. */
export class ChangedLevels {
  private readonly before: Level[] = [];
  private readonly after: Level[] = [];
  private readonly touched = new Set<string>();
  private readonly updated: ObjectDiff[] = [];

  constructor(objects: readonly ObjectDiff[]) {
    for (const object of objects) {
      const { id, before, after } = object;
      const { kind } = object.mapping;
      if (!isLevelKind(kind)) continue;
      this.touched.add(`${kind} ${String(id)}`);
      if (before) this.before.push(toLevel(kind, before));
      if (after) this.after.push(toLevel(kind, after));
      // A created or deleted level has no devices except those that the change itself touches.
      if (object.action === 'update') this.updated.push(object);
    }
  }

  has(kind: LevelKind, id: number | null): boolean {
    return this.touched.has(`${kind} ${String(id)}`);
  }

  /** Levels before and after the change. @param current levels as read in the transaction of the change */
  sides(current: readonly Level[]): { readonly before: Level[]; readonly after: Level[] } {
    const others = current.filter(({ kind, id }) => !this.has(kind, id));
    return { before: [...others, ...this.before], after: [...others, ...this.after] };
  }

  /** The updated levels that can affect devices that the change does not touch. */
  visibleUpdates(visibility: Visibility): UpdatedLevel[] {
    return this.updated.flatMap((object) => visibleUpdate(object, visibility));
  }
}

const toLevel = (kind: LevelKind, { id, name, variables = '{}' }: ResourceState): Level => ({
  kind,
  id,
  name,
  variables,
});

/** The update of a level, as far as it is visible; empty if it affects no device. */
function visibleUpdate(object: ObjectDiff, visibility: Visibility): UpdatedLevel[] {
  const { id, before, after, variables } = object;
  const { kind } = object.mapping;
  if (!before || !after || !isLevelKind(kind)) return [];
  const keys = variables.map(({ key }) => key).filter((key) => visibility.sees(JSON.parse(key) as string));
  if (keys.length === 0 && (kind !== 'label' || before.name === after.name)) return [];
  return [
    {
      kind,
      id,
      name: after.name,
      project_id: after.projectId,
      keys,
      region_id: after.regionId,
      value: membersOf(after.variables ?? '{}'),
      before: { kind, name: before.name, value: membersOf(before.variables ?? '{}') },
    },
  ];
}

/**
 * The visible keys that an update can affect, as JSON strings. Renaming a label affects all of its keys, because the
 * names of labels decide which of them wins.
 */
export function candidateKeys(levels: readonly UpdatedLevel[], sees: (key: string) => boolean): string[] {
  const keys = new Set<string>();
  for (const level of levels) {
    for (const key of level.keys) keys.add(key);
    if (level.name === level.before.name || level.kind !== 'label') continue;
    for (const key of [...level.before.value.keys(), ...level.value.keys()])
      if (sees(JSON.parse(key) as string)) keys.add(key);
  }
  return [...keys];
}
