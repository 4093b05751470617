import type { PlanMode, Queryable } from '../database/database';
import { and, join, raw, sql, type Sql } from '../database/sql';
import { from, inScope } from '../database/resource-sql';
import type { SortColumn } from '../database/resource-mapping';
import {
  branchStatement,
  candidatesStatement,
  constantLimit,
  type IdRange,
  IDS_PER_BLOCK,
  type KeyColumns,
  keyColumns,
  keysOfColumns,
  keyTexts,
  orderBy,
  rangesStatement,
  reverseOrder,
  rowsAfter,
} from './page-statements';
import type { Branch, KeyValues, ListRequest, RowPosition, KeysetRead } from './list-request';

/** The number of rows that the first scan reads in addition to a page. It costs about a millisecond. */
const INITIAL_SCAN_ROWS = 512;
/** The factor by which a scan grows when it is repeated. A larger scan must promise a full page to be worth it. */
const SCAN_GROWTH = 8;
/** The number of blocks of ids that are probed first, if the first scan found nothing. */
const PROBED_BLOCKS = 3;
/** The same for an index that finds more than the matches, because it finds all of that at a high price. */
const RECHECKED_BLOCKS = 12;
/**
 * The number of blocks that are searched before all remaining matches are read and sorted. Ids of other
 * projects make empty blocks, and a search of one takes up to a quarter of a millisecond.
 */
const MAX_BLOCKS = 1024;
/** The number of rows on which the access paths are compared. */
const SAMPLE_ROWS = 128;
/** The default access path is replaced only if it matches this many times as many sample rows as the best one. */
const MIN_MATCH_RATIO = 4;

/** Whether an index returns the rows of a project in the order of the list. */
function isIndexOrder({ mapping, order }: ListRequest): boolean {
  const columns = order.keys.map((key: SortColumn) => key.column);
  const name = mapping.fields[mapping.nameField]?.sort?.column;
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
  const { mapping, scope, match, branches, conditions, order } = request;
  if (scope === 'every project' || mapping.idType !== 'bigint' || !isIndexOrder(request)) return false;
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
 * guesses. So the scan has steps: the next few hundred rows, then the indexes for ranges of ids, then the indexes for the
 * whole list, unless they have too many matches. Each step continues where the previous one ended, and no step costs much
 * more than a page.
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
  const candidates = found.length === 0 && (await readCandidates(request, rest, on));
  if (candidates) return candidates;
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
  } else if (read.order.keys.length === 1 && hasBlocks(planned)) {
    /** Whether the page is full or the end of the list is reached. */
    const probe = async (blocks: number): Promise<boolean> => {
      const ranges = nextRanges(rest, initial.lastId, blocks);
      const last = ranges.at(-1);
      if (!last) return false;
      const end = read.order.descending ? last.low : last.high;
      return (
        add(await readRanges(planned, rest, on, ranges), [String(end)]) || isIn(last, Number(initial.lastId))
      );
    };
    if (await probe(blocksToProbe(planned, read, found.length, width))) return found;
    const rare = await readRareMatches(planned, rest, on);
    if (rare) {
      add(rare);
      return found;
    }
    const alternative = withAlternatives(planned);
    if (alternative) return [...found, ...(await readBranches(alternative, rest, on))];
    // Frequent matches that begin later in the list are found block by block, too.
    if (await probe(MAX_BLOCKS)) return found;
  } else if (read.order.keys.length > 1 && found.length * SCAN_GROWTH >= read.limit) {
    const larger = await scanRows(request, rest, width * SCAN_GROWTH, on);
    if (larger.scannedTo === undefined) return [...found, ...larger.positions];
    if (add(larger.positions, larger.scannedTo)) return found;
  }
  add(await readBranches(planned, rest, on));
  return found;
}

/** A position as columns. */
export interface PositionRow extends KeyColumns {
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

export const toPositions = (read: KeysetRead, rows: readonly PositionRow[]): RowPosition[] =>
  rows.map((row) => ({ projectId: row.project_id, id: row.list_id, keys: keysOfColumns(read.order, row) }));

/** The columns of a `PositionRow` over a subquery `f`. */
export const positionColumns = ({ order }: KeysetRead): Sql =>
  raw(
    `f.project_id, f.id::text AS list_id, ${keyTexts(order, 'f')
      .map((text, i) => `${text} AS k${String(i)}`)
      .join(', ')}`,
  );

/** The next rows in the order of the list, whether they match or not. */
function nextRows({ mapping, scope }: ListRequest, read: KeysetRead): Sql {
  const runs = read.marker === undefined ? [] : rowsAfter(read.order, read.marker);
  return sql`${from(mapping)} WHERE ${and([inScope(mapping, scope), ...runs])} ${orderBy(read.order)}`;
}

/** The last row in the order of the read, whether it matches or not. */
const lastRow = ({ mapping, scope }: ListRequest, { order }: KeysetRead): Sql =>
  sql`${from(mapping)} WHERE ${inScope(mapping, scope)} ${orderBy(reverseOrder(order))} LIMIT 1`;

/**
 * Reads those of the next `width` rows that belong to the list.
 * @returns their positions and, if the page is not full and more rows follow, the keys of the last scanned row, and the
 *   id of the last row of all. One statement finds them, because a second one could see other rows.
 */
async function scanRows(request: ListRequest, read: KeysetRead, width: number, on: Queryable) {
  const matchesList = and([...request.conditions, request.match ?? sql`true`]);
  const keys = sql`t.project_id, t.id, ${keyColumns(read.order, 'value')}`;
  const next = sql`${nextRows(request, read)} ${constantLimit(width)}`;
  const rows = await on.rows<ScannedRow>(sql`WITH near AS MATERIALIZED (
      SELECT ${keys} FROM (SELECT t.* FROM (SELECT t.* ${next}) t LIMIT ${width}) t
      WHERE ${matchesList} ${orderBy(read.order)} LIMIT ${read.limit})
    SELECT ${positionColumns(read)}, NULL::text AS "end" FROM near f
    UNION ALL SELECT ${positionColumns(read)}, 'scanned'
    FROM (SELECT t.* FROM (SELECT ${keys} ${next}) t LIMIT 1 OFFSET ${width - 1}) f
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
  return { positions, scannedTo: end && keysOfColumns(read.order, end), lastId: last?.list_id };
}

/** Whether a range has more than `count` rows, regardless of the other conditions. */
async function hasMoreRows(
  { mapping, scope }: ListRequest,
  branch: Branch,
  count: number,
  on: Queryable,
): Promise<boolean> {
  const column = branch.rangeColumn ?? 't.id';
  const rows = await on.rows(
    sql`SELECT ${from(mapping)} WHERE ${and([inScope(mapping, scope), branch.where])} ORDER BY ${raw(column)} OFFSET ${count} LIMIT 1`,
    'custom',
  );
  return rows.length > 0;
}

/** The request with the alternatives of its branches; undefined if none has one. */
function withAlternatives(request: ListRequest): ListRequest | undefined {
  const { branches = [] } = request;
  if (branches.every(({ alternative }) => alternative === undefined)) return undefined;
  return { ...request, branches: branches.map((branch) => branch.alternative ?? branch) };
}

/** Whether ranges of ids can be read. An index without an order and without blocks returns all matches for each range. */
const hasBlocks = ({ branches = [] }: ListRequest): boolean =>
  branches.every(({ unordered }) => unordered !== 'whole');

/** As `readBranches`; undefined if there are too many matches to sort. */
async function readRareMatches(
  request: ListRequest,
  read: KeysetRead,
  on: Queryable,
): Promise<RowPosition[] | undefined> {
  const rows = await on.rows<PositionRow & { is_incomplete: boolean }>(
    sql`SELECT ${positionColumns(read)}, f.is_incomplete FROM (${branchStatement(request, read, 'probably rare')}) f`,
    planModeOf(request),
  );
  return rows.some((row) => row.is_incomplete) ? undefined : toPositions(read, rows);
}

/** The next positions, from the candidates of the list; undefined if there are none, or too many. */
async function readCandidates(
  request: ListRequest,
  read: KeysetRead,
  on: Queryable,
): Promise<RowPosition[] | undefined> {
  if (!request.candidates) return undefined;
  const rows = await on.rows<PositionRow & { is_incomplete: boolean }>(
    sql`SELECT ${positionColumns(read)}, f.is_incomplete FROM (${candidatesStatement(request, read, request.candidates)}) f`,
  );
  return rows.some((row) => row.is_incomplete) ? undefined : toPositions(read, rows);
}

/**
 * The number of blocks of ids that should have the rest of a page.
 * @param found the number of items among the first `width` rows
 */
function blocksToProbe(
  { branches = [] }: ListRequest,
  { limit }: KeysetRead,
  found: number,
  width: number,
): number {
  const fewest = branches.some(({ recheck }) => recheck !== undefined) ? RECHECKED_BLOCKS : PROBED_BLOCKS;
  const expected = found === 0 ? 0 : Math.ceil((2 * (limit - found) * width) / (found * IDS_PER_BLOCK));
  return Math.min(Math.max(expected, fewest), MAX_BLOCKS);
}

/**
 * The ranges of ids after a marker, in whole blocks and in the order of the read: of one block, then of two, four and so
 * on, so that a range that is not needed completely is not much larger than those before it.
 * @param lastId the last id in the order of the read
 * @param blocks the maximum number of blocks
 */
function nextRanges({ marker, order }: KeysetRead, lastId: string | undefined, blocks: number): IdRange[] {
  const blockOf = (id: string | null | undefined) => Math.floor(Number(id) / IDS_PER_BLOCK);
  const step = order.descending ? -1 : 1;
  const available = Math.abs(blockOf(lastId) - blockOf(marker?.[0])) + 1;
  const ranges: IdRange[] = [];
  let first = blockOf(marker?.[0]);
  const total = Math.min(blocks, available);
  for (let covered = 0, size = 1; covered < total; size *= 2) {
    const count = Math.min(size, total - covered);
    const last = first + step * (count - 1);
    ranges.push({
      low: Math.min(first, last) * IDS_PER_BLOCK,
      high: (Math.max(first, last) + 1) * IDS_PER_BLOCK - 1,
    });
    first = last + step;
    covered += count;
  }
  return ranges;
}

const isIn = ({ low, high }: IdRange, id: number): boolean => low <= id && id <= high;

/** Whether the branch reads one range of an index, or one for each driving row, whatever their values are. */
const isIndexRange = ({ drivingRows, through, unordered }: Branch): boolean =>
  (drivingRows !== undefined || through?.inOrder === true) && unordered === undefined;

const planModeOf = ({ branches }: ListRequest): PlanMode =>
  branches?.every(isIndexRange) ? 'generic' : 'custom';

/** Whether the branch joins all rows of a table, so that the best join depends on their number. */
const isJoinedWhole = ({ drivingRows, through }: Branch): boolean =>
  through !== undefined && drivingRows === undefined;

/** The positions of the next items, through the indexes of the branches alone. */
export async function readBranches(
  request: ListRequest,
  read: KeysetRead,
  on: Queryable,
): Promise<RowPosition[]> {
  const rows = await on.rows<PositionRow>(
    sql`SELECT ${positionColumns(read)} FROM (${branchStatement(request, read, 'infrequent')}) f`,
    planModeOf(request),
  );
  return toPositions(read, rows);
}

/** The positions of the next items in ranges of ids, through the indexes of the branches. */
async function readRanges(
  request: ListRequest,
  read: KeysetRead,
  on: Queryable,
  ranges: readonly IdRange[],
): Promise<RowPosition[]> {
  const rows = await on.rows<PositionRow>(
    sql`SELECT ${positionColumns(read)} FROM (${rangesStatement(request, read, ranges)}) f`,
    request.branches?.some(isJoinedWhole) ? 'custom' : 'generic',
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
