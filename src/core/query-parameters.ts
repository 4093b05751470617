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
