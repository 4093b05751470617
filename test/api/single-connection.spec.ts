import type { Test } from 'supertest';
import { startService, type OwnService } from '../support/service';
import { aName, type Caller, type Resource } from '../support/caller';

/**
 * A write uses one connection for all its statements. If writes needed a second one, concurrent writes could
 * exhaust the pool and deadlock. With a pool of one connection, a single such write deadlocks.
 */
describe('a service with one database connection', () => {
  let app: OwnService;
  let admin: Caller;
  beforeAll(async () => {
    app = await startService({ DATABASE_POOL_SIZE: '1' });
    admin = await app.project();
  });
  afterAll(() => app.stop());

  const id = async (test: Test): Promise<string> => {
    const { body, status, text } = await test;
    if (status !== 201) throw new Error(text);
    return String((body as Resource).id);
  };

  it('creates, changes and deletes every kind of resource', async () => {
    const region = await admin.region({ labels: aName('label'), variables: { a: 1 } });
    const elsewhere = await admin.region({ cloud_id: (await admin.cloud()).id });
    const cell = await admin.cell({ region_id: region.id });
    const deviceFields = {
      region_id: region.id,
      cell_id: cell.id,
      access_secret_id: (await admin.secret()).id,
    };
    const parent = await admin.networkDevice(deviceFields);
    const host = await admin.host({ ...deviceFields, parent_id: parent.id, labels: aName('label') });
    const path = `/v1/hosts/${String(host.id)}`;
    await admin.put(`/v1/regions/${String(elsewhere.id)}`, { cells: [cell.id] }).expect(200);
    await admin.put(`${path}/variables`, { b: 2, c: 3 }).expect(200);
    await admin.put(`${path}/variables/b`, { value: 3 }).expect(200);
    await admin.delete(`${path}/variables/b`).expect(204);
    await admin.put(`${path}/labels`, { labels: [aName('label')] }).expect(200);
    await admin.put(`${path}?dry_run=true`, { active: false }).expect(200);
    await admin.post('/v1/hosts', { ...deviceFields, name: aName('host'), cell_id: null }).expect(400);
    const user = await id(admin.post('/v1/users', { username: aName('user') }, { 'idempotency-key': 'one' }));
    await admin.post(`/v1/users/${user}/api-key`).expect(201);
    await admin.delete(`/v1/users/${user}`).expect(204);
    await admin.delete(path).expect(204);
  });

  it('exports', async () => {
    const region = await admin.region({ variables: { a: 1 } });
    await admin.host({ region_id: region.id, labels: aName('label') });
    for (const query of [
      '',
      '?resolved-values=true',
      '?format=csv',
      `?region_id=${String(region.id)}&vars=a:1`,
    ])
      await admin.get(`/v1/export${query}`).expect(200);
  });

  it('serves the integrations', async () => {
    const variables = { prometheus_port: 9100 };
    const { name } = await admin.host({ labels: aName('label'), variables });
    for (const path of [
      'ansible-inventory',
      'ansible-inventory?vars=prometheus_port:9100',
      'prometheus-sd',
      `salt-pillar?host=${name}`,
      `puppet-enc?host=${name}`,
    ])
      await admin.get(`/v1/${path}`).expect(200);
  });

  it('serves settings, definitions, audits, reverts and the feed', async () => {
    const region = await admin.region({ variables: { dns: 'old' } });
    const host = await admin.host({ region_id: region.id });
    await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: ['hidden'] }).expect(200);
    await admin.put(`/v1/hosts/${String(host.id)}/variables`, { hidden: 1 }).expect(200);
    await id(admin.post('/v1/variable-definitions', { key: 'dns', schema: { type: 'string' } }));
    const audit = await id(
      admin.post('/v1/audits', { name: aName('audit'), expectation: { vars: 'dns:"new"' } }),
    );
    await admin.post(`/v1/audits/${audit}/run`).expect(200);
    const level = { kind: 'region', id: region.id };
    await admin.post(`/v1/audits/${audit}/remediate`, { level }).expect(200);
    const [change] = (await admin.get('/v1/changes?sort_dir=desc&limit=1').expect(200)).body as [
      { id: number },
    ];
    await admin.post(`/v1/changes/${String(change.id)}/revert`).expect(201);
    await admin.get('/v1/changes/feed?resolved=true').expect(200);
    await admin.get(`/v1/changes/${String(change.id)}/impact`).expect(200);
    await admin.get('/v1/hosts?explain=dns').expect(200);
  });

  it('lets root write to another project than that of the request', async () => {
    const { projectId } = await app.project();
    const other = await app.root.in(projectId).region();
    // This invalidates the cached projects.
    await app.root.put(`/v1/projects/${app.root.projectId}`, { name: aName('project') }).expect(200);
    await app.root.put(`/v1/regions/${String(other.id)}`, { note: 'from afar' }).expect(200);
    await app.root.put(`/v1/projects/${projectId}/settings`, { private: ['hidden'] }).expect(200);
  });
});
