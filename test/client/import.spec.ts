import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { revertHint } from '../support/reverts';
import { sharedService } from '../support/service';
import { Caller } from '../support/caller';
import { exportLines, exportTexts } from '../support/export-reader';
import { asLines, hostLine, importLines, REGION_LINE } from '../support/importing';
import { muster, musterProcess, printed, temporaryFile, temporaryFolder, type Ended } from '../support/shell';

const app = sharedService();

const LINES = [
  REGION_LINE,
  hostLine('web-1', { variables: { serial: 1 } }),
  hostLine('web-2', { labels: ['web'] }),
];

const names = async (admin: Caller, kind = 'host') =>
  (await exportLines(admin, `?kind=${kind}`)).map((line) => line['name']);

const expectNoOutput = ({ stdout }: Ended) => expect(stdout).toBe('');

describe('muster import', () => {
  it('creates and updates resources, and reports unchanged ones', async () => {
    const admin = await app.project();
    const file = temporaryFile('fleet.ndjson', asLines(LINES));
    expect(await muster(admin, ['import', file])).toEqual({
      code: 0,
      stdout: '3 created, 0 updated, 0 unchanged\n',
      stderr: `${await revertHint(admin)}\n`,
    });
    expect(await names(admin)).toEqual(['web-1', 'web-2']);
    expect(await printed(admin, ['import', file])).toBe('0 created, 0 updated, 3 unchanged\n');
    const more = temporaryFile('more.ndjson', asLines([hostLine('web-1', { note: 'moved' })]));
    expect(await printed(admin, ['import', more, '--yes'])).toBe(
      '0 created, 1 updated, 0 unchanged; no device resolves another value\n',
    );
    expect((await exportLines(admin, '?name=web-1'))[0]).toMatchObject({ note: 'moved' });
  });

  it('is one change with one reason', async () => {
    const admin = await app.project();
    const file = temporaryFile('fleet.ndjson', asLines(LINES));
    await printed(admin, ['import', file, '--reason', 'CHG-7: a new site']);
    const { body } = await admin.get('/v1/changes').expect(200);
    expect(body.at(-1)).toMatchObject({ reason: 'CHG-7: a new site', objects_total: 4 });
    expect(body.filter(({ reason }: { reason: string | null }) => reason !== null)).toHaveLength(1);
  });

  it.each([
    ['json', `\uFEFF[\n${LINES.map((line) => JSON.stringify(line, null, 2)).join(' ,\n')}\n]\n`],
    ['json', LINES.map((line) => JSON.stringify(line, null, 2)).join('\n')],
    ['jsonl', asLines(LINES).trimEnd()],
    [
      'yaml',
      `%YAML 1.2\n---\nkind: region\nname: north\nvariables: {domain: north.example.net}\n---\n${LINES.slice(
        1,
      )
        .map((line) => `- ${JSON.stringify(line)}\n`)
        .join('')}...\n`,
    ],
  ])('reads %s, plain and compressed', async (ending, content) => {
    for (const [name, bytes] of [
      [`fleet.${ending}`, content],
      [`fleet.${ending}.gz`, gzipSync(content)],
    ] as const) {
      const admin = await app.project();
      expect(await printed(admin, ['import', temporaryFile(name, bytes)])).toBe(
        '3 created, 0 updated, 0 unchanged\n',
      );
      expect(await exportLines(admin, '?kind=region')).toMatchObject([REGION_LINE]);
      expect(await names(admin)).toEqual(['web-1', 'web-2']);
    }
  });

  it('reads tables, and standard input', async () => {
    const admin = await app.project();
    expect(await musterProcess(admin, ['import', '-'], { stdin: asLines([REGION_LINE]) })).toMatchObject({
      code: 0,
    });
    const table = 'name;region;ip_address;device_type;variables.serial\nweb-1;north;10.1.1.1;server;007\n';
    await printed(admin, ['import', temporaryFile('hosts.csv', table)]);
    await printed(admin, [
      'import',
      temporaryFile('hosts.csv.gz', gzipSync(table.replaceAll('web-1', 'web-2'))),
    ]);
    await printed(admin, ['import', '--format', 'csv', '-'], { stdin: table.replaceAll('web-1', 'web-3') });
    expect(await names(admin)).toEqual(['web-1', 'web-2', 'web-3']);
  });

  it('rejects values that the versions of YAML read differently, unless one is chosen', async () => {
    const admin = await app.project();
    const file = temporaryFile(
      'a.yaml',
      'kind: region\nname: north\nvariables:\n  mode: 0755\n  on: "yes"\n  b: no\n',
    );
    expect(await muster(admin, ['import', file])).toEqual({
      code: 2,
      stdout: '',
      stderr:
        `muster: YAML 1.1 (Ansible, Salt, PyYAML) and YAML 1.2 read these values of ${file} differently:\n` +
        '  line 4, column 9: 0755 is 493 in YAML 1.1, and 755 in YAML 1.2\n' +
        '  line 5, column 3: on is true in YAML 1.1, and "on" in YAML 1.2\n' +
        '  line 6, column 6: no is false in YAML 1.1, and "no" in YAML 1.2\n' +
        '  Put quotes around a text. For the whole file, --yaml 1.1 or --yaml 1.2 chooses the version, or a directive in it: %YAML 1.1, and --- in the next line.\n' +
        'Nothing was written.\n',
    });
    expect(await muster(admin, ['diff', file])).toMatchObject({ code: 2 });
    expect(await exportLines(admin, '?kind=region')).toEqual([]);
    await printed(admin, ['import', '--yaml', '1.1', file]);
    expect(await exportLines(admin, '?kind=region')).toMatchObject([
      { variables: { mode: 493, true: 'yes', b: false } },
    ]);
    expect(await muster(admin, ['import', '--yaml', '1.1', temporaryFile('a.ndjson', '{}')])).toMatchObject({
      code: 2,
      stderr: 'muster: --yaml is only for YAML files.\n',
    });
  });

  it('keeps every digit and text exactly', async () => {
    const admin = await app.project();
    const yaml =
      '- kind: region\n  name: north\n  variables:\n    a: 9007199254740993\n    b: 1.10\n    c: "1.10"\n' +
      '    d: no\n    e: {__proto__: 0x10, ü: "☃"}\n    f: 2001-01-01\n    g: 1e400\n' +
      '    h: .12345678901234567890\n    i: +1.2345678901234567890\n    j: -007.\n    k: [0., .5e1, 0o17, -.0]\n';
    await printed(admin, ['import', '--yaml', '1.2', temporaryFile('a.yaml', yaml)]);
    const [line] = await exportTexts(admin, '?kind=region');
    for (const text of [
      '"a": 9007199254740993',
      '"b": 1.10',
      '"c": "1.10"',
      '"d": "no"',
      '"f": "2001-01-01"',
      '"h": 0.12345678901234567890',
      '"i": 1.2345678901234567890',
      '"j": -7',
      '"k": [0, 5, 15, 0.0]',
    ])
      expect(line).toContain(text);
    expect(line).toContain('"__proto__": 16');
    expect(line).toContain('"ü": "☃"');
    await printed(admin, [
      'import',
      '--yes',
      temporaryFile('b.json', '[{"kind": "region", "name": "north", "variables": {"a": 9007199254740995}}]'),
    ]);
    expect((await exportTexts(admin, '?kind=region'))[0]).toContain('"a": 9007199254740995');
  });

  it('imports several files as one change', async () => {
    const admin = await app.project();
    const files = [
      temporaryFile('a.ndjson', asLines([hostLine('web-1')]).trimEnd()),
      temporaryFile('b.json', JSON.stringify([REGION_LINE])),
      temporaryFile('c.ndjson.gz', gzipSync(asLines([hostLine('web-2')]))),
    ];
    expect(await printed(admin, ['import', ...files])).toBe('3 created, 0 updated, 0 unchanged\n');
    const broken = temporaryFile(
      'd.ndjson',
      asLines([hostLine('web-3'), hostLine('web-4', { region: 'nowhere' })]),
    );
    const { code, stderr } = await muster(admin, ['import', files[0] ?? '', files[1] ?? '', broken]);
    expect({ code, stderr }).toEqual({
      code: 4,
      stderr: expect.stringMatching(
        `^muster: Nothing was written: 1 line cannot be imported.\n  ${broken}, line 2: region: there is no region "nowhere" in this project\n  request id: .*\n  Create what does not exist, and repeat the command:\n    muster region create nowhere\n$`,
      ),
    });
  });

  it('prints up to twenty failing lines, all of them as JSON, and writes nothing', async () => {
    const admin = await app.project();
    const lines = [
      REGION_LINE,
      ...Array.from({ length: 30 }, (_, n) => hostLine(`web-${String(n)}`, { cell: `none-${String(n)}` })),
    ];
    const file = temporaryFile('fleet.json', JSON.stringify(lines));
    const ended = await muster(admin, ['import', file]);
    expect(ended).toMatchObject({ code: 4, stdout: '' });
    expect(ended.stderr.match(/fleet.json, item/g)).toHaveLength(20);
    expect(ended.stderr).toContain(`${file}, item 2: cell: `);
    expect(ended.stderr).toContain('and 10 more (use -o json to show all)');
    const asJson = await muster(admin, ['import', file, '-o', 'json']);
    expect(asJson.code).toBe(4);
    const { errors, failed } = JSON.parse(asJson.stdout) as { errors: object[]; failed: number };
    expect({ failed, last: errors[29] }).toMatchObject({ failed: 30, last: { file, item: 31 } });
    expect(await names(admin, 'region')).toEqual([]);
  });

  it('with --partial imports valid lines, and reports the others', async () => {
    const admin = await app.project();
    const file = temporaryFile(
      'fleet.ndjson',
      asLines([REGION_LINE, '{"kind": "host"', hostLine('web-1'), hostLine('web-2', { cell: 'x' })]),
    );
    const ended = await muster(admin, ['import', file, '--partial']);
    expect(ended).toMatchObject({ code: 7, stdout: '2 created, 0 updated, 0 unchanged, 2 failed\n' });
    expect(ended.stderr).toContain(`  ${file}, line 2: The line is not valid JSON`);
    expect(ended.stderr).toContain('muster: 2 lines could not be imported; the others were imported.');
    expect(await names(admin)).toEqual(['web-1']);
    const asJson = await muster(admin, ['import', file, '--partial', '-o', 'json']);
    expect(asJson.code).toBe(7);
    expect(JSON.parse(asJson.stdout)).toMatchObject({
      unchanged: 2,
      failed: 2,
      errors: [
        { file, line: 2, code: 'invalid_request' },
        { file, line: 4 },
      ],
    });
  });

  it('reports any number of failing lines as JSON', async () => {
    const admin = await app.project();
    const lines = Array.from({ length: 1_200 }, (_, n) =>
      hostLine(`web-${String(n)}`, { region: 'nowhere' }),
    );
    const { code, stdout } = await muster(admin, ['import', '-', '--partial', '-o', 'json'], {
      stdin: asLines([REGION_LINE, ...lines]),
    });
    expect(code).toBe(7);
    const { created, failed, errors } = JSON.parse(stdout) as Record<string, unknown[]>;
    expect({ created, failed, reported: errors?.length }).toEqual({
      created: 1,
      failed: 1_200,
      reported: 1_200,
    });
  });

  it('with --dry-run prints the numbers and the impact, and writes nothing', async () => {
    const admin = await app.project();
    await printed(admin, ['import', '-'], { stdin: asLines(LINES) });
    const stdin = asLines([
      { ...REGION_LINE, variables: { domain: 'other.example.net' } },
      hostLine('web-3'),
    ]);
    const text = await printed(admin, ['import', '-', '--dry-run'], { stdin });
    expect(text).toContain('Would be: 1 created, 1 updated, 0 unchanged\n');
    expect(text).toMatch(/^ {2}updated region \S+ \(standard input, line 1\)\n {2}created host web-3 \(/m);
    expect(text).toContain('Devices that would get other values: 3: domain\n');
    expect(text).toContain('host web-1  domain: "north.example.net" -> "other.example.net"\n');
    expect(text).toContain('host web-3  domain: (not set) -> "other.example.net"\n');
    const asJson = JSON.parse(
      await printed(admin, ['import', '-', '--dry-run', '-o', 'json'], { stdin }),
    ) as object;
    expect(asJson).toMatchObject({ dry_run: true, created: 1, impact: { devices: 3, keys: ['domain'] } });
    expect(asJson).toMatchObject({
      altered: [{ line: 1, result: 'updated', kind: 'region' }, { name: 'web-3' }],
    });
    expect(await names(admin)).toEqual(['web-1', 'web-2']);
    const variables = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`key${String(n)}`, n]));
    const many = [hostLine('web-3', { variables }), hostLine('web-4', { variables })];
    const shown = await printed(admin, ['import', '-', '--dry-run'], { stdin: asLines(many) });
    expect(shown.match(/\(not set\) -> /g)).toHaveLength(60);
    expect(shown).toMatch(/\n {2}and more \(use -o json to show them\)\n$/);
  });
});

describe('an import that changes what existing devices resolve', () => {
  const note = (text: string) => [
    { ...REGION_LINE, note: text },
    hostLine('web-1', { note: text }),
    hostLine('web-2', { note: text }),
  ];
  const created = [hostLine('web-3'), hostLine('web-4')];
  const [region, ...hosts] = note('new');
  const updating = asLines([{ ...region, variables: { domain: 'new' } }, ...hosts, ...created]);
  let admin: Caller;

  beforeEach(async () => {
    admin = await app.project();
    await importLines(admin, LINES);
  });

  const notes = async () => (await exportLines(admin, '?kind=host')).map((line) => line['note']);

  it.each([
    ['a file', () => [temporaryFile('fleet.ndjson', updating)], undefined],
    [
      'a compressed file in batches',
      () => [temporaryFile('fleet.ndjson.gz', gzipSync(updating)), '--batch', '2'],
      undefined,
    ],
    ['standard input of which some lines fail', () => ['-', '--partial'], `${updating}{"kind": "host"}\n`],
  ] as const)('writes nothing without a terminal and --yes: %s', async (_, args, stdin) => {
    const input = stdin === undefined ? {} : { stdin };
    expect(await muster(admin, ['import', ...args()], input)).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'muster: This would create 2 resources, update 3, and change the resolved values of 2 existing devices.\n' +
        '  Nothing was changed. Use --yes to skip the question, or --dry-run to see the details.\n',
    });
    expect(await notes()).toEqual([null, null]);
    const { stdout } = await muster(admin, ['import', ...args(), '--yes'], input);
    expect(stdout).toMatch(/^2 created, 3 updated, 0 unchanged/);
    expect(await notes()).toEqual(['new', 'new', null, null]);
  });

  it('prints with --yes how many devices resolve another value, but not for batches', async () => {
    const args = ['import', temporaryFile('fleet.ndjson', updating), '--yes'];
    expect(await printed(admin, args)).toBe(
      '2 created, 3 updated, 0 unchanged; 4 devices resolve another value\n',
    );
    expect(await printed(admin, args)).toBe('0 created, 0 updated, 5 unchanged\n');
    const stdin = asLines([{ ...region, variables: { domain: 'newer' } }]);
    expect(JSON.parse(await printed(admin, ['import', '-', '--yes', '-o', 'json'], { stdin }))).toMatchObject(
      {
        updated: 1,
        affected_devices: 4,
      },
    );
    expect(await printed(admin, [...args, '--batch', '2'])).toBe('0 created, 1 updated, 4 unchanged\n');
  });

  it('also requires --yes for an Ansible inventory', async () => {
    const hosts = {
      'web-1': { ansible_host: '10.0.0.1', rack: 1 },
      'web-2': { ansible_host: '10.0.0.2', rack: 2 },
    };
    const stdin = JSON.stringify({ _meta: { hostvars: hosts }, all: { hosts: Object.keys(hosts) } });
    const args = ['import', '--from', 'ansible', '--region', 'north'];
    const ended = await muster(admin, args, { stdin });
    expect(ended).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('change the resolved values of 2 existing devices.'),
    });
    expect(await printed(admin, [...args, '--yes'], { stdin })).toContain(' 2 updated,');
  });

  it('needs no --yes for one existing device, however many are created or updated otherwise', async () => {
    const stdin = asLines([
      { ...REGION_LINE, note: 'new' },
      hostLine('web-1', { note: 'new' }),
      hostLine('web-2', { variables: { serial: 2 } }),
      hostLine('web-3', { variables: { serial: 3 } }),
      hostLine('web-4', { variables: { serial: 4 } }),
    ]);
    expect(await printed(admin, ['import', '-'], { stdin })).toBe('2 created, 3 updated, 0 unchanged\n');
  });

  it('writes all of standard input after the dry run, plain and compressed', async () => {
    const lines = Array.from({ length: 400 }, (_, n) =>
      hostLine(`new-${String(n)}`, { variables: { n, text: 'x'.repeat(500) } }),
    );
    const stdin = asLines([...LINES, ...lines]);
    expect(await printed(admin, ['import', '-'], { stdin })).toBe('400 created, 0 updated, 3 unchanged\n');
    const compressed = gzipSync(stdin.replaceAll('new-', 'newer-'));
    const path = join(temporaryFolder(), 'pipe.ndjson.gz');
    execFileSync('mkfifo', [path]);
    const [ended] = await Promise.all([muster(admin, ['import', path]), writeFile(path, compressed)]);
    expect(ended).toEqual({
      code: 0,
      stdout: '400 created, 0 updated, 3 unchanged\n',
      stderr: `${await revertHint(admin)}\n`,
    });
  });

  it('reports the batches before a failing line as written, like with --yes', async () => {
    const stdin = asLines([...created, hostLine('web-5', { region: 'nowhere' })]);
    const ended = await muster(admin, ['import', '-', '--batch', '2'], { stdin });
    expect(ended.code).toBe(7);
    expect(ended.stderr).toContain('The lines up to standard input, line 2 were imported.');
    expect(await names(admin)).toEqual(['web-1', 'web-2', 'web-3', 'web-4']);
  });
});

describe('an invalid file', () => {
  const invalidFiles: readonly (readonly [string, string | Buffer, RegExp])[] = [
    ['a.json', '[\n {"kind": "region",\n  "name": }\n]', /line 3, column 11: invalid JSON/],
    ['a.json', '[\n {"kind": "region", "name": "a"},\n]', /line 3, column 1: expected a JSON object/],
    ['a.json', '[{"kind": "region", "name": "a"}', /the array does not end/],
    ['a.json', '[{"kind": "region", "name": "a"', /line 1, column 2: the file is truncated/],
    ['a.json', '[{"kind": "region", "name": "a"}] x', /line 1, column 35: unexpected text after the array/],
    ['a.json', '', /a\.json is empty/],
    ['a.yaml', '---\nkind: region\nname: a\n---\nkind: region\nname: [b\n', /line 7, column 1: invalid YAML/],
    [
      'a.yaml',
      'kind: region\nname: a\nvariables: {x: .inf}\n',
      /line 3, column 16: this number cannot be represented in JSON/,
    ],
    ['a.yaml', 'kind: region\nname: *a\n', /line 2, column 7: invalid YAML: Unresolved alias/],
    ['a.yaml', 'kind: region\nname: a\nvariables: &a {x: *a}\n', /JSON cannot represent/],
    ['a.yaml', '- 1\n', /item 1 of this document is not a mapping/],
    ['a.json.gz', 'not compressed', /is not gzip data/],
    ['a.xml', '<a/>', /Unknown file extension/],
  ];

  let admin: Caller;
  beforeAll(async () => {
    admin = await app.project();
  });

  it.each(invalidFiles)('is rejected: %s, %j', async (name, content, message) => {
    const ended = await muster(admin, ['import', temporaryFile(name, content)]);
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringMatching(message) });
    expectNoOutput(ended);
    expect(await names(admin, 'region')).toEqual([]);
  });

  it('is rejected with all faulty lines of NDJSON', async () => {
    const lines = [
      REGION_LINE,
      '{"kind": "region",, "name": "b"}',
      '[1]',
      hostLine('web-1', { ip_address: 'none' }),
      hostLine('web-2', { region: 'nowhere' }),
      hostLine('web-3', { parent: 'web-1' }),
    ];
    const invalidText = Buffer.from('{"kind": "r\xe9"}\n', 'latin1');
    const file = temporaryFile('a.ndjson', Buffer.concat([Buffer.from(asLines(lines)), invalidText]));
    const ended = await muster(admin, ['import', file]);
    expectNoOutput(ended);
    expect(ended.code).toBe(4);
    // After ten seconds, it shows its progress.
    const [first, ...reported] = ended.stderr
      .split('\n')
      .filter((line) => !line.startsWith('checking…'))
      .map((line) => line.replace(file, 'FILE'));
    expect(first).toBe('muster: Nothing was written: 5 lines cannot be imported.');
    expect(reported).toEqual([
      expect.stringContaining('FILE, line 2: The line is not valid JSON'),
      '  FILE, line 3: The line must be a JSON object.',
      expect.stringContaining('FILE, line 4: ip_address'),
      expect.stringContaining('FILE, line 5: region: there is no region "nowhere"'),
      '  FILE, line 7: The line is not valid UTF-8.',
      '  1 other line was not checked because of this; more errors may follow when this is corrected.',
      expect.stringContaining('request id'),
      '',
    ]);
    const asJson = await muster(admin, ['import', file, '-o', 'json']);
    expect(JSON.parse(asJson.stdout)).toMatchObject({ failed: 5, unchecked: 1 });
  });

  it('is rejected before anything is sent if it is missing, a folder, or not combinable with others', async () => {
    const valid = temporaryFile('a.ndjson', asLines(LINES));
    for (const [files, message] of [
      [[valid, join(temporaryFolder(), 'gone.ndjson')], 'gone.ndjson cannot be read: it does not exist.'],
      [[temporaryFolder()], 'is a folder: name the files in it.'],
      [[valid, temporaryFile('b.csv', 'name\n')], 'A CSV file cannot be combined with other files'],
      [['-', '-'], 'Standard input can be read only once.'],
      [[], 'Missing file'],
    ] as const) {
      const { code, stderr } = await muster(admin, ['import', ...files]);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
    }
    expect(await names(admin, 'region')).toEqual([]);
  });

  it('is rejected by the service if it is a table', async () => {
    const ended = await muster(admin, ['import', temporaryFile('a.csv', 'name,colour\nweb-1,red\n')]);
    expect(ended).toMatchObject({ code: 4, stderr: expect.stringContaining('colour') });
    expect(ended.stderr).toMatch(/\n {2}Rename the columns: .+\n {2}Nothing was written\.\n$/);
  });
});

describe('an import with an invalid key', () => {
  it('is rejected, even if the service reads only part of the body', async () => {
    const admin = await app.project();
    const stranger = new Caller(admin.url, { ...admin.credentials, token: 'x'.repeat(40) });
    const lines = Array.from({ length: 9_000 }, (_, n) =>
      hostLine(`web-${String(n)}`, { note: 'x'.repeat(2_000) }),
    );
    const file = temporaryFile('fleet.ndjson', asLines(lines));
    const ended = await muster(stranger, ['import', file]);
    expect(ended).toMatchObject({ code: 4, stdout: '' });
    expect(ended.stderr).toContain('Nothing was written.');
  });
});
