import { parse } from 'yaml';
import { revertHint } from '../support/reverts';
import { sharedService } from '../support/service';
import { exportLines } from '../support/export-reader';
import { muster, printed, temporaryFile } from '../support/shell';

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
    const mapping = temporaryFile('map.yaml', MAPPING);
    const ended = await muster(admin, ['import', '--from', 'ansible', '--mapping', mapping], {
      stdin: INVENTORY,
    });
    expect(ended).toEqual({
      code: 0,
      stdout: '8 created, 0 updated, 0 unchanged\n',
      stderr:
        '3 hosts, 2 regions, 1 cell, 2 labels.\n' +
        // In Ansible the rack is deeper than the group "web", so it takes precedence.
        '2 values of 2 hosts would resolve differently and are set on the hosts: in Ansible the depth and name of a group determine precedence, in Muster the order region, cell, label, host.\n' +
        `${await revertHint(admin)}\n`,
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
    const file = temporaryFile('inventory.json', INVENTORY);
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
      ip_address: ['ansible_host', 'ansible_ssh_host'],
      addresses: { resolve: false, missing: '0.0.0.0' },
      variables: { rename: {}, invalid_keys: 'skip' },
    });
    const mapping = temporaryFile('map.yaml', ended.stdout);
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
    ['region: r\nip_address: address', 'addresses.missing is another address, or null to skip these hosts'],
    ['regions: [', 'invalid YAML'],
    ['addresses: {missing: nowhere}', 'addresses.missing: "nowhere" is not an IP address.'],
    ['addresses: {mising: null}', 'unknown member addresses.mising. Did you mean missing?'],
    ['variables: {rename: {a: b.c}}', 'variables.rename: "b.c" is not a key'],
    ['variables: {invalid_keys: drop}', 'variables.invalid_keys: expected one of skip, replace, not "drop".'],
    ['ip_address: 7', 'ip_address: expected a list of texts, not 7.'],
    ['region: no', 'no is false in YAML 1.1, and "no" in YAML 1.2'],
  ])('rejects an invalid mapping: %s', async (mapping, message) => {
    const ended = await muster(
      app.root,
      ['import', '--from', 'ansible', '--mapping', temporaryFile('map.yaml', mapping)],
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
      const file = temporaryFile('hosts.ini', content);
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
    const stdin = INVENTORY.replace('"power": "A"', '"power": "\\u0000"');
    const { code, stderr } = await muster(admin, ['import', '--from', 'ansible', ...PATTERNS], { stdin });
    expect(code).toBe(4);
    expect(stderr).toContain('  cell dc_north/rack_a: ');
  });

  it('unwraps marked texts, and keeps the mark of those with templates', async () => {
    const admin = await app.project();
    const unsafe = (text: string) => ({ __ansible_unsafe: text });
    const vault = '$ANSIBLE_VAULT;1.1;AES256\n3333\n';
    const variables = {
      ...{ role: unsafe('frontend'), tags: [unsafe('a'), 'b', { deep: unsafe('c') }] },
      ...{ secret: { __ansible_vault: vault }, more: { __ansible_unsafe: 'x', other: 1 } },
    };
    const inventory = {
      _meta: { hostvars: { 'web-1': { ansible_host: unsafe('10.1.0.1'), ...variables } } },
      all: { children: ['dc_north'] },
      dc_north: {
        hosts: [unsafe('web-1')],
        vars: {
          motd: unsafe('literal {{ braces }}'),
          banner: [unsafe('{% raw %}'), unsafe('{# x #}'), unsafe('{ {'), '{{ domain }}'],
          ansible_group_priority: unsafe('10'),
        },
      },
    };
    const ended = await muster(admin, ['import', '--from', 'ansible', '--region-groups', 'dc_*'], {
      stdin: JSON.stringify(inventory),
    });
    expect(ended).toMatchObject({ code: 0, stdout: '2 created, 0 updated, 0 unchanged\n' });
    expect(ended.stderr).toBe(
      '1 host, 1 region, 0 cells, 0 labels.\n' +
        '3 texts with {{, {% or {# keep their mark __ansible_unsafe, so that Ansible does not evaluate them.\n' +
        '1 value of Ansible Vault is imported as text, still encrypted: Ansible does not decrypt it there.\n' +
        `${await revertHint(admin)}\n`,
    );
    expect(await exportLines(admin, '?kind=host')).toMatchObject([
      {
        ip_address: '10.1.0.1',
        variables: { ...variables, role: 'frontend', tags: ['a', 'b', { deep: 'c' }], secret: vault },
      },
    ]);
    const [region] = await exportLines(admin, '?kind=region');
    expect(region?.['variables']).toEqual({
      motd: unsafe('literal {{ braces }}'),
      banner: [unsafe('{% raw %}'), unsafe('{# x #}'), '{ {', '{{ domain }}'],
    });
    expect(await printed(admin, ['host', 'list', '--vars', 'role:"frontend"', '-o', 'name'])).toBe('web-1\n');
  });
});

describe('muster import --from ansible with hosts without an address', () => {
  const hostvars = {
    legacy: { ansible_ssh_host: '10.97.0.9' },
    local: { ansible_host: 'localhost' },
    named: { ansible_host: 'no-such-name.invalid' },
    tmpl: { ansible_host: '{{ mgmt_ip }}', mgmt_ip: '10.97.0.8' },
    v6: { ansible_host: 'fe80::5%eth0' },
    'db.example.org': {},
  };
  const stdin = JSON.stringify({
    _meta: { hostvars },
    all: { children: ['dc_a'] },
    dc_a: { hosts: Object.keys(hostvars), vars: { environment: 'prod' } },
  });

  async function importWith(mapping: string) {
    const admin = await app.project();
    const file = temporaryFile('map.yaml', `regions: {dc_a: a}\n${mapping}`);
    const ended = await muster(admin, ['import', '--from', 'ansible', '--mapping', file], { stdin });
    const hosts = await exportLines(admin, '?kind=host');
    const addresses = Object.fromEntries(hosts.map(({ name, ip_address }) => [name, ip_address]));
    return { ...ended, admin, hosts, addresses };
  }

  it('gives them an address, or that of the mapping', async () => {
    const { code, stderr, addresses, hosts, admin } = await importWith('');
    expect(code).toBe(0);
    expect(stderr).toContain(
      '\n4 hosts without an IP address, imported with 0.0.0.0: db.example.org, local, named, tmpl.\n' +
        '  In the mapping, ip_address names other variables, addresses.resolve: true looks names up,',
    );
    expect(addresses).toEqual({
      ...{ 'db.example.org': '0.0.0.0', local: '0.0.0.0', named: '0.0.0.0', tmpl: '0.0.0.0' },
      ...{ legacy: '10.97.0.9', v6: 'fe80::5' },
    });
    // What Ansible connects to stays: the variable, or else the name.
    expect(Object.fromEntries(hosts.map(({ name, variables }) => [name, variables]))).toEqual({
      ...{ legacy: {}, local: hostvars.local, named: hostvars.named, tmpl: hostvars.tmpl },
      ...{ v6: hostvars.v6, 'db.example.org': {} },
    });
    const { body } = await admin.get('/v1/ansible-inventory').expect(200);
    const environment = 'prod';
    expect(body).toMatchObject({
      _meta: {
        hostvars: expect.objectContaining({
          ...{ 'db.example.org': { environment }, local: { ...hostvars.local, environment } },
          legacy: { ansible_host: '10.97.0.9', environment },
          v6: { ...hostvars.v6, environment },
        }) as unknown,
      },
    });
    expect((await importWith('addresses: {missing: 192.0.2.1}')).addresses).toMatchObject({
      named: '192.0.2.1',
    });
  });

  it('skips them, and names them', async () => {
    const { code, stderr, addresses } = await importWith('addresses: {missing: null}');
    expect(code).toBe(0);
    expect(stderr).toContain(
      '2 hosts, 1 region, 0 cells, 0 labels.\n' +
        'Skipped 4, because it has no IP address: db.example.org, local, named, tmpl.\n',
    );
    expect(Object.keys(addresses)).toEqual(['legacy', 'v6']);
  });

  it('takes the address from other variables, which stay', async () => {
    const { addresses, hosts } = await importWith('ip_address: [ansible_host, mgmt_ip]');
    expect(addresses).toMatchObject({ tmpl: '10.97.0.8', legacy: '0.0.0.0' });
    expect(hosts.find(({ name }) => name === 'tmpl')).toMatchObject({ variables: hostvars.tmpl });
  });

  it('looks names up', async () => {
    const { stderr, addresses, hosts } = await importWith('addresses: {resolve: true, missing: null}');
    expect(stderr).toContain('Looking up the addresses of 4 names.\n');
    expect(stderr).toMatch(/1 name looked up: localhost \((127\.0\.0\.1|::1)\)\./);
    expect(stderr).toMatch(/3 names not found: .*no-such-name\.invalid \((ENOTFOUND|EAI_AGAIN)\)/);
    expect(Object.keys(addresses)).toEqual(['legacy', 'local', 'v6']);
    expect(hosts.find(({ name }) => name === 'local')).toMatchObject({ variables: hostvars.local });
  });
});

describe('muster import --from ansible with keys that are no identifiers', () => {
  const stdin = JSON.stringify({
    _meta: {
      hostvars: {
        'k-1': { ansible_host: '10.1.8.1', '1st': 2, größe: 3, 'my var': 1 },
        'k-2': { ansible_host: '10.1.8.2' },
      },
    },
    all: { children: ['dc_k'] },
    dc_k: { hosts: ['k-1', 'k-2'], vars: { 'net.ipv4.ip_forward': 1, net_ipv4: 0, ok: 2 } },
  });

  async function importWith(mapping: string) {
    const admin = await app.project();
    const file = temporaryFile('map.yaml', `regions: {dc_k: k}\n${mapping}`);
    const ended = await muster(admin, ['import', '--from', 'ansible', '--mapping', file], { stdin });
    const resolved = await exportLines(admin, '?kind=host&resolved-values=true');
    return { ...ended, variables: resolved.map(({ variables }) => variables) };
  }

  it('leaves them out, and names them', async () => {
    const { stdout, stderr, variables } = await importWith('');
    expect(stdout).toBe('3 created, 0 updated, 0 unchanged\n');
    expect(stderr).toContain('Not imported: the key "net.ipv4.ip_forward" of 2 devices: ');
    expect(stderr).toContain('Not imported: the key "1st" of 1 device: ');
    expect(stderr).toContain(
      '  In the mapping, variables.rename or variables.invalid_keys: replace gives keys other names.\n',
    );
    expect(variables).toEqual([
      { ok: 2, net_ipv4: 0, größe: 3 },
      { ok: 2, net_ipv4: 0 },
    ]);
  });

  it('renames them, or replaces their invalid characters', async () => {
    const { stderr, variables } = await importWith(
      'variables: {rename: {my var: mine, ok: net_ipv4_ip_forward}, invalid_keys: replace}',
    );
    expect(stderr).toContain(
      'Not imported: the key "ok" of 2 devices: it would become net_ipv4_ip_forward, as "net.ipv4.ip_forward" does.',
    );
    expect(variables).toEqual([
      { net_ipv4_ip_forward: 1, net_ipv4: 0, _1st: 2, größe: 3, mine: 1 },
      { net_ipv4_ip_forward: 1, net_ipv4: 0 },
    ]);
  });
});
