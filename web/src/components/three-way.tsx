import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { PlainRequest } from '../api/request';
import { Notice } from './notice';
import { ErrorAlert } from './states';
import { VariableValue } from './variable-value';

/** A value that may not be set. */
export type Side = { readonly value: unknown } | undefined;

/** What is needed to resolve a conflict with somebody else's change. */
export interface Conflict {
  /** When the editing began. Undefined: it was not set then, or it was not read. */
  readonly base: Side;
  readonly mine: Side;
  /** Reads the current value, and the request that replaces exactly that one. */
  readonly read: (signal: AbortSignal) => Promise<CurrentSide>;
}

interface CurrentSide {
  readonly theirs: Side;
  readonly request: PlainRequest;
  /** What is shown of both others, if only a part of many values is in conflict. */
  readonly base?: Side;
  readonly mine?: Side;
  /** The operations of a batch that are in conflict, counted from 0. */
  readonly inConflict?: readonly number[];
}

interface Props {
  readonly conflict: Conflict;
  readonly onReplace: (request: PlainRequest) => void;
  /** Called with the operations of a batch that are in conflict. */
  readonly onKeep: (inConflict: readonly number[]) => void;
}

/** The value before the editing, the one that somebody else wrote meanwhile, and the one to write. */
export function ThreeWay({ conflict, onReplace, onKeep }: Props) {
  const { data, error } = useQuery({
    queryKey: ['conflict', conflict.base, conflict.mine],
    queryFn: ({ signal }) => conflict.read(signal),
    gcTime: 0,
    staleTime: 0,
  });
  const { base, mine } = { ...conflict, ...data };
  return (
    <Notice kind="warning" title={base ? 'Changed by another user meanwhile' : 'It is already set'}>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, sm: base ? 3 : 2 }} spacing="sm">
          {base && <SideView title="When you began" side={base} />}
          {data ? <SideView title="Now" side={data.theirs} /> : <Text size="sm">Reading…</Text>}
          <SideView title="Yours" side={mine} />
        </SimpleGrid>
        {error && <ErrorAlert error={error} />}
        <Group gap="xs">
          <Button
            variant="default"
            disabled={!data}
            onClick={() => {
              onKeep(data?.inConflict ?? []);
            }}
          >
            Keep theirs
          </Button>
          <Button
            disabled={!data}
            onClick={() => {
              if (data) onReplace(data.request);
            }}
          >
            Replace with mine
          </Button>
        </Group>
      </Stack>
    </Notice>
  );
}

/** One of the values of a conflict. */
export const SideView = ({ title, side }: { readonly title: string; readonly side: Side }) => (
  <div>
    <Text size="xs" c="dimmed">
      {title}
    </Text>
    {side ? <VariableValue value={side.value} /> : <Text size="sm">not set</Text>}
  </div>
);
