import { existsSync } from 'node:fs';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { parse, parseDocument } from 'yaml';
import { parse as parseCsv } from 'csv-parse/sync';
import { sharedService } from '../support/service';
import type { Caller } from '../support/caller';
import { environmentOf, muster, MUSTER, printed } from '../support/shell';

const app = sharedService();
let admin: Caller;

beforeAll(async () => {
  admin = await app.project();
  const { id } = await admin.region({ name: 'north' });
  await admin.host({ name: 'web-1', region_id: id, note: NOTE, device_type: '=1+1', active: false });
  // JavaScript's own JSON would round these numbers.
  await admin
    .put(`/v1/hosts/${String(await idOf('web-1'))}/variables`)
    .set('content-type', 'application/json')
    .send(`{${VARIABLES.map(([key, value]) => `"${key}":${value}`).join(',')}}`)
    .expect(200);
  await admin.host({ name: '日本-2', region_id: id, note: 'a wide name', labels: ['b', 'a'] });
});

/** A text that would clear the screen and rename the terminal window. */
const NOTE = 'before\u001b[2J\u001b]0;owned\u0007\u009b31m\u202eafter\nnext';

const VARIABLES = [
  ['big', '9007199254740993'],
  ['price', '1.10'],
  ['text', '"1.10"'],
  ['yes', '"yes"'],
  ['octal', '"0123"'],
  ['time', '"12:30:45"'],
  ['equals', '"="'],
  ['none', 'null'],
  ['__proto__', '{"a":1.10}'],
  ['ntp_servers', '["10.0.0.1","10.0.0.2"]'],
  ['name', '"not the name of the host"'],
  ['turned', '{"to \u202e":"\u202eback"}'],
  ['motd', '"line 1\\nline 2"'],
] as const;

const idOf = async (name: string): Promise<number> =>
  (await admin.get(`/v1/hosts?name=${name}&fields=id`).expect(200)).body[0].id;

const list = (...args: string[]) => printed(admin, ['host', 'list', '--sort-key', 'id', ...args]);
const show = (...args: string[]) => printed(admin, ['host', 'show', 'web-1', ...args]);

describe('a table', () => {
  it('aligns columns even with wide characters, and is not truncated in a pipe', async () => {
    expect(await list('--fields', 'name,device_type,active,labels')).toBe(
      [
        'NAME    DEVICE_TYPE  ACTIVE  LABELS',
        'web-1   =1+1         false',
        '日本-2  server       true    a,b',
        '',
      ].join('\n'),
    );
  });

  it('escapes control characters', async () => {
    const lines = (await list('--fields', 'name,note')).split('\n');
    expect(lines[1]).toBe('web-1   before\\u001b[2J\\u001b]0;owned\\u0007\\u009b31m\\u202eafter\\nnext');
    expect(lines).toHaveLength(4);
  });

  it('shows times without fractions of a second, and texts unchanged', async () => {
    const time = '2026-11-20T14:37:06.123456';
    const other = await app.project();
    const { created_at } = await other.host({ note: time });
    const listed = (...args: string[]) =>
      printed(other, ['host', 'list', '--fields', 'note,created_at', ...args]);
    expect((await listed()).split('\n')[1]).toBe(`${time}  ${String(created_at).slice(0, 19)}`);
    expect(await listed('-o', 'csv')).toBe(`note,created_at\n${time},${String(created_at)}\n`);
  });

  it('without rows has a header', async () => {
    expect(await list('--name', 'nobody', '--fields', 'id,name')).toBe('ID  NAME\n');
  });

  it('of a single resource has a row for each variable, with its JSON value', async () => {
    const lines = (await show()).split('\n');
    expect(lines[0]).toMatch(/^MEMBER +VALUE$/);
    for (const [member, value] of [
      ['name', 'web-1'],
      ['variables.big', '9007199254740993'],
      ['variables.price', '1.10'],
      ['variables.ntp_servers', '["10.0.0.1","10.0.0.2"]'],
      ['variables.__proto__', '{"a":1.10}'],
    ] as const)
      expect(lines.map((line) => line.split(/ {2,}/))).toContainEqual([member, value]);
    expect(lines.join('\n')).toMatch(/^variables\.motd +"line 1\\nline 2/m);
    expect(lines.join('\n')).not.toMatch(/[^\P{Cc}\n]/u);
  });
});

describe('-o json', () => {
  it('is the response of the API, with every digit', async () => {
    const text = await show('-o', 'json');
    expect(text).toContain('"big": 9007199254740993');
    expect(text).toContain('"price": 1.10');
    expect(JSON.parse(text).note).toBe(NOTE);
    // Terminals interpret these characters, and JSON does not require escaping them.
    expect(text).not.toMatch(/[\u009b\u202e]/);
    expect(Object.entries(JSON.parse(text).variables.__proto__)).toEqual([['a', 1.1]]);
  });

  it('is an array for a list, even an empty one', async () => {
    expect(JSON.parse(await list('-o', 'json'))).toMatchObject([{ name: 'web-1' }, { name: '日本-2' }]);
    expect(await list('-o', 'json', '--name', 'nobody')).toBe('[]\n');
  });
});

describe('-o yaml', () => {
  it('equals the JSON output for readers of YAML 1.2 and 1.1', async () => {
    const text = await show('-o', 'yaml');
    const expected = JSON.parse(await show('-o', 'json'));
    expect(parse(text)).toEqual(expected);
    expect(parseDocument(text, { version: '1.1' }).toJS()).toEqual(expected);
    for (const line of [
      'big: 9007199254740993',
      'price: 1.10',
      'text: "1.10"',
      'octal: "0123"',
      'equals: "="',
    ])
      expect(text).toContain(`  ${line}\n`);
    expect(text).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
    expect(text).toContain('    "to \\u202e": "\\u202eback"\n');
  });

  it('is one sequence for a list, even an empty one', async () => {
    expect(parse(await list('-o', 'yaml'))).toEqual(JSON.parse(await list('-o', 'json')));
    expect(parse(await list('-o', 'yaml', '--name', 'nobody'))).toEqual([]);
  });
});

describe('-o csv', () => {
  it('has a header, JSON for values other than texts, and no spreadsheet formulas', async () => {
    const text = await list('-o', 'csv', '--fields', 'name,device_type,active,cell_id,labels,note');
    expect(parseCsv(text)).toEqual([
      ['name', 'device_type', 'active', 'cell_id', 'labels', 'note'],
      ['web-1', '"=1+1"', 'false', '', '', NOTE],
      ['日本-2', 'server', 'true', '', 'a,b', 'a wide name'],
    ]);
  });

  it('has no formulas if semicolons or tabs separate cells', async () => {
    const project = await app.project();
    const variables = { text: 'a;=1', nested: { a: ['x;"@1'] } };
    await project.host({ name: 'x;=1+1', note: 'x\t=1\n-1', device_type: 'a;b', variables });
    const text = await printed(project, [
      'host',
      'list',
      '-o',
      'csv',
      '--fields',
      'name,note,device_type,variables',
    ]);
    expect(text).toContain('"a;b"');
    for (const cell of text.split(/[;\t\r\n]/)) expect(cell).not.toMatch(/^[\s"]*[=+\-@]/);
    const [header = [], record = []]: string[][] = parseCsv(text);
    expect(JSON.parse(record[header.indexOf('name')] ?? '')).toBe('x;=1+1');
    expect(JSON.parse(record[header.indexOf('variables')] ?? '')).toEqual(variables);
  });

  it('keeps every digit of variables', async () => {
    const [header, record] = parseCsv(await show('-o', 'csv')) as [string[], string[]];
    const variables = record[header.indexOf('variables')];
    expect(variables).toContain('"big":9007199254740993,');
    expect(variables).toContain('"price":1.10,');
  });

  it('without rows has a header', async () => {
    expect(await list('-o', 'csv', '--name', 'nobody', '--fields', 'id,name')).toBe('id,name\n');
  });
});

it('-o name prints a name in each line', async () => {
  expect(await list('-o', 'name')).toBe('web-1\n日本-2\n');
  expect(await show('-o', 'name')).toBe('web-1\n');
});

describe('-o terraform', () => {
  it('is a flat object of strings: the fields, and the variables next to them', async () => {
    const object = JSON.parse(await show('-o', 'terraform')) as Record<string, unknown>;
    expect(Object.values(object).filter((value) => typeof value !== 'string')).toEqual([]);
    expect(object).toMatchObject({
      id: String(await idOf('web-1')),
      name: 'web-1',
      note: NOTE,
      active: 'false',
      cell_id: 'null',
      big: '9007199254740993',
      price: '1.10',
      text: '1.10',
      none: 'null',
      ntp_servers: '["10.0.0.1","10.0.0.2"]',
      'variables.name': 'not the name of the host',
    });
    expect(Object.getOwnPropertyDescriptor(object, '__proto__')?.value).toBe('{"a":1.10}');
  });

  it('is not supported for lists', async () => {
    expect(await muster(admin, ['host', 'list', '-o', 'terraform'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('-o terraform cannot print a list'),
    });
  });
});

describe('colours', () => {
  it('are off in a pipe, except on request', async () => {
    const run = async (env: Record<string, string>, ...args: string[]) =>
      (await printed(admin, ['host', 'list', ...args], { env })).includes('\u001b[');
    expect(await run({})).toBe(false);
    expect(await run({ CI: '1' })).toBe(false);
    expect(await run({ FORCE_COLOR: '1' })).toBe(true);
    expect(await run({ FORCE_COLOR: '0' })).toBe(false);
    expect(await run({ FORCE_COLOR: '1', NO_COLOR: '1' })).toBe(false);
    expect(await run({ FORCE_COLOR: '1', NO_COLOR: '' })).toBe(true);
    expect(await run({ FORCE_COLOR: '1' }, '--no-color')).toBe(false);
  });

  it('apply to errors, including those of the command line', async () => {
    for (const args of [['host', 'show', 'nobody'], ['hosst']])
      expect(await muster(admin, args, { env: { FORCE_COLOR: '1' } })).toMatchObject({
        stderr: expect.stringContaining('\u001b[31mmuster:\u001b[39m '),
      });
  });
});

describe('closed output', () => {
  const shell = (command: string) =>
    promisify(execFile)('bash', ['-c', `set -o pipefail; ${command}`, 'bash', process.execPath, MUSTER], {
      env: environmentOf(admin),
    });

  beforeAll(async () => {
    const note = 'x'.repeat(1000);
    const { id: region_id } = await admin.region();
    const hosts = Array.from({ length: 300 }, (_, at) => ({
      name: `many-${String(at)}`,
      region_id,
      note,
      ip_address: '10.0.0.1',
      device_type: 'server',
    }));
    await admin.post('/v1/hosts', hosts).expect(201);
  });

  // A table is written as a whole, and all other formats item by item.
  it.each(['table', 'json'])('ends %s output without an error', async (format) => {
    const { stdout, stderr } = await shell(`"$1" "$2" host list --detail -o ${format} | head -n 1`);
    expect(stdout.split('\n')).toHaveLength(2);
    expect(stderr).toBe('');
  });

  it('is no error if standard output or standard error is closed', async () => {
    expect(await shell('"$1" "$2" host list >&-')).toEqual({ stdout: '', stderr: '' });
    expect(await shell('"$1" "$2" host list --limit 3 -o name 2>&-')).toMatchObject({ stderr: '' });
  });

  (existsSync('/dev/full') ? it : it.skip)('is reported if the disk is full', async () => {
    await expect(shell('"$1" "$2" host list > /dev/full')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^muster: cannot write to standard output: ENOSPC[^\n]*\n$/),
    });
  });
});
