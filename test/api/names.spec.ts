import type { Response } from 'supertest';
import { sharedService } from '../support/service';
import { aName, type Caller } from '../support/caller';
import { asLines, sendImport } from '../support/importing';

const app = sharedService();
let admin: Caller;
beforeEach(async () => {
  admin = await app.project();
});

const NAMES = ['a\u200bb', '\ufeffa', 'a\u202e', '\u00a0', ' a', 'a '];

describe('names with invisible characters or outer white space', () => {
  it('are rejected for every kind of resource, in creations, updates and imports', async () => {
    const region = await admin.region();
    const device = { region_id: region.id, ip_address: '10.0.0.1', device_type: 'server' };
    const creations = [
      ['regions', 'name', {}],
      ['cells', 'name', { region_id: region.id }],
      ['hosts', 'name', device],
      ['network-devices', 'name', device],
      ['clouds', 'name', {}],
      ['users', 'username', {}],
    ] as const;
    for (const name of NAMES) {
      for (const [collection, member, others] of creations) {
        const { status, body } = await admin.post(`/v1/${collection}`, { ...others, [member]: name });
        expect({ collection, name, status, body }).toMatchObject({
          status: 400,
          body: { details: [{ field: member }] },
        });
      }
      expect((await app.root.post('/v1/projects', { name })).status).toBe(400);
      await admin.put(`/v1/regions/${String(region.id)}`, { name }).expect(400);
      const imported = await sendImport(
        admin,
        asLines([
          { kind: 'region', name },
          { kind: 'label', label: name },
        ]),
      );
      expect([imported.status, (imported.body as { failed: number }).failed]).toEqual([400, 2]);
    }
  });
});

describe('the names of labels', () => {
  it('lose outer white space in every form, and cannot contain invisible characters', async () => {
    const { id, labels } = await admin.host({ labels: ' a, b ,c\u00a0' });
    expect(labels).toBe('a,b,c');
    const path = `/v1/hosts/${String(id)}`;
    await admin.put(path, { labels: [' d', 'e '] }).expect(200);
    await admin.put(`${path}/labels`, { labels: [' f '] }).expect(200);
    await admin.delete(`${path}/labels`, { labels: [' e'] }).expect(204);
    expect((await admin.get(path).expect(200)).body).toMatchObject({ labels: 'd,f' });
    const line = {
      kind: 'host',
      name: 'imported',
      region: 'r',
      ip_address: '10.0.0.9',
      device_type: 'server',
    };
    await sendImport(
      admin,
      asLines([
        { kind: 'region', name: 'r' },
        { ...line, labels: 'g, h' },
      ]),
    ).expect(200);
    expect((await admin.get('/v1/hosts?name=imported').expect(200)).body).toMatchObject([{ labels: 'g,h' }]);
    const name = aName('label');
    expect((await admin.post('/v1/labels', { label: ` ${name} ` }).expect(201)).body).toMatchObject({
      label: name,
    });
    for (const label of ['a\u200b', 'a\u202eb', '\u00a0'])
      for (const body of [{ labels: [label] }, { labels: `x,${label}` }])
        await admin.put(path, body).expect(400);
  });
});

describe('names that people take for each other', () => {
  const warningOf = ({ headers }: Response): string | undefined =>
    headers['warning'] === undefined
      ? undefined
      : Buffer.from(headers['warning'], 'latin1')
          .toString('utf8')
          .replace(/^299 - "(.*)"$/, '$1');

  it('get a warning when a resource is created or renamed', async () => {
    const region = await admin.region({ name: 'north' });
    const device = { region_id: region.id, ip_address: '10.0.0.1', device_type: 'server' };
    const create = async (name: string, collection = 'hosts', n = ++address) =>
      warningOf(
        await admin
          .post(`/v1/${collection}`, { ...device, ip_address: `10.0.0.${String(n)}`, name })
          .expect(201),
      );
    let address = 0;
    const cyrillic = '\u0441\u043e\u0440\u0443';
    for (const name of ['web-1', 'caf\u00e9', 'Db-1', cyrillic, 'file', 'a-b', "o'neill"])
      expect(await create(name)).toBeUndefined();
    expect(await create('web-2')).toBeUndefined();
    const of = (name: string, other: string) => `network-device ${name} is easily mistaken for host ${other}`;
    // In other cases, with decomposed accents, in full width, with a Cyrillic letter, in Latin letters, with a ligature, and
    // with another hyphen.
    for (const [name, other] of [
      ['WEB-1', 'web-1'],
      ['wEb-1', 'web-1'],
      ['cafe\u0301', 'caf\u00e9'],
      ['DB-1', 'Db-1'],
      ['ｗeb-2', 'web-2'],
      ['w\u0435b-2', 'web-2'],
      ['Copy', cyrillic],
      ['\ufb01le', 'file'],
      ['A\u2011B', 'a-b'],
      ['O\u2019Neill', "o'neill"],
    ] as const)
      expect(await create(name, 'network-devices')).toContain(of(name, other));

    const { id } = await admin.host({ name: 'other', ip_address: '10.0.1.1' });
    const rename = (query: string) =>
      admin.put(`/v1/hosts/${String(id)}${query}`, { name: 'CAF\u00c9' }).expect(200);
    expect(warningOf(await rename('?dry_run=true'))).toContain(
      'host CAF\u00c9 is easily mistaken for host caf\u00e9',
    );
    expect(warningOf(await rename(''))).toContain('host CAF\u00c9 is easily mistaken for host caf\u00e9');
    expect(warningOf(await admin.put(`/v1/hosts/${String(id)}`, { note: 'x' }).expect(200))).toBeUndefined();

    expect(warningOf(await admin.post('/v1/regions', { name: 'North' }).expect(201))).toBe(
      'region North is easily mistaken for region north',
    );
    await admin.put(`/v1/hosts/${String(id)}`, { labels: ['compute'] }).expect(200);
    expect(warningOf(await admin.put(`/v1/hosts/${String(id)}`, { labels: ['Compute'] }).expect(200))).toBe(
      'label Compute is easily mistaken for label compute',
    );
    // The names of cells are unique in their region.
    await admin.cell({ region_id: region.id, name: 'rack-1' });
    const other = await admin.region();
    const cell = async (region_id: number) =>
      warningOf(await admin.post('/v1/cells', { region_id, name: 'RACK-1' }).expect(201));
    expect(await cell(other.id)).toBeUndefined();
    expect(await cell(region.id)).toBe('cell RACK-1 is easily mistaken for cell rack-1');
  });

  it('are warned of together with the same address', async () => {
    const { region_id } = await admin.host({ name: 'web-1', ip_address: '10.0.0.1' });
    const twin = { name: 'Web-1', region_id, ip_address: '10.0.0.1', device_type: 'server' };
    expect((await admin.post('/v1/hosts', twin).expect(201)).headers['warning']).toBe(
      '299 - "10.0.0.1 is also the address of host web-1", 299 - "host Web-1 is easily mistaken for host web-1"',
    );
  });

  it('get a warning in an import, also with names of the same import', async () => {
    const line = { kind: 'host', region: 'r', ip_address: '10.0.0.9', device_type: 'server' };
    const lines = asLines([
      { kind: 'region', name: 'r' },
      ...['\u00fcber', '\u00dcber', 'single'].map((name) => ({ ...line, name })),
    ]);
    for (const query of ['?dry_run=true', '']) {
      const warning = warningOf(await sendImport(admin, lines, query).expect(200));
      expect(warning).toContain('host \u00dcber is easily mistaken for host \u00fcber');
      expect(warning).not.toContain('single');
    }
    expect(warningOf(await sendImport(admin, lines).expect(200))).toBeUndefined();
  });
});
