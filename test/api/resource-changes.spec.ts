import { sharedService } from '../support/service';
import type { Caller, Resource } from '../support/caller';

interface Record {
  readonly id: number;
  readonly reason: string | null;
  readonly objects: readonly {
    readonly kind: string;
    readonly id: number | string;
    readonly action: string;
  }[];
}

describe('the changes of one resource', () => {
  const app = sharedService();
  let admin: Caller;
  beforeEach(async () => {
    admin = await app.project();
  });
  const changesOf = async (caller: Caller, path: string): Promise<Record[]> =>
    (await caller.get(`${path}/changes`).expect(200)).body as Record[];

  it('are listed from its creation to its deletion, even after it is deleted', async () => {
    const host = await admin.host();
    const path = `/v1/hosts/${String(host.id)}`;
    await admin.put(path, { note: 'moved' }).expect(200);
    await admin.put(`${path}/variables`, { a: 1 }, { 'x-change-reason': 'because' }).expect(200);
    await admin.delete(path).expect(204);
    const records = await changesOf(admin, path);
    const actions = records.flatMap(({ objects }) =>
      objects.filter(({ kind, id }) => kind === 'host' && id === host.id).map(({ action }) => action),
    );
    expect(actions).toEqual(['create', 'update', 'update', 'delete']);
    expect(records.map(({ reason }) => reason)).toEqual([null, 'moved', 'because', null]);
  });

  it('exist for every kind of resource', async () => {
    const cloud = await admin.cloud();
    const region = await admin.region({ cloud_id: cloud.id, labels: 'x' });
    const cell = await admin.cell({ region_id: region.id });
    const made: [string, Resource | { id: string }][] = [
      ['clouds', cloud],
      ['regions', region],
      ['cells', cell],
      ['labels', await admin.label()],
      ['access-secrets', await admin.secret()],
      ['hosts', await admin.host({ region_id: region.id })],
      ['network-devices', await admin.networkDevice({ region_id: region.id })],
      ['projects', { id: admin.projectId }],
    ];
    for (const [collection, { id }] of made) {
      const records = await changesOf(
        collection === 'projects' ? app.root : admin,
        `/v1/${collection}/${String(id)}`,
      );
      expect([collection, records.length]).toEqual([collection, 1]);
      expect(records[0]?.objects.map((object) => object.id)).toContain(id);
    }
  });

  it('exclude changes to another kind of resource with the same id', async () => {
    const region = await admin.region({ labels: 'one,other' });
    const labels = (await admin.get('/v1/labels').expect(200)).body as Resource[];
    const label = labels.find(({ id }) => id !== region.id);
    // One change touches the region and both labels. One label has an id that no region here has.
    expect(label).toBeDefined();
    const wrong = `kind=region&object_id=${String(label?.id)}`;
    expect((await admin.get(`/v1/changes?${wrong}`).expect(200)).body).toEqual([]);
    expect((await admin.get(`/v1/changes?kind=region&object_id=${String(region.id)}`)).body).toHaveLength(1);
  });

  it('of what a device resolves to name who, why and the level, and those of two moments add up', async () => {
    const region = await admin.region({ name: 'north', variables: { ntp: 1, other: 1 } });
    const elsewhere = await admin.region({ name: 'south', variables: { ntp: 3 } });
    const host = await admin.host({ name: 'web-1', region_id: region.id });
    const path = `/v1/hosts/${String(host.id)}`;
    await admin
      .put(`/v1/regions/${String(region.id)}/variables`, { ntp: 2 }, { 'x-change-reason': 'CHG-1' })
      .expect(200);
    await admin.put(path, { region_id: elsewhere.id, note: 'moved' }).expect(200);
    const { body } = await admin.get(`${path}/changes/resolved?key=ntp`).expect(200);
    const level = ({ id, name }: Resource) => ({ kind: 'region', id, name });
    expect((body as { items: unknown[] }).items).toEqual([
      expect.objectContaining({
        reason: 'moved',
        actor: { id: expect.any(Number) as number, username: admin.credentials.user },
        objects: [{ kind: 'host', id: host.id, name: 'web-1', action: 'update' }],
        changes: { ntp: { before: 2, after: 3, level: level(elsewhere) } },
      }),
      expect.objectContaining({
        reason: 'CHG-1',
        objects: [{ kind: 'region', id: region.id, name: 'north', action: 'update' }],
        changes: { ntp: { before: 1, after: 2, level: level(region) } },
      }),
      expect.objectContaining({ reason: null, changes: { ntp: { after: 1, level: level(region) } } }),
    ]);
    const since = String((body as { items: { created_at: string }[] }).items[1]?.created_at);
    const net = await admin.get(`/v1/changes/impact?since=${since}`).expect(200);
    expect(net.body).toMatchObject({
      ...{ since, until: null, changes: 2, devices: 1, groups_total: 2 },
      groups: [
        { key: 'ntp', before: 1, after: 3, devices: 1, regions: [{ id: elsewhere.id, devices: 1 }] },
        { key: 'other', before: 1, devices: 1 },
      ],
    });
    const [group] = (net.body as { groups: { id: string }[] }).groups;
    const ofGroup = await admin
      .get(`/v1/changes/impact/devices?since=${since}&group=${String(group?.id)}`)
      .expect(200);
    expect(ofGroup.body).toEqual({
      items: [{ kind: 'host', id: host.id, name: 'web-1', changes: { ntp: { before: 1, after: 3 } } }],
      links: [],
    });
    for (const [query, field] of [
      ['?', 'since'],
      ['?since=x', 'since'],
      ['?since=2017-01-01&until=x', 'until'],
      ['?since=2017-01-01&limit=1', 'limit'],
      ['/devices?since=2017-01-01', 'group'],
      ['/devices?since=2017-01-01&group=x', 'group'],
      [`/devices?since=2017-01-01&group=${String(group?.id)}&marker=1234567`, 'marker'],
    ]) {
      const refused = await admin.get(`/v1/changes/impact${String(query)}`).expect(400);
      expect(refused.body).toMatchObject({ details: [{ field }] });
    }
    await admin.get(`/v1/network-devices/${String(host.id)}/changes/resolved`).expect(404);
    await admin.get(`${path}/changes/resolved?marker=1234567`).expect(400);
  });

  it('support pages and filters like the list of all changes', async () => {
    const { id } = await admin.region();
    for (const key of ['a', 'b', 'c'])
      await admin.put(`/v1/regions/${String(id)}/variables`, { [key]: 1 }).expect(200);
    const path = `/v1/regions/${String(id)}/changes`;
    const response = await admin.get(`${path}?limit=2`).expect(200);
    expect(response.body).toHaveLength(2);
    expect(response.headers['link']).toContain(`${path}?limit=2&marker=`);
    expect((await admin.get(`${path}?key=b`).expect(200)).body).toHaveLength(1);
    await admin.get(`${path}?unknown=1`).expect(400);
  });

  it('return 404 for an unknown resource, and for one of another project', async () => {
    const stranger = await app.project();
    const { id } = await admin.region();
    await stranger.get(`/v1/regions/${String(id)}/changes`).expect(404);
    await admin.get('/v1/regions/987654321/changes').expect(404);
    await admin.get('/v1/regions/none/changes').expect(400);
    await app.root.get(`/v1/regions/${String(id)}/changes`).expect(200);
  });

  it('remain readable for root after their project is deleted', async () => {
    const { body: project } = await app.root.post('/v1/projects', { name: 'short-lived' }).expect(201);
    const id = String(project.id);
    await app.root.delete(`/v1/projects/${id}`).expect(204);
    const records = await changesOf(app.root, `/v1/projects/${id}`);
    expect(records.flatMap(({ objects }) => objects.map(({ action }) => action))).toEqual([
      'create',
      'delete',
    ]);
    expect((await app.root.get(`/v1/changes?project_id=${id}`).expect(200)).body).toHaveLength(2);
    await app.root.get(`/v1/regions?project_id=${id}`).expect(404);
    await admin.get(`/v1/changes?project_id=${id}`).expect(404);
  });

  it('have no reason if the note is blank', async () => {
    const { id } = await admin.region({ note: ' ' });
    const [record] = await changesOf(admin, `/v1/regions/${String(id)}`);
    expect(record?.reason).toBeNull();
  });
});
