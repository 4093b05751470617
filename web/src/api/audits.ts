import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { components } from '@muster/api-types';
import { api, unwrap } from './client';
import { nextMarker } from './pages';
import { readAgain } from './read-again';

export type Audit = components['schemas']['Audit'];
/** The counts of a run that is over. */
export type PastRun = components['schemas']['PastRun'];

/** The number of failing devices that are read at once. */
const PAGE = 100;
/** How long (ms) a result is kept while it is not shown. */
const RESULT_LIFETIME = 1_800_000;

export const auditQuery = (id: number) =>
  queryOptions({
    queryKey: ['audits', id, 'item'],
    queryFn: ({ signal }) => unwrap(api.GET('/v1/audits/{id}', { params: { path: { id } }, signal })),
  });

/** The last runs of an audit, the latest first. */
export const pastRunsQuery = (id: number) =>
  queryOptions({
    queryKey: ['audits', id, 'past-runs'],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/v1/audits/{id}/runs', { params: { path: { id } }, signal }))).items,
  });

/** Runs an audit: its first page has the verdict. The list and the page of the audit share the result. */
export const runQuery = (id: number) =>
  infiniteQueryOptions({
    queryKey: ['audits', id, 'run'],
    queryFn: async ({ pageParam, signal, client }) => {
      const query = { limit: PAGE, ...(pageParam === undefined ? {} : { marker: pageParam }) };
      const page = await unwrap(api.POST('/v1/audits/{id}/run', { params: { path: { id }, query }, signal }));
      // The service has stored it.
      if (pageParam === undefined) void readAgain(client, pastRunsQuery(id));
      return page;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => nextMarker(page),
    gcTime: RESULT_LIFETIME,
    staleTime: 60_000,
    // A run may take half a minute: it is not repeated without being asked for.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
