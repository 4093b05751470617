import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { components, paths } from '@muster/api-types';
import type { NO_ID } from '../app/search-params';
import { type PageRequest, PAGES_OF_RUN, runOptions } from './audit-run';
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

const readFailures = (id: number, parameters: RunParameters, { marker, signal }: PageRequest) => {
  const query = { limit: PAGE, ...parameters, ...(marker !== undefined && { marker }) };
  return unwrap(api.POST('/v1/audits/{id}/run', { params: { path: { id }, query }, signal }));
};

/**
 * The run of an audit: its first page has the verdict. The list and the page of the audit share the result. The service stores
 * the run that was asked for: later reads, such as those after a write, are none.
 */
export const runQuery = (id: number) => runOfAudit(id, false);

/** Another run of an audit, which is stored, too: for what runs it only because the user asks for that. */
export const newRunQuery = (id: number) => runOfAudit(id, true);

const runOfAudit = (id: number, isNew: boolean) =>
  runOptions({
    queryKey: ['audits', id, 'run'],
    isNew,
    read: (isStored: boolean, request: PageRequest) =>
      readFailures(id, isStored ? {} : { store: false }, request),
    getNextPageParam: (page) => nextMarker(page),
    onStored: (client) => {
      void readAgain(client, pastRunsQuery(id));
    },
  });

const partParameters = ({ region_id, cell_id }: AuditedPart): RunParameters => ({
  store: false,
  ...(region_id !== undefined && { region_id: [region_id] }),
  ...(cell_id !== undefined && { cell_id: [cell_id] }),
});

/** What fails now, also in a part of the fleet. It is no run of its own, as it is only looked at. */
export const failuresQuery = (id: number, part: AuditedPart = {}) => {
  const queryKey: readonly unknown[] = ['audits', id, 'failures', part];
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => readFailures(id, partParameters(part), { marker: pageParam, signal }),
    getNextPageParam: (page) => nextMarker(page),
    ...PAGES_OF_RUN,
    staleTime: 60_000,
  });
};

/** The largest page of a run. */
const MAX_FAILURES = 1_000;

/** As many failing devices as one request reads. It is no run of its own. */
export const readManyFailures = (id: number, part: AuditedPart, request: PageRequest) =>
  readFailures(id, { ...partParameters(part), limit: MAX_FAILURES }, request);
