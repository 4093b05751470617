import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import { useProjectId } from '../../app/use-project';
import { ChangeLink } from '../../components/change-link';
import { ChangeSummary, SUMMARY_FIELDS, summarizeChange } from '../../components/change-summary';
import { RouteLink } from '../../components/resource-link';
import { EmptyState, ErrorState, LoadingState } from '../../components/states';
import { TimeStamp } from '../../components/time-stamp';
import classes from './overview-page.module.css';

const MAX_CHANGES = 10;
/** How often (ms) the overview looks for new changes while it is visible. */
const INTERVAL = 30_000;

/** The newest changes. */
export function RecentChanges() {
  const project_id = useProjectId();
  const { data, error, refetch } = useQuery({
    queryKey: ['changes', project_id, 'recent'],
    queryFn: async ({ signal }) => {
      const fields = [...SUMMARY_FIELDS];
      const query = { project_id, fields, sort_dir: 'desc' as const, limit: MAX_CHANGES };
      return (await unwrap(api.GET('/v1/changes', { params: { query }, signal }))).map(summarizeChange);
    },
    refetchInterval: INTERVAL,
  });
  if (error && !data) return <ErrorState error={error} what="the changes" onRetry={() => void refetch()} />;
  if (!data) return <LoadingState what="the changes" />;
  if (data.length === 0)
    return <EmptyState title="No changes yet">Every write is recorded, and will be listed here.</EmptyState>;
  return (
    <>
      <ol className={classes.changes} aria-label="Recent changes, newest first">
        {data.map((change) => (
          <li key={change.id}>
            <ChangeLink id={change.id}>
              <TimeStamp time={change.created_at} />
            </ChangeLink>{' '}
            {change.username}
            <div>
              <ChangeSummary change={change} />
            </div>
            {change.reason !== null && <div className={classes.reason}>{change.reason}</div>}
          </li>
        ))}
      </ol>
      <Group gap="md">
        <RouteLink to="/changes" size="sm">
          All changes
        </RouteLink>
        <RouteLink to="/changes/between" size="sm">
          Between two moments
        </RouteLink>
      </Group>
    </>
  );
}
