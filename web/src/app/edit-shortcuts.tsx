import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { changeOfRequestQuery } from '../api/change-of-request';
import { forgetWrite, lastWrite, type UndoableWrite } from '../components/undoable-writes';
import { planRevert } from '../components/plan-revert';
import { PreviewedWrite, type PlannedWrite } from '../components/previewed-write';
import { isTextField } from './search-keys';
import { ResourceProjectId } from './use-project';

/** A modal dialog. */
const MODAL = '[role=dialog][aria-modal=true]';

const SUBMIT = 'button[aria-keyshortcuts~="Control+Enter"]';

/** What a page says if there is nothing that Ctrl-Z undoes. */
const NOTHING_TO_UNDO =
  'Ctrl-Z undoes edits in a list that are not applied, then the last change applied in this tab. Find earlier changes under “Changes”.';

interface Undoing {
  readonly write: UndoableWrite;
  readonly plan: PlannedWrite;
}

/**
 * The keys for what is edited anywhere: Ctrl-Enter presses the button that previews or applies it, and Ctrl-Z previews how the last
 * change is undone.
 */
export function EditShortcuts() {
  const queryClient = useQueryClient();
  const [undoing, setUndoing] = useState<Undoing>();
  const undo = useEffectEvent(async () => {
    const write = lastWrite();
    if (!write) {
      say('There is nothing to undo', NOTHING_TO_UNDO);
      return;
    }
    try {
      const change = await queryClient.query(changeOfRequestQuery(write.requestId));
      if (change) setUndoing({ write, plan: planRevert(change.id, change.reason ?? write.title) });
      else {
        forgetWrite(write);
        say('This cannot be undone here', `There is no change record of “${write.title}” that you can see.`);
      }
    } catch (error) {
      say(`“${write.title}” could not be undone`, error instanceof Error ? error.message : String(error));
    }
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.altKey || event.shiftKey) return;
      if (!event.ctrlKey && !event.metaKey) return;
      if (event.key === 'Enter') {
        const button = submitButton(event.target);
        if (!button) return;
        event.preventDefault();
        // A key that is held would apply what nobody has seen previewed.
        if (!event.repeat) button.click();
      } else if (event.key.toLowerCase() === 'z') {
        // A text field undoes what was typed, and a dialog is about something else. A key that is held undoes edits of cells only.
        if (event.repeat || isTextField(event.target) || document.querySelector(MODAL)) return;
        event.preventDefault();
        void undo();
      }
    };
    addEventListener('keydown', onKeyDown);
    return () => {
      removeEventListener('keydown', onKeyDown);
    };
  }, []);
  if (!undoing) return null;
  const { write, plan } = undoing;
  const close = () => {
    setUndoing(undefined);
  };
  return (
    <ResourceProjectId value={write.project}>
      <PreviewedWrite
        write={plan}
        onClose={close}
        onWritten={() => {
          forgetWrite(write);
          // The message about it.
          notifications.hide(write.requestId);
        }}
      />
    </ResourceProjectId>
  );
}

function say(title: string, message: string): void {
  // One message, however often the keys are pressed.
  notifications.hide('undo');
  notifications.show({ id: 'undo', title, message });
}

/** The button of the form, or else of the nearest part of the page, in which a key was pressed; undefined if there are several. */
function submitButton(target: EventTarget | null): HTMLButtonElement | undefined {
  const modal = [...document.querySelectorAll(MODAL)].at(-1);
  const origin = target instanceof Element ? target : document.body;
  let scope: Element | null = modal && !modal.contains(origin) ? modal : origin;
  while (scope) {
    const [button, ...others] = scope.querySelectorAll<HTMLButtonElement>(SUBMIT);
    if (button) return others.length === 0 ? button : undefined;
    // What is beside a dialog does not belong to it.
    if (scope.matches('[role=dialog]')) return undefined;
    scope = scope.parentElement;
  }
  return undefined;
}
