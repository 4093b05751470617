import { Text } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { components } from '@muster/api-types';
import { api, unwrap } from '../../api/client';
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
type Counts = Pick<components['schemas']['PastRun'], 'devices' | 'failed'> & {
  /** Absent if it was run now. */
  readonly created_at?: string;
};

/** The counts of the last run of an audit. */
async function lastRun(id: number, signal: AbortSignal): Promise<Counts> {
  const path = { id };
  const { items } = await unwrap(api.GET('/v1/audits/{id}/runs', { params: { path }, signal }));
  return (
    items[0] ?? unwrap(api.POST('/v1/audits/{id}/run', { params: { path, query: { limit: 1 } }, signal }))
  );
}

/** Reads the last runs one after the other: the service runs few audits at a time. */
function Verdicts({ audits }: Props) {
  const [finished, setFinished] = useState(0);
  const runs = useQueries({
    queries: audits.map(({ id }, i) => ({
      queryKey: ['audits', id, 'verdict'],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => lastRun(id, signal),
      enabled: i <= finished,
      staleTime: STALE_TIME,
      retry: false,
    })),
  });
  const done = runs.filter(({ isPending }) => !isPending).length;
  if (done !== finished) setFinished(done);
  return (
    <dl className={classes.audits}>
      {audits.map(({ id, name }, i) => (
        <div key={id} style={{ display: 'contents' }}>
          <dt>
            <ResourceLink kind="audit" id={id} name={name} />
          </dt>
          <dd>
            <Verdict run={runs[i]?.data} error={runs[i]?.error ?? null} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface VerdictProps {
  readonly run: Counts | undefined;
  readonly error: Error | null;
}

function Verdict({ run, error }: VerdictProps) {
  if (error && !run) return <>{error.message}</>;
  if (!run) return <>running…</>;
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
