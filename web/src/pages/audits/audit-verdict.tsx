import { Button, Group, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { newRunQuery, pastRunsQuery, type Audit } from '../../api/audits';
import { TimeStamp } from '../../components/time-stamp';
import { Running } from './running';
import { Verdict } from './verdict';

/** The verdict of the last run of an audit in the list, in one line. */
export function AuditVerdict({ id, name }: Pick<Audit, 'id' | 'name'>) {
  const { data, error, isFetching, refetch } = useInfiniteQuery({ ...newRunQuery(id), enabled: false });
  const { data: [last] = [] } = useQuery(pastRunsQuery(id));
  if (isFetching) return <Running />;
  const action = data || last || error ? 'Run again' : 'Run';
  return (
    <Group gap="xs" wrap={error ? 'wrap' : 'nowrap'}>
      {last && <Verdict {...last} />}
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

/** When an audit in the list was run last. Its page says by whom. */
export function LastRunOf({ id }: Pick<Audit, 'id'>) {
  const { data: [last] = [] } = useQuery(pastRunsQuery(id));
  return last ? <TimeStamp time={last.created_at} /> : 'never';
}
