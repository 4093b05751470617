import { InventoryError } from './errors/inventory-error';

/** The raw query of a request: repeated parameters are arrays. */
export type QueryParameters = Readonly<Record<string, unknown>>;

/** A parameter that can be given once; undefined where it is not. @throws InventoryError 400 */
export function onlyText(query: QueryParameters, name: string): string | undefined {
  const value = query[name];
  if (value === undefined || typeof value === 'string') return value;
  throw InventoryError.invalid(name, 'can be given only once');
}

/**
 * All the parameters of a question that is no list: each can be given once, and there are no others.
 * @throws InventoryError 400
 */
export function textsOf<N extends string>(
  query: QueryParameters,
  names: readonly N[],
): (name: N) => string | undefined {
  const taken: readonly string[] = names;
  for (const name of Object.keys(query)) {
    if (!taken.includes(name)) throw InventoryError.invalid(name, 'is not a parameter here');
    onlyText(query, name);
  }
  return (name) => onlyText(query, name);
}
