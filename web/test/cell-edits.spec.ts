import { deviceKinds } from '@muster/api-types';
import { blockOf, fillDown, pasteBlock } from '../src/pages/devices/edit/fill';
import { NO_EDITS, withEdits, type CellEdit } from '../src/pages/devices/edit/cell-edit';
import { readMember, readValue, valueText } from '../src/pages/devices/edit/cell-text';
import { canHavePart, withPart } from '../src/pages/devices/edit/document-part';
import { levelsOfCell, lockOf, writeCell, type CellContext } from '../src/pages/devices/edit/read-cell';
import { baseOf, operationOf, writesOf } from '../src/pages/devices/edit/edit-writes';
import type { ListRow } from '../src/components/member-columns';

const places: CellContext['places'] = {
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
const context: CellContext = { kind: deviceKinds[0], places, edits: NO_EDITS };

const level = (kind: string, id: number, value: unknown, change_id: number) => ({
  ...{ kind, id, name: `${kind}-${String(id)}`, value, change_id, shadowed: false },
  ...{ set_by: 'ada', set_at: '2026-11-20T14:37:06.571212', reason: null },
});
const row = (
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

const editOf = (written: ReturnType<typeof writeCell>): CellEdit => {
  if (!('edit' in written) || !written.edit) throw new Error(JSON.stringify(written));
  return written.edit;
};

const chosen = (option: ReturnType<typeof levelsOfCell>[number] | undefined, id: number) => {
  if (!option) throw new Error('there is no such level');
  return { ...option, id };
};

/** The operations of a batch. */
const operationsOf = (edits: readonly CellEdit[]): unknown =>
  writesOf(edits).map((write) => operationOf(write, baseOf(write)));

it.each([
  // The value before, the text, the value, and what is said about it.
  [undefined, '12', 12, undefined],
  [undefined, 'abc', 'abc', 'A text: it is not JSON.'],
  [undefined, '"12"', '12', undefined],
  [7, ' 8 ', 8, undefined],
  [7, 'U7', 'U7', 'Now a text. It was a number.'],
  ['7', '8', '8', undefined],
  ['7', 'true', 'true', undefined],
  ['7', '["a"]', ['a'], 'Now a list. It was a text.'],
  ['7', '[a]', '[a]', undefined],
  [true, 'FALSE', false, undefined],
  [null, 'x', 'x', 'A text: it is not JSON.'],
  [{ a: 1 }, '{"a": 2}', { a: 2 }, undefined],
])('after %j, %j is read as %j', (former, text, value, note) => {
  expect(readValue(text, former === undefined ? undefined : { value: former })).toEqual({
    value,
    text: typeof value === 'string' ? value : JSON.stringify(value),
    ...(note === undefined ? {} : { note }),
  });
});

it('a number is a text if the user wants one, and a text is edited as what it is read back from', () => {
  expect(readValue('12', undefined, true)).toMatchObject({ value: '12' });
  expect(['abc', '12', '"x"', '', '{}', ' a'].map(valueText)).toEqual([
    'abc',
    '12',
    '"\\"x\\""',
    '""',
    '"{}"',
    '" a"',
  ]);
});

it.each([
  ['region_id', 'south', { value: 2, text: 'south' }],
  ['region_id', 'west', { problem: 'There is no region west.' }],
  ['cell_id', 'rack-b', { problem: 'There is no cell rack-b in the region.' }],
  ['cell_id', 'north/rack-a', { value: 5, text: 'north/rack-a' }],
  ['cell_id', 'south/rack-b', { problem: 'There is no cell south/rack-b in the region.' }],
  ['cell_id', '', { value: null, text: '' }],
  ['active', 'No', { value: false, text: 'inactive' }],
  ['labels', ' b, a,', { value: 'b,a', text: 'b, a' }],
  ['ip_address', ' ', { problem: 'It cannot be empty.' }],
] as const)('%s is read from %j', (name, text, expected) => {
  const member = context.kind.update.find((one) => one.name === name);
  if (!member) throw new Error(name);
  expect(readMember(member, text, { places, region: 1 })).toEqual(expected);
});

it('a part of a document is replaced, added and removed, if there is a document around it', () => {
  const document = { disks: [{ size: 1 }, { size: 2 }], a: 1 };
  expect(withPart(document, ['disks', 1, 'size'], { value: 3 })).toEqual({
    value: { disks: [{ size: 1 }, { size: 3 }], a: 1 },
  });
  expect(withPart(document, ['a'], undefined)).toEqual({ value: { disks: document.disks } });
  const can = (steps: readonly (string | number)[]) => canHavePart({ value: document }, steps);
  expect([can(['b']), can(['disks', 1]), can(['disks', 2]), can(['a', 'b']), can(['x', 'y'])]).toEqual([
    ...[true, true, false, false, false],
  ]);
  expect(lockOf(context, row(1), 'var:hardware.model')).toMatch(/Set hardware as a whole/);
  expect(lockOf(context, row(1), 'created_at')).toBe('Created at is set by Muster.');
});

it('what a cell has already is no edit, unless it is set on a level', () => {
  const inherited = row(1, { kernel: [level('region', 1, '6.8', 4)] });
  expect(writeCell(context, inherited, 'var:kernel', '6.8')).toEqual({ edit: undefined });
  expect(writeCell(context, inherited, 'region_id', 'north')).toEqual({ edit: undefined });
  expect(writeCell(context, inherited, 'note', '')).toEqual({ edit: undefined });
  const [, , cell] = levelsOfCell(context, inherited, 'var:kernel');
  expect(cell).toMatchObject({ level: 'cell', name: 'north/rack-a', own: { current: undefined } });
  const edit = editOf(writeCell(context, inherited, 'var:kernel', '6.8', { level: chosen(cell, 5) }));
  expect(edit.change).toMatchObject({ owner: { kind: 'cell', id: 5 }, value: { value: '6.8' } });
});

it('edits become operations with conditions: members first, one for each variable, a cell of the new region', () => {
  const own = row(1, {
    hardware: [level('region', 1, { model: 'a', ram: 1 }, 4)],
    kernel: [level('region', 1, '6.8', 4), level('host', 1, '6.9', 9)],
  });
  const write = (column: string, text: string) => editOf(writeCell(context, own, column, text));
  const edits = [
    ...[write('var:hardware.model', 'b'), write('var:hardware.ram', '2'), write('var:kernel', '')],
    ...[write('region_id', 'south'), write('active', 'false')],
  ];
  expect(operationsOf(edits)).toEqual([
    {
      ...{ method: 'PUT', path: '/v1/hosts/1', if_match: '"3"' },
      body: { region_id: 2, active: false, cell_id: null },
    },
    {
      ...{ method: 'PUT', path: '/v1/hosts/1/variables/hardware', if_none_match: '*' },
      body: { value: { model: 'b', ram: 2 } },
    },
    { method: 'DELETE', path: '/v1/hosts/1/variables/kernel', if_match: '"c9"' },
  ]);
});

it('a level has one value, whichever device it was entered at', () => {
  const at = (id: number, text: string) => {
    const one = row(id, { kernel: [level('region', 1, '6.8', 4)] });
    const region = levelsOfCell(context, one, 'var:kernel').at(-1);
    return editOf(writeCell(context, one, 'var:kernel', text, { level: chosen(region, 1) }));
  };
  const edits = withEdits(withEdits(NO_EDITS, [at(1, '6.9')]), [at(2, '6.10')]);
  expect([...edits.values()].map(({ device, change }) => [device.name, change.value])).toEqual([
    ['web-2', { value: '6.10' }],
  ]);
});

it('a block has quoted cells of several lines, empty cells that say nothing, and what does not fit is said', () => {
  const block = blockOf('south\track-b\t"a\n""b"""\tx\r\nnorth\t\tc\r\nnorth\r\n');
  expect(block).toEqual([['south', 'rack-b', 'a\n"b"', 'x'], ['north', '', 'c'], ['north']]);
  const filling = pasteBlock(context, block, [row(1), row(2)], ['region_id', 'cell_id', 'note']);
  expect(filling.edits.map(({ device, change }) => [device.name, 'value' in change && change.value])).toEqual(
    [
      ['web-1', 2],
      // A cell of the region that was pasted before it.
      ['web-1', 6],
      ['web-1', 'a\n"b"'],
      ['web-2', 'c'],
    ],
  );
  expect(filling.unchanged).toEqual([{ device: 2, column: 'region_id' }]);
  expect(filling.problems).toEqual([
    '1 of 3 rows do not fit: the list ends before.',
    '1 of 4 columns do not fit: the list has no column for them.',
  ]);
});

it('cells are filled with the first one, and keep what they have already', () => {
  const rows = [
    row(1, { kernel: [level('host', 1, '6.9', 4)] }),
    row(2),
    row(3, { kernel: [level('region', 1, '6.9', 4)] }),
  ];
  const filling = fillDown(context, rows, 'var:kernel');
  expect(filling.edits.map(({ device, change }) => [device.name, change.value])).toEqual([
    ['web-2', { value: '6.9' }],
  ]);
  expect(filling.unchanged).toEqual([{ device: 3, column: 'var:kernel' }]);
});
