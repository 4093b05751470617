import { QueryClient } from '@tanstack/react-query';
import { retryTemporary } from '../api/errors';
import { LIST_POSITION } from '../api/query-keys';

const MAX_RETRIES = 2;

/** How long (ms) Back leads to the row of a list that was left. */
const POSITION_LIFETIME = 3_600_000;

/** The cache of what was read. */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
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
  client.setQueryDefaults([LIST_POSITION], { gcTime: POSITION_LIFETIME });
  return client;
}
