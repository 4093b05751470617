import { sharedService } from '../support/service';
import type { Caller } from '../support/caller';
import { exportLines, exportTable } from '../support/export-reader';
import { asLines, sendImport } from '../support/importing';

const app = sharedService();
let admin: Caller;

const CSV = { 'Content-Type': 'text/csv' };

const importTable = async (caller: Caller, records: readonly string[], query = '', status = 200) =>
  (await sendImport(caller, `${records.join('\n')}\n`, query, CSV).expect(status)).body as Record<
    string,
    unknown
  >;

const host = async (name: string) => (await exportLines(admin, `?name=${name}`))[0];

beforeEach(async () => {
  admin = await app.project();
  const region = await admin.region({ name: 'r1', variables: { a: 'inherited' } });
  const cell = await admin.cell({ name: 'c1', region_id: region.id });
  await admin.host({
    name: 'h1',
    region_id: region.id,
    cell_id: cell.id,
    note: 'a note',
    labels: 'web,db',
    variables: { a: 'own', version: '10.10', port: 80, flag: true, list: [1] },
  });
});

it('ignores columns whose name begins with #', async () => {
  await importTable(admin, ['name,#room,#,note,#room', 'h1,12,x,new,']);
  expect(await host('h1')).toMatchObject({ note: 'new', variables: { a: 'own' } });
});

it('names the regions that do not exist, also beside records that cannot be read', async () => {
  const { errors } = await importTable(
    admin,
    [
      'name,region,cell,ip_address,device_type',
      'h2,r2,c2,10.0.0.1,server',
      'h3,r2',
      ',r1,c1,10.0.0.2,server',
    ],
    '',
    405,
  );
  expect(errors).toMatchObject([
    {
      line: 2,
      message: 'region: there is no region "r2" in this project',
      missing: [
        { kind: 'region', name: 'r2' },
        { kind: 'cell', region: 'r2', name: 'c2' },
      ],
    },
    { line: 3, message: expect.stringContaining('2 cells') as string },
    { line: 4, message: expect.stringContaining('name') as string },
  ]);
});

const HEAD = 'name,region,ip_address,device_type,variables.kernel';
const row = (name: string, kernel: string) => `${name},r1,10.0.0.4,server,${kernel}`;

describe('(unset) in a table', () => {
  it('clears members and removes own variables', async () => {
    const summary = await importTable(admin, [
      'name,cell,note,labels,variables.a,variables.none,variables.port',
      'h1,(unset),(unset),(unset),(unset),(unset),81',
    ]);
    expect(summary).toEqual({
      created: 0,
      updated: 1,
      unchanged: 0,
      failed: 0,
      errors: [],
      ignored_empty_cells: 0,
      type_changes_total: 0,
      type_changes: [],
      unusual_types: [],
      similar_keys: [],
    });
    expect(await host('h1')).toMatchObject({
      cell: null,
      note: null,
      labels: [],
      variables: { version: '10.10', port: 81, flag: true, list: [1] },
    });
    expect((await host('h1'))?.['variables']).not.toHaveProperty('a');
    const again = await importTable(admin, ['name,note,variables.a', 'h1,(unset),(unset)']);
    expect(again).toMatchObject({ updated: 0, unchanged: 1 });
  });

  it('sets nothing on a new host', async () => {
    const table = [
      'name,region,ip_address,device_type,cell,variables.a',
      'h2,r1,10.0.0.2,server,(unset),(unset)',
    ];
    expect(await importTable(admin, table)).toMatchObject({ created: 1 });
    expect(await host('h2')).toMatchObject({ cell: null, variables: {} });
  });

  it('is an error of the line for what cannot be unset', async () => {
    const columns = ['name', 'kind', 'active', 'region', 'ip_address', 'device_type'];
    const records = columns.map((member) =>
      columns.map((column) => (column === member ? '(unset)' : column === 'name' ? `h${member}` : '')).join(),
    );
    const body = await importTable(admin, [columns.join(), ...records], '', 400);
    expect(body).toMatchObject({
      failed: columns.length,
      errors: columns.map((member, i) => ({
        line: i + 2,
        // Hosts that do not exist lack more.
        message: expect.stringMatching(`^${member}: must have a value, and cannot be unset(;|$)`) as string,
      })),
    });
  });

  it('is a text if it is quoted, as in exports', async () => {
    await importTable(admin, [
      'name,note,labels,variables.a',
      'h1,"""(unset)""","""(unset)""","""(unset)"""',
    ]);
    const texts = { note: '(unset)', labels: ['(unset)'] };
    expect(await host('h1')).toMatchObject({ ...texts, variables: { a: '(unset)' } });
    const table = await exportTable(admin);
    expect(table).toContain('"""(unset)"""');
    expect((await sendImport(admin, table, '', CSV).expect(200)).body).toMatchObject({ unchanged: 1 });
  });

  it('requires the same roles as a value', async () => {
    const writer = await admin.user({ roles: ['port'] });
    const table = (key: string) => [`name,variables.${key}`, 'h1,(unset)'];
    expect(await importTable(writer, table('a'), '', 403)).toMatchObject({ code: 'forbidden' });
    expect(await importTable(writer, table('port'))).toMatchObject({ updated: 1 });
  });
});

describe('empty cells of a table', () => {
  it('are counted if the host has a value', async () => {
    const table = [
      'name,cell,parent,note,labels,active,variables.a,variables.none,variables.port',
      'h1,,,,,,,,80',
    ];
    // The cell, the note, the labels, active, and the variable a.
    expect(await importTable(admin, table)).toMatchObject({ unchanged: 1, ignored_empty_cells: 5 });
    expect(await host('h1')).toMatchObject({ cell: 'c1', note: 'a note', variables: { a: 'own' } });
  });

  it('are not counted in an unchanged export, nor for new hosts', async () => {
    const table = (await exportTable(admin)).trimEnd().split('\r\n');
    const empty = ','.repeat((table[0] ?? '').split(',').length - 6);
    const added = [...table, `h2,r1,,,10.0.0.2,server${empty}`];
    expect(await importTable(admin, added)).toMatchObject({
      created: 1,
      unchanged: 1,
      ignored_empty_cells: 0,
      type_changes: [],
    });
  });
});

describe('types of values in a table', () => {
  const TABLE = [
    'name,variables.version,variables.port,variables.flag,variables.list,variables.new',
    'h1,10.1,http,yes,x,1',
  ];
  const CHANGES = [
    { line: 2, name: 'h1', key: 'flag', before: 'boolean', after: 'string' },
    { line: 2, name: 'h1', key: 'list', before: 'array', after: 'string' },
    { line: 2, name: 'h1', key: 'port', before: 'number', after: 'string' },
    { line: 2, name: 'h1', key: 'version', before: 'string', after: 'number' },
  ];

  it('are compared with the present ones, also in dry runs', async () => {
    for (const query of ['?dry_run=true', ''])
      expect(await importTable(admin, TABLE, query)).toMatchObject({
        updated: 1,
        type_changes_total: 4,
        type_changes: CHANGES,
      });
    expect(await importTable(admin, TABLE)).toMatchObject({ unchanged: 1, type_changes_total: 0 });
  });

  it('include numbers that lose digits, as spreadsheets write them', async () => {
    const variables = '{"serial":90071992547409931,"asn":4200000001,"ver":1.1,"port":80}';
    await sendImport(admin, `{"kind":"host","name":"h1","variables":${variables}}\n`).expect(200);
    const table = [
      'Name,variables.serial,variables.asn,variables.ver,variables.port',
      'h1 ,90071992547409900,4.2E+09,1.1,81',
    ];
    const changed = (key: string, after: string) => ({ line: 2, name: 'h1', key, before: 'number', after });
    for (const query of ['?dry_run=true', ''])
      expect(await importTable(admin, table, query)).toMatchObject({
        ...{ updated: 1, type_changes_total: 2 },
        type_changes: [changed('asn', 'string'), changed('serial', 'number')],
      });
    expect(await importTable(admin, table)).toMatchObject({ unchanged: 1, type_changes_total: 0 });
  });

  it('do not include numbers of more than 1,000 digits', async () => {
    const [allowed, long] = ['7'.repeat(1_000), '7'.repeat(1_001)];
    const variables = `{"allowed":${allowed},"long":${long},"large":1e131000,"small":1e-16000,"text":${long}}`;
    await sendImport(admin, `{"kind":"host","name":"h1","variables":${variables}}\n`).expect(200);
    const [rounded, longRounded] = [`${allowed.slice(0, -1)}8`, `${long.slice(0, -1)}8`];
    const table = [
      'name,variables.allowed,variables.long,variables.large,variables.small,variables.text',
      `h1,${rounded},${longRounded},5,5,x`,
    ];
    const changed = (key: string, after: string) => ({ line: 2, name: 'h1', key, before: 'number', after });
    for (const query of ['?dry_run=true', ''])
      expect(await importTable(admin, table, query)).toMatchObject({
        ...{ updated: 1, type_changes_total: 2 },
        type_changes: [changed('allowed', 'number'), changed('text', 'string')],
      });
    await sendImport(admin, '{"kind":"host","name":"h1","variables":{"allowed":5}}\n').expect(200);
    const grown = ['name,variables.allowed', `h1,${long}`];
    expect(await importTable(admin, grown)).toMatchObject({ updated: 1, type_changes: [] });
  });

  it('are two where numbers would lose characters', async () => {
    const table = [HEAD, row('k1', '6.8'), row('k2', '6.10')];
    for (const query of ['?dry_run=true', ''])
      expect(await importTable(admin, table, query)).toMatchObject({
        ...{ created: 2, type_changes_total: 0 },
        unusual_types: [
          {
            ...{ key: 'kernel', line: 2, cell: '6.8', type: 'number', count: 1 },
            others: { line: 3, cell: '6.10', type: 'string', count: 1 },
          },
        ],
      });
    expect([await host('k1'), await host('k2')]).toMatchObject([
      { variables: { kernel: 6.8 } },
      { variables: { kernel: '6.10' } },
    ]);
    // Nothing is set that was not.
    for (const again of [table, [HEAD, row('k1', '6.9')]])
      expect(await importTable(admin, again)).toMatchObject({ created: 0, unusual_types: [] });
  });

  it('of new values differ from own and inherited values of others', async () => {
    // By variable: what others have, the cell, and its type.
    const columns = {
      own_text: [{ host: '6.8.0-45' }, '6.8', 'number'],
      own_word: [{ host: 'yes' }, 'true', 'boolean'],
      inherited_text: [{ region: '6.8.0-45' }, '6.8', 'number'],
      both: [{ region: '6.8.0-45', host: 6.8 }, '6.9', 'number'],
      inherited_number: [{ region: 6.8 }, '6.10', 'string'],
      inherited_flag: [{ region: false }, 'TRUE', 'string'],
    } as const;
    const keys = Object.keys(columns) as (keyof typeof columns)[];
    const variablesOf = (kind: 'region' | 'host') =>
      Object.fromEntries(
        Object.entries(columns).flatMap(([key, [others]]: [string, readonly [object, ...unknown[]]]) =>
          kind in others ? [[key, (others as Record<string, unknown>)[kind]]] : [],
        ),
      );
    await sendImport(
      admin,
      asLines([
        { kind: 'region', name: 'r1', variables: variablesOf('region') },
        { kind: 'host', name: 'h1', variables: variablesOf('host') },
        { kind: 'host', name: 'h2', region: 'r1', ip_address: '10.0.0.5', device_type: 'server' },
      ]),
    ).expect(200);
    const head = (suffix = '') =>
      ['name,region,ip_address,device_type', ...keys.map((key) => `variables.${key}${suffix}`)].join();
    const cells = keys.map((key) => columns[key][1]).join();
    const unusual = (line: number, types: readonly string[]) => ({
      unusual_types: keys
        .filter((key) => types.includes(columns[key][2]))
        .map((key) => ({ key, line, cell: columns[key][1], type: columns[key][2] })),
    });
    const created = `k1,r1,10.0.0.4,server,${cells}`;
    const empty = `k0,r1,10.0.0.4,server${','.repeat(keys.length)}`;
    const all = ['number', 'boolean', 'string'];
    for (const [table, expected] of [
      [[head(), created], unusual(2, all)],
      [[head(), empty, `h2,,,,${cells}`], unusual(3, all)],
      [[head(':text'), created], unusual(2, ['string'])],
    ] as const)
      expect(await importTable(admin, table, '?dry_run=true')).toMatchObject(expected);
  });

  it('are texts where devices have numbers only, however many numbers the table has', async () => {
    await sendImport(admin, asLines([{ kind: 'host', name: 'h1', variables: { kernel: 6.8 } }])).expect(200);
    const cells = ['6.8', '6.9', '6.110', '6.11', '6.120'];
    const table = [HEAD, ...cells.map((cell, i) => row(`k${String(i)}`, cell))];
    for (const query of ['?dry_run=true', ''])
      expect((await importTable(admin, table, query))['unusual_types']).toEqual([
        {
          ...{ key: 'kernel', line: 4, cell: '6.110', type: 'string', count: 2 },
          others: { line: 2, cell: '6.8', type: 'number', count: 3 },
        },
      ]);
  });

  it('of new values do not differ from those of the same type, of documents, and that no device has any more', async () => {
    const variables = { same: 'a text', removed: 'a text', list: 'a text' };
    for (const present of [variables, { same: 6.8, removed: null, list: ['6.8'] }])
      await sendImport(admin, asLines([{ kind: 'host', name: 'h1', variables: present }])).expect(200);
    const head = 'name,region,ip_address,device_type,variables.same,variables.removed,variables.list';
    expect(await importTable(admin, [head, row('k1', '6.9,6.9,6.9')])).toMatchObject({
      created: 1,
      unusual_types: [],
    });
  });

  describe('of a variable that has lists', () => {
    const broken = '["10.1.0.7","10.1.0.9"';
    const tableOf = (name: string, cell: string, column = 'list') => [
      `name,region,ip_address,device_type,variables.${column}`,
      row(name, `"${cell.replaceAll('"', '""')}"`),
    ];
    const entry = (cell: string, reason: string) => ({
      ...{ key: 'list', line: 2, cell, type: 'string', count: 1, reason },
    });
    const change = { line: 2, name: 'h1', key: 'list', before: 'array', after: 'string' };

    it.each([broken, '[10.1.0.7]'])('are reported if a cell is no valid JSON: %s', async (cell) => {
      for (const query of ['?dry_run=true', ''])
        expect(await importTable(admin, tableOf('h1', cell), query)).toMatchObject({
          updated: 1,
          type_changes: [change],
          unusual_types: [entry(cell, 'invalid_json')],
        });
      expect(await importTable(admin, tableOf('h1', cell))).toMatchObject({
        unchanged: 1,
        unusual_types: [],
      });
      expect(await importTable(admin, tableOf('h1', `${cell}x`))).toMatchObject({
        updated: 1,
        type_changes: [],
        unusual_types: [entry(`${cell}x`, 'invalid_json')],
      });
    });

    it('are reported if a text replaces a list, or is where others have lists', async () => {
      const dryRun = (name: string, cell: string, column?: string) =>
        importTable(admin, tableOf(name, cell, column), '?dry_run=true');
      expect(await dryRun('h1', '10.1.0.7')).toMatchObject({ type_changes: [change], unusual_types: [] });
      for (const [cell, column, reason] of [
        ['10.1.0.7', 'list', 'arrays_or_objects_elsewhere'],
        [broken, 'list', 'invalid_json'],
        [broken, 'list:text', 'arrays_or_objects_elsewhere'],
        [JSON.stringify(broken), 'list', 'arrays_or_objects_elsewhere'],
      ] as const)
        expect(await dryRun('k1', cell, column)).toMatchObject({
          unusual_types: [entry(cell === '10.1.0.7' ? cell : broken, reason)],
        });
      expect(await dryRun('k1', '["10.1.0.7"]')).toMatchObject({ unusual_types: [] });
    });
  });

  it('names new variables that are easily mistaken for others', async () => {
    const similar = { similar_keys: [{ key: 'Kernel', similar_to: 'kernel' }] };
    const table = ['name,variables.Kernel,variables.role', 'h1,6.8,web'];
    expect(await importTable(admin, table, '?dry_run=true')).toMatchObject({ similar_keys: [] });
    await admin.region({ name: 'r2', variables: { kernel: '6.8' } });
    for (const query of ['?dry_run=true', ''])
      expect(await importTable(admin, table, query)).toMatchObject(similar);
    // Now it is a variable of the project.
    expect(await importTable(admin, table)).toMatchObject({ similar_keys: [] });
    const both = ['name,variables.rack_unit,variables.Rack_Unit', 'h1,1,2'];
    expect(await importTable(admin, both, '?dry_run=true')).toMatchObject({
      similar_keys: [{ key: 'Rack_Unit', similar_to: 'rack_unit' }],
    });
    // Nobody learns of a hidden variable.
    await admin.region({ name: 'r3', variables: { secret: 1 } });
    await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: ['secret'] }).expect(200);
    const writer = await admin.user({ roles: ['hosts:write'] });
    const hidden = ['name,variables.Secret', 'h1,x'];
    expect(await importTable(writer, hidden, '?dry_run=true')).toMatchObject({ similar_keys: [] });
    expect(await importTable(admin, hidden, '?dry_run=true')).toMatchObject({
      similar_keys: [{ key: 'Secret', similar_to: 'secret' }],
    });
  });

  describe('of new variables, in a table that is rejected,', () => {
    const similar = { similar_keys: [{ key: 'Kernel', similar_to: 'kernel' }] };

    beforeEach(() => admin.region({ name: 'r2', variables: { kernel: '6.8', disk_layout: 'raid' } }));

    it('are reported if it is rejected because of one line, or because of all', async () => {
      for (const rows of [['h1,6.8', 'h2,6.8'], ['h2,6.8']])
        for (const query of ['', '?dry_run=true'])
          expect(await importTable(admin, ['name,variables.Kernel', ...rows], query, 400)).toMatchObject(
            similar,
          );
    });

    it('are reported if a column has no such name, which gets the key that is in use', async () => {
      const table = ['name,Kernel,Disk_Layout,role,variables.Kernel', 'h1,6.8,raid,web,6.8'];
      for (const query of ['', '?dry_run=true', '?mode=partial'])
        expect(await importTable(admin, table, query, 400)).toMatchObject({
          ...similar,
          details: ['Kernel', 'Disk_Layout', 'role'].map((name, at) => ({
            field: 'columns',
            code: 'unknown_member',
            message: `"${name}" is not a column (for a variable, use "variables.${['kernel', 'disk_layout', 'role'][at] ?? ''}")`,
          })),
        });
      const { body } = await sendImport(admin, `${table.join('\n')}\n`, '?propose=t', CSV).expect(400);
      expect(body).toMatchObject({ message: expect.stringContaining('use "variables.kernel"') as string });
    });

    it('disclose no hidden variable', async () => {
      await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: ['kernel'] }).expect(200);
      const writer = await admin.user({ roles: ['hosts:write'] });
      const body = await importTable(writer, ['name,Kernel', 'h1,6.8'], '', 400);
      expect(body['message']).toContain('use "variables.Kernel"');
      expect(await importTable(writer, ['name,variables.Kernel', 'h2,6.8'], '', 400)).toMatchObject({
        similar_keys: [],
      });
    });

    it('are not looked for where the key is in use in both forms', async () => {
      await admin.region({ name: 'r3', variables: { Kernel: '6.8' } });
      const body = await importTable(admin, ['name,Kernel', 'h1,6.8'], '', 400);
      expect(body).toMatchObject({ similar_keys: [] });
      expect(body['message']).toContain('use "variables.Kernel"');
    });
  });

  it('are reported up to a limit, for lines that were imported', async () => {
    const { region_id } = (await admin.get('/v1/hosts?name=h1').expect(200)).body[0] as { region_id: number };
    const names = Array.from({ length: 110 }, (_, n) => `x${String(n)}`);
    await admin
      .post(
        '/v1/hosts',
        names.map((name) => ({
          name,
          region_id,
          ip_address: '10.0.0.3',
          device_type: 's',
          variables: { v: '1' },
        })),
      )
      .expect(201);
    const table = ['name,note,variables.v', ...names.map((name) => `${name},,1`), `x0,,2`];
    const body = await importTable(admin, table, '?mode=partial');
    expect(body).toMatchObject({ updated: 110, failed: 1, type_changes_total: 110 });
    expect(body['type_changes']).toHaveLength(100);
  });

  it('of hidden variables are not disclosed', async () => {
    // A text of another project is none of this one.
    await app.project().then((other) => other.region({ name: 'r1', variables: { kernel: 'a text' } }));
    expect(await importTable(admin, [HEAD, row('k1', '6.8')])).toMatchObject({ unusual_types: [] });
    await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: ['port', 'a'] }).expect(200);
    const writer = await admin.user({ roles: ['hosts:write'] });
    const hidden = ['name,note,variables.a', 'h1,,'];
    expect(await importTable(writer, hidden)).toMatchObject({ ignored_empty_cells: 1 });
    const body = await importTable(writer, ['name,variables.port', 'h1,x'], '', 403);
    expect(body).toMatchObject({ type_changes_total: 0, type_changes: [] });
    const unset = await importTable(writer, ['name,variables.port', 'h1,(unset)'], '', 403);
    expect(unset).toMatchObject({ code: 'forbidden' });
    expect(await importTable(admin, hidden)).toMatchObject({ ignored_empty_cells: 2 });
  });
});
