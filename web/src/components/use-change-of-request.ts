import { skipToken, useQuery } from '@tanstack/react-query';
import { changeOfRequestQuery } from '../api/change-of-request';

/**
 * The change that a request made; undefined while it is read, and if there is none that the user may see.
 * @param requestId as of its response
 */
export function useChangeOfRequest(requestId: string | null) {
  const { data } = useQuery({
    ...changeOfRequestQuery(requestId ?? ''),
    ...(requestId === null && { queryFn: skipToken }),
  });
  return data ?? undefined;
}
