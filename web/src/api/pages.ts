import { unwrapResponse } from './client';
import { send } from './request';

/** A page of a list whose markers are only in its links. */
export interface LinkedPage<T> {
  readonly items: readonly T[];
  readonly links: readonly { readonly rel: string; readonly href: string }[];
}

/**
 * Reads a page of a list with its links, as a page object.
 * @throws ApiError, NetworkError
 */
export async function readPage<T>(
  path: string,
  query: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<LinkedPage<T>> {
  const headers = { Accept: 'application/vnd.muster.page+json' };
  return (await send({ method: 'GET', path, query, headers }, signal)).body as LinkedPage<T>;
}

/** The marker of the next page; undefined after the last one. */
export function nextMarker({ links }: Pick<LinkedPage<unknown>, 'links'>): string | undefined {
  const next = links.find(({ rel }) => rel === 'next');
  return next && markerOf(next.href);
}

const markerOf = (href: string): string | undefined => new URL(href).searchParams.get('marker') ?? undefined;

/** A page of a list as an array, and the marker of the next page. */
export interface MarkedPage<T> {
  readonly body: T;
  /** Undefined after the last page. */
  readonly next: string | undefined;
}

/**
 * The page in a response whose links are in its `Link` header.
 * @throws ApiError, NetworkError
 */
export async function unwrapPage<T>(result: Parameters<typeof unwrapResponse<T>>[0]): Promise<MarkedPage<T>> {
  const { data, response } = await unwrapResponse(result);
  return { body: data, next: nextInHeader(response) };
}

/** The marker of the next page in a `Link` header; undefined after the last page. */
export function nextInHeader({ headers }: Response): string | undefined {
  const [, href] = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '') ?? [];
  return href === undefined ? undefined : markerOf(href);
}
