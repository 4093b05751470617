const INTEGER = /^-?\d+$/;
const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

/**
 * An id from its decimal text; undefined if it is no integer. An integer that no id can be (negative, or beyond what
 * identity columns reach) becomes 0, which nothing has: it is well formed and not there, not malformed.
 */
export function parseId(text: string): number | undefined {
  if (!INTEGER.test(text)) return undefined;
  const id = Number(text);
  return Number.isSafeInteger(id) && id > 0 ? id : 0;
}

/** A UUID with or without dashes and in any case, in the form that the database prints; undefined if it is none. */
export function parseUuid(text: string): string | undefined {
  if (!UUID.test(text)) return undefined;
  const hex = text.replaceAll('-', '').toLowerCase();
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
