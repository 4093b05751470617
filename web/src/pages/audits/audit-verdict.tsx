import { Button, Group, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { newRunQuery, pastRunsQuery, type Audit } from '../../api/audits';
import { LastRun } from './last-run';
import { Running } from './running';

/** The verdict of the last run of an audit in the list. */
export function AuditVerdict({ id, name }: Pick<Audit, 'id' | 'name'>) {
  const { data, error, isFetching, refetch } = useInfiniteQuery({ ...newRunQuery(id), enabled: false });
  const { data: [last] = [] } = useQuery(pastRunsQuery(id));
  if (isFetching) return <Running />;
  const action = data || last || error ? 'Run again' : 'Run';
  return (
    <Group gap="xs">
      {last && <LastRun run={last} />}
      {error && (
        <Text span size="sm" c="var(--removed)">
          {error.message}
        </Text>
      )}
      <Button
        variant="default"
        size="compact-sm"
        aria-label={`${action} ${name}`}
        onClick={() => void refetch({ cancelRefetch: false })}
      >
        {action}
      </Button>
    </Group>
  );
}
