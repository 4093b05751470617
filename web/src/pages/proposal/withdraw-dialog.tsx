import { Text } from '@mantine/core';
import type { Proposal } from '../../api/proposals';
import { ActionDialog } from './action-dialog';
import { useProposalWrite } from './proposal-query';

interface Props {
  readonly proposal: Proposal;
  readonly onClose: () => void;
}

/** Withdraws a proposal, which is final. */
export function WithdrawDialog({ proposal, onClose }: Props) {
  const withdraw = useProposalWrite<object>(proposal, 'POST', '/withdraw', onClose);
  return (
    <ActionDialog
      title="Withdraw the proposal"
      verb="Withdraw"
      isPending={withdraw.isPending}
      error={withdraw.error}
      onClose={onClose}
      onSubmit={() => {
        withdraw.mutate({});
      }}
    >
      <Text size="sm">It stays readable, but cannot be approved or applied any more.</Text>
    </ActionDialog>
  );
}
