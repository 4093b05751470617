import type { PlanMode } from '../../database/database';
import { arrayParameter, raw, sql, type Sql } from '../../database/sql';
import type { FilterLevel, FilterLevels } from './filter-levels';
import { matchesFilter } from './document-test';
import type { VariableFilter } from './variable-filter';
import { allLevels, type KeyLevels, narrowestValue } from '../key-levels';
import type { Inheritance } from '../levels';

/** The levels whose values match. */
export const matchingLevels = (levels: readonly FilterLevel[]) => levels.filter(({ value }) => value);

/** The ids of levels, as an array. */
export const idsOf = (levels: readonly FilterLevel[]) =>
  sql`${arrayParameter(levels.map((level) => level.id))}::bigint[]`;

/** Levels that set a key. `matchesUnset`: a resource of which no level sets it matches. */
type MatchLevels = KeyLevels<FilterLevel, unknown> & { readonly matchesUnset?: boolean };

/** Whether a resource without an own value can match. */
export const hasMatchingLevel = (levels: MatchLevels): boolean =>
  levels.matchesUnset === true || allLevels(levels).some(({ value }) => value);

/** Whether no level that sets the key of a filter matches, and no resource sets it. */
export const matchesNothing = (filter: FilterLevels): boolean =>
  filter.own.length === 0 && !hasMatchingLevel(filter);

/** Whether the own document matches. @param planning see `matchesFilter` */
export const ownMatch = (filter: VariableFilter, planning?: PlanMode): Sql =>
  matchesFilter(filter, sql`t.variables`, planning);

/** Whether the resolved value of a row `t` matches a filter, as a condition. */
export const matchCondition = (filter: FilterLevels, inheritance: Inheritance): Sql =>
  matchesNothing(filter)
    ? sql`false`
    : matchConditionByLevels(filter, filter.filter.key, ownMatch(filter.filter), inheritance);

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
            : sql`t.region_id = ANY(${idsOf(inRegions)})`,
        }
      : undefined,
    cell: hasCells
      ? {
          value: sql`(t.cell_id IS NOT NULL AND t.cell_id = ANY(${idsOf(inCells)}))`,
          isSet: sql`t.cell_id = ANY(${idsOf(cells)})`,
        }
      : undefined,
  });
  // The labels of a row are looked up last. If none of them matches, few rows need that.
  const hasMatchingLabel = matchingLevels(labels).length > 0;
  const inherited =
    labels.length > 0 && !hasMatchingLabel
      ? sql`(${location}) AND NOT ${hasDefiningLabel(inheritance, labels)}`
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

/** Whether an id is that of no level that does not match. */
export function isNoneOf(id: Sql, levels: readonly FilterLevel[]): Sql {
  const others = levels.filter(({ value }) => !value);
  return others.length === 0 ? sql`true` : sql`${id} <> ALL(${idsOf(others)})`;
}

/** The table that assigns labels to the listed resources. */
export function labelAssignments({ labels }: Inheritance): { table: Sql; owner: Sql } {
  if (!labels) throw new Error('a resource that does not inherit from labels cannot be filtered by labels');
  return { table: raw(labels.table), owner: raw(labels.owner) };
}

/**
 * The labels of `t`. OFFSET 0 makes the planner look them up row by row. As a join, it could hash all label assignments
 * of the project, or look up each of the wanted labels.
 */
export function labelsOf(inheritance: Inheritance): Sql {
  const { table, owner } = labelAssignments(inheritance);
  return sql`(SELECT b.label_id FROM ${table} b WHERE b.project_id = t.project_id AND b.${owner} = t.id OFFSET 0)`;
}

/** The rank of the last label that defines the key, of the labels `b` of a row: its position in `labels`, from 1, or null. */
export const lastRank = (labels: readonly FilterLevel[]): Sql =>
  sql`max(array_position(${idsOf(labels)}, b.label_id))`;

/** Whether a row `t` has one of the labels that define a key. */
export const hasDefiningLabel = (inheritance: Inheritance, labels: readonly FilterLevel[]): Sql =>
  sql`EXISTS (SELECT FROM ${labelsOf(inheritance)} b WHERE b.label_id = ANY(${idsOf(labels)}) OFFSET 0)`;
