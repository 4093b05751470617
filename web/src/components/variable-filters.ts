import type { ListSearch } from './list-search';

/** One filter by variables. The service reads its text; the page shows it, in the notation of `where`. */
export interface VariableFilter {
  readonly parameter: 'vars' | 'where';
  readonly text: string;
}

/** The part of the search parameters that filters by variables. */
export type VariableSearch = Pick<ListSearch, 'vars' | 'where'>;

/** The filters by variables in effect, each one once. */
export function variableFiltersOf({ vars, where = [] }: VariableSearch): readonly VariableFilter[] {
  const filters = [
    ...(vars === undefined ? [] : split(vars)).map(asCondition),
    ...where.map((text) => ({ parameter: 'where', text }) as const),
  ];
  return filters.filter((filter, i) => filters.findIndex((other) => isSame(other, filter)) === i);
}

/** A filter of `vars` cannot contain a comma, not even in a string. */
const split = (vars: string): readonly VariableFilter[] =>
  [...new Set(vars.split(','))].map((text) => ({ parameter: 'vars', text }));

/** The search parameters of filters. */
export function searchOf(filters: readonly VariableFilter[]): VariableSearch {
  const textsOf = (parameter: VariableFilter['parameter']) => [
    ...new Set(filters.filter((filter) => filter.parameter === parameter).map(({ text }) => text)),
  ];
  const where = textsOf('where');
  return { vars: textsOf('vars').join(',') || undefined, where: where.length === 0 ? undefined : where };
}

/** `<path>:`, as only filters of `vars` begin. A string within the path may contain any character. */
const VARS = /^((?:[^\s":=!^~<>]|"(?:[^"\\]|\\.)*")+)\s*:\s*/su;

/** A filter of `vars` in the notation of `where`, which says the same: `kernel = "6.8"` for `kernel:"6.8"`. */
function asCondition(filter: VariableFilter): VariableFilter {
  const text = filter.text.trim();
  return filter.parameter === 'vars' && VARS.test(text)
    ? { parameter: 'where', text: text.replace(VARS, '$1 = ') }
    : filter;
}

/**
 * What was typed: filters of `vars`, or one condition of `where`. What is neither is a condition, whose error explains most. They stay
 * as they were typed, for the errors of the service, until they become search parameters.
 */
export function filtersIn(text: string): readonly VariableFilter[] {
  const typed = text.trim();
  if (typed === '') return [];
  return VARS.test(typed) ? split(typed) : [{ parameter: 'where', text: typed }];
}

/** The filters of a text that has one on each line. */
export const filtersInLines = (text: string): readonly VariableFilter[] =>
  text.split('\n').flatMap(filtersIn);

const isSame = (a: VariableFilter, b: VariableFilter): boolean =>
  a.parameter === b.parameter && a.text === b.text;

/** The search parameters with a filter replaced by others. */
export const withReplaced = (
  search: VariableSearch,
  filter: VariableFilter,
  others: readonly VariableFilter[],
): VariableSearch =>
  searchOf(
    variableFiltersOf(search).flatMap((one) => (isSame(one, filter) ? others.map(asCondition) : [one])),
  );

/** The search parameters with more filters. */
export const withAdded = (search: VariableSearch, added: readonly VariableFilter[]): VariableSearch =>
  searchOf([...variableFiltersOf(search), ...added.map(asCondition)]);
