import { NO_VALUE_HASH } from '../../database/resource-sql';
import { join, opaqueArray, raw, sql, type Sql } from '../../database/sql';
import type { Candidates } from '../../lists/selection';
import { FEW_CANDIDATES, MAX_CANDIDATES, MAX_SET_SIZE, MAX_SETS } from '../../lists/tuning';
import type { Inheritance } from '../levels';
import { constant } from '../key-levels';
import type { FilterLevel, FilterLevels } from './filter-levels';
import { matchingLevels } from './match-condition';
import { matchingValues } from './matching-values';
import { hasScalarsOnly, hasValue } from './own-values';
import { isWholeValue } from './variable-filter';

/** The list whose rows are candidates. */
interface CandidateList {
  readonly project: string;
  readonly kind: string;
  readonly inheritance: Inheritance;
}

/**
 * The ids of the resources that can meet all of several filters, as a query for `id`. Each value alone can be frequent, so the
 * ids with it are read from an index without the rows, and intersected. If there are too many candidates, or some can be missing,
 * the query has a row with NULL.
 * @returns undefined if an index has no ids for any of the filters
 */
export function candidateIds(filters: readonly FilterLevels[], list: CandidateList): Candidates | undefined {
  const sets = filters
    .flatMap((filter) => setOf(filter, list) ?? [])
    .sort((x, y) => x.size - y.size || x.estimatedOwners - y.estimatedOwners)
    .slice(0, MAX_SETS);
  const [smallest] = sets;
  if (!smallest) return undefined;
  // Of one comparison, there is nothing else to reduce the candidates with.
  const maxCandidates = filters.length === 1 ? MAX_SET_SIZE : MAX_CANDIDATES;
  const limit = (count: number) => raw(`LIMIT ${String(count + 1)}`);
  // `c0`, `c1` and so on are the candidates after each set.
  const candidates = (i: number) => raw(`c${String(i)}`);
  const isTooLarge = (i: number) => sql`(SELECT s.is_too_large FROM ${raw(`size${String(i)}`)} s)`;
  const isReducible = (i: number) => sql`(SELECT s.is_reducible FROM ${raw(`size${String(i)}`)} s)`;
  const step = (i: number, query: Sql, isLarge: Sql): Sql => sql`${candidates(i)} AS MATERIALIZED (${query}),
    ${raw(`size${String(i)}`)} AS MATERIALIZED (
      SELECT ${isLarge} OR count(*) > ${raw(String(maxCandidates))} AS is_too_large,
        NOT ${isLarge} AND count(*) > ${raw(String(FEW_CANDIDATES))} AND count(*) <= ${raw(String(maxCandidates))} AS is_reducible
      FROM ${candidates(i)})`;
  const steps = sets.map(({ ids, size, values }, i) => {
    // A set of inherited values is seldom small enough to begin with.
    const canBegin = i === 0 || size === 0;
    const complete = raw(`complete${String(i)}`);
    const isComplete = values ? sql`(SELECT n.is_complete FROM ${complete} n)` : sql`true`;
    const found = ids(raw(`values${String(i)}`));
    const first = sql`SELECT f.id FROM (${found}) f WHERE ${isComplete} ${limit(maxCandidates)}`;
    const ofValues = values
      ? [
          sql`${raw(`values${String(i)}`)} AS MATERIALIZED (${values})`,
          sql`${complete} AS MATERIALIZED (
              SELECT count(*) <= ${raw(String(MAX_SET_SIZE))} AS is_complete FROM ${raw(`values${String(i)}`)})`,
        ]
      : [];
    if (i === 0) return join([...ofValues, step(0, first, sql`NOT ${isComplete}`)]);
    const [before, common] = [candidates(i - 1), raw(`common${String(i)}`)];
    const isReduced = sql`(SELECT m.is_whole FROM ${common} m)`;
    const isRead = sql`${isReducible(i - 1)} AND ${isComplete}`;
    const begin = sql`UNION ALL SELECT o.id FROM (${first}) o WHERE ${isTooLarge(i - 1)}`;
    return join([
      ...ofValues,
      sql`${common} AS MATERIALIZED (
        SELECT ${isRead} AND count(*) <= ${raw(String(MAX_SET_SIZE))} AS is_whole,
          array_agg(c.id) FILTER (WHERE c.id IS NOT NULL) AS ids
        FROM (SELECT f.id FROM (${found}) f WHERE ${isRead} ${limit(MAX_SET_SIZE)}) f
          LEFT JOIN ${before} c ON c.id = f.id)`,
      step(
        i,
        sql`SELECT unnest(m.ids) AS id FROM ${common} m WHERE m.is_whole
        UNION ALL SELECT c.id FROM ${before} c WHERE NOT ${isReduced} AND NOT ${isTooLarge(i - 1)}
        ${canBegin ? begin : sql``}`,
        canBegin ? sql`(${isTooLarge(i - 1)} AND NOT ${isComplete})` : isTooLarge(i - 1),
      ),
    ]);
  });
  const last = sets.length - 1;
  // Another request can have changed a value into an array since the levels were read.
  const isUnusable = join(
    [isTooLarge(last), ...sets.flatMap(({ isIncomplete }) => isIncomplete ?? [])],
    ' OR ',
  );
  const query = sql`WITH ${join(steps)}
    SELECT DISTINCT c.id FROM ${candidates(last)} c WHERE NOT ${isTooLarge(last)} UNION ALL SELECT NULL WHERE ${isUnusable}`;
  // Labels are frequent.
  if (smallest.size >= LABEL_SIZE) return { query, size: 'many' };
  return { query, size: smallest.estimatedOwners <= MAX_CANDIDATES ? 'few' : 'unknown' };
}

/** What a label counts in `estimateInherited`. */
const LABEL_SIZE = 10;

/** A rough estimate of the number of resources that inherit a matching value, in hundreds. Labels are frequent. */
const estimateInherited = ({ cells, labels }: FilterLevels): number =>
  LABEL_SIZE * matchingLevels(labels).length + matchingLevels(cells).length;

/** The number of ids of a set of which no estimate is known. */
const UNKNOWN = Number.MAX_SAFE_INTEGER;

/** Ids of resources, as an index has them. */
interface IdSet {
  /** A query for `id`. @param values the name of the query `values`, if there is one */
  readonly ids: (values: Sql) => Sql;
  /** See `estimateInherited`. */
  readonly size: number;
  /** An estimate of the number of ids; `UNKNOWN` if something inherits the value, or if there is no estimate. */
  readonly estimatedOwners: number;
  /** A query for the hashes of the own values, of which at most `MAX_SET_SIZE` are used. Absent: the ids do not need them. */
  readonly values?: Sql;
  /** Whether ids can be missing. Absent: none are. */
  readonly isIncomplete?: Sql;
}

/**
 * The ids of all resources that can meet a filter, and of others; undefined if no index has them. A region has too many devices.
 */
function setOf(filter: FilterLevels, list: CandidateList): IdSet | undefined {
  if (filter.matchesUnset || matchingLevels(filter.regions).length > 0) return undefined;
  const size = estimateInherited(filter);
  const inherited = inheritedIds(filter, list);
  const withInherited = (own: Sql) => join([own, ...inherited], ' UNION ALL ');
  const unknown = { size, estimatedOwners: UNKNOWN };
  if (filter.own.length === 0)
    return inherited.length === 0 ? undefined : { ...unknown, ids: () => join(inherited, ' UNION ALL ') };
  const { project, kind } = list;
  const ofKind = sql`v.project_id = ${project} AND v.object_type = ${constant(kind)}`;
  if (filter.filter.predicate.operator === 'exists' && isWholeValue(filter.filter)) {
    const ids = sql`SELECT v.object_id AS id FROM variable_correlations v WHERE ${ofKind} AND v.key = ${filter.filter.key}`;
    return { ...unknown, ids: () => withInherited(ids) };
  }
  if (!filter.hasScalarsOnly) return undefined;
  const isIncomplete = sql`NOT ${hasScalarsOnly(filter.filter.key, list)}`;
  const ofValue = hasValue(filter.filter, list);
  if (ofValue) {
    const ids = sql`SELECT v.object_id AS id FROM variable_correlations v WHERE ${ofValue}`;
    const estimatedOwners = size === 0 ? filter.estimatedOwners : undefined;
    if (estimatedOwners !== undefined && estimatedOwners > MAX_SET_SIZE) return undefined;
    return { size, estimatedOwners: estimatedOwners ?? UNKNOWN, ids: () => withInherited(ids), isIncomplete };
  }
  const values = matchingValues(filter.filter, sql`${project}::uuid`, MAX_SET_SIZE + 1);
  return (
    values && {
      ...unknown,
      values,
      isIncomplete,
      ids: (name) =>
        withInherited(sql`SELECT i.id FROM ${name} w CROSS JOIN LATERAL (SELECT v.object_id AS id FROM variable_correlations v
      WHERE ${ofKind} AND v.value_hash <> ${NO_VALUE_HASH} AND v.value_hash = w.value_hash OFFSET 0) i`),
    }
  );
}

/** The ids of resources that can inherit a matching value from a label or a cell, as queries for `id` that only read indexes. */
function inheritedIds({ cells, labels }: FilterLevels, { project, inheritance }: CandidateList): Sql[] {
  const idsOf = (levels: readonly FilterLevel[], source: Sql, id: string, level: string) => {
    const found = matchingLevels(levels).map((one) => one.id);
    return found.length === 0
      ? []
      : [
          sql`SELECT ${raw(id)} AS id FROM ${source}
        WHERE a.project_id = ${project}::uuid AND a.${raw(level)} = ANY(${opaqueArray(found, 'bigint')}::bigint[])`,
        ];
  };
  const assigned = inheritance.labels;
  return [
    ...(assigned ? idsOf(labels, sql`${raw(assigned.table)} a`, `a.${assigned.owner}`, 'label_id') : []),
    // Only devices have cells.
    ...idsOf(cells, sql`devices a`, 'a.id', 'cell_id'),
  ];
}
