import { Code, Group, Text } from '@mantine/core';
import type { components } from '@muster/api-types';
import { RouteLink } from '../../components/resource-link';
import { TimeStamp } from '../../components/time-stamp';

interface Props {
  readonly change: components['schemas']['ChangeRecord'];
}

/** Who made a change, when and why. */
export const ChangeMembers = ({ change: { created_at, actor, reason, request_id } }: Props) => (
  <>
    <Group gap="xs">
      <TimeStamp time={created_at} />
      <RouteLink to="/changes" search={{ actor: actor.username }} size="sm" fw={600}>
        {actor.username}
      </RouteLink>
      <Text span size="xs" c="dimmed">
        Request id <Code>{request_id}</Code>
      </Text>
    </Group>
    <Text size="sm">{reason ?? 'No reason was given.'}</Text>
  </>
);
