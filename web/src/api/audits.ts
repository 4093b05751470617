import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import type { components, paths } from '@muster/api-types';
import type { NO_ID } from '../app/search-params';
import { api, unwrap } from './client';
import { nextMarker } from './pages';
import { readAgain } from './read-again';

export type Audit = components['schemas']['Audit'];
/** A device that fails, with the value that it resolves. */
export type Failure = components['schemas']['Failure'];
/** The variable that a remediation sets, and its value, unless the audit accepts several. */
export type ImpliedRemediation = components['schemas']['ImpliedRemediation'];
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

/** The part of the fleet that a run is limited to; empty: all that the audit selects. `NO_ID`: the devices in no cell. */
export interface AuditedPart {
  readonly region_id?: number | undefined;
  readonly cell_id?: number | typeof NO_ID | undefined;
}

type RunParameters = NonNullable<paths['/v1/audits/{id}/run']['post']['parameters']['query']>;

const runOptions = (
  queryKey: readonly unknown[],
  id: number,
  parameters: RunParameters,
  onRun?: (client: QueryClient) => void,
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: async ({ pageParam, signal, client }) => {
      const query = {
        ...{ limit: PAGE, ...parameters },
        ...(pageParam === undefined ? {} : { marker: pageParam }),
      };
      const page = await unwrap(api.POST('/v1/audits/{id}/run', { params: { path: { id }, query }, signal }));
      if (pageParam === undefined) onRun?.(client);
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

/** Runs an audit: its first page has the verdict. The list and the page of the audit share the result. */
export const runQuery = (id: number) =>
  runOptions(['audits', id, 'run'], id, {}, (client) => {
    // The service has stored it.
    void readAgain(client, pastRunsQuery(id));
  });

const partParameters = ({ region_id, cell_id }: AuditedPart): RunParameters => ({
  store: false,
  ...(region_id !== undefined && { region_id: [region_id] }),
  ...(cell_id !== undefined && { cell_id: [cell_id] }),
});

/** What fails now, also in a part of the fleet. It is no run of its own, as it is only looked at. */
export const failuresQuery = (id: number, part: AuditedPart = {}) =>
  runOptions(['audits', id, 'failures', part], id, partParameters(part));

/** The largest page of a run. */
export const MAX_FAILURES = 1_000;

/** As many failing devices as one request reads. */
export const manyFailuresQuery = (id: number, part: AuditedPart) =>
  queryOptions({
    queryKey: ['audits', id, 'many-failures', part],
    queryFn: ({ signal }) => {
      const query = { ...partParameters(part), limit: MAX_FAILURES };
      return unwrap(api.POST('/v1/audits/{id}/run', { params: { path: { id }, query }, signal }));
    },
    staleTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
