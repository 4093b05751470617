/** How many warnings one response contains. */
const MAX_WARNINGS = 5;

/** A character that a header cannot contain. */
// oxlint-disable-next-line no-control-regex -- it is there to find them
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f]/g;

/** One value of a header `Warning`. */
const VALUE = /299 - "(?:[^"\\]|\\.)*"/g;

/** A header `Warning` whose texts begin with a prefix. @param prefix without control characters, quotes and backslashes */
export const prefixWarnings = (header: string, prefix: string): string =>
  header.replaceAll(VALUE, (value) => value.replace('"', `"${prefix}`));

/** One header `Warning` of several: at most as many warnings as in one. */
export const joinWarnings = (headers: readonly string[]): string =>
  headers
    .flatMap((header) => header.match(VALUE) ?? [])
    .slice(0, MAX_WARNINGS)
    .join(', ');

/**
 * The header `Warning` with texts for people, in the format of RFC 7234 with the code 299 (miscellaneous), as
 * Kubernetes sends it. Its bytes are UTF-8.
 * @returns an empty object without warnings
 */
export function warningHeader(texts: readonly string[] = []): Readonly<Record<string, string>> {
  if (texts.length === 0) return {};
  const values = texts.slice(0, MAX_WARNINGS).map((text) => {
    const quoted = text.replace(CONTROL_CHARACTERS, ' ').replace(/["\\]/g, '\\$&');
    return `299 - "${quoted}"`;
  });
  // Node sends each character of a header as one byte.
  return { warning: Buffer.from(values.join(', '), 'utf8').toString('latin1') };
}
