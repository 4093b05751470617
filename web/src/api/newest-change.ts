import { api, unwrap } from './client';

/** The first part of the keys of the newest change in the cache. */
export const NEWEST_CHANGE = 'newest-change';

/** The id of the newest change of a project; 0 if there is none. @throws ApiError, NetworkError */
export async function readNewestChange(project_id: string, signal: AbortSignal): Promise<number> {
  const query = { project_id, fields: ['id' as const], sort_dir: 'desc' as const, limit: 1 };
  const [change] = await unwrap(api.GET('/v1/changes', { params: { query }, signal }));
  return change?.id ?? 0;
}
