/** How many warnings one response contains. */
const MAX_WARNINGS = 5;

/** A character that a header cannot contain. */
// eslint-disable-next-line no-control-regex
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f]/g;

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
