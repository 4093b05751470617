import { NO_VALUE_HASH, valueHash } from '../../database/resource-sql';
import { join, opaqueArray, raw, sql, type Sql } from '../../database/sql';
import type { Inheritance } from '../levels';
import { constant } from '../key-levels';
import type { FilterLevel, FilterLevels } from './filter-levels';
import { expectedWholeValue, type VariableFilter } from './variable-filter';

/** The list whose rows are candidates. */
interface CandidateList {
  readonly project: string;
  readonly kind: string;
  readonly inheritance: Inheritance;
}

/** Up to this many rows are looked up to check them, which takes a few milliseconds. */
const MAX_CANDIDATES = 4096;
/** Up to this many candidates are looked up without reading further sets to reduce them. */
const FEW_CANDIDATES = 256;
/** Up to this many ids of a set are read to reduce the candidates: in two milliseconds, from the index alone. */
const MAX_SET_SIZE = 16_384;
/** The number of ids whose distances tell whether a set has many times as many ids as candidates are read. */
const SAMPLE_SIZE = 64;
const MAX_EXCESS = 4;
/** The number of sets that are read. */
const MAX_SETS = 4;

/**
 * The ids of the resources that can meet all of several filters, as a query for `id`. Each value alone can be frequent, so the
 * ids with it are read from an index without the rows, and intersected. If there are too many candidates, the query has one
 * row, with NULL.
 * @returns undefined if an index has no ids for any of the filters
 */
export function candidateIds(filters: readonly FilterLevels[], list: CandidateList): Sql | undefined {
  const sets = filters
    .flatMap((filter) => {
      const ids = idsOf(filter, list);
      return ids ? { ids, size: estimateInherited(filter), isRare: isRare(filter, list) } : [];
    })
    .sort((x, y) => x.size - y.size)
    .slice(0, MAX_SETS);
  if (sets.length === 0) return undefined;
  const limit = (count: number) => raw(`LIMIT ${String(count + 1)}`);
  // `c0`, `c1` and so on are the candidates after each set.
  const candidates = (i: number) => raw(`c${String(i)}`);
  const isTooLarge = (i: number) => sql`(SELECT s.is_too_large FROM ${raw(`size${String(i)}`)} s)`;
  const isReducible = (i: number) => sql`(SELECT s.is_reducible FROM ${raw(`size${String(i)}`)} s)`;
  const step = (i: number, query: Sql, isLarge: Sql): Sql => sql`${candidates(i)} AS MATERIALIZED (${query}),
    ${raw(`size${String(i)}`)} AS MATERIALIZED (
      SELECT ${isLarge} OR count(*) > ${raw(String(MAX_CANDIDATES))} AS is_too_large,
        NOT ${isLarge} AND count(*) > ${raw(String(FEW_CANDIDATES))} AND count(*) <= ${raw(String(MAX_CANDIDATES))} AS is_reducible
      FROM ${candidates(i)})`;
  const steps = sets.map(({ ids, size, isRare }, i) => {
    // A set of inherited values is seldom small enough to begin with.
    const canBegin = i === 0 || size === 0;
    const rare = raw(`rare${String(i)}`);
    const hasFew = size === 0 ? sql`(SELECT r.is_rare FROM ${rare} r)` : sql`true`;
    const first = sql`SELECT f.id FROM (${ids}) f WHERE ${hasFew} ${limit(MAX_CANDIDATES)}`;
    const estimate = size === 0 ? sql`${rare} AS MATERIALIZED (SELECT ${isRare} AS is_rare),` : sql``;
    if (i === 0) return sql`${estimate} ${step(0, first, sql`NOT ${hasFew}`)}`;
    const [before, common] = [candidates(i - 1), raw(`common${String(i)}`)];
    const isReduced = sql`(SELECT m.is_whole FROM ${common} m)`;
    const begin = sql`UNION ALL SELECT o.id FROM (${first}) o WHERE ${isTooLarge(i - 1)}`;
    return sql`${estimate} ${common} AS MATERIALIZED (
        SELECT ${isReducible(i - 1)} AND count(*) <= ${raw(String(MAX_SET_SIZE))} AS is_whole,
          array_agg(c.id) FILTER (WHERE c.id IS NOT NULL) AS ids
        FROM (SELECT f.id FROM (${ids}) f WHERE ${isReducible(i - 1)} ${limit(MAX_SET_SIZE)}) f
          LEFT JOIN ${before} c ON c.id = f.id),
      ${step(
        i,
        sql`SELECT unnest(m.ids) AS id FROM ${common} m WHERE m.is_whole
        UNION ALL SELECT c.id FROM ${before} c WHERE NOT ${isReduced} AND NOT ${isTooLarge(i - 1)}
        ${canBegin ? begin : sql``}`,
        canBegin ? sql`(${isTooLarge(i - 1)} AND NOT ${hasFew})` : isTooLarge(i - 1),
      )}`;
  });
  const last = sets.length - 1;
  return sql`WITH ${join(steps)}
    SELECT DISTINCT c.id FROM ${candidates(last)} c WHERE NOT ${isTooLarge(last)} UNION ALL SELECT NULL WHERE ${isTooLarge(last)}`;
}

/**
 * Whether the ids with an own value are probably few: the first of them are far from each other, compared with all ids of the
 * kind. Values that only a range of ids has are not known to be rare, either.
 */
function isRare({ filter }: FilterLevels, { project, kind }: CandidateList): Sql {
  const end = (direction: 'ASC' | 'DESC') => sql`(SELECT v.object_id FROM variable_correlations v
    WHERE v.project_id = ${project} AND v.object_type = ${constant(kind)} ORDER BY v.object_id ${raw(direction)} LIMIT 1)`;
  const factor = raw(String((MAX_EXCESS * MAX_CANDIDATES) / SAMPLE_SIZE));
  return sql`(SELECT count(*) < ${raw(String(SAMPLE_SIZE))} OR (max(s.id) - min(s.id)) * ${factor} > ${end('DESC')} - ${end('ASC')}
    FROM (SELECT v.object_id AS id FROM variable_correlations v WHERE ${hasValue(filter, { project, kind }) ?? sql`false`}
      ORDER BY v.object_id LIMIT ${raw(String(SAMPLE_SIZE))}) s)`;
}

/** A rough estimate of the number of resources that inherit a matching value, in hundreds. Labels are frequent. */
const estimateInherited = ({ cells, labels }: FilterLevels): number =>
  10 * matching(labels).length + matching(cells).length;

const matching = (levels: readonly FilterLevel[]) => levels.filter((level) => level.value);

/**
 * The ids of all resources that can meet a filter, and of others, as a query for `id` that only reads indexes; undefined if no
 * index has them. A region has too many devices.
 */
function idsOf(filter: FilterLevels, list: CandidateList): Sql | undefined {
  const { own, regions, cells, labels } = filter;
  const { project, inheritance } = list;
  if (filter.matchesUnset || matching(regions).length > 0) return undefined;
  const sets: Sql[] = [];
  if (own.length > 0) {
    const ofValue = filter.hasScalarsOnly ? hasValue(filter.filter, list) : undefined;
    if (!ofValue) return undefined;
    sets.push(sql`SELECT v.object_id AS id FROM variable_correlations v WHERE ${ofValue}`);
  }
  const ofLevels = (levels: readonly FilterLevel[], source: Sql, id: string, level: string) => {
    const found = matching(levels).map(({ id }) => id);
    if (found.length > 0)
      sets.push(sql`SELECT i.id FROM unnest(${opaqueArray(found, 'bigint')}) AS s (id) CROSS JOIN LATERAL (
        SELECT ${raw(id)} AS id FROM ${source} WHERE a.project_id = ${project}::uuid AND a.${raw(level)} = s.id OFFSET 0) i`);
  };
  if (inheritance.labels) {
    const { owner } = inheritance.labels;
    ofLevels(labels, sql`${raw(inheritance.labels.table)} a`, `a.${owner}`, 'label_id');
  }
  // Only devices have cells.
  ofLevels(cells, sql`devices a`, 'a.id', 'cell_id');
  return sets.length === 0 ? undefined : join(sets, ' UNION ALL ');
}

/**
 * Whether a row of `variable_correlations v` has the value of a filter, by its hash, so that the index of hashes is read in the
 * order of ids. No condition for the key: the planner could take another index with it. The hash contains the key.
 * @returns undefined if the filter does not compare a whole value with one scalar
 */
export function hasValue(
  filter: VariableFilter,
  { project, kind }: Pick<CandidateList, 'kind'> & { readonly project: string | Sql },
): Sql | undefined {
  const value = expectedWholeValue(filter);
  return value === undefined
    ? undefined
    : sql`v.project_id = ${project} AND v.object_type = ${constant(kind)}
    AND v.value_hash <> ${NO_VALUE_HASH} AND v.value_hash = ${valueHash(sql`${filter.key}::text`, sql`${value}::jsonb`)}`;
}
