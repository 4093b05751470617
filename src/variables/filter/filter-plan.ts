import type { ProjectScope } from '../../core/context/request-context';
import { hasNestedValue, NO_VALUE_HASH } from '../../database/resource-sql';
import { and, arrayParameter, opaqueArray, raw, sql, type Sql } from '../../database/sql';
import { candidateIds, hasValue } from './candidate-ids';
import { matchingValues } from './matching-values';
import type { FilterLevel, FilterLevels } from './filter-levels';
import { matchesFilter } from './document-test';
import { expectedWholeValue, isIndexable, isWholeValue, type VariableFilter } from './variable-filter';
import { allLevels, constant, type KeyLevels, narrowestValue, noNarrowerSets } from '../key-levels';
import type {
  AccessPath,
  JoinSource,
  LookUpSource,
  Selection,
  Source,
  TableSource,
  ValuesSource,
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
 * set the key or many have the value, through the resources that set the key. A comparison is read in the order of the list,
 * unless few resources set the key, or `valuesSource` or candidates find its matches by their values.
 */
function ownSources(levels: FilterLevels, list: FilteredList): Source[] {
  const { filter, own, isRareKey } = levels;
  const { operator } = filter.predicate;
  if (own.length === 0 || (operator === 'missing' && isWholeValue(filter))) return [];
  // What does not set the key matches `missing`, too, but belongs to other sources.
  const where = levels.matchesUnset
    ? sql`t.variables ? ${filter.key} AND ${ownMatch(filter)}`
    : ownMatch(filter);
  const base = { drivingRows: inProjects(own, list.scope), where };
  if (isIndexable(filter)) return [{ ...base, kind: list.inBlocks ? 'blocks' : 'unordered' }];
  const inOrder: TableSource = { ...base, kind: 'table' };
  const ofKey: TableSource | JoinSource =
    list.kind === undefined
      ? inOrder
      : {
          ...base,
          kind: 'join',
          joined: { ...correlations, where: sql`v.object_type = ${list.kind} AND v.key = ${filter.key}` },
        };
  if (isRareKey || operator === 'exists') return [ofKey];
  if (operator !== '=') return [inOrder];
  // The index of nested values contains those of all keys: its time would tell whether a hidden variable has the value.
  if (!list.inBlocks || list.hidesKeys) return [ofKey];
  const found = hasNestedValue(filter.predicate.value);
  return [{ ...base, kind: 'rechecked blocks', where: found, recheck: where, alternative: ofKey }];
}

/**
 * The resources whose own document matches, in id order, read through the index of value hashes or that of keys; undefined if
 * none of them can answer the filter.
 */
function inIdOrder(levels: FilterLevels, list: FilteredList): readonly LookUpSource[] | undefined {
  const { filter, own, hasScalarsOnly } = levels;
  const { kind } = list;
  if (kind === undefined) return undefined;
  const project = list.scope === 'every project' ? sql`s.project_id` : sql`${list.scope.project}`;
  const isSet =
    filter.predicate.operator === 'exists' && isWholeValue(filter)
      ? sql`v.project_id = ${project} AND v.key = ${filter.key} AND v.object_type = ${constant(kind)}`
      : undefined;
  const found = isSet ?? (hasScalarsOnly ? hasValue(filter, { project, kind }) : undefined);
  if (!found) return undefined;
  return [
    {
      kind: 'look up',
      drivingRows: inProjects(own, list.scope),
      // Another value can have the same hash.
      where: ownMatch(filter),
      joined: { ...correlations, where: found },
    },
  ];
}

/**
 * Up to this many values are read each in the order of ids, a page of each: at most 8,000 devices for a page of 30 (see
 * `MAX_PAGE_BY_VALUES`). One value of the last fiftieth of a million devices takes 13 ms of CPU time on a busy machine; without
 * this step, 53 ms through the index of documents.
 */
const MAX_VALUES_IN_ORDER = 256;

/**
 * The resources whose own document matches a comparison, through the values that do, each in the order of ids; undefined for an
 * equality, and if no value tells.
 */
function valuesSource(
  { filter, own, hasScalarsOnly }: FilterLevels,
  list: FilteredList,
): ValuesSource | undefined {
  const { kind, scope } = list;
  if (
    own.length === 0 ||
    !hasScalarsOnly ||
    kind === undefined ||
    scope === 'every project' ||
    filter.predicate.operator === '='
  )
    return undefined;
  const project = sql`${scope.project}::uuid`;
  const values = matchingValues(filter, project, MAX_VALUES_IN_ORDER + 1);
  if (!values) return undefined;
  const max = raw(String(MAX_VALUES_IN_ORDER));
  return {
    kind: 'values',
    // A value can be stored more than once.
    drivingRows: sql`(SELECT DISTINCT ${project} AS project_id, n.value_hash
      FROM (SELECT w.value_hash, count(*) OVER () AS count FROM (${values}) w) n WHERE n.count <= ${max}) AS s`,
    where: ownMatch(filter),
    joined: {
      ...correlations,
      where: sql`v.project_id = ${project} AND v.object_type = ${constant(kind)}
        AND v.value_hash <> ${NO_VALUE_HASH} AND v.value_hash = s.value_hash`,
    },
    isIncomplete: sql`(SELECT count(*) > ${max} FROM (${values}) w)`,
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
