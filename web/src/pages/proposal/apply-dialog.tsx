import { Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { differenceIn, PROPOSALS, type Proposal, type ProposalPreview } from '../../api/proposals';
import { readAgain } from '../../api/read-again';
import { send } from '../../api/request';
import { counted } from '../../components/counted';
import { useDoneToast } from '../../components/done-toast';
import { PreviewedWrite } from '../../components/previewed-write';
import { refreshInventory } from '../../components/refresh-inventory';
import { ActionDialog, OutdatedDialog } from './action-dialog';
import { Difference } from './difference';

interface Props {
  readonly proposal: Proposal;
  readonly preview: Pick<ProposalPreview, 'impact'>;
  readonly onClose: () => void;
}

/** Applies an approved proposal. If it would now do something else, the dialog shows what is different. */
export function ApplyDialog({ proposal, preview, onClose }: Props) {
  const { id, title, reason } = proposal;
  const queryClient = useQueryClient();
  const showDone = useDoneToast((props) => <PreviewedWrite {...props} />);
  const apply = useMutation({
    mutationFn: () => send({ method: 'POST', path: `/v1/proposals/${id}/apply` }),
    onSuccess: async ({ response }) => {
      await refreshInventory(queryClient);
      showDone({ title, response });
    },
    onError: () => readAgain(queryClient, { queryKey: [PROPOSALS] }),
  });
  const difference = differenceIn(apply.error);
  if (difference)
    return (
      <OutdatedDialog
        title="It would do something else now"
        difference={<Difference difference={difference} />}
        onClose={onClose}
      >
        Nothing was changed. This is different from what was approved, so it has to be approved again.
      </OutdatedDialog>
    );
  const devices = counted(preview.impact?.devices ?? 0, 'device');
  return (
    <ActionDialog
      title="Apply the proposal"
      verb={`Apply for ${devices}`}
      isPending={apply.isPending}
      error={apply.error}
      onClose={onClose}
      onSubmit={() => {
        // Not called if it was closed before: another dialog may be open in its place.
        apply.mutate(undefined, { onSuccess: onClose });
      }}
    >
      <Text size="sm">
        It is one change by you, with {reason === null ? 'no reason' : `the reason “${reason}”`}, and can be
        reverted as one.
      </Text>
    </ActionDialog>
  );
}
