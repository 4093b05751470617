import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { sharedService } from '../support/service';
import { exportLines } from '../support/export-reader';
import { muster, printed, temporaryFolder } from '../support/shell';

const app = sharedService();

/** The format of `ansible-inventory --list --export`. */
const INVENTORY = `{
  "_meta": {"hostvars": {
    "web-1": {"ansible_host": "10.1.1.1", "serial": 9007199254740993},
    "web-2": {"ansible_host": "10.1.1.2", "exact": 1.10},
    "db-1": {"ansible_host": "10.2.1.1", "motd": null}
  }},
  "all": {"children": ["ungrouped", "dc_north", "dc_south", "web", "monitored"], "vars": {"ntp": "pool", "motd": "all"}},
  "dc_north": {"children": ["rack_a"], "vars": {"ntp": "north", "level": "region"}},
  "dc_south": {"hosts": ["db-1"], "vars": {"domain": "south.example.net"}},
  "rack_a": {"hosts": ["web-1", "web-2"], "vars": {"level": "cell", "power": "A"}},
  "web": {"hosts": ["web-1", "web-2"], "vars": {"port": 443, "level": "label"}},
  "monitored": {"hosts": ["web-1", "db-1"], "vars": {"interval": 15}}
}`;

const PATTERNS = ['--region-groups', 'dc_*', '--cell-groups', 'rack_*', '--label-groups', 'web'];

function fileOf(name: string, content: string): string {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, content);
  return file;
}

const MAPPING = `regions:
  dc_north: north
  dc_south: south
cells:
  rack_a: { region: north, name: a }
labels:
  web: role:web
  monitored:
device_type: vm
`;

describe('muster import --from ansible', () => {
  it('creates regions, cells and labels from groups, and hosts resolve the same values as in Ansible', async () => {
    const admin = await app.project();
    const mapping = fileOf('map.yaml', MAPPING);
    const ended = await muster(admin, ['import', '--from', 'ansible', '--mapping', mapping], {
      stdin: INVENTORY,
    });
    expect(ended).toEqual({
      code: 0,
      stdout: '8 created, 0 updated, 0 unchanged\n',
      stderr:
        '3 hosts, 2 regions, 1 cell, 2 labels.\n' +
        // In Ansible the rack is deeper than the group "web", so it takes precedence.
        '2 values of 2 hosts would resolve differently and are set on the hosts: in Ansible the depth and name of a group determine precedence, in Muster the order region, cell, label, host.\n',
    });
    const resolved = await exportLines(admin, '?kind=host&resolved-values=true');
    expect(Object.fromEntries(resolved.map(({ name, variables }) => [name, variables]))).toEqual({
      'web-1': {
        ntp: 'north',
        motd: 'all',
        level: 'cell',
        power: 'A',
        port: 443,
        interval: 15,
        serial: expect.anything(),
      },
      'web-2': { ntp: 'north', motd: 'all', level: 'cell', power: 'A', port: 443, exact: 1.1 },
      'db-1': { ntp: 'pool', motd: null, domain: 'south.example.net', interval: 15 },
    });
    expect(await exportLines(admin, '?kind=host&name=web-1')).toMatchObject([
      {
        ...{ region: 'north', cell: 'a', ip_address: '10.1.1.1', device_type: 'vm' },
        ...{ labels: ['monitored', 'role:web'], variables: { level: 'cell' } },
      },
    ]);
    expect(await exportLines(admin, '?kind=region')).toMatchObject([
      { name: 'north', variables: { ntp: 'north', motd: 'all', level: 'region' } },
      { name: 'south', variables: { ntp: 'pool', motd: 'all', domain: 'south.example.net' } },
    ]);
  });

  it('accepts patterns, and sets variables of unmapped groups on the hosts', async () => {
    const admin = await app.project();
    const file = fileOf('inventory.json', INVENTORY);
    const lines = await muster(admin, ['import', '--from', 'ansible', file, ...PATTERNS, '--print']);
    expect(lines.stderr).toContain('2 values of 2 hosts come from unmapped groups');
    expect(
      lines.stdout
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as unknown),
    ).toMatchObject([
      { kind: 'label', label: 'web', variables: { port: 443, level: 'label' } },
      { kind: 'region', name: 'dc_north' },
      { kind: 'region', name: 'dc_south' },
      { kind: 'cell', region: 'dc_north', name: 'rack_a', variables: { level: 'cell', power: 'A' } },
      { kind: 'host', name: 'db-1', region: 'dc_south', labels: [], variables: { interval: 15, motd: null } },
      {
        kind: 'host',
        name: 'web-1',
        cell: 'rack_a',
        labels: ['web'],
        variables: { interval: 15, level: 'cell' },
      },
      { kind: 'host', name: 'web-2', device_type: 'server' },
    ]);
    expect(lines.stdout).toContain('"serial":9007199254740993');
    expect(lines.stdout).toContain('"exact":1.10');
    expect(await exportLines(admin, '?kind=region')).toEqual([]);
    const dryRun = await printed(admin, ['import', '--from', 'ansible', file, ...PATTERNS, '--dry-run']);
    expect(dryRun).toContain('Would be: 7 created, 0 updated, 0 unchanged\n');
    expect(await printed(admin, ['import', '-'], { stdin: lines.stdout })).toBe(
      '7 created, 0 updated, 0 unchanged\n',
    );
    expect(await printed(admin, ['import', '--from', 'ansible', file, ...PATTERNS])).toBe(
      '0 created, 0 updated, 7 unchanged\n',
    );
  });

  it('with --strict rejects values that would resolve differently, and names them', async () => {
    const admin = await app.project();
    const ended = await muster(admin, ['import', '--from', 'ansible', '-', '--strict', ...PATTERNS], {
      stdin: INVENTORY,
    });
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain(
      '  web-1: level, from the group rack_a\n  web-2: level, from the group rack_a\n',
    );
    expect(await exportLines(admin, '?kind=region')).toEqual([]);
  });

  it('applies group priorities, and adds no variables that a host lacks in Ansible', async () => {
    const admin = await app.project();
    const inventory = {
      _meta: { hostvars: { a: { ansible_host: '10.0.0.1' }, b: { ansible_host: '10.0.0.2' } } },
      all: { children: ['dc', 'x', 'y'] },
      dc: { hosts: ['a'], vars: { only: 'dc' } },
      x: { hosts: ['a', 'b'], vars: { who: 'x', ansible_group_priority: 10 } },
      y: { hosts: ['a', 'b'], vars: { who: 'y' } },
    };
    // `b` is in the region by the default, not by its group.
    const stdout = await printed(
      admin,
      [
        'import',
        '--from',
        'ansible',
        '--region-groups',
        'dc',
        '--region',
        'dc',
        '--label-groups',
        'x,y',
        '--print',
      ],
      { stdin: JSON.stringify(inventory) },
    );
    const lines = stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.find(({ kind }) => kind === 'region')).toEqual({ kind: 'region', name: 'dc' });
    expect(lines.filter(({ kind }) => kind === 'host')).toMatchObject([
      { name: 'a', variables: { only: 'dc', who: 'x' } },
      { name: 'b', variables: { who: 'x' } },
    ]);
  });

  it('keeps the address of a host whose region has another one', async () => {
    const admin = await app.project();
    const inventory = JSON.stringify({
      _meta: {
        hostvars: {
          'web-1': { ansible_host: '10.0.0.2' },
          'web-2': { ansible_host: '10.0.0.1' },
          'web-3': {},
        },
      },
      all: { children: ['dc_north'] },
      dc_north: { hosts: ['web-1', 'web-2', 'web-3'], vars: { ansible_host: '10.0.0.1' } },
    });
    await printed(admin, ['import', '--from', 'ansible', '--region-groups', 'dc_*'], { stdin: inventory });
    const resolved = await exportLines(admin, '?kind=host&resolved-values=true');
    expect(resolved.map(({ name, ip_address, variables }) => [name, ip_address, variables])).toEqual([
      ['web-1', '10.0.0.2', { ansible_host: '10.0.0.2' }],
      ['web-2', '10.0.0.1', { ansible_host: '10.0.0.1' }],
      ['web-3', '10.0.0.1', { ansible_host: '10.0.0.1' }],
    ]);
    expect(await exportLines(admin, '?name=web-2')).toMatchObject([{ variables: {} }]);
  });

  it('proposes a mapping if none is given', async () => {
    const admin = await app.project();
    const ended = await muster(admin, ['import', '--from', 'ansible'], { stdin: INVENTORY });
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('Missing mapping of groups') });
    expect(parse(ended.stdout)).toEqual({
      regions: { dc_north: 'dc_north', dc_south: 'dc_south' },
      cells: { rack_a: 'rack_a' },
      labels: { web: 'web', monitored: 'monitored' },
      device_type: 'server',
      ip_address: 'ansible_host',
    });
    const mapping = fileOf('map.yaml', ended.stdout);
    expect(
      await printed(admin, ['import', '--from', 'ansible', '--mapping', mapping], { stdin: INVENTORY }),
    ).toBe('8 created, 0 updated, 0 unchanged\n');
  });

  it.each([
    ['regions: {dc_west: west}', 'regions: the inventory has no group "dc_west".'],
    ['regions: {dc_north: 7}', 'dc_north: expected a name.'],
    ['colours: {}', 'unknown member colours. The members are regions'],
    ['regions: {dc_north: north}\nlabels: {dc_north: north}', 'is mapped to both regions and labels'],
    ['regions: {dc_north: north}', '1 are in no region: use --region: db-1'],
    ['regions: {dc_north: n, rack_a: a}\nregion: s', '2 would be in several regions (n, a): web-1, web-2'],
    ['region: r\nip_address: address', '3 have no IP address in address: db-1, web-1, web-2'],
    ['regions: [', 'invalid YAML'],
  ])('rejects an invalid mapping: %s', async (mapping, message) => {
    const ended = await muster(
      app.root,
      ['import', '--from', 'ansible', '--mapping', fileOf('map.yaml', mapping)],
      {
        stdin: INVENTORY,
      },
    );
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
  });

  it.each([
    ['{"_meta": ', /standard input, line 1, column 11: invalid JSON/],
    ['{"hosts": []}', /is not the output of "ansible-inventory --list --export"/],
    ['[]', /is not the output of "ansible-inventory --list --export"/],
  ])('rejects an invalid inventory: %s', async (stdin, message) => {
    const ended = await muster(app.root, ['import', '--from', 'ansible', '--region', 'r'], { stdin });
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
  });

  it.each(['[web]\nweb-1 ansible_host=10.0.0.1\n', 'all:\n  hosts:\n    web-1:\n', ''])(
    'says how to convert an inventory that is not JSON: %j',
    async (content) => {
      const file = fileOf('hosts.ini', content);
      expect(await muster(app.root, ['import', '--from', 'ansible', file, '--region', 'r'])).toEqual({
        code: 2,
        stdout: '',
        stderr: [
          `muster: ${file} is not JSON: --from ansible reads the output of ansible-inventory.`,
          '  Convert the inventory, with its group_vars and host_vars, and import the result:',
          `  ansible-inventory -i ${file} --list --export > inventory.json`,
          '  muster import --from ansible inventory.json',
          '',
        ].join('\n'),
      });
    },
  );

  it('reports errors of the service with the resource that caused them', async () => {
    const admin = await app.project();
    const stdin = INVENTORY.replace('"power"', '"no key"');
    const { code, stderr } = await muster(admin, ['import', '--from', 'ansible', ...PATTERNS], { stdin });
    expect(code).toBe(4);
    expect(stderr).toContain('  cell dc_north/rack_a: ');
  });
});
