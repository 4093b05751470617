import { Text, Textarea } from '@mantine/core';
import { ApiError } from '@muster/api-types';
import { useState } from 'react';
import { MAX_COMMENT_LENGTH, type Proposal, type ProposalPreview } from '../../api/proposals';
import { counted } from '../../components/counted';
import { ActionDialog, OutdatedDialog } from './action-dialog';
import { useProposalWrite } from './proposal-query';

interface Props {
  readonly proposal: Proposal;
  /** What the reviewer has seen: the review is about exactly this. */
  readonly preview: Pick<ProposalPreview, 'revision' | 'impact_digest' | 'impact'>;
  readonly verdict: 'approve' | 'reject';
  readonly onClose: () => void;
}

interface Review {
  readonly verdict: 'approve' | 'reject';
  readonly revision: number;
  readonly impact_digest: string | null;
  readonly note: string | null;
}

/** Whether the proposal is not the one that the reviewer has seen. */
const isOutdated = (error: Error | null): error is ApiError =>
  error instanceof ApiError && ['revision_changed', 'impact_changed'].includes(error.code);

/** Approves what a proposal does, or rejects it with a note. */
export function ReviewDialog({ proposal, preview, verdict, onClose }: Props) {
  const [note, setNote] = useState('');
  const review = useProposalWrite<Review>(proposal, 'POST', '/reviews', onClose);
  const isApproval = verdict === 'approve';
  const devices = preview.impact ? ` for ${counted(preview.impact.devices, 'device')}` : '';
  if (isOutdated(review.error))
    return (
      <OutdatedDialog title="It does something else now" onClose={onClose}>
        Your review was not stored: {review.error.message}
      </OutdatedDialog>
    );
  const verb = isApproval ? `Approve${devices}` : 'Reject';
  return (
    <ActionDialog
      title={isApproval ? 'Approve the proposal' : 'Reject the proposal'}
      verb={verb}
      isComplete={isApproval || note.trim() !== ''}
      isPending={review.isPending}
      error={review.error}
      onClose={onClose}
      onSubmit={() => {
        const { revision, impact_digest } = preview;
        review.mutate({ verdict, revision, impact_digest, note: note.trim() === '' ? null : note.trim() });
      }}
    >
      <Text size="sm">
        {isApproval
          ? `You approve what revision ${preview.revision} does now. If it would do something else later, the approval does not count.`
          : `${proposal.author.username} can amend it, and it can be reviewed again.`}
      </Text>
      <Textarea
        label="Note"
        data-autofocus
        autosize
        minRows={2}
        maxRows={10}
        maxLength={MAX_COMMENT_LENGTH}
        required={!isApproval}
        value={note}
        onChange={(event) => {
          setNote(event.currentTarget.value);
        }}
      />
    </ActionDialog>
  );
}
