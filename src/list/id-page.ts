import { textsOf, type QueryParameters } from '../core/query-parameters';
import { idValue } from './list-filter';
import { limitOf, LIMITS } from './list-query';

/** A page of devices in the order of their ids. */
export interface IdPage {
  readonly limit: number;
  /** The id of the last one seen. */
  readonly marker: number | undefined;
}

/** Reads `limit` and `marker`. @throws InventoryError 400 */
export function idPage(text: (name: 'limit' | 'marker') => string | undefined): IdPage {
  const marker = text('marker');
  return {
    limit: limitOf(text('limit'), LIMITS.preview),
    marker: marker === undefined ? undefined : idValue('marker', marker),
  };
}

/** Reads a query that has these two parameters and no other. @throws InventoryError 400 */
export const idPageOf = (query: QueryParameters): IdPage => idPage(textsOf(query, ['limit', 'marker']));
