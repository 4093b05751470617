import { InventoryError } from '../../core/errors';
import { MAX_FILTERS, parseFilters } from './vars-parser';
import type { VariableFilter } from './variable-filter';
import { parseConditions } from './where-parser';

/** The query parameters that filter by resolved variables. */
export const FILTER_PARAMETERS = ['vars', 'where'] as const;

/**
 * Parses the values of `vars` and `where`: all filters must match.
 * @param values of a query, by parameter
 * @throws InventoryError 400 with the position of a syntax error
 */
export function parseVariableFilters(values: ReadonlyMap<string, readonly string[]>): VariableFilter[] {
  const filters = (values.get('vars') ?? []).flatMap(parseFilters);
  if (filters.length > MAX_FILTERS)
    throw InventoryError.invalid('vars', 'too_long', `at most ${String(MAX_FILTERS)} filters are allowed`);
  return [...filters, ...parseConditions(values.get('where') ?? [])];
}
