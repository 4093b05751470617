import { cellShape } from '../cells/cell';
import type { DescribedObject } from '../changes/change-diff';
import type { Snapshot } from '../changes/tracked-resource';
import { labelShape } from '../labels/label';
import { regionShape } from '../regions/region';
import type { Visibility } from '../core/context/visibility';
import { membersOf, type DocumentMembers } from '../core/json/json-document';
import type { Level, LevelKind } from '../variables/levels';

/** A region, cell or label that gives otherwise than before: it sets other variables, or its name places it elsewhere. */
export interface AlteredLevel {
  readonly kind: LevelKind;
  readonly id: number;
  /** A cell's region, by now. */
  readonly region: number | undefined;
  readonly nameBefore: string;
  readonly nameAfter: string;
  readonly before: DocumentMembers;
  readonly after: DocumentMembers;
  /** The visible keys that it sets otherwise than before, as JSON strings. */
  readonly keys: readonly string[];
}

const KINDS = new Map<string, LevelKind>([
  [regionShape.kind, 'region'],
  [cellShape.kind, 'cell'],
  [labelShape.kind, 'label'],
]);

/** Whether devices inherit from resources of this kind. */
export const isLevel = (kind: string): boolean => KINDS.has(kind);

/** The regions, cells and labels that a change touches. */
export class ChangedLevels {
  private readonly before: Level[] = [];
  private readonly after: Level[] = [];
  private readonly touched = new Set<string>();
  private readonly kept: readonly DescribedObject[];

  constructor(objects: readonly DescribedObject[]) {
    const levels = objects.filter(({ shape }) => isLevel(shape.kind));
    for (const { shape, id, before, after } of levels) {
      const kind = levelKind(shape.kind);
      this.touched.add(`${kind} ${String(id)}`);
      if (before) this.before.push(levelOf(kind, before));
      if (after) this.after.push(levelOf(kind, after));
    }
    // Below what comes into being or goes away stand no devices but those that the change itself touches.
    this.kept = levels.filter(({ action }) => action === 'update');
  }

  has(kind: LevelKind, id: number | null): boolean {
    return this.touched.has(`${kind} ${String(id)}`);
  }

  /** Levels as they were, and as they are. @param now levels as they were read within the change's transaction */
  sides(now: readonly Level[]): { readonly before: Level[]; readonly after: Level[] } {
    const others = now.filter(({ kind, id }) => !this.has(kind, id));
    return { before: [...others, ...this.before], after: [...others, ...this.after] };
  }

  /** The levels that give otherwise than before to devices that the change does not touch. */
  altered(visibility: Visibility): AlteredLevel[] {
    return this.kept.flatMap((object) => alteration(object, visibility));
  }
}

function levelKind(kind: string): LevelKind {
  const level = KINDS.get(kind);
  if (!level) throw new Error(`nothing inherits from a ${kind}`);
  return level;
}

const levelOf = (kind: LevelKind, { id, name, variables = '{}' }: Snapshot): Level => ({
  kind,
  id,
  name,
  variables,
});

function alteration(object: DescribedObject, visibility: Visibility): AlteredLevel[] {
  const { shape, id, before, after, variables } = object;
  if (!before || !after) return [];
  const kind = levelKind(shape.kind);
  const keys = variables.map(({ key }) => key).filter((key) => visibility.sees(JSON.parse(key) as string));
  if (keys.length === 0 && (kind !== 'label' || before.name === after.name)) return [];
  return [
    {
      kind,
      id,
      region: kind === 'cell' ? placeOf(after).region_id : undefined,
      nameBefore: before.name,
      nameAfter: after.name,
      before: membersOf(before.variables ?? '{}'),
      after: membersOf(after.variables ?? '{}'),
      keys,
    },
  ];
}

/** Where a device or a cell stands. */
export const placeOf = ({ members }: Snapshot) =>
  JSON.parse(members) as { readonly region_id: number; readonly cell_id?: number | null };
