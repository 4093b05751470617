import { sharedService } from '../support/service';
import { aName, type Caller, type Resource } from '../support/caller';
import { describedOperations } from '../support/description';
import { inOneProject, makeOne, someCollections } from '../support/collections';

const OTHER_UUID = '00000000-0000-4000-8000-000000000000';

/** The forms of a UUID in a path. */
const formsOf = (uuid: string): readonly string[] => [
  uuid,
  uuid.toUpperCase(),
  uuid.replaceAll('-', ''),
  uuid.replaceAll('-', '').toUpperCase(),
];

describe('a UUID in a path', () => {
  const app = sharedService();
  const shared = inOneProject(app);

  it.each(someCollections)('identifies one of the %s in every form, for reads and writes', async (_, one) => {
    const { caller, made, path } = await makeOne(shared, one);
    const byId = (await caller.get(path).expect(200)).body as Resource;
    for (const form of formsOf(made.uuid)) {
      const byUuid = await caller.get(`/v1/${one.collection}/${form}`).expect(200);
      expect([form, byUuid.body]).toEqual([form, byId]);
    }
    const uuidPath = `/v1/${one.collection}/${made.uuid}`;
    const changed = await caller.put(uuidPath, one.change()).expect(200);
    expect(changed.body).toMatchObject({ id: made.id, version: 2 });
    // The link names the id, which is shorter and the same for all clients.
    const history = (await caller.get(`${uuidPath}/changes`).expect(200)).body as unknown[];
    expect(history).toHaveLength(2);
    await caller.delete(uuidPath, undefined, { 'If-Match': '"1"' }).expect(412);
    await caller.delete(uuidPath).expect(204);
    await caller.get(uuidPath).expect(404);
  });

  it('works for everything below a resource, as its id does', async () => {
    const admin = await app.project();
    const host = await admin.host({ labels: ['a'], variables: { kernel: '6.8' } });
    const { id: user, uuid: userUuid } = (await admin.get('/v1/users').expect(200)).body[0] as Resource;
    const audit = (
      await admin.post('/v1/audits', { name: 'a', expectation: { vars: 'kernel:"6.8"' } }).expect(201)
    ).body as Resource;
    const view = await admin.view();
    const definition = await admin.definition();
    await admin.put(`/v1/users/${userUuid}/variables`, { kernel: '6.8' }).expect(200);
    const resources: Readonly<Record<string, { id: number; uuid: string }>> = {
      hosts: host,
      users: { id: user, uuid: userUuid },
      audits: audit,
      views: view,
      'variable-definitions': definition,
    };
    const operations = await describedOperations(app);
    const below = operations.filter(
      ({ method, path, collection }) => method === 'get' && path.includes('{id}/') && collection in resources,
    );
    expect(below.length).toBeGreaterThan(8);
    for (const { path, collection } of below) {
      const { id, uuid } = resources[collection] ?? host;
      const at = (given: string) => path.replace('{id}', given).replace('{key}', 'kernel');
      const [byId, byUuid] = [await admin.get(at(String(id))), await admin.get(at(uuid))];
      expect([path, byUuid.status, byUuid.body]).toEqual([path, byId.status, byId.body]);
      await admin.get(at(OTHER_UUID)).expect(404);
    }
    await admin.put(`/v1/hosts/${host.uuid}/variables/rack`, { value: 4 }).expect(200);
    await admin.put(`/v1/hosts/${host.uuid}/labels`, { labels: ['b'] }).expect(200);
    await admin.post(`/v1/audits/${audit.uuid}/run`).expect(200);
    await admin.post(`/v1/users/${userUuid}/api-keys`).expect(201);
    expect((await admin.get(`/v1/hosts/${String(host.id)}/variables`).expect(200)).body).toEqual({
      variables: { kernel: '6.8', rack: 4 },
    });
  });

  it.each(someCollections.filter(([name]) => name !== 'projects'))(
    'of another project is no resource among %s, except for root',
    async (_, one) => {
      const { made } = await makeOne(shared, one);
      const path = `/v1/${one.collection}/${made.uuid}`;
      const stranger = await app.project();
      const { body } = await stranger.get(path).expect(404);
      expect(body).toMatchObject({ code: 'not_found', message: `There is no ${one.kind} ${made.uuid}.` });
      await stranger.put(path, one.change()).expect(404);
      await stranger.delete(path).expect(404);
      expect((await app.root.get(path).expect(200)).body).toMatchObject({ id: made.id });
    },
  );

  it('of another kind, of a change, or of a hidden resource is not found', async () => {
    const admin = await app.project();
    const [host, region] = [await admin.host(), await admin.region()];
    await admin.get(`/v1/network-devices/${host.uuid}`).expect(404);
    await admin.get(`/v1/hosts/${region.uuid}`).expect(404);
    await admin.get(`/v1/changes/${host.uuid}`).expect(400);
    const definition = await admin.definition({ key: 'secret' });
    await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: ['secret'] }).expect(200);
    const reader = await admin.user();
    await reader.get(`/v1/variable-definitions/${definition.uuid}`).expect(404);
    await admin.get(`/v1/variable-definitions/${definition.uuid}`).expect(200);
  });

  it('is checked after the roles, which would otherwise disclose that it exists', async () => {
    const admin = await app.project();
    const [secret, reader] = [await admin.secret(), await admin.user()];
    for (const uuid of [secret.uuid, OTHER_UUID]) await reader.get(`/v1/access-secrets/${uuid}`).expect(403);
  });

  it('identifies the caller among users who see only themselves', async () => {
    const admin = await app.project();
    await admin.put(`/v1/projects/${admin.projectId}/settings`, { restricts_readers: true }).expect(200);
    const reader = await admin.user();
    const users = (await admin.get('/v1/users').expect(200)).body as Resource[];
    const of = (name: string) => users.find(({ username }) => username === name)?.uuid ?? '';
    await reader.get(`/v1/users/${of(reader.credentials.user)}`).expect(200);
    await reader.get(`/v1/users/${of(reader.credentials.user)}/api-keys`).expect(200);
    await reader.get(`/v1/users/${of(admin.credentials.user)}`).expect(404);
  });
});

describe('the parameter fields of a single resource', () => {
  const app = sharedService();
  const shared = inOneProject(app);
  const showing = async (caller: Caller, path: string) => {
    const { body, headers } = await caller.get(path).expect(200);
    return { body: body as Resource, etag: String(headers['etag']) };
  };

  it.each(someCollections)('selects the members of one of the %s', async (_, one) => {
    const { caller, path } = await makeOne(shared, one);
    const all = await showing(caller, path);
    const names = Object.keys(all.body);
    for (const name of names) {
      const { body, etag } = await showing(caller, `${path}?fields=${name}`);
      expect([name, body]).toEqual([name, { [name]: all.body[name] }]);
      // The part before the hash is the version, for `If-Match`.
      expect(etag.split('-')[0]).toBe(all.etag.split('-')[0]);
    }
    const several = await showing(caller, `${path}?fields=uuid,id&fields=version`);
    expect(Object.keys(several.body).toSorted()).toEqual(['id', 'uuid', 'version']);
    const { body } = await caller.get(`${path}?fields=id,colour`).expect(400);
    expect(body).toMatchObject({ details: [{ field: 'fields' }] });
    const past = `at=${String(all.body['created_at'])}`;
    expect((await caller.get(`${path}?fields=id&${past}`).expect(200)).body).toEqual({ id: all.body.id });
  });

  it('works together with resolved-values, and for change records', async () => {
    const admin = await app.project();
    const region = await admin.region({ variables: { kernel: '6.8' } });
    const host = await admin.host({ region_id: region.id, name: aName('host') });
    const path = `/v1/hosts/${String(host.id)}`;
    expect((await showing(admin, `${path}?fields=variables`)).body).toEqual({ variables: { kernel: '6.8' } });
    expect((await showing(admin, `${path}?fields=variables&resolved-values=false`)).body).toEqual({
      variables: {},
    });
    const [change] = (await admin.get('/v1/changes?limit=1').expect(200)).body as [Resource];
    const url = `/v1/changes/${String(change.id)}?fields=id,actor`;
    expect((await admin.get(url).expect(200)).body).toEqual({ id: change.id, actor: change['actor'] });
  });
});
