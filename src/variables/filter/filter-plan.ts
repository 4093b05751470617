import type { ProjectScope } from '../../core/context/request-context';
import { hasNestedValue } from '../../database/resource-sql';
import { and, arrayParameter, opaqueArray, raw, sql, type Sql } from '../../database/sql';
import { candidateIds, hasValue } from './candidate-ids';
import type { FilterLevel, FilterLevels } from './filter-levels';
import { comparesWholeValue, isIndexable, type VariableFilter } from './filter-parser';
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
    sources: createSources(filter, of.inheritance, ownSources(filter, of)),
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
      inIdOrder: isOwnOnly ? valueHashSources(leading, of) : undefined,
      candidates: others.length > 0 ? candidatesOf(filters, of) : undefined,
      planning: 'custom',
    },
  };
}

const matchingLevels = (levels: readonly FilterLevel[]) => levels.filter(({ value }) => value);
const ids = (levels: readonly FilterLevel[]) =>
  sql`${arrayParameter(levels.map((level) => level.id))}::bigint[]`;

/** A rough estimate of the number of matches: a region has more devices than a cell, and a cell more than a label. */
const estimateMatches = ({ regions, cells, labels }: FilterLevels): number =>
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
  // Different numbers in JavaScript are different decimals.
  if (a.filter.key !== b.filter.key || JSON.parse(a.filter.value) === JSON.parse(b.filter.value))
    return false;
  const matchesBoth = (kind: 'regions' | 'cells' | 'labels') =>
    matchingLevels(a[kind]).some(({ id }) => matchingLevels(b[kind]).some((other) => other.id === id));
  return (
    [a, b].every(({ hasScalarsOnly, filter }) => hasScalarsOnly && comparesWholeValue(filter)) &&
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

/** Whether a level matches, so that devices can inherit a matching value. */
const hasMatchingLevel = (levels: KeyLevels<FilterLevel, unknown>): boolean =>
  allLevels(levels).some(({ value }) => value);

function startOf(filter: FilterLevels): FilterStart {
  if (filter.own.length === 0) return 'inherited';
  return hasMatchingLevel(filter) ? 'own and inherited' : 'own';
}

/**
 * The resources whose own document matches, read through the index of documents if it can answer the path. A path with a
 * wildcard matches a value at any place within a variable: it is read through the index of nested values or, if few resources
 * set the key or many have the value, through the resources that set the key.
 */
function ownSources(levels: FilterLevels, list: FilteredList): Source[] {
  const { filter, path, own, isRareKey } = levels;
  if (own.length === 0) return [];
  const base = { drivingRows: inProjects(own, list.scope), where: ownMatch(filter, path) };
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
  if (isRareKey || !list.inBlocks || list.hidesKeys) return [ofKey];
  const where = hasNestedValue(filter.value);
  return [{ ...base, kind: 'rechecked blocks', where, recheck: base.where, alternative: ofKey }];
}

/**
 * The resources whose own document matches, in id order, read through the index of value hashes; undefined if that index
 * cannot answer the filter.
 */
function valueHashSources(levels: FilterLevels, list: FilteredList): readonly LookUpSource[] | undefined {
  const { filter, path, own, hasScalarsOnly } = levels;
  const { kind } = list;
  if (kind === undefined || !hasScalarsOnly || !comparesWholeValue(filter)) return undefined;
  const project = list.scope === 'every project' ? sql`s.project_id` : list.scope.project;
  return [
    {
      kind: 'look up',
      drivingRows: inProjects(own, list.scope),
      // Another value can have the same hash.
      where: ownMatch(filter, path),
      joined: { ...correlations, where: hasValue(levels, { project, kind }) },
    },
  ];
}

/** The projects of a source, which only a list of every project needs. */
const inProjects = (projects: readonly string[], scope: ProjectScope): Sql | undefined =>
  scope === 'every project' ? sql`unnest(${arrayParameter(projects)}::uuid[]) AS s (project_id)` : undefined;

const correlations = {
  table: sql`variable_correlations v`,
  projectColumn: sql`v.project_id`,
  idColumn: sql`v.object_id`,
};

/**
 * Whether the own document matches. If the index cannot answer the path, the condition uses a function instead of the
 * equivalent operator. With the operator, the planner could read the whole index, including all other projects.
 */
const ownMatch = (filter: VariableFilter, path: string): Sql =>
  isIndexable(filter)
    ? sql`t.variables @? ${path}::jsonpath`
    : sql`jsonb_path_exists(t.variables, ${path}::jsonpath, '{}', true)`;

function createSources(
  filter: FilterLevels,
  inheritance: Inheritance,
  ownSources: readonly Source[],
): Source[] {
  const { own, regions, cells, labels } = filter;
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
  if (matchingLevels(regions).length > 0)
    sources.push({
      kind: 'table',
      drivingRows: drivingRows(regions),
      where: and([sql`t.region_id = s.id`, ...noNarrowerSets('region', isUnset)]),
    });
  return sources;
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
  matchConditionByLevels(levels, levels.filter.key, ownMatch(levels.filter, levels.path), inheritance);

/**
 * Whether the resolved value of a row `t` matches, by the narrowest level that defines the key.
 * @param levels the levels that define the key, and whether their values match
 * @param isOwnMatch whether the row has an own value that matches, as a condition
 */
export function matchConditionByLevels(
  levels: KeyLevels<FilterLevel, unknown>,
  key: string,
  isOwnMatch: Sql,
  inheritance: Inheritance,
): Sql {
  // A plain condition, which an index can serve.
  if (!hasMatchingLevel(levels)) return isOwnMatch;
  const { own, regions, cells, labels } = levels;
  const [inRegions, inCells] = [matchingLevels(regions), matchingLevels(cells)];
  const hasRegions = inRegions.length > 0;
  // Without a matching region, a cell that defines the key is like one that does not, unless it matches.
  const hasCells = (hasRegions ? cells : inCells).length > 0;
  const location = narrowestValue({
    region: hasRegions ? { value: sql`t.region_id = ANY(${ids(inRegions)})` } : undefined,
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
