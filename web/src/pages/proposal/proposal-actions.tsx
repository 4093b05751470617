import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { isUndecided, type Proposal, type ProposalPreview } from '../../api/proposals';
import { counted } from '../../components/counted';
import { lazyDialog } from '../../components/lazy-component';

// Only who decides needs them.
const AmendDialog = lazyDialog(() => import('./amend-dialog').then(({ AmendDialog: dialog }) => dialog));
const ApplyDialog = lazyDialog(() => import('./apply-dialog').then(({ ApplyDialog: dialog }) => dialog));
const EditDialog = lazyDialog(() => import('./edit-dialog').then(({ EditDialog: dialog }) => dialog));
const ReviewDialog = lazyDialog(() => import('./review-dialog').then(({ ReviewDialog: dialog }) => dialog));
const WithdrawDialog = lazyDialog(() =>
  import('./withdraw-dialog').then(({ WithdrawDialog: dialog }) => dialog),
);

interface Props {
  readonly proposal: Proposal;
  /** Undefined until it is computed. */
  readonly preview: ProposalPreview | undefined;
  readonly isAuthor: boolean;
  readonly isAdmin: boolean;
  /** Whether the user approves what it does now. */
  readonly hasApproved: boolean;
}

type Action = 'approve' | 'reject' | 'apply' | 'amend' | 'edit' | 'withdraw';

/** What the user can do with a proposal. */
export function ProposalActions({ proposal, preview, isAuthor, isAdmin, hasApproved }: Props) {
  // A dialog shows what was seen when it was opened: a review of anything else is rejected.
  const [open, setOpen] = useState<{ readonly action: Action; readonly seen: ProposalPreview | undefined }>();
  const close = () => {
    setOpen(undefined);
  };
  const start = (action: Action) => () => {
    setOpen({ action, seen: preview });
  };
  const isOpen = isUndecided(proposal);
  const impact = preview?.impact;
  const devices = impact ? ` for ${counted(impact.devices, 'device')}` : '';
  const canApprove = preview?.may.approve === true;
  // What cannot be applied can be rejected. The service decides whether the user has the roles.
  const canReject = preview !== undefined && (canApprove || !preview.applicable);
  const canApply = preview !== undefined && preview.may.apply && preview.applicable;
  return (
    <Group gap="xs">
      {isOpen && !isAuthor && (
        <>
          {!hasApproved && (
            <Button
              disabled={!canApprove}
              variant={canApply ? 'default' : 'filled'}
              onClick={start('approve')}
            >
              Approve{devices}
            </Button>
          )}
          <Button variant="default" disabled={!canReject} onClick={start('reject')}>
            Reject…
          </Button>
        </>
      )}
      {isOpen && (
        <Button disabled={!canApply} variant={canApply ? 'filled' : 'default'} onClick={start('apply')}>
          Apply
        </Button>
      )}
      {isOpen && isAuthor && (
        <>
          <Button variant="default" onClick={start('amend')}>
            Amend…
          </Button>
          <Button variant="default" onClick={start('edit')}>
            Edit the text…
          </Button>
        </>
      )}
      {isOpen && (isAuthor || isAdmin) && (
        <Button variant="default" onClick={start('withdraw')}>
          Withdraw…
        </Button>
      )}
      {open?.seen && (open.action === 'approve' || open.action === 'reject') && (
        <ReviewDialog proposal={proposal} preview={open.seen} verdict={open.action} onClose={close} />
      )}
      {open?.seen && open.action === 'apply' && (
        <ApplyDialog proposal={proposal} preview={open.seen} onClose={close} />
      )}
      {open?.action === 'amend' && <AmendDialog proposal={proposal} onClose={close} />}
      {open?.action === 'edit' && <EditDialog proposal={proposal} onClose={close} />}
      {open?.action === 'withdraw' && <WithdrawDialog proposal={proposal} onClose={close} />}
    </Group>
  );
}
