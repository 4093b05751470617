import { Global, Injectable, Module } from '@nestjs/common';
import type { QueryResultRow } from 'pg';
import { InventoryError } from '../core/errors/inventory-error';
import { AppMetrics, type AccessPathMetric } from '../core/app-metrics';
import { Database, type PlanMode, type Queryable } from '../database/database';
import { arrayParameter, raw, sql, type Sql } from '../database/sql';
import { from, inScope, ofKind } from '../database/resource-sql';
import {
  idAtEndStatement,
  keyColumns,
  type NeighbourColumns,
  pageStatement,
  positionsInMembersStatement,
  reverseOrder,
  rowsStatement,
} from './page-statements';
import type { KeyValues, ListRequest, RowPosition, KeysetRead } from './list-request';
import { usesAdaptiveScan, findNextPositions } from './adaptive-scan';
import { findMergedPositions } from './merged-page';

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

/** The rows of a page, whether more rows follow, and the ids of the items before its neighbours. */
interface FoundPage<R> {
  readonly rows: ListedRow<R>[];
  readonly hasMore: boolean;
  readonly neighbours: { readonly previous: string | null; readonly last: string | null };
}

/** Reads pages by keyset pagination: page 30,000 costs as much as page 1, and no rows are counted. */
@Injectable()
export class ListEngine {
  constructor(
    private readonly database: Database,
    private readonly measurements: AppMetrics,
  ) {}

  /**
   * @param requests the list; in a distributed database, a list of every project is one request for each of them, which
   *   differ only in what the project determines
   * @throws InventoryError 400 if the marker is not an item that the caller can see
   */
  async readPage<R extends QueryResultRow>(
    requests: readonly ListRequest[],
    on: Queryable = this.database,
  ): Promise<KeysetPage<R>> {
    const [request, ...others] = requests;
    if (!request) return { rows: [], next: undefined, previous: undefined, last: undefined };
    return others.length === 0 ? this.readOne<R>(request, on) : readMergedPage<R>(request, requests, on);
  }

  private async readOne<R extends QueryResultRow>(
    request: ListRequest,
    on: Queryable,
  ): Promise<KeysetPage<R>> {
    const { limit, members, order } = request;
    const stopTimer = this.measurements.pages.startTimer({ access_path: accessMethod(request) });
    const isOneStatement = !members && !usesAdaptiveScan(request);
    // That statement checks the marker, too. In id order, the marker itself is the position.
    const marker =
      request.marker === undefined
        ? undefined
        : isOneStatement && order.keys.length === 1
          ? [request.marker]
          : await readMarkerKeys(request, request.marker, on);
    const read = { order, marker, limit: limit + 1 };
    const found = members
      ? await findInMembers<R>(request, members, read, on)
      : isOneStatement
        ? await findWithNeighbours<R>(request, read, on)
        : await findByAdaptiveScan<R>(request, read, on);
    stopTimer();
    // All rows of the page were deleted after their positions were found. Reading again finds the rows after them.
    if (found.rows.length === 0 && found.hasMore) return this.readOne<R>(request, on);
    return toPage(found, marker);
  }
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
  const { shape, order, limit } = first;
  const projects = requests.flatMap(({ scope }) => (scope === 'every project' ? [] : [scope.project]));
  const inProjects = sql`t.project_id = ANY(${arrayParameter(projects)}::uuid[]) AND ${ofKind(shape)}`;
  const marker =
    first.marker === undefined ? undefined : await readMarkerKeys(first, first.marker, on, inProjects);
  const [previous, last] = backwardReads(first, marker);
  const reads = [{ order, marker, limit: limit + 1 }, last, ...(previous ? [previous] : [])];
  const [page = [], fromEnd, before] = await findMergedPositions(requests, reads, on);
  const shown = page.slice(0, limit);
  const rows = new Map<string, ListedRow<R>>();
  for (const project of new Set(shown.map(({ projectId }) => projectId))) {
    const positions = shown.filter(({ projectId }) => projectId === project);
    for (const row of await on.rows<ListedRow<R>>(rowsStatement(first, positions)))
      rows.set(row.list_id, row);
  }
  const found = {
    rows: shown.flatMap(({ id }) => rows.get(id) ?? []),
    hasMore: page.length > limit,
    neighbours: { previous: before?.[limit - 1]?.id ?? null, last: fromEnd?.[limit]?.id ?? null },
  };
  // As in `readOne`.
  if (found.rows.length === 0 && found.hasMore) return readMergedPage<R>(first, requests, on);
  return toPage(found, marker);
}

/**
 * Reads the sort keys of the marker's row.
 * @param inProjects the condition for the rows of the listed projects
 * @throws InventoryError 400 if the caller cannot see it
 */
async function readMarkerKeys(
  { shape, order, scope, readable = sql`true` }: ListRequest,
  marker: string,
  on: Queryable,
  inProjects = inScope(shape, scope),
): Promise<KeyValues> {
  const [row] = await on.rows<Record<string, string | null>>(
    sql`SELECT ${keyColumns(order, 'text')} ${from(shape)}
        WHERE ${inProjects} AND ${readable} AND t.id = ${marker}::${raw(shape.idType)}`,
  );
  if (!row) throw invalidMarker();
  return order.keys.map((_, i) => row[`k${String(i)}`] ?? null);
}

const invalidMarker = (): InventoryError =>
  InventoryError.invalid('marker', 'is not the id of an item in this list');

/**
 * Reads a page and the markers of its neighbours with one statement. They are columns of its rows, so an empty page has
 * none.
 */
async function findWithNeighbours<R extends QueryResultRow>(
  request: ListRequest,
  read: KeysetRead,
  on: Queryable,
): Promise<FoundPage<R>> {
  const { limit } = request;
  const [previous, last] = backwardReads(request, read.marker);
  const rows = await on.rows<ListedRow<R> & NeighbourColumns>(
    pageStatement(request, read, { previous, last }),
    planMode(request),
  );
  const [first] = rows;
  if (!first) {
    if (request.marker !== undefined) await readMarkerKeys(request, request.marker, on);
    return {
      rows: [],
      hasMore: false,
      neighbours: { previous: await findIdBefore(request, previous, on), last: null },
    };
  }
  if (!first.marker_visible) throw invalidMarker();
  const end = rows.find(({ last_marker: id }) => id !== null);
  const neighbours = { previous: first.previous_marker, last: end?.last_marker ?? null };
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit, neighbours };
}

async function findIdBefore(
  request: ListRequest,
  read: KeysetRead | undefined,
  on: Queryable,
): Promise<string | null> {
  if (!read) return null;
  const [row] = await on.rows<{ id: string | null }>(
    sql`SELECT ${idAtEndStatement(request, read)} AS id`,
    planMode(request),
  );
  return row?.id ?? null;
}

async function findByAdaptiveScan<R extends QueryResultRow>(
  request: ListRequest,
  read: KeysetRead,
  on: Queryable,
): Promise<FoundPage<R>> {
  const { rows, hasMore } = await readRowsAt<R>(request, await findNextPositions(request, read, on), on);
  const [previous, last] = backwardReads(request, read.marker);
  return {
    rows,
    hasMore,
    neighbours: {
      previous: previous ? await findIdAtEnd(request, previous, on) : null,
      last: hasMore ? await findIdAtEnd(request, last, on) : null,
    },
  };
}

/** The backward reads that end at the marker of the previous page, if there is one, and at the marker of the last page. */
function backwardReads(
  { order, limit }: ListRequest,
  marker: KeyValues | undefined,
): [KeysetRead | undefined, KeysetRead] {
  const back = reverseOrder(order);
  // The page that ends at the marker has `limit` items. The item before them is the marker of that page.
  return [marker && { order: back, marker, limit }, { order: back, marker: undefined, limit: limit + 1 }];
}

/** Finds a page of a list whose members are computed as a whole: once, for the page and for its neighbours. */
async function findInMembers<R extends QueryResultRow>(
  request: ListRequest,
  members: Sql,
  read: KeysetRead,
  on: Queryable,
): Promise<FoundPage<R>> {
  const { limit } = request;
  const reads = [read, ...backwardReads(request, read.marker).flatMap((back) => back ?? [])];
  const found = await on.rows<{ read_number: number; project_id: string; list_id: string }>(
    positionsInMembersStatement(request, members, reads),
    'custom',
  );
  const positionsOf = (readNumber: number) =>
    found
      .filter((row) => row.read_number === readNumber)
      .map((row) => ({ projectId: row.project_id, id: row.list_id, keys: [] }));
  const [previous, last] = read.marker ? [positionsOf(1), positionsOf(2)] : [[], positionsOf(1)];
  return {
    ...(await readRowsAt<R>(request, positionsOf(0), on)),
    neighbours: { previous: previous[limit - 1]?.id ?? null, last: last[limit]?.id ?? null },
  };
}

/**
 * Reads the rows of a page at known positions. There is one position more than the page has rows if another page
 * follows. The number of rows cannot tell, because rows may have been deleted since the positions were found.
 */
async function readRowsAt<R extends QueryResultRow>(
  request: ListRequest,
  positions: readonly RowPosition[],
  on: Queryable,
): Promise<Pick<FoundPage<R>, 'rows' | 'hasMore'>> {
  const hasMore = positions.length > request.limit;
  const shown = positions.slice(0, request.limit);
  const rows = shown.length === 0 ? [] : await on.rows<ListedRow<R>>(rowsStatement(request, shown));
  return { rows, hasMore };
}

const toPage = <R>(
  { rows, hasMore, neighbours }: FoundPage<R>,
  marker: KeyValues | undefined,
): KeysetPage<R> => ({
  rows,
  next: hasMore ? rows.at(-1)?.list_id : undefined,
  previous: marker === undefined ? undefined : neighbours.previous,
  last: hasMore ? (neighbours.last ?? undefined) : undefined,
});

/** The id of the last of `read.limit` items, or null if there are fewer. */
async function findIdAtEnd(request: ListRequest, read: KeysetRead, on: Queryable): Promise<string | null> {
  const positions = await findNextPositions(request, read, on);
  return positions[read.limit - 1]?.id ?? null;
}

function accessMethod(request: ListRequest): AccessPathMetric {
  if (request.members) return 'members';
  if (usesAdaptiveScan(request)) return 'adaptive_scan';
  return request.branches ? 'filter' : 'order';
}

/** The best branch and index depend on the values of a filter, so a filtered list is planned for each query. */
const planMode = ({ branches, match }: ListRequest): PlanMode => (branches && match ? 'custom' : 'generic');

@Global()
@Module({ providers: [ListEngine], exports: [ListEngine] })
export class ListModule {}
