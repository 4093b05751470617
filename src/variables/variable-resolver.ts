import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../shared/context/request-context';
import { Database, type Queryable } from '../shared/persistence/database';
import { list, raw, sql, type Sql } from '../shared/persistence/sql';
import type { Inheritance } from './inheritance';
import type { Moment } from '../changes/moment';
import { variablesUpTo } from '../changes/past-state';
import { labelIds, Levels, type Level, type Subject } from './levels';
import { pastLevels } from './past-levels';
import { visibleDocument } from '../shared/json/visible-document';

/** The columns of a `Subject` over `t`. @param at the moment that `t` is of */
export function subjectColumns(inheritance: Inheritance, at?: Moment): Sql {
  const { region = 'NULL::bigint', cell = 'NULL::bigint', labels } = inheritance;
  if (at) {
    const carried = labels ? sql`NULLIF(array_to_string(t.label_ids, ','), '')` : sql`NULL::text`;
    return sql`t.project_id, ${variablesUpTo} AS own_variables, ${raw(region)} AS region_level,
      ${raw(cell)} AS cell_level, ${carried} AS label_levels`;
  }
  const labelIds = labels
    ? `(SELECT string_agg(a.label_id::text, ',') FROM ${labels.table} a
        WHERE a.project_id = t.project_id AND a.${labels.owner} = t.id)`
    : 'NULL::text';
  return raw(`t.project_id, t.variables::text AS own_variables, ${region} AS region_level, ${cell} AS cell_level,
    ${labelIds} AS label_levels`);
}

/**
 * Resolves variables, as far as the caller may see them. Works on a page at a time with one query, however many rows
 * it has, and never parses a value: JSON texts are laid over each other (see `Levels`), so every digit stays and a
 * region's document is read once, however many hosts show it.
 */
@Injectable()
export class VariableResolver {
  constructor(private readonly database: Database) {}

  /** @returns for each subject, in order, its resolved document as JSON text; put together only when taken */
  async resolve(
    ctx: RequestContext,
    subjects: readonly Subject[],
    on: Queryable = this.database,
    at?: Moment,
  ): Promise<Iterable<string>> {
    const levels = await this.levels(ctx, subjects, on, at);
    return (function* () {
      for (const subject of subjects) yield levels.resolve(subject);
    })();
  }

  /** @returns for each subject, in order, its own document as JSON text */
  own(ctx: RequestContext, subjects: readonly Subject[]): string[] {
    return subjects.map((subject) => visibleDocument(subject.own_variables, ctx.visibility));
  }

  /** The levels that subjects inherit from, as they are by now, or were at a moment. One query. */
  async levels(
    ctx: RequestContext,
    subjects: readonly Subject[],
    on: Queryable = this.database,
    at?: Moment,
  ): Promise<Levels> {
    return new Levels(await this.readLevels(subjects, on, at), ctx.visibility);
  }

  /** The regions, cells and labels that subjects inherit from, with their documents. */
  async readLevels(
    subjects: readonly Subject[],
    on: Queryable = this.database,
    at?: Moment,
  ): Promise<Level[]> {
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
    if (at) return on.rows<Level & Record<string, unknown>>(pastLevels(subjects, at));
    const inProjects = sql`t.project_id = ANY(${list([...projects])}::uuid[])`;
    return on.rows<Level & Record<string, unknown>>(sql`
      SELECT 'region' AS kind, t.id, t.name, t.variables::text AS variables FROM regions t
      WHERE ${inProjects} AND t.id = ANY(${list([...regions])}::bigint[])
      UNION ALL
      SELECT 'cell', t.id, t.name, t.variables::text FROM cells t
      WHERE ${inProjects} AND t.id = ANY(${list([...cells])}::bigint[])
      UNION ALL
      SELECT 'label', t.id, t.label, t.variables::text FROM labels t
      WHERE ${inProjects} AND t.id = ANY(${list([...labels])}::bigint[]) AND t.variables <> '{}'`);
  }
}
