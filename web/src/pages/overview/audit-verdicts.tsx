import { useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { components } from '@muster/api-types';
import { api, unwrap } from '../../api/client';
import { useProjectId } from '../../app/use-project';
import { counted } from '../../components/counted';
import { ResourceLink, RouteLink } from '../../components/resource-link';
import { EmptyState, ErrorState, LoadingState } from '../../components/states';
import classes from './overview-page.module.css';

/** Audits that the overview runs: each takes up to seconds in a large fleet. */
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

/** Runs the audits one after the other: the service runs few at a time. */
function Verdicts({ audits }: Props) {
  const [finished, setFinished] = useState(0);
  const runs = useQueries({
    queries: audits.map(({ id }, i) => ({
      queryKey: ['audits', id, 'verdict'],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        unwrap(api.POST('/v1/audits/{id}/run', { params: { path: { id }, query: { limit: 1 } }, signal })),
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
  readonly run: components['schemas']['AuditResult'] | undefined;
  readonly error: Error | null;
}

function Verdict({ run, error }: VerdictProps) {
  if (error && !run) return <>{error.message}</>;
  if (!run) return <>running…</>;
  const { devices, failed } = run;
  if (failed === 0)
    return <>{devices === 1 ? '1 device passes' : `all ${count.format(devices)} devices pass`}</>;
  return (
    <span className={classes.failed}>
      {count.format(failed)} of {counted(devices, 'device')} {failed === 1 ? 'fails' : 'fail'}
    </span>
  );
}
