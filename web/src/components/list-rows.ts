import { nextInHeader, type MarkedPage } from '../api/pages';
import { send } from '../api/request';
import type { ListRow } from './member-columns';

/**
 * Reads a page of the list of a collection. The collections have different members, so the query is not checked by types.
 * @throws ApiError, NetworkError
 */
export async function readRows(
  collection: string,
  query: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
): Promise<MarkedPage<readonly ListRow[]>> {
  const { body, response } = await send({ method: 'GET', path: `/v1/${collection}`, query }, signal);
  return { body: isRows(body) ? body : [], next: nextInHeader(response) };
}

const isRows = (body: unknown): body is readonly ListRow[] =>
  Array.isArray(body) &&
  body.every((item: unknown) => typeof item === 'object' && item !== null && 'id' in item);
