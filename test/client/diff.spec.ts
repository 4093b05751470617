import { join } from 'node:path';
import { sharedService } from '../support/service';
import type { Caller } from '../support/caller';
import { exportTexts, exportLines } from '../support/export-reader';
import { startFaultyProxy } from '../support/faulty-proxy';
import { asLines, importLines } from '../support/importing';
import { smallNetBox, textsOf } from '../support/netbox/inventory';
import { NetBoxServer } from '../support/netbox/server';
import { muster, printed, temporaryFile, temporaryFolder } from '../support/shell';

const app = sharedService();
let admin: Caller;

const host = (name: string, more: object = {}) => ({
  ...{ kind: 'host', name, region: 'north', ip_address: '10.0.0.1', device_type: 'server' },
  ...more,
});

const FLEET = [
  { kind: 'region', name: 'north', variables: { domain: 'north.example' } },
  { kind: 'region', name: 'south' },
  { kind: 'cell', region: 'north', name: 'c1' },
  { kind: 'cell', region: 'south', name: 'c1' },
  host('web-1', { cell: 'c1', labels: ['web'], variables: { port: 80, id: 1, old: null } }),
  host('web-2', { parent: 'web-1' }),
  host('web-3', { region: 'south', cell: 'c1' }),
  host('sw-1', { kind: 'network-device', region: 'south' }),
];

beforeEach(async () => {
  admin = await app.project();
  await importLines(admin, FLEET);
});

const linesFile = (lines: readonly object[]): string => temporaryFile('source.ndjson', asLines(lines));
const names = async (kind: string): Promise<unknown[]> =>
  (await exportLines(admin, `?kind=${kind}`)).map(({ region, name }) =>
    [region, name].filter(Boolean).join('/'),
  );
const idOf = async (name: string): Promise<string> =>
  String(((await admin.get(`/v1/hosts?name=${name}`).expect(200)).body as { id: unknown }[])[0]?.id);
const everything = () => exportTexts(admin);

describe('muster diff', () => {
  it.each([
    [['host', 'web-1', 'web 2'], 'host', 'host', "web-1 'web 2'", 'hosts'],
    [['network-devices', 'sw-1'], 'network-devices', 'network-device', 'sw-1 OTHER', 'network devices'],
    [['devices'], 'devices', 'device', 'NAME OTHER', 'devices'],
    [['web-1', 'web-2'], 'web-1', 'device', 'web-1 web-2', 'devices'],
    [['project', 'a', 'b'], 'project', 'device', 'NAME OTHER', 'devices'],
  ])(
    '%j, which are no files, is answered with how to compare variables',
    async (args, word, kind, names, kinds) => {
      const [one = '', other = ''] = names.match(/'.*'|\S+/g) ?? [];
      expect(await muster(admin, ['diff', ...args])).toEqual({
        code: 2,
        stdout: '',
        stderr: [
          `muster: There is no file "${word}". "muster diff" compares the inventory with files.`,
          '  usage: muster diff [options] [file...]',
          `  To compare the resolved variables of two ${kinds}, in bash or zsh:`,
          `  diff <(muster vars get ${kind} ${one} -o yaml) <(muster vars get ${kind} ${other} -o yaml)`,
          '',
        ].join('\n'),
      });
    },
  );

  it('names a command that compares variables with their types, whatever their order', async () => {
    const same = { b: { y: [1, null], x: 'a' }, a: '0640', yes: 'yes', lines: 'a\nb' };
    await importLines(admin, [
      { kind: 'region', name: 'north', variables: { domain: 'example', zone: 1, early: true } },
      { kind: 'region', name: 'south', variables: { domain: 'example' } },
      host('eq-1', { region: 'north', variables: { ...same, kernel: 6.8, none: null } }),
      host('eq-2', {
        region: 'south',
        variables: { early: true, zone: 1, none: '', kernel: '6.8', ...same },
      }),
    ]);
    const linesOf = async (name: string) =>
      (await printed(admin, ['vars', 'get', 'host', name, '-o', 'yaml'])).split('\n');
    const [first, second] = [await linesOf('eq-1'), await linesOf('eq-2')];
    expect(first).toHaveLength(second.length);
    expect(first.map((line, i) => [line, second[i]]).filter(([left, right]) => left !== right)).toEqual([
      ['kernel: 6.8', 'kernel: "6.8"'],
      ['none: null', 'none: ""'],
    ]);
  });

  it('finds no difference to an export of the inventory', async () => {
    for (const ending of ['ndjson', 'json', 'yaml', 'ndjson.gz']) {
      const file = join(temporaryFolder(), `fleet.${ending}`);
      await printed(admin, ['export', file]);
      expect(await muster(admin, ['diff', file])).toEqual({
        code: 0,
        stdout: '',
        stderr: '0 to create, 0 to update, 9 unchanged, 0 only here.\n',
      });
    }
    const table = join(temporaryFolder(), 'hosts.csv');
    await printed(admin, ['export', table]);
    expect(await muster(admin, ['diff', table])).toMatchObject({ code: 0, stdout: '' });
  });

  it('shows each member and variable that differs, and writes nothing', async () => {
    const before = await everything();
    const lines = [
      { kind: 'region', name: 'north', variables: { domain: 'n.example' } },
      { kind: 'cell', region: 'north', name: 'c2' },
      host('web-1', { cell: 'c2', labels: [], variables: { port: '80', id: 2 }, unset_variables: ['old'] }),
      host('web-2'),
    ];
    expect(await muster(admin, ['diff', linesFile(lines)])).toEqual({
      code: 8,
      stdout: [
        'ACTION     WHAT           MEMBER            HERE             SOURCE',
        'update     region north   variables.domain  "north.example"  "n.example"',
        'create     cell north/c2',
        'update     host web-1     cell              "c1"             "c2"',
        'update     host web-1     labels            ["web"]          []',
        'update     host web-1     variables.id      1                2',
        'update     host web-1     variables.old     null',
        'update     host web-1     variables.port    80               "80" (was a number)',
        'only here  cell north/c1',
        'only here  region south',
        '',
      ].join('\n'),
      stderr: '1 to create, 2 to update, 1 unchanged, 2 only here.\n',
    });
    expect(await everything()).toEqual(before);
  });

  it('prints JSON', async () => {
    const file = linesFile([host('web-1', { note: 'n' }), host('web-9', { region: 'south' })]);
    const { code, stdout } = await muster(admin, ['diff', file, '-o', 'json']);
    expect([code, JSON.parse(stdout)]).toEqual([
      8,
      [
        {
          ...{ action: 'update', kind: 'host', name: 'web-1' },
          changes: [{ member: 'note', here: null, source: 'n' }],
        },
        {
          ...{ action: 'create', kind: 'host', name: 'web-9' },
          resource: expect.objectContaining({ region: 'south', active: true }) as object,
        },
        {
          action: 'only here',
          kind: 'host',
          region: 'north',
          name: 'web-2',
          id: expect.any(String) as string,
        },
        {
          action: 'only here',
          kind: 'host',
          region: 'south',
          name: 'web-3',
          id: expect.any(String) as string,
        },
      ],
    ]);
  });

  it('compares tables and Ansible inventories', async () => {
    const table = temporaryFile('hosts.csv', 'name,variables.port\nweb-1,81\nweb-2,\n');
    expect(await muster(admin, ['diff', table])).toMatchObject({
      code: 8,
      stdout: expect.stringContaining('update  host web-1  variables.port  80    81\n') as string,
      stderr: '0 to create, 1 to update, 1 unchanged, 0 only here.\n',
    });
    const inventory = temporaryFile(
      'inventory.json',
      JSON.stringify({
        _meta: { hostvars: { 'web-1': { ansible_host: '10.0.0.1' }, 'web-9': { ansible_host: '10.0.0.9' } } },
        all: { children: ['ungrouped'] },
        ungrouped: { hosts: ['web-1', 'web-9'] },
      }),
    );
    const run = await muster(admin, ['diff', '--from', 'ansible', inventory, '--region', 'north']);
    expect(run.code).toBe(8);
    expect(run.stdout.split('\n').slice(1)).toEqual([
      'create     host web-9',
      'only here  host web-2',
      'only here  region south',
      '',
    ]);
  });

  it('compares a NetBox, and prunes what it no longer has', async () => {
    const project = await app.project();
    const lists = smallNetBox();
    const netbox = await NetBoxServer.start(textsOf(lists));
    try {
      const env = netbox.environment;
      const from = ['--from', 'netbox'];
      await printed(project, ['import', ...from], { env });
      const same = await muster(project, ['diff', ...from], { env });
      expect(same).toMatchObject({ code: 0, stdout: '' });
      expect(same.stderr).toMatch(/0 to create, 0 to update, \d+ unchanged, 0 only here\.\n$/);
      const devices = lists['dcim/devices'];
      devices.splice(
        devices.findIndex(({ name }) => name === 'lab1'),
        1,
      );
      netbox.lists = textsOf(lists);
      const differs = await muster(project, ['diff', ...from], { env });
      expect(differs).toMatchObject({
        code: 8,
        stdout: expect.stringContaining('only here  host lab1\n') as string,
      });
      await printed(project, ['import', ...from, '--prune', 'device,cell', '--yes'], { env });
      expect(await muster(project, ['diff', ...from], { env })).toMatchObject({ code: 0 });
    } finally {
      await netbox.stop();
    }
  });

  it('reports lines that cannot be imported, and does not call their resources missing', async () => {
    const file = linesFile([host('web-1', { cell: 'c9' }), host('web-2', { note: 'n' })]);
    const run = await muster(admin, ['diff', file]);
    expect(run).toMatchObject({ code: 7, stdout: expect.stringContaining('update  host web-2') as string });
    expect(run.stdout).not.toContain('only here');
    expect(run.stderr).toContain(
      'source.ndjson, line 1: cell: there is no cell "c9" in the region "north"\n',
    );
  });

  it('hides private variables, and needs the roles of the import', async () => {
    await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: ['port'] }).expect(200);
    const writer = await admin.user({ roles: ['hosts:write'] });
    const file = linesFile([host('web-1', { note: 'n' }), host('web-2')]);
    expect(await muster(writer, ['diff', file])).toMatchObject({ code: 8 });
    const json = (await muster(writer, ['diff', file, '-o', 'json'])).stdout;
    expect(json).not.toContain('port');
    const reader = await admin.user({ roles: [] });
    expect(await muster(reader, ['diff', file])).toMatchObject({ code: 4, stdout: '' });
  });

  it('needs a source', async () => {
    expect(await muster(admin, ['diff'])).toMatchObject({ code: 2 });
    expect(await muster(admin, ['diff', '/nonexistent.ndjson'])).toMatchObject({ code: 2 });
  });
});

describe('muster import --prune', () => {
  const source = (): string => linesFile([host('web-1'), host('web-9')]);

  it('deletes devices that the source does not have, in its regions, and with confirmation', async () => {
    const before = await everything();
    const file = source();
    expect(await muster(admin, ['import', file, '--prune', 'device'])).toEqual({
      code: 2,
      stdout: '',
      stderr: [
        'muster: This would create 1 resource, update 0, and change the resolved values of 0 existing devices.',
        '  It would delete 1 resource that the source does not have.',
        '  Nothing was changed. Use --yes to skip the question, or --dry-run to see the details.',
        '',
      ].join('\n'),
    });
    const dryRun = await printed(admin, ['import', file, '--prune', 'device', '--dry-run']);
    expect(dryRun).toContain('Would be: 1 created, 0 updated, 1 unchanged, 1 deleted\n');
    expect(dryRun).toContain('  deleted host web-2\n');
    expect(await everything()).toEqual(before);
    expect(await printed(admin, ['import', file, '--prune', 'device', '--yes'])).toBe(
      '1 created, 0 updated, 1 unchanged, 1 deleted; 1 device resolves another value\n',
    );
    expect(await names('host')).toEqual(['north/web-1', 'south/web-3', 'north/web-9']);
    expect(await muster(admin, ['diff', file])).toMatchObject({ code: 0 });
  });

  it('deletes children before their parents, and regions with what they contain', async () => {
    await importLines(admin, [
      host('p1', { region: 'south', parent: 'web-3' }),
      host('a1', { region: 'south', parent: 'p1' }),
      host('web-3', { region: 'south', parent: 'sw-1' }),
    ]);
    const file = linesFile([
      { kind: 'region', name: 'north' },
      { kind: 'cell', region: 'north', name: 'c1' },
      host('web-1'),
      host('sw-9', { kind: 'network-device' }),
    ]);
    const json = await printed(admin, [
      ...['import', file],
      // The option may be repeated.
      ...['--prune', 'device', '--prune', 'cell,region'],
      '--yes',
      '-o',
      'json',
    ]);
    const { deleted } = JSON.parse(json) as { deleted: { name: string }[] };
    expect(deleted.map(({ name }) => name)).toEqual(['a1', 'p1', 'web-3', 'web-2', 'sw-1', 'c1', 'south']);
    expect(await names('region')).toEqual(['north']);
    expect(await names('host')).toEqual(['north/web-1']);
    expect(await names('network-device')).toEqual(['north/sw-9']);
  });

  it('keeps resources of the source that others create in the meantime', async () => {
    let isDone = false;
    const proxy = await startFaultyProxy(
      admin.url,
      () => undefined,
      async (_, path) => {
        if (isDone || !path.startsWith('/v1/hosts')) return;
        isDone = true;
        await importLines(admin, [host('web-9'), { kind: 'cell', region: 'north', name: 'c9' }]);
      },
    );
    const file = linesFile([
      host('web-1', { cell: 'c1' }),
      host('web-9'),
      { kind: 'cell', region: 'north', name: 'c1' },
      { kind: 'cell', region: 'north', name: 'c9' },
    ]);
    try {
      const env = { MUSTER_URL: proxy.url };
      expect(await muster(admin, ['diff', file], { env })).toMatchObject({
        stdout: expect.not.stringMatching(/only here +(?:host web-9|cell north)/) as string,
      });
      await admin.delete(`/v1/hosts/${await idOf('web-9')}`).expect(204);
      isDone = false;
      await printed(admin, ['import', file, '--prune', 'host,cell', '--yes'], { env });
    } finally {
      await proxy.close();
    }
    expect(await names('host')).toEqual(['north/web-1', 'south/web-3', 'north/web-9']);
    expect(await names('cell')).toEqual(['north/c1', 'south/c1', 'north/c9']);
  });

  it('reports what cannot be deleted, and deletes the others', async () => {
    const file = linesFile([{ kind: 'cell', region: 'north', name: 'c2' }, host('web-2', { parent: null })]);
    await importLines(admin, [{ kind: 'cell', region: 'north', name: 'c3' }]);
    const run = await muster(admin, ['import', file, '--prune', 'cell', '--yes']);
    expect(run).toMatchObject({
      code: 7,
      stdout: '1 created, 1 updated, 0 unchanged, 1 deleted; no device resolves another value\n',
    });
    expect(run.stderr).toContain('muster: 1 of 2 could not be deleted:\n  cell c1: ');
    expect(await names('cell')).toEqual(['north/c1', 'south/c1', 'north/c2']);
  });

  it('refuses kinds that the source does not have, and unsuitable options', async () => {
    const before = await everything();
    const file = source();
    for (const [args, message] of [
      [['--prune', 'cell'], 'The source contains no cell'],
      [['--prune', 'host,region', '-y'], 'The source contains no region'],
      [['--prune', 'label'], 'The kinds are device, host, network-device, cell, region.'],
      [['--prune', 'host', '--partial'], '--prune cannot be combined with'],
      [['--prune', 'host', '--batch', '1'], '--prune cannot be combined with'],
    ] as const) {
      const run = await muster(admin, ['import', file, ...args]);
      expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining(message) as string });
    }
    expect(await muster(admin, ['import', linesFile([]), '--prune', 'host', '-y'])).toMatchObject({
      code: 2,
    });
    expect(await everything()).toEqual(before);
  });
});
