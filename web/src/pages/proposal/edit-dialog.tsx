import { Textarea, TextInput } from '@mantine/core';
import { MAX_COMMENT_LENGTH, MAX_TITLE_LENGTH, type Proposal } from '../../api/proposals';
import { MAX_REASON_LENGTH } from '../../components/change-reason';
import { useFields } from '../../components/use-fields';
import { ActionDialog } from './action-dialog';
import { useProposalWrite } from './proposal-query';

interface Props {
  readonly proposal: Proposal;
  readonly onClose: () => void;
}

/** Changes the texts of a proposal, which leaves its reviews as they are. */
export function EditDialog({ proposal, onClose }: Props) {
  const [fields, set] = useFields({
    title: proposal.title,
    description: proposal.description ?? '',
    reason: proposal.reason ?? '',
  });
  const edit = useProposalWrite<Partial<Pick<Proposal, 'title' | 'description' | 'reason'>>>(
    proposal,
    'PUT',
    '',
    onClose,
  );
  const orNull = (text: string) => (text.trim() === '' ? null : text.trim());
  return (
    <ActionDialog
      title="Edit the text of the proposal"
      verb="Save"
      size="lg"
      isComplete={fields.title.trim() !== ''}
      isPending={edit.isPending}
      error={edit.error}
      onClose={onClose}
      onSubmit={() => {
        const { title, description, reason } = fields;
        edit.mutate({
          title: title.trim(),
          description: orNull(description),
          // The reason may be bound to the approvals, so it is only sent if it is another one.
          ...(orNull(reason) === proposal.reason ? {} : { reason: orNull(reason) }),
        });
      }}
    >
      <TextInput
        label="Title"
        required
        data-autofocus
        maxLength={MAX_TITLE_LENGTH}
        value={fields.title}
        onChange={(event) => {
          set({ title: event.currentTarget.value });
        }}
      />
      <Textarea
        label="Description"
        description="What reviewers should know."
        autosize
        minRows={3}
        maxRows={16}
        maxLength={MAX_COMMENT_LENGTH}
        value={fields.description}
        onChange={(event) => {
          set({ description: event.currentTarget.value });
        }}
      />
      <TextInput
        label="Reason"
        description="Stored with the change once the proposal is applied."
        maxLength={MAX_REASON_LENGTH}
        value={fields.reason}
        onChange={(event) => {
          set({ reason: event.currentTarget.value });
        }}
      />
    </ActionDialog>
  );
}
