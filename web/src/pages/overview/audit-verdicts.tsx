import { Text } from '@mantine/core';
import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type PastRun, pastRunsQuery } from '../../api/audits';
import { api, unwrap } from '../../api/client';
import { readAgain } from '../../api/read-again';
import { useProjectId } from '../../app/use-project';
import { counted } from '../../components/counted';
import { ResourceLink, RouteLink } from '../../components/resource-link';
import { EmptyState, ErrorState, LoadingState } from '../../components/states';
import { TimeStamp } from '../../components/time-stamp';
import classes from './overview-page.module.css';

/** Audits that the overview shows. One that was never run is run, which takes up to seconds in a large fleet. */
const MAX_AUDITS = 10;
const STALE_TIME = 300_000;
const count = new Intl.NumberFormat();

/** The first audits of the project, with the number of devices that fail. */
export function AuditVerdicts() {
  const project_id = useProjectId();
  const { data, error, refetch } = useQuery({
    queryKey: ['audits', project_id, 'overview'],
    queryFn: async ({ signal }) => {
      const query = { project_id, fields: ['id' as const, 'name' as const], limit: MAX_AUDITS };
      const audits = await unwrap(api.GET('/v1/audits', { params: { query }, signal }));
      return audits.map(({ id = 0, name = '' }) => ({ id, name }));
    },
  });
  if (error && !data) return <ErrorState error={error} what="the audits" onRetry={() => void refetch()} />;
  if (!data) return <LoadingState what="the audits" />;
  if (data.length === 0)
    return (
      <EmptyState title="No audits">
        An audit says what the variables of devices must be. Create one on the page{' '}
        <RouteLink to="/audits">Audits</RouteLink>.
      </EmptyState>
    );
  return <Verdicts audits={data} />;
}

interface Props {
  readonly audits: readonly { readonly id: number; readonly name: string }[];
}

/** What is shown of a run. */
type Counts = Pick<PastRun, 'devices' | 'failed'> & {
  /** Absent if the run is not read from those of the past. */
  readonly created_at?: string;
};

/** Runs an audit that was never run. The service stores the run. */
const firstRunQuery = (id: number) =>
  queryOptions({
    queryKey: ['audits', id, 'first-run'],
    queryFn: async ({ signal, client }) => {
      const params = { path: { id }, query: { limit: 1 } };
      const { devices, failed } = await unwrap(api.POST('/v1/audits/{id}/run', { params, signal }));
      void readAgain(client, pastRunsQuery(id));
      return { devices, failed };
    },
    staleTime: Infinity,
    retry: false,
  });

/** The last run of each audit. Those that were never run are run one after the other: the service runs few at a time. */
function Verdicts({ audits }: Props) {
  const pastRuns = useQueries({
    queries: audits.map(({ id }) => ({ ...pastRunsQuery(id), staleTime: STALE_TIME })),
  });
  const neverRun = audits.filter((_, i) => pastRuns[i]?.data?.length === 0);
  const [finished, setFinished] = useState(0);
  const firstRuns = useQueries({
    queries: neverRun.map(({ id }, i) => ({ ...firstRunQuery(id), enabled: i <= finished })),
  });
  const done = firstRuns.filter(({ isPending }) => !isPending).length;
  if (done !== finished) setFinished(done);
  return (
    <dl className={classes.audits}>
      {audits.map((audit, i) => {
        const past = pastRuns[i];
        const first = firstRuns[neverRun.indexOf(audit)];
        return (
          <div key={audit.id} style={{ display: 'contents' }}>
            <dt>
              <ResourceLink kind="audit" id={audit.id} name={audit.name} />
            </dt>
            <dd>
              <Verdict
                run={past?.data?.[0] ?? first?.data}
                error={past?.error ?? first?.error ?? null}
                pending={first ? (first.isFetching ? 'running…' : 'not run yet') : 'reading…'}
              />
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

interface VerdictProps {
  readonly run: Counts | undefined;
  readonly error: Error | null;
  /** Shown without a run. */
  readonly pending: string;
}

function Verdict({ run, error, pending }: VerdictProps) {
  if (error && !run) return <>{error.message}</>;
  if (!run) return <>{pending}</>;
  const { devices, failed, created_at: time } = run;
  return (
    <>
      {failed === 0 ? (
        devices === 1 ? (
          '1 device passes'
        ) : (
          `all ${count.format(devices)} devices pass`
        )
      ) : (
        <span className={classes.failed}>
          {count.format(failed)} of {counted(devices, 'device')} {failed === 1 ? 'fails' : 'fail'}
        </span>
      )}
      {time !== undefined && (
        <Text size="xs" c="dimmed">
          <TimeStamp time={time} />
        </Text>
      )}
    </>
  );
}
