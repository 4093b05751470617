import { Injectable } from '@nestjs/common';
import type { ProjectScope, RequestContext } from '../../shared/context/request-context';
import { InventoryError } from '../../shared/errors/inventory-error';
import { Database } from '../../shared/persistence/database';
import type { Inheriting } from '../inheritance';
import { readFilterLevels } from './filter-levels';
import { canMatch, MOST_FILTERS, parseFilters, type VariableFilter } from './filter-parser';
import { planFilters, type FilterPlan } from './filter-plan';

/** The `vars` parameter of lists: filters by resolved variables. */
@Injectable()
export class VariableFilters {
  constructor(private readonly database: Database) {}

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
  ): Promise<FilterPlan | undefined> {
    if (texts.length === 0) return undefined;
    const filters = texts.flatMap(parseFilters);
    if (filters.length > MOST_FILTERS)
      throw InventoryError.invalid('vars', `at most ${String(MOST_FILTERS)} filters are allowed`);
    const canBeSet = (filter: VariableFilter) => canMatch(filter) && ctx.visibility.sees(filter.key);
    if (!filters.every(canBeSet)) return { branches: [], conditions: [] };
    const levels = (['region', 'cell', 'label'] as const).filter(
      (level) => inheritance[level === 'label' ? 'labels' : level] !== undefined,
    );
    const kind = ofSeveralKinds ? undefined : shape.kind;
    const read = await readFilterLevels(this.database, filters, kind, levels, scope);
    return planFilters(read, inheritance, kind, scope);
  }
}
