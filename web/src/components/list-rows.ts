import { readPage, type MarkedPage } from '../api/pages';
import type { ListRow } from './member-columns';

/**
 * Reads a page of the list of a collection. The collections have different members, so the query is not checked by types.
 * @throws ApiError, NetworkError, Error: see `readPage`
 */
export const readRows = (
  collection: string,
  query: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
): Promise<MarkedPage<readonly ListRow[]>> => readPage(`/v1/${collection}`, query, signal);
