import { Injectable } from '@nestjs/common';
import type { ProjectScope, RequestContext } from '../../core/context/request-context';
import { AppMetrics } from '../../core/app-metrics';
import type { Queryable } from '../../database/database';
import { OptionalIndexes } from '../../database/optional-indexes';
import { sql, type Sql } from '../../database/sql';
import type { Selection } from '../../lists/selection';
import { LEVEL_KINDS } from '../key-levels';
import type { Inheritance, InheritingResource } from '../levels';
import { readFilterLevels } from './filter-levels';
import { type FilterPlan, NO_MATCHES, planFilters } from './filter-plan';
import { matchCondition } from './match-condition';
import { canMatch, searchableFilter, type VariableFilter } from './variable-filter';

/** A filter, and the condition that a row `t` matches it. */
export interface FilterCondition {
  readonly filter: VariableFilter;
  readonly holds: Sql;
}

/** Compiles the parameters `vars` and `where` of lists: filters by resolved variables. */
@Injectable()
export class VariableFilterCompiler {
  constructor(
    private readonly metrics: AppMetrics,
    private readonly indexes: OptionalIndexes,
  ) {}

  /**
   * Finds the rows that match filters.
   * @param filters a row must match all of them
   * @param ofSeveralKinds whether matches can be of another kind than the given resource
   * @returns undefined if there are no filters
   */
  async select(
    ctx: RequestContext,
    { inheritance, mapping }: InheritingResource,
    filters: readonly VariableFilter[],
    scope: ProjectScope,
    ofSeveralKinds: boolean,
    on: Queryable,
  ): Promise<Selection | undefined> {
    if (filters.length === 0) return undefined;
    if (!filters.every(canMatch)) return this.selectionOf(NO_MATCHES);
    const searchable = filters.map((filter) => searchableFilter(filter, ctx.visibility));
    const stopTimer = this.metrics.filtersPlanned.startTimer();
    const kind = ofSeveralKinds ? undefined : mapping.kind;
    const filterLevels = await readFilterLevels(on, searchable, kind, inheritedKinds(inheritance), scope);
    const inBlocks = mapping.blockIndex !== undefined && (await this.indexes.has(mapping.blockIndex, on));
    const hidesKeys = !ctx.visibility.seesEverything;
    const plan = planFilters(filterLevels, { inheritance, kind, scope, inBlocks, hidesKeys });
    stopTimer();
    return this.selectionOf(plan);
  }

  private selectionOf({ startsFrom, selection }: FilterPlan): Selection {
    this.metrics.filters.inc({ starts_from: startsFrom });
    return selection;
  }

  /** Compiles each filter, in order, to the condition that a row `t` matches it. */
  async conditions(
    ctx: RequestContext,
    { inheritance, mapping }: InheritingResource,
    filters: readonly VariableFilter[],
    scope: ProjectScope,
    ofSeveralKinds: boolean,
    on: Queryable,
  ): Promise<FilterCondition[]> {
    const kind = ofSeveralKinds ? undefined : mapping.kind;
    const searchable = new Map(
      filters.filter(canMatch).map((filter) => [filter, searchableFilter(filter, ctx.visibility)]),
    );
    const filterLevels = await readFilterLevels(
      on,
      [...searchable.values()],
      kind,
      inheritedKinds(inheritance),
      scope,
    );
    return filters.map((filter) => {
      const levels = filterLevels.find((one) => one.filter === searchable.get(filter));
      return { filter, holds: levels ? matchCondition(levels, inheritance) : sql`false` };
    });
  }
}

const inheritedKinds = (inheritance: Inheritance) =>
  LEVEL_KINDS.filter((kind) => inheritance[kind === 'label' ? 'labels' : kind] !== undefined);
