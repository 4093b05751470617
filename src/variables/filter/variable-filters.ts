import { Injectable } from '@nestjs/common';
import type { ProjectScope, RequestContext } from '../../core/context/request-context';
import { InventoryError } from '../../core/errors/inventory-error';
import { Measurements } from '../../core/app-metrics';
import { Database, type Queryable } from '../../database/database';
import { sql, type Sql } from '../../database/sql';
import type { Inheritance, Inheriting } from '../inheritance';
import { readFilterLevels } from './filter-levels';
import { canMatch, MOST_FILTERS, parseFilters, searchableFilter, type VariableFilter } from './filter-parser';
import { matchOf, planFilters, type FilterPlan } from './filter-plan';

/** One filter, and the condition that it holds. */
export interface FilterCondition {
  readonly filter: VariableFilter;
  readonly holds: Sql;
}

/** The `vars` parameter of lists: filters by resolved variables. */
@Injectable()
export class VariableFilters {
  private readonly indexes = new Map<string, boolean>();

  constructor(
    private readonly database: Database,
    private readonly measurements: Measurements,
  ) {}

  /**
   * Plans how a list is read.
   * @param texts the values of the parameter; all filters in all of them must hold
   * @param ofSeveralKinds whether what matches may be of another kind than the listing's
   * @returns undefined if there are none
   * @throws InventoryError 400 that says where a filter is wrong
   */
  async plan(
    ctx: RequestContext,
    { inheritance, shape }: Inheriting,
    texts: readonly string[],
    scope: ProjectScope,
    ofSeveralKinds: boolean,
    on: Queryable = this.database,
  ): Promise<FilterPlan | undefined> {
    if (texts.length === 0) return undefined;
    const filters = texts.flatMap(parseFilters);
    if (filters.length > MOST_FILTERS)
      throw InventoryError.invalid('vars', `at most ${String(MOST_FILTERS)} filters are allowed`);
    if (!filters.every(canMatch)) return this.counted({ branches: [], conditions: [] });
    const searched = filters.map((filter) => searchableFilter(filter, ctx.visibility));
    const end = this.measurements.filtersPlanned.startTimer();
    const kind = ofSeveralKinds ? undefined : shape.kind;
    const read = await readFilterLevels(on, searched, kind, levelsOf(inheritance), scope);
    const inBlocks = shape.blockIndex !== undefined && (await this.hasIndex(shape.blockIndex, on));
    const plan = planFilters(read, { inheritance, kind, scope, inBlocks });
    end();
    return this.counted(plan);
  }

  private counted(plan: FilterPlan): FilterPlan {
    this.measurements.filters.inc({ begins_from: plan.beginsFrom ?? 'nothing' });
    return plan;
  }

  /** Asked once: a schema does not change under a program that runs. */
  private async hasIndex(name: string, on: Queryable): Promise<boolean> {
    const known = this.indexes.get(name);
    if (known !== undefined) return known;
    const rows = await on.rows(sql`SELECT WHERE to_regclass(${name}) IS NOT NULL`);
    this.indexes.set(name, rows.length > 0);
    return rows.length > 0;
  }

  /**
   * For each filter of a text, in order, the condition that it holds for a row `t`.
   * @throws InventoryError 400 that says where a filter is wrong
   */
  async conditions(
    ctx: RequestContext,
    { inheritance, shape }: Inheriting,
    text: string,
    scope: ProjectScope,
    ofSeveralKinds: boolean,
    on: Queryable = this.database,
  ): Promise<FilterCondition[]> {
    const filters = parseFilters(text);
    const kind = ofSeveralKinds ? undefined : shape.kind;
    const searched = new Map(
      filters.filter(canMatch).map((filter) => [filter, searchableFilter(filter, ctx.visibility)]),
    );
    const read = await readFilterLevels(on, [...searched.values()], kind, levelsOf(inheritance), scope);
    return filters.map((filter) => {
      const levels = read.find((one) => one.filter === searched.get(filter));
      return { filter, holds: levels ? matchOf(levels, inheritance) : sql`false` };
    });
  }
}

const levelsOf = (inheritance: Inheritance) =>
  (['region', 'cell', 'label'] as const).filter(
    (level) => inheritance[level === 'label' ? 'labels' : level] !== undefined,
  );
