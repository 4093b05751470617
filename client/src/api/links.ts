/** Where a page's neighbour is: links as page objects have them, or as the text of a `Link` header (RFC 8288). */
type Links = readonly { readonly rel: string; readonly href: string }[] | string | null;

/**
 * The path, with its query, that a link leads to; undefined if there is none. Links name the service as others may see it.
 * @param prefix what stands before the API's own paths where the client reaches it
 */
export function linkTo(rel: string, links: Links, prefix = ''): string | undefined {
  const found = typeof links === 'string' ? inHeader(links) : (links ?? []);
  const href = found.find((link) => link.rel === rel)?.href;
  if (href === undefined) return undefined;
  const { pathname, search } = new URL(href, 'http://localhost');
  // What lies in front of the API's own paths is where the client's address leads already.
  const begin = pathname.startsWith(`${prefix}/v1/`) ? prefix.length : Math.max(0, pathname.indexOf('/v1/'));
  return `${pathname.slice(begin)}${search}`;
}

const inHeader = (header: string): { rel: string; href: string }[] =>
  [...header.matchAll(/<([^>]*)>; *rel="([^"]*)"/g)].map(([, href = '', rel = '']) => ({ rel, href }));
