import type { ListBody } from '../core/context/app-settings';
import type { QueryParameters } from '../core/parameters';

/** The URL of a list request, and the form that its response takes. */
export interface ListUrl {
  /** The scheme and authority of links. */
  readonly base: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** The same query by parameter, for parsers. */
  readonly parameters: QueryParameters;
  readonly body: ListBody;
  /** Whether the `Accept` header requests page objects. */
  readonly isPageRequested: boolean;
}

/** The markers of the pages around a page: see `KeysetPage`. */
export interface PageMarkers {
  readonly next: string | undefined;
  readonly previous: string | null | undefined;
  readonly last: string | undefined;
}

/** JSON texts that are read chunk by chunk, each chunk when the one before it is sent. */
export type BodyChunks = AsyncIterable<Iterable<string>>;

/** A page of a list: its items as JSON texts, and its place among the other pages. */
export interface ListPage {
  readonly url: ListUrl;
  readonly markers: PageMarkers;
  readonly items: Iterable<string> | BodyChunks;
}
