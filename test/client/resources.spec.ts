import { revertHint } from '../support/reverts';
import { sharedService } from '../support/service';
import type { Caller } from '../support/caller';
import { cells } from '../support/printed-table';
import { muster, printed } from '../support/shell';

const app = sharedService();
let admin: Caller;

beforeEach(async () => {
  admin = await app.project();
});

const json = async (args: readonly string[], caller = admin): Promise<Record<string, unknown>> =>
  JSON.parse(await printed(caller, [...args, '-o', 'json'])) as Record<string, unknown>;

describe('show', () => {
  it('finds a resource by UUID with or without dashes, by id or by name', async () => {
    const host = await admin.host({ name: 'web-1' });
    for (const word of [host.uuid, host.uuid.replaceAll('-', '').toUpperCase(), String(host.id), 'web-1'])
      expect(await json(['host', 'show', word])).toMatchObject({ id: host.id, name: 'web-1' });
  });

  it('finds a resource by its UUID, although another one is named like it', async () => {
    const host = await admin.host({ name: 'web-1' });
    await admin.host({ name: host.uuid });
    await admin.networkDevice({ name: host.uuid.replaceAll('-', '') });
    for (const word of [host.uuid, host.uuid.replaceAll('-', ''), host.uuid.toUpperCase()])
      for (const kind of ['host', 'device'])
        expect(await json([kind, 'show', word])).toMatchObject({ id: host.id, name: 'web-1' });
    // A name that looks like a UUID still identifies a resource, if no UUID equals it.
    const name = '00000000-0000-4000-8000-000000000000';
    await admin.host({ name });
    expect(await json(['host', 'show', name])).toMatchObject({ name });
  });

  it('reports an unknown resource with exit code 3', async () => {
    expect(await muster(admin, ['host', 'show', 'nobody'])).toEqual({
      code: 3,
      stdout: '',
      stderr: 'muster: There is no host "nobody".\n  "muster host list" shows the hosts.\n',
    });
  });

  it('names no command for a kind that has none', async () => {
    await admin.region({ name: 'north' });
    const host = ['web-1', '--region', 'north', '--ip-address', '10.0.0.1', '--device-type', 'server'];
    expect(await muster(admin, ['host', 'create', ...host, '--access-secret', '987654321'])).toEqual({
      code: 3,
      stdout: '',
      stderr: 'muster: There is no access secret "987654321".\n',
    });
  });

  it('prints the response of the API as JSON, with every digit', async () => {
    const host = await admin.host({ name: 'web-1' });
    await admin
      .put(`/v1/hosts/${host.id}/variables`, '{"serial": 9007199254740993, "ratio": 1.10}')
      .expect(200);
    const text = await printed(admin, ['host', 'show', 'web-1', '-o', 'json']);
    expect(text).toContain('9007199254740993');
    expect(text).toContain('1.10');
    const { body } = await admin.get(`/v1/hosts/${host.id}`).expect(200);
    expect(JSON.parse(text)).toEqual(body);
  });

  it('shows names instead of ids in a table', async () => {
    const region = await admin.region({ name: 'north' });
    const cell = await admin.cell({ name: 'rack-a', region_id: region.id });
    const location = { region_id: region.id, cell_id: cell.id };
    const parent = await admin.networkDevice({ name: 'north-switch-a', ...location });
    await admin.host({ name: 'web-1', ...location, parent_id: parent.id });
    const rows = cells(await printed(admin, ['host', 'show', 'web-1']));
    expect(rows).toContainEqual(['region', 'north']);
    expect(rows).toContainEqual(['cell', 'rack-a']);
    expect(rows).toContainEqual(['parent', 'north-switch-a']);
    expect(cells(await printed(admin, ['region', 'show', 'north']))).toContainEqual(['cells', 'rack-a']);
  });

  it('shows own variables, and past states', async () => {
    const region = await admin.region({ name: 'north', variables: { kernel: '6.8' } });
    const host = await admin.host({ name: 'web-1', region_id: region.id, variables: { rack: 4 } });
    expect(await json(['host', 'show', 'web-1'])).toMatchObject({ variables: { kernel: '6.8', rack: 4 } });
    expect((await json(['host', 'show', 'web-1', '--own']))['variables']).toEqual({ rack: 4 });
    await admin.put(`/v1/hosts/${host.id}`, { note: 'later' }).expect(200);
    const at = String(host['created_at']);
    expect(await json(['host', 'show', 'web-1', '--at', at])).toMatchObject({ note: null });
    // The past state of a deleted resource can still be read.
    await admin.delete(`/v1/hosts/${host.id}`).expect(204);
    expect(await json(['host', 'show', String(host.id), '--at', at])).toMatchObject({ name: 'web-1' });
    expect(await muster(admin, ['host', 'show', String(host.id)])).toMatchObject({ code: 3 });
  });
});

describe('an ambiguous name', () => {
  it('is reported with the locations of the candidates', async () => {
    const [north, south] = [await admin.region({ name: 'north' }), await admin.region({ name: 'south' })];
    const first = await admin.cell({ name: 'rack-a', region_id: north.id });
    const second = await admin.cell({ name: 'rack-a', region_id: south.id });
    const { code, stdout, stderr } = await muster(admin, ['cell', 'show', 'rack-a']);
    expect({ code, stdout }).toEqual({ code: 6, stdout: '' });
    expect(stderr.split('\n').slice(1).toSorted()).toEqual(
      [
        '',
        `  ${first.uuid}  cell rack-a (id ${first.id}) in north`,
        `  ${second.uuid}  cell rack-a (id ${second.id}) in south`,
      ].toSorted(),
    );
  });

  it('is resolved by --region, or by a region before a slash', async () => {
    const [north, south] = [await admin.region({ name: 'north/1' }), await admin.region({ name: 'south' })];
    await admin.cell({ name: 'rack/a', region_id: north.id });
    const other = await admin.cell({ name: 'rack/a', region_id: south.id });
    expect(await json(['cell', 'show', 'rack/a', '--region', 'south'])).toMatchObject({ id: other.id });
    expect(await json(['cell', 'show', 'south/rack/a'])).toMatchObject({ id: other.id });
    expect(await json(['cell', 'show', 'north/1/rack/a'])).toMatchObject({ region_id: north.id });
    expect(await muster(admin, ['cell', 'show', 'rack/b', '--region', 'south'])).toMatchObject({
      code: 3,
      stderr: 'muster: There is no cell "rack/b" in that region.\n  Did you mean "rack/a"?\n',
    });
    expect(await muster(admin, ['cell', 'show', String(other.id), '--region', 'north/1'])).toMatchObject({
      code: 3,
    });
  });
});

describe('create', () => {
  it('creates one of each kind from options, and shows it', async () => {
    expect(await json(['cloud', 'create', 'demo', '--note', 'Ours'])).toMatchObject({
      name: 'demo',
      note: 'Ours',
    });
    const region = await json([
      'region',
      'create',
      'north',
      '--cloud',
      'demo',
      '--labels',
      'site:a, big',
      '--set',
      'kernel:="6.8"',
    ]);
    expect(region).toMatchObject({ name: 'north', labels: 'big,site:a', variables: { kernel: '6.8' } });
    await json(['cell', 'create', 'rack-a', '--region', 'north']);
    const core = await json([
      'network-device',
      'create',
      'core',
      '--cell',
      'north/rack-a',
      '--ip-address',
      '10.0.0.1',
      '--device-type',
      'switch',
      '--vlans',
      '[100, {"id": 200}]',
      '--model-name',
      'MX204',
    ]);
    expect(core).toMatchObject({ region_id: region['id'], vlans: [100, { id: 200 }], model_name: 'MX204' });
    const secret = await admin.secret();
    const host = await json([
      'host',
      'create',
      'web-9',
      '--region',
      'north',
      '--cell',
      'rack-a',
      '--parent',
      'core',
      '--ip-address',
      '10.0.0.9',
      '--device-type',
      'server',
      '--no-active',
      '--label',
      'web',
      '--label',
      'compute',
      '--access-secret',
      secret.uuid,
      '--set',
      'big:=9007199254740993',
    ]);
    expect(host).toMatchObject({
      parent_id: core['id'],
      cell_id: core['cell_id'],
      active: false,
      labels: 'compute,web',
      access_secret_id: secret.id,
    });
    const { body } = await admin.get(`/v1/hosts/${String(host['id'])}`).expect(200);
    expect(body).toMatchObject({ name: 'web-9', ip_address: '10.0.0.9', device_type: 'server' });
    expect(await json(['label', 'create', 'database', '--set', 'huge_pages:=true'])).toMatchObject({
      label: 'database',
      variables: { huge_pages: true },
    });
    expect(
      await json([
        'device',
        'create',
        'web-10',
        '--kind',
        'host',
        '--region',
        'north',
        '--ip-address',
        '10.0.0.10',
        '--device-type',
        'server',
      ]),
    ).toMatchObject({ kind: 'host', name: 'web-10' });
    expect(await json(['project', 'create', 'laboratory'], app.root)).toMatchObject({ name: 'laboratory' });
  });

  it('reports missing and invalid options before it creates anything', async () => {
    const wrong = async (...args: string[]) => {
      const { code, stdout, stderr } = await muster(admin, args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      return stderr;
    };
    await admin.region({ name: 'north' });
    const host = [
      'host',
      'create',
      'web-1',
      '--region',
      'north',
      '--ip-address',
      '10.0.0.1',
      '--device-type',
      'server',
    ];
    expect(await wrong('host', 'create', 'web-1', '--device-type', 'server')).toBe(
      'muster: Missing options: --region <region>, --ip-address <text>.\n',
    );
    expect(await wrong('cell', 'create', 'rack-a')).toContain('--region');
    expect(await wrong('host', 'create')).toContain("missing required argument 'name'");
    expect(await wrong(...host, '--set', 'kernel:=6.8.1')).toContain("kernel='");
    expect(await wrong(...host, '--colour', 'green')).toContain("unknown option '--colour'");
    expect(
      await wrong('device', 'create', 'x', '--kind', 'host', ...host.slice(3), '--model-name', 'm'),
    ).toBe('muster: --model-name cannot be used with a host.\n');
    expect(await wrong('network-device', ...host.slice(1), '--vlans', 'none')).toContain('Invalid --vlans');
    expect((await admin.get('/v1/devices').expect(200)).body.devices).toEqual({
      hosts: [],
      'network-devices': [],
    });
  });

  it('prints what was created: in a table without inherited variables', async () => {
    await admin.region({ name: 'north', variables: { kernel: '6.8', ntp: 'a' } });
    const place = ['--region', 'north', '--set', 'rack:=1', '--set', 'ntp=b'];
    const members = ['--ip-address', '10.0.0.1', '--device-type', 'server'];
    for (const command of [
      ['cell', 'create', 'rack-a', ...place],
      ['host', 'create', 'web-1', ...place, ...members],
    ]) {
      const variables = cells(await printed(admin, command)).filter(([member]) => member?.startsWith('var'));
      expect(variables).toEqual([
        ['variables.rack', '1'],
        ['variables.ntp', '"b"'],
      ]);
    }
    const updated = await printed(admin, ['host', 'update', 'web-1', '--note', 'spare']);
    expect(cells(updated)).toContainEqual(['note', 'spare']);
    expect(updated).not.toContain('variables');
    expect(await json(['cell', 'create', 'rack-b', '--region', 'north'])).toMatchObject({
      variables: { kernel: '6.8', ntp: 'a' },
    });
  });

  it('names what is similar to a resource that is not found, or how to list all', async () => {
    const region = await admin.region({ name: 'north' });
    await admin.cell({ name: 'rack-a', region_id: region.id });
    const members = ['--ip-address', '10.0.0.1', '--device-type', 'server'];
    const create = ['host', 'create', 'web-1', ...members];
    for (const [args, message] of [
      [[...create, '--region', 'nroth'], 'region "nroth".\n  Did you mean "north"?'],
      [[...create, '--cell', 'north/rack-b'], 'cell "north/rack-b".\n  Did you mean "north/rack-a"?'],
      [
        [...create, '--region', 'north', '--cell', 'rack-b'],
        'cell "rack-b" in that region.\n  Did you mean "rack-a"?',
      ],
      [
        [...create, '--region', 'north', '--parent', 'core'],
        'device "core".\n  "muster device list" shows the devices.',
      ],
      [
        ['region', 'update', 'north', '--cloud', 'aws'],
        'cloud "aws".\n  "muster cloud list" shows the clouds.',
      ],
      [
        ['change', 'list', '--kind', 'region', '--resource', 'nroth'],
        'region "nroth".\n  Did you mean "north"?\n  A deleted resource can be given by its id.',
      ],
    ] as const)
      expect(await muster(admin, [...args])).toEqual({
        ...{ code: 3, stdout: '' },
        stderr: `muster: There is no ${message}\n`,
      });
  });

  it('prints the error of the service, with the request id', async () => {
    await admin.region({ name: 'north' });
    const { code, stderr } = await muster(admin, ['region', 'create', 'north']);
    expect(code).toBe(4);
    expect(stderr).toMatch(/^muster: The name north is already in use\.\n.* request id: \S+\n$/s);
    expect(await muster(admin, ['cell', 'create', 'rack-a', '--region', 'nowhere'])).toMatchObject({
      code: 3,
      stderr: 'muster: There is no region "nowhere".\n  "muster region list" shows the regions.\n',
    });
  });

  it('records the reason', async () => {
    const region = await json(['region', 'create', 'north', '--reason', 'CHG-1: a site']);
    const { body } = await admin.get(`/v1/regions/${String(region['id'])}/changes`).expect(200);
    expect(body[0].reason).toBe('CHG-1: a site');
  });

  it('with --dry-run shows what it would create, and creates nothing', async () => {
    await admin.region({ name: 'north' });
    const { code, stdout, stderr } = await muster(admin, [
      'cell',
      'create',
      'rack-a',
      '--region',
      'north',
      '--dry-run',
    ]);
    expect(code).toBe(0);
    expect(stderr).toContain('Dry run: nothing was written.\nIt would create cell rack-a.\n');
    expect(cells(stdout)).toContainEqual(['cell rack-a', 'name', '"rack-a"']);
    expect((await admin.get('/v1/cells').expect(200)).body).toEqual([]);
    expect(await json(['cell', 'create', 'rack-a', '--region', 'north', '--dry-run'])).toMatchObject({
      dry_run: true,
    });
  });
});

describe('update', () => {
  it('changes the fields that options name, and keeps the others', async () => {
    await admin.region({
      name: 'north',
      note: 'Keep',
      variables: { kernel: '6.8', power: 'A' },
      labels: 'a,b',
    });
    expect(
      await json(['region', 'update', 'north', '--name', 'south', '--set', 'kernel:="6.9"']),
    ).toMatchObject({
      name: 'south',
      note: 'Keep',
      labels: 'a,b',
      variables: { kernel: '6.9', power: 'A' },
    });
    expect(await json(['region', 'update', 'south', '--clear', 'note', '--labels', 'c'])).toMatchObject({
      note: null,
      labels: 'c',
    });
    expect(await json(['region', 'update', 'south', '--labels', ''])).toMatchObject({ labels: '' });
    const label = await admin.label({ label: 'web' });
    expect(await json(['label', 'update', 'web', '--name', 'www'])).toMatchObject({
      id: label.id,
      label: 'www',
    });
  });

  it('adds and removes labels in one change', async () => {
    for (const args of [
      ['region', 'create', 'north'],
      ['cell', 'create', 'rack-a', '--region', 'north'],
    ])
      await printed(admin, [...args, '--labels', 'a,b']);
    expect(
      await json(['cell', 'update', 'rack-a', '--add-label', 'c', '--add-label', 'd', '--remove-label', 'a']),
    ).toMatchObject({
      labels: 'b,c,d',
      version: 2,
    });
    expect(
      await muster(admin, ['cell', 'update', 'rack-a', '--add-label', 'c', '--remove-label', 'c']),
    ).toMatchObject({ code: 2 });
    expect(
      await muster(admin, ['cell', 'update', 'rack-a', '--labels', 'c', '--add-label', 'd']),
    ).toMatchObject({ code: 2 });
  });

  it('loses no label that is added concurrently', async () => {
    await admin.host({ name: 'web-1' });
    const added = Array.from({ length: 4 }, (_, i) => `label-${String(i)}`);
    await Promise.all(
      added.map((label) => printed(admin, ['host', 'update', 'web-1', '--add-label', label])),
    );
    expect(await json(['host', 'show', 'web-1'])).toMatchObject({ labels: added.join(',') });
  });

  it('moves cells to a region, with their devices', async () => {
    const north = await admin.region({ name: 'north' });
    const south = await admin.region({ name: 'south' });
    const cell = await admin.cell({ name: 'rack-a', region_id: north.id });
    const host = await admin.host({ region_id: north.id, cell_id: cell.id });
    await printed(admin, ['region', 'update', 'south', '--cell', 'north/rack-a']);
    expect((await admin.get(`/v1/hosts/${host.id}`).expect(200)).body).toMatchObject({ region_id: south.id });
  });

  it('requires --yes to change variables of several devices', async () => {
    const region_id = (await admin.region({ name: 'north', variables: { kernel: '6.8' } })).id;
    for (const name of ['web-1', 'web-2']) await admin.host({ name, region_id });
    const update = ['region', 'update', 'north', '--set', 'kernel:="6.9"'];
    const { code, stdout, stderr } = await muster(admin, update);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('resolved values of 2 devices: kernel.\n');
    const preview = await muster(admin, [...update, '--dry-run']);
    expect(preview.stderr).toContain('2 devices would resolve other values of kernel.\n');
    expect(cells(preview.stdout)).toContainEqual(['host web-2', 'variables.kernel', '"6.8"', '"6.9"']);
    expect(await json(['region', 'show', 'north'])).toMatchObject({
      variables: { kernel: '6.8' },
      version: 1,
    });
    const updated = await muster(admin, [...update, '--yes', '-o', 'json']);
    expect(JSON.parse(updated.stdout)).toMatchObject({ variables: { kernel: '6.9' } });
    expect(updated.stderr).toBe('Updated region north. 2 devices resolve another value.\n');
    await admin
      .put('/v1/hosts/' + String((await json(['host', 'show', 'web-2']))['id']) + '/variables', {
        kernel: 'x',
      })
      .expect(200);
    // Only one device would be affected now.
    expect(await json(['region', 'update', 'north', '--set', 'kernel:="7"'])).toMatchObject({
      variables: { kernel: '7' },
    });
  });

  it('rejects an update without options, and clearing required fields', async () => {
    await admin.region({ name: 'north' });
    expect(await muster(admin, ['region', 'update', 'north'])).toMatchObject({ code: 2 });
    const { code, stderr } = await muster(admin, ['region', 'update', 'north', '--clear', 'name']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'muster: "name" cannot be cleared. Members of a region that can: labels, note, cloud.\n',
    });
    expect(
      await muster(admin, ['region', 'update', 'north', '--clear', 'note', '--note', 'x']),
    ).toMatchObject({ code: 2 });
  });
});

describe('delete', () => {
  it('deletes one resource without asking', async () => {
    for (const name of ['web-1', 'web-2']) await admin.host({ name, variables: { rack: 1 } });
    expect(await muster(admin, ['host', 'delete', 'web-1'])).toEqual({
      code: 0,
      stdout: '',
      stderr: `Deleted host web-1. ${await revertHint(admin)}\n`,
    });
    expect((await admin.get('/v1/hosts?fields=name').expect(200)).body).toEqual([{ name: 'web-2' }]);
  });

  it('requires --yes to delete several resources, and prints them with their number', async () => {
    for (const name of ['web-1', 'web-2', 'web-3']) await admin.host({ name });
    const command = ['host', 'delete', 'web-1', 'web-2'];
    expect(await muster(admin, command)).toEqual({
      code: 2,
      stdout: '',
      stderr: [
        'muster: This would delete 2 hosts.',
        '  Nothing was changed. Use --yes to skip the question, or --dry-run to see the details.',
        '',
      ].join('\n'),
    });
    expect((await admin.get('/v1/hosts').expect(200)).body).toHaveLength(3);
    expect(await muster(admin, [...command, '--yes'])).toEqual({
      code: 0,
      stdout: '',
      stderr: `Deleted host web-1.\nDeleted host web-2.\nDeleted 2 hosts. ${await revertHint(admin, 2)}\n`,
    });
    expect((await admin.get('/v1/hosts?fields=name').expect(200)).body).toEqual([{ name: 'web-3' }]);
  });

  it('deletes nothing if one name is unknown', async () => {
    await admin.host({ name: 'web-1' });
    expect(await muster(admin, ['host', 'delete', 'web-1', 'web-9'])).toMatchObject({ code: 3 });
    expect((await admin.get('/v1/hosts').expect(200)).body).toHaveLength(1);
  });

  it('reports which resources could not be deleted, and deletes the others', async () => {
    const used = await admin.region({ name: 'north' });
    await admin.cell({ region_id: used.id });
    await admin.region({ name: 'south' });
    expect(await muster(admin, ['region', 'delete', 'north', 'south'])).toMatchObject({ code: 2 });
    const { code, stderr } = await muster(admin, ['region', 'delete', 'north', 'south', '--yes']);
    expect(code).toBe(7);
    expect(stderr).toMatch(
      /^Deleted region south\.\nDeleted 1 region\. Revert it with: muster change revert \d+\nmuster: 1 of 2 could not be deleted:\n {2}region north: .* \(request id: \S+\)\n$/,
    );
    expect((await admin.get('/v1/regions?fields=name').expect(200)).body).toEqual([{ name: 'north' }]);
    expect(await muster(admin, ['region', 'delete', 'north'])).toMatchObject({ code: 4 });
  });

  it('asks nothing if every deletion is rejected', async () => {
    for (const name of ['north', 'south']) await admin.cell({ region_id: (await admin.region({ name })).id });
    const { code, stderr } = await muster(admin, ['region', 'delete', 'north', 'south']);
    expect(code).toBe(4);
    expect(stderr).toMatch(
      /^muster: 2 of 2 could not be deleted:\n {2}region north: .* still used by 1 cell/,
    );
  });

  it('deletes a device after its child', async () => {
    const parent = await admin.host({ name: 'parent' });
    await admin.host({ name: 'child', region_id: parent['region_id'], parent_id: parent.id });
    const command = ['host', 'delete', 'child', 'parent'];
    expect((await muster(admin, command)).stderr).toMatch(/^muster: This would delete 2 hosts\.\n/);
    expect(await muster(admin, [...command, '-y'])).toMatchObject({ code: 0 });
  });

  it('with --dry-run shows the affected devices, and deletes nothing', async () => {
    await admin.label({ label: 'web', variables: { port: 443 } });
    const host = await admin.host({ name: 'web-1', labels: 'other', variables: { rack: 1 } });
    const { code, stdout, stderr } = await muster(admin, ['host', 'delete', 'web-1', '--dry-run']);
    expect(code).toBe(0);
    expect(stderr).toContain('It would delete host web-1.\n1 device would resolve other values of rack.\n');
    expect(cells(stdout)).toContainEqual(['host web-1', 'variables.rack', '1']);
    await admin.get(`/v1/hosts/${host.id}`).expect(200);
  });
});

it('accepts the plural of a kind', async () => {
  await admin.region({ name: 'north' });
  expect(await printed(admin, ['regions', 'list', '-o', 'name'])).toBe('north\n');
});
