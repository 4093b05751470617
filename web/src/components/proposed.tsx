import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ProposalReference } from '../api/proposals';
import { ProposalLink } from './proposal-link';

interface Props {
  readonly proposal: ProposalReference;
  readonly onClose: () => void;
}

/** The dialog after a write was proposed, with the link to the proposal. */
export const Proposed = ({ proposal: { id, title }, onClose }: Props) => (
  <Modal opened onClose={onClose} title="Proposed" centered>
    <Stack gap="md">
      <Text size="sm" role="status">
        Nothing is changed yet. Others see what it would do, and approve it:
      </Text>
      <ProposalLink id={id} data-autofocus>
        Proposal {id}: {title}
      </ProposalLink>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </Group>
    </Stack>
  </Modal>
);
