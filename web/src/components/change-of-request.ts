import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '../api/client';

/**
 * The change that a request made; undefined while it is read, and if there is none that the user may see.
 * @param requestId as of its response
 */
export function useChangeOfRequest(requestId: string | null) {
  const { data } = useQuery({
    queryKey: ['changes', 'of-request', requestId],
    queryFn: async ({ signal }) => {
      const query = { request_id: requestId ?? '', fields: ['id' as const, 'reason' as const], limit: 1 };
      const [found] = await unwrap(api.GET('/v1/changes', { params: { query }, signal }));
      return found ?? null;
    },
    enabled: requestId !== null,
    // Records are never altered.
    staleTime: Infinity,
    retry: false,
  });
  return data ?? undefined;
}
