import { InventoryError } from '../shared/errors/inventory-error';
import type { QueryParameters } from '../shared/list/list-query';

/**
 * The parameters of what is read page by page and knows no other: `limit` and `marker`, as they were written.
 * @throws InventoryError 400 for every other, and for one that is given twice
 */
export function pageQuery(query: QueryParameters): {
  readonly limit: string | undefined;
  readonly marker: string | undefined;
} {
  const given = new Map<string, string>();
  for (const [name, value] of Object.entries(query)) {
    if (name !== 'limit' && name !== 'marker')
      throw InventoryError.invalid(name, 'is not a parameter of this list');
    if (typeof value !== 'string') throw InventoryError.invalid(name, 'can be given only once');
    given.set(name, value);
  }
  return { limit: given.get('limit'), marker: given.get('marker') };
}
