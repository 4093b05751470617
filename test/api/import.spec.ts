import { sharedService } from '../support/service';
import type { Caller, Resource } from '../support/caller';
import { asLines, importLines, sendImport } from '../support/importing';

const app = sharedService();
let caller: Caller;

beforeEach(async () => {
  caller = await app.project();
});

const all = async (collection: string): Promise<Resource[]> =>
  (
    await caller
      .get(`/v1/${collection}${collection === 'clouds' ? '' : '?resolved-values=false'}`)
      .expect(200)
  ).body as Resource[];

async function one(collection: string, name: string): Promise<Resource> {
  const found = (await all(collection)).find((resource) => [resource.name, resource['label']].includes(name));
  if (!found) throw new Error(`there is no ${name} among the ${collection}`);
  return found;
}

const region = { kind: 'region', name: 'r1' };
const host = { kind: 'host', name: 'h1', region: 'r1', ip_address: '10.0.0.1', device_type: 'server' };

const fleet = [
  {
    kind: 'host',
    name: 'h1',
    region: 'r1',
    cell: 'c1',
    parent: 'sw1',
    ip_address: '10.0.0.1',
    device_type: 'server',
    labels: ['web', 'new'],
    variables: { a: 1 },
  },
  { kind: 'cell', region: 'r1', name: 'c1', note: 'a cell', labels: 'web', variables: { c: [1] } },
  {
    kind: 'network-device',
    name: 'sw1',
    region: 'r1',
    ip_address: '10.0.0.2',
    device_type: 'switch',
    model_name: 'QFX',
    vlans: [1, 2],
    parent: 'core',
  },
  { kind: 'label', label: 'web', variables: { l: true } },
  { kind: 'region', name: 'r1', cloud: 'k1', variables: { r: 'x' } },
  { kind: 'cloud', name: 'k1', note: 'a cloud' },
  {
    kind: 'network-device',
    name: 'core',
    region: 'r1',
    ip_address: '10.0.0.3',
    device_type: 'switch',
    active: false,
  },
];

describe('importing lines', () => {
  it('creates the resources, in any order of the lines', async () => {
    expect(await importLines(caller, fleet)).toEqual({
      created: 7,
      updated: 0,
      unchanged: 0,
      failed: 0,
      errors: [],
    });

    const cloud = await one('clouds', 'k1');
    expect(cloud['note']).toBe('a cloud');
    const r1 = await one('regions', 'r1');
    expect(r1).toMatchObject({ cloud_id: cloud.id, variables: { r: 'x' }, version: 1 });
    const c1 = await one('cells', 'c1');
    expect(c1).toMatchObject({ region_id: r1.id, note: 'a cell', labels: 'web', variables: { c: [1] } });
    const core = await one('network-devices', 'core');
    expect(core).toMatchObject({ active: false, parent_id: null, vlans: null, version: 1 });
    const sw1 = await one('network-devices', 'sw1');
    expect(sw1).toMatchObject({
      model_name: 'QFX',
      vlans: [1, 2],
      parent_id: core.id,
      cell_id: null,
      version: 1,
    });
    expect(await one('hosts', 'h1')).toMatchObject({
      region_id: r1.id,
      cell_id: c1.id,
      parent_id: sw1.id,
      ip_address: '10.0.0.1',
      labels: 'new,web',
      active: true,
      variables: { a: 1 },
      version: 1,
    });
    expect((await one('labels', 'web')).variables).toEqual({ l: true });
    expect((await one('labels', 'new')).variables).toEqual({});
  });

  it('changes nothing the second time, and leaves no record', async () => {
    await importLines(caller, fleet);
    const before = (await caller.get('/v1/changes').expect(200)).body as unknown[];
    expect(await importLines(caller, fleet)).toMatchObject({
      created: 0,
      updated: 0,
      unchanged: 7,
      failed: 0,
    });
    expect((await caller.get('/v1/changes').expect(200)).body).toHaveLength(before.length);
    expect((await one('hosts', 'h1')).version).toBe(1);
  });

  it('treats null for unset JSON as unchanged', async () => {
    await caller.networkDevice({ name: 'n1' });
    await caller.networkDevice({ name: 'n2', vlans: null });
    const lines = ['n1', 'n2'].map((name) => ({ kind: 'network-device', name, vlans: null }));
    expect(await importLines(caller, lines)).toMatchObject({ updated: 0, unchanged: 2 });
    await importLines(
      caller,
      lines.map((line) => ({ ...line, vlans: [1] })),
    );
    expect(await importLines(caller, lines)).toMatchObject({ updated: 2, unchanged: 0 });
    expect(await importLines(caller, lines)).toMatchObject({ updated: 0, unchanged: 2 });
  });

  it('leaves one record with all created resources', async () => {
    await sendImport(caller, asLines(fleet), '', { 'X-Change-Reason': 'a new site' }).expect(200);
    const records = (await caller.get('/v1/changes?sort_dir=desc&limit=1').expect(200)).body as Record<
      string,
      unknown
    >[];
    expect(records[0]).toMatchObject({ reason: 'a new site', impact: { devices: 3 } });
    const objects = records[0]?.['objects'] as { kind: string; name: string; action: string }[];
    expect(objects.map(({ kind, name, action }) => `${action} ${kind} ${name}`).sort()).toEqual([
      'create cell c1',
      'create cloud k1',
      'create host h1',
      'create label new',
      'create label web',
      'create network-device core',
      'create network-device sw1',
      'create region r1',
    ]);
  });

  it('updates the given members and keeps the others', async () => {
    await importLines(caller, fleet);
    const lines = [
      { kind: 'host', name: 'h1', note: 'noted', variables: { b: 2 } },
      { kind: 'network-device', name: 'sw1', parent: null, vlans: null },
      { kind: 'region', name: 'r1', cloud: null, labels: ['eu'] },
      { kind: 'cell', region: 'r1', name: 'c1', labels: '' },
      { kind: 'label', label: 'web', variables: { l: true } },
    ];
    expect(await importLines(caller, lines)).toMatchObject({
      created: 0,
      updated: 4,
      unchanged: 1,
      failed: 0,
    });
    expect(await one('hosts', 'h1')).toMatchObject({
      note: 'noted',
      variables: { a: 1, b: 2 },
      labels: 'new,web',
      ip_address: '10.0.0.1',
      version: 2,
    });
    expect(await one('network-devices', 'sw1')).toMatchObject({
      parent_id: null,
      vlans: null,
      model_name: 'QFX',
    });
    expect(await one('regions', 'r1')).toMatchObject({ cloud_id: null, labels: 'eu', variables: { r: 'x' } });
    expect(await one('cells', 'c1')).toMatchObject({ labels: '', note: 'a cell' });
  });

  it('keeps every digit of numbers', async () => {
    await importLines(caller, [
      region,
      '{"kind":"host","name":"h1","region":"r1","ip_address":"10.0.0.1","device_type":"server","variables":{"n":12345678901234567890.10}}',
    ]);
    const { id } = await one('hosts', 'h1');
    const { text } = await caller.get(`/v1/hosts/${String(id)}/variables`).expect(200);
    expect(text).toContain('12345678901234567890.10');
    const again = '{"kind":"host","name":"h1","variables":{"n":12345678901234567890.1}}';
    expect(await importLines(caller, [again])).toMatchObject({ updated: 1 });
  });

  it('moves a device to another region and cell', async () => {
    await importLines(caller, [
      ...fleet,
      { kind: 'region', name: 'r2' },
      { kind: 'cell', region: 'r2', name: 'c1' },
    ]);
    const response = await sendImport(caller, asLines([{ kind: 'host', name: 'h1', region: 'r2' }])).expect(
      405,
    );
    expect(response.body).toMatchObject({
      code: 'validation_exception',
      details: [
        { field: 'line 1', code: expect.any(String), message: expect.stringContaining('cell') as string },
      ],
      created: 0,
      failed: 1,
    });
    await importLines(caller, [{ kind: 'host', name: 'h1', region: 'r2', cell: 'c1' }]);
    const r2 = await one('regions', 'r2');
    expect(await one('hosts', 'h1')).toMatchObject({ region_id: r2.id });
    await importLines(caller, [{ kind: 'host', name: 'h1', cell: null }]);
    expect(await one('hosts', 'h1')).toMatchObject({ region_id: r2.id, cell_id: null });
  });
});

describe('lines that cannot be imported', () => {
  it('prevent the import of all other lines', async () => {
    const lines = [
      region,
      host,
      { kind: 'host', name: 'h2', region: 'nowhere', ip_address: '10.0.0.1', device_type: 'server' },
      {
        kind: 'host',
        name: 'h3',
        region: 'r1',
        ip_address: '10.0.0.1',
        device_type: 'server',
        parent: 'nobody',
      },
    ];
    const { body } = await sendImport(caller, asLines(lines)).expect(405);
    expect(body).toEqual({
      code: 'validation_exception',
      message: 'line 3: region: there is no region "nowhere" in this project (and 1 more)',
      details: [
        {
          field: 'line 3',
          code: 'not_found',
          message: 'region: there is no region "nowhere" in this project',
        },
        {
          field: 'line 4',
          code: 'not_found',
          message: 'parent: there is no device "nobody" in this project',
        },
      ],
      request_id: expect.any(String) as string,
      created: 0,
      updated: 0,
      unchanged: 0,
      failed: 2,
      unchecked: 0,
      errors: [
        {
          line: 3,
          code: 'validation_exception',
          message: 'region: there is no region "nowhere" in this project',
          missing: [{ kind: 'region', name: 'nowhere' }],
        },
        {
          line: 4,
          code: 'validation_exception',
          message: 'parent: there is no device "nobody" in this project',
        },
      ],
    });
    expect(await all('regions')).toEqual([]);
    expect(await all('hosts')).toEqual([]);
  });

  it('name the regions and cells that do not exist, as lines of an import', async () => {
    const located = (name: string, location: object) => ({ ...host, name, ...location });
    const lines = [
      region,
      located('h2', { region: 'r1', cell: 'c1' }),
      located('h3', { region: 'r3', cell: 'c3' }),
      { kind: 'cell', name: 'c4', region: 'r4' },
      located('h5', { parent: 'nobody' }),
    ];
    const { body } = await sendImport(caller, asLines(lines)).expect(405);
    const { errors } = body as { errors: { missing?: object[] }[] };
    const missing = errors.map((error) => error.missing);
    expect(missing).toEqual([
      // The region of a line is rolled back.
      [
        { kind: 'region', name: 'r1' },
        { kind: 'cell', region: 'r1', name: 'c1' },
      ],
      [
        { kind: 'region', name: 'r3' },
        { kind: 'cell', region: 'r3', name: 'c3' },
      ],
      [{ kind: 'region', name: 'r4' }],
      undefined,
    ]);
    const distinct = new Set(missing.flatMap((some = []) => some.map((one) => JSON.stringify(one))));
    await sendImport(caller, `${[...distinct].join('\n')}\n`).expect(200);
    await sendImport(caller, asLines(lines.slice(0, -1))).expect(200);
    const again = await sendImport(
      caller,
      asLines([region, located('h6', { region: 'r1', cell: 'c6' })]),
    ).expect(405);
    expect(again.body).toMatchObject({ errors: [{ missing: [{ kind: 'cell', region: 'r1', name: 'c6' }] }] });
  });

  it('are all reported at once, in order', async () => {
    await caller.definition({ key: 'port', schema: { type: 'integer' } });
    const lines = [
      region,
      '{"kind": "host",',
      { ...host, ip_address: '10.0.0.300' },
      { ...host, name: 'h2', region: 'nowhere' },
      { ...host, name: 'h3' },
      { ...host, name: 'h3', note: 'again' },
      { ...host, name: 'h4', variables: { port: 'x' } },
      { ...host, name: 'h'.repeat(300) },
      { ...host, name: 'h1' },
      { kind: 'host', name: 'h5' },
      { ...host, name: 'h6', parent: 'h1' },
      { kind: 'region', name: 'r2', note: 7 },
      { ...host, name: 'h7', region: 'r2' },
      { kind: 'cell', name: 'c1', region: 'r2' },
      { ...host, name: 'h8', region: 'r2', cell: 'c1' },
      { ...host, name: 'h9', parent: 'h6' },
    ];
    const { body } = (await sendImport(caller, asLines(lines)).expect(400)) as {
      body: { message: string; errors: { line: number; message: string }[] };
    };
    expect(body).toMatchObject({ code: 'invalid_request', created: 0, failed: 9, unchecked: 5 });
    expect(body.errors.map(({ line, message }) => [line, message])).toEqual([
      [2, expect.stringContaining('not valid JSON')],
      [3, expect.stringContaining('ip_address')],
      [4, 'region: there is no region "nowhere" in this project, or its line is invalid'],
      [6, 'name: line 5 names the same device'],
      [7, expect.stringContaining('definition of port')],
      [8, expect.stringContaining('name')],
      [9, 'name: line 3 names the same device'],
      [10, expect.stringContaining('must be given')],
      [12, expect.stringContaining('note')],
    ]);
    expect(await all('regions')).toEqual([]);
  });

  it('say how many lines were not checked, also beyond the limit of reported errors', async () => {
    const invalid = Array.from({ length: 1_000 }, (_, n) => ({ ...host, name: `h${String(n)}`, note: 1 }));
    const { body } = await sendImport(caller, asLines([...invalid, region, { ...host, name: 'x' }])).expect(
      400,
    );
    expect(body).toMatchObject({ failed: 1_000, unchecked: 2 });
    expect((body as { message: string }).message).toMatch(
      / \(and 999 more\)\. 2 other lines were not checked because of this; more errors may follow/,
    );
  });

  it('are reported instead of a missing reason', async () => {
    const path = `/v1/projects/${caller.projectId}/settings`;
    await app.root
      .put(path, { change_reason: { required: true } }, { 'X-Change-Reason': 'CHG-1' })
      .expect(200);
    const { body } = await sendImport(caller, asLines([region, { ...host, note: 1 }])).expect(400);
    expect(body).toMatchObject({ failed: 1, unchecked: 1, errors: [{ line: 2 }] });
  });

  it('get 409 if a device of another kind has the name, even if it is also the parent', async () => {
    await importLines(caller, [region, { ...host, kind: 'network-device' }]);
    const { body } = await sendImport(caller, asLines([{ ...host, parent: 'h1' }])).expect(409);
    expect(body).toMatchObject({ code: 'conflict' });
    await sendImport(caller, asLines([{ ...host, kind: 'network-device', parent: 'h1' }])).expect(405);
  });

  it('are skipped with mode=partial', async () => {
    const lines = [
      region,
      'no JSON',
      host,
      '',
      { ...host, name: 'h2', variables: { '1': 1 } },
      { ...host, name: 'h3', parent: 'h2' },
      { ...host, name: 'h1' },
      { kind: 'star', name: 'x' },
      { ...host, name: 'h4', region_id: 1 },
      { kind: 'host', name: 'h5', region: 'r1' },
      '[]',
      '{"kind":"host","name":"h6","region":"r1","ip_address":"10.0.0.1","device_type":"server","variables":{"a":"\\u0000"}}',
    ];
    const summary = await importLines(caller, lines, '?mode=partial');
    expect(summary).toMatchObject({ created: 2, failed: 9 });
    expect(summary.errors.map(({ line, code }) => [line, code])).toEqual([
      [2, 'invalid_request'],
      [5, 'invalid_request'],
      [6, 'validation_exception'],
      [7, 'conflict'],
      [8, 'invalid_request'],
      [9, 'invalid_request'],
      [10, 'invalid_request'],
      [11, 'invalid_request'],
      [12, 'invalid_request'],
    ]);
    expect(summary.errors[3]?.message).toBe('name: line 3 names the same device');
    expect((await all('hosts')).map(({ name }) => name)).toEqual(['h1']);
  });

  it('include the lines of parent cycles, but no others', async () => {
    await importLines(caller, [region, host, { ...host, name: 'h2', parent: 'h1' }]);
    const lines = [
      { kind: 'host', name: 'h1', parent: 'h2' },
      { ...host, name: 'a', parent: 'b' },
      { ...host, name: 'b', parent: 'a' },
      { ...host, name: 'c', parent: 'c' },
      { ...host, name: 'd', parent: 'e' },
      { ...host, name: 'e' },
    ];
    const summary = await importLines(caller, lines, '?mode=partial');
    expect(summary).toMatchObject({ created: 2, updated: 0, failed: 4 });
    expect(summary.errors.map(({ line }) => line)).toEqual([1, 2, 3, 4]);
    const [d, e] = [await one('hosts', 'd'), await one('hosts', 'e')];
    expect(d['parent_id']).toBe(e.id);
  });

  it('include one line of each parent cycle, and the others as its consequences', async () => {
    const lines = [
      region,
      { ...host, name: 'a', parent: 'b' },
      { ...host, name: 'b', parent: 'c' },
      { ...host, name: 'c', parent: 'a' },
    ];
    const { body } = await sendImport(caller, asLines(lines)).expect(405);
    expect(body).toMatchObject({ failed: 1, unchecked: 2, errors: [{ line: 4 }] });
  });

  it('include lines that violate a variable definition', async () => {
    await caller.definition({ key: 'port', schema: { type: 'integer' } });
    const hosts = Array.from({ length: 20 }, (_, n) => ({
      ...host,
      name: `h${String(n)}`,
      variables: { port: n === 7 ? 'x' : n },
    }));
    const summary = await importLines(caller, [region, ...hosts], '?mode=partial');
    expect(summary).toMatchObject({ created: 20, failed: 1, errors: [{ line: 9, code: 'invalid_request' }] });
    expect(summary.errors[0]?.message).toContain('definition of port');
  });
});

describe('a dry run', () => {
  it('counts the devices that exist already and would resolve other values', async () => {
    await importLines(caller, [region, host, { ...host, name: 'h2', variables: { a: 'own' } }]);
    const dryRun = async (lines: readonly object[]) =>
      (await importLines(caller, lines, '?dry_run=true')) as unknown as {
        existing_devices: number;
        impact: { devices: number };
      };
    const created = [
      { ...host, name: 'h3', variables: { b: 1 } },
      { ...host, name: 'h4' },
    ];
    expect(await dryRun(created)).toMatchObject({ existing_devices: 0, impact: { devices: 1 } });
    const noted = { kind: 'host', name: 'h1', note: 'noted' };
    expect(await dryRun([noted])).toMatchObject({ existing_devices: 0, impact: { devices: 0 } });
    // h2 overrides the variable; h3 and h4 inherit it.
    const updated = { ...region, variables: { a: 1 } };
    expect(await dryRun([updated, ...created])).toMatchObject({
      existing_devices: 1,
      impact: { devices: 3 },
    });
    const own = { kind: 'host', name: 'h2', variables: { a: 2 } };
    expect(await dryRun([updated, noted, own])).toMatchObject({
      existing_devices: 2,
      impact: { devices: 2 },
    });
  });
});

describe('the response for each line', () => {
  it('is returned in order with Accept: application/x-ndjson', async () => {
    await importLines(caller, [region]);
    const lines = [{ ...host, parent: 'h2' }, region, 'x', { ...host, name: 'h2' }];
    const { text, headers } = await sendImport(caller, asLines(lines), '?mode=partial', {
      Accept: 'application/x-ndjson',
    }).expect(200);
    expect(headers['content-type']).toContain('application/x-ndjson');
    const responses = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const ids = {
      h1: (await one('hosts', 'h1')).id,
      h2: (await one('hosts', 'h2')).id,
      r1: (await one('regions', 'r1')).id,
    };
    expect(responses).toEqual([
      { line: 1, result: 'created', kind: 'host', id: ids.h1, name: 'h1' },
      { line: 2, result: 'unchanged', kind: 'region', id: ids.r1, name: 'r1' },
      {
        line: 3,
        result: 'failed',
        code: 'invalid_request',
        message: expect.stringContaining('JSON') as string,
      },
      { line: 4, result: 'created', kind: 'host', id: ids.h2, name: 'h2' },
      { created: 2, updated: 0, unchanged: 1, failed: 1, errors: [expect.objectContaining({ line: 3 })] },
    ]);
  });
});
