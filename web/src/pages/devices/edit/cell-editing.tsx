import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import type { ListRow } from '../../../components/member-columns';
import { Notice } from '../../../components/notice';
import { PreviewedWrite, usePreloadedPreview, type PlannedWrite } from '../../../components/previewed-write';
import { ErrorAlert } from '../../../components/states';
import { useUnsaved } from '../../../components/unsaved';
import { readAfter, type DeviceList } from '../device-rows';
import type { CellAction } from './cell-action';
import { cellKey, NO_EDITS, withEdits, type CellEdits } from './cell-edit';
import { CellEditor } from './cell-editor';
import classes from './cell-editor.module.css';
import { blockOf, fillDown, MAX_CELLS, pasteBlock, type Filling } from './fill';
import { countedCells, MAX_OPERATIONS, writesOf } from './edit-writes';
import { planEdits } from './plan-edits';
import { writeCell, type CellContext } from './read-cell';

interface Props {
  readonly context: CellContext;
  readonly list: DeviceList;
  /** The ids of the columns, in order. */
  readonly columns: readonly string[];
  readonly action: CellAction | undefined;
  readonly onActionDone: () => void;
  readonly onEdits: (edits: CellEdits) => void;
}

/** Edits cells of the list of devices, and collects the edits until they are previewed and applied. Loaded when a cell is reached. */
export function CellEditing({ context, list, columns, action, onActionDone, onEdits }: Props) {
  const { edits } = context;
  const [said, setSaid] = useState<Pick<Filling, 'problems' | 'notes'>>();
  const unsaved = useUnsaved();
  usePreloadedPreview();

  const add = ({ edits: added, unchanged, problems, notes }: Filling) => {
    const others = new Map(edits);
    for (const { device, column } of unchanged) others.delete(cellKey(device, column));
    if (added.length > 0) unsaved.entering.onInput();
    onEdits(withEdits(others, added));
    setSaid(problems.length + notes.length === 0 ? undefined : { problems, notes });
  };
  const fill = useMutation({
    mutationFn: (started: CellAction) => fillingOf(started, context, list, columns),
    onSuccess: add,
    onSettled: onActionDone,
  });
  const start = useEffectEvent((started: CellAction) => {
    if (started.type !== 'edit' && !fill.isPending) fill.mutate(started);
  });
  useEffect(() => {
    if (action) start(action);
  }, [action]);

  const [plan, setPlan] = useState<PlannedWrite>();
  const preview = useMutation({
    mutationFn: () => planEdits([...edits.values()]),
    onSuccess: setPlan,
  });
  const discard = () => {
    unsaved.forget();
    setSaid(undefined);
    onEdits(NO_EDITS);
  };
  const isTooMany = writesOf(edits.values()).length > MAX_OPERATIONS;
  return (
    <>
      {action?.type === 'edit' && (
        <CellEditor
          key={cellKey(action.cell.row.id, action.cell.column)}
          context={context}
          cell={action.cell}
          typed={action.text}
          onWrite={(written, move) => {
            const { row, column } = action.cell;
            onActionDone();
            if (move) action.cell.moveOn(...move);
            add(fillingFrom(written, row, column));
          }}
          onCancel={(isLeft) => {
            onActionDone();
            if (isLeft !== true) action.cell.moveOn(0, 0);
          }}
        />
      )}
      {(edits.size > 0 || said || fill.error) && (
        <Stack gap="xs" className={classes.bar} role="region" aria-label="Edited cells">
          {said && <Said {...said} />}
          {fill.error && <ErrorAlert error={fill.error} />}
          {preview.error && <ErrorAlert error={preview.error} />}
          {isTooMany && (
            <Notice kind="error">
              One change has at most {MAX_OPERATIONS.toLocaleString()} of these. Discard some, or select the
              devices and use “Change…”.
            </Notice>
          )}
          <Group gap="xs">
            <Text size="sm" fw={600} role="status">
              {edits.size === 0 ? 'Nothing is changed.' : `${countedCells([...edits.values()])} changed`}
            </Text>
            {edits.size > 0 && (
              <Button
                disabled={isTooMany}
                loading={preview.isPending}
                onClick={() => {
                  preview.mutate();
                }}
              >
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
          write={plan}
          onClose={() => {
            setPlan(undefined);
          }}
          onApplied={discard}
          onProposed={() => {
            setPlan(undefined);
            discard();
          }}
        />
      )}
    </>
  );
}

function fillingFrom(written: ReturnType<typeof writeCell>, row: ListRow, column: string): Filling {
  const nothing = { edits: [], unchanged: [], problems: [], notes: [] };
  if ('problem' in written) return { ...nothing, problems: [`${row.name ?? ''}: ${written.problem}`] };
  return written.edit
    ? { ...nothing, edits: [written.edit] }
    : { ...nothing, unchanged: [{ device: row.id, column }] };
}

/** What an action does with cells that the list may have to read. @throws ApiError, NetworkError */
async function fillingOf(
  action: CellAction,
  context: CellContext,
  list: DeviceList,
  columns: readonly string[],
): Promise<Filling> {
  const { row, column } = action.cell;
  switch (action.type) {
    case 'edit':
    case 'clear':
      return fillingFrom(writeCell(context, row, column, ''), row, column);
    case 'paste': {
      const block = blockOf(action.text);
      const right = columns.slice(columns.indexOf(column));
      const count = Math.min(block.length, Math.max(1, Math.floor(MAX_CELLS / right.length)));
      const rows = [row, ...(await readAfter(list, row.id, count - 1))];
      return pasteBlock(context, block, rows, right);
    }
    case 'fill': {
      const { above, selected } = action;
      if (selected.length === 0) return fillDown(context, above ? [above, row] : [], column);
      const rows = await readSelected(list, row, new Set(selected));
      const missing = selected.length - rows.length;
      const filling = fillDown(context, rows, column);
      const far = `${missing} of the selected devices are too far from the cursor, and are not filled.`;
      return missing === 0 ? filling : { ...filling, problems: [far, ...filling.problems] };
    }
  }
}

/** The selected rows in the order of the list, as far as they are near the cursor. */
async function readSelected(
  list: DeviceList,
  row: ListRow,
  selected: ReadonlySet<number>,
): Promise<readonly ListRow[]> {
  const before = await readAfter(list, row.id, selected.size, true);
  const after = await readAfter(list, row.id, selected.size);
  return [...before.toReversed(), row, ...after].filter(({ id }) => selected.has(id));
}

/** How many lines about cells are shown. */
const MAX_SHOWN = 50;

const Said = ({ problems, notes }: Pick<Filling, 'problems' | 'notes'>) => (
  <>
    {problems.length > 0 && (
      <Notice kind="error" title="Not everything could be entered">
        <Lines lines={problems} />
      </Notice>
    )}
    {notes.length > 0 && (
      <Notice kind="info" title="Check these">
        <Lines lines={notes} />
      </Notice>
    )}
  </>
);

const Lines = ({ lines }: { readonly lines: readonly string[] }) => (
  <ul className={classes.problems}>
    {lines.slice(0, MAX_SHOWN).map((line) => (
      <li key={line}>{line}</li>
    ))}
    {lines.length > MAX_SHOWN && <li>And {lines.length - MAX_SHOWN} more.</li>}
  </ul>
);
