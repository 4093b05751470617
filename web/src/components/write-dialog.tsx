import { Modal, Stack, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useContext, useEffect, useEffectEvent, useRef, useState } from 'react';
import { ApiError } from '@muster/api-types';
import { isStatus } from '../api/errors';
import { mayHaveBeenDone } from '../api/idempotency';
import { canBeProposed } from '../api/proposable';
import { MAX_TITLE_LENGTH, proposalIn, PROPOSALS } from '../api/proposals';
import { PREVIEW } from '../api/query-keys';
import { readAgain } from '../api/read-again';
import { send, type PlainRequest } from '../api/request';
import { beginningOf } from './beginning-of';
import { useDoneToast } from './done-toast';
import { itemFaultsOf } from './item-faults';
import { lostResponse, LostResponseNotice } from './lost-response';
import { Notice } from './notice';
import type { PlannedWrite, WriteDialogProps } from './planned-write';
import { Proposed } from './proposed';
import { MAX_REASON_LENGTH, reasonText } from './change-reason';
import { isRevert } from './plan-revert';
import { deletedPath, refreshInventory } from './refresh-inventory';
import { ShowDialog } from './show-dialog';
import { ThreeWay } from './three-way';
import { UploadStatus } from './upload-status';
import { useUnsaved } from './unsaved';
import { SUBMIT, WriteActions } from './write-actions';
import { WriteCommands } from './write-commands';
import { WriteError } from './write-error';
import { IntentFields, type Intent } from './write-intent';
import { usePreview, WritePreview } from './write-preview';
import { commandOptions, REASON_HEADER, withHeaders } from './write-headers';
import { useWriteRequest } from './write-request';
import { WrittenResources } from './written-resources';

/** Longer requests are not shown as commands. */
const MAX_COMMAND_LENGTH = 20_000;

/** Asks only about what is typed in the preview: what is previewed stays behind it. */
const CLOSE_PREVIEW_QUESTION = 'Close the preview, and discard what you have entered in it?';

/**
 * The dialog before every write: which devices would change and how, the reason, and the commands that do the same. It
 * sends the write as a dry run first, so errors appear before anything is changed. The write is done, or proposed.
 */
export function WriteDialog({
  write,
  onClose,
  onWritten,
  onApplied,
  onKeepTheirs,
  onFaults,
  onDetails,
  onCorrect,
  onProposed,
}: WriteDialogProps) {
  const { request, conflict, replace, error: prepareError } = useWriteRequest(write);
  // What is typed follows a reason that is there already as a new word.
  const initialReason = write.reason === undefined ? '' : `${write.reason} `;
  const [reason, setReason] = useState(initialReason);
  const [title, setTitle] = useState(beginningOf(write.title, MAX_TITLE_LENGTH));
  const [why, setWhy] = useState('');
  const [chosen, setChosen] = useState<Intent>();
  // A write that this one needs first.
  const [before, setBefore] = useState<PlannedWrite>();
  // Once it is written, while the page is being read again: ends the dialog.
  const [finish, setFinish] = useState<() => void>();
  const queryClient = useQueryClient();
  const unsaved = useUnsaved();
  const showDone = useDoneToast((props) => <WriteDialog {...props} />);
  const showDialog = useContext(ShowDialog);
  const isOpen = useRef(false);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  const apply = useMutation({
    mutationFn: (applied: PlainRequest) => send(applied),
    // The response may contain a secret.
    gcTime: 0,
    // After the write, its preview would be a conflict. If it fails, something may have changed since the last preview.
    onMutate: () => queryClient.cancelQueries({ queryKey: [PREVIEW] }),
    onError: (error) =>
      mayHaveBeenDone(error)
        ? undefined
        : queryClient.refetchQueries({ queryKey: [PREVIEW], type: 'active' }),
    onSuccess: async ({ body, response }, applied) => {
      unsaved.forget();
      let isFinished = false;
      const finishOnce = () => {
        if (isFinished) return;
        isFinished = true;
        const wasOpen = isOpen.current;
        // If it was closed meanwhile, another one may be open in its place.
        if (wasOpen) onClose();
        onWritten?.();
        // Nor is anything else closed then, which may have other content now; but a secret must not be lost.
        if (wasOpen || write.hasSecretResponse === true) onApplied?.(body, response);
        showDone({ title: write.title, response, isRevert: isRevert(applied) });
      };
      setFinish(() => finishOnce);
      const deleted = deletedPath(applied);
      // The page of what was deleted is left at once. A secret must not be lost if a read does not end.
      if (deleted !== undefined || write.hasSecretResponse === true) finishOnce();
      await refreshInventory(queryClient, deleted);
      // Not before what is shown has the new versions: else the next edit of it would conflict with this write.
      finishOnce();
    },
  });
  const propose = useMutation({
    mutationFn: async (proposed: PlainRequest) => proposalIn((await send(proposed)).body),
    onSuccess: async (proposal) => {
      unsaved.forget();
      await readAgain(queryClient, { queryKey: [PROPOSALS] });
      if (isOpen.current) {
        onClose();
        onProposed?.();
      }
      showDialog(
        <Proposed
          proposal={proposal}
          onClose={() => {
            showDialog(undefined);
          }}
        />,
      );
    },
  });

  // What is typed stays when the intent changes, but an override is only sent by an override.
  const reasons = { reason: reasonText(reason), override: chosen === 'override' ? reasonText(why) : '' };
  const preview = usePreview(request);
  const [first] = preview.data?.pages ?? [];
  const refusal = first?.refusal;
  const isProposable = request !== undefined && canBeProposed(request);
  const intent = chosen ?? (refusal ? 'propose' : 'apply');

  const error = propose.error ?? apply.error ?? prepareError ?? preview.error;
  const reasonError = error instanceof ApiError ? error.detail(REASON_HEADER) : undefined;
  const lost = lostResponse(request, propose.error ?? apply.error, preview.error);
  const { isLost } = lost;
  // For a session that has ended, the frame asks to sign in again.
  const hasMessage = error !== null && !isStatus(error, 401) && !isLost;
  const isConflict = isStatus(error, 412) && conflict !== undefined && !isLost;
  // Those for a file would not contain it.
  const { body = '' } = request ?? {};
  const hasCommands =
    typeof body === 'string' ? body.length <= MAX_COMMAND_LENGTH : write.command !== undefined;
  const outgoing = request && {
    ...withHeaders(request, reasons),
    ...(intent === 'propose' ? { query: { ...request.query, propose: title.trim() } } : {}),
  };
  const isSending = apply.isPending || propose.isPending;
  const isComplete = {
    apply: (first !== undefined || isLost) && !refusal,
    propose: first !== undefined && title.trim() !== '',
    override: first !== undefined && why.trim() !== '',
  }[intent];
  // A command would be rejected, too. While the preview is computed, nothing is known.
  const isRejected =
    preview.isError ||
    (first !== undefined && (!isComplete || (first.reason_rejected !== undefined && reasons.reason === '')));
  const reportFaults = useEffectEvent((reported: unknown) => {
    onFaults?.(itemFaultsOf(reported));
    onDetails?.(reported instanceof ApiError ? reported.details : []);
  });
  useEffect(() => {
    reportFaults(error);
  }, [error]);
  const closeUnwritten = () => {
    onClose();
    // Shows whether it was written.
    if (isLost) void refreshInventory(queryClient);
  };
  const close = finish ?? closeUnwritten;
  const forget = () => {
    apply.reset();
    propose.reset();
  };

  return (
    // Escape closes the dialog on top only. While the page is older than the write, only a button does.
    <Modal
      opened
      onClose={() => {
        // What was sent cannot be discarded any more.
        if (isSending || isLost || unsaved.mayDiscard(CLOSE_PREVIEW_QUESTION)) close();
      }}
      title={write.title}
      size="72rem"
      centered
      closeOnEscape={before === undefined && !finish}
      closeOnClickOutside={!finish}
    >
      <form
        {...unsaved.entering}
        onSubmit={(event) => {
          event.preventDefault();
          if (!outgoing || !isComplete || isSending || isConflict) return;
          if (intent === 'propose') propose.mutate(outgoing);
          else apply.mutate(outgoing);
        }}
      >
        <Stack gap="md">
          <Textarea
            label="Reason"
            description={
              first?.reason_rejected
                ? `${capitalized(first.reason_rejected.message)}.`
                : 'Stored with the change, and shown wherever the value is.'
            }
            autosize
            minRows={1}
            maxRows={4}
            maxLength={MAX_REASON_LENGTH}
            data-autofocus
            value={reason}
            readOnly={isSending || isConflict}
            error={reasonError !== undefined && `${capitalized(reasonError)}.`}
            onChange={(event) => {
              setReason(event.currentTarget.value);
              forget();
            }}
          />
          {isConflict ? (
            <ThreeWay
              conflict={conflict}
              onReplace={(next) => {
                forget();
                replace(next);
              }}
              onKeep={(inConflict) => {
                onClose();
                onKeepTheirs?.(inConflict);
                // Shows theirs. What is edited next is based on it.
                void refreshInventory(queryClient);
              }}
            />
          ) : (
            reasonError === undefined &&
            hasMessage && (
              <WriteError
                error={error}
                write={write}
                onCreate={setBefore}
                // What is typed meanwhile goes into the reason.
                takesFocus={apply.isError || reason === initialReason}
                onCorrect={
                  onCorrect &&
                  ((fault) => {
                    onClose();
                    onCorrect(fault);
                  })
                }
              />
            )
          )}
          <LostResponseNotice {...lost} verb={SUBMIT[intent]} hasSecret={write.hasSecretResponse === true} />
          {refusal && (
            <Notice
              kind="warning"
              title={refusal.isRule ? 'This needs an approval' : 'You may only propose this'}
            >
              {capitalized(refusal.message)}
            </Notice>
          )}
          <IntentFields
            intent={intent}
            isChosen={chosen !== undefined}
            title={title}
            onTitle={(text) => {
              setTitle(text);
              forget();
            }}
            why={why}
            onWhy={(text) => {
              setWhy(text);
              forget();
            }}
          />
          <WriteActions
            intent={intent}
            onChoose={setChosen}
            refusal={refusal}
            isProposable={isProposable}
            isPreviewed={first !== undefined}
            canSubmit={isComplete && !isConflict}
            isConflict={isConflict}
            isSending={isSending}
            isFinished={finish !== undefined}
            onClose={close}
          />
          {request?.body instanceof Blob && <UploadStatus file={request.body} />}
          {write.resources && <WrittenResources resources={write.resources} />}
          <WritePreview
            request={request}
            data={preview.data}
            isPending={preview.isPending && !prepareError}
            hasNextPage={preview.hasNextPage}
            fetchNextPage={preview.fetchNextPage}
            isFetchingNextPage={preview.isFetchingNextPage}
          />
          {write.extraPreview}
          {outgoing && hasCommands && !isRejected && (
            <WriteCommands
              command={write.command}
              options={commandOptions(reasons, intent === 'propose' ? title.trim() : '')}
              request={{ ...outgoing, ...(write.shownBody === undefined ? {} : { body: write.shownBody }) }}
            />
          )}
        </Stack>
      </form>
      {before && (
        <WriteDialog
          write={before}
          onClose={() => {
            setBefore(undefined);
          }}
          onWritten={() => {
            forget();
            void queryClient.refetchQueries({ queryKey: [PREVIEW, request] });
          }}
          // This one has to wait for the approval.
          onProposed={onClose}
        />
      )}
    </Modal>
  );
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
