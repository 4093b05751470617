import { Group, Loader, Text } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { useState } from 'react';

/** While an audit runs: for how long, because large fleets take seconds. */
export function Running() {
  const [seconds, setSeconds] = useState(0);
  useInterval(
    () => {
      setSeconds((former) => former + 1);
    },
    1_000,
    { autoInvoke: true },
  );
  return (
    <Group gap="xs" wrap="nowrap">
      <Loader size="xs" aria-hidden />
      <Text size="sm" c="dimmed" role="status">
        Running…
      </Text>
      <Text size="sm" c="dimmed" aria-hidden>
        {seconds} s
      </Text>
    </Group>
  );
}
