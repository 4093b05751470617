import type { Request } from 'express';
import type { ListBody } from '../core/context/app-settings';
import { PAGE_MEDIA_TYPE } from '../list/list-query';
import { InventoryError } from '../core/errors/inventory-error';
import { JsonResponse, type BodyChunks } from './response';

/** A link to a page of a list. */
interface PageLink {
  readonly rel: 'self' | 'first' | 'prev' | 'next' | 'last';
  readonly href: string;
}

/** What a request says about how its list is to be answered. */
export interface ListUrl {
  /** Scheme and authority that links begin with. */
  readonly base: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: ListBody;
  /** Whether the request itself asked for page objects. */
  readonly isPageRequested: boolean;
}

/** What every link begins with must not be more than it says it is. */
const HOST = /^(?:\[[\da-f:.]+\]|[\w.~-]+)(?::\d{1,5})?$/i;

/**
 * Absolute URLs begin with the deployment's PUBLIC_URL, or with what the client itself used: as a proxy says, if it is
 * one that is trusted.
 * @throws InventoryError 400 if that is no host
 */
export function baseUrl(request: Request, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, '');
  // Absent where HTTP/1.0 is spoken.
  const host = (request.get('host') ?? '') === '' ? 'localhost' : request.host;
  if (!HOST.test(host)) throw InventoryError.invalid('Host', 'must be the name or the address of a host');
  return `${request.protocol}://${host}`;
}

/** Whether a header names this very media type, and not in order to rule it out: wildcards mean the usual body. */
export const accepts = (header: string, mediaType: string): boolean =>
  header
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()))
    .some(([type, ...parameters]) => type === mediaType && !parameters.some((p) => /^q=0(\.0*)?$/.test(p)));

export function parseListUrl(
  request: Request,
  settings: { readonly publicUrl: string | undefined; readonly listBody: ListBody },
): ListUrl {
  const at = request.originalUrl.indexOf('?');
  const asked = accepts(request.get('accept') ?? '', PAGE_MEDIA_TYPE);
  return {
    base: baseUrl(request, settings.publicUrl),
    path: request.path,
    query: new URLSearchParams(at < 0 ? '' : request.originalUrl.slice(at + 1)),
    body: asked ? 'page' : settings.listBody,
    isPageRequested: asked,
  };
}

/** The markers of a page's neighbours: see `Page` of the list engine. */
interface Neighbours {
  readonly next: string | undefined;
  readonly previous: string | null | undefined;
  readonly last: string | undefined;
}

/** Links to the page itself and to its neighbours, as far as there are any. */
export function pageLinks(address: Pick<ListUrl, 'base' | 'path' | 'query'>, page: Neighbours): PageLink[] {
  const href = (marker: string | null) => {
    const query = new URLSearchParams(address.query);
    if (marker === null) query.delete('marker');
    else query.set('marker', marker);
    const text = query.toString();
    return `${address.base}${address.path}${text === '' ? '' : `?${text}`}`;
  };
  const links: PageLink[] = [{ rel: 'self', href: href(address.query.get('marker')) }];
  if (page.previous !== undefined)
    links.push({ rel: 'first', href: href(null) }, { rel: 'prev', href: href(page.previous) });
  if (page.next !== undefined) links.push({ rel: 'next', href: href(page.next) });
  if (page.last !== undefined) links.push({ rel: 'last', href: href(page.last) });
  return links;
}

/** A list in the body that the client asked for. */
export function listResponse(
  address: ListUrl,
  page: Neighbours,
  items: Iterable<string> | BodyChunks,
): JsonResponse {
  const links = pageLinks(address, page);
  const vary = { vary: 'Accept' };
  if (address.body === 'page')
    return JsonResponse.ok(
      bodyOf('{"items":[', items, `],"links":${JSON.stringify(links)}}`),
      address.isPageRequested ? { ...vary, 'content-type': PAGE_MEDIA_TYPE } : vary,
    );
  const link = links.map(({ rel, href }) => `<${href}>; rel="${rel}"`).join(', ');
  return JsonResponse.ok(bodyOf('[', items, ']'), { ...vary, link });
}

/** Items, separated by commas, between an opening and a closing. */
export function* joinItems(opening: string, items: Iterable<string>, closing: string): Generator<string> {
  yield opening;
  let first = true;
  for (const item of items) {
    yield first ? item : `,${item}`;
    first = false;
  }
  yield closing;
}

const bodyOf = (opening: string, items: Iterable<string> | BodyChunks, closing: string) =>
  Symbol.asyncIterator in items
    ? enclosedPortions(opening, items, closing)
    : joinItems(opening, items, closing);

/** The same of items that come in portions. */
async function* enclosedPortions(
  opening: string,
  portions: BodyChunks,
  closing: string,
): AsyncGenerator<Iterable<string>> {
  let isFirst = true;
  yield [opening];
  for await (const items of portions) {
    yield (function* () {
      for (const item of items) {
        yield isFirst ? item : `,${item}`;
        isFirst = false;
      }
    })();
  }
  yield [closing];
}
