import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportLines } from '../support/export-reader';
import { startFaultyProxy } from '../support/faulty-proxy';
import { importLines } from '../support/importing';
import { deviceOf, textsOf } from '../support/netbox/inventory';
import { mapped, NetBoxSuite } from '../support/netbox/suite';
import { printed, temporaryFolder } from '../support/shell';

const suite = new NetBoxSuite();
const { run, lines } = suite;

/** The variables that devices resolve, by their names. */
const resolved = async (): Promise<Record<string, unknown>> =>
  Object.fromEntries(
    (await exportLines(suite.admin, '?kind=host&kind=network-device&resolved-values=true')).map(
      ({ name, variables }) => [name, variables],
    ),
  );

/** The own variables of resources of a kind, by their names. */
const own = async (kind: string): Promise<Record<string, unknown>> =>
  Object.fromEntries(
    (await exportLines(suite.admin, `?kind=${kind}`)).map(({ name, label, variables }) => [
      label ?? name,
      variables,
    ]),
  );

const VERIFIED = 'Verified: Muster resolves what NetBox renders, 46 values of 14 devices.\n';

describe('muster import --from netbox', () => {
  it('creates regions, cells and devices that resolve what NetBox renders', async () => {
    const ended = await run();
    expect(ended).toMatchObject({ code: 0, stdout: '31 created, 0 updated, 0 unchanged\n' });
    expect(ended.stderr).toContain('NetBox 4.6.8: 10 devices and 4 virtual machines.\n');
    expect(ended.stderr).toContain('11 hosts and 3 network devices in 3 regions and 3 cells.\n');
    expect(ended.stderr).toContain(VERIFIED);
    const variables = await resolved();
    for (const { display, config_context } of suite.lists['dcim/devices'].filter(
      ({ name }) => name !== 'pdu1',
    ))
      expect(variables[String(display)]).toMatchObject(config_context as object);
    expect(await own('region')).toMatchObject({
      'Europe/Germany': { ntp: ['pool.example.net'], mtu: 1500, timezone: 'Europe/Berlin' },
      'Europe/France': { ntp: ['pool.example.net'], mtu: 1500 },
    });
    expect(await own('cell')).toMatchObject({
      Berlin: {},
      Paris: { timezone: 'Europe/Paris', site_code: 'PAR' },
    });
    expect(await own('network-device')).toMatchObject({
      'berlin-rt1': {},
      'stack:1': { mtu: 9000, stp: { mode: 'rstp' } },
    });
  });

  it('changes nothing if it is repeated', async () => {
    await run();
    const ended = await run();
    expect(ended).toMatchObject({ code: 0, stdout: '0 created, 0 updated, 31 unchanged\n' });
    expect(ended.stderr).toContain(VERIFIED);
  });

  it('maps the members of devices', async () => {
    const members = await lines(...mapped('variables: { members: { serial: serial, rack: rack.name } }'));
    expect(members['berlin-rt1']).toEqual({
      ...{ kind: 'network-device', name: 'berlin-rt1', region: 'Europe/Germany', cell: 'Berlin' },
      ...{ ip_address: '192.0.2.1', device_type: 'router', parent: null, active: true },
      ...{ model_name: 'QFX 5100', os_version: 'Debian', variables: { rack: 'R1' } },
      labels: ['platform:debian', 'role:router', 'tag:core'],
    });
    expect(members['berlin-web1']).toMatchObject({
      ...{ kind: 'host', ip_address: '2001:db8::11', device_type: 'server' },
      labels: ['role:server', 'tenant:acme-inc'],
      variables: { cf_tier: 'gold', cf_owner: 'Ops', cf_watts: 65.25, serial: 'S-11', rack: 'R1' },
    });
    expect(members['berlin-web1']?.['variables']).not.toHaveProperty('cf_notes');
    expect(members['paris-web1']).toMatchObject({ active: false, ip_address: '0.0.0.0' });
    expect(members['vm1@kvm, Berlin']).toMatchObject({
      ...{ region: 'Europe/Germany', cell: 'Berlin', device_type: 'virtual-machine' },
      labels: ['cluster:kvm_ Berlin'],
    });
  });

  it('names devices without a name as NetBox shows them, and makes repeated names unique', async () => {
    const { stderr } = await run('--print');
    const found = Object.keys(await lines());
    expect(found).toEqual(
      expect.arrayContaining([
        ...['stack:1', 'stack:2', 'Juniper QFX 5100 (14)'],
        ...['pdu1@berlin', 'pdu1@paris', 'vm1@kvm, Berlin', 'vm1@virtual-machine-13'],
      ]),
    );
    expect(stderr).toContain(
      '1 device without a name, imported under the name that NetBox shows: Juniper QFX',
    );
    expect(stderr).toContain(
      '4 devices with a name that others have, too, imported with a suffix: pdu1@berlin,',
    );
  });

  it('places machines by their site, device or cluster, and others into a region of their own', async () => {
    const found = await lines();
    expect(found['vm1@virtual-machine-13']).toMatchObject({ region: 'Europe/Germany', cell: 'Berlin' });
    expect(found['vm-fr']).toMatchObject({ region: 'Europe/France', cell: null });
    expect(found['vm-cloud']).toMatchObject({ region: 'unassigned', cell: null });
    expect(found['lab1']).toMatchObject({ region: 'unassigned', cell: 'Lab' });
  });

  it('makes bays, masters of virtual chassis and pinned machines children', async () => {
    const found = await lines();
    expect(found['blade1']).toMatchObject({ parent: 'Juniper QFX 5100 (14)' });
    expect(found['stack:1']).toMatchObject({ parent: null });
    expect(found['stack:2']).toMatchObject({ parent: 'stack:1' });
    expect(found['vm1@virtual-machine-13']).toMatchObject({ parent: 'berlin-web1' });
    expect(suite.netbox.requests.some((path) => path.startsWith('/api/dcim/interfaces/'))).toBe(false);
  });

  it('makes uplinks parents, from the top of the network down', async () => {
    const found = await lines(
      ...mapped('parents: { uplinks: [router, switch], virtual_chassis: false, device_bay: false }'),
    );
    expect(found['berlin-web1']).toMatchObject({ parent: 'stack:1' });
    expect(found['stack:1']).toMatchObject({ parent: 'berlin-rt1' });
    expect(found['stack:2']).toMatchObject({ parent: 'berlin-rt1' });
    expect(found['berlin-rt1']).toMatchObject({ parent: null });
    expect(found['blade1']).toMatchObject({ parent: null });
  });

  it('makes no uplink a parent that is in a bay of the device', async () => {
    deviceOf(suite.lists, 15)['role'] = deviceOf(suite.lists, 12)['role'];
    suite.lists['dcim/interfaces'].push({
      ...{ id: 20, device: { id: 14 } },
      connected_endpoints: [{ id: 21, device: { id: 15 } }],
    });
    suite.publish();
    const found = await lines(...mapped('parents: { uplinks: [router, switch] }'));
    expect(found['blade1']).toMatchObject({ parent: 'Juniper QFX 5100 (14)' });
    expect(found['Juniper QFX 5100 (14)']).toMatchObject({ parent: null });
  });

  it.each([
    ['regions: { name: top }', 'berlin-rt1', { region: 'Europe', cell: 'Berlin' }],
    ['regions: { separator: " > " }', 'berlin-rt1', { region: 'Europe > Germany' }],
    ['regions: { from: site_group }', 'berlin-rt1', { region: 'Offices', cell: 'Berlin' }],
    ['regions: { from: site }\ncells: { from: rack }', 'berlin-rt1', { region: 'Berlin', cell: 'R1' }],
    ['regions: { from: site }\ncells: { from: location }', 'berlin-rt1', { cell: 'Room 1/Cage' }],
    ['cells: { from: location }', 'berlin-rt1', { cell: 'Berlin/Room 1/Cage' }],
    ['cells: { from: rack }', 'berlin-web1', { cell: 'Berlin/R1' }],
    ['cells: { from: none }', 'berlin-web1', { cell: null }],
    ['devices: { network_device_roles: [network] }', 'stack:1', { kind: 'network-device' }],
    ['devices: { network_device_roles: [] }', 'stack:1', { kind: 'host' }],
    ['devices: { device_type: model }', 'berlin-web1', { device_type: 'qfx-5100' }],
    ['devices: { active_statuses: [active, planned] }', 'paris-web1', { active: true }],
    ['addresses: { prefer: ipv4 }', 'berlin-web1', { ip_address: '192.0.2.11' }],
    ['addresses: { out_of_band: true }', 'paris-web1', { ip_address: '198.51.100.18' }],
    ['addresses: { missing: "::" }', 'lab1', { ip_address: '::' }],
    [
      'labels: { ancestors: true, tag: null }',
      'berlin-rt1',
      {
        labels: ['platform:debian', 'platform:linux', 'role:network', 'role:router'],
      },
    ],
    ['labels: { site: "site:" }', 'lab1', { labels: ['role:server', 'site:lab'] }],
    [
      'variables: { custom_field_prefix: "", skip_custom_fields: ["w*", owner] }',
      'berlin-web1',
      {
        variables: { tier: 'gold' },
      },
    ],
  ])('maps as the mapping says: %s', async (mapping, name, expected) => {
    expect((await lines(...mapped(mapping)))[name]).toMatchObject(expected);
  });

  it('leaves labels and parents out that the mapping does not map', async () => {
    const found = await lines(
      ...mapped(
        'labels: { role: null, platform: null, tenant: null, tag: null, cluster: null }\nparents: { device_bay: false, virtual_chassis: false, host_device: false }',
      ),
    );
    for (const [name, member] of [
      ['berlin-rt1', 'labels'],
      ['blade1', 'parent'],
    ] as const) {
      expect(found[name]).toMatchObject({ name });
      expect(found[name]).not.toHaveProperty(member);
    }
  });

  it('skips what the mapping skips, and says why', async () => {
    const mapping = mapped(`
      regions: { fallback: null }
      devices: { skip_roles: [pdu], skip_statuses: [planned], unnamed: skip }
      addresses: { missing: null, out_of_band: true }`);
    const report = join(temporaryFolder(), 'report.json');
    const { stderr, code } = await run('--dry-run', ...mapping, '--report', report);
    expect(code).toBe(0);
    const reasons = [
      'Skipped 2, because devices.skip_roles contains its role pdu: device 16 (pdu1), device 17 (pdu1).',
      'Skipped 1, because devices.skip_statuses contains its status planned: device 18 (paris-web1).',
      'Skipped 1, because it has no name: device 14 (Juniper QFX 5100 (14)).',
      'Skipped 2, because it has no region: device 19 (lab1), virtual-machine 12 (vm-cloud).',
      'Skipped 6, because it has no primary address: device 12 (stack:1),',
    ];
    for (const reason of reasons) expect(stderr).toContain(reason);
    expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({
      netbox_version: '4.6.8',
      devices: [
        {
          name: 'berlin-rt1',
          kind: 'network-device',
          netbox_type: 'device',
          netbox_id: '10',
          has_address: true,
        },
        { name: 'berlin-web1', region: 'Europe/Germany', cell: 'Berlin' },
      ],
      skipped: expect.arrayContaining([
        { object: 'virtual-machine 11 (vm-fr)', reason: 'it has no primary address' },
      ]),
      verification: null,
    });
  });

  it('reads neither machines nor clusters if the mapping excludes them', async () => {
    const found = await lines(...mapped('devices: { virtual_machines: false }'));
    expect(Object.keys(found)).not.toContain('vm-fr');
    expect(suite.netbox.requests.filter((path) => path.startsWith('/api/virtualization/'))).toEqual([]);
  });

  it.each([
    [['germany', 'Zebra', 'apple'], 'cell'],
    [['germany', 'apple', 'Zebra'], 'region'],
  ])('prefers the level of the context that the list %j has last', async (order, level) => {
    const contexts = suite.lists['extras/config-contexts'];
    const [, germany = {}] = contexts;
    const all = [
      germany,
      // Its name sorts first in some collations and last in others.
      { ...germany, id: 20, name: 'Zebra' },
      { ...germany, id: 21, name: 'apple', regions: [], sites: [{ id: 1, name: 'Berlin' }] },
    ];
    contexts.splice(1, 1, ...order.flatMap((wanted) => all.filter(({ name }) => name === wanted)));
    suite.publish();
    const found = await lines();
    const setting = { timezone: 'Europe/Berlin' };
    expect(found[level === 'cell' ? 'Berlin' : 'Europe/Germany']?.['variables']).toMatchObject(setting);
    expect(found[level === 'cell' ? 'Europe/Germany' : 'Berlin']?.['variables'] ?? {}).not.toMatchObject(
      setting,
    );
  });

  it('keeps every digit of numbers, null and empty objects', async () => {
    const texts = new Map(textsOf(suite.lists));
    const exact =
      '{"big":9007199254740993,"float":1.10,"exp":1e21,"neg":-0.0,"tiny":1e-07,"mtu":1500,"none":null,"empty":{}}';
    const devices = (texts.get('dcim/devices') ?? []).map((text) =>
      text.replace(/"config_context":\{.*\}\}$/, `"config_context":${exact}}`),
    );
    suite.netbox.lists = new Map([...texts, ['dcim/devices', devices]]);
    expect(await run()).toMatchObject({ code: 0, stderr: expect.stringContaining('Verified:') });
    expect(
      await printed(suite.admin, ['vars', 'get', 'host', 'lab1', 'big', 'exp', 'float', 'tiny', 'neg']),
    ).toMatch(
      /big +9007199254740993\nexp +1000000000000000000000\nfloat +1\.10\ntiny +0\.0000001\nneg +0\.0\n/,
    );
    expect((await resolved())['lab1']).toMatchObject({ none: null, empty: {} });
  });
});

describe('keys that Muster does not accept', () => {
  beforeEach(() => {
    deviceOf(suite.lists, 10)['config_context'] = {
      mtu: 1,
      '': 2,
      'a b': 3,
      a_b: 4,
      'café ☕': 5,
      ['__proto__']: 6,
    };
    suite.publish();
  });

  it('are reported and skipped', async () => {
    const report = join(temporaryFolder(), 'report.json');
    const { stderr } = await run('--dry-run', '--report', report);
    expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({
      refused_keys: ['', 'a b', 'café ☕'].map((key) => ({ key, devices: 1, reason: expect.any(String) })),
      keys: expect.arrayContaining([{ key: 'a_b', regions: 0, cells: 0, labels: 0, devices: 1 }]),
    });
    expect(stderr).toContain('Not imported: the key "" of 1 device: "" is not a key');
    expect(stderr).toContain('Not imported: the key "a b" of 1 device: "a b" is not a key');
    expect(stderr).toContain('  In the mapping, config_contexts.rename or invalid_keys: replace');
    expect(stderr).toContain('Not imported: the key "café ☕" of 1 device');
    const { 'berlin-rt1': router } = await lines();
    expect(Object.entries(router?.['variables'] as object)).toEqual(
      expect.arrayContaining([
        ['__proto__', 6],
        ['a_b', 4],
      ]),
    );
  });

  it('can be replaced, except for those that would become another key', async () => {
    const mapping = mapped('config_contexts: { invalid_keys: replace }');
    const { stderr } = await run('--print', ...mapping);
    expect(stderr).toContain('Not imported: the key "a b" of 1 device: it would become a_b, as "a_b" does.');
    const { 'berlin-rt1': router } = await lines(...mapping);
    expect(router?.['variables']).toMatchObject({ _: 2, a_b: 4, café__: 5 });
  });

  it('can be renamed, and others skipped', async () => {
    const mapping = mapped('config_contexts: { rename: { "": empty, "a b": ab }, skip_keys: ["caf*", mtu] }');
    const { stderr } = await run('--print', ...mapping);
    expect(stderr).not.toContain('Not imported');
    const { 'berlin-rt1': router } = await lines(...mapping);
    expect(router?.['variables']).toEqual({ empty: 2, ab: 3, a_b: 4, ['__proto__']: 6 });
  });

  it('are refused if a custom field would have the key of a config context', async () => {
    deviceOf(suite.lists, 10)['custom_fields'] = { mtu: 3, other: 1 };
    suite.publish();
    const mapping = mapped('variables: { custom_field_prefix: "" }');
    expect((await run('--print', ...mapping)).stderr).toContain(
      'Not imported: the key "mtu" of 14 devices: a custom field or member has the key of a config context.',
    );
    const { 'berlin-rt1': router } = await lines(...mapping);
    expect(router?.['variables']).toMatchObject({ mtu: 1, other: 1 });
  });
});

describe('a repeated import', () => {
  it('moves and removes settings, as NetBox changes', async () => {
    await run();
    for (const item of suite.lists['dcim/devices']) {
      const rendered = item['config_context'] as Record<string, unknown>;
      // A context is deleted, and one device loses a key that its region set.
      delete rendered['stp'];
      if (item['name'] === 'berlin-web1') delete rendered['timezone'];
    }
    suite.publish();
    const ended = await run('--yes');
    expect(ended.code).toBe(0);
    expect(ended.stderr).toContain('No longer imported, so their settings are removed: stp.\n');
    expect(ended.stderr).toContain('Verified: Muster resolves what NetBox renders, 43 values of 14 devices.');
    expect((await resolved())['berlin-web1']).toEqual({
      ...{ ntp: ['pool.example.net'], mtu: 1500 },
      ...{ cf_tier: 'gold', cf_owner: 'Ops', cf_watts: 65.25 },
    });
    const again = await run();
    expect(again.stdout).toBe('0 created, 0 updated, 31 unchanged\n');
    expect(again.stderr).not.toContain('No longer imported');
  });

  it('keeps labels and variables of Muster', async () => {
    await run();
    await importLines(suite.admin, [
      { kind: 'region', name: 'Europe/Germany', variables: { motd: 'muster' } },
      {
        kind: 'host',
        name: 'berlin-web1',
        labels: ['role:server', 'tenant:acme-inc', 'web'],
        variables: { port: 80 },
      },
    ]);
    // The line more is that of the label web.
    expect(await run()).toMatchObject({ stdout: '0 created, 0 updated, 32 unchanged\n' });
    expect((await resolved())['berlin-web1']).toMatchObject({ motd: 'muster', port: 80 });
    deviceOf(suite.lists, 11)['tenant'] = null;
    suite.publish();
    await run();
    expect(await exportLines(suite.admin, '?name=berlin-web1')).toMatchObject([
      { labels: ['role:server', 'web'] },
    ]);
  });

  it('keeps labels that others give to devices while it reads', async () => {
    await run();
    const [{ id } = { id: '' }] = (await suite.admin.get('/v1/hosts?name=lab1').expect(200)).body as {
      id: string;
    }[];
    deviceOf(suite.lists, 11)['tenant'] = null;
    suite.publish();
    const proxy = await startFaultyProxy(
      suite.admin.url,
      () => undefined,
      (method) =>
        method === 'POST'
          ? suite.admin.put(`/v1/hosts/${id}/labels`, { labels: ['mine'] }).expect(200)
          : Promise.resolve(),
    );
    try {
      const env = { ...suite.netbox.environment, MUSTER_URL: proxy.url };
      await printed(suite.admin, ['import', '--from', 'netbox'], { env });
    } finally {
      await proxy.close();
    }
    expect(await exportLines(suite.admin, '?name=lab1')).toMatchObject([{ labels: ['mine', 'role:server'] }]);
    expect(await exportLines(suite.admin, '?name=berlin-web1')).toMatchObject([{ labels: ['role:server'] }]);
  });

  it('does not touch keys that the mapping skips', async () => {
    await run();
    const mapping = mapped(
      'config_contexts: { skip_keys: [mtu] }\nvariables: { skip_custom_fields: [tier] }',
    );
    await importLines(suite.admin, [{ kind: 'host', name: 'berlin-web1', variables: { mtu: 1280 } }]);
    const ended = await run(...mapping);
    expect(ended.stderr).not.toContain('No longer imported');
    expect(ended.code).toBe(0);
    expect((await resolved())['berlin-web1']).toMatchObject({ mtu: 1280, cf_tier: 'gold' });
  });

  it('does not touch keys that the mapping skips under another name', async () => {
    const rename = 'rename: { mtu: net_mtu }';
    await run(...mapped(`config_contexts: { ${rename} }`));
    const ended = await run(...mapped(`config_contexts: { ${rename}, skip_keys: [mtu] }`));
    expect(ended.stderr).not.toContain('No longer imported');
    expect((await resolved())['lab1']).toEqual({ ntp: ['pool.example.net'], net_mtu: 1500 });
  });

  it('replaces settings of the same keys on every level, also on labels', async () => {
    await run();
    await importLines(suite.admin, [
      { kind: 'label', label: 'role:server', variables: { mtu: 1, own: 2 } },
      { kind: 'cell', region: 'Europe/Germany', name: 'Berlin', variables: { ntp: [] } },
      { kind: 'host', name: 'lab1', variables: { timezone: 'UTC' } },
    ]);
    const verified = await run('--verify', '-o', 'json');
    expect(verified.code).toBe(8);
    const { differences } = JSON.parse(verified.stdout) as { differences: readonly unknown[] };
    expect(differences).toContainEqual({ device: 'lab1', key: 'timezone', muster: 'UTC' });
    expect(differences).toContainEqual({ device: 'lab1', key: 'mtu', netbox: 1500, muster: 1 });
    expect(differences).toContainEqual({
      ...{ device: 'berlin-rt1', key: 'ntp' },
      ...{ netbox: ['pool.example.net'], muster: [] },
    });
    const table = await run('--verify');
    expect(table).toMatchObject({ code: 8, stderr: expect.stringContaining('Muster does not resolve') });
    expect(table.stdout).toMatch(/ of 47 values of 14 devices differ:\n/);
    expect(table.stdout).toContain('  lab1  timezone: NetBox (not set), Muster "UTC"\n');
    const ended = await run();
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('existing devices') });
    expect(await run('--yes')).toMatchObject({ code: 0, stderr: expect.stringContaining(VERIFIED) });
    expect(await own('label')).toMatchObject({ 'role:server': { own: 2 } });
  });

  it('moves devices', async () => {
    await run();
    deviceOf(suite.lists, 11)['site'] = deviceOf(suite.lists, 17)['site'];
    deviceOf(suite.lists, 11)['config_context'] = deviceOf(suite.lists, 17)['config_context'];
    suite.publish();
    expect(await run('--yes')).toMatchObject({ code: 0 });
    expect(await exportLines(suite.admin, '?name=berlin-web1')).toMatchObject([
      { region: 'Europe/France', cell: 'Paris' },
    ]);
  });
});

describe('muster import --from netbox --verify', () => {
  it('writes nothing, and names devices that are not in Muster', async () => {
    const ended = await run('--verify');
    expect(ended).toMatchObject({
      code: 8,
      stdout:
        '14 devices of NetBox not in Muster: berlin-rt1, berlin-web1, stack:1, stack:2, Juniper QFX 5100 (14), blade1, pdu1@berlin, pdu1@paris, paris-web1, lab1 and 4 more.\n',
    });
    expect(await exportLines(suite.admin)).toEqual([]);
  });

  it('succeeds if nothing differs', async () => {
    await run();
    expect(await run('--verify')).toMatchObject({ code: 0, stdout: VERIFIED });
    const report = join(temporaryFolder(), 'report.json');
    expect(JSON.parse((await run('--verify', '-o', 'json', '--report', report)).stdout)).toEqual({
      ...{ devices: 14, values: 46, differences: [], missing: [] },
    });
    expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({
      verification: { devices: 14, values: 46 },
      config_contexts: { values: 43, settings: { labels: 0 } },
      custom_fields_and_members: 3,
    });
  });
});

describe('an import that is not written completely', () => {
  it('writes nothing in a dry run, and shows what it would do', async () => {
    const ended = await run('--dry-run');
    expect(ended.stdout).toContain('Would be: 31 created, 0 updated, 0 unchanged\n');
    expect(ended.stderr).not.toContain('Verified');
    expect(await exportLines(suite.admin)).toEqual([]);
  });

  it('writes nothing if a device is rejected; with --partial, it writes the others', async () => {
    await importLines(suite.admin, [
      { kind: 'region', name: 'r' },
      { kind: 'network-device', name: 'lab1', region: 'r', ip_address: '10.0.0.1', device_type: 'x' },
    ]);
    const rejected = await run();
    expect(rejected).toMatchObject({ code: 4, stderr: expect.stringContaining('  host lab1: ') });
    expect(await exportLines(suite.admin, '?kind=host')).toEqual([]);
    const partial = await run('--partial');
    expect(partial.code).toBe(7);
    expect(partial.stdout).toBe('30 created, 0 updated, 0 unchanged, 1 failed\n');
    expect(partial.stderr).toContain('of 46 values of 14 devices differ');
  });

  it('can be split into batches', async () => {
    const ended = await run('--batch', '5', '--yes');
    expect(ended).toMatchObject({ code: 0, stdout: '31 created, 0 updated, 0 unchanged\n' });
    expect(ended.stderr).toContain(VERIFIED);
    expect(await exportLines(suite.admin, '?name=blade1')).toMatchObject([
      { parent: 'Juniper QFX 5100 (14)' },
    ]);
  });
});

describe('labels, by option', () => {
  it('get values that they explain better than the tree', async () => {
    // Two regions have switches and others, so that only the label is common to the values.
    deviceOf(suite.lists, 17)['role'] = deviceOf(suite.lists, 12)['role'];
    deviceOf(suite.lists, 17)['config_context'] = {
      ...(deviceOf(suite.lists, 12)['config_context'] as object),
      site_code: 'PAR',
    };
    suite.publish();
    const mapping = mapped('config_contexts: { labels: true }');
    const ended = await run(...mapping);
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining('Verified:') });
    expect(await own('label')).toMatchObject({ 'role:switch': { stp: { mode: 'rstp' } } });
    // Without the option, the labels lose the values again.
    expect(await run('--yes')).toMatchObject({ code: 0, stderr: expect.stringContaining('Verified:') });
    expect(await own('label')).toMatchObject({ 'role:switch': {} });
  });
});
