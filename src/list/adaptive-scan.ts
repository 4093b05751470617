import type { Queryable } from '../database/database';
import { and, join, raw, sql, type Sql } from '../database/sql';
import { from, inScope } from '../database/resource-sql';
import type { SortColumn } from '../database/resource-shape';
import { after, keyColumns, orderBy, type KeyValues } from './keyset';
import type { Branch, ListRequest, Place, Walk } from './list-request';
import { branchStatement, BLOCK_IDS, type IdWindow } from './page-statements';

/** How many rows are looked at for nothing where what is sought is rare: it costs a millisecond. */
const FIRST_LOOK = 512;
/** How much further a second look goes, and how many of what is sought make it promising. */
const FURTHER = 8;
/** Over how many blocks of ids the indexes are asked first: enough for what is neither frequent nor rare. */
const BLOCKS = 16;
/** Of how many of the next rows it is asked which of several ways lets the least through. */
const SAMPLE = 128;
/** How many times more a way has to let through than another, to be given up for it. */
const EVIDENT = 4;

/** Whether an index has a project's rows in this order. */
function isInOrder({ shape, order }: ListRequest): boolean {
  const columns = order.keys.map((key: SortColumn) => key.column);
  const name = shape.fields[shape.nameField]?.sort?.column;
  return columns.length === 1 || (columns[0] === name && columns[1] === 't.id');
}

/** The branch of a list that has one, and that a range. */
function rangeOf({ branches }: ListRequest): Branch | undefined {
  const [branch, ...others] = branches ?? [];
  return others.length === 0 && branch?.rangeOf !== undefined ? branch : undefined;
}

/**
 * Whether a list is read by looking at its next rows one by one: the rows of one project come in the list's order from
 * an index, and there is a condition to ask of each that no index in this order can answer.
 */
export function looksAhead(request: ListRequest): boolean {
  const { shape, scope, match, branches, ways, conditions, order } = request;
  if (scope === 'every project' || shape.idType !== 'bigint' || !isInOrder(request)) return false;
  if (branches?.length === 0) return false;
  // Where nothing else is asked, a range is read in its own order.
  if (conditions.length === 1 && rangeOf(request)?.rangeOf === order.keys[0]?.column) return false;
  // In the order of ids, the branch of a filter comes in order.
  const isImplied = branches === undefined || ways?.[0]?.branches === branches;
  return match !== undefined || (order.keys.length > 1 && conditions.length > 0 && isImplied);
}

/**
 * The places of the next items. What is frequent is found soonest among the next rows, where an index would bring
 * hundreds of thousands of rows to sort; what is rare is found soonest through the indexes. Which of the two a filter is
 * cannot be known beforehand, and the planner's statistics of JSON documents are guesses. So it looks a little way ahead,
 * then asks the indexes for a stretch of ids, and only then for all that there is: each goes on where the former ended,
 * and none costs more than about a page.
 */
export async function nextPlaces(request: ListRequest, walk: Walk, on: Queryable): Promise<Place[]> {
  const found: Place[] = [];
  let rest = walk;
  const take = (places: readonly Place[], upto?: KeyValues) => {
    found.push(...places);
    rest = { ...rest, limit: walk.limit - found.length, marker: upto ?? rest.marker };
    return rest.limit === 0;
  };
  const width = FIRST_LOOK + walk.limit;
  const near = await look(request, rest, width, on);
  if (near.upto === undefined || take(near.places, near.upto)) return near.upto ? found : near.places;
  const led = request.ways && request.ways.length > 1 ? await bestLed(request, walk, on) : request;
  const range = rangeOf(led);
  if (range) {
    // Neither is read much further than the other would have to be: the next rows, or all of the range.
    for (let reach = width * FURTHER; await hasMore(request, range, reach, on); reach *= FURTHER) {
      const further = await look(request, rest, reach, on);
      if (further.upto === undefined) return [...found, ...further.places];
      if (take(further.places, further.upto)) return found;
    }
  } else if (walk.order.keys.length === 1) {
    // An index that knows neither an order nor blocks would bring all that matches for each stretch.
    const knowsBlocks = led.branches?.every(({ unordered }) => unordered !== 'whole') ?? true;
    for (const blocks of knowsBlocks ? stretches(walk.limit, found.length, width) : []) {
      const window = windowAfter(rest, blocks);
      if (take(await inBranches(led, rest, on, window), [String(window.last)])) return found;
    }
  } else if (found.length * FURTHER >= walk.limit) {
    const further = await look(request, rest, width * FURTHER, on);
    if (further.upto === undefined) return [...found, ...further.places];
    if (take(further.places, further.upto)) return found;
  }
  take(await inBranches(led, rest, on));
  return found;
}

interface Row {
  readonly [key: string]: string | null;
  readonly project_id: string;
  readonly list_id: string;
}

/** A row that belongs to the list, or the last one that was looked at, whether it belongs or not. */
interface LookedAt extends Row {
  readonly end: 'here' | null;
}

const keysOf = (walk: Walk, row: Readonly<Record<string, string | null>>): KeyValues =>
  walk.order.keys.map((_, i) => row[`k${String(i)}`] ?? null);

const placesOf = (walk: Walk, rows: readonly Row[]): Place[] =>
  rows.map((row) => ({ projectId: row.project_id, id: row.list_id, keys: keysOf(walk, row) }));

/** The keys of a subquery `f`, as they come back. */
const placeColumns = ({ order }: Walk): Sql =>
  raw(
    `f.project_id, f.id::text AS list_id, ${order.keys.map((_, i) => `f.k${String(i)}::text AS k${String(i)}`).join(', ')}`,
  );

/** The next rows, whether they belong to the list or not. */
function nextRows({ shape, scope }: ListRequest, walk: Walk): Sql {
  const runs = walk.marker === undefined ? [] : after(walk.order, walk.marker);
  return sql`${from(shape)} WHERE ${and([inScope(shape, scope), ...runs])} ${orderBy(walk.order)}`;
}

/**
 * Those of the next rows that belong to the list.
 * @returns with them the keys of the last row that was looked at, where it found too few and there are more rows. All in
 *   one statement: by the next one, what was looked at may end elsewhere.
 */
async function look(request: ListRequest, walk: Walk, width: number, on: Queryable) {
  const belongs = and([...request.conditions, request.match ?? sql`true`]);
  const keys = sql`t.project_id, t.id, ${keyColumns(walk.order, 'value')}`;
  const rows = await on.rows<LookedAt>(sql`WITH near AS MATERIALIZED (
      SELECT ${keys} FROM (SELECT t.* ${nextRows(request, walk)} LIMIT ${width}) t
      WHERE ${belongs} ${orderBy(walk.order)} LIMIT ${walk.limit})
    SELECT ${placeColumns(walk)}, NULL::text AS "end" FROM near f
    UNION ALL SELECT ${placeColumns(walk)}, 'here'
    FROM (SELECT ${keys} ${nextRows(request, walk)} LIMIT 1 OFFSET ${width - 1}) f
    WHERE (SELECT count(*) FROM near) < ${walk.limit}`);
  const places = placesOf(
    walk,
    rows.filter((row) => row.end === null),
  );
  if (places.length === walk.limit) return { places, upto: places.at(-1)?.keys };
  const end = rows.find((row) => row.end !== null);
  return { places, upto: end && keysOf(walk, end) };
}

/** Whether there are more rows in a range than so many, whatever else is asked of them. */
async function hasMore(
  { shape, scope }: ListRequest,
  { where, rangeOf: column = 't.id' }: Branch,
  most: number,
  on: Queryable,
): Promise<boolean> {
  const rows = await on.rows(
    sql`SELECT ${from(shape)} WHERE ${and([inScope(shape, scope), where])} ORDER BY ${raw(column)} OFFSET ${most} LIMIT 1`,
    'each time',
  );
  return rows.length > 0;
}

/**
 * How many blocks of ids are asked at once, and then, if that was not enough.
 * @param found how many items there were among `width` rows: where they were many, a short stretch has the rest
 */
function stretches(limit: number, found: number, width: number): number[] {
  const most = Math.min(8 * BLOCKS, Math.max(BLOCKS, limit));
  const expected = found === 0 ? 1 : Math.ceil((2 * (limit - found) * width) / (found * BLOCK_IDS));
  return expected < most ? [expected, most] : [most];
}

/** The stretch of ids behind a marker, in whole blocks. */
function windowAfter({ marker, order }: Walk, blocks: number): IdWindow {
  const first = Math.floor(Number(marker?.[0]) / BLOCK_IDS);
  const end = order.descending ? Math.max(first - blocks, 0) : first + blocks;
  return {
    blocks: [first, end],
    last: order.descending ? end * BLOCK_IDS : (end + 1) * BLOCK_IDS - 1,
  };
}

async function inBranches(
  request: ListRequest,
  walk: Walk,
  on: Queryable,
  window?: IdWindow,
): Promise<Place[]> {
  const rows = await on.rows<Row>(
    sql`SELECT ${placeColumns(walk)} FROM (${branchStatement(request, walk, window ? { window } : {})}) f`,
    'each time',
  );
  return placesOf(walk, rows);
}

/** Of several ways into a list, the one that lets the least through among the rows that were just looked at. */
async function bestLed(request: ListRequest, walk: Walk, on: Queryable): Promise<ListRequest> {
  const { ways = [], conditions } = request;
  const counts = ways.map(({ match }, i) => sql`count(*) FILTER (WHERE ${match}) AS ${raw(`w${String(i)}`)}`);
  const [row] = await on.rows<Record<string, number>>(
    sql`SELECT ${join(counts)} FROM (SELECT t.* ${nextRows(request, walk)} LIMIT ${SAMPLE}) t`,
  );
  const through = ways.map((_, i) => row?.[`w${String(i)}`] ?? 0);
  const best = through.indexOf(Math.min(...through));
  // Few are no evidence: what is inherited comes in clusters.
  if ((through[0] ?? 0) < EVIDENT * Math.max(through[best] ?? 0, 2)) return request;
  const [first] = ways;
  const way = ways[best];
  // What the list asks for beside its first way are the other ways.
  return best <= 0 || !way || !first
    ? request
    : { ...request, branches: way.branches, conditions: [...conditions, first.match] };
}
