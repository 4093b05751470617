import type { VariableFilter } from '../../variables/filter/variable-filter';
import { parseFilters } from '../../variables/filter/vars-parser';
import { parseConditions } from '../../variables/filter/where-parser';

/** Filters on resolved variables, all of which must match: in the syntax of `vars`, and in that of `where`. */
export interface WrittenFilters {
  readonly vars?: string | null | undefined;
  readonly where?: readonly string[] | null | undefined;
}

/** Parses the filters of a target or of an expectation. */
export const filtersOf = ({ vars, where }: WrittenFilters): VariableFilter[] => [
  ...(typeof vars === 'string' ? parseFilters(vars) : []),
  ...parseConditions(where ?? []),
];
