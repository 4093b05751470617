import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../core/context/request-context';
import { Measurements } from '../core/app-metrics';
import { Database, type Queryable } from '../database/database';
import { ids, join, list, sql, type Sql } from '../database/sql';
import type { Moment } from '../changes/point-in-time';
import { KnownLevels } from './level-cache';
import { labelIds, Levels, type Level, type LevelMembers, type Subject } from './levels';
import { pastLevels } from './past-levels';
import { visibleDocument } from '../core/json/visible-document';

/**
 * Resolves variables, as far as the caller may see them. Works on a page at a time with one query, however many rows
 * it has, and never parses a value: JSON texts are laid over each other (see `Levels`), so every digit stays and a
 * region's document is read once, however many hosts show it.
 */
@Injectable()
export class VariableResolver {
  constructor(
    private readonly database: Database,
    private readonly known: KnownLevels,
    private readonly measurements: Measurements,
  ) {}

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

  /**
   * The levels that subjects inherit from, as they are by now, or were at a moment. At most one query.
   * @param areCommitted whether they are as others see them; if not, nothing of them is kept for later
   */
  async levels(
    ctx: RequestContext,
    subjects: readonly Subject[],
    on: Queryable = this.database,
    at?: Moment,
    areCommitted = seesOnlyWhatIsCommitted(on),
  ): Promise<Levels> {
    this.measurements.resolved.inc(subjects.length);
    const end = this.measurements.levelsRead.startTimer();
    try {
      if (at || !areCommitted) return new Levels(await this.readLevels(subjects, on, at), ctx.visibility);
      const combine = (levels: readonly LevelMembers[]) => this.known.inherited(levels);
      return new Levels(await this.known.of(subjects, on), ctx.visibility, combine);
    } finally {
      end();
    }
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
    const [project, ...others] = projects;
    const inProjects =
      project !== undefined && others.length === 0
        ? sql`t.project_id = ${project}`
        : sql`t.project_id = ANY(${list([...projects])}::uuid[])`;
    const of = (found: ReadonlySet<number>, select: Sql, condition = sql`true`): Sql[] =>
      found.size === 0
        ? []
        : [sql`${select} t WHERE ${inProjects} AND t.id = ANY(${ids([...found])}) AND ${condition}`];
    const found = [
      ...of(regions, sql`SELECT 'region' AS kind, t.id, t.name, t.variables::text AS variables FROM regions`),
      ...of(cells, sql`SELECT 'cell' AS kind, t.id, t.name, t.variables::text AS variables FROM cells`),
      ...of(
        labels,
        sql`SELECT 'label' AS kind, t.id, t.label AS name, t.variables::text AS variables FROM labels`,
        sql`t.variables <> '{}'`,
      ),
    ];
    return on.rows<Level & Record<string, unknown>>(join(found, ' UNION ALL '));
  }
}

/** A transaction does not: it sees what it has written, and may yet take back. */
const seesOnlyWhatIsCommitted = (on: Queryable): boolean => 'snapshot' in on;
