import { Injectable } from '@nestjs/common';
import type { QueryResultRow } from 'pg';
import { InventoryError } from '../core/errors/inventory-error';
import { Measurements, type WayOfPage } from '../core/app-metrics';
import { Database, type Planning, type Queryable } from '../database/database';
import { raw, sql, type Sql } from '../database/sql';
import { from, inScope } from '../database/resource-sql';
import { keyColumns, reversed, type KeyValues } from './keyset';
import type { ListRequest, Place, Walk } from './list-request';
import { looksAhead, nextPlaces } from './adaptive-scan';
import { idStatement, pageStatement, rowsStatement, walksStatement } from './page-statements';

/** A row of a page: its shown members as JSON text, and what the caller asked for beside them. */
export type Listed<R> = R & { readonly body: string };

type ListedRow<R> = Listed<R> & { list_id: string };

/** A page, and the markers of its neighbours: `null` is the first page, `undefined` that there is none. */
export interface Page<R> {
  readonly rows: Listed<R>[];
  readonly next: string | undefined;
  readonly previous: string | null | undefined;
  readonly last: string | undefined;
}

/** What was found for a page: its rows, whether there are more behind it, and the ids that its links lead to. */
interface Found<R> {
  readonly rows: ListedRow<R>[];
  readonly more: boolean;
  readonly neighbours: { readonly previous: string | null; readonly last: string | null };
}

/** Reads keyset pages of any collection: page 30,000 costs what page 1 costs, and nothing is ever counted. */
@Injectable()
export class ListEngine {
  constructor(
    private readonly database: Database,
    private readonly measurements: Measurements,
  ) {}

  /** @throws InventoryError 400 if the marker names nothing that the caller can see */
  async page<R extends QueryResultRow>(
    request: ListRequest,
    on: Queryable = this.database,
  ): Promise<Page<R>> {
    const { order, limit, members } = request;
    const marker =
      request.marker === undefined ? undefined : await this.markerKeys(request, request.marker, on);
    const walk = { order, marker, limit: limit + 1 };
    const end = this.measurements.pages.startTimer({ way: wayOf(request) });
    const found = members
      ? await foundMembers<R>(request, members, walk, on)
      : await this.found<R>(request, walk, on);
    end();
    // All of them were deleted once it was known which they are: the page is what is behind them.
    if (found.rows.length === 0 && found.more) return this.page<R>(request, on);
    return pageOf(found, marker);
  }

  private async found<R extends QueryResultRow>(
    request: ListRequest,
    walk: Walk,
    on: Queryable,
  ): Promise<Found<R>> {
    const { rows, more } = await this.rows<R>(request, walk, on);
    return { rows, more, neighbours: await this.neighbours(request, walk.marker, more, on) };
  }

  /** The rows of a page, and whether there are more behind them. */
  private async rows<R extends QueryResultRow>(
    request: ListRequest,
    walk: Walk,
    on: Queryable,
  ): Promise<Pick<Found<R>, 'rows' | 'more'>> {
    const { limit } = request;
    if (looksAhead(request)) return rowsAt<R>(request, await nextPlaces(request, walk, on), on);
    const rows = await on.rows<ListedRow<R>>(pageStatement(request, walk), planning(request));
    return { rows: rows.slice(0, limit), more: rows.length > limit };
  }

  private async markerKeys(request: ListRequest, marker: string, on: Queryable): Promise<KeyValues> {
    const { shape, order, scope, readable = sql`true` } = request;
    const [row] = await on.rows<Record<string, string | null>>(
      sql`SELECT ${keyColumns(order, 'text')} ${from(shape)}
          WHERE ${inScope(shape, scope)} AND ${readable} AND t.id = ${marker}::${raw(shape.idType)}`,
    );
    if (!row) throw InventoryError.invalid('marker', 'is not the id of an item in this list');
    return order.keys.map((_, i) => row[`k${String(i)}`] ?? null);
  }

  private async neighbours(
    request: ListRequest,
    marker: KeyValues | undefined,
    more: boolean,
    on: Queryable,
  ) {
    if (marker === undefined && !more) return { previous: null, last: null };
    const [toPrevious, toLast] = backwards(request, marker, more);
    if (looksAhead(request))
      return {
        previous: toPrevious ? await idAtEnd(request, toPrevious, on) : null,
        last: toLast ? await idAtEnd(request, toLast, on) : null,
      };
    const id = (walk: Walk | undefined) => (walk ? idStatement(request, walk) : sql`NULL`);
    const [row] = await on.rows<{ previous: string | null; last: string | null }>(
      sql`SELECT ${id(toPrevious)} AS previous, ${id(toLast)} AS last`,
      planning(request),
    );
    return row ?? { previous: null, last: null };
  }
}

/** The walks to the marker of the previous page, and to that of the last one, where there are such. */
function backwards(
  { order, limit }: ListRequest,
  marker: KeyValues | undefined,
  more: boolean,
): [Walk | undefined, Walk | undefined] {
  const back = reversed(order);
  // Walking back from the marker over the page that ends in it, the next item is the marker of that page.
  return [
    marker && { order: back, marker, limit },
    more ? { order: back, marker: undefined, limit: limit + 1 } : undefined,
  ];
}

/** A page of a list whose members are found as a whole: once, for the page and for its neighbours. */
async function foundMembers<R extends QueryResultRow>(
  request: ListRequest,
  members: Sql,
  walk: Walk,
  on: Queryable,
): Promise<Found<R>> {
  const { limit } = request;
  const walks = [walk, ...backwards(request, walk.marker, true).flatMap((back) => back ?? [])];
  const found = await on.rows<{ walk: number; project_id: string; list_id: string }>(
    walksStatement(request, members, walks),
    'each time',
  );
  const placesOf = (number: number) =>
    found
      .filter((row) => row.walk === number)
      .map((row) => ({ projectId: row.project_id, id: row.list_id, keys: [] }));
  const [previous, last] = walk.marker ? [placesOf(1), placesOf(2)] : [[], placesOf(1)];
  return {
    ...(await rowsAt<R>(request, placesOf(0), on)),
    neighbours: { previous: previous[limit - 1]?.id ?? null, last: last[limit]?.id ?? null },
  };
}

/**
 * The rows of a page at places that were found for it, of which there is one more if it is not the last page. That is
 * not told by the rows: some may have been deleted since.
 */
async function rowsAt<R extends QueryResultRow>(
  request: ListRequest,
  places: readonly Place[],
  on: Queryable,
): Promise<Pick<Found<R>, 'rows' | 'more'>> {
  const more = places.length > request.limit;
  const shown = places.slice(0, request.limit);
  return { rows: shown.length === 0 ? [] : await on.rows<ListedRow<R>>(rowsStatement(request, shown)), more };
}

const pageOf = <R>({ rows, more, neighbours }: Found<R>, marker: KeyValues | undefined): Page<R> => ({
  rows,
  next: more ? rows.at(-1)?.list_id : undefined,
  previous: marker === undefined ? undefined : neighbours.previous,
  last: more ? (neighbours.last ?? undefined) : undefined,
});

/** The id of the last of `walk.limit` items, or null if there are fewer. */
async function idAtEnd(request: ListRequest, walk: Walk, on: Queryable): Promise<string | null> {
  const places = await nextPlaces(request, walk, on);
  return places[walk.limit - 1]?.id ?? null;
}

function wayOf(request: ListRequest): WayOfPage {
  if (request.members) return 'members';
  if (looksAhead(request)) return 'look ahead';
  return request.branches ? 'filter' : 'order';
}

/** Which branch, and which index, is worth its while depends on what is sought. */
const planning = ({ branches, match }: ListRequest): Planning => (branches && match ? 'each time' : 'once');
