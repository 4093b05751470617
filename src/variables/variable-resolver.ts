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
 * Resolves variables, as far as the caller may see them. It resolves a whole page with one query, and reads the
 * document of a region once, even if many hosts inherit it. Values are merged as JSON texts and never parsed (see
 * `LevelSet`), so no digit of a number is lost.
 */
@Injectable()
export class VariableResolver {
  constructor(
    private readonly database: Database,
    private readonly cache: KnownLevels,
    private readonly measurements: Measurements,
  ) {}

  /** @returns the resolved documents of targets, in order, as JSON texts; each is built when it is read */
  async resolve(
    ctx: RequestContext,
    targets: readonly Subject[],
    on: Queryable = this.database,
    at?: Moment,
  ): Promise<Iterable<string>> {
    const levels = await this.levels(ctx, targets, on, at);
    return (function* () {
      for (const target of targets) yield levels.resolve(target);
    })();
  }

  /** @returns the own documents of targets, in order, as JSON texts */
  own(ctx: RequestContext, targets: readonly Subject[]): string[] {
    return targets.map((target) => visibleDocument(target.own_variables, ctx.visibility));
  }

  /**
   * Reads the levels that targets inherit from, now or at a point in time. At most one query.
   * @param areCommitted whether the levels are committed; uncommitted levels are not cached
   */
  async levels(
    ctx: RequestContext,
    targets: readonly Subject[],
    on: Queryable = this.database,
    at?: Moment,
    areCommitted = readsOnlyCommitted(on),
  ): Promise<Levels> {
    this.measurements.resolved.inc(targets.length);
    const stopTimer = this.measurements.levelsRead.startTimer();
    try {
      if (at || !areCommitted) return new Levels(await this.readLevels(targets, on, at), ctx.visibility);
      const combine = (levels: readonly LevelMembers[]) => this.cache.inherited(levels);
      return new Levels(await this.cache.of(targets, on), ctx.visibility, combine);
    } finally {
      stopTimer();
    }
  }

  /** Reads the regions, cells and labels that targets inherit from, with their documents. */
  async readLevels(
    targets: readonly Subject[],
    on: Queryable = this.database,
    at?: Moment,
  ): Promise<Level[]> {
    const projects = new Set<string>();
    const regions = new Set<number>();
    const cells = new Set<number>();
    const labels = new Set<number>();
    for (const target of targets) {
      projects.add(target.project_id);
      if (target.region_level !== null) regions.add(target.region_level);
      if (target.cell_level !== null) cells.add(target.cell_level);
      for (const label of labelIds(target)) labels.add(label);
    }
    if (regions.size + cells.size + labels.size === 0) return [];
    if (at) return on.rows<Level & Record<string, unknown>>(pastLevels(targets, at));
    const [project, ...others] = projects;
    const inProjects =
      project !== undefined && others.length === 0
        ? sql`t.project_id = ${project}`
        : sql`t.project_id = ANY(${list([...projects])}::uuid[])`;
    const selectByIds = (wanted: ReadonlySet<number>, select: Sql, condition = sql`true`): Sql[] =>
      wanted.size === 0
        ? []
        : [sql`${select} t WHERE ${inProjects} AND t.id = ANY(${ids([...wanted])}) AND ${condition}`];
    const arms = [
      ...selectByIds(
        regions,
        sql`SELECT 'region' AS kind, t.id, t.name, t.variables::text AS variables FROM regions`,
      ),
      ...selectByIds(
        cells,
        sql`SELECT 'cell' AS kind, t.id, t.name, t.variables::text AS variables FROM cells`,
      ),
      ...selectByIds(
        labels,
        sql`SELECT 'label' AS kind, t.id, t.label AS name, t.variables::text AS variables FROM labels`,
        sql`t.variables <> '{}'`,
      ),
    ];
    return on.rows<Level & Record<string, unknown>>(join(arms, ' UNION ALL '));
  }
}

/** Whether reads return only committed rows. A transaction also reads its own writes, which can be rolled back. */
const readsOnlyCommitted = (on: Queryable): boolean => 'snapshot' in on;
