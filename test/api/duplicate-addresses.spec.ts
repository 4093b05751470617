import type { Response } from 'supertest';
import { sharedService } from '../support/service';
import type { Caller, Resource } from '../support/caller';
import { asLines, sendImport, type ImportSummary } from '../support/importing';
import { lastChange, revert } from '../support/reverts';

const app = sharedService();
let admin: Caller;
let region: Resource;

beforeEach(async () => {
  admin = await app.project();
  region = await admin.region();
});

const ADDRESS = '10.1.1.9';
const newHost = (name: string, ip_address = ADDRESS) => ({
  name,
  region_id: region.id,
  ip_address,
  device_type: 'server',
});
const host = (name: string, ip_address = ADDRESS) => admin.host(newHost(name, ip_address));
const warningOf = ({ headers }: Response): unknown => headers['warning'];
const warning = (others: string) => `299 - "${ADDRESS} is also the address of ${others}"`;

describe('a device with the address of another one', () => {
  it('gets a warning when it is created or its address changes', async () => {
    const first = await admin.post('/v1/hosts', newHost('web-1')).expect(201);
    expect(warningOf(first)).toBeUndefined();
    const body = { ...newHost('switch-1'), labels: ['core'] };
    const second = await admin.post('/v1/network-devices', body).expect(201);
    expect(warningOf(second)).toBe(warning('host web-1'));
    const { id } = await host('web-2', '10.1.1.10');
    const path = `/v1/hosts/${String(id)}`;
    const expected = warning('host web-1, network-device switch-1');
    const dryRun = await admin.put(`${path}?dry_run=true`, { ip_address: ADDRESS }).expect(200);
    expect([warningOf(dryRun), (dryRun.body as { dry_run: unknown }).dry_run]).toEqual([expected, true]);
    expect(warningOf(await admin.put(path, { ip_address: ADDRESS }).expect(200))).toBe(expected);
    expect(
      warningOf(await admin.put(path, { ip_address: ADDRESS, labels: ['a'] }).expect(200)),
    ).toBeUndefined();
    expect(warningOf(await admin.put(path, { note: 'x' }).expect(200))).toBeUndefined();
    expect(warningOf(await admin.get(path).expect(200))).toBeUndefined();
  });

  it('is not warned of devices in other projects', async () => {
    await (await app.project()).host({ ip_address: ADDRESS });
    expect(warningOf(await admin.post('/v1/hosts', newHost('web-1')).expect(201))).toBeUndefined();
  });

  it('gets a warning with three names and the number of others', async () => {
    for (const n of [1, 2, 3, 4, 5]) await host(`web-${String(n)}`);
    const response = await admin.post('/v1/hosts', newHost('web-6')).expect(201);
    expect(warningOf(response)).toBe(warning('host web-1, host web-2, host web-3 and 2 more'));
  });

  it('gets a warning with names of any characters', async () => {
    const name = `größer "${'猫'.repeat(200)}`;
    await host(name);
    const response = await admin.post('/v1/hosts', newHost('web-2')).expect(201);
    const text = Buffer.from(String(warningOf(response)), 'latin1').toString('utf8');
    expect(text).toBe(warning(`host größer \\"${'猫'.repeat(47)}…`));
  });

  it('gets the same warning when the request is repeated', async () => {
    await host('web-1');
    const create = () =>
      admin.post('/v1/hosts', newHost('web-2'), { 'Idempotency-Key': 'twice' }).expect(201);
    const [first, second] = [await create(), await create()];
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect([warningOf(first), warningOf(second)]).toEqual([warning('host web-1'), warning('host web-1')]);
  });

  it('gets a warning in a request that creates several', async () => {
    const bodies = [newHost('web-1'), newHost('web-2'), newHost('db-1', '10.1.1.10')];
    for (const path of ['/v1/hosts?dry_run=true', '/v1/hosts'])
      expect(warningOf(await admin.post(path, bodies))).toBe(warning('host web-1'));
  });
});

describe('the setting unique_addresses', () => {
  const settings = (unique_addresses: boolean) =>
    admin.put(`/v1/projects/${admin.projectId}/settings`, { unique_addresses }).expect(200);
  const conflict = (taker: string, owner: string) => ({
    code: 'conflict',
    details: [
      {
        field: 'ip_address',
        code: 'duplicate',
        message: `${taker}: ${ADDRESS} is also the address of ${owner}`,
      },
    ],
  });

  it('rejects creations and updates, also in dry runs', async () => {
    await settings(true);
    await host('web-1');
    const { id } = await host('web-2', '10.1.1.10');
    for (const query of ['', '?dry_run=true']) {
      const created = await admin.post(`/v1/network-devices${query}`, newHost('switch-1')).expect(409);
      expect(created.body).toMatchObject(conflict('network-device switch-1', 'host web-1'));
      const path = `/v1/hosts/${String(id)}${query}`;
      const updated = await admin.put(path, { ip_address: ADDRESS }).expect(409);
      expect(updated.body).toMatchObject(conflict('host web-2', 'host web-1'));
    }
    await admin.put(`/v1/hosts/${String(id)}`, { ip_address: '10.1.1.11' }).expect(200);
    await (await app.project()).host({ ip_address: ADDRESS });
  });

  it('rejects several creations in one request', async () => {
    await settings(true);
    await admin.post('/v1/hosts', [newHost('web-1'), newHost('web-2')]).expect(409);
    expect((await admin.get('/v1/hosts').expect(200)).body).toEqual([]);
    await admin.post('/v1/hosts', [newHost('web-1'), newHost('web-2', '10.1.1.10')]).expect(201);
  });

  it('rejects lines of an import', async () => {
    await settings(true);
    await host('web-1');
    const line = (name: string, ip_address: string) => ({
      kind: 'host',
      name,
      region: region.name,
      ip_address,
      device_type: 'server',
    });
    const lines = asLines([line('db-1', '10.2.0.1'), line('web-2', ADDRESS), line('db-2', '10.2.0.1')]);
    const { body } = (await sendImport(admin, lines, '?mode=partial').expect(200)) as { body: ImportSummary };
    expect(body).toMatchObject({
      created: 1,
      errors: [
        { line: 2, code: 'conflict' },
        { line: 3, code: 'conflict' },
      ],
    });
    await sendImport(admin, asLines([line('db-1', ADDRESS)])).expect(409);
    await sendImport(admin, asLines([line('web-1', '10.2.0.2'), line('db-3', '10.2.0.3')])).expect(200);
  });

  it('rejects reverts', async () => {
    await settings(true);
    const { id } = await host('web-1');
    await admin.delete(`/v1/hosts/${String(id)}`).expect(204);
    const deletion = await lastChange(admin);
    await host('web-2');
    const response = await revert(admin, deletion.id);
    expect(response.status).toBe(409);
    expect(response.body).toMatchObject(conflict('host web-1', 'host web-2'));
  });

  it('lets exactly one of several simultaneous creations succeed', async () => {
    await settings(true);
    const names = Array.from({ length: 8 }, (_, i) => `web-${String(i)}`);
    const responses = await Promise.all(names.map((name) => admin.post('/v1/hosts', newHost(name))));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...names.slice(1).map(() => 409)]);
  });

  it('does not restrict other changes of devices that have the same address already', async () => {
    const [first] = [await host('web-1'), await host('web-2')];
    await settings(true);
    const path = `/v1/hosts/${String(first.id)}`;
    await admin.put(path, { note: 'moved', ip_address: ADDRESS }).expect(200);
    await admin.put(`${path}/variables`, { a: 1 }).expect(200);
    await admin.put(path, { ip_address: '10.1.1.10' }).expect(200);
    await admin.put(path, { ip_address: ADDRESS }).expect(409);
    await settings(false);
    await admin.put(path, { ip_address: ADDRESS }).expect(200);
  });

  it('can be reverted', async () => {
    await settings(false);
    await settings(true);
    expect((await revert(admin, (await lastChange(admin)).id)).status).toBe(201);
    await host('web-1');
    await host('web-2');
  });
});

describe('an IPv4-mapped IPv6 address', () => {
  const addressesOf = async (query: string): Promise<string[]> => {
    const { body } = await admin.get(`/v1/hosts?sort_keys=name&${query}`).expect(200);
    return (body as { name: string; ip_address: string }[]).map((one) => `${one.name} ${one.ip_address}`);
  };

  it('is stored as the IPv4 address, by single writes and by imports', async () => {
    const { id } = await host('web-1', '::ffff:10.1.0.2');
    await host('web-2', '10.1.0.3');
    await admin.put(`/v1/hosts/${String(id)}`, { ip_address: '::FFFF:a01:2' }).expect(200);
    const line = { kind: 'host', region: region['name'], device_type: 'server' };
    const lines = ['0:0:0:0:0:ffff:0a01:0004', '2001:db8::ffff:1'].map((ip_address, i) => ({
      ...line,
      name: `web-${String(i + 3)}`,
      ip_address,
    }));
    await sendImport(admin, asLines(lines)).expect(200);
    const repeated = await sendImport(admin, asLines(lines)).expect(200);
    expect(repeated.body).toMatchObject({ created: 0, updated: 0, unchanged: 2 });
    const ofCsv = `kind,name,region,ip_address,device_type\nhost,web-5,${region.name},::ffff:10.1.0.5,server\n`;
    await sendImport(admin, ofCsv, '', { 'Content-Type': 'text/csv' }).expect(200);
    const ipv4 = ['web-1 10.1.0.2', 'web-2 10.1.0.3', 'web-3 10.1.0.4', 'web-5 10.1.0.5'];
    expect(await addressesOf('ip=10.1.0.0/24')).toEqual(ipv4);
    expect(await addressesOf('ip=::ffff:10.1.0.0/120')).toEqual(ipv4);
    expect(await addressesOf('ip=::ffff:a01:2')).toEqual(['web-1 10.1.0.2']);
    expect(await addressesOf('ip=::/0')).toEqual(['web-4 2001:db8::ffff:1']);
    const { body } = await admin.get('/v1/search?q=::ffff:10.1.0.3').expect(200);
    expect(body).toMatchObject({ hits: [{ name: 'web-2', match: 'exact' }] });
  });

  it('is a duplicate of the IPv4 address', async () => {
    await host('web-1');
    const second = await admin.post('/v1/hosts', newHost('web-2', `::ffff:${ADDRESS}`)).expect(201);
    expect(warningOf(second)).toBe(warning('host web-1'));
    await admin.put(`/v1/projects/${admin.projectId}/settings`, { unique_addresses: true }).expect(200);
    await admin.post('/v1/hosts', newHost('web-3', `::ffff:${ADDRESS}`)).expect(409);
  });
});
