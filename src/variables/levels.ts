import type { Visibility } from '../core/context/visibility';
import { documentOf, membersOf, type DocumentMembers } from '../core/json/json-document';
import { visibleDocument, visibleMembers } from '../core/json/visible-document';

/** A resource whose variables are to be resolved: its own document, and the levels that it inherits from. */
export interface Subject {
  readonly project_id: string;
  readonly own_variables: string;
  readonly region_level: number | null;
  readonly cell_level: number | null;
  /** Ids of labels, joined by `,`; each may be followed by `:` and its stamp. */
  readonly label_levels: string | null;
  /** The stamps of region and cell, where they were read with the subject: see `KnownLevels`. */
  readonly region_stamp?: string | null;
  readonly cell_stamp?: string | null;
}

/** The kinds of levels that variables are inherited from, broadest first. */
export type LevelKind = 'region' | 'cell' | 'label';

/** A region, cell or label with its document. */
export interface Level {
  readonly kind: LevelKind;
  readonly id: number;
  readonly name: string;
  /** As PostgreSQL prints it. */
  readonly variables: string;
}

/** A level with its document split into members. */
export interface LevelMembers {
  readonly kind: LevelKind;
  readonly id: number;
  readonly name: string;
  readonly members: DocumentMembers;
}

/** A level that a subject inherits from. */
export interface LevelReference {
  readonly projectId: string;
  readonly kind: LevelKind;
  readonly id: number;
  /** Where it was read with the subject. */
  readonly stamp?: string | undefined;
}

/** How a level is named: the kind is a resource's own where it is a level itself. */
interface Named {
  readonly kind: string;
  readonly id: number;
  readonly name: string;
}

/** One of the levels of a subject, itself included. */
interface ConsultedLevel extends Named {
  readonly members: DocumentMembers;
}

/** What a combination of levels gives to everything below it. */
export interface Inherited {
  readonly members: DocumentMembers;
  /** The whole, for the many that override nothing of it. */
  readonly text: string;
}

/** In characters: so much of what combinations give is kept. The combinations of very many subjects may be as many. */
const MOST_KEPT = 16 * 1024 * 1024;

/** What a member takes beside its text, whose parts it points into. */
const ROOM = 100;

const NOTHING: Inherited = { members: new Map(), text: '{}' };

/** The ids of a subject's labels. */
export const labelIds = (subject: Subject): number[] =>
  subject.label_levels === null
    ? []
    : subject.label_levels.split(',').map((label) => Number.parseInt(label, 10));

/** The levels that subjects inherit from, each once, in no order. */
export function levelsOf(subjects: readonly Subject[]): LevelReference[] {
  const regions = new Map<number, LevelReference>();
  const cells = new Map<number, LevelReference>();
  const labels = new Map<number, LevelReference>();
  const seen = new Set<string>();
  for (const subject of subjects) {
    const { project_id: projectId, region_level: region, cell_level: cell, label_levels: carried } = subject;
    if (region !== null && !regions.has(region))
      regions.set(region, {
        projectId,
        kind: 'region',
        id: region,
        stamp: subject.region_stamp ?? undefined,
      });
    if (cell !== null && !cells.has(cell))
      cells.set(cell, { projectId, kind: 'cell', id: cell, stamp: subject.cell_stamp ?? undefined });
    if (carried === null || seen.has(carried)) continue;
    seen.add(carried);
    for (const label of carried.split(',')) {
      const [id, stamp] = label.split(':', 2);
      labels.set(Number(id), { projectId, kind: 'label', id: Number(id), stamp });
    }
  }
  return [...regions.values(), ...cells.values(), ...labels.values()];
}

/** Lays levels over each other, broadest first. */
export function inheritedFrom(levels: readonly LevelMembers[]): Inherited {
  const members = new Map<string, string>();
  for (const level of levels) for (const [key, value] of level.members) members.set(key, value);
  return { members, text: documentOf(members) };
}

/**
 * What resolves over what: region, cell, labels in the order of their names, and the resource itself; a narrower
 * level replaces a broader level's value whole. This is the one place that says so for documents; where they were read
 * from, and of which moment they are, does not matter here.
 *
 * Each document is split once, and each combination of levels laid together once, however many subjects share it; again
 * only where there are more of them than can be kept. What the visibility hides is as if it were not set.
 */
export class Levels {
  private readonly levels = new Map<string, LevelMembers>();
  /** The labels' places in the order of their names. */
  private readonly labelOrder = new Map<number, number>();
  private readonly combinations = new Map<string, Inherited>();
  /** In characters: what is kept of combinations. */
  private kept = 0;
  private readonly combine: typeof inheritedFrom;

  /** @param combine lays levels over each other; it may remember what it did for others who see everything */
  constructor(
    levels: readonly (Level | LevelMembers)[],
    private readonly visibility: Visibility,
    combine: typeof inheritedFrom = inheritedFrom,
  ) {
    this.combine = visibility.isWhole ? combine : inheritedFrom;
    for (const level of levels) this.levels.set(keyOf(level.kind, level.id), visibleLevel(level, visibility));
    inOrderOfNames(levels.filter(({ kind }) => kind === 'label')).forEach(({ id }, place) =>
      this.labelOrder.set(id, place),
    );
  }

  /** The levels that a subject inherits from, broadest first; without its own, and without those that are not known. */
  of(subject: Subject): LevelMembers[] {
    const labels = labelIds(subject);
    return [
      this.levels.get(keyOf('region', subject.region_level)),
      this.levels.get(keyOf('cell', subject.cell_level)),
      ...(labels.length < 2 ? labels : this.inOrder(labels)).map((id) => this.levels.get(keyOf('label', id))),
    ].filter((level) => level !== undefined);
  }

  /** Every level of a subject, broadest first; the last is the subject itself, by its name as a level. */
  all(subject: Subject, self: Named): readonly ConsultedLevel[] {
    return [...this.of(subject), { ...self, members: this.own(subject) }];
  }

  /** A subject's resolved document as JSON text. */
  resolve(subject: Subject): string {
    return overlay(this.inherited(subject), visibleDocument(subject.own_variables, this.visibility));
  }

  /** A subject's own members. */
  own(subject: Subject): DocumentMembers {
    return visibleMembers(membersOf(subject.own_variables), this.visibility);
  }

  /** What a subject inherits, without its own. */
  inheritedBy(subject: Subject): DocumentMembers {
    return this.inherited(subject).members;
  }

  private inherited(subject: Subject): Inherited {
    const { region_level: region, cell_level: cell, label_levels: labels } = subject;
    if (region === null && cell === null && labels === null) return NOTHING;
    const combination = `${String(region)} ${String(cell)} ${labels ?? ''}`;
    let inherited = this.combinations.get(combination);
    if (!inherited) {
      inherited = this.combine(this.of(subject));
      this.keep(combination, inherited);
    }
    return inherited;
  }

  /** Keeps what a combination gives, for those that share it mostly come together; and forgets all others if it must. */
  private keep(combination: string, inherited: Inherited): void {
    const size = inherited.text.length + ROOM * inherited.members.size;
    if (this.kept + size > MOST_KEPT) {
      this.combinations.clear();
      this.kept = 0;
    }
    this.combinations.set(combination, inherited);
    this.kept += size;
  }

  /** Labels in the order of their names; one that is not known gives nothing, wherever it stands. */
  private inOrder(labels: readonly number[]): number[] {
    const place = (id: number) => this.labelOrder.get(id) ?? -1;
    return [...labels].sort((a, b) => place(a) - place(b));
  }
}

function visibleLevel(level: Level | LevelMembers, visibility: Visibility): LevelMembers {
  const { kind, id, name } = level;
  const all = 'members' in level ? level.members : membersOf(level.variables);
  if ('members' in level && visibility.isWhole) return level;
  return { kind, id, name, members: visibleMembers(all, visibility) };
}

const keyOf = (kind: LevelKind, id: number | null): string => `${kind} ${String(id)}`;

/** By code point, as the database orders names; JavaScript's own order is that of UTF-16. */
function inOrderOfNames<L extends Named>(levels: readonly L[]): L[] {
  return levels
    .map((level) => ({ level, name: Buffer.from(level.name) }))
    .sort((a, b) => Buffer.compare(a.name, b.name))
    .map(({ level }) => level);
}

/** Lays a resource's own document over what it inherits. */
function overlay(inherited: Inherited, own: string): string {
  if (own === '{}') return inherited.text;
  if (inherited.members.size === 0) return own;
  const ownMembers = membersOf(own);
  let overrides = false;
  for (const key of ownMembers.keys()) if (inherited.members.has(key)) overrides = true;
  const kept = overrides ? withoutKeys(inherited.members, ownMembers) : inherited.text;
  return kept === '{}' ? own : `${kept.slice(0, -1)}, ${own.slice(1)}`;
}

function withoutKeys(members: DocumentMembers, keys: DocumentMembers): string {
  let text = '';
  for (const [key, value] of members) {
    if (keys.has(key)) continue;
    text += text === '' ? `${key}: ${value}` : `, ${key}: ${value}`;
  }
  return `{${text}}`;
}
