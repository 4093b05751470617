import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportLines } from '../support/export-reader';
import { importLines } from '../support/importing';
import { deviceOf } from '../support/netbox/inventory';
import { NetBoxSuite } from '../support/netbox/suite';
import { muster, printed, temporaryFolder } from '../support/shell';

const suite = new NetBoxSuite();
const { run } = suite;

/** The names of the resources of a kind. */
const names = async (kind: string): Promise<string[]> =>
  (await exportLines(suite.admin, `?kind=${kind}`)).map(({ name }) => String(name));

describe('names that Muster does not accept', () => {
  it('are replaced, and reported', async () => {
    deviceOf(suite.lists, 11)['name'] = 'web\tone\n';
    deviceOf(suite.lists, 19)['name'] = '\u0007\u202elab ';
    // Another device has the name that this one gets.
    deviceOf(suite.lists, 18)['name'] = 'web_one_';
    deviceOf(suite.lists, 10)['platform'] = { id: 2, name: 'De\rbian', slug: 'debian' };
    const [, germany = {}] = suite.lists['dcim/regions'];
    germany['name'] = 'Ger\u200bmany';
    for (const site of suite.lists['dcim/sites'])
      if (site['name'] === 'Berlin') site['name'] = 'Ber\u0000lin';
    for (const cluster of suite.lists['virtualization/clusters'])
      cluster['name'] = `${String(cluster['name'])}\u0000`;
    suite.publish();
    const report = join(temporaryFolder(), 'report.json');
    const ended = await run('--report', report);
    expect(ended).toMatchObject({ code: 0, stdout: '31 created, 0 updated, 0 unchanged\n' });
    expect(await names('host')).toEqual(
      expect.arrayContaining(['web_one_@berlin', 'web_one_@paris', '__lab']),
    );
    expect(await names('region')).toContain('Europe/Ger_many');
    expect(await exportLines(suite.admin, '?kind=network-device&name=berlin-rt1')).toMatchObject([
      { os_version: 'De_bian', cell: 'Ber_lin' },
    ]);
    expect(ended.stderr).toContain(
      'in the name, imported with _ in their place, or with outer spaces, imported without them: web_one_@berlin, __lab.\n',
    );
    expect(ended.stderr).toContain('"Europe/Ger\u200bmany" as Europe/Ger_many');
    expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({
      renamed_places: expect.arrayContaining([{ netbox: 'Ber\u0000lin', muster: 'Ber_lin' }]),
    });
  });

  it('are shortened if they are paths of more than 255 characters', async () => {
    const [, germany = {}] = suite.lists['dcim/regions'];
    germany['name'] = `${'x'.repeat(250)} Germany`;
    suite.publish();
    const ended = await run();
    expect(ended.code).toBe(0);
    const [long = ''] = (await names('region')).filter((name) => name.includes('Germany'));
    expect(long).toMatch(/^…x+ Germany \(2\)$/);
    expect(long).toHaveLength(255);
    expect(ended.stderr).toContain(`Germany" as ${long}.\n`);
    expect(await run()).toMatchObject({ stdout: '0 created, 0 updated, 31 unchanged\n' });
  });
});

describe('resources that NetBox no longer has', () => {
  it('says what only Muster has, and prunes it', async () => {
    await run();
    await importLines(suite.admin, [
      { kind: 'region', name: 'elsewhere' },
      { kind: 'host', name: 'own', region: 'elsewhere', ip_address: '10.0.0.1', device_type: 'x' },
    ]);
    // The last devices of a region, and the last network devices.
    const devices = suite.lists['dcim/devices'];
    const remaining = devices.filter(({ id }) => ![10, 12, 13, 17, 18].includes(Number(id)));
    devices.splice(0, devices.length, ...remaining);
    suite.lists['virtualization/virtual-machines'].splice(1, 1);
    suite.publish();
    const before = await run('--yes');
    expect(before.code).toBe(0);
    expect(before.stderr).toContain('8 devices only in Muster: ');
    expect(before.stderr).toContain('1 cell only in Muster: Europe/France/Paris.\n');
    expect(before.stderr).toContain('2 regions only in Muster: ');
    expect(before.stderr).toContain('  --prune device,cell,region deletes what NetBox does not have.\n');
    const diff = await muster(suite.admin, ['diff', '--from', 'netbox', '-o', 'json'], {
      env: suite.netbox.environment,
    });
    expect(diff.code).toBe(8);
    const found = JSON.parse(diff.stdout) as readonly { action: string; kind: string; name: string }[];
    const onlyHere = found
      .filter(({ action }) => action === 'only here')
      .map(({ kind, name }) => [kind, name]);
    // There is only one pdu1 left, which needs no suffix.
    expect(onlyHere).toEqual(
      expect.arrayContaining([
        ...['berlin-rt1', 'stack:1', 'stack:2'].map((name) => ['network-device', name]),
        ...['pdu1@berlin', 'pdu1@paris', 'paris-web1', 'vm-fr', 'own'].map((name) => ['host', name]),
        ['cell', 'Paris'],
        ['region', 'Europe/France'],
        ['region', 'elsewhere'],
      ]),
    );
    expect(onlyHere).toHaveLength(11);
    const pruned = await run('--prune', 'device', '--prune', 'cell', '--yes');
    expect(pruned).toMatchObject({ code: 0, stdout: expect.stringContaining(' deleted') });
    expect(pruned.stderr).not.toContain('devices only in Muster');
    expect(pruned.stderr).toContain('2 regions only in Muster');
    expect(await names('network-device')).toEqual([]);
    expect(await names('host')).not.toContain('own');
    expect(await names('cell')).toEqual(['Berlin', 'Lab']);
    await run('--prune', 'region', '--yes');
    expect(await names('region')).toEqual(['Europe/Germany', 'unassigned']);
  });

  it('says what to do if a role makes a device one of another kind', async () => {
    await run();
    deviceOf(suite.lists, 19)['role'] = deviceOf(suite.lists, 12)['role'];
    suite.publish();
    const ended = await run('--yes');
    expect(ended.code).toBe(4);
    expect(ended.stderr).toContain(
      '1 device of another kind, which an import cannot change: lab1 (host in Muster, network device by its role).\n',
    );
    expect(ended.stderr).toContain('  Delete them in Muster first, as with "muster host delete lab1", which');
    await printed(suite.admin, ['host', 'delete', 'lab1']);
    expect(await run('--yes')).toMatchObject({ code: 0, stderr: expect.stringContaining('Verified: ') });
  });
});
