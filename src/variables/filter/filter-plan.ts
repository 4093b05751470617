import { candidateIds } from './candidate-ids';
import type { FilterLevels } from './filter-levels';
import { createSources, type FilteredList, inIdOrder, ownSources, valuesSource } from './filter-sources';
import { hasMatchingLevel, matchCondition, matchesNothing, matchingLevels } from './match-condition';
import { expectedWholeValue } from './variable-filter';
import type { AccessPath, Candidates, Selection } from '../../lists/selection';
import type { FilterStart } from '../../core/app-metrics';

/** How a filtered list is read without reading all of its rows. */
export interface FilterPlan {
  /** Which values the leading filter starts from. */
  readonly startsFrom: FilterStart;
  /** The rows that match all filters, with an access path for each. Which one leads is only an estimate. */
  readonly selection: Selection;
}

/** The plan of filters that nothing can match. */
export const NO_MATCHES: FilterPlan = {
  startsFrom: 'nothing',
  selection: { kind: 'sources', conditions: [], sources: [] },
};

/**
 * Plans filters by resolved values without resolving every device. It starts from the few levels whose value matches.
 * Devices match by their own document, by a label, by their cell or by their region. These are disjoint sources, and
 * each is read through its own index. One filter leads the read; the others are conditions on its results.
 */
export function planFilters(filters: readonly FilterLevels[], of: FilteredList): FilterPlan {
  const sorted = [...filters].sort((a, b) => estimateMatches(a) - estimateMatches(b));
  const [leading, ...others] = sorted;
  if (!leading || filters.some(matchesNothing) || haveContradiction(filters)) return NO_MATCHES;
  const toPath = (filter: FilterLevels): AccessPath => ({
    sources: createSources(filter, of, ownSources(filter, of)),
    match: matchCondition(filter, of.inheritance),
  });
  const otherPaths = others.map(toPath);
  const values = others.length === 0 ? valuesSource(leading, of) : undefined;
  const isOwnOnly = others.length === 0 && !hasMatchingLevel(leading);
  return {
    startsFrom: startOf(leading),
    selection: {
      kind: 'filtered',
      conditions: otherPaths.map(({ match }) => match),
      paths: [toPath(leading), ...otherPaths],
      inIdOrder: isOwnOnly ? inIdOrder(leading, of) : undefined,
      byValues: values && createSources(leading, of, [values]),
      candidates: others.length > 0 || values ? candidatesOf(filters, of) : undefined,
      planning: 'custom',
    },
  };
}

/** Where nobody sets a key, all regions match that do not set it. More than any number of regions that set one. */
const MANY_REGIONS = 1e12;

/** A rough estimate of the number of matches: a region has more devices than a cell, and a cell more than a label. */
const estimateMatches = ({ regions, cells, labels, matchesUnset }: FilterLevels): number =>
  (matchesUnset ? MANY_REGIONS : 0) +
  matchingLevels(regions).length * 10_000 +
  matchingLevels(cells).length * 100 +
  matchingLevels(labels).length;

/**
 * Whether two filters compare a variable with different values, and every value of it is a scalar or matches not both. An array
 * can match both.
 */
const haveContradiction = (filters: readonly FilterLevels[]): boolean =>
  filters.some((a, i) => filters.slice(i + 1).some((b) => areContradictory(a, b)));

function areContradictory(a: FilterLevels, b: FilterLevels): boolean {
  const [x, y] = [expectedWholeValue(a.filter), expectedWholeValue(b.filter)];
  if (a.filter.key !== b.filter.key || x === undefined || y === undefined) return false;
  // Different numbers in JavaScript are different decimals.
  if (JSON.parse(x) === JSON.parse(y)) return false;
  const matchesBoth = (kind: 'regions' | 'cells' | 'labels') =>
    matchingLevels(a[kind]).some(({ id }) => matchingLevels(b[kind]).some((other) => other.id === id));
  return (
    [a, b].every(({ hasScalarsOnly }) => hasScalarsOnly) &&
    !matchesBoth('regions') &&
    !matchesBoth('cells') &&
    !matchesBoth('labels')
  );
}

function candidatesOf(filters: readonly FilterLevels[], list: FilteredList): Candidates | undefined {
  const { kind, scope, inheritance } = list;
  return kind === undefined || scope === 'every project'
    ? undefined
    : candidateIds(filters, { kind, project: scope.project, inheritance });
}

function startOf(filter: FilterLevels): FilterStart {
  if (filter.own.length === 0) return 'inherited';
  return hasMatchingLevel(filter) ? 'own and inherited' : 'own';
}
