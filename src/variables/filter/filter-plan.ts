import type { ProjectScope } from '../../core/context/request-context';
import { hasNestedValue } from '../../database/resource-sql';
import { and, arrayParameter, opaqueArray, raw, sql, type Sql } from '../../database/sql';
import { candidateIds, hasValue } from './candidate-ids';
import type { FilterLevel, FilterLevels } from './filter-levels';
import { comparesWholeValue, isIndexable, type VariableFilter } from './filter-parser';
import type { AccessPath, Branch } from '../../lists/list-request';
import type { Inheritance } from '../levels';
import type { FilterStart } from '../../core/app-metrics';

/** How a filtered list is read without reading all of its rows. */
export interface FilterPlan {
  readonly branches: readonly Branch[];
  /** The branches as one condition over a row; absent if nothing can match. */
  readonly match?: Sql;
  readonly conditions: readonly Sql[];
  /** A branch with the same rows as all branches, in id order, if there is one filter and an index can answer it so. */
  readonly orderedBranch?: Branch;
  /** The access paths of all filters. The leading one is only an estimate. */
  readonly accessPaths?: readonly AccessPath[];
  /** See `candidateIds`. Absent: there is one filter, or no index has ids for any of them. */
  readonly candidates?: Sql | undefined;
  /** Which values the leading filter starts from; absent if nothing can match. */
  readonly startsFrom?: Exclude<FilterStart, 'nothing'>;
}

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
 * Devices match by their own document, by a label, by their cell or by their region. These are disjoint branches, and
 * each is read through its own index. One filter leads the read; the others are conditions on its results.
 */
export function planFilters(filters: readonly FilterLevels[], of: FilteredList): FilterPlan {
  const sorted = [...filters].sort((a, b) => estimateMatches(a) - estimateMatches(b));
  const paths = sorted.map((filter) => ({
    branches: createBranches(filter, of.inheritance, ownBranches(filter, of)),
    match: resolvedMatch(filter, of.inheritance),
  }));
  const [leadingPath, ...others] = paths;
  const [leading] = sorted;
  if (!leadingPath || !leading || filters.some(matchesNothing) || haveContradiction(filters))
    return { branches: [], conditions: [] };
  const orderedBranch =
    others.length === 0 && !hasMatchingLevel(leading) ? valueHashBranch(leading, of) : undefined;
  return {
    ...leadingPath,
    ...(orderedBranch ? { orderedBranch } : {}),
    conditions: others.map(({ match }) => match),
    accessPaths: paths,
    candidates: others.length > 0 ? candidatesOf(filters, of) : undefined,
    startsFrom: startOf(leading),
  };
}

const matchingLevels = (levels: readonly FilterLevel[]) => levels.filter((level) => level.matches);
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
const hasMatchingLevel = ({
  regions,
  cells,
  labels,
}: Pick<KeyLevels, 'regions' | 'cells' | 'labels'>): boolean =>
  [...regions, ...cells, ...labels].some((level) => level.matches);

function startOf(filter: FilterLevels): Exclude<FilterStart, 'nothing'> {
  if (filter.own.length === 0) return 'inherited';
  return hasMatchingLevel(filter) ? 'own and inherited' : 'own';
}

/**
 * The resources whose own document matches, read through the index of documents if it can answer the path. A path with a
 * wildcard matches a value at any place within a variable: it is read through the index of nested values or, if few resources
 * set the key or many have the value, through the resources that set the key.
 */
function ownBranches(levels: FilterLevels, list: FilteredList): Branch[] {
  const { filter, path, own, isRareKey } = levels;
  if (own.length === 0) return [];
  const base = { ...inProjects(own, list.scope), where: ownMatch(filter, path) };
  if (isIndexable(filter)) return [{ ...base, unordered: list.inBlocks ? 'in blocks' : 'whole' }];
  const ofKey: Branch =
    list.kind === undefined
      ? base
      : {
          ...base,
          through: { ...correlations, where: sql`v.object_type = ${list.kind} AND v.key = ${filter.key}` },
        };
  // The index of nested values contains those of all keys: its time would tell whether a hidden variable has the value.
  if (isRareKey || !list.inBlocks || list.hidesKeys) return [ofKey];
  const where = hasNestedValue(filter.value);
  return [{ ...base, where, recheck: base.where, unordered: 'in blocks', alternative: ofKey }];
}

/**
 * The resources whose own document matches, in id order, read through the index of value hashes; undefined if that index
 * cannot answer the filter.
 */
function valueHashBranch(levels: FilterLevels, list: FilteredList): Branch | undefined {
  const { filter, path, own, hasScalarsOnly } = levels;
  const { kind } = list;
  if (kind === undefined || !hasScalarsOnly || !comparesWholeValue(filter)) return undefined;
  const project = list.scope === 'every project' ? sql`s.project_id` : list.scope.project;
  return {
    ...inProjects(own, list.scope),
    // Another value can have the same hash.
    where: ownMatch(filter, path),
    through: { ...correlations, where: hasValue(levels, { project, kind }), inOrder: true },
  };
}

/** The projects of a branch, which only a list of every project needs. */
const inProjects = (projects: readonly string[], scope: ProjectScope): Pick<Branch, 'drivingRows'> =>
  scope === 'every project'
    ? { drivingRows: sql`unnest(${arrayParameter(projects)}::uuid[]) AS s (project_id)` }
    : {};

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

function createBranches(
  filter: FilterLevels,
  inheritance: Inheritance,
  ownBranches: readonly Branch[],
): Branch[] {
  const { own, regions, cells, labels } = filter;
  const hasNoOwn = own.length > 0 ? sql`NOT t.variables ? ${filter.filter.key}` : sql`true`;
  const hasNoLabel = labels.length > 0 ? sql`NOT ${hasLabel(inheritance, labels)}` : sql`true`;
  const hasNoCell =
    cells.length > 0 ? sql`(t.cell_id IS NULL OR t.cell_id <> ALL(${ids(cells)}))` : sql`true`;
  const branches = [...ownBranches];
  if (matchingLevels(labels).length > 0) branches.push(labelBranch(labels, inheritance, hasNoOwn));
  if (matchingLevels(cells).length > 0)
    branches.push({
      drivingRows: drivingRows(cells),
      where: and([sql`t.cell_id = s.id`, hasNoOwn, hasNoLabel]),
    });
  if (matchingLevels(regions).length > 0)
    branches.push({
      drivingRows: drivingRows(regions),
      where: and([sql`t.region_id = s.id`, hasNoOwn, hasNoLabel, hasNoCell]),
    });
  return branches;
}

/** The matching levels, as the driving rows of a branch. */
function drivingRows(levels: readonly FilterLevel[]): Sql {
  const found = matchingLevels(levels);
  const projects = opaqueArray(
    found.map((level) => level.project_id),
    'uuid',
  );
  return sql`unnest(${projects}, (SELECT ${ids(found)})) AS s (project_id, id)`;
}

/**
 * Of several labels that define the key, the last one in the order of names wins.
 */
function labelBranch(labels: readonly FilterLevel[], inheritance: Inheritance, hasNoOwn: Sql): Branch {
  const found = labels.map((level, rank) => ({ level, rank })).filter(({ level }) => level.matches);
  const { table, owner } = assignments(inheritance);
  return {
    drivingRows: sql`unnest(${arrayParameter(found.map(({ level }) => level.project_id))}::uuid[],
      ${arrayParameter(found.map(({ level }) => level.id))}::bigint[], ${arrayParameter(found.map(({ rank }) => rank + 1))}::bigint[])
      AS s (project_id, id, rank)`,
    through: {
      table: sql`${table} a`,
      projectColumn: sql`a.project_id`,
      idColumn: sql`a.${owner}`,
      where: sql`a.label_id = s.id AND a.project_id = s.project_id`,
    },
    where: sql`${hasNoOwn}
      AND (SELECT ${lastRank(labels)} FROM ${labelsOf(inheritance)} b) = s.rank`,
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
const resolvedMatch = (filter: FilterLevels, inheritance: Inheritance): Sql =>
  matchConditionByLevels(
    { ...filter, key: filter.filter.key, own: filter.own.length > 0 },
    ownMatch(filter.filter, filter.path),
    inheritance,
  );

/** The levels that define a key, and whether their values meet a condition. */
interface KeyLevels extends Pick<FilterLevels, 'regions' | 'cells' | 'labels'> {
  readonly key: string;
  /** Whether rows can have own values of the key. */
  readonly own: boolean;
}

/**
 * Whether the resolved value of a row `t` matches, by the narrowest level that defines the key.
 * @param isOwnMatch whether the row has an own value that matches, as a condition
 */
export function matchConditionByLevels(levels: KeyLevels, isOwnMatch: Sql, inheritance: Inheritance): Sql {
  const { key, own, labels } = levels;
  // A plain condition, which an index can serve.
  if (!hasMatchingLevel(levels)) return isOwnMatch;
  const isLocationMatch = matchByLocation(levels, inheritance);
  // The labels of a row are looked up last. If none of them matches, few rows need that.
  const isInheritedMatch =
    labels.length === 0
      ? isLocationMatch
      : matchingLevels(labels).length === 0
        ? sql`${isLocationMatch} AND NOT ${hasLabel(inheritance, labels)}`
        : sql`COALESCE(${lastLabelMatches(labels, inheritance)}, ${isLocationMatch})`;
  if (!own) return sql`(${isInheritedMatch})`;
  return sql`CASE WHEN t.variables ? ${key} THEN ${isOwnMatch} ELSE ${isInheritedMatch} END`;
}

/** Whether a row `t` without labels that define the key matches by its cell, or else by its region. Never null. */
function matchByLocation({ regions, cells }: KeyLevels, inheritance: Inheritance): Sql {
  const inCells = sql`t.cell_id IS NOT NULL AND t.cell_id = ANY(${ids(matchingLevels(cells))})`;
  // A plain condition, which an index can serve.
  if (inheritance.region === undefined || matchingLevels(regions).length === 0)
    return matchingLevels(cells).length === 0 ? sql`false` : sql`(${inCells})`;
  const region = sql`t.region_id = ANY(${ids(matchingLevels(regions))})`;
  if (cells.length === 0) return region;
  return sql`CASE WHEN t.cell_id = ANY(${ids(cells)}) THEN t.cell_id = ANY(${ids(matchingLevels(cells))}) ELSE ${region} END`;
}

/** Whether the last label that defines the key matches; NULL if no label of the row defines it. */
function lastLabelMatches(labels: readonly FilterLevel[], inheritance: Inheritance): Sql {
  const matches = sql`${arrayParameter(labels.map((level) => (level.matches ? 1 : 0)))}::integer[]`;
  return sql`(SELECT (${matches})[${lastRank(labels)}] = 1 FROM ${labelsOf(inheritance)} b)`;
}
