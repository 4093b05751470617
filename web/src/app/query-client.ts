import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, isStatus, NetworkError } from '../api/errors';

const MAX_RETRIES = 2;

/** Whether a read may succeed if it is sent again: the service is away, or busy. */
const isTemporary = (error: unknown): boolean =>
  error instanceof NetworkError || (error instanceof ApiError && [429, 502, 503, 504].includes(error.status));

/**
 * The cache of what was read.
 * @param onSignedOut called when a response says that there is no session
 */
export const createQueryClient = (onSignedOut: () => void): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        if (isStatus(error, 401)) onSignedOut();
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
