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
import { positionsStatement, type Statement } from './list-statements';
import { restrictUnion } from './source-union';
import { rareStatement, rowsInRanges } from './source-statements';
import type { ScanAndBlocksPlan, StepwisePath, StepwisePlan } from './step-plan';
import { IDS_PER_BLOCK, MAX_BLOCKS, SAMPLE_ROWS } from './tuning';

/**
 * A row of a scan:
 * - `item`: a row that belongs to the list.
 * - `scanned`: the position to which the list was read, unless no more rows follow.
 * - `last`: the last row of all in the order of the read, whether it belongs to the list or not.
 * - `sample`: no row, but the sample of a plan with several paths.
 */
export type ScannedRow = PositionRow & {
  readonly row_kind: 'item' | 'scanned' | 'last' | 'sample';
  /** How many of the next rows each path finds. Only of the sample. */
  readonly sample?: readonly number[] | null;
};

/**
 * Those of the next `width` rows that belong to the list. If they do not fill the page, also `scanned` and `last`. One statement finds
 * them, because a second one could see other rows, and takes longer.
 *
 * Its CTEs are `scan_matches`, `scan_end` (the last scanned row) and `last_row`. The last two are empty if the page is full.
 * @param isFirst whether it is the first scan of a read. If it does not fill the page, it also reads what its plan says: the matches
 * in the blocks after the scanned rows, or the sample
 */
export function scanStatement(
  plan: StepwisePlan,
  read: KeysetRead,
  width: number,
  { isFirst }: { readonly isFirst: boolean } = { isFirst: false },
): Statement {
  const { scope, list } = plan;
  const keys = sql`t.project_id, t.id, ${keyColumns(read.order, 'value')}`;
  const next = sql`${nextRows(plan, read)} ${constantLimit(width)}`;
  const last = sql`${from(list.mapping)} WHERE ${inScope(list.mapping, scope)} ${orderBy(reverseOrder(read.order))} LIMIT 1`;
  const isShort = sql`${SCAN_COUNT} < ${read.limit}`;
  // The order is repeated outside of the inner limit. Without it, the planner does not know it there, and reads all rows to sort
  // them, even if the first ones fill the page.
  const scan = sql`scan_matches AS MATERIALIZED (
      SELECT ${keys} FROM (SELECT t.* FROM (SELECT t.* ${next}) t ${orderBy(read.order)} LIMIT ${width}) t
      WHERE ${plan.matches} ${orderBy(read.order)} LIMIT ${read.limit}),
    scan_end AS MATERIALIZED (
      SELECT n.* FROM (SELECT t.* FROM (SELECT ${keys} ${next}) t LIMIT 1 OFFSET ${width - 1}) n WHERE ${isShort}),
    last_row AS MATERIALIZED (SELECT n.* FROM (SELECT ${keys} ${last}) n WHERE ${isShort})`;
  const blocks = isFirst && plan.first === 'scan and blocks' ? plan : undefined;
  const paths = isFirst && plan.first === 'scan' && plan.paths.length > 1 ? plan.paths : undefined;
  const after = blocks
    ? rowsAfterScan(blocks, read)
    : sql`UNION ALL SELECT scan_end.*, 'scanned' FROM scan_end`;
  const rows = sql`SELECT scan_matches.*, 'item' AS row_kind FROM scan_matches ${after}
    UNION ALL SELECT last_row.*, 'last' FROM last_row`;
  const found = paths
    ? sql`SELECT f.*, NULL::integer[] AS sample FROM (${rows}) f UNION ALL ${sampleOf(plan, paths, read)} WHERE ${isShort}`
    : rows;
  return positionsStatement(list, read, {
    found: sql`WITH ${scan}${blocks ? sql`, ${blocksAfterScan(blocks, read, width)}` : sql``} ${found}`,
    more: paths ? sql`, f.row_kind, f.sample` : sql`, f.row_kind`,
    isItem: sql`f.row_kind = 'item'`,
    mode: 'generic',
  });
}

const SCAN_COUNT = sql`(SELECT count(*) FROM scan_matches)`;
const SCAN_AND_BLOCKS_COUNT = sql`${SCAN_COUNT} + (SELECT count(*) FROM block_matches)`;

/** The next rows in the order of the list, whether they belong to it or not. */
function nextRows({ list: { mapping }, scope }: StepwisePlan, read: KeysetRead): Sql {
  const ranges = read.marker === undefined ? [] : rowsAfter(read.order, read.marker);
  return sql`${from(mapping)} WHERE ${and([inScope(mapping, scope), ...ranges])} ${orderBy(read.order)}`;
}

/** How many of the next rows are found through each path, as a row of the kind `sample`. */
function sampleOf(plan: StepwisePlan, paths: readonly StepwisePath[], read: KeysetRead): Sql {
  const counts = paths.map(({ match }) => sql`count(*) FILTER (WHERE ${match})`);
  const none = raw(read.order.keys.map(() => 'NULL').join(', '));
  return sql`SELECT NULL, NULL, ${none}, 'sample', s.counts FROM (SELECT ARRAY[${join(counts)}]::integer[] AS counts
    FROM (SELECT t.* ${nextRows(plan, read)} LIMIT ${raw(String(SAMPLE_ROWS))}) t) s`;
}

/**
 * The rows that are found after a scan in the order of ids, and the position to which they were read, unless no more rows follow. The
 * remaining matches are all that follow the blocks, unless they are too many.
 */
function rowsAfterScan({ remaining }: ScanAndBlocksPlan, read: KeysetRead): Sql {
  const isShort = sql`${SCAN_AND_BLOCKS_COUNT} < ${read.limit} AND ${isBefore(read, sql`blocks_end.id`, sql`last_row.id`)}`;
  const [others, isIncomplete] = remaining
    ? [
        sql`UNION ALL (SELECT r.project_id, r.id, r.k0, 'item' FROM remaining_matches r
          WHERE NOT r.is_incomplete LIMIT ${read.limit} - (${SCAN_AND_BLOCKS_COUNT}))`,
        sql` AND EXISTS (SELECT FROM remaining_matches WHERE is_incomplete)`,
      ]
    : [sql``, sql``];
  return sql`UNION ALL SELECT block_matches.*, 'item' FROM block_matches ${others}
    UNION ALL SELECT scan_end.project_id, blocks_end.id, blocks_end.id, 'scanned'
      FROM scan_end CROSS JOIN last_row CROSS JOIN blocks_end WHERE ${isShort}${isIncomplete}`;
}

/** Whether an id comes before another one in the order of a read. */
const isBefore = ({ order }: KeysetRead, one: Sql, other: Sql): Sql =>
  sql`${one} ${raw(order.descending ? '>' : '<')} ${other}`;

/**
 * The CTEs of what follows a scan in the order of ids: `id_ranges`; `block_matches`, the rows that are found in these ranges;
 * `blocks_end`, the last id of the ranges; and `remaining_matches`, those of the rows after it that are read.
 */
function blocksAfterScan(
  { blocks: { rows, min }, remaining }: ScanAndBlocksPlan,
  read: KeysetRead,
  width: number,
): Sql {
  const { order, limit } = read;
  // Where the read starts is a condition of the statement, not a marker.
  const unread = { ...read, marker: undefined };
  const afterScan = restrictUnion(rows, [isBefore(read, sql`(SELECT scan_end.id FROM scan_end)`, sql`t.id`)]);
  const afterBlocks =
    remaining &&
    restrictUnion(remaining, [
      isBefore(read, sql`(SELECT blocks_end.id FROM blocks_end)`, sql`t.id`),
      sql`${SCAN_AND_BLOCKS_COUNT} < ${limit}`,
    ]);
  return sql`id_ranges AS MATERIALIZED (${rangesAfterScan(read, min, width)}),
    block_matches AS MATERIALIZED (${rowsInRanges(afterScan, unread, sql`id_ranges AS range`, sql`${limit} - ${SCAN_COUNT}`)}),
    blocks_end AS MATERIALIZED (SELECT ${raw(order.descending ? 'min(low)' : 'max(high)')} AS id FROM id_ranges)
    ${afterBlocks ? sql`, remaining_matches AS MATERIALIZED (${rareStatement(afterBlocks, unread)})` : sql``}`;
}

/**
 * The ranges `(low, high)` of ids after a scan: `nextRanges` as SQL, because only the statement knows how many matches the scan finds,
 * and where it ends. It refers to `scan_matches`, `scan_end` and `last_row`. `blocksToRead` is not repeated as SQL: an array has its
 * result for each number of matches that does not fill the page.
 * @param min the minimum number of blocks
 * @param width the number of rows of the scan
 */
export function rangesAfterScan({ order, limit }: KeysetRead, min: number, width: number): Sql {
  const size = raw(String(IDS_PER_BLOCK));
  const blocksByMatches = opaqueArray(
    Array.from({ length: limit }, (_, found) => blocksToRead(min, found, width, limit - found)),
    'integer',
  );
  const ranges = rangesOfBlocks(MAX_BLOCKS);
  const blocksOf = (end: 'first' | 'last') =>
    opaqueArray(
      ranges.map((range) => range[end]),
      'bigint',
    );
  const [low, high] = order.descending
    ? ['start.block - LEAST(range.last, start.count - 1)', 'start.block - range.first']
    : ['start.block + range.first', 'start.block + LEAST(range.last, start.count - 1)'];
  return sql`SELECT (${raw(low)}) * ${size} AS low, (${raw(high)}) * ${size} + ${size} - 1 AS high
    FROM (SELECT scan_end.id / ${size} AS block, LEAST((${blocksByMatches})[${SCAN_COUNT} + 1],
        abs(last_row.id / ${size} - scan_end.id / ${size}) + 1) AS count
      FROM scan_end CROSS JOIN last_row) AS start
    CROSS JOIN LATERAL unnest(${blocksOf('first')}, ${blocksOf('last')}) AS range (first, last)
    WHERE range.first < start.count`;
}
