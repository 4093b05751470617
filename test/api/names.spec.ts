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
    const name = aName('trimmed');
    expect((await admin.post('/v1/labels', { label: ` ${name} ` }).expect(201)).body).toMatchObject({
      label: name,
    });
    for (const label of ['a\u200b', 'a\u202eb', '\u00a0'])
      for (const body of [{ labels: [label] }, { labels: `x,${label}` }])
        await admin.put(path, body).expect(400);
  });
});
