import { textsOf, type QueryParameters } from '../core/query-parameters';
import { idValue } from './list-filter';
import { limitOf, LIMITS } from './list-query';

/** A page of devices in id order. */
export interface IdPage {
  readonly limit: number;
  /** The id of the last device seen. */
  readonly marker: number | undefined;
}

/** Parses `limit` and `marker`. @throws InventoryError 400 */
export function idPage(text: (name: 'limit' | 'marker') => string | undefined): IdPage {
  const marker = text('marker');
  return {
    limit: limitOf(text('limit'), LIMITS.preview),
    marker: marker === undefined ? undefined : idValue('marker', marker),
  };
}

/** Parses a query that has only `limit` and `marker`. @throws InventoryError 400 */
export const idPageOf = (query: QueryParameters): IdPage => idPage(textsOf(query, ['limit', 'marker']));
