import { Injectable } from '@nestjs/common';
import { documentOf, membersOf, type DocumentMembers } from '../shared/json/document';
import { Database, type Queryable } from '../shared/persistence/database';
import { list, raw, sql, type Sql } from '../shared/persistence/sql';
import type { Inheritance } from './inheritance';

/** A row whose variables are to be resolved: its own document, and the levels that it inherits from. */
export interface Subject {
  readonly project_id: string;
  readonly own_variables: string;
  readonly region_level: number | null;
  readonly cell_level: number | null;
  /** Ids of labels, joined by `,`. */
  readonly label_levels: string | null;
}

type LevelKind = 'region' | 'cell' | 'label';

/** The document of one region, cell or label. */
interface Level {
  readonly kind: LevelKind;
  readonly id: number;
  readonly variables: string;
}

/** The columns of a `Subject` over `t`. */
export function subjectColumns(inheritance: Inheritance): Sql {
  const { region = 'NULL::bigint', cell = 'NULL::bigint', labels } = inheritance;
  const labelIds = labels
    ? `(SELECT string_agg(a.label_id::text, ',') FROM ${labels.table} a
        WHERE a.project_id = t.project_id AND a.${labels.owner} = t.id)`
    : 'NULL::text';
  return raw(`t.project_id, t.variables::text AS own_variables, ${region} AS region_level, ${cell} AS cell_level,
    ${labelIds} AS label_levels`);
}

/**
 * Resolves variables: region, cell, labels in the order of their names, and the resource itself; a narrower level
 * replaces a broader level's value whole. Works on a page at a time with one query, however many rows it has, and
 * never parses a value: JSON texts are laid over each other, so every digit stays and a region's document is read
 * once, however many hosts show it.
 */
@Injectable()
export class VariableResolver {
  constructor(private readonly database: Database) {}

  /** @returns for each subject, in order, its resolved document as JSON text; put together only when taken */
  async resolve(subjects: readonly Subject[], on: Queryable = this.database): Promise<Iterable<string>> {
    const levels = new Levels(await this.readLevels(subjects, on));
    return (function* () {
      for (const subject of subjects) yield levels.resolve(subject);
    })();
  }

  private async readLevels(subjects: readonly Subject[], on: Queryable): Promise<Level[]> {
    const projects = new Set<string>();
    const regions = new Set<number>();
    const cells = new Set<number>();
    const labels = new Set<number>();
    for (const subject of subjects) {
      projects.add(subject.project_id);
      if (subject.region_level !== null) regions.add(subject.region_level);
      if (subject.cell_level !== null) cells.add(subject.cell_level);
      for (const label of labelIds(subject)) labels.add(label);
    }
    if (regions.size + cells.size + labels.size === 0) return [];
    const inProjects = sql`t.project_id = ANY(${list([...projects])}::uuid[])`;
    return on.rows<Level & Record<string, unknown>>(sql`
      SELECT 'region' AS kind, t.id, t.variables::text AS variables, NULL::text COLLATE "C" AS label FROM regions t
      WHERE ${inProjects} AND t.id = ANY(${list([...regions])}::bigint[])
      UNION ALL
      SELECT 'cell', t.id, t.variables::text, NULL FROM cells t
      WHERE ${inProjects} AND t.id = ANY(${list([...cells])}::bigint[])
      UNION ALL
      SELECT 'label', t.id, t.variables::text, t.label FROM labels t
      WHERE ${inProjects} AND t.id = ANY(${list([...labels])}::bigint[]) AND t.variables <> '{}'
      ORDER BY label`);
  }
}

const labelIds = (subject: Subject): number[] =>
  subject.label_levels === null ? [] : subject.label_levels.split(',').map(Number);

/** What a combination of levels gives to everything below it. */
interface Inherited {
  readonly members: DocumentMembers;
  /** The whole, for the many that override nothing of it. */
  readonly text: string;
}

const NOTHING: Inherited = { members: new Map(), text: '{}' };

/** The levels of one page, each document split once, each combination laid together once. */
class Levels {
  private readonly documents = new Map<string, DocumentMembers>();
  /** The labels' places in the order of their names, which the database knows. */
  private readonly labelOrder = new Map<number, number>();
  private readonly combinations = new Map<string, Inherited>();

  constructor(levels: readonly Level[]) {
    for (const { kind, id, variables } of levels) {
      this.documents.set(`${kind} ${String(id)}`, membersOf(variables));
      if (kind === 'label') this.labelOrder.set(id, this.labelOrder.size);
    }
  }

  resolve(subject: Subject): string {
    return overlay(this.inherited(subject), subject.own_variables);
  }

  private inherited(subject: Subject): Inherited {
    const { region_level: region, cell_level: cell, label_levels: labels } = subject;
    if (region === null && cell === null && labels === null) return NOTHING;
    const combination = `${String(region)} ${String(cell)} ${labels ?? ''}`;
    let inherited = this.combinations.get(combination);
    if (!inherited) {
      const members = new Map<string, string>();
      for (const level of this.levelsOf(subject))
        for (const [key, value] of this.documents.get(level) ?? []) members.set(key, value);
      inherited = { members, text: documentOf(members) };
      this.combinations.set(combination, inherited);
    }
    return inherited;
  }

  /** Broadest first. */
  private levelsOf(subject: Subject): string[] {
    const labels = labelIds(subject)
      .filter((id) => this.labelOrder.has(id))
      .sort((a, b) => (this.labelOrder.get(a) ?? 0) - (this.labelOrder.get(b) ?? 0));
    return [
      `region ${String(subject.region_level)}`,
      `cell ${String(subject.cell_level)}`,
      ...labels.map((id) => `label ${String(id)}`),
    ];
  }
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
