import { Injectable } from '@nestjs/common';
import type { QueryResultRow } from 'pg';
import { AppMetrics, type AccessPathMetric } from '../core/app-metrics';
import type { Queryable } from '../database/database';
import {
  type KeyColumns,
  type KeysetRead,
  keysOfColumns,
  type KeyValues,
  type PositionRow,
  reverseOrder,
  type RowPosition,
  toPositions,
} from './keyset';
import type { List } from './list';
import type { DirectPlan, ListPlan, QueryPlan } from './list-plan';
import {
  type PageColumns,
  pageStatement,
  previousPageStatement,
  queryStatement,
  type ReadPositionRow,
  rowsStatement,
} from './list-statements';
import { formatMarker, LAST_PAGE } from './marker';
import { assertKnownItem, findMarkerPosition } from './marker-position';
import { findMergedPositions } from './merged-page';
import { findStepwise } from './read-steps';
import { allMatchesStatement } from './step-statements';

/** A row of a page: its shown members as JSON text (`body`), and the further columns of the list. */
export type ListRow<R> = R & { readonly body: string };

type ListedRow<R> = ListRow<R> & { readonly list_id: string };

/**
 * A page, and the markers of its neighbours. `null` is the first page; `undefined` means that there is no such page.
 */
export interface KeysetPage<R> {
  readonly rows: ListRow<R>[];
  readonly next: string | undefined;
  readonly previous: string | null | undefined;
  readonly last: string | undefined;
}

/** The rows of a page, and the positions after which its neighbours begin. */
interface FoundPage<R> {
  readonly rows: ListedRow<R>[];
  /** Undefined if no more rows follow. */
  readonly next: KeyValues | undefined;
  /** Null if the previous page is the first one. */
  readonly previous: KeyValues | null;
}

/** Reads pages by keyset pagination: page 30,000 costs as much as page 1, and no rows are counted. */
@Injectable()
export class PageReader {
  constructor(private readonly metrics: AppMetrics) {}

  /** @throws InventoryError 400 if the marker is the id of an item that the caller cannot see */
  async read<R extends QueryResultRow>(plan: ListPlan, on: Queryable): Promise<KeysetPage<R>> {
    // A distributed database without projects.
    if (plan.list.selections.length === 0)
      return { rows: [], next: undefined, previous: undefined, last: undefined };
    return this.readAfter<R>(plan, await findStart(plan, on), on);
  }

  private async readAfter<R extends QueryResultRow>(
    plan: ListPlan,
    start: KeyValues | undefined,
    on: Queryable,
  ): Promise<KeysetPage<R>> {
    const stopTimer = this.metrics.pages.startTimer({ access_path: accessPathOf(plan) });
    const found = await findPage<R>(plan, start, on);
    stopTimer();
    // All rows of the page were deleted after their positions were found. Reading again finds the rows after them.
    if (found.rows.length === 0 && found.next) return this.readAfter<R>(plan, start, on);
    return toPage(plan.list, found, start);
  }
}

const findPage = <R extends QueryResultRow>(
  plan: ListPlan,
  start: KeyValues | undefined,
  on: Queryable,
): Promise<FoundPage<R>> =>
  plan.kind === 'direct' ? readDirectly<R>(plan, start, on) : readByPositions<R>(plan, start, on);

function accessPathOf({ kind, list }: ListPlan): AccessPathMetric {
  // The name of a metric does not follow that of the plan: dashboards and alerts have it.
  if (kind === 'stepwise') return 'adaptive_scan';
  const selected = list.selections[0]?.selection.kind;
  if (selected === 'query') return 'members';
  return selected === 'table' ? 'order' : 'filter';
}

const toPage = <R>(
  list: List,
  { rows, next, previous }: FoundPage<R>,
  start: KeyValues | undefined,
): KeysetPage<R> => ({
  rows,
  next: next && formatMarker(list, next),
  previous: start === undefined ? undefined : previous && formatMarker(list, previous),
  last: next && LAST_PAGE,
});

/** The position after which the page begins; undefined for the first page. */
async function findStart(plan: ListPlan, on: Queryable): Promise<KeyValues | undefined> {
  const { list } = plan;
  const { marker, order, limit } = list;
  switch (marker?.kind) {
    case undefined:
      return undefined;
    case 'last': {
      // The last page is full, unless it is the only one. The item before it is found backwards.
      const read = { order: reverseOrder(order), marker: undefined, limit: limit + 1 };
      const [positions = []] = await findPositions(plan, [read], on);
      return positions[limit]?.keys;
    }
    case 'position':
      return marker.keys;
    case 'item':
      // In id order, the marker itself is the position, and a page that is read by one statement checks it, too.
      return plan.kind === 'direct' && order.keys.length === 1
        ? [marker.id]
        : findMarkerPosition(list, marker, on);
  }
}

/** The reads of a page, and of the one before it: see `previousRead`. */
const pageRead = ({ order, limit }: List, start: KeyValues | undefined): KeysetRead => ({
  order,
  marker: start,
  limit: limit + 1,
});

/**
 * The backward read that ends before the previous page, if there is one: the page that ends at the marker has `limit`
 * items, and the item before them is the position of that page.
 */
const previousRead = ({ order, limit }: List, start: KeyValues | undefined): KeysetRead | undefined =>
  start && { order: reverseOrder(order), marker: start, limit };

/**
 * Reads a page and the position of the previous one with one statement. The position is a column of its rows, so an empty
 * page has none.
 */
async function readDirectly<R extends QueryResultRow>(
  plan: DirectPlan,
  start: KeyValues | undefined,
  on: Queryable,
): Promise<FoundPage<R>> {
  const { list } = plan;
  const { limit, order, marker } = list;
  const previous = previousRead(list, start);
  const found = await on.rows<ListedRow<R> & PageColumns & KeyColumns>(
    ...pageStatement(plan, pageRead(list, start), previous),
  );
  // An empty page can have a row with nulls.
  const rows = found.filter(({ list_id }) => (list_id as string | null) !== null);
  const [first] = rows;
  if (first?.marker_visible !== true && marker?.kind === 'item' && order.keys.length === 1)
    await assertKnownItem(list, marker.id, on);
  if (plan.fallback && found[0]?.is_incomplete === true) return findPage<R>(plan.fallback.plan, start, on);
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  const keysOf = (row: ListedRow<R> & KeyColumns) =>
    order.keys.length === 1 ? [row.list_id] : keysOfColumns(order, row);
  return {
    rows: rows.slice(0, limit),
    next: last && keysOf(last),
    previous: first ? first.previous_keys : await findKeysBefore(plan, previous, on),
  };
}

async function findKeysBefore(
  plan: DirectPlan,
  previous: KeysetRead | undefined,
  on: Queryable,
): Promise<KeyValues | null> {
  if (!previous) return null;
  if (plan.fallback) {
    const [before = []] = await findPositions(plan, [previous], on);
    return before[previous.limit - 1]?.keys ?? null;
  }
  const [row] = await on.rows<{ keys: KeyValues | null }>(...previousPageStatement(plan, previous));
  return row?.keys ?? null;
}

/**
 * Finds the positions of a page, and reads its rows. There is one position more than the page has rows if another page
 * follows. The number of rows cannot tell, because rows may have been deleted since the positions were found.
 */
async function readByPositions<R extends QueryResultRow>(
  plan: Exclude<ListPlan, DirectPlan>,
  start: KeyValues | undefined,
  on: Queryable,
): Promise<FoundPage<R>> {
  const { list } = plan;
  const previous = previousRead(list, start);
  const reads = [{ ...pageRead(list, start), select: list.select }, ...(previous ? [previous] : [])];
  const [page = [], before = []] = await findPositions(plan, reads, on);
  const shown = page.slice(0, list.limit);
  return {
    rows: await readRows<R>(plan, shown, on),
    next: page.length > list.limit ? shown.at(-1)?.keys : undefined,
    previous: before[list.limit - 1]?.keys ?? null,
  };
}

/**
 * The rows at positions, in their order: those that were found without their rows are read. Rows that were deleted meanwhile are
 * omitted.
 */
async function readRows<R extends QueryResultRow>(
  { kind, list }: ListPlan,
  positions: readonly RowPosition[],
  on: Queryable,
): Promise<ListedRow<R>[]> {
  const missing = positions.filter(({ row }) => !row);
  const projects = kind === 'merged' ? new Set(missing.map(({ projectId }) => projectId)) : [undefined];
  const rows = new Map<string, ListedRow<R>>();
  for (const project of missing.length === 0 ? [] : projects) {
    const wanted = missing.filter(({ projectId }) => project === undefined || projectId === project);
    for (const row of await on.rows<ListedRow<R>>(...rowsStatement(list, wanted))) rows.set(row.list_id, row);
  }
  return positions.flatMap(({ id, row }) => (row as ListedRow<R> | undefined) ?? rows.get(id) ?? []);
}

/** The positions of the items of several reads. */
async function findPositions(
  plan: ListPlan,
  reads: readonly KeysetRead[],
  on: Queryable,
): Promise<RowPosition[][]> {
  switch (plan.kind) {
    case 'query':
      return findQueried(plan, reads, on);
    case 'merged':
      return findMergedPositions(plan, reads, on);
    case 'stepwise':
      return inTurn(reads, (read) => findStepwise(plan, read, on));
    case 'direct':
      // Nothing tells whether these positions are complete.
      if (plan.fallback) return findPositions(plan.fallback.plan, reads, on);
      return inTurn(reads, async (read) =>
        toPositions(read, await on.rows<PositionRow>(...allMatchesStatement(plan.rows, read))),
      );
  }
}

async function inTurn(
  reads: readonly KeysetRead[],
  find: (read: KeysetRead) => Promise<RowPosition[]>,
): Promise<RowPosition[][]> {
  const found = [];
  for (const read of reads) found.push(await find(read));
  return found;
}

async function findQueried(
  plan: QueryPlan,
  reads: readonly KeysetRead[],
  on: Queryable,
): Promise<RowPosition[][]> {
  const rows = await on.rows<ReadPositionRow>(...queryStatement(plan, reads));
  return reads.map((read, number) =>
    toPositions(
      read,
      rows.filter((row) => row.read_number === String(number)),
    ),
  );
}
