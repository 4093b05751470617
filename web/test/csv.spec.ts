import { VARIABLE_CELLS } from '../../test/support/csv-cells';
import { jsonText } from '../src/api/exact-json';
import {
  columnNameOf,
  enteredTarget,
  guessTargets,
  meaningOf,
  targetsProblem,
} from '../src/pages/import/column-targets';
import { headerText, readHead, RecordReader, withCells } from '../src/pages/import/csv';
import { readColumns, readCsvHead } from '../src/pages/import/csv-file';

const MEMBERS = ['name', 'region', 'cell', 'ip_address', 'device_type', 'labels', 'note'];

describe('the head of a table', () => {
  it.each([
    ['name,ip\nweb-1,10.0.0.1\n', ',', ['name', 'ip'], [['web-1', '10.0.0.1']], 8],
    ['\uFEFFname;ip\r\nweb-1;10.0.0.1', ';', ['name', 'ip'], [['web-1', '10.0.0.1']], 12],
    ['sep=\t\nname\tip\n', '\t', ['name', 'ip'], [], 14],
    [
      '\n\nname,"a ""b""\nc"\n1,"2,\n3"\n\n,\n4,5\n',
      ',',
      ['name', 'a "b"\nc'],
      [
        ['1', '2,\n3'],
        ['4', '5'],
      ],
      19,
    ],
    // Tables that several programs have written: line ends differ.
    [
      'name,a\r\nb,1\nc,2\r\n',
      ',',
      ['name', 'a'],
      [
        ['b', '1'],
        ['c', '2'],
      ],
      8,
    ],
    ['name,"a\r\n"\nb,1\r\nc,2\rd', ',', ['name', 'a'], [['b', '1'], ['c', '2'], ['d']], 11],
  ])('%j', (text, separator, names, records, headerBytes) => {
    expect(readHead(text, true, 10)).toMatchObject({ separator, names, records, headerBytes });
  });

  it('has no record that the part may not have completely', () => {
    expect(readHead('name,ip\nweb-1,10.0.0.1\nweb-2,10.0', false, 10)?.records).toEqual([
      ['web-1', '10.0.0.1'],
    ]);
    expect(readHead(' \n', true, 10)).toBeUndefined();
  });

  it('is written for the service: ignored columns begin with #', () => {
    const head = readHead('Host;Room;"Serial; no"\n', true, 1);
    if (!head) throw new Error('no head');
    expect(headerText(head, ['name', '', 'variables.serial'], ['region'])).toBe(
      'name;#Room;variables.serial;region\n',
    );
    expect(headerText(head, ['name', '', ''])).toBe('name;#Room;"#Serial; no"\n');
  });
});

describe('the bytes of a table', () => {
  it('in another encoding are refused: its header cannot be cut off', async () => {
    const windows1252 = new Blob([Uint8Array.from('name;Gerät\nweb-1;x\n', (char) => char.charCodeAt(0))]);
    const utf16 = new Blob([Uint8Array.of(0xff, 0xfe, 0x6e, 0x00)]);
    for (const file of [windows1252, utf16])
      await expect(readCsvHead(file)).rejects.toThrow('The file is not UTF-8: save it as “CSV UTF-8”.');
  });

  it('are counted; what is read of a long table may end within a character', async () => {
    expect(await readCsvHead(new Blob(['\uFEFFname;Gerät\nweb-1;x\n']))).toMatchObject({ headerBytes: 15 });
    for (const beginning of ['name\n', 'names\n'])
      expect(await readCsvHead(new Blob([beginning, 'ä'.repeat(200_000)]))).toMatchObject({
        headerBytes: beginning.length,
      });
    // The whole file may not.
    await expect(readCsvHead(new Blob(['name\n', Uint8Array.of(0xc3)]))).rejects.toThrow('not UTF-8');
  });
});

describe('cells for every record', () => {
  const text = 'web-1,"a\r\nb"\r\n\r\n,,\nweb-2,"x""y"\rweb-3,5"\r\n"",6""\r\n\nweb-4,';
  const expected = 'web-1,"a\r\nb",n\n\n,,\nweb-2,"x""y",n\nweb-3,"5""",n\n,"6""""",n\n\nweb-4,,n\n';

  it.each([1, 2, 3, 5, 100])('are appended in parts of %i characters', (size) => {
    const head = { separator: ',' };
    const reader = new RecordReader(head);
    const parts = text.match(new RegExp(`[^]{1,${String(size)}}`, 'g')) ?? [];
    const records = [...parts.map((part) => reader.read(part)), reader.end()];
    expect(records.map((some) => withCells(some, ['n'], head)).join('')).toBe(expected);
  });
});

it('the records of a table end with LF, CRLF or CR, whatever its header ends with', async () => {
  const table = new Blob(['name,a,b\r\n', 'web-1,6.8,x\n'.repeat(3), 'web-2,6.9,y\r']);
  expect(await readColumns(table, await readCsvHead(table))).toEqual([
    { text: 'web-1', isAmbiguous: false },
    { text: undefined, isAmbiguous: true },
    { text: 'x', isAmbiguous: false },
  ]);
});

it('a quote that is not closed ends the reading of a table', async () => {
  const table = new Blob(['name,a\n', 'web-1,"6.8\n', 'web-2,6.9\n'.repeat(1_000_000)]);
  await expect(readColumns(table, await readCsvHead(table))).rejects.toThrow('longer than 8 MB');
});

describe('columns', () => {
  it('are guessed from their names', () => {
    expect(
      guessTargets(['Hostname', 'IP', 'Rack', 'Site', 'Rack unit', 'name', '', 'variables.a', '#x'], MEMBERS),
    ).toEqual(['name', 'ip_address', 'cell', 'region', 'variables.Rack_unit', '', '', 'variables.a', '']);
    expect(guessTargets(['name', 'variables.a:text'], MEMBERS)).toEqual(['name', 'variables.a']);
  });

  it.each([
    ['Kernel', 'variables.kernel'],
    ['rack unit', 'variables.rack_unit'],
    ['Rack-Unit', 'variables.rack_unit'],
    ['RACKUNIT', 'variables.rack_unit'],
    ['variables.Kernel:text', 'variables.kernel'],
    ['SITE code', 'variables.Site-Code'],
    // That key is in use, too.
    ['OS_Family', 'variables.OS_Family'],
    ['kernels', 'variables.kernels'],
    // Members come first.
    ['IP Address', 'ip_address'],
  ])('with the name %s become the variable in use that is written in another way: %s', (name, target) => {
    const keys = ['kernel', 'rack_unit', 'Site-Code', 'os_family', 'OS_Family', 'ip-address'];
    expect(guessTargets([name], MEMBERS, keys)).toEqual([target]);
  });

  it('with two forms of a key in use become that key and another one', () => {
    const keys = ['kernel'];
    const [own, known] = ['variables.Kernel', 'variables.kernel'];
    expect(guessTargets(['Kernel', 'kernel'], MEMBERS, keys)).toEqual([own, known]);
    expect(guessTargets(['KERNEL', 'Kernel'], MEMBERS, keys)).toEqual([known, own]);
  });

  it.each([
    ['variables.a:text ', { target: 'variables.a', kind: 'text' }],
    ['variables.a:tex', { target: 'variables.a:tex' }],
    [' note', { target: 'note' }],
    ['note:text', { target: 'note:text' }],
  ])('are entered as %j', (text, entered) => {
    expect(enteredTarget(text)).toEqual(entered);
  });

  it.each([
    [['name', 'variables.a', ''], undefined],
    [['name', 'name'], 'Two columns become name.'],
    [['region'], 'Choose the column with the name of the device.'],
    [['name', 'rack'], 'There is no member "rack". For a variable, enter variables.rack.'],
  ])('%j: %s', (targets, problem) => {
    expect(targetsProblem(targets, MEMBERS)).toBe(problem);
  });

  it.each([
    ['name', ' web-1 ', { does: 'set', value: 'web-1' }],
    ['cell', ' ', { does: 'nothing' }],
    ['cell', '(unset)', { does: 'unset' }],
    ['variables.a', '', { does: 'nothing' }],
    ['variables.a', '(unset)', { does: 'unset' }],
  ])('%s, %j', (target, cell, meaning) => {
    for (const kind of ['mixed', 'text'] as const) expect(meaningOf(target, cell, kind)).toEqual(meaning);
  });

  it.each(VARIABLE_CELLS)('of variables have %j as the service reads it', (cell, value, inTexts) => {
    const meanings = (['mixed', 'text'] as const).map((kind) => meaningOf('variables.a', cell, kind));
    // As numbers: engines without `JSON.rawJSON` do not keep the digits of 6.10.
    const values = meanings.map((meaning): unknown =>
      meaning.does === 'set' ? JSON.parse(jsonText(meaning.value)) : meaning.does,
    );
    expect(values).toEqual([JSON.parse(value), JSON.parse(inTexts)]);
  });

  it('have texts if a cell can only be a text', async () => {
    const table = new Blob(['name,a,b\n', 'web-1,6.8,1\nweb-2,', '6.10,2\n,,\nweb-3,[1],3']);
    const head = await readCsvHead(table);
    expect(await readColumns(table, head)).toEqual([
      { text: 'web-1', isAmbiguous: false },
      { text: '6.10', isAmbiguous: true },
      { text: undefined, isAmbiguous: true },
    ]);
    expect([
      columnNameOf('variables.a', 'text'),
      columnNameOf('variables.a', 'mixed'),
      columnNameOf('name', 'text'),
    ]).toEqual(['variables.a:text', 'variables.a', 'name']);
  });
});
