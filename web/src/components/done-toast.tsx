import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { QueryClientProvider, useQueryClient } from '@tanstack/react-query';
import { RouterContextProvider, useRouter } from '@tanstack/react-router';
import { useContext, useState, type ReactNode } from 'react';
import { ResourceProjectId } from '../app/use-project';
import { ChangeLink } from './change-link';
import { useChangeOfRequest } from './use-change-of-request';
import { forgetWrite, rememberWrite } from './undoable-writes';
import { planRevert } from './plan-revert';
import type { WriteDialogProps } from './planned-write';

/** How long (ms) a change can be undone in the message about it, unless the message has got the focus. */
const UNDO_TIME = 15_000;

/** More messages leave the page too little room: the oldest is closed. */
const MAX_MESSAGES = 3;

/** The ids of the last messages. Some may be closed. */
const messages: string[] = [];

/** A write that is done. */
interface DoneWrite {
  /** `Set ntp_servers on web-1`. */
  readonly title: string;
  /** The response to the request that did it. */
  readonly response: Response;
  /** Whether it reverts another change: then Ctrl-Z does not undo it. */
  readonly isRevert?: boolean;
}

/** The dialog before every write. */
type Dialog = (props: WriteDialogProps) => ReactNode;

/**
 * Returns a function that shows that a write is done, with the way to undo it.
 * @param dialog what undoing opens: it is given, because the dialog itself shows these messages
 */
export function useDoneToast(dialog: Dialog): (write: DoneWrite) => void {
  const queryClient = useQueryClient();
  const router = useRouter();
  const project = useContext(ResourceProjectId);
  return ({ title, response, isRevert = false }) => {
    const requestId = response.headers.get('x-request-id');
    if (requestId !== null && !isRevert) rememberWrite({ title, requestId, project });
    const show = (autoClose: number | false) => ({
      autoClose,
      // Messages are no children of the page, and outlive it.
      message: (
        <QueryClientProvider client={queryClient}>
          <RouterContextProvider router={router}>
            <ResourceProjectId value={project}>
              <Done
                title={title}
                isRepeated={response.headers.get('idempotency-replayed') === 'true'}
                dialog={dialog}
                requestId={requestId}
                onStay={() => {
                  notifications.update({ id, ...show(false) });
                }}
                onClose={() => {
                  notifications.hide(id);
                }}
              />
            </ResourceProjectId>
          </RouterContextProvider>
        </QueryClientProvider>
      ),
    });
    const id = notifications.show({ ...(requestId !== null && { id: requestId }), ...show(UNDO_TIME) });
    messages.push(id);
    if (messages.length > MAX_MESSAGES) notifications.hide(messages.shift() ?? '');
  };
}

interface Props extends Pick<DoneWrite, 'title'> {
  /** Whether it was done by an earlier request, whose response did not arrive. */
  readonly isRepeated: boolean;
  readonly dialog: Dialog;
  readonly requestId: string | null;
  /** Called when the message must not close by itself. */
  readonly onStay: () => void;
  readonly onClose: () => void;
}

/** What was done. If it is a change of the inventory, and the user may see it: a link to it, and the way to undo it. */
function Done({ title, isRepeated, dialog, requestId, onStay, onClose }: Props) {
  const [isUndoing, setUndoing] = useState(false);
  const change = useChangeOfRequest(requestId);
  return (
    <Group gap="xs" onFocus={onStay}>
      <span>
        {isRepeated ? 'Done at the first attempt' : 'Done'}: {title}
      </span>
      {change && (
        <>
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => {
              onStay();
              setUndoing(true);
            }}
          >
            Undo…
          </Button>
          <ChangeLink id={change.id}>Change {change.id}</ChangeLink>
          {isUndoing &&
            dialog({
              write: planRevert(change.id, change.reason ?? title),
              // The change can still be undone.
              onClose: () => {
                setUndoing(false);
              },
              onWritten: () => {
                if (requestId !== null) forgetWrite({ requestId });
                onClose();
              },
              onProposed: onClose,
            })}
        </>
      )}
    </Group>
  );
}
