import { deviceKinds } from '@muster/api-types';
import type { ListRow } from '../../src/components/member-columns';
import { baseOf, operationOf, writesOf } from '../../src/pages/devices/edit/batch-operations';
import { NO_EDITS, withEdits, type CellEdit, type CellEdits } from '../../src/pages/devices/edit/cell-edit';
import type { CellContext, levelsOfCell } from '../../src/pages/devices/edit/cell-value';
import { writeCell } from '../../src/pages/devices/edit/write-cell';

const locations: CellContext['locations'] = {
  isPending: false,
  regions: [
    { id: 1, name: 'north' },
    { id: 2, name: 'south' },
  ],
  cells: [
    { id: 5, name: 'rack-a', region_id: 1 },
    { id: 6, name: 'rack-b', region_id: 2 },
  ],
  regionName: (id) => (id === 1 ? 'north' : 'south'),
  cellName: (id) => (id === 5 ? 'rack-a' : 'rack-b'),
  cellTitle: (id) => (id === 5 ? 'north/rack-a' : 'south/rack-b'),
};
export const context: CellContext = { kind: deviceKinds[0], locations, edits: NO_EDITS };

export const level = (kind: string, id: number, value: unknown, change_id: number) => ({
  ...{ kind, id, name: `${kind}-${String(id)}`, value, change_id, shadowed: false },
  ...{ set_by: 'ada', set_at: '2026-11-20T14:37:06.571212', reason: null },
});
export const row = (
  id: number,
  levels: Readonly<Record<string, readonly ReturnType<typeof level>[]>> = {},
): ListRow => ({
  ...{
    id,
    name: `web-${String(id)}`,
    version: 3,
    region_id: 1,
    cell_id: 5,
    labels: 'db',
    active: true,
    note: null,
  },
  explain: Object.fromEntries(
    Object.entries(levels).map(([key, all]) => {
      const source = all.at(-1) ?? level('host', id, null, 1);
      return [key, { value: source.value, source, levels: [...all] }];
    }),
  ),
});

export const editOf = (written: ReturnType<typeof writeCell>): CellEdit => {
  if (!('edit' in written) || !written.edit) throw new Error(JSON.stringify(written));
  return written.edit;
};

export const chosen = (option: ReturnType<typeof levelsOfCell>[number] | undefined, id: number) => {
  if (!option) throw new Error('there is no such level');
  return { ...option, id };
};

/** The edits after texts were entered into cells of a row, one after the other. */
export const entered = (
  one: ListRow,
  texts: readonly (readonly [column: string, text: string])[],
): CellEdits =>
  texts.reduce<CellEdits>(
    (edits, [column, text]) =>
      withEdits(edits, [editOf(writeCell({ ...context, edits }, one, column, text))]),
    NO_EDITS,
  );

/** The operations of a batch. */
export const operationsOf = (edits: Iterable<CellEdit>): unknown =>
  writesOf(edits).map((write) => operationOf(write, baseOf(write)));
