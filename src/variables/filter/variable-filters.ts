import { Injectable } from '@nestjs/common';
import type { ProjectScope } from '../../shared/context/request-context';
import { InventoryError } from '../../shared/errors/inventory-error';
import { Database } from '../../shared/persistence/database';
import type { Inheriting } from '../inheritance';
import { readFilterLevels } from './filter-levels';
import { isPossibleKey, parseFilters } from './filter-parser';
import { planFilters, type FilterPlan } from './filter-plan';

/** The `vars` parameter of lists: filters by resolved variables. */
@Injectable()
export class VariableFilters {
  constructor(private readonly database: Database) {}

  /**
   * Plans how a list is read. @param texts the values of the parameter; all filters in all of them must hold
   * @returns undefined if there are none
   * @throws InventoryError 400 that says where a filter is wrong
   */
  async plan(
    listing: Inheriting,
    texts: readonly string[],
    scope: ProjectScope,
  ): Promise<FilterPlan | undefined> {
    if (texts.length === 0) return undefined;
    if (texts.length > 16) throw InventoryError.invalid('vars', 'at most 16 filters are allowed');
    const filters = parseFilters(texts.join(','));
    if (!filters.every(isPossibleKey)) return { branches: [], conditions: [] };
    const { inheritance, shape } = listing;
    const levels = (['region', 'cell', 'label'] as const).filter(
      (level) => inheritance[level === 'label' ? 'labels' : level] !== undefined,
    );
    return planFilters(
      await readFilterLevels(this.database, filters, [shape.kind], levels, scope),
      inheritance,
    );
  }
}
