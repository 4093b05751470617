import type { ProjectScope } from '../../core/context/request-context';
import { hasNestedValue } from '../../database/resource-sql';
import { and, arrayParameter, opaqueArray, raw, sql, type Sql } from '../../database/sql';
import { candidateIds, hasValue } from './candidate-ids';
import type { FilterLevel, FilterLevels } from './filter-levels';
import { matchesFilter } from './document-test';
import { expectedWholeValue, isIndexable, type VariableFilter } from './variable-filter';
import { allLevels, type KeyLevels, narrowestValue, noNarrowerSets } from '../key-levels';
import type {
  AccessPath,
  JoinSource,
  LookUpSource,
  Selection,
  Source,
  TableSource,
} from '../../lists/selection';
import type { Inheritance } from '../levels';
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

/** The filtered list. */
interface FilteredList {
  readonly inheritance: Inheritance;
  /** The kind of the listed resources; undefined: several kinds. */
  readonly kind: string | undefined;
  readonly scope: ProjectScope;
  /** Whether the index of documents can search one block of ids at a time. */
  readonly inBlocks: boolean;
  /** Whether the project hides variables from the caller. */
  readonly hidesKeys: boolean;
}

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
    match: resolvedMatch(filter, of.inheritance),
  });
  const otherPaths = others.map(toPath);
  const isOwnOnly = others.length === 0 && !hasMatchingLevel(leading);
  return {
    startsFrom: startOf(leading),
    selection: {
      kind: 'filtered',
      conditions: otherPaths.map(({ match }) => match),
      paths: [toPath(leading), ...otherPaths],
      inIdOrder: isOwnOnly ? valueHashSource(leading, of) : undefined,
      candidates: others.length > 0 ? candidatesOf(filters, of) : undefined,
      planning: 'custom',
    },
  };
}

const matchingLevels = (levels: readonly FilterLevel[]) => levels.filter(({ value }) => value);
const ids = (levels: readonly FilterLevel[]) =>
  sql`${arrayParameter(levels.map((level) => level.id))}::bigint[]`;

/** Where nobody sets a key, all regions match that do not set it. More than any number of regions that set one. */
const MANY_REGIONS = 1e12;

/** A rough estimate of the number of matches: a region has more devices than a cell, and a cell more than a label. */
const estimateMatches = ({ regions, cells, labels, matchesUnset }: FilterLevels): number =>
  (matchesUnset ? MANY_REGIONS : 0) +
  matchingLevels(regions).length * 10_000 +
  matchingLevels(cells).length * 100 +
  matchingLevels(labels).length;

const matchesNothing = (filter: FilterLevels): boolean =>
  filter.own.length === 0 && !hasMatchingLevel(filter);

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

function candidatesOf(filters: readonly FilterLevels[], list: FilteredList): Sql | undefined {
  const { kind, scope, inheritance } = list;
  return kind === undefined || scope === 'every project'
    ? undefined
    : candidateIds(filters, { kind, project: scope.project, inheritance });
}

/** Levels that set a key. `matchesUnset`: a resource of which no level sets it matches. */
type MatchLevels = KeyLevels<FilterLevel, unknown> & { readonly matchesUnset?: boolean };

/** Whether a resource without an own value can match. */
const hasMatchingLevel = (levels: MatchLevels): boolean =>
  levels.matchesUnset === true || allLevels(levels).some(({ value }) => value);

function startOf(filter: FilterLevels): FilterStart {
  if (filter.own.length === 0) return 'inherited';
  return hasMatchingLevel(filter) ? 'own and inherited' : 'own';
}

/**
 * The resources whose own document matches, read through the index of documents if it can answer the filter. An equality with a
 * wildcard matches a value at any place within a variable: it is read through the index of nested values or, if few resources
 * set the key or many have the value, through the resources that set the key. So are all other filters.
 */
function ownSources(levels: FilterLevels, list: FilteredList): Source[] {
  const { filter, own, isRareKey } = levels;
  if (own.length === 0) return [];
  // What does not set the key matches `missing`, too, but belongs to other sources.
  const where = levels.matchesUnset
    ? sql`t.variables ? ${filter.key} AND ${ownMatch(filter)}`
    : ownMatch(filter);
  const base = { drivingRows: inProjects(own, list.scope), where };
  if (isIndexable(filter)) return [{ ...base, kind: list.inBlocks ? 'blocks' : 'unordered' }];
  const ofKey: TableSource | JoinSource =
    list.kind === undefined
      ? { ...base, kind: 'table' }
      : {
          ...base,
          kind: 'join',
          joined: { ...correlations, where: sql`v.object_type = ${list.kind} AND v.key = ${filter.key}` },
        };
  // The index of nested values contains those of all keys: its time would tell whether a hidden variable has the value.
  const { predicate } = filter;
  if (isRareKey || !list.inBlocks || list.hidesKeys || predicate.operator !== '=') return [ofKey];
  const found = hasNestedValue(predicate.value);
  return [{ ...base, kind: 'rechecked blocks', where: found, recheck: where, alternative: ofKey }];
}

/**
 * The resources whose own document matches, in id order, read through the index of value hashes; undefined if that index
 * cannot answer the filter.
 */
function valueHashSource(levels: FilterLevels, list: FilteredList): LookUpSource | undefined {
  const { filter, own, hasScalarsOnly } = levels;
  const { kind } = list;
  if (kind === undefined || !hasScalarsOnly) return undefined;
  const project = list.scope === 'every project' ? sql`s.project_id` : list.scope.project;
  const ofValue = hasValue(filter, { project, kind });
  if (!ofValue) return undefined;
  return {
    kind: 'look up',
    drivingRows: inProjects(own, list.scope),
    // Another value can have the same hash.
    where: ownMatch(filter),
    joined: { ...correlations, where: ofValue },
  };
}

/** The projects of a source, which only a list of every project needs. */
const inProjects = (projects: readonly string[], scope: ProjectScope): Sql | undefined =>
  scope === 'every project' ? sql`unnest(${arrayParameter(projects)}::uuid[]) AS s (project_id)` : undefined;

const correlations = {
  table: sql`variable_correlations v`,
  projectColumn: sql`v.project_id`,
  idColumn: sql`v.object_id`,
};

/** Whether the own document matches. */
const ownMatch = (filter: VariableFilter): Sql => matchesFilter(filter, sql`t.variables`);

function createSources(
  filter: FilterLevels,
  { inheritance, scope }: FilteredList,
  ownSources: readonly Source[],
): Source[] {
  const { own, cells, labels } = filter;
  const isUnset = {
    own: own.length > 0 ? sql`NOT t.variables ? ${filter.filter.key}` : undefined,
    label: labels.length > 0 ? sql`NOT ${hasLabel(inheritance, labels)}` : undefined,
    cell: cells.length > 0 ? sql`(t.cell_id IS NULL OR t.cell_id <> ALL(${ids(cells)}))` : undefined,
  };
  const sources = [...ownSources];
  if (matchingLevels(labels).length > 0)
    sources.push(labelSource(labels, inheritance, noNarrowerSets('label', isUnset)));
  if (matchingLevels(cells).length > 0)
    sources.push({
      kind: 'table',
      drivingRows: drivingRows(cells),
      where: and([sql`t.cell_id = s.id`, ...noNarrowerSets('cell', isUnset)]),
    });
  const rows = regionRows(filter, inheritance, scope);
  const conditions = noNarrowerSets('region', isUnset);
  if (rows === 'whole table') sources.push({ kind: 'table', drivingRows: undefined, where: and(conditions) });
  else if (rows)
    sources.push({
      kind: 'table',
      drivingRows: rows,
      where: and([sql`t.region_id = s.id`, ...conditions]),
    });
  return sources;
}

/**
 * The regions whose resources match if no narrower level sets the key, as the driving rows of a source; undefined if there are
 * none. Resources that inherit from nothing are the whole table.
 */
function regionRows(
  { regions, matchesUnset }: FilterLevels,
  inheritance: Inheritance,
  scope: ProjectScope,
): Sql | 'whole table' | undefined {
  if (!matchesUnset) return matchingLevels(regions).length > 0 ? drivingRows(regions) : undefined;
  if (inheritance.region === undefined) return 'whole table';
  // Not their ids: there can be thousands.
  const inScope = scope === 'every project' ? sql`true` : sql`r.project_id = ${scope.project}`;
  return sql`(SELECT r.project_id, r.id FROM regions r WHERE ${inScope} AND ${isNoneOf(sql`r.id`, regions)}) AS s`;
}

/** Whether an id is that of no level that does not match. */
function isNoneOf(id: Sql, levels: readonly FilterLevel[]): Sql {
  const others = levels.filter(({ value }) => !value);
  return others.length === 0 ? sql`true` : sql`${id} <> ALL(${ids(others)})`;
}

/** The matching levels, as the driving rows of a source. */
function drivingRows(levels: readonly FilterLevel[]): Sql {
  const found = matchingLevels(levels);
  const projects = opaqueArray(
    found.map((level) => level.project_id),
    'uuid',
  );
  return sql`unnest(${projects}, (SELECT ${ids(found)})) AS s (project_id, id)`;
}

/** The resources whose last label that defines the key matches, if the labels decide. */
function labelSource(
  labels: readonly FilterLevel[],
  inheritance: Inheritance,
  conditions: readonly Sql[],
): JoinSource {
  const found = labels.map((level, rank) => ({ level, rank })).filter(({ level }) => level.value);
  const { table, owner } = assignments(inheritance);
  return {
    kind: 'join',
    drivingRows: sql`unnest(${arrayParameter(found.map(({ level }) => level.project_id))}::uuid[],
      ${arrayParameter(found.map(({ level }) => level.id))}::bigint[], ${arrayParameter(found.map(({ rank }) => rank + 1))}::bigint[])
      AS s (project_id, id, rank)`,
    joined: {
      table: sql`${table} a`,
      projectColumn: sql`a.project_id`,
      idColumn: sql`a.${owner}`,
      where: sql`a.label_id = s.id AND a.project_id = s.project_id`,
    },
    where: and([...conditions, sql`(SELECT ${lastRank(labels)} FROM ${labelsOf(inheritance)} b) = s.rank`]),
  };
}

function assignments({ labels }: Inheritance): { table: Sql; owner: Sql } {
  if (!labels) throw new Error('a resource that does not inherit from labels cannot be filtered by labels');
  return { table: raw(labels.table), owner: raw(labels.owner) };
}

/**
 * The labels of `t`. OFFSET 0 makes the planner look them up row by row. As a join, it could hash all assignments of
 * the project, or look up each of the wanted labels.
 */
function labelsOf(inheritance: Inheritance): Sql {
  const { table, owner } = assignments(inheritance);
  return sql`(SELECT b.label_id FROM ${table} b WHERE b.project_id = t.project_id AND b.${owner} = t.id OFFSET 0)`;
}

/** The rank of the last label that defines the key, of the labels `b` of a row: its place in `labels`, from 1, or null. */
const lastRank = (labels: readonly FilterLevel[]): Sql =>
  sql`max(array_position(${ids(labels)}, b.label_id))`;

const hasLabel = (inheritance: Inheritance, labels: readonly FilterLevel[]): Sql =>
  sql`EXISTS (SELECT FROM ${labelsOf(inheritance)} b WHERE b.label_id = ANY(${ids(labels)}) OFFSET 0)`;

/** Whether a row `t` matches a filter, as a condition. */
export const matchCondition = (filter: FilterLevels, inheritance: Inheritance): Sql =>
  matchesNothing(filter) ? sql`false` : resolvedMatch(filter, inheritance);

/** Whether the resolved value of a row `t` matches, as a condition on rows of other access paths. */
const resolvedMatch = (levels: FilterLevels, inheritance: Inheritance): Sql =>
  matchConditionByLevels(levels, levels.filter.key, ownMatch(levels.filter), inheritance);

/**
 * Whether the resolved value of a row `t` matches, by the narrowest level that defines the key.
 * @param levels the levels that define the key, and whether their values match
 * @param isOwnMatch whether the row has an own value that matches, as a condition
 */
export function matchConditionByLevels(
  levels: MatchLevels,
  key: string,
  isOwnMatch: Sql,
  inheritance: Inheritance,
): Sql {
  // A plain condition, which an index can serve.
  if (!hasMatchingLevel(levels)) return isOwnMatch;
  const { own, regions, cells, labels, matchesUnset = false } = levels;
  const [inRegions, inCells] = [matchingLevels(regions), matchingLevels(cells)];
  const hasRegions = matchesUnset || inRegions.length > 0;
  // Without a matching region, a cell that defines the key is like one that does not, unless it matches.
  const hasCells = (hasRegions ? cells : inCells).length > 0;
  const location = narrowestValue({
    region: hasRegions
      ? {
          value: matchesUnset
            ? isNoneOf(sql`t.region_id`, regions)
            : sql`t.region_id = ANY(${ids(inRegions)})`,
        }
      : undefined,
    cell: hasCells
      ? {
          value: sql`(t.cell_id IS NOT NULL AND t.cell_id = ANY(${ids(inCells)}))`,
          isSet: sql`t.cell_id = ANY(${ids(cells)})`,
        }
      : undefined,
  });
  // The labels of a row are looked up last. If none of them matches, few rows need that.
  const hasMatchingLabel = matchingLevels(labels).length > 0;
  const inherited =
    labels.length > 0 && !hasMatchingLabel
      ? sql`(${location}) AND NOT ${hasLabel(inheritance, labels)}`
      : location;
  return sql`(${narrowestValue({
    region: hasRegions || hasCells ? { value: inherited } : undefined,
    label: hasMatchingLabel ? { value: lastLabelMatches(labels, inheritance) } : undefined,
    own: own.length > 0 ? { value: isOwnMatch, isSet: sql`t.variables ? ${key}` } : undefined,
  })})`;
}

/** Whether the last label that defines the key matches; NULL if no label of the row defines it. */
function lastLabelMatches(labels: readonly FilterLevel[], inheritance: Inheritance): Sql {
  const matches = sql`${arrayParameter(labels.map(({ value }) => (value ? 1 : 0)))}::integer[]`;
  return sql`(SELECT (${matches})[${lastRank(labels)}] = 1 FROM ${labelsOf(inheritance)} b)`;
}
