import { cellMapping } from '../cells/cell.entity';
import type { ObjectDiff } from '../changes/change-diff';
import type { Snapshot } from '../changes/row-statements';
import { labelMapping } from '../labels/label.entity';
import { regionMapping } from '../regions/region.entity';
import type { Visibility } from '../core/context/variable-keys';
import { membersOf, type DocumentMembers } from '../core/json/json-text';
import type { LevelKind } from '../variables/key-levels';
import type { Level } from '../variables/levels';

/** A region, cell or label whose update affects devices: its variables changed, or a label's name and so its order. */
export interface UpdatedLevel {
  readonly kind: LevelKind;
  readonly id: number;
  /** The current region of a cell. */
  readonly regionId: number | undefined;
  readonly nameBefore: string;
  readonly nameAfter: string;
  readonly before: DocumentMembers;
  readonly after: DocumentMembers;
  /** The visible keys whose value changed, as JSON strings. */
  readonly keys: readonly string[];
}

const LEVEL_KINDS = new Map<string, LevelKind>([
  [regionMapping.kind, 'region'],
  [cellMapping.kind, 'cell'],
  [labelMapping.kind, 'label'],
]);

/** Whether devices inherit variables from resources of this kind. */
export const isLevelKind = (kind: string): boolean => LEVEL_KINDS.has(kind);

/** The regions, cells and labels that a change touches. */
export class ChangedLevels {
  private readonly before: Level[] = [];
  private readonly after: Level[] = [];
  private readonly touched = new Set<string>();
  private readonly updated: readonly ObjectDiff[];

  constructor(objects: readonly ObjectDiff[]) {
    const levels = objects.filter(({ mapping }) => isLevelKind(mapping.kind));
    for (const { mapping, id, before, after } of levels) {
      const kind = toLevelKind(mapping.kind);
      this.touched.add(`${kind} ${String(id)}`);
      if (before) this.before.push(toLevel(kind, before));
      if (after) this.after.push(toLevel(kind, after));
    }
    // A created or deleted level has no devices except those that the change itself touches.
    this.updated = levels.filter(({ action }) => action === 'update');
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

function toLevelKind(kind: string): LevelKind {
  const level = LEVEL_KINDS.get(kind);
  if (!level) throw new Error(`variables are not inherited from a ${kind}`);
  return level;
}

const toLevel = (kind: LevelKind, { id, name, variables = '{}' }: Snapshot): Level => ({
  kind,
  id,
  name,
  variables,
});

/** The update of a level, as far as it is visible; empty if it affects no device. */
function visibleUpdate(object: ObjectDiff, visibility: Visibility): UpdatedLevel[] {
  const { mapping, id, before, after, variables } = object;
  if (!before || !after) return [];
  const kind = toLevelKind(mapping.kind);
  const keys = variables.map(({ key }) => key).filter((key) => visibility.sees(JSON.parse(key) as string));
  if (keys.length === 0 && (kind !== 'label' || before.name === after.name)) return [];
  return [
    {
      kind,
      id,
      regionId: kind === 'cell' ? parseLocation(after).region_id : undefined,
      nameBefore: before.name,
      nameAfter: after.name,
      before: membersOf(before.variables ?? '{}'),
      after: membersOf(after.variables ?? '{}'),
      keys,
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
    if (level.nameBefore === level.nameAfter || level.kind !== 'label') continue;
    for (const key of [...level.before.keys(), ...level.after.keys()])
      if (sees(JSON.parse(key) as string)) keys.add(key);
  }
  return [...keys];
}

/** The region and cell of a device, or the region of a cell. */
export const parseLocation = ({ members }: Snapshot) =>
  JSON.parse(members) as { readonly region_id: number; readonly cell_id?: number | null };
