import { Stack } from '@mantine/core';
import { useEffectEvent, useLayoutEffect, useState } from 'react';
import { lazyComponent, LoadFailure } from '../../../components/lazy-component';
import type { CellAction } from './cell-action';
import type { CellEditingProps } from './cell-editing';
import { EditMessages } from './edit-messages';
import { columnTitle } from './edit-titles';
import type { EditQueue } from './use-edit-queue';

/** Loaded when the cursor reaches a cell first, if it is not there yet. */
export const CellEditing = lazyComponent<CellEditingProps>(
  () => import('./cell-editing').then(({ CellEditing: component }) => component),
  { isOpened: true, failure: ({ queue }) => <NoEditing queue={queue} /> },
);

export function preloadCellEditing(): void {
  void CellEditing.preload();
}

/** Nothing can be edited. What was typed until now is shown, so that it can be copied. */
function NoEditing({ queue }: { readonly queue: EditQueue }) {
  const [texts] = useState(() => queue.waiting.flatMap(typedTexts));
  const fail = useEffectEvent(queue.fail);
  useLayoutEffect(() => {
    fail();
  }, []);
  return (
    <Stack gap="xs">
      {texts.length > 0 && <EditMessages problems={texts} notes={[]} />}
      <LoadFailure />
    </Stack>
  );
}

const typedTexts = (action: CellAction): readonly string[] =>
  (action.type === 'edit' || action.type === 'write') && action.typed.text !== ''
    ? [`${action.cell.row.name ?? ''}, ${columnTitle(action.cell.column)}: ${action.typed.text}`]
    : [];
