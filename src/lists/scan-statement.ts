import { from, inScope } from '../database/resource-sql';
import { and, join, opaqueArray, raw, sql, type Sql } from '../database/sql';
import {
  constantLimit,
  type KeysetRead,
  keyColumns,
  orderBy,
  type PositionRow,
  reverseOrder,
  rowsAfter,
} from './keyset';
import { blocksToRead, rangesOfBlocks } from './id-ranges';
import type { SourceUnion } from './list';
import type { BehindScan, StepwisePlan } from './step-plan';
import { positionsStatement, type Statement } from './list-statements';
import { rareStatement, rowsInRanges } from './source-statements';
import { IDS_PER_BLOCK, MAX_BLOCKS, SAMPLE_ROWS } from './tuning';

/**
 * A row that belongs to the list (`end` is null), the position to which the list was read, the last row in the order of the read
 * (these two whether they belong to the list or not), or the sample of a plan with several paths.
 */
export type ScannedRow = PositionRow & {
  readonly end: 'scanned' | 'last' | 'sample' | null;
  /** How many of the next rows each path finds. Only of the sample. */
  readonly sample?: readonly number[] | null;
};

/** What a scan reads besides the next rows, if they do not fill the page. */
export interface ScanOptions {
  readonly behind?: BehindScan | undefined;
  /** Whether the paths of the plan are compared, if it has several. */
  readonly withSample?: boolean;
}

/**
 * Those of the next `width` rows that belong to the list. If they do not fill the page, also those in the blocks of ids behind
 * them, the position to which they were read, unless no more rows follow, the last row of all, and the sample. One statement finds
 * them, because a second one could see other rows, and takes longer.
 *
 * The order is repeated outside of the inner limit. Without it, the planner does not know it there, and reads all rows to sort them,
 * even if the first ones fill the page.
 */
export function scanStatement(
  plan: StepwisePlan,
  read: KeysetRead,
  width: number,
  { behind, withSample = false }: ScanOptions = {},
): Statement {
  const keys = sql`t.project_id, t.id, ${keyColumns(read.order, 'value')}`;
  const next = sql`${nextRows(plan, read)} ${constantLimit(width)}`;
  const { scope, list } = plan;
  const last = sql`${from(list.mapping)} WHERE ${inScope(list.mapping, scope)} ${orderBy(reverseOrder(read.order))} LIMIT 1`;
  const isShort = sql`(SELECT count(*) FROM near) < ${read.limit}`;
  const scan = sql`near AS MATERIALIZED (
      SELECT ${keys} FROM (SELECT t.* FROM (SELECT t.* ${next}) t ${orderBy(read.order)} LIMIT ${width}) t
      WHERE ${plan.matches} ${orderBy(read.order)} LIMIT ${read.limit}),
    scanned AS MATERIALIZED (
      SELECT n.* FROM (SELECT t.* FROM (SELECT ${keys} ${next}) t LIMIT 1 OFFSET ${width - 1}) n WHERE ${isShort}),
    last AS MATERIALIZED (SELECT n.* FROM (SELECT ${keys} ${last}) n WHERE ${isShort})`;
  const ends = behind ? endsBehind(behind, read) : sql`UNION ALL SELECT s.*, 'scanned' FROM scanned s`;
  const columns = withSample && plan.paths.length > 1 ? sql`, NULL::integer[] AS sample` : undefined;
  const rows = sql`SELECT n.*, NULL::text AS "end" FROM near n ${ends} UNION ALL SELECT l.*, 'last' FROM last l`;
  const found = columns
    ? sql`SELECT f.*${columns} FROM (${rows}) f UNION ALL ${sampleOf(plan, read)} WHERE ${isShort}`
    : rows;
  const blocks = behind ? sql`, ${rowsBehind(behind, read, width)}` : sql``;
  return positionsStatement(list, read, {
    found: sql`WITH ${scan}${blocks} ${found}`,
    more: columns ? sql`, f."end", f.sample` : sql`, f."end"`,
    isItem: sql`f."end" IS NULL`,
    mode: 'generic',
  });
}

/** The next rows in the order of the list, whether they belong to it or not. */
function nextRows({ list: { mapping }, scope }: StepwisePlan, read: KeysetRead): Sql {
  const runs = read.marker === undefined ? [] : rowsAfter(read.order, read.marker);
  return sql`${from(mapping)} WHERE ${and([inScope(mapping, scope), ...runs])} ${orderBy(read.order)}`;
}

/** How many of the next rows are found through each path, as a row of the end `sample`. */
function sampleOf(plan: StepwisePlan, read: KeysetRead): Sql {
  const counts = plan.paths.map(({ match }) => sql`count(*) FILTER (WHERE ${match})`);
  const none = raw(read.order.keys.map(() => 'NULL').join(', '));
  return sql`SELECT NULL, NULL, ${none}, 'sample', s.counts FROM (SELECT ARRAY[${join(counts)}]::integer[] AS counts
    FROM (SELECT t.* ${nextRows(plan, read)} LIMIT ${raw(String(SAMPLE_ROWS))}) t) s`;
}

/**
 * The rows that are found behind a scan, and the position to which they were read, unless no more rows follow. Those of `rest` are all
 * that follow, unless they are too many.
 */
function endsBehind({ rest }: BehindScan, read: KeysetRead): Sql {
  const found = sql`(SELECT count(*) FROM near) + (SELECT count(*) FROM behind)`;
  const end = sql`CROSS JOIN last l CROSS JOIN range_end r WHERE ${found} < ${read.limit} AND ${isBefore(read, sql`r.id`, sql`l.id`)}`;
  const columns = sql`r.project_id, r.id, ${keyNames(read)}`;
  const few = rest
    ? sql`UNION ALL (SELECT ${columns}, NULL FROM rest r WHERE NOT r.is_incomplete LIMIT ${read.limit} - (${found}))`
    : sql``;
  const isIncomplete = rest ? sql` AND EXISTS (SELECT FROM rest WHERE is_incomplete)` : sql``;
  return sql`UNION ALL SELECT b.*, NULL FROM behind b ${few}
    UNION ALL SELECT s.project_id, r.id, r.id, 'scanned' FROM scanned s ${end}${isIncomplete}`;
}

const keyNames = ({ order }: KeysetRead): Sql => raw(order.keys.map((_, i) => `r.k${String(i)}`).join(', '));

/** Whether an id comes before another one in the order of a read. */
const isBefore = ({ order }: KeysetRead, one: Sql, other: Sql): Sql =>
  sql`${one} ${raw(order.descending ? '>' : '<')} ${other}`;

/**
 * The CTEs `range`, with the ranges of ids behind a scan that are searched (as many as should fill the page), `behind`, with the
 * rows that are found there, `range_end`, and `rest`.
 */
function rowsBehind({ blocks: { rows, min }, rest }: BehindScan, read: KeysetRead, width: number): Sql {
  const { order, limit } = read;
  const size = raw(String(IDS_PER_BLOCK));
  const blocks = Array.from({ length: limit }, (_, found) => blocksToRead(min, found, width, limit - found));
  const ranges = rangesOfBlocks(MAX_BLOCKS);
  const ends = (name: 'first' | 'last') =>
    opaqueArray(
      ranges.map((range) => range[name]),
      'bigint',
    );
  const found = sql`(SELECT count(*) FROM near)`;
  const [low, high] = order.descending
    ? ['w.block - LEAST(o.last, w.count - 1)', 'w.block - o.first']
    : ['w.block + o.first', 'w.block + LEAST(o.last, w.count - 1)'];
  const after = (union: SourceUnion, ...conditions: readonly Sql[]): SourceUnion => ({
    ...union,
    conditions: [...union.conditions, ...conditions],
  });
  const isBehind = isBefore(read, sql`(SELECT s.id FROM scanned s)`, sql`t.id`);
  const unread = { ...read, marker: undefined };
  const restRows =
    rest &&
    after(
      rest,
      isBefore(read, sql`(SELECT r.id FROM range_end r)`, sql`t.id`),
      sql`${found} + (SELECT count(*) FROM behind) < ${limit}`,
    );
  return sql`range AS MATERIALIZED (
      SELECT (${raw(low)}) * ${size} AS low, (${raw(high)}) * ${size} + ${size} - 1 AS high
      FROM (SELECT s.id / ${size} AS block, LEAST((${opaqueArray(blocks, 'integer')})[${found} + 1], abs(l.id / ${size} - s.id / ${size}) + 1) AS count
        FROM scanned s CROSS JOIN last l) w
        CROSS JOIN LATERAL unnest(${ends('first')}, ${ends('last')}) AS o (first, last)
      WHERE o.first < w.count),
    behind AS MATERIALIZED (${rowsInRanges(after(rows, isBehind), unread, sql`range`, sql`${limit} - ${found}`)}),
    range_end AS MATERIALIZED (SELECT ${raw(order.descending ? 'min(range.low)' : 'max(range.high)')} AS id FROM range)
    ${restRows ? sql`, rest AS MATERIALIZED (${rareStatement(restRows, unread)})` : sql``}`;
}
