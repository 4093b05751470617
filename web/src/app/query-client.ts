import { QueryCache, QueryClient } from '@tanstack/react-query';
import { isStatus, retryTemporary } from '../api/errors';

const MAX_RETRIES = 2;

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
        retry: retryTemporary(MAX_RETRIES),
        // Requests are tried even if the browser believes to be offline: the failure is shown, and the retry button works.
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  });
