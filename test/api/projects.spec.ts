import { sharedService } from '../support/service';
import { aName } from '../support/caller';

const app = sharedService();

describe('projects', () => {
  it('are created, read, renamed and deleted by root', async () => {
    const name = aName('fleet');
    const { body: made } = await app.root.post('/v1/projects', { name }).expect(201);
    const path = `/v1/projects/${String(made.id)}`;
    expect((await app.root.get(path).expect(200)).body).toEqual(made);
    const renamed = aName('fleet');
    const { body } = await app.root.put(path, { name: renamed }).expect(200);
    expect(body).toMatchObject({ id: made.id, name: renamed, version: 2 });
    await app.root.delete(path).expect(204);
    await app.root.get(path).expect(404);
  });

  it('are found by their id in any UUID notation', async () => {
    const { body: made } = await app.root.post('/v1/projects', { name: aName('fleet') }).expect(201);
    const id = String(made.id);
    for (const form of [id.toUpperCase(), id.replaceAll('-', ''), id.replaceAll('-', '').toUpperCase()])
      expect((await app.root.get(`/v1/projects/${form}`).expect(200)).body.id).toBe(id);
    for (const malformed of ['1', 'abc', `${id}0`, id.slice(1)])
      expect((await app.root.get(`/v1/projects/${malformed}`).expect(400)).body.details).toEqual([
        { field: 'id', code: 'invalid_format', message: 'must be a UUID' },
      ]);
  });

  it('are filtered by name and by id', async () => {
    const name = aName('fleet');
    const { body: made } = await app.root.post('/v1/projects', { name }).expect(201);
    expect((await app.root.get(`/v1/projects?name=${name}`).expect(200)).body).toEqual([made]);
    expect((await app.root.get(`/v1/projects?name=${name}x`).expect(200)).body).toEqual([]);
    expect((await app.root.get(`/v1/projects?project_id=${String(made.id)}`).expect(200)).body).toEqual([
      made,
    ]);
  });

  it('are accessible only to root, not to admins', async () => {
    const admin = await app.project();
    const path = `/v1/projects/${admin.projectId}`;
    for (const call of [
      admin.get('/v1/projects'),
      admin.post('/v1/projects', { name: aName('fleet') }),
      admin.get(path),
      admin.put(path, { name: 'mine' }),
      admin.delete(path),
    ])
      expect((await call.expect(403)).body.code).toBe('forbidden');
  });

  it('cannot be deleted while they have resources, and the error counts them by kind', async () => {
    const admin = await app.project();
    const { id: region_id } = await admin.region();
    await admin.cell({ region_id });
    await admin.host({ region_id });
    await admin.networkDevice({ region_id, labels: 'compute' });
    await admin.cloud();
    await admin.secret();
    await admin.definition();
    await admin.audit();
    const { body } = await app.root.delete(`/v1/projects/${admin.projectId}`).expect(409);
    expect(body.details.map((detail: { message: string }) => detail.message)).toEqual([
      'still used by 1 user',
      'still used by 1 cloud',
      'still used by 1 region',
      'still used by 1 cell',
      'still used by 1 label',
      'still used by 2 devices',
      'still used by 1 access secret',
      'still used by 1 variable definition',
      'still used by 1 audit',
    ]);
    expect((await admin.get('/v1/devices').expect(200)).body.devices.hosts).toHaveLength(1);
  });

  it('reject all requests after their deletion, even from root', async () => {
    const { body: made } = await app.root.post('/v1/projects', { name: aName('fleet') }).expect(201);
    const inside = app.root.in(String(made.id));
    await inside.get('/v1/regions').expect(200);
    await app.root.delete(`/v1/projects/${String(made.id)}`).expect(204);
    await inside.get('/v1/regions').expect(401);
  });
});

describe('the root user', () => {
  it('writes to the project in X-Auth-Project and sees every project', async () => {
    const [one, two] = [await app.project(), await app.project()];
    const name = aName('eqiad');
    const inOne = await app.root.in(one.projectId).region({ name });
    const inTwo = await app.root.in(two.projectId).region({ name });
    expect([inOne.project_id, inTwo.project_id]).toEqual([one.projectId, two.projectId]);
    const ids = (body: { id: number }[]) => body.map(({ id }) => id);
    expect(ids((await one.get('/v1/regions').expect(200)).body)).toEqual([inOne.id]);
    const all = ids((await app.root.get(`/v1/regions?name=${name}`).expect(200)).body);
    expect(all).toEqual([inOne.id, inTwo.id]);
    const narrowed = await app.root.get(`/v1/regions?project_id=${two.projectId}`).expect(200);
    expect(ids(narrowed.body)).toEqual([inTwo.id]);
    // From any project, root can access the resources of every other.
    await app.root.get(`/v1/regions/${String(inTwo.id)}`).expect(200);
    const { body } = await app.root.put(`/v1/regions/${String(inTwo.id)}`, { note: 'seen' }).expect(200);
    expect(body).toMatchObject({ project_id: two.projectId, note: 'seen' });
    await app.root
      .in(one.projectId)
      .delete(`/v1/regions/${String(inTwo.id)}`)
      .expect(204);
    expect((await two.get('/v1/regions').expect(200)).body).toEqual([]);
  });

  it('cannot create references between projects', async () => {
    const [one, two] = [await app.project(), await app.project()];
    const region = await one.region();
    const inTwo = app.root.in(two.projectId);
    const host = { name: 'node', ip_address: '10.0.0.1', device_type: 'server', region_id: region.id };
    expect((await inTwo.post('/v1/hosts', host).expect(405)).body.code).toBe('validation_exception');
    await inTwo.post('/v1/cells', { name: 'cell', region_id: region.id }).expect(405);
    const own = await two.host();
    const foreign = await one.host({ region_id: region.id });
    const path = `/v1/hosts/${String(own.id)}`;
    await inTwo.put(path, { parent_id: foreign.id }).expect(405);
    await inTwo.put(path, { region_id: region.id }).expect(405);
    await inTwo.put(path, { access_secret_id: (await one.secret()).id }).expect(405);
    const cell = await one.cell({ region_id: region.id });
    await inTwo.put(`/v1/regions/${String(own['region_id'])}`, { cells: [cell.id] }).expect(405);
  });

  it('filters every list by project, and gets 404 for an unknown project and 400 for a malformed id', async () => {
    const admin = await app.project();
    for (const list of [
      'projects',
      'users',
      'clouds',
      'regions',
      'cells',
      'labels',
      'hosts',
      'network-devices',
    ])
      await app.root.get(`/v1/${list}?project_id=${admin.projectId}`).expect(200);
    await app.root.get('/v1/regions?project_id=00000000-0000-4000-8000-000000000000').expect(404);
    await app.root.get('/v1/regions?project_id=1').expect(400);
    await admin.get(`/v1/regions?project_id=${admin.projectId}`).expect(200);
    await admin.get(`/v1/regions?project_id=${app.root.projectId}`).expect(404);
  });
});
