import { readMember, readValue, valueText } from '../src/pages/devices/edit/cell-text';
import { canHavePart, withPart } from '../src/pages/devices/edit/document-part';
import { blockOf, fillDown, pasteBlock, pastedRows } from '../src/pages/devices/edit/fill';
import { runAction } from '../src/pages/devices/edit/run-action';
import { withEdits, withoutCells, withoutEdits } from '../src/pages/devices/edit/cell-edit';
import { NO_HISTORY, redo, undo, withoutWritten, withStep } from '../src/pages/devices/edit/edit-history';
import { readOnlyReason, writeCell } from '../src/pages/devices/edit/write-cell';
import { context, editOf, level, row } from './support/edited-cells';

it.each([
  // The value before, the text, the value, and what is said about it.
  [undefined, '12', 12, undefined],
  [undefined, 'abc', 'abc', 'A text: it is not JSON.'],
  [undefined, '6.10', '6.10', 'A text: a number would lose its last digits, or be written differently.'],
  [6.8, '6.10', '6.10', 'Now a text. It was a number.'],
  // A number that is there stays one, however it is written.
  [1e21, ' 1e+21 ', 1e21, undefined],
  [1e22, '1e+21', '1e+21', 'Now a text. It was a number.'],
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
  expect(readValue('12', undefined, 'text')).toMatchObject({ value: '12' });
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
  expect(readMember(member, text, { locations: context.locations, region: 1 })).toEqual(expected);
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
  expect(readOnlyReason(context, row(1), 'var:hardware.model')).toMatch(/Set hardware as a whole/);
  expect(readOnlyReason(context, row(1), 'created_at')).toBe('Created at is set by Muster.');
});

it('a block has quoted cells of several lines, empty cells that say nothing, and what does not fit is said', () => {
  const block = blockOf('south\track-b\t"a\n""b"""\tx\r\nnorth\t\tc\r\nnorth\r\n');
  expect(block).toEqual([['south', 'rack-b', 'a\n"b"', 'x'], ['north', '', 'c'], ['north']]);
  const filling = pasteBlock(context, block, [row(1), row(2)], ['region_id', 'cell_id', 'note'], new Map());
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

it('a device that gets another region leaves its cell, which is said unless a cell is pasted, too', () => {
  const columns = ['region_id', 'cell_id'];
  const notesOf = (text: string) => pasteBlock(context, blockOf(text), [row(1)], columns, new Map()).notes;
  expect(notesOf('south')).toEqual([
    'web-1, Region: south. It leaves its cell, unless you enter one of this region, too.',
  ]);
  expect(notesOf('south\track-b')).toEqual([]);
});

it('a paste is limited by the cells of its block, which can have very many lines, and says so', () => {
  const narrow = Array.from({ length: 500 }, () => ['x']);
  expect(pastedRows(narrow, 10)).toBe(500);
  const block = blockOf('x\n'.repeat(150_000));
  expect(pastedRows(block, 10)).toBe(1_000);
  expect(pasteBlock(context, block, [row(1)], ['note'], new Map()).problems).toEqual([
    '149000 of 150000 rows are left out: at most 1,000 values are pasted at once.',
    '999 of 150000 rows do not fit: the list ends before.',
  ]);
});

/** The third of five rows with notes, and how the others are read. */
function notedRows() {
  const rows = [1, 2, 3, 4, 5].map((id) => ({ ...row(id), note: `note ${String(id)}` }));
  const [, above, third] = rows;
  if (!third) throw new Error('no row');
  const readNear = (id: number, count: number, isBackward = false) =>
    Promise.resolve((isBackward ? rows.slice(0, id - 1).toReversed() : rows.slice(id)).slice(0, count));
  return { above, row: third, readNear };
}

it('more selected rows than fit into one change are not filled', async () => {
  const cell = { row: row(1), column: 'note', element: {} as HTMLElement, moveOn: () => undefined };
  const selected = Array.from({ length: 1_001 }, (_, i) => i + 1);
  const fill = async (extent: number, devices: readonly number[]) => {
    const action = { type: 'fill', cell, above: undefined, extent, selected: devices } as const;
    const { edits, problems } = await runAction(action, context, ['note'], {
      readNear: () => Promise.reject(new Error('read')),
      resolvesToText: () => Promise.reject(new Error('read')),
    });
    expect(edits).toEqual([]);
    return problems;
  };
  const advice = 'are selected, and at most 1,000 values are changed at once: use “Change…”.';
  expect(await fill(0, selected)).toEqual([`1,001 devices ${advice}`]);
  expect(await fill(-1_000, [])).toEqual([`1,001 values ${advice}`]);
  expect(await fill(0, [])).toEqual([
    'There is no value above this one. Select values below with Shift+↓, then fill down.',
  ]);
});

it.each([
  [0, ['web-3']],
  [2, ['web-3', 'web-4', 'web-5']],
  [-1, ['web-2', 'web-3']],
  [1_000, []],
])('Delete, with a range of %j further cells, clears those of %j', async (extent, cleared) => {
  const { row: at, readNear } = notedRows();
  const cell = { row: at, column: 'note', element: {} as HTMLElement, moveOn: () => undefined };
  const reads = { readNear, resolvesToText: () => Promise.reject(new Error('read')) };
  const { edits, problems } = await runAction({ type: 'clear', cell, extent }, context, ['note'], reads);
  expect(edits.map(({ device, change }) => [device.name, change.value])).toEqual(
    cleared.map((name) => [name, null]),
  );
  expect(problems).toHaveLength(cleared.length === 0 ? 1 : 0);
});

it.each([
  // The extent of the range, the selected devices, and the devices that are filled.
  [2, [], ['web-4', 'web-5']],
  // Selected rows are no cells of the range.
  [-2, [5], ['web-2', 'web-3']],
  [0, [], ['web-3']],
  [0, [2, 4], ['web-4']],
])('a fill of %j cells, or of the devices %j: %j', async (extent, selected, expected) => {
  const { above, row: at, readNear } = notedRows();
  const cell = { row: at, column: 'note', element: {} as HTMLElement, moveOn: () => undefined };
  const { edits, problems } = await runAction(
    { type: 'fill', cell, above, extent, selected },
    context,
    ['note'],
    {
      readNear,
      resolvesToText: () => Promise.reject(new Error('read')),
    },
  );
  expect(problems).toEqual([]);
  expect(edits.map(({ device }) => device.name)).toEqual(expected);
  const first = extent < 0 ? 3 + extent : extent > 0 ? 3 : 2;
  expect(new Set(edits.map(({ change }) => change.value))).toEqual(new Set([`note ${String(first)}`]));
});

it.each([
  // The pasted cells, what the first row has, whether other devices have texts, and what the cells become.
  [['6.8', '6.10'], undefined, false, ['6.8', '6.10'], 'kernel: all values are texts, because 6.10 is one.'],
  [
    ['6.8', '6.9'],
    '6.7.1',
    false,
    ['6.8', '6.9'],
    'kernel: all values are texts, because devices have texts in kernel.',
  ],
  [
    ['6.8', '6.9'],
    undefined,
    true,
    ['6.8', '6.9'],
    'kernel: all values are texts, because devices have texts in kernel.',
  ],
  [['6.8', '[1]'], undefined, false, [6.8, [1]], undefined],
])(
  'the pasted column %j, after %j, other devices have texts: %s',
  async (cells, former, haveOthersTexts, values, note) => {
    const rows = [row(1, former === undefined ? {} : { kernel: [level('region', 1, former, 4)] }), row(2)];
    const [first] = rows;
    if (!first) throw new Error('no row');
    const cell = { row: first, column: 'var:kernel', element: {} as HTMLElement, moveOn: () => undefined };
    const { edits, notes, problems } = await runAction(
      { type: 'paste', cell, text: cells.join('\n'), extent: 0 },
      context,
      ['var:kernel'],
      {
        readNear: () => Promise.resolve(rows.slice(1)),
        resolvesToText: ({ text }) => Promise.resolve(haveOthersTexts && text === 'kernel'),
      },
    );
    expect(edits.map(({ change }) => change.value)).toEqual(values.map((value) => ({ value })));
    expect([notes, problems]).toEqual([note === undefined ? [] : [note], []]);
  },
);

it.each([
  // The pasted cells, the further selected cells after the cursor (or before it), and what the notes of which devices become.
  [['a'], 2, { 'web-3': 'a', 'web-4': 'a', 'web-5': 'a' }],
  [['a', 'b'], -1, { 'web-2': 'a', 'web-3': 'b' }],
  [['a', 'b'], 3, { 'web-3': 'a', 'web-4': 'b', 'web-5': 'a' }],
  // The block does not fit several times: it is pasted once, from the first selected cell on.
  [['a', 'b'], -2, { 'web-1': 'a', 'web-2': 'b' }],
  [['a', 'b', 'c', 'd'], -2, { 'web-1': 'a', 'web-2': 'b', 'web-3': 'c', 'web-4': 'd' }],
  [['a'], 1_000, {}],
])('a paste of %j into %j further selected cells: %j', async (cells, extent, expected) => {
  const { row: at, readNear } = notedRows();
  const cell = { row: at, column: 'note', element: {} as HTMLElement, moveOn: () => undefined };
  const reads = { readNear, resolvesToText: () => Promise.resolve(false) };
  const action = { type: 'paste', cell, text: cells.join('\n'), extent } as const;
  const { edits } = await runAction(action, context, ['note'], reads);
  expect(Object.fromEntries(edits.map(({ device, change }) => [device.name, change.value]))).toEqual(
    expected,
  );
});

it('Delete says of cells that inherit their values that nothing of their own is there', async () => {
  const rows = [
    row(1, { kernel: [level('region', 1, '6.8', 4)] }),
    row(2, { kernel: [level('region', 1, '6.8', 4), level('host', 2, '6.9', 5)] }),
    row(3),
  ];
  const [first] = rows;
  if (!first) throw new Error('no row');
  const cell = { row: first, column: 'var:kernel', element: {} as HTMLElement, moveOn: () => undefined };
  const reads = {
    readNear: () => Promise.resolve(rows.slice(1)),
    resolvesToText: () => Promise.reject(new Error('read')),
  };
  const clear = (edits = context.edits) =>
    runAction({ type: 'clear', cell, extent: 2 }, { ...context, edits }, ['var:kernel'], reads);
  const { edits, notes } = await clear();
  expect(edits.map(({ device }) => device.name)).toEqual(['web-2']);
  expect(notes).toEqual(['web-1, kernel: It has no own value: this one is that of the region region-1.']);
  // A cell that was edited only loses its edit.
  const edited = withEdits(context.edits, [editOf(writeCell(context, first, 'var:kernel', '6.14'))]);
  expect((await clear(edited)).notes).toEqual([]);
});

it('the last step of edits is undone and redone, until they are written', () => {
  const edit = (column: string, text: string) => editOf(writeCell(context, row(1), column, text));
  const [one, two] = [edit('note', 'one'), edit('var:kernel', '6.9')];
  const first = withStep(NO_HISTORY, (edits) => withEdits(edits, [one]));
  const second = withStep(first, (edits) => withEdits(edits, [two]));
  expect(undo(second).edits).toEqual(first.edits);
  expect(undo(undo(undo(second))).edits).toEqual(NO_HISTORY.edits);
  expect(redo(redo(redo(undo(undo(second))))).edits).toEqual(second.edits);
  // What changes nothing is no step, and a step after an undo replaces what was undone.
  expect(withStep(second, (edits) => withoutCells(edits, []))).toBe(second);
  const third = withStep(undo(second), (edits) => withoutCells(edits, [{ device: 1, column: 'note' }]));
  expect([redo(third), undo(third).edits]).toEqual([third, first.edits]);
  const written = withoutWritten(undo(second), (edits) => withoutEdits(edits, [one]));
  expect([undo(written), redo(written)]).toEqual([written, written]);
  expect(written.edits.size).toBe(0);
});
