import { revertHint } from '../support/reverts';
import { sharedService } from '../support/service';
import type { Caller } from '../support/caller';
import { exportLines } from '../support/export-reader';
import { startFaultyProxy } from '../support/faulty-proxy';
import { importLines } from '../support/importing';
import { muster, printed } from '../support/shell';

const app = sharedService();
let admin: Caller;

const host = (name: string, cell: string | undefined, variables: object, more: object = {}) => ({
  ...{ kind: 'host', name, region: 'north', ip_address: '10.0.0.1', device_type: 'server' },
  ...(cell === undefined ? {} : { cell }),
  variables,
  ...more,
});

const FLEET = [
  { kind: 'label', label: 'web', variables: { port: 443 } },
  { kind: 'region', name: 'north', variables: { domain: 'north.example' } },
  { kind: 'cell', region: 'north', name: 'c1' },
  { kind: 'cell', region: 'north', name: 'c2' },
  { kind: 'region', name: 'south' },
  host('a', 'c1', { ntp: '10.0.0.1', vlan: 1, port: 443, serial: 1 }, { labels: ['web'] }),
  host('b', 'c1', { ntp: '10.0.0.1', vlan: 1, port: 80, serial: 2 }, { labels: ['web'] }),
  host('c', 'c2', { ntp: '10.0.0.1', vlan: 2, domain: 'north.example' }),
  host('d', 'c2', { ntp: '10.0.0.2', vlan: 2, domain: 'other.example' }),
  host('e', undefined, { ntp: '10.0.0.1' }, { kind: 'network-device' }),
  host('s1', undefined, { ntp: '10.1.0.1' }, { region: 'south' }),
  host('s2', undefined, { ntp: '10.1.0.1' }, { region: 'south' }),
];

beforeEach(async () => {
  admin = await app.project();
  await importLines(admin, FLEET);
});

/** The own or the resolved variables of all resources, by kind and name. */
async function variables(query = ''): Promise<Record<string, unknown>> {
  const lines = await exportLines(admin, query);
  return Object.fromEntries(
    lines.map(({ kind, name, label, variables: own }) => [`${String(kind)} ${String(name ?? label)}`, own]),
  );
}

const resolved = () => variables('?kind=host&kind=network-device&resolved-values=true');

const lastChange = async (): Promise<object | undefined> =>
  ((await admin.get('/v1/changes').expect(200)).body as object[]).at(-1);

describe('muster vars hoist', () => {
  it('shows with --dry-run what would move, and changes nothing', async () => {
    const before = await variables();
    const run = await muster(admin, ['vars', 'hoist', '--all', '--dry-run']);
    expect(run).toEqual({
      code: 0,
      stdout: [
        'KEY     REGIONS  CELLS  DEVICES',
        'domain  1 → 1    0 → 0  2 → 1',
        'ntp     0 → 2    0 → 0  7 → 1',
        'port    0 → 0    0 → 0  2 → 1',
        'vlan    0 → 0    0 → 2  4 → 0',
        '',
      ].join('\n'),
      stderr: [
        '  region north: ntp = "10.0.0.1"',
        '  region south: ntp = "10.1.0.1"',
        '  cell north/c1: vlan = 1',
        '  cell north/c2: vlan = 2',
        'Dry run: this would replace 16 settings of 4 variables by 8. No device would resolve another value. Nothing was changed.',
        '',
      ].join('\n'),
    });
    expect(await variables()).toEqual(before);
  });

  it('moves values as one change that affects no device', async () => {
    const before = await resolved();
    const run = await muster(admin, ['vars', 'hoist', '--all', '--yes', '--reason', 'CHG-9: hoist']);
    expect(run).toEqual({
      code: 0,
      stdout: '',
      stderr: `Replaced 16 settings of 4 variables by 8. No device resolves another value. ${await revertHint(admin)}\n`,
    });
    expect(await resolved()).toEqual(before);
    expect(await variables()).toEqual({
      'label web': { port: 443 },
      'region north': { domain: 'north.example', ntp: '10.0.0.1' },
      'region south': { ntp: '10.1.0.1' },
      'cell c1': { vlan: 1 },
      'cell c2': { vlan: 2 },
      'host a': { serial: 1 },
      'host b': { port: 80, serial: 2 },
      'host c': {},
      'host d': { ntp: '10.0.0.2', domain: 'other.example' },
      'network-device e': {},
      'host s1': {},
      'host s2': {},
    });
    expect(await lastChange()).toMatchObject({
      reason: 'CHG-9: hoist',
      impact: { devices: 0 },
      objects_total: 11,
    });
    expect(await muster(admin, ['vars', 'hoist', '--all'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Nothing to do: no setting can be moved or removed.\n',
    });
  });

  it('asks for confirmation, and without a terminal changes nothing', async () => {
    expect(await muster(admin, ['vars', 'hoist', 'ntp', 'vlan'])).toEqual({
      code: 2,
      stdout: '',
      stderr: [
        'muster: This would replace 11 settings of 2 variables by 5. No device would resolve another value.',
        '  Nothing was changed. Use --yes to skip the question, or --dry-run to see the details.',
        '',
      ].join('\n'),
    });
    expect((await variables())['host a']).toMatchObject({ ntp: '10.0.0.1' });
  });

  it('is limited to keys, a region or a cell', async () => {
    await printed(admin, ['vars', 'hoist', 'ntp', '--region', 'south', '--yes']);
    expect(await variables()).toMatchObject({
      'region south': { ntp: '10.1.0.1' },
      'host a': { ntp: '10.0.0.1' },
    });
    await printed(admin, ['vars', 'hoist', 'vlan', 'ntp', '--cell', 'north/c1', '--yes']);
    expect(await variables()).toMatchObject({
      'region north': { domain: 'north.example' },
      'cell c1': { vlan: 1, ntp: '10.0.0.1' },
      'cell c2': {},
      'host b': { port: 80, serial: 2 },
      'host c': { ntp: '10.0.0.1', vlan: 2 },
    });
  });

  it('moves values only if that saves enough', async () => {
    const json = await printed(admin, [
      'vars',
      'hoist',
      '--all',
      '--min-saving',
      '3',
      '--dry-run',
      '-o',
      'json',
    ]);
    expect(JSON.parse(json)).toEqual([
      {
        key: 'domain',
        regions: { before: 1, after: 1 },
        cells: { before: 0, after: 0 },
        devices: { before: 2, after: 1 },
        set: [],
      },
      {
        key: 'ntp',
        regions: { before: 0, after: 1 },
        cells: { before: 0, after: 0 },
        devices: { before: 7, after: 3 },
        set: [{ kind: 'region', name: 'north', value: '10.0.0.1' }],
      },
      {
        key: 'port',
        regions: { before: 0, after: 0 },
        cells: { before: 0, after: 0 },
        devices: { before: 2, after: 1 },
        set: [],
      },
    ]);
  });

  it.each([
    [[], 'Missing key: name one, or use --all.'],
    [['ntp', '--all'], 'Use either keys or --all.'],
    [['n t p'], 'n t p'],
    [['ntp', '--min-saving', '0'], 'Expected a positive integer.'],
  ])('rejects %j', async (args, message) => {
    const run = await muster(admin, ['vars', 'hoist', ...args]);
    expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) as string });
  });

  it('leaves variables that the user does not see, and needs roles for the others', async () => {
    await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: ['ntp'] }).expect(200);
    const user = await admin.user({ roles: ['vlan'] });
    expect(await muster(user, ['vars', 'hoist', '--all', '--yes'])).toMatchObject({ code: 4 });
    expect(await muster(user, ['vars', 'hoist', 'ntp', '--yes'])).toMatchObject({
      code: 0,
      stderr: 'Not set anywhere, or private: ntp.\nNothing to do: no setting can be moved or removed.\n',
    });
    await printed(user, ['vars', 'hoist', 'vlan', '--yes']);
    expect(await variables()).toMatchObject({
      'cell c1': { vlan: 1 },
      'host a': { ntp: '10.0.0.1', port: 443, serial: 1 },
    });
  });

  it.each([
    ['another value', { kind: 'host', name: 'a', variables: { ntp: 'new' } }],
    ['a device without the variable', host('new', 'c1', {})],
    ['another default', { kind: 'region', name: 'north', variables: { ntp: 'new' } }],
  ])('writes nothing if %s was written in the meantime', async (_, line) => {
    const proxy = await startFaultyProxy(
      admin.url,
      () => undefined,
      (method) => (method === 'POST' ? importLines(admin, [line]) : Promise.resolve()),
    );
    try {
      const run = await muster(admin, ['vars', 'hoist', 'ntp', '--yes'], { env: { MUSTER_URL: proxy.url } });
      expect(run).toMatchObject({ code: 4, stdout: '' });
      expect(run.stderr).toContain(
        'muster: The inventory was changed in the meantime. Nothing was written.\n  Repeat the command.\n',
      );
      expect((await variables())['host b']).toMatchObject({ ntp: '10.0.0.1' });
    } finally {
      await proxy.close();
    }
  });
});
