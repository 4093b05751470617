import type { ListBody } from '../core/context/request-context';
import type { QueryParameters } from '../core/parameters';
import type { ListRow, KeysetPage } from './read-page';

/** The URL of a list request, and the form that its response takes. */
export interface ListUrl {
  /** The scheme and authority of links. */
  readonly base: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** The same query by parameter, for parsers. */
  readonly parameters: QueryParameters;
  readonly body: ListBody;
  /** The media type of the response: that of the form if the `Accept` header chooses one, else that of JSON. */
  readonly mediaType: string;
}

/** The markers of the pages around a page: see `KeysetPage`. */
export interface PageMarkers {
  readonly next: string | undefined;
  readonly previous: string | null | undefined;
  readonly last: string | undefined;
}

/** JSON texts that are read chunk by chunk, each chunk when the one before it is sent. */
export type BodyChunks = AsyncIterable<Iterable<string>>;

/** A page of a list: its items as JSON texts, and its position among the other pages. */
export interface ListPage {
  readonly url: ListUrl;
  readonly markers: PageMarkers;
  readonly items: Iterable<string> | BodyChunks;
}

/** One read of a list: `limit` items after a position, in one direction. */
export interface CursorRead<P> {
  readonly after: P | undefined;
  readonly descending: boolean;
  readonly limit: number;
}

/** A list whose items have no id. Several values together identify an item and give its position in the list. */
interface CursorList<P, R> {
  readonly descending: boolean;
  readonly limit: number;
  /** The position of the last item seen. */
  readonly after: P | undefined;
  /** Reads items with everything that is shown of them. */
  readonly readItems: (read: CursorRead<P>) => Promise<ListRow<R>[]>;
  /** Reads only the positions of items. */
  readonly readPositions: (read: CursorRead<P>) => Promise<P[]>;
  readonly positionOf: (item: R) => P;
  /** Formats a position as a marker. */
  readonly formatMarker: (position: P) => string;
}

/** Reads a page of such a list. Like `PageReader`, it finds the previous and the last page by reading backwards. */
export async function readCursorPage<P, R>(list: CursorList<P, R>): Promise<KeysetPage<R>> {
  const { after, descending, limit } = list;
  const rows = await list.readItems({ after, descending, limit: limit + 1 });
  const hasMore = rows.length > limit;
  if (hasMore) rows.pop();
  const end = rows.at(-1);
  const back = { descending: !descending };
  const before = after === undefined ? [] : await list.readPositions({ ...back, after, limit });
  const fromEnd = hasMore ? await list.readPositions({ ...back, after: undefined, limit: limit + 1 }) : [];
  const [previous, last] = [before[limit - 1], fromEnd[limit]];
  return {
    rows,
    next: hasMore && end !== undefined ? list.formatMarker(list.positionOf(end)) : undefined,
    previous: after === undefined ? undefined : previous === undefined ? null : list.formatMarker(previous),
    last: last === undefined ? undefined : list.formatMarker(last),
  };
}
