import { api, unwrap } from '../api/client';
import type { VariablePath } from './variable-path';

/** How many values of a variable are read to find its types, the most frequent ones first. */
const MAX_VALUES = 100;

/**
 * Whether devices of the project resolve a variable, or a part of its value, to texts.
 * @throws ApiError, NetworkError
 */
export async function hasTexts(
  project_id: string,
  { key, text }: Pick<VariablePath, 'key' | 'text'>,
): Promise<boolean> {
  const path = text.slice(key.length).replace(/^\./, '');
  const query = { project_id, limit: MAX_VALUES, ...(path === '' ? {} : { path }) };
  const { values } = await unwrap(
    api.GET('/v1/variable-keys/{key}/values', { params: { path: { key }, query } }),
  );
  return values.some(({ value }) => typeof value === 'string');
}
