import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from './client';

/** The change that a request has made; null if it made none, or the user may not see it. */
export const changeOfRequestQuery = (requestId: string) =>
  queryOptions({
    queryKey: ['changes', 'of-request', requestId],
    queryFn: async ({ signal }) => {
      const query = { request_id: requestId, fields: ['id' as const, 'reason' as const], limit: 1 };
      const [found] = await unwrap(api.GET('/v1/changes', { params: { query }, signal }));
      return found?.id === undefined ? null : { id: found.id, reason: found.reason ?? null };
    },
    // Records are never altered.
    staleTime: Infinity,
    retry: false,
  });
