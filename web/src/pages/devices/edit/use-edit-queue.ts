import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { PendingEditor } from '../../../components/pending-editor';
import type { DeferredWrite } from '../../../components/planned-write';
import { pendingEdit, withAction, withKey, type CellAction, type EditAction } from './cell-action';
import type { CellEdit } from './cell-edit';

/** A write of edits, and which these are: cells can be edited further before it is applied. */
interface EditPlan {
  readonly write: DeferredWrite;
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
  /** Cancels the requested preview. Undefined unless it waits for earlier actions. */
  readonly cancelPreview: (() => void) | undefined;
  /** What is previewed now. */
  readonly plan: EditPlan | undefined;
  readonly openPreview: (plan: EditPlan) => void;
  readonly closePreview: () => void;
  /** Called if the code cannot be loaded: nothing waits for it any more. */
  readonly fail: () => void;
}

const isPreview = ({ type }: CellAction): boolean => type === 'preview';

/** The actions with cells of one list. */
export function useEditQueue(): EditQueue {
  const queryClient = useQueryClient();
  const [hasActed, setActed] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const [waiting, setWaiting] = useState<readonly CellAction[]>([]);
  const [editing, setEditing] = useState<EditAction>();
  const [plan, setPlan] = useState<EditPlan>();
  const act = (next: CellAction) => {
    if (hasFailed) return;
    setActed(true);
    setWaiting((now) => withAction(now, next));
  };
  const isPreviewQueued = waiting.some(isPreview);
  const preview = () => {
    if (isPreviewQueued || plan) return;
    // What was done before may still be running: it shows a message if something cannot be entered.
    const isEarly = waiting.length > 0 || queryClient.isMutating({ mutationKey: CELL_MUTATION }) > 0;
    act({ type: 'preview', isEarly });
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
    cancelPreview: isPreviewQueued
      ? () => {
          setWaiting((now) => now.filter((action) => !isPreview(action)));
        }
      : undefined,
    plan,
    openPreview: setPlan,
    closePreview: () => {
      setPlan(undefined);
    },
    fail: () => {
      setFailed(true);
      setWaiting([]);
    },
  };
}
