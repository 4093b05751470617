import { Button, Group, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { runQuery, type Audit } from './audit-query';
import { Running } from './running';
import { Verdict } from './verdict';

/** The verdict of an audit in the list, once it was run. */
export function AuditVerdict({ id, name }: Pick<Audit, 'id' | 'name'>) {
  const { data, error, isFetching, refetch } = useInfiniteQuery({ ...runQuery(id), enabled: false });
  if (isFetching) return <Running />;
  const [first] = data?.pages ?? [];
  const action = first || error ? 'Run again' : 'Run';
  return (
    <Group gap="xs">
      {first && <Verdict {...first} />}
      {error && (
        <Text span size="sm" c="var(--removed)">
          {error.message}
        </Text>
      )}
      <Button
        variant="default"
        size="compact-xs"
        aria-label={`${action} ${name}`}
        onClick={() => void refetch({ cancelRefetch: false })}
      >
        {action}
      </Button>
    </Group>
  );
}
