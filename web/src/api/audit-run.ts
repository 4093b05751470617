import { infiniteQueryOptions, type QueryClient, type QueryState } from '@tanstack/react-query';

/** How long (ms) a result is kept while it is not shown. */
const RESULT_LIFETIME = 1_800_000;

export interface PageRequest {
  readonly marker: string | undefined;
  readonly signal: AbortSignal;
}

/** How the failing devices of an audit are read. */
export const PAGES_OF_RUN = {
  initialPageParam: undefined as string | undefined,
  gcTime: RESULT_LIFETIME,
  // A run may take half a minute: it is not repeated without being asked for.
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const;

interface RunOptions<Page> {
  readonly queryKey: readonly unknown[];
  /** Whether each read is a run, also if there is a result. */
  readonly isNew: boolean;
  readonly getNextPageParam: (page: Page) => string | undefined;
  readonly read: (isStored: boolean, request: PageRequest) => Promise<Page>;
  /** Called after a run that the service stored. */
  readonly onStored: (client: QueryClient) => void;
}

/** A run of an audit. It is stored if there is no result yet. A result is read again only after a write, which is no run. */
export const runOptions = <Page>({ queryKey, isNew, getNextPageParam, read, onStored }: RunOptions<Page>) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: async ({ pageParam, signal, client }) => {
      const isStored = pageParam === undefined && (isNew || client.getQueryData(queryKey) === undefined);
      const page = await read(isStored, { marker: pageParam, signal });
      if (isStored) onStored(client);
      return page;
    },
    getNextPageParam,
    ...PAGES_OF_RUN,
    staleTime: Infinity,
    retryOnMount: false,
  });

/** Whether an audit was run in this session, or is being run: its result, or error, is shown rather than read once more. */
export const hasRun = (state: Pick<QueryState, 'data' | 'error' | 'fetchStatus'> | undefined): boolean =>
  state !== undefined && (state.data !== undefined || state.error !== null || state.fetchStatus !== 'idle');
