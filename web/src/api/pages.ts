import { unwrapResponse } from './client';
import { send } from './request';

/** What contains a page, and links to others. */
interface Linked {
  readonly links: readonly { readonly rel: string; readonly href: string }[];
}

/** The marker of the next page; undefined after the last one. */
export function nextMarker({ links }: Linked): string | undefined {
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
 * Reads a page of a list whose path is not known when the application is compiled, so that types do not check the query.
 * @throws ApiError, NetworkError, and Error if a proxy has removed `Accept`, so that the response has another form: it is no empty list
 */
export async function readPage<T>(
  path: string,
  query: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
): Promise<MarkedPage<readonly T[]>> {
  const { body, response } = await send({ method: 'GET', path, query }, signal);
  if (!Array.isArray(body)) throw new Error(`The response to GET ${path} is not an array.`);
  return { body: body as readonly T[], next: nextInHeader(response) };
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
