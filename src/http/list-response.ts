import {
  createParamDecorator,
  type ExecutionContext,
  Inject,
  Injectable,
  type PipeTransform,
} from '@nestjs/common';
import type { Request } from 'express';
import { APP_SETTINGS, type AppSettings, type ListBody } from '../core/context/request-context';
import type { BodyChunks, ListPage, ListUrl, PageMarkers } from '../lists/list-page';
import { ARRAY_MEDIA_TYPE, PAGE_MEDIA_TYPE } from '../lists/list-query';
import { JSON_MEDIA_TYPES, preferredType } from './accept';
import { baseUrl, queryOf } from './request';
import { JsonResponse } from './response';

/** A link to a page of a list. */
interface PageLink {
  readonly rel: 'self' | 'first' | 'prev' | 'next' | 'last';
  readonly href: string;
}

/** The forms of lists that a request can choose, by media type. */
const FORMS: Readonly<Partial<Record<string, ListBody>>> = {
  [ARRAY_MEDIA_TYPE]: 'array',
  [PAGE_MEDIA_TYPE]: 'page',
};

@Injectable()
class ListUrlPipe implements PipeTransform<Request, ListUrl> {
  constructor(@Inject(APP_SETTINGS) private readonly settings: AppSettings) {}

  /** @throws InventoryError 400 for a malformed host, 406 */
  transform(request: Request): ListUrl {
    const mediaType = preferredType(request, JSON_MEDIA_TYPES);
    return {
      base: baseUrl(request, this.settings.publicUrl),
      path: request.path,
      query: queryOf(request),
      parameters: request.query,
      body: FORMS[mediaType] ?? this.settings.listBody,
      mediaType,
    };
  }
}

const RequestParam = createParamDecorator((_: unknown, context: ExecutionContext) =>
  context.switchToHttp().getRequest<Request>(),
);

/** Injects the `ListUrl` of the request. */
export const ListUrlParam = () => RequestParam(ListUrlPipe);

/** Links to the page itself and to the pages around it. */
export function pageLinks(url: Pick<ListUrl, 'base' | 'path' | 'query'>, markers: PageMarkers): PageLink[] {
  const href = (marker: string | null) => {
    const query = new URLSearchParams(url.query);
    if (marker === null) query.delete('marker');
    else query.set('marker', marker);
    const text = query.toString();
    return `${url.base}${url.path}${text === '' ? '' : `?${text}`}`;
  };
  const links: PageLink[] = [{ rel: 'self', href: href(url.query.get('marker')) }];
  if (markers.previous !== undefined)
    links.push({ rel: 'first', href: href(null) }, { rel: 'prev', href: href(markers.previous) });
  if (markers.next !== undefined) links.push({ rel: 'next', href: href(markers.next) });
  if (markers.last !== undefined) links.push({ rel: 'last', href: href(markers.last) });
  return links;
}

/** The maximum size of the header `Link`. Clients limit all headers together: Node to 16 KiB. */
const MAX_LINK_HEADER_BYTES = 8 * 1024;

/**
 * The header `Link`. If all links are too long, it has those that fit: `next` before all, and at least one, because a
 * page without links looks like one whose header a proxy has removed.
 */
function linkHeader(links: readonly PageLink[]): string {
  const render = (some: readonly PageLink[]) =>
    some.map(({ rel, href }) => `<${href}>; rel="${rel}"`).join(', ');
  const whole = render(links);
  if (whole.length <= MAX_LINK_HEADER_BYTES) return whole;
  const fitting: PageLink[] = [];
  for (const wanted of ['next', 'prev', 'self'])
    for (const link of links.filter(({ rel }) => rel === wanted))
      if (fitting.length === 0 || render([...fitting, link]).length <= MAX_LINK_HEADER_BYTES)
        fitting.push(link);
  return render(fitting);
}

/** Renders a page of a list in the form that the client requested. */
export function listResponse({ url, markers, items }: ListPage): JsonResponse {
  const links = pageLinks(url, markers);
  const headers = { vary: 'Accept', 'content-type': url.mediaType };
  if (url.body === 'page')
    return JsonResponse.ok(bodyOf('{"items":[', items, `],"links":${JSON.stringify(links)}}`), headers);
  return JsonResponse.ok(bodyOf('[', items, ']'), { ...headers, link: linkHeader(links) });
}

/** Joins items by commas, between an opening and a closing. */
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
  Symbol.asyncIterator in items ? joinChunks(opening, items, closing) : joinItems(opening, items, closing);

/** Like `joinItems`, for items in chunks. */
async function* joinChunks(
  opening: string,
  chunks: BodyChunks,
  closing: string,
): AsyncGenerator<Iterable<string>> {
  let isFirst = true;
  yield [opening];
  for await (const items of chunks) {
    yield (function* () {
      for (const item of items) {
        yield isFirst ? item : `,${item}`;
        isFirst = false;
      }
    })();
  }
  yield [closing];
}
