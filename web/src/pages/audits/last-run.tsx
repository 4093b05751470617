import { Group, Text } from '@mantine/core';
import { TimeStamp } from '../../components/time-stamp';
import type { PastRun } from '../../api/audits';
import { Verdict } from './verdict';

/** The outcome of the last run that is stored, with its time and its user. */
export const LastRun = ({ run }: { readonly run: PastRun }) => (
  <Group gap="xs">
    <Verdict {...run} />
    <Text span size="sm" c="dimmed">
      <RunOrigin run={run} />
    </Text>
  </Group>
);

/** When it was, and by whom. */
export const RunOrigin = ({ run }: { readonly run: PastRun }) => (
  <>
    <TimeStamp time={run.created_at} />
    {run.username !== null && `, by ${run.username}`}
  </>
);
