import type { Queryable } from '../database/database';
import { and, join, raw, sql, type Sql } from '../database/sql';
import { from, inScope } from '../database/resource-sql';
import type { SortColumn } from '../database/resource-shape';
import {
  branchStatement,
  type IdRange,
  IDS_PER_BLOCK,
  keyColumns,
  orderBy,
  reverseOrder,
  rowsAfter,
} from './page-statements';
import type { Branch, KeyValues, ListRequest, RowPosition, KeysetRead } from './list-request';

/** The number of rows that the first scan reads in addition to a page. It costs about a millisecond. */
const INITIAL_SCAN_ROWS = 512;
/** The factor by which a scan grows when it is repeated. A larger scan must promise a full page to be worth it. */
const SCAN_GROWTH = 8;
/** The number of id blocks that the first index probe covers: enough for filters of medium selectivity. */
const PROBE_BLOCKS = 16;
/** The number of rows on which the access paths are compared. */
const SAMPLE_ROWS = 128;
/** The default access path is replaced only if it matches this many times as many sample rows as the best one. */
const MIN_MATCH_RATIO = 4;

/** Whether an index returns the rows of a project in the order of the list. */
function isIndexOrder({ shape, order }: ListRequest): boolean {
  const columns = order.keys.map((key: SortColumn) => key.column);
  const name = shape.fields[shape.nameField]?.sort?.column;
  return columns.length === 1 || (columns[0] === name && columns[1] === 't.id');
}

/** The branch of a list that has exactly one, if it reads a range of an index. */
function rangeBranch({ branches }: ListRequest): Branch | undefined {
  const [branch, ...others] = branches ?? [];
  return others.length === 0 && branch?.rangeColumn !== undefined ? branch : undefined;
}

/**
 * Whether a list is read by an adaptive scan. It is if an index returns the rows of a project in the order of the list,
 * and no index in that order can answer the conditions of the list.
 */
export function usesAdaptiveScan(request: ListRequest): boolean {
  const { shape, scope, match, branches, conditions, order } = request;
  if (scope === 'every project' || shape.idType !== 'bigint' || !isIndexOrder(request)) return false;
  if (branches?.length === 0) return false;
  // A range without other conditions is read through its own index, in the order of that index.
  if (conditions.length === 1 && rangeBranch(request)?.rangeColumn === order.keys[0]?.column) return false;
  // In id order, the branch of a filter returns rows in order.
  const isImplied = branches === undefined || request.accessPaths?.[0]?.branches === branches;
  return match !== undefined || (order.keys.length > 1 && conditions.length > 0 && isImplied);
}

/**
 * Finds the positions of the next items. Frequent matches are found fastest by scanning the next rows in order, because
 * an index would return hundreds of thousands of rows to sort. Rare matches are found fastest through the indexes of
 * the branches. The selectivity of a filter is unknown in advance, and the planner's statistics on JSON documents are
 * guesses. So the scan has three steps: the next few hundred rows, then the indexes for a range of ids, then the
 * indexes for the whole list. Each step continues where the previous one ended, and no step costs more than about a
 * page.
 */
export async function findNextPositions(
  request: ListRequest,
  read: KeysetRead,
  on: Queryable,
): Promise<RowPosition[]> {
  const found: RowPosition[] = [];
  let rest = read;
  const add = (positions: readonly RowPosition[], scannedTo?: KeyValues): boolean => {
    found.push(...positions);
    rest = { ...rest, limit: read.limit - found.length, marker: scannedTo ?? rest.marker };
    return rest.limit === 0;
  };
  const width = INITIAL_SCAN_ROWS + read.limit;
  const initial = await scanRows(request, rest, width, on);
  if (initial.scannedTo === undefined) return initial.positions;
  if (add(initial.positions, initial.scannedTo)) return found;
  const planned =
    request.accessPaths && request.accessPaths.length > 1
      ? await chooseAccessPath(request, read, on)
      : request;
  const range = rangeBranch(planned);
  if (range) {
    // The scan grows until it covers as many rows as the range: neither is read much further than the other.
    for (
      let reach = width * SCAN_GROWTH;
      await hasMoreRows(request, range, reach, on);
      reach *= SCAN_GROWTH
    ) {
      const larger = await scanRows(request, rest, reach, on);
      if (larger.scannedTo === undefined) return [...found, ...larger.positions];
      if (add(larger.positions, larger.scannedTo)) return found;
    }
  } else if (read.order.keys.length === 1) {
    // An index without an order and without blocks would return all matches for each id range.
    const hasBlocks = planned.branches?.every(({ unordered }) => unordered !== 'whole') ?? true;
    for (const blocks of hasBlocks ? probeSizes(read.limit, found.length, width) : []) {
      const window = idRangeAfter(rest, blocks);
      if (add(await readBranches(planned, rest, on, window), [String(window.last)])) return found;
      if (isInRange(initial.lastId, window, read)) return found;
    }
  } else if (found.length * SCAN_GROWTH >= read.limit) {
    const larger = await scanRows(request, rest, width * SCAN_GROWTH, on);
    if (larger.scannedTo === undefined) return [...found, ...larger.positions];
    if (add(larger.positions, larger.scannedTo)) return found;
  }
  add(await readBranches(planned, rest, on));
  return found;
}

/** A position as columns. */
export interface PositionRow {
  readonly [key: string]: string | null;
  readonly project_id: string;
  readonly list_id: string;
}

/**
 * A row that belongs to the list (`end` is null), the last scanned row, or the last row in the order of the read; these
 * two whether they belong to the list or not.
 */
interface ScannedRow extends PositionRow {
  readonly end: 'scanned' | 'last' | null;
}

const keysOf = (read: KeysetRead, row: Readonly<Record<string, string | null>>): KeyValues =>
  read.order.keys.map((_, i) => row[`k${String(i)}`] ?? null);

export const toPositions = (read: KeysetRead, rows: readonly PositionRow[]): RowPosition[] =>
  rows.map((row) => ({ projectId: row.project_id, id: row.list_id, keys: keysOf(read, row) }));

/** The columns of a `PositionRow` over a subquery `f`. */
export const positionColumns = ({ order }: KeysetRead): Sql =>
  raw(
    `f.project_id, f.id::text AS list_id, ${order.keys.map((_, i) => `f.k${String(i)}::text AS k${String(i)}`).join(', ')}`,
  );

/** The next rows in the order of the list, whether they match or not. */
function nextRows({ shape, scope }: ListRequest, read: KeysetRead): Sql {
  const runs = read.marker === undefined ? [] : rowsAfter(read.order, read.marker);
  return sql`${from(shape)} WHERE ${and([inScope(shape, scope), ...runs])} ${orderBy(read.order)}`;
}

/** The last row in the order of the read, whether it matches or not. */
const lastRow = ({ shape, scope }: ListRequest, { order }: KeysetRead): Sql =>
  sql`${from(shape)} WHERE ${inScope(shape, scope)} ${orderBy(reverseOrder(order))} LIMIT 1`;

/** Whether a range of ids contains all rows up to this id, in the order of the read. */
const isInRange = (id: string | undefined, { last }: IdRange, { order }: KeysetRead): boolean =>
  id !== undefined && (order.descending ? Number(id) >= last : Number(id) <= last);

/**
 * Reads those of the next `width` rows that belong to the list.
 * @returns their positions and, if the page is not full and more rows follow, the keys of the last scanned row, and the
 *   id of the last row of all. One statement finds them, because a second one could see other rows.
 */
async function scanRows(request: ListRequest, read: KeysetRead, width: number, on: Queryable) {
  const matchesList = and([...request.conditions, request.match ?? sql`true`]);
  const keys = sql`t.project_id, t.id, ${keyColumns(read.order, 'value')}`;
  const rows = await on.rows<ScannedRow>(sql`WITH near AS MATERIALIZED (
      SELECT ${keys} FROM (SELECT t.* ${nextRows(request, read)} LIMIT ${width}) t
      WHERE ${matchesList} ${orderBy(read.order)} LIMIT ${read.limit})
    SELECT ${positionColumns(read)}, NULL::text AS "end" FROM near f
    UNION ALL SELECT ${positionColumns(read)}, 'scanned'
    FROM (SELECT ${keys} ${nextRows(request, read)} LIMIT 1 OFFSET ${width - 1}) f
    WHERE (SELECT count(*) FROM near) < ${read.limit}
    UNION ALL SELECT ${positionColumns(read)}, 'last' FROM (SELECT ${keys} ${lastRow(request, read)}) f
    WHERE (SELECT count(*) FROM near) < ${read.limit}`);
  const positions = toPositions(
    read,
    rows.filter((row) => row.end === null),
  );
  if (positions.length === read.limit)
    return { positions, scannedTo: positions.at(-1)?.keys, lastId: undefined };
  const end = rows.find((row) => row.end === 'scanned');
  const last = rows.find((row) => row.end === 'last');
  return { positions, scannedTo: end && keysOf(read, end), lastId: last?.list_id };
}

/** Whether a range has more than `count` rows, regardless of the other conditions. */
async function hasMoreRows(
  { shape, scope }: ListRequest,
  branch: Branch,
  count: number,
  on: Queryable,
): Promise<boolean> {
  const column = branch.rangeColumn ?? 't.id';
  const rows = await on.rows(
    sql`SELECT ${from(shape)} WHERE ${and([inScope(shape, scope), branch.where])} ORDER BY ${raw(column)} OFFSET ${count} LIMIT 1`,
    'custom',
  );
  return rows.length > 0;
}

/**
 * The numbers of id blocks to probe, one after the other until the page is full.
 * @param found the number of items among the first `width` rows: if there were many, a short range has the rest
 */
function probeSizes(limit: number, found: number, width: number): number[] {
  const max = Math.min(8 * PROBE_BLOCKS, Math.max(PROBE_BLOCKS, limit));
  if (found === 0) return [max];
  const expected = Math.ceil((2 * (limit - found) * width) / (found * IDS_PER_BLOCK));
  return expected < max ? [expected, max] : [max];
}

/** The range of ids after a marker, in whole blocks. */
function idRangeAfter({ marker, order }: KeysetRead, blocks: number): IdRange {
  const first = Math.floor(Number(marker?.[0]) / IDS_PER_BLOCK);
  const end = order.descending ? Math.max(first - blocks, 0) : first + blocks;
  return {
    blocks: [first, end],
    last: order.descending ? end * IDS_PER_BLOCK : (end + 1) * IDS_PER_BLOCK - 1,
  };
}

/** Whether the branch reads one range of an index for each driving row, whatever their values are. */
const isIndexRange = ({ drivingRows, unordered }: Branch): boolean =>
  drivingRows !== undefined && unordered === undefined;

/** The positions of the next items, through the indexes of the branches alone. */
export async function readBranches(
  request: ListRequest,
  read: KeysetRead,
  on: Queryable,
  window?: IdRange,
): Promise<RowPosition[]> {
  const rows = await on.rows<PositionRow>(
    sql`SELECT ${positionColumns(read)} FROM (${branchStatement(request, read, window ? { window } : {})}) f`,
    request.branches?.every(isIndexRange) ? 'generic' : 'custom',
  );
  return toPositions(read, rows);
}

/** Chooses the access path that matches the fewest of the next rows. */
async function chooseAccessPath(request: ListRequest, read: KeysetRead, on: Queryable): Promise<ListRequest> {
  const paths = request.accessPaths ?? [];
  const counts = paths.map(
    ({ match }, i) => sql`count(*) FILTER (WHERE ${match}) AS ${raw(`w${String(i)}`)}`,
  );
  const [row] = await on.rows<Record<string, number>>(
    sql`SELECT ${join(counts)} FROM (SELECT t.* ${nextRows(request, read)} LIMIT ${SAMPLE_ROWS}) t`,
  );
  const matches = paths.map((_, i) => row?.[`w${String(i)}`] ?? 0);
  const best = matches.indexOf(Math.min(...matches));
  // A few matches prove nothing: rows that inherit the same value come in clusters.
  if ((matches[0] ?? 0) < MIN_MATCH_RATIO * Math.max(matches[best] ?? 0, 2)) return request;
  const [defaultPath] = paths;
  const path = paths[best];
  // The conditions of the request are those of all paths except the first, so the first one is added.
  return best <= 0 || !path || !defaultPath
    ? request
    : { ...request, branches: path.branches, conditions: [...request.conditions, defaultPath.match] };
}
