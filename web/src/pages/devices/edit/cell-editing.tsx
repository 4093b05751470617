import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { resolvesToText } from '../../../api/variable-keys';
import { useProjectId } from '../../../app/use-project';
import type { CellTarget } from '../../../components/cell-target';
import type { GridCell } from '../../../components/grid-cursor';
import type { ListRow } from '../../../components/member-columns';
import { Notice } from '../../../components/notice';
import { PreviewedWrite, usePreloadedPreview } from '../../../components/previewed-write';
import { SUBMIT_SHORTCUT } from '../../../components/submit-shortcut';
import { useUnsaved } from '../../../components/unsaved';
import { readAfter, type DeviceList } from '../device-rows';
import { type CellAction, type HistoryStep, isStep, type RunAction } from './cell-action';
import {
  cellKey,
  NO_EDITS,
  withEdits,
  withoutCells,
  withoutEdits,
  type CellEdit,
  type CellFaults,
} from './cell-edit';
import { redo, undo, withoutWritten, withStep, type EditHistory } from './edit-history';
import { CellEditor } from './cell-editor';
import classes from './cell-editor.module.css';
import { EditMessages, type Messages } from './edit-messages';
import type { EditResult } from './fill';
import { cellFaults, editsOf, rejectedEdits } from './cell-faults';
import { columnTitle, countedCells } from './edit-titles';
import { MAX_OPERATIONS, writesOf } from './batch-operations';
import type { CellContext } from './cell-value';
import { planEdits } from './plan-edits';
import { RejectedEdits } from './rejected-edits';
import { rowPosition } from './row-position';
import { NOTHING, resultOf, runAction } from './run-action';
import { CELL_MUTATION, type EditQueue } from './use-edit-queue';

export interface CellEditingProps {
  readonly context: CellContext;
  readonly list: DeviceList;
  /** The ids of the columns, in order. */
  readonly columns: readonly string[];
  readonly queue: EditQueue;
  readonly history: EditHistory;
  /** Called with what changes the history, which may be another one meanwhile. */
  readonly onHistory: (change: (history: EditHistory) => EditHistory) => void;
  readonly faults: CellFaults;
  readonly onFaults: (faults: CellFaults) => void;
  /** Called with a cell that is to be edited, wherever it is in the list. */
  readonly onGoTo: (target: CellTarget) => void;
}

/** Edits cells of the list of devices, and collects the edits until they are previewed and applied. Loaded when a cell is reached. */
export function CellEditing({
  context,
  list,
  columns,
  queue,
  history,
  onHistory,
  faults,
  onFaults,
  onGoTo,
}: CellEditingProps) {
  const { edits } = context;
  const { waiting, editing, plan } = queue;
  const projectId = useProjectId();
  const [messages, setMessages] = useState<Messages>();
  const unsaved = useUnsaved();
  const isDialogLoaded = usePreloadedPreview();

  const add = ({ edits: added, unchanged, problems, notes }: EditResult) => {
    if (added.length > 0) unsaved.entering.onInput();
    onHistory((now) => withStep(now, (former) => withEdits(withoutCells(former, unchanged), added)));
    setMessages(problems.length + notes.length === 0 ? undefined : { problems, notes });
  };
  const goTo = (step: (history: EditHistory) => EditHistory) => {
    if (step(history).edits.size > 0) unsaved.entering.onInput();
    setMessages(undefined);
    onHistory(step);
  };
  const run = useMutation({
    mutationKey: CELL_MUTATION,
    mutationFn: async (started: RunAction | HistoryStep) =>
      isStep(started)
        ? started
        : runAction(started, context, columns, {
            readNear: (id, count, isBackward) => readAfter(list, id, count, isBackward),
            resolvesToText: (path) => resolvesToText(projectId, path),
          }),
    // One after the other: none is lost while another one reads rows.
    scope: { id: 'cells' },
    onSuccess: (done, { type }) => {
      if (isStep(done)) goTo(done.type === 'undo' ? undo : redo);
      // Several texts may be entered at once: nobody has read what is wrong with the first.
      else add(type === 'write' && messages ? withMessages(done, messages) : done);
    },
    onError: ({ message }) => {
      setMessages({ problems: [message], notes: [] });
    },
  });
  const faultOf = ({ row, column }: GridCell<ListRow>): string | undefined => {
    const edit = edits.get(cellKey(row.id, column));
    return edit && faults.get(edit);
  };
  const [wasRejected, setRejected] = useState(false);
  // In a long list, this reads many ids.
  const search = useRef<AbortController>(undefined);
  useEffect(
    () => () => {
      search.current?.abort();
    },
    [],
  );
  const correct = useMutation({
    mutationFn: async ({ device, column }: CellEdit) => {
      if (!columns.includes(column))
        throw new Error(`The list has no column for ${columnTitle(column)} now: add it under “Columns”.`);
      search.current?.abort();
      search.current = new AbortController();
      return { index: await rowPosition(list, device.id, search.current.signal), id: device.id, column };
    },
    onSuccess: onGoTo,
    onError: ({ name, message }) => {
      if (name !== 'AbortError') setMessages({ problems: [message], notes: [] });
    },
  });
  const discard = () => {
    if (edits.size > 1 && !globalThis.confirm(`Discard ${countedCells([...edits.values()])}?`)) return;
    unsaved.forget();
    setMessages(undefined);
    onHistory((now) => withStep(now, () => NO_EDITS));
  };
  const removePlanned = () => {
    setMessages(undefined);
    if (plan) onHistory((now) => withoutWritten(now, (former) => withoutEdits(former, plan.edits)));
  };
  const forget = useEffectEvent(unsaved.forget);
  useEffect(() => {
    if (edits.size === 0) forget();
  }, [edits]);
  const isTooMany = writesOf(edits.values()).length > MAX_OPERATIONS;
  const start = useEffectEvent((action: CellAction) => {
    // Until then, what is typed is kept.
    if (context.locations.isPending || (action.type === 'preview' && !isDialogLoaded)) return;
    // What was entered before comes first; but an editor does not wait for the rows of what is pasted.
    if (
      run.isPending &&
      (run.variables.type === 'write' || action.type === 'write' || action.type === 'preview')
    )
      return;
    queue.take(action);
    if (action.type === 'edit') return;
    if (action.type !== 'preview') run.mutate(action);
    else if (edits.size > 0 && !isTooMany && !(action.isEarly && messages?.problems.length)) {
      const previewed = [...edits.values()];
      queue.openPreview({ write: planEdits(previewed), edits: previewed });
    }
  });
  const [next] = waiting;
  // Before the next key.
  useLayoutEffect(() => {
    if (next) start(next);
  }, [next, run.isPending, context.locations.isPending, isDialogLoaded]);
  return (
    <>
      {editing && (
        <CellEditor
          key={cellKey(editing.cell.row.id, editing.cell.column)}
          context={context}
          cell={editing.cell}
          typed={editing.typed}
          fault={faultOf(editing.cell)}
          onWrite={(written, move) => {
            const { row, column } = editing.cell;
            queue.endEditing();
            if (move) editing.cell.moveOn(...move);
            add(resultOf(written, row, column));
          }}
          onCancel={(isLeft) => {
            queue.endEditing();
            if (isLeft !== true) editing.cell.moveOn(0, 0);
          }}
          onPreview={queue.preview}
        />
      )}
      {(edits.size > 0 || messages) && (
        <Stack gap="xs" className={classes.bar} role="region" aria-label="Edited values">
          {messages && <EditMessages {...messages} />}
          <RejectedEdits
            edits={edits}
            faults={faults}
            onReplace={(replaced) => {
              add({ ...NOTHING, edits: replaced });
            }}
            onCorrect={correct.mutate}
            takesFocus={wasRejected && !plan}
          />
          {isTooMany && (
            <Notice kind="error">
              One change has at most {MAX_OPERATIONS.toLocaleString()} of these. Discard some, or select the
              devices and use “Change…”.
            </Notice>
          )}
          <Group gap="xs">
            <Text size="sm" fw={600} role="status">
              {edits.size === 0 ? 'Nothing is changed.' : `${countedCells([...edits.values()])} changed`}
              {correct.isPending && '. Looking for it in the list…'}
            </Text>
            {edits.size > 0 && (
              <Button disabled={isTooMany} {...SUBMIT_SHORTCUT} onClick={queue.preview}>
                Preview…
              </Button>
            )}
            <Button variant="default" onClick={discard}>
              {edits.size > 0 ? 'Discard' : 'Close'}
            </Button>
          </Group>
        </Stack>
      )}
      {plan && (
        <PreviewedWrite
          write={plan.write}
          onClose={() => {
            queue.closePreview();
            setRejected(faults.size > 0);
          }}
          onWritten={removePlanned}
          onKeepTheirs={(inConflict) => {
            const dropped = inConflict.flatMap((index) => editsOf(plan.edits, index));
            onHistory((now) => withoutWritten(now, (former) => withoutEdits(former, dropped)));
          }}
          onFaults={(found) => {
            onFaults(cellFaults(plan.edits, found));
          }}
          onCorrect={(fault) => {
            const [first] = rejectedEdits(plan.edits, fault);
            if (first) correct.mutate(first);
          }}
          onProposed={removePlanned}
        />
      )}
    </>
  );
}

const withMessages = (result: EditResult, { problems, notes }: Messages): EditResult => ({
  ...result,
  problems: [...problems, ...result.problems],
  notes: [...notes, ...result.notes],
});
