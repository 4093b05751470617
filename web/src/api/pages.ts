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
  return next && (new URL(next.href).searchParams.get('marker') ?? undefined);
}
