import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, isOtherProject, isStatus, NetworkError } from '../api/errors';
import { sessionQuery } from '../api/session';

const MAX_RETRIES = 2;

/** Whether a read may succeed if it is sent again: the service is away, or busy. */
const isTemporary = (error: unknown): boolean =>
  error instanceof NetworkError || (error instanceof ApiError && [429, 502, 503, 504].includes(error.status));

/**
 * The cache of what was read.
 * @param onSignedOut called when a response says that there is no session
 */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const [sessionKey] = sessionQuery.queryKey;
  /** Reads the session again, because a response says that it is not as it was read. The frame then says what to do. */
  const readSession = () =>
    void queryClient.invalidateQueries({ queryKey: [sessionKey] }, { cancelRefetch: false });
  const queryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, { queryKey }) => {
        // A request that was sent while another tab entered a project carries the former cookie, although the session goes on.
        if (isStatus(error, 401) && queryKey[0] === sessionKey) onSignedOut();
        else if (isStatus(error, 401) || isOtherProject(error)) readSession();
      },
    }),
    mutationCache: new MutationCache({
      onError: (error) => {
        if (isOtherProject(error)) readSession();
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        retry: (failures, error) => failures < MAX_RETRIES && isTemporary(error),
        // Requests are tried even if the browser believes to be offline: the failure is shown, and the retry button works.
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  });
  return queryClient;
}
