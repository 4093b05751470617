import type { Caller } from './caller';

/** A page of a list, from either response format. */
export interface Page {
  readonly items: readonly Record<string, unknown>[];
  readonly links: Readonly<Record<string, string>>;
}

interface Link {
  readonly rel: string;
  readonly href: string;
}

const PAGE_TYPE = 'application/vnd.muster.page+json';

/** Reads a page of a list: as an array with a `Link` header, or as a page object. */
export async function readPage(caller: Caller, path: string, as: 'array' | 'page' = 'array'): Promise<Page> {
  const response = await caller.get(path, as === 'page' ? { Accept: PAGE_TYPE } : {}).expect(200);
  if (as === 'page') {
    const { items, links } = response.body as { items: Page['items']; links: Link[] };
    return { items, links: Object.fromEntries(links.map(({ rel, href }) => [rel, href])) };
  }
  const header = String(response.headers['link']);
  const links = header.split(', ').map((link) => {
    const [, href, rel] = /^<([^>]*)>; rel="(\w+)"$/.exec(link) ?? [];
    if (href === undefined || rel === undefined) throw new Error(`not a link: ${link}`);
    return [rel, href] as const;
  });
  return { items: response.body as Page['items'], links: Object.fromEntries(links) };
}

/** The id of the item that the marker of a link names or contains. Clients do not look into markers. */
export function itemOfMarker(marker: string): string {
  if (marker === 'last' || /^[\d-]+$/.test(marker)) return marker;
  const { keys } = JSON.parse(Buffer.from(marker, 'base64url').toString()) as { keys: readonly string[] };
  return keys.at(-1) ?? '';
}

/** The marker of a link of a page. */
export function markerOf({ links }: Page, rel: string): string {
  const marker = new URL(links[rel] ?? '').searchParams.get('marker');
  if (marker === null) throw new Error(`the link ${rel} has no marker`);
  return marker;
}

/** Follows a link of a page; undefined if the page has no such link. */
export async function follow(
  caller: Caller,
  page: Page,
  rel: string,
  as: 'array' | 'page' = 'array',
): Promise<Page | undefined> {
  const href = page.links[rel];
  if (href === undefined) return undefined;
  const { pathname, search } = new URL(href);
  return readPage(caller, pathname + search, as);
}

/** Every page from one on, by its `next` or `prev` links. */
export async function walk(
  caller: Caller,
  from: Page,
  rel: 'next' | 'prev',
  as: 'array' | 'page' = 'array',
): Promise<Page[]> {
  const pages = [from];
  for (let page = await follow(caller, from, rel, as); page; page = await follow(caller, page, rel, as)) {
    pages.push(page);
    if (pages.length > 1_000) throw new Error(`the ${rel} links form a cycle`);
  }
  return pages;
}
