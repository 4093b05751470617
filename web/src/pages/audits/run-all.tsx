import { Button, Group, Progress, Text } from '@mantine/core';
import { PlayIcon } from '@radix-ui/react-icons';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { newRunQuery, type Audit } from '../../api/audits';

/** Runs the audits one after the other: a process of the service runs two at a time. */
export function RunAll({ audits }: { readonly audits: readonly Audit[] }) {
  const [done, setDone] = useState(0);
  const queryClient = useQueryClient();
  const run = useMutation({
    mutationFn: async () => {
      for (const [index, { id }] of audits.entries()) {
        setDone(index);
        // The row of the audit shows its error.
        await queryClient.infiniteQuery({ ...newRunQuery(id), staleTime: 0 }).catch(() => undefined);
      }
    },
  });
  if (audits.length === 0) return null;
  return (
    <>
      <Button
        variant="default"
        leftSection={<PlayIcon aria-hidden />}
        loading={run.isPending}
        onClick={() => {
          run.mutate();
        }}
      >
        Run all
      </Button>
      {run.isPending && (
        <Group gap="xs" wrap="nowrap">
          <Progress w={120} value={(100 * done) / audits.length} aria-label="Audits that were run" />
          <Text size="sm" c="dimmed">
            {done} of {audits.length}
          </Text>
        </Group>
      )}
    </>
  );
}
