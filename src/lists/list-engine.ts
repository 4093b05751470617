import { Injectable } from '@nestjs/common';
import type { QueryResultRow } from 'pg';
import { AppMetrics, type AccessPathMetric } from '../core/app-metrics';
import type { PlanMode, Queryable } from '../database/database';
import { sql, type Sql } from '../database/sql';
import {
  type KeyColumns,
  keysAtEndStatement,
  keysOfColumns,
  type PageColumns,
  pageStatement,
  positionsInMembersStatement,
  reverseOrder,
  rowsStatement,
} from './page-statements';
import {
  type Branch,
  LAST_PAGE,
  type KeyValues,
  type ListRequest,
  type RowPosition,
  type KeysetRead,
} from './list-request';
import { usesAdaptiveScan, findNextPositions, readBranches } from './adaptive-scan';
import { findMergedPositions } from './merged-page';
import { formatMarker } from './marker';
import { assertKnownItem, findMarkerPosition } from './marker-position';

/** A row of a page: its shown members as JSON text (`body`), and the further columns of the request. */
export type ListRow<R> = R & { readonly body: string };

type ListedRow<R> = ListRow<R> & { list_id: string };

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
export class ListEngine {
  constructor(private readonly measurements: AppMetrics) {}

  /**
   * @param requests the list; in a distributed database, a list of every project is one request for each of them, which
   *   differ only in what the project determines
   * @throws InventoryError 400 if the marker is the id of an item that the caller cannot see
   */
  async readPage<R extends QueryResultRow>(
    requests: readonly ListRequest[],
    on: Queryable,
  ): Promise<KeysetPage<R>> {
    const [request, ...others] = requests;
    if (!request) return { rows: [], next: undefined, previous: undefined, last: undefined };
    return others.length === 0 ? this.readOne<R>(request, on) : readMergedPage<R>(request, requests, on);
  }

  private async readOne<R extends QueryResultRow>(
    request: ListRequest,
    on: Queryable,
  ): Promise<KeysetPage<R>> {
    if (request.orderedBranch && request.order.keys.length === 1)
      return this.readOne<R>(throughOrderedBranch(request, request.orderedBranch), on);
    const { marker, ...list } = request;
    if (marker === undefined) return this.readPageAfter<R>(request, undefined, on);
    if (marker.kind === 'last') return this.readPageAfter<R>(list, await findStartOfLastPage(list, on), on);
    // In id order, the marker itself is the position, and a page that is read by one statement checks it, too.
    const isPosition = marker.kind === 'item' && isOneStatement(request) && request.order.keys.length === 1;
    const position = isPosition ? [marker.id] : await findMarkerPosition(request, marker, on);
    return this.readPageAfter<R>(request, position, on);
  }

  private async readPageAfter<R extends QueryResultRow>(
    request: ListRequest,
    marker: KeyValues | undefined,
    on: Queryable,
  ): Promise<KeysetPage<R>> {
    const { limit, members, order } = request;
    const stopTimer = this.measurements.pages.startTimer({ access_path: accessPathOf(request) });
    const read = { order, marker, limit: limit + 1 };
    const found = members
      ? await findInMembers<R>(request, members, read, on)
      : isOneStatement(request)
        ? await findWithPrevious<R>(request, read, on)
        : await findByAdaptiveScan<R>(request, read, on);
    stopTimer();
    // All rows of the page were deleted after their positions were found. Reading again finds the rows after them.
    if (found.rows.length === 0 && found.next) return this.readPageAfter<R>(request, marker, on);
    return toPage(request, found, marker);
  }
}

/** The list, read through one branch that has all of its rows. */
const throughOrderedBranch = (request: ListRequest, branch: Branch): ListRequest => ({
  ...request,
  branches: [branch],
  orderedBranch: undefined,
  match: undefined,
});

/** Whether one statement reads a page with the marker of the previous page. */
const isOneStatement = (request: ListRequest): boolean => !request.members && !usesAdaptiveScan(request);

/** The backward read that ends at the position before the last page. */
const lastPageRead = ({ order, limit }: ListRequest): KeysetRead => ({
  order: reverseOrder(order),
  marker: undefined,
  limit: limit + 1,
});

/**
 * The position before the last page. The page is full, unless it is the only one.
 * @returns undefined if there is only one page
 */
async function findStartOfLastPage(list: ListRequest, on: Queryable): Promise<KeyValues | undefined> {
  const { limit, members } = list;
  const read = lastPageRead(list);
  if (!members)
    return (
      await (usesAdaptiveScan(list) ? findNextPositions(list, read, on) : readBranches(list, read, on))
    )[limit]?.keys;
  const [positions = []] = await findPositionsInMembers(list, members, [read], on);
  return positions[limit]?.keys;
}

/**
 * Reads a page of a list of several projects, with a few statements for each project.
 * @param first any of the requests
 */
async function readMergedPage<R extends QueryResultRow>(
  first: ListRequest,
  requests: readonly ListRequest[],
  on: Queryable,
): Promise<KeysetPage<R>> {
  const { order, limit } = first;
  const projects = requests.flatMap(({ scope }) => (scope === 'every project' ? [] : [scope.project]));
  const marker =
    first.marker === undefined
      ? undefined
      : first.marker.kind === 'last'
        ? (await findMergedPositions(requests, [lastPageRead(first)], on))[0]?.[limit]?.keys
        : await findMarkerPosition(first, first.marker, on, projects);
  const previous = previousRead(first, marker);
  const reads = [{ order, marker, limit: limit + 1 }, ...(previous ? [previous] : [])];
  const [page = [], before] = await findMergedPositions(requests, reads, on);
  const shown = page.slice(0, limit);
  const rows = new Map<string, ListedRow<R>>();
  for (const project of new Set(shown.map(({ projectId }) => projectId))) {
    const positions = shown.filter(({ projectId }) => projectId === project);
    for (const row of await on.rows<ListedRow<R>>(rowsStatement(first, positions)))
      rows.set(row.list_id, row);
  }
  const found = {
    rows: shown.flatMap(({ id }) => rows.get(id) ?? []),
    next: page.length > limit ? page[limit - 1]?.keys : undefined,
    previous: before?.[limit - 1]?.keys ?? null,
  };
  // As in `readPageAfter`.
  if (found.rows.length === 0 && found.next) return readMergedPage<R>(first, requests, on);
  return toPage(first, found, marker);
}

/**
 * Reads a page and the position of the previous one with one statement. The position is a column of its rows, so an empty
 * page has none.
 */
async function findWithPrevious<R extends QueryResultRow>(
  request: ListRequest,
  read: KeysetRead,
  on: Queryable,
): Promise<FoundPage<R>> {
  const { limit, order, marker } = request;
  const previous = previousRead(request, read.marker);
  const rows = await on.rows<ListedRow<R> & PageColumns & KeyColumns>(
    pageStatement(request, read, previous),
    planMode(request),
  );
  const [first] = rows;
  if (first?.marker_visible !== true && marker?.kind === 'item' && order.keys.length === 1)
    await assertKnownItem(request, marker.id, on);
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  const keysOf = (row: ListedRow<R> & KeyColumns) =>
    order.keys.length === 1 ? [row.list_id] : keysOfColumns(order, row);
  return {
    rows: rows.slice(0, limit),
    next: last && keysOf(last),
    previous: first ? first.previous_keys : await findKeysBefore(request, previous, on),
  };
}

async function findKeysBefore(
  request: ListRequest,
  read: KeysetRead | undefined,
  on: Queryable,
): Promise<KeyValues | null> {
  if (!read) return null;
  const [row] = await on.rows<{ keys: KeyValues | null }>(
    sql`SELECT ${keysAtEndStatement(request, read)} AS keys`,
    planMode(request),
  );
  return row?.keys ?? null;
}

async function findByAdaptiveScan<R extends QueryResultRow>(
  request: ListRequest,
  read: KeysetRead,
  on: Queryable,
): Promise<FoundPage<R>> {
  const page = await readRowsAt<R>(request, await findNextPositions(request, read, on), on);
  const previous = previousRead(request, read.marker);
  return { ...page, previous: previous ? await findKeysAtEnd(request, previous, on) : null };
}

/**
 * The backward read that ends before the previous page, if there is one: the page that ends at the marker has `limit`
 * items, and the item before them is the position of that page.
 */
const previousRead = ({ order, limit }: ListRequest, marker: KeyValues | undefined): KeysetRead | undefined =>
  marker && { order: reverseOrder(order), marker, limit };

/** Finds a page of a list whose members are computed as a whole: once, for the page and for the previous one. */
async function findInMembers<R extends QueryResultRow>(
  request: ListRequest,
  members: Sql,
  read: KeysetRead,
  on: Queryable,
): Promise<FoundPage<R>> {
  const { limit } = request;
  const previous = previousRead(request, read.marker);
  const [page = [], before = []] = await findPositionsInMembers(
    request,
    members,
    previous ? [read, previous] : [read],
    on,
  );
  return { ...(await readRowsAt<R>(request, page, on)), previous: before[limit - 1]?.keys ?? null };
}

/** @returns the positions of each read */
async function findPositionsInMembers(
  request: ListRequest,
  members: Sql,
  reads: readonly KeysetRead[],
  on: Queryable,
): Promise<RowPosition[][]> {
  const found = await on.rows<KeyColumns & { read_number: number; project_id: string; list_id: string }>(
    positionsInMembersStatement(request, members, reads),
    'custom',
  );
  return reads.map((_, readNumber) =>
    found
      .filter((row) => row.read_number === readNumber)
      .map((row) => ({
        projectId: row.project_id,
        id: row.list_id,
        keys: keysOfColumns(request.order, row),
      })),
  );
}

/**
 * Reads the rows of a page at known positions. There is one position more than the page has rows if another page
 * follows. The number of rows cannot tell, because rows may have been deleted since the positions were found.
 */
async function readRowsAt<R extends QueryResultRow>(
  request: ListRequest,
  positions: readonly RowPosition[],
  on: Queryable,
): Promise<Pick<FoundPage<R>, 'rows' | 'next'>> {
  const shown = positions.slice(0, request.limit);
  const rows = shown.length === 0 ? [] : await on.rows<ListedRow<R>>(rowsStatement(request, shown));
  return { rows, next: positions.length > request.limit ? shown.at(-1)?.keys : undefined };
}

const toPage = <R>(
  request: ListRequest,
  { rows, next, previous }: FoundPage<R>,
  marker: KeyValues | undefined,
): KeysetPage<R> => ({
  rows,
  next: next && formatMarker(request, next),
  previous: marker === undefined ? undefined : previous && formatMarker(request, previous),
  last: next && LAST_PAGE,
});

/** The sort keys of the last of `read.limit` items, or null if there are fewer. */
async function findKeysAtEnd(
  request: ListRequest,
  read: KeysetRead,
  on: Queryable,
): Promise<KeyValues | null> {
  const positions = await findNextPositions(request, read, on);
  return positions[read.limit - 1]?.keys ?? null;
}

function accessPathOf(request: ListRequest): AccessPathMetric {
  if (request.members) return 'members';
  if (usesAdaptiveScan(request)) return 'adaptive_scan';
  return request.branches ? 'filter' : 'order';
}

/** The best branch and index depend on the values of a filter, so a filtered list is planned for each query. */
const planMode = ({ branches, match }: ListRequest): PlanMode => (branches && match ? 'custom' : 'generic');
