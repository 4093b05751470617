import type { ListSearch } from './list-search';

/** One filter by variables. The service reads its text; the page shows it. */
export interface VariableFilter {
  readonly parameter: 'vars' | 'where';
  readonly text: string;
}

/** The part of the search parameters that filters by variables. */
export type VariableSearch = Pick<ListSearch, 'vars' | 'where'>;

/** The filters by variables in effect, each one once. */
export function variableFiltersOf({ vars, where = [] }: VariableSearch): readonly VariableFilter[] {
  return [
    ...(vars === undefined ? [] : split(vars)),
    ...[...new Set(where)].map((text) => ({ parameter: 'where', text }) as const),
  ];
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
const VARS = /^(?:[^\s":=!^~<>]|"(?:[^"\\]|\\.)*")+\s*:/su;

/** What was typed: filters of `vars`, or one condition of `where`. What is neither is a condition, whose error explains most. */
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
  searchOf(variableFiltersOf(search).flatMap((one) => (isSame(one, filter) ? others : [one])));

/** The search parameters with more filters. */
export const withAdded = (search: VariableSearch, added: readonly VariableFilter[]): VariableSearch =>
  searchOf([...variableFiltersOf(search), ...added]);
