import { Readable } from 'node:stream';
import {
  importColumns,
  formatJsonCell,
  formatTextCell,
  formatVariableCell,
  parseJsonCell,
  parseVariableCell,
  parseTextCell,
  variableColumn,
} from '../../src/bulk/csv/csv-columns';
import { readCsv } from '../../src/bulk/csv/csv-reader';
import { losesDigits } from '../../src/bulk/csv/lost-digits';
import { VARIABLE_CELLS } from '../support/csv-cells';
import { until } from '../support/until';

const CRLF = '\r\n';

const columns = importColumns([
  ...['name', 'region', 'cell', 'parent', 'ip_address', 'device_type'].map((lineName) => ({
    lineName,
    type: 'text' as const,
  })),
  { lineName: 'active', type: 'boolean' },
  { lineName: 'note', type: 'long text' },
  { lineName: 'labels', type: 'labels' },
  { lineName: 'vlans', type: 'json' },
]);

/** Reads a table in pieces of this length. @returns its lines */
async function read(table: string | Buffer, pieceLength?: number): Promise<[number, unknown][]> {
  const bytes = Buffer.from(table);
  // Short pieces find errors at their boundaries, but a long table would have too many of them.
  pieceLength ??= Math.max(7, Math.ceil(bytes.length / 100));
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += pieceLength) pieces.push(bytes.subarray(at, at + pieceLength));
  const lines: [number, unknown][] = [];
  for await (const { line, content } of readCsv(Readable.from(pieces), columns)) {
    expect(String(content)).not.toMatch(/[\r\n]/);
    lines.push([line, typeof content === 'string' ? JSON.parse(content) : content.message]);
  }
  return lines;
}

const membersOf = async (table: string | Buffer) => (await read(table)).map(([, members]) => members);

describe('readCsv', () => {
  it('reads each record as a host unless it has another kind', async () => {
    const table = [
      'name,kind,region,labels,active,vlans,variables.rack',
      'node1,,r1,"web,db",true,,4',
      'sw1,network-device,r1,,FALSE,"[1, 2]",',
    ].join(CRLF);
    expect(await read(table)).toEqual([
      [
        2,
        {
          kind: 'host',
          name: 'node1',
          region: 'r1',
          labels: ['web', 'db'],
          active: true,
          variables: { rack: 4 },
        },
      ],
      [3, { kind: 'network-device', name: 'sw1', region: 'r1', active: false, vlans: [1, 2] }],
    ]);
  });

  it.each([
    ['commas', ',', CRLF, ''],
    ['semicolons', ';', CRLF, ''],
    ['tabs', '\t', '\n', ''],
    ['a byte order mark', ';', CRLF, '\ufeff'],
    ['CR line ends', ',', '\r', ''],
    ['leading empty lines', ',', '\n', '\n\r\n'],
  ])('accepts %s', async (_, delimiter, end, before) => {
    const records = [
      ['name', '"region"', 'note'],
      ['a', 'b', '"x,y;z\t""q"""'],
    ];
    const table = before + records.map((record) => record.join(delimiter) + end).join('');
    for (const pieceLength of [1, 5, 1000]) {
      const [[, line] = []] = await read(table, pieceLength);
      expect(line).toEqual({ kind: 'host', name: 'a', region: 'b', note: 'x,y;z\t"q"' });
    }
  });

  it('reads numbers and booleans as texts in a column that says so', async () => {
    const cells = ['6.8', '6.10', ' 7', 'true', 'x', 'null', '"8"', '[9]', '(unset)', ''];
    const values = ['6.8', '6.10', ' 7', 'true', 'x', null, '8', [9], null, undefined];
    const quoted = cells.map((cell) => `"${cell.replaceAll('"', '""')}"`);
    const table = `name,variables.a:text,variables.b\n${quoted.map((cell) => `n,${cell},1\n`).join('')}`;
    expect(await membersOf(table)).toEqual(
      values.map((a) => ({
        kind: 'host',
        name: 'n',
        variables: { ...(a === undefined ? {} : { a }), b: 1 },
      })),
    );
    await expect(membersOf('name,variables.a:text,variables.a\n')).rejects.toThrow(
      '"variables.a" appears twice',
    );
    await expect(membersOf('name,variables.a:json\n')).rejects.toThrow('"variables.a:json"');
  });

  it('returns the line on which each record begins', async () => {
    const table = `name,note${CRLF}a,"1\n2\r\n3\r4"${CRLF}${CRLF},${CRLF}b,x${CRLF}c,`;
    expect(await read(table)).toEqual([
      [2, { kind: 'host', name: 'a', note: '1\n2\r\n3\r4' }],
      [8, { kind: 'host', name: 'b', note: 'x' }],
      [9, { kind: 'host', name: 'c' }],
    ]);
  });

  it('reports each record with a wrong number of cells, and continues', async () => {
    const cells = (count: number) => `The record has ${String(count)} cells, but the header has 2 columns.`;
    expect(await read('name,note\na,b,c\nb\nc,d\nd,,x\n')).toEqual([
      [2, cells(3)],
      [3, cells(1)],
      [4, { kind: 'host', name: 'c', note: 'd' }],
      [5, cells(3)],
    ]);
  });

  it('accepts spaces around column names, and empty columns', async () => {
    const host = { kind: 'host', name: 'a', note: 'b' };
    expect(await membersOf(' name ; ;note;;\na;;b;;\na;;b\na; ;b;;;\n')).toEqual([host, host, host]);
    expect(await membersOf('name;;note;;\na;x;b;;\na;;b;;y\na;;b;;;z\n')).toEqual([
      'The record has a value in column 2, which has no name in the header.',
      'The record has a value in column 5, which has no name in the header.',
      'The record has 6 cells, but the header has 3 columns.',
    ]);
  });

  it.each([
    [';', CRLF],
    [',', '\n'],
    ['\t', '\r'],
  ])('accepts a first line sep=%j', async (delimiter, end) => {
    const records = [[`\ufeffsep=${delimiter}`], ['name', 'note'], ['a', '"b,c;d\te"'], ['sep=', 'x']].map(
      (record) => record.join(delimiter),
    );
    for (const pieceLength of [1, 5, 1000])
      expect(await read(records.join(end), pieceLength)).toEqual([
        [3, { kind: 'host', name: 'a', note: 'b,c;d\te' }],
        [4, { kind: 'host', name: 'sep=', note: 'x' }],
      ]);
  });

  it('keeps every digit', async () => {
    const texts: unknown[] = [];
    for await (const { content } of readCsv(
      Readable.from([Buffer.from('name,variables.n\na,9007199254740993\nb,-1.25\nc,"{""x"":\n1e3}"\n')]),
      columns,
    ))
      texts.push(content);
    expect(texts).toEqual([
      '{"kind":"host","name":"a","variables":{"n":9007199254740993}}',
      '{"kind":"host","name":"b","variables":{"n":-1.25}}',
      '{"kind":"host","name":"c","variables":{"n":{"x": 1e3}}}',
    ]);
  });

  it.each([
    ['1', 1],
    ['"1"', '1'],
    ['01', '01'],
    ['10.0.0.1', '10.0.0.1'],
    ['true', true],
    ['TRUE', 'TRUE'],
    ['null', null],
    ['"null"', 'null'],
    ['nul', 'nul'],
    ['""', ''],
    ['"', '"'],
    ['[1', '[1'],
    [' 1 ', 1],
    [' x ', ' x '],
    ['=SUM(A1)', '=SUM(A1)'],
    ['"=SUM(A1)"', '=SUM(A1)'],
    ['{"a": "b"}', { a: 'b' }],
    ['__proto__', '__proto__'],
  ])('reads %s in a variable column as %j', async (cell, value) => {
    const quoted = `"${cell.replaceAll('"', '""')}"`;
    const [line] = await membersOf(`name,variables.v\nn,${quoted}\n`);
    expect(line).toEqual({ kind: 'host', name: 'n', variables: { v: value } });
  });

  it.each([
    ['1', '1'],
    ['true', 'true'],
    ['[x]', '[x]'],
    ['null', null],
    ['"null"', 'null'],
    ['""', ''],
    ['"a" and "b"', '"a" and "b"'],
    ['"-x"', '-x'],
  ])('reads %s in a text column as %j', async (cell, value) => {
    const quoted = `"${cell.replaceAll('"', '""')}"`;
    const [line] = await membersOf(`name,note\nn,${quoted}\n`);
    expect(line).toEqual({ kind: 'host', name: 'n', note: value });
  });

  it.each([
    ['web, db ', ['web', 'db']],
    ['"=a, b"', ['=a', 'b']],
    ['[" web","db"]', [' web', 'db']],
    ['["a",\n"b"]', ['a', 'b']],
    ['[a, b]', ['[a', 'b]']],
    ['null', null],
  ])('reads %s in the labels column as %j', async (cell, labels) => {
    const quoted = `"${cell.replaceAll('"', '""')}"`;
    const [line] = await membersOf(`name,labels\nn,${quoted}\n`);
    expect(line).toEqual({ kind: 'host', name: 'n', labels });
  });

  it('reads (unset) as null or no labels, and returns the variables that it unsets', async () => {
    const table = 'name,note,labels,variables.a,variables.b,variables.c\nn,(unset),(unset),(unset),x,\n';
    for await (const { content, unsetKeys, columns: named } of readCsv(
      Readable.from([Buffer.from(table)]),
      columns,
    )) {
      expect(JSON.parse(content as string)).toEqual({
        kind: 'host',
        name: 'n',
        note: null,
        labels: [],
        variables: { a: null, b: 'x' },
      });
      expect(unsetKeys).toEqual(['a']);
      expect(named).toMatchObject({ members: ['name', 'note', 'labels'], keys: ['a', 'b', 'c'] });
    }
    expect.assertions(3);
  });

  it.each(VARIABLE_CELLS)('reads %j in the column of a variable', (cell, value, inTexts) => {
    const parsed = ['variables.a', 'variables.a:text'].map((name) =>
      variableColumn(name)?.parse(cell).trim(),
    );
    expect(parsed).toEqual([value, inTexts]);
  });

  it.each([
    ['6.10', '6.1'],
    ['-1.00', '-1'],
    ['0.0', '0'],
    ['100', '100'],
    ['12345678901234567890.50', '12345678901234567890.5'],
    ['[1.10]', '[1.10]'],
    ['"6.10"', '"6.10"'],
    ['"1e3"', '"1e3"'],
  ])('%s is exported as %s, which is read as the same value', (json, cell) => {
    expect(formatVariableCell(json)).toBe(cell);
    expect(JSON.parse(parseVariableCell(cell))).toEqual(JSON.parse(json));
  });

  it.each(['0123', '+5', '-007', '0.50', '5.', ' +1.5 ', '1.2.3', '0x10', '1 2', '+'])(
    'keeps the text %j',
    (cell) => {
      expect(JSON.parse(parseVariableCell(cell))).toBe(cell);
    },
  );

  it.each(['(unset)', '"(unset)"'])('keeps the text %s exactly', (text) => {
    for (const [format, parse] of [
      [formatTextCell, parseTextCell],
      [(value: string) => formatVariableCell(JSON.stringify(value)), parseVariableCell],
    ] as const) {
      const cell = format(text);
      expect(cell).not.toBe('(unset)');
      expect(JSON.parse(parse(cell))).toBe(text);
    }
  });

  it('reads an empty text as no labels, and omits labels for an empty cell', async () => {
    const [none, omitted] = await membersOf('name,labels\na,""""""\nb,\n');
    expect(none).toEqual({ kind: 'host', name: 'a', labels: [] });
    expect(omitted).toEqual({ kind: 'host', name: 'b' });
  });

  it.each([
    ['nothing', '', 'body: is empty'],
    ['empty lines', '\n\n', 'body: is empty'],
    [
      'an unknown column',
      'name,regoin,Noté\n',
      '"regoin" is not a column (for a variable, use "variables.regoin"); "Noté" is not a column (for',
    ],
    ['an invalid column name', 'name,a b\n', '"a b" is not a column'],
    ['a duplicate column', 'name,note,note\n', '"note" appears twice'],
    ['a duplicate column in other letters', 'name,Note,NOTE\n', '"note" appears twice'],
    ['no name column', 'region,note\n', 'the column "name" is missing'],
    ['an invalid variable key', 'name,variables.a b\n', '"a b" is not a valid key'],
    [
      'more columns than spreadsheets have',
      `name,${Array.from({ length: 16_384 }, (_, i) => `variables.k${String(i)}`).join()}\n`,
      'there are 16385 columns, but the maximum is 16384',
    ],
    ['an unterminated quote', 'name,note\na,"b\n', 'body: is not CSV'],
    [
      'bytes that are not UTF-8',
      Buffer.from('name,note\na,\xe4\n', 'latin1'),
      'body: is not UTF-8: save it as CSV UTF-8',
    ],
    [
      'bytes that are not UTF-8 at the end',
      Buffer.from('name,note\na,\xe4', 'latin1'),
      'body: is not UTF-8: save it as CSV UTF-8',
    ],
  ])('rejects a table with %s', async (_, table, message) => {
    await expect(read(table)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining(message) as string,
    });
  });

  it('closes the table when the consumer stops', async () => {
    let closed = false;
    async function* endless(): AsyncGenerator<Buffer> {
      try {
        yield Buffer.from('name\n');
        for (;;) yield await Promise.resolve(Buffer.from('a\n'));
      } finally {
        closed = true;
      }
    }
    for await (const { line } of readCsv(endless(), columns)) if (line > 10) break;
    await until('the table is closed', 60, () => Promise.resolve(closed));
  });

  it('throws the error of the byte stream', async () => {
    async function* broken(): AsyncGenerator<Buffer> {
      yield Buffer.from('name\na\n');
      throw await Promise.resolve(new Error('disconnected'));
    }
    await expect(
      (async () => {
        for await (const line of readCsv(broken(), columns)) expect(line.line).toBe(2);
      })(),
    ).rejects.toThrow('disconnected');
  });
});

it('ignores the case of the names of columns, but not of the keys of variables', async () => {
  const table = 'Name,REGION,Ip_Address,Variables.Port,variables.port\na,r,10.0.0.1,1,2\n';
  expect(await membersOf(table)).toEqual([
    { kind: 'host', name: 'a', region: 'r', ip_address: '10.0.0.1', variables: { Port: 1, port: 2 } },
  ]);
});

it('ignores spaces around names, addresses and types, but not in notes and variables', async () => {
  const cells = ['web-2 ', '\u00a0north', ' 10.1.0.2', 'server\t', ' TRUE ', ' n ', ' x '].join();
  const table = `name,region,ip_address,device_type,active,note,variables.x\n${cells}\nweb-3, ,,,,,\n`;
  expect(await membersOf(table)).toEqual([
    {
      ...{ kind: 'host', name: 'web-2', region: 'north', ip_address: '10.1.0.2', device_type: 'server' },
      ...{ active: true, note: ' n ', variables: { x: ' x ' } },
    },
    { kind: 'host', name: 'web-3' },
  ]);
});

describe('a number in a table loses digits of the stored one', () => {
  it.each([
    ['90071992547409931', '90071992547409900', true],
    ['-90071992547409931', '-90071992547409900', true],
    ['99999999999999999', '100000000000000000', true],
    ['0.12345678901234567', '0.123456789012346', true],
    ['4200000001', '4200000002', false],
    ['4200000001', '4200000000', false],
    ['90071992547409931', '90071992547409000', false],
    ['90071992547409931', '900719925474099000', false],
    ['0.00012345678901234567', '0.000123456789012346', true],
    ['-0.12345678901234567', '0.123456789012346', false],
    ['0', '0.000', false],
  ])('%s is replaced by %s: %s', (stored, cell, expected) => {
    expect(losesDigits(stored, cell)).toBe(expected);
  });

  it('is not decided by building numbers of other magnitudes', () => {
    const large = `1${'0'.repeat(131_000)}`;
    const build = jest.spyOn(globalThis, 'BigInt');
    try {
      for (const [stored, cell] of [
        [large, '5'],
        ['5', large],
        [`0.${large}`, large],
      ] as const)
        expect(losesDigits(stored, cell)).toBe(false);
      expect(build).not.toHaveBeenCalled();
      expect(losesDigits('90071992547409931', '90071992547409900')).toBe(true);
      expect(build).toHaveBeenCalled();
    } finally {
      build.mockRestore();
    }
  });
});

describe('a cell nested more than 100 levels deep', () => {
  const deep = '['.repeat(101);

  it('counts as JSON, so that the depth check of the line rejects it', () => {
    expect(parseJsonCell(deep)).toBe(deep);
    expect(parseJsonCell('['.repeat(100))).toBe(JSON.stringify('['.repeat(100)));
  });

  it('is exported with quotes if it is a string', () => {
    const cell = formatJsonCell(JSON.stringify(deep));
    expect(cell).toBe(JSON.stringify(deep));
    expect(parseJsonCell(cell)).toBe(cell);
    for (const text of [deep, `"${deep}`, `"" ${deep}`])
      expect(JSON.parse(parseTextCell(formatTextCell(text)))).toBe(text);
  });
});

it.each([
  // The cell, and whether it is likely a list or object with a mistake.
  ['["10.1.0.7","10.1.0.9"', true],
  ['[10.1.0.7]', true],
  [' {"a": 1', true],
  ['{a: 1}', true],
  ['["10.1.0.7"]', false],
  [' {"a": 1} ', false],
  ['"[10.1.0.7]"', false],
  ['{{ ntp }}', false],
  ['{% if a %}', false],
  ['10.1.0.7', false],
  ['', false],
])('finds broken lists and objects outside columns of texts: %j', async (cell, isBroken) => {
  const row = `x,"${cell.replaceAll('"', '""')}"`;
  const bytes = Buffer.from(`name,variables.a\n${row}\n`);
  const texts = Buffer.from(`name,variables.a:text\n${row}\n`);
  for (const [table, expected] of [
    [bytes, isBroken ? ['a'] : []],
    [texts, []],
  ] as const)
    for await (const { invalidJsonKeys } of readCsv(Readable.from([table]), columns))
      expect(invalidJsonKeys).toEqual(expected);
});
