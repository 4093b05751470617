import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { PendingEditor } from '../../../components/pending-editor';
import type { PlannedWrite } from '../../../components/planned-write';
import {
  pendingEdit,
  withAction,
  withKey,
  type CellAction,
  type EditAction,
  type PreviewAction,
} from './cell-action';
import type { CellEdit } from './cell-edit';

/** A write of edits, and which these are: cells can be edited further before it is applied. */
export interface EditPlan {
  readonly write: PlannedWrite;
  readonly edits: readonly CellEdit[];
}

/** The mutations that do something with cells. */
export const CELL_MUTATION = ['cells'];

/** What the user does with cells, one after the other: some of it waits for the code that does it. */
export interface EditQueue {
  /** Whether anything was done, so that the code is needed. */
  readonly hasActed: boolean;
  readonly act: (action: CellAction) => void;
  /** What is to be done now, and after that. */
  readonly waiting: readonly CellAction[];
  /** Called with the first of these, when it begins. */
  readonly take: (action: CellAction) => void;
  /** The cell whose editor is shown: its action was taken. */
  readonly editing: EditAction | undefined;
  readonly endEditing: () => void;
  /** The editor that was asked for, until it is there. */
  readonly pendingEditor: PendingEditor | undefined;
  /** Asks for a preview of all edits: the action of that name. */
  readonly preview: () => void;
  /** Whether it was asked for, and neither closed nor given up. */
  readonly isPreviewing: boolean;
  /** What it shows, once it is prepared. */
  readonly plan: EditPlan | undefined;
  /** Called with what an action has prepared, unless it was given up meanwhile. */
  readonly showPlan: (action: PreviewAction, plan: EditPlan) => void;
  /** @param action the preview that there is none of; by default the one that is shown, or being prepared */
  readonly endPreview: (action?: PreviewAction) => void;
  /** Called if the code cannot be loaded: nothing waits for it any more. */
  readonly fail: () => void;
}

/** The actions with cells of one list. */
export function useEditQueue(): EditQueue {
  const queryClient = useQueryClient();
  const [hasActed, setActed] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const [waiting, setWaiting] = useState<readonly CellAction[]>([]);
  const [editing, setEditing] = useState<EditAction>();
  const [previewing, setPreviewing] = useState<{
    readonly action: PreviewAction;
    readonly plan?: EditPlan;
  }>();
  const act = (next: CellAction) => {
    if (hasFailed) return;
    setActed(true);
    setWaiting((now) => withAction(now, next));
  };
  const preview = () => {
    if (hasFailed || previewing) return;
    // What was done before may still be running: it shows a message if something cannot be entered.
    const isEarly = waiting.length > 0 || queryClient.isMutating({ mutationKey: CELL_MUTATION }) > 0;
    const action = { type: 'preview', isEarly } as const;
    setPreviewing({ action });
    act(action);
  };
  return {
    hasActed,
    act,
    waiting,
    take: (action) => {
      setWaiting((now) => now.filter((one) => one !== action));
      if (action.type === 'edit') setEditing(action);
    },
    editing,
    endEditing: () => {
      setEditing(undefined);
    },
    pendingEditor: pendingEdit(waiting) && {
      onKey: (key) => {
        setWaiting((now) => withKey(now, key));
      },
      onPreview: preview,
    },
    preview,
    isPreviewing: previewing !== undefined,
    plan: previewing?.plan,
    showPlan: (action, plan) => {
      setPreviewing((now) => (now?.action === action ? { action, plan } : now));
    },
    endPreview: (action = previewing?.action) => {
      setWaiting((now) => now.filter((one) => one !== action));
      setPreviewing((now) => (now?.action === action ? undefined : now));
    },
    fail: () => {
      setFailed(true);
      setWaiting([]);
      setPreviewing(undefined);
    },
  };
}
