import type { ProjectScope } from '../../core/context/request-context';
import { hasNestedValue, NO_VALUE_HASH } from '../../database/resource-sql';
import { and, arrayParameter, opaqueArray, raw, sql, type Sql } from '../../database/sql';
import { hasScalarsOnly, hasValue } from './own-values';
import { matchingValues } from './matching-values';
import type { FilterLevel, FilterLevels } from './filter-levels';
import {
  labelAssignments,
  hasDefiningLabel,
  idsOf,
  isNoneOf,
  labelsOf,
  lastRank,
  matchingLevels,
  ownMatch,
} from './match-condition';
import { isIndexable, isWholeValue } from './variable-filter';
import { constant, noNarrowerSets } from '../key-levels';
import type { JoinSource, LookUpSource, Source, TableSource, ValuesSource } from '../../lists/selection';
import type { Inheritance } from '../levels';

/** The filtered list. */
export interface FilteredList {
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
 * The resources whose own document matches, read through the index of documents if it can answer the filter. An equality with a
 * wildcard matches a value at any place within a variable: it is read through the index of nested values or, if few resources
 * set the key or many have the value, through the resources that set the key. A comparison is read in the order of the list,
 * unless few resources set the key, or `valuesSource` or candidates find its matches by their values.
 */
export function ownSources(levels: FilterLevels, list: FilteredList): Source[] {
  const { filter, own, isRareKey } = levels;
  const { operator } = filter.predicate;
  if (own.length === 0 || (operator === 'missing' && isWholeValue(filter))) return [];
  // What does not set the key matches `missing`, too, but belongs to other sources.
  const where = levels.matchesUnset
    ? sql`t.variables ? ${filter.key} AND ${ownMatch(filter)}`
    : ownMatch(filter);
  const base = { drivingRows: ownerProjects(own, list.scope), where };
  if (isIndexable(filter))
    return list.inBlocks
      ? [
          {
            ...base,
            kind: 'blocks',
            whereForGenericPlan: levels.matchesUnset ? undefined : ownMatch(filter, 'generic'),
          },
        ]
      : [{ ...base, kind: 'unordered' }];
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
export function inIdOrder(levels: FilterLevels, list: FilteredList): readonly LookUpSource[] | undefined {
  const { filter, own } = levels;
  const { kind } = list;
  if (kind === undefined) return undefined;
  const project = list.scope === 'every project' ? sql`s.project_id` : sql`${list.scope.project}`;
  const isSet =
    filter.predicate.operator === 'exists' && isWholeValue(filter)
      ? sql`v.project_id = ${project} AND v.key = ${filter.key} AND v.object_type = ${constant(kind)}`
      : undefined;
  const found = isSet ?? (levels.hasScalarsOnly ? hasValue(filter, { project, kind }) : undefined);
  if (!found) return undefined;
  return [
    {
      kind: 'look up',
      drivingRows: ownerProjects(own, list.scope),
      // Another value can have the same hash.
      where: ownMatch(filter),
      joined: { ...correlations, where: found },
      isIncomplete: isSet ? undefined : hasArrays(levels, kind, list.scope),
    },
  ];
}

/**
 * Whether a value is an array or an object, of which the index of hashes has no element: another request can have changed one
 * since the levels were read. An expression, for the statement that reads the index.
 */
const hasArrays = ({ filter, own }: FilterLevels, kind: string, scope: ProjectScope): Sql =>
  scope === 'every project'
    ? sql`EXISTS (SELECT FROM unnest(${arrayParameter(own)}::uuid[]) AS p (id)
        WHERE NOT ${hasScalarsOnly(filter.key, { project: sql`p.id`, kind })})`
    : sql`NOT ${hasScalarsOnly(filter.key, { project: scope.project, kind })}`;

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
export function valuesSource(levels: FilterLevels, list: FilteredList): ValuesSource | undefined {
  const { filter, own } = levels;
  const { kind, scope } = list;
  if (
    own.length === 0 ||
    !levels.hasScalarsOnly ||
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
    isIncomplete: sql`(${hasArrays(levels, kind, scope)} OR (SELECT count(*) > ${max} FROM (${values}) w))`,
  };
}

/** The sources of a filter: those of own values, and those of inherited ones. */
export function createSources(
  filter: FilterLevels,
  { inheritance, scope }: FilteredList,
  ownSources: readonly Source[],
): Source[] {
  const { own, cells, labels } = filter;
  const isUnset = {
    own: own.length > 0 ? sql`NOT t.variables ? ${filter.filter.key}` : undefined,
    label: labels.length > 0 ? sql`NOT ${hasDefiningLabel(inheritance, labels)}` : undefined,
    cell: cells.length > 0 ? sql`(t.cell_id IS NULL OR t.cell_id <> ALL(${idsOf(cells)}))` : undefined,
  };
  const sources = [...ownSources];
  if (matchingLevels(labels).length > 0)
    sources.push(lastLabelSource(labels, inheritance, noNarrowerSets('label', isUnset)));
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

/** The matching levels, as the driving rows of a source. */
function drivingRows(levels: readonly FilterLevel[]): Sql {
  const found = matchingLevels(levels);
  const projects = opaqueArray(
    found.map((level) => level.project_id),
    'uuid',
  );
  return sql`unnest(${projects}, (SELECT ${idsOf(found)})) AS s (project_id, id)`;
}

/** The resources whose last label that defines the key matches, if the labels decide. */
function lastLabelSource(
  labels: readonly FilterLevel[],
  inheritance: Inheritance,
  conditions: readonly Sql[],
): JoinSource {
  const found = labels.map((level, rank) => ({ level, rank })).filter(({ level }) => level.value);
  const { table, owner } = labelAssignments(inheritance);
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

/** The projects of a source, which only a list of every project needs. */
const ownerProjects = (projects: readonly string[], scope: ProjectScope): Sql | undefined =>
  scope === 'every project' ? sql`unnest(${arrayParameter(projects)}::uuid[]) AS s (project_id)` : undefined;

const correlations = {
  table: sql`variable_correlations v`,
  projectColumn: sql`v.project_id`,
  idColumn: sql`v.object_id`,
};
