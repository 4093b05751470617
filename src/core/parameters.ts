import { InventoryError } from './errors/inventory-error';

/** The raw query of a request: repeated parameters are arrays. */
export type QueryParameters = Readonly<Record<string, unknown>>;

/** The value of a parameter that may occur once; undefined if it is absent. @throws InventoryError 400 */
export function singleValue(query: QueryParameters, name: string): string | undefined {
  const value = query[name];
  if (value === undefined || typeof value === 'string') return value;
  throw InventoryError.invalid(name, 'can be given only once');
}

/**
 * Checks the query of a route that is not a list: each parameter may occur once, and no others are allowed.
 * @returns a function that reads a parameter
 * @throws InventoryError 400
 */
export function parameterReader<N extends string>(
  query: QueryParameters,
  names: readonly N[],
): (name: N) => string | undefined {
  const allowed: readonly string[] = names;
  for (const name of Object.keys(query)) {
    if (!allowed.includes(name)) throw InventoryError.invalid(name, 'is not a parameter here');
    singleValue(query, name);
  }
  return (name) => singleValue(query, name);
}

const INTEGER = /^-?\d+$/;
const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

/**
 * Parses an id; undefined if the text is not an integer. An integer outside of the range of ids becomes 0, which no
 * resource has, because such an id is not found rather than malformed.
 */
export function parseId(text: string): number | undefined {
  if (!INTEGER.test(text)) return undefined;
  const id = Number(text);
  return Number.isSafeInteger(id) && id > 0 ? id : 0;
}

/** Normalizes a UUID, with or without dashes, to the form that the database prints; undefined if it is invalid. */
export function parseUuid(text: string): string | undefined {
  if (!UUID.test(text)) return undefined;
  const hex = text.replaceAll('-', '').toLowerCase();
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
