import { asTexts } from '../src/pages/devices/edit/as-texts';
import { cellFaults, rejectedMessage, rejectedTitle } from '../src/pages/devices/edit/cell-faults';
import { countedCells } from '../src/pages/devices/edit/edit-titles';
import { operationOf, writesOf } from '../src/pages/devices/edit/batch-operations';
import { NO_EDITS, withEdits, withoutCells, withoutEdits } from '../src/pages/devices/edit/cell-edit';
import { winnerOver } from '../src/pages/devices/edit/cell-levels';
import { levelsOfCell } from '../src/pages/devices/edit/cell-value';
import { writeCell } from '../src/pages/devices/edit/write-cell';
import { chosen, context, editOf, entered, level, operationsOf, row } from './support/edited-cells';

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

it('counts what is set on a level as a value of the level, and no cell of a device', () => {
  const one = row(1, { kernel: [level('region', 1, '6.8', 4)] });
  const region = levelsOfCell(context, one, 'var:kernel').at(-1);
  const onRegion = editOf(writeCell(context, one, 'var:kernel', '6.9', { level: chosen(region, 1) }));
  const onDevice = editOf(writeCell(context, one, 'active', 'false'));
  expect(countedCells([onRegion])).toBe('1 value of 1 region');
  expect(countedCells([onDevice, onRegion])).toBe('1 value of 1 device and 1 value of 1 region');
});

it.each([
  // Clearing an item moves those behind it.
  [
    ['a', 'b', 'c'],
    [
      ['[0]', ''],
      ['[1]', 'x'],
    ],
    ['x', 'c'],
  ],
  [
    ['a', 'b', 'c'],
    [
      ['[0]', ''],
      ['[2]', ''],
    ],
    ['b'],
  ],
  [
    [{ a: 1 }, { a: 2 }],
    [
      ['[0]', ''],
      ['[1].a', '3'],
    ],
    [{ a: 3 }],
  ],
  // A value that is edited after its parts replaces them, and parts are changed in the value that was edited before.
  [
    { a: 1, b: 1 },
    [
      ['.a', '2'],
      ['', '{"c": 1}'],
    ],
    { c: 1 },
  ],
  [
    { a: 1, b: 1 },
    [
      ['', '{"c": 1}'],
      ['.a', '2'],
    ],
    { c: 1, a: 2 },
  ],
  [
    { a: { b: 1 } },
    [
      ['.a', '{"c": 1}'],
      ['.a.b', '2'],
      ['.a.c', ''],
    ],
    { a: { b: 2 } },
  ],
  [
    'text',
    [
      ['', '{}'],
      ['.a', '2'],
    ],
    { a: 2 },
  ],
] as const)('%j, edited by %j, is %j', (value, texts, expected) => {
  const own = row(1, { dns: [level('host', 1, value, 4)] });
  const edits = entered(
    own,
    texts.map(([part, text]) => [`var:dns${part}`, text] as const),
  );
  const write = {
    ...{ method: 'PUT', path: '/v1/hosts/1/variables/dns', if_match: '"c4"' },
    body: { value: expected },
  };
  expect(operationsOf(edits.values())).toEqual([write]);
});

it('what undoes the edit of a value drops the edits of its parts, and applied edits leave those made meanwhile', () => {
  const own = row(1, { dns: [level('host', 1, 'text', 4)], a: [level('host', 1, 1, 5)] });
  const edits = entered(own, [
    ['var:dns', '{}'],
    ['var:dns.a', '2'],
    ['var:a', '2'],
  ]);
  expect([...withoutCells(edits, [{ device: 1, column: 'var:dns' }]).keys()]).toEqual(['1/var:a']);
  const again = withEdits(edits, [editOf(writeCell({ ...context, edits }, own, 'var:a', '3'))]);
  expect([...withoutEdits(again, [...edits.values()]).keys()]).toEqual(['1/var:a']);
});

it('a part is written into what its own level sets, or not at all', () => {
  const one = row(1, {
    a: [level('region', 1, 'abc', 4), level('host', 1, { b: 1 }, 5)],
    dns: [level('host', 1, ['x', 'y'], 6)],
  });
  const at = (column: string) => {
    const region = levelsOfCell(context, one, column).at(-1);
    return writeCell(context, one, column, '2', { level: chosen(region, 1) });
  };
  const problem = (path: string, key: string) => ({
    problem: `${path} cannot be set on the region north: it has no such object or list. Set ${key} as a whole.`,
  });
  expect(at('var:a.b')).toEqual(problem('a.b', 'a'));
  // What the device has is not copied to its region.
  expect(at('var:dns[1]')).toEqual(problem('dns[1]', 'dns'));
  // Somebody else has replaced the value meanwhile, or removed it.
  const [write] = writesOf([editOf(writeCell(context, one, 'var:a.b', '2'))]);
  if (!write) throw new Error('there is no write');
  for (const current of [{ value: 7, etag: '"c8"' }, undefined])
    expect(() => operationOf(write, { current })).toThrow('a.b cannot be set on the host web-1');
});

it('what is edited again is still written only over what was read before the first edit', () => {
  const before = row(1, { dns: [level('host', 1, { a: 1, b: 1 }, 4)] });
  const after = { ...row(1, { dns: [level('host', 1, { a: 5, b: 1 }, 9)] }), version: 8, note: 'theirs' };
  let edits = entered(before, [
    ['var:dns.a', '2'],
    ['note', 'mine'],
  ]);
  for (const [column, text] of [
    ['var:dns.a', '3'],
    ['var:dns.b', '4'],
    ['note', 'ours'],
  ] as const)
    edits = withEdits(edits, [editOf(writeCell({ ...context, edits }, after, column, text))]);
  expect(operationsOf(edits.values())).toEqual([
    { method: 'PUT', path: '/v1/hosts/1', if_match: '"3"', body: { note: 'ours' } },
    {
      ...{ method: 'PUT', path: '/v1/hosts/1/variables/dns', if_match: '"c4"' },
      body: { value: { a: 3, b: 4 } },
    },
  ]);
  expect(edits.get('1/note')?.change).toMatchObject({ base: null });
});

it('of labels, the last one by name takes precedence', () => {
  const one = {
    ...row(1, { kernel: [level('region', 1, 1, 4), { ...level('label', 3, 2, 5), name: 'm' }] }),
    labels: 'a,m,z',
  };
  const winners = levelsOfCell(context, one, 'var:kernel').map((option) => [
    option.name,
    winnerOver(option, one, 'kernel')?.name,
  ]);
  expect(winners).toEqual([
    ['web-1', undefined],
    ['a', 'm'],
    ['m', undefined],
    ['z', undefined],
    ['north/rack-a', 'm'],
    ['north', 'm'],
  ]);
});

describe('a rejected operation of edited cells', () => {
  const one = row(1, { kernel: [level('region', 1, 6.8, 4)], dns: [level('host', 1, { a: 1, b: 1 }, 5)] });
  const [, , , region] = levelsOfCell(context, one, 'var:kernel');
  // The operations: the members of the device, dns of the device, kernel of the region.
  const edits = [
    ...['note', 'active'].map((column) => editOf(writeCell(context, one, column, 'no'))),
    ...['var:dns.a', 'var:dns.b'].map((column) => editOf(writeCell(context, one, column, '2'))),
    editOf(writeCell(context, one, 'var:kernel', '6.12', { level: chosen(region, 1) })),
  ];

  it.each([
    [{ index: 0, field: 'note' }, 'web-1, Note', ['note']],
    [{ index: 0, field: undefined }, 'web-1, Note and Active', ['note', 'active']],
    [{ index: 1, field: 'variables.dns/a' }, 'web-1, dns.a and dns.b', ['var:dns.a', 'var:dns.b']],
    [{ index: 2, field: 'variables.kernel' }, 'region north, kernel', ['var:kernel']],
    [{ index: 7, field: undefined }, 'Operation 8', []],
  ])('%j is named %j, and its message stands at %j', (rejected, title, columns) => {
    expect(rejectedTitle(edits, rejected)).toBe(title);
    const faults = cellFaults(edits, [{ ...rejected, message: 'is wrong' }]);
    expect([...faults].map(([{ column }, message]) => [column, message])).toEqual(
      columns.map((column) => [column, 'is wrong']),
    );
  });

  it.each([
    ['note', 'is wrong'],
    ['cell_id', 'cell_id: is wrong'],
  ])('of %s: %s, behind a title that names the fields that are written', (field, shown) => {
    const message = `${field}: is wrong`;
    expect(rejectedMessage(edits, { index: 0, field, message })).toBe(shown);
    const variable = 'variables.kernel';
    const ofVariable = { index: 2, field: variable, message: `${variable}: is wrong` };
    expect([...cellFaults(edits, [ofVariable]).values()]).toEqual(['is wrong']);
    const ofPart = { index: 1, field: 'variables.dns/a', message: 'variables.dns/a: is wrong' };
    expect(rejectedMessage(edits, ofPart)).toBe('variables.dns/a: is wrong');
  });

  it('can be made of texts, where it is of numbers', () => {
    const all = withEdits(NO_EDITS, edits);
    const textsOf = (variable: string) =>
      asTexts(all, variable).map(({ column, change }) => [column, change.value]);
    expect(textsOf('kernel')).toEqual([['var:kernel', { value: '6.12' }]]);
    expect(textsOf('dns.a')).toEqual([['var:dns.a', { value: '2' }]]);
    expect(textsOf('note')).toEqual([]);
  });
});
