import { Code, Group, Text } from '@mantine/core';
import type { components } from '@muster/api-types';
import { ChangeLink } from '../../components/change-link';
import { Notice } from '../../components/notice';
import { ProposalLink } from '../../components/proposal-link';
import { RouteLink } from '../../components/resource-link';
import { TimeStamp } from '../../components/time-stamp';

interface LinksProps {
  readonly verb: string;
  readonly ids: readonly number[];
}

const ChangeLinks = ({ verb, ids }: LinksProps) =>
  ids.length > 0 && (
    <Group gap="xs">
      <Text size="sm">{verb}</Text>
      {ids.map((id) => (
        <ChangeLink key={id} id={id}>
          Change {id}
        </ChangeLink>
      ))}
    </Group>
  );

interface Props {
  readonly change: components['schemas']['ChangeRecord'];
}

/** Who made a change, when and why. */
export const ChangeMembers = ({
  change: { created_at, actor, reason, request_id, proposal, override, reverts, reverted_by },
}: Props) => (
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
    <ChangeLinks verb="Reverts" ids={reverts} />
    <ChangeLinks verb="Reverted by" ids={reverted_by} />
    {proposal && (
      <Text size="sm">
        <ProposalLink id={proposal.id}>Proposal {proposal.id}</ProposalLink> by {proposal.author.username},
        revision {proposal.revision}, approved by{' '}
        {new Intl.ListFormat('en').format(proposal.approvers.map(({ username }) => username))}
      </Text>
    )}
    {override !== null && (
      <Notice kind="warning" title="Overrides the rules for approvals">
        {override}
      </Notice>
    )}
  </>
);
