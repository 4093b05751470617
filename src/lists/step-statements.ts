import { from, inScope, lookUp } from '../database/resource-sql';
import { and, raw, sql, type Sql } from '../database/sql';
import type { IdRange } from './id-ranges';
import { constantLimit, type KeysetRead, keyColumns, orderBy, type PositionRow, rowsAfter } from './keyset';
import { positionsStatement, type Statement } from './list-statements';
import { isIndexRange, isJoinedWhole, type RangeSource } from './selection';
import { infrequentStatement, rangesStatement, rareStatement } from './source-statements';
import { hasGenericPlan, type SourceUnion } from './source-union';
import type { StepwisePlan } from './step-plan';

/** Has a row if a range has more than `count` rows, regardless of the other conditions. */
export function rangeLengthStatement(
  { list: { mapping }, scope }: StepwisePlan,
  { where, column }: RangeSource,
  count: number,
): Statement {
  const text = sql`SELECT ${from(mapping)} WHERE ${and([inScope(mapping, scope), where])} ORDER BY ${raw(column)} OFFSET ${count} LIMIT 1`;
  return [text, 'custom'];
}

/** The positions of the matches of a read among candidates. @returns rows of `FewMatchesRow` */
export function candidatesStatement(plan: StepwisePlan, read: KeysetRead, candidates: Sql): Statement {
  const { list, scope, matches } = plan;
  const { order, marker, limit } = read;
  const ranges = marker === undefined ? [] : rowsAfter(order, marker);
  const project = scope === 'every project' ? sql`NULL::uuid` : sql`${scope.project}::uuid`;
  const direction = raw(order.descending ? 'DESC' : 'ASC');
  // In id order, the lookups end with the page.
  const inOrder = order.keys.length === 1 ? sql`ORDER BY c.id ${direction}` : orderBy(order);
  const rows = sql`SELECT t.project_id, t.id, ${keyColumns(order, 'value')}, false AS is_incomplete
    FROM (SELECT ${project} AS project_id, c.id FROM candidate c ORDER BY c.id ${direction}) c
    ${lookUp(list.mapping, sql`c.project_id`, sql`c.id`, and([...ranges, matches]))} ${inOrder} ${constantLimit(limit)}`;
  const none = raw(order.keys.map(() => 'NULL').join(', '));
  const found = sql`WITH candidate AS MATERIALIZED (${candidates})
    (SELECT f.* FROM (${rows}) f LIMIT ${limit})
    UNION ALL SELECT NULL, NULL, ${none}, true FROM candidate c WHERE c.id IS NULL`;
  return positionsStatement(list, read, { found, more: IS_INCOMPLETE, mode: 'generic' });
}

const IS_INCOMPLETE = sql`, f.is_incomplete`;

/** The positions of all matches of a read, through the indexes of the sources alone. */
export const allMatchesStatement = (rows: SourceUnion, read: KeysetRead): Statement =>
  positionsStatement(rows, read, {
    found: infrequentStatement(rows, read),
    mode: rows.sources.every(isIndexRange) ? 'generic' : 'custom',
  });

/** A match of a read; `is_incomplete` if there are too many, so that these are not the first ones. */
export type FewMatchesRow = PositionRow & { readonly is_incomplete: boolean };

/** The positions of the matches of a read that are probably rare. @returns rows of `FewMatchesRow` */
export const fewMatchesStatement = (rows: SourceUnion, read: KeysetRead): Statement =>
  positionsStatement(rows, read, {
    found: rareStatement(rows, read),
    more: IS_INCOMPLETE,
    isItem: sql`NOT f.is_incomplete`,
    mode: hasGenericPlan(rows) ? 'generic' : 'custom',
  });

/** The positions of the matches of a read in ranges of ids. */
export const blocksStatement = (rows: SourceUnion, read: KeysetRead, ranges: readonly IdRange[]): Statement =>
  positionsStatement(rows, read, {
    found: rangesStatement(rows, read, ranges),
    mode: rows.sources.some(isJoinedWhole) ? 'custom' : 'generic',
  });
