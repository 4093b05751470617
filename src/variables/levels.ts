import type { Visibility } from '../core/context/variable-keys';
import { documentOf, membersOf, type DocumentMembers } from '../core/json/json-text';
import { visibleDocument, visibleMembers } from '../core/json/visible-document';
import type { ResourceMapping } from '../database/resource-mapping';
import { comparePrecedence, type LevelKind } from './key-levels';

/** A resource whose variables are resolved: its own document, and the levels that it inherits from. */
export interface ResolutionTarget {
  readonly project_id: string;
  readonly own_variables: string;
  readonly region_level: number | null;
  readonly cell_level: number | null;
  /** Ids of labels, separated by `,`. Each can be followed by `:` and its row version. */
  readonly label_levels: string | null;
  /** The row version of region and cell, if they were read with the target: see `LevelCache`. */
  readonly region_row_version?: string | null;
  readonly cell_row_version?: string | null;
}

/** A region, cell or label with its document. */
export interface Level {
  readonly kind: LevelKind;
  readonly id: number;
  readonly name: string;
  /** The document as PostgreSQL prints it. */
  readonly variables: string;
}

/** A level with its parsed document. */
export interface LevelMembers {
  readonly kind: LevelKind;
  readonly id: number;
  readonly name: string;
  readonly members: DocumentMembers;
}

/** The identity of a level that a target inherits from. */
export interface VersionedLevelId {
  readonly projectId: string;
  readonly kind: LevelKind;
  readonly id: number;
  /** The row version, if it was read with the target. */
  readonly rowVersion?: string | undefined;
}

/** The identity of a level. The narrowest level is the resource itself, with the kind of the resource. */
interface LevelIdentity {
  readonly kind: string;
  readonly id: number;
  readonly name: string;
}

/** One of the levels of a target, including the target itself. */
interface TargetLevel extends LevelIdentity {
  readonly members: DocumentMembers;
}

/** The merged variables of a combination of levels. */
export interface InheritedVariables {
  readonly members: DocumentMembers;
  /** The members as JSON text, for the many resources that override none of them. */
  readonly text: string;
}

/** The maximum size of the cached combinations, in characters. Many targets can have as many combinations. */
const MAX_CACHE_SIZE = 16 * 1024 * 1024;

/** The size of a member in addition to its text, which is a slice of the whole text. */
const MEMBER_OVERHEAD = 100;

const NOTHING_INHERITED: InheritedVariables = { members: new Map(), text: '{}' };

/** The ids of the labels of a target. */
export const labelIdsOf = (target: Pick<ResolutionTarget, 'label_levels'>): number[] =>
  target.label_levels === null
    ? []
    : target.label_levels.split(',').map((label) => Number.parseInt(label, 10));

/** The levels that targets inherit from, each once, in no order. */
export function referencedLevels(targets: readonly ResolutionTarget[]): VersionedLevelId[] {
  const regions = new Map<number, VersionedLevelId>();
  const cells = new Map<number, VersionedLevelId>();
  const labels = new Map<number, VersionedLevelId>();
  const seen = new Set<string>();
  for (const target of targets) {
    const { project_id: projectId, region_level: region, cell_level: cell, label_levels: assigned } = target;
    if (region !== null && !regions.has(region))
      regions.set(region, {
        projectId,
        kind: 'region',
        id: region,
        rowVersion: target.region_row_version ?? undefined,
      });
    if (cell !== null && !cells.has(cell))
      cells.set(cell, {
        projectId,
        kind: 'cell',
        id: cell,
        rowVersion: target.cell_row_version ?? undefined,
      });
    if (assigned === null || seen.has(assigned)) continue;
    seen.add(assigned);
    for (const label of assigned.split(',')) {
      const [id, rowVersion] = label.split(':', 2);
      labels.set(Number(id), { projectId, kind: 'label', id: Number(id), rowVersion });
    }
  }
  return [...regions.values(), ...cells.values(), ...labels.values()];
}

/** Merges levels, broadest first. */
export function mergeLevels(levels: readonly LevelMembers[]): InheritedVariables {
  const members = new Map<string, string>();
  for (const level of levels) for (const [key, value] of level.members) members.set(key, value);
  return { members, text: documentOf(members) };
}

/**
 * Resolves documents over levels, in the order of their precedence (`key-levels.ts`), and the resource itself. The value of a
 * narrower level replaces the whole value of a broader one. It works for levels of any point in time. Variables that the
 * visibility hides are treated as not set.
 *
 * Each document is parsed once. Each combination of levels is merged once and cached, because many targets share it.
 */
export class LevelSet {
  private readonly levels = new Map<string, LevelMembers>();
  private readonly combinations = new Map<string, InheritedVariables>();
  /** The size of the cached combinations, in characters. */
  private cacheSize = 0;
  private readonly combine: typeof mergeLevels;

  /** @param combine merges levels; it can use a cache that is shared between callers who see all variables */
  constructor(
    levels: readonly (Level | LevelMembers)[],
    private readonly visibility: Visibility,
    combine: typeof mergeLevels = mergeLevels,
  ) {
    this.combine = visibility.seesEverything ? combine : mergeLevels;
    for (const level of levels)
      this.levels.set(levelKey(level.kind, level.id), visibleLevel(level, visibility));
  }

  /** The given levels that a target inherits from, broadest first, without the target itself. */
  inheritedLevels(target: ResolutionTarget): LevelMembers[] {
    return [
      this.levels.get(levelKey('region', target.region_level)),
      this.levels.get(levelKey('cell', target.cell_level)),
      ...labelIdsOf(target).map((id) => this.levels.get(levelKey('label', id))),
    ]
      .filter((level) => level !== undefined)
      .sort(comparePrecedence);
  }

  /** All levels of a target, broadest first. The last one is the target itself. */
  allLevels(target: ResolutionTarget, self: LevelIdentity): readonly TargetLevel[] {
    return [...this.inheritedLevels(target), { ...self, members: this.ownMembers(target) }];
  }

  /** The resolved document of a target as JSON text. */
  resolve(target: ResolutionTarget): string {
    return mergeOwn(this.inherited(target), visibleDocument(target.own_variables, this.visibility));
  }

  /** The own variables of a target. */
  ownMembers(target: ResolutionTarget): DocumentMembers {
    return visibleMembers(membersOf(target.own_variables), this.visibility);
  }

  /** The inherited variables of a target, without its own. */
  inheritedMembers(target: ResolutionTarget): DocumentMembers {
    return this.inherited(target).members;
  }

  private inherited(target: ResolutionTarget): InheritedVariables {
    const { region_level: region, cell_level: cell, label_levels: labels } = target;
    if (region === null && cell === null && labels === null) return NOTHING_INHERITED;
    const combination = `${String(region)} ${String(cell)} ${labels ?? ''}`;
    let inherited = this.combinations.get(combination);
    if (!inherited) {
      inherited = this.combine(this.inheritedLevels(target));
      this.cache(combination, inherited);
    }
    return inherited;
  }

  /**
   * Clears the cache when it is full. Targets with the same combination usually follow each other, so that suffices.
   */
  private cache(combination: string, inherited: InheritedVariables): void {
    const size = inherited.text.length + MEMBER_OVERHEAD * inherited.members.size;
    if (this.cacheSize + size > MAX_CACHE_SIZE) {
      this.combinations.clear();
      this.cacheSize = 0;
    }
    this.combinations.set(combination, inherited);
    this.cacheSize += size;
  }
}

function visibleLevel(level: Level | LevelMembers, visibility: Visibility): LevelMembers {
  const { kind, id, name } = level;
  const all = 'members' in level ? level.members : membersOf(level.variables);
  if ('members' in level && visibility.seesEverything) return level;
  return { kind, id, name, members: visibleMembers(all, visibility) };
}

const levelKey = (kind: LevelKind, id: number | null): string => `${kind} ${String(id)}`;

/** Merges the own document of a resource over its inherited variables. */
function mergeOwn(inherited: InheritedVariables, own: string): string {
  if (own === '{}') return inherited.text;
  if (inherited.members.size === 0) return own;
  const ownMembers = membersOf(own);
  let hasOverrides = false;
  for (const key of ownMembers.keys()) if (inherited.members.has(key)) hasOverrides = true;
  const base = hasOverrides ? withoutKeys(inherited.members, ownMembers) : inherited.text;
  return base === '{}' ? own : `${base.slice(0, -1)}, ${own.slice(1)}`;
}

function withoutKeys(members: DocumentMembers, keys: DocumentMembers): string {
  let text = '';
  for (const [key, value] of members) {
    if (keys.has(key)) continue;
    text += text === '' ? `${key}: ${value}` : `, ${key}: ${value}`;
  }
  return `{${text}}`;
}

/**
 * The levels that a resource `t` inherits variables from, broadest first, as SQL for their ids. Absent: it does not
 * inherit from a level of this kind. The SQL is inserted as is, so it must be constant.
 */
export interface Inheritance {
  readonly region?: string;
  readonly cell?: string;
  /** The table of label assignments, and its column for the id of the resource. */
  readonly labels?: { readonly table: string; readonly owner: string };
}

/** A kind of resource, and the levels that it inherits from. */
export interface InheritingResource {
  readonly mapping: ResourceMapping;
  readonly inheritance: Inheritance;
}

/** Whether a resource inherits from any level. */
export const inheritsVariables = ({ region, cell, labels }: Inheritance): boolean =>
  region !== undefined || cell !== undefined || labels !== undefined;

/** For resources without inherited variables: regions, labels, users. */
export const NO_INHERITANCE: Inheritance = {};
