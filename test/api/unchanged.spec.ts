import type { Response } from 'supertest';
import { aName, type Caller, type Resource } from '../support/caller';
import { eachCollection, inOneProject, makeOne } from '../support/collections';
import { sharedService } from '../support/service';

type Headers = Readonly<Record<string, string>>;

describe('a write that changes nothing', () => {
  const app = sharedService();
  const shared = inOneProject(app);

  const recordsOf = async (caller: Caller): Promise<unknown[]> =>
    (await caller.get('/v1/changes?limit=10000').expect(200)).body as unknown[];

  /** The digest of the body, which the entity tags of reads have after the version. */
  const DIGEST = /-[\da-f]{32}(?=")/;

  /** Expects that a write succeeds, and leaves the resource and the records of the project as they are. */
  async function expectUnchanged(
    caller: Caller,
    path: string,
    write: (headers: Headers) => Promise<Response>,
  ): Promise<void> {
    const before = await caller.get(path).expect(200);
    // All of them have one id, so that one request finds their records.
    const id = { 'X-Request-Id': aName('request') };
    const key = { ...id, 'Idempotency-Key': aName('key') };
    const responses = [await write(id), await write(key), await write(key)];
    for (const { status, headers, body } of responses) {
      expect([200, 204]).toContain(status);
      expect(headers['x-request-id']).toBe(id['X-Request-Id']);
      if (status === 200 && headers['etag'] !== undefined && !headers['etag'].startsWith('"c'))
        expect(headers['etag']).toBe(before.headers['etag']?.replace(DIGEST, ''));
      if ((body as Partial<Resource>).version !== undefined)
        expect(body).toMatchObject({ version: before.body.version });
    }
    const after = await caller.get(path).expect(200);
    expect([after.headers['etag'], after.body]).toEqual([before.headers['etag'], before.body]);
    expect((await caller.get(`/v1/changes?request_id=${id['X-Request-Id']}`).expect(200)).body).toEqual([]);
  }

  it.each(eachCollection)('%s: a PUT of the current members, and an empty one', async (_, one) => {
    const { caller, path } = await makeOne(shared, one);
    const change = one.change();
    await caller.put(path, change).expect(200);
    // The content of a secret is encrypted anew, so it counts as a change.
    const same = Object.fromEntries(Object.entries(change).filter(([name]) => name !== 'cert'));
    await expectUnchanged(caller, path, (headers) => caller.put(path, same, headers));
    await expectUnchanged(caller, path, (headers) => caller.put(path, {}, headers));
    const { body } = await caller.put(path, one.change()).expect(200);
    expect(body.version).toBe(3);
  });

  it('the content of a secret always counts as a change', async () => {
    const admin = await app.project();
    const { body } = await admin.post('/v1/access-secrets', { cert: 'c' }).expect(201);
    const path = `/v1/access-secrets/${String((body as Resource).id)}`;
    expect((await admin.put(path, { cert: 'c' }).expect(200)).body.version).toBe(2);
  });

  describe('of the variables and labels of', () => {
    // All owners share the code of their variables.
    it.each(['labels', 'hosts', 'users'])('%s', async (collection) => {
      const admin = await app.project();
      const made = {
        labels: () => admin.label(),
        hosts: () => admin.host(),
        users: async () => ((await admin.get('/v1/users').expect(200)).body as Resource[])[0]!,
      }[collection]!;
      const path = `/v1/${collection}/${String((await made()).id)}`;
      await admin.put(`${path}/variables`, '{"a": 1.10, "b": {"x": [1, 2]}}').expect(200);
      await expectUnchanged(admin, path, (headers) =>
        admin.put(`${path}/variables`, '{"b": {"x": [1, 2]}, "a": 1.10}', headers),
      );
      await expectUnchanged(admin, path, (headers) => admin.put(`${path}/variables`, {}, headers));
      await expectUnchanged(admin, path, (headers) => admin.delete(`${path}/variables`, ['unset'], headers));
      const tag = (await admin.get(`${path}/variables/a`).expect(200)).headers['etag'];
      await expectUnchanged(admin, path, (headers) =>
        admin.put(`${path}/variables/a`, '{"value": 1.10}', headers),
      );
      expect((await admin.get(`${path}/variables/a`).expect(200)).headers['etag']).toBe(tag);
      await expectUnchanged(admin, path, (headers) =>
        admin.delete(`${path}/variables/unset`, undefined, headers),
      );
      // Another form of the same number is another value.
      const before = await recordsOf(admin);
      await admin.put(`${path}/variables`, '{"a": 1.1}').expect(200);
      expect(await recordsOf(admin)).toHaveLength(before.length + 1);
    });

    it('many hosts: only those that change are written', async () => {
      const admin = await app.project();
      const [one, two] = [
        await admin.host({ variables: { a: 1 } }),
        await admin.host({ variables: { a: 2 } }),
      ];
      const ids = [one.id, two.id];
      await admin.put('/v1/hosts/variables', { ids, variables: { a: 1 } }).expect(200);
      expect((await admin.get(`/v1/hosts/${String(one.id)}`).expect(200)).body.version).toBe(1);
      await expectUnchanged(admin, `/v1/hosts/${String(two.id)}`, (headers) =>
        admin.put('/v1/hosts/variables', { ids, variables: { a: 1 } }, headers),
      );
    });

    it('hosts: labels', async () => {
      const admin = await app.project();
      const { id } = await admin.host({ labels: ['a', 'b'] });
      const path = `/v1/hosts/${String(id)}`;
      await expectUnchanged(admin, path, (headers) => admin.put(path, { labels: ['b', 'a'] }, headers));
      await expectUnchanged(admin, path, (headers) =>
        admin.put(`${path}/labels`, { labels: ['b'] }, headers),
      );
      await expectUnchanged(admin, path, (headers) =>
        admin.delete(`${path}/labels`, { labels: ['c'] }, headers),
      );
      expect((await admin.put(path, { labels: ['a'] }).expect(200)).body.version).toBe(2);
    });
  });

  it('of settings', async () => {
    const admin = await app.project();
    const path = `/v1/projects/${admin.projectId}/settings`;
    await admin.put(path, { private: ['a', 'b_*'] }).expect(200);
    await expectUnchanged(admin, path, (headers) => admin.put(path, { private: ['a', 'b_*'] }, headers));
    expect((await admin.put(path, { private: ['a'] }).expect(200)).body.version).toBe(2);
  });

  it('of a region, unless cells move into it', async () => {
    const admin = await app.project();
    const [from, to] = [await admin.region(), await admin.region()];
    const cell = await admin.cell({ region_id: from.id });
    const path = `/v1/regions/${String(to.id)}`;
    const moved = await admin.put(path, { cells: [cell.id] }).expect(200);
    expect(moved.body.version).toBe(2);
    await expectUnchanged(admin, path, (headers) => admin.put(path, { cells: [cell.id] }, headers));
  });

  it('has the checks of every write: the version, the reason, the roles', async () => {
    const admin = await app.project();
    const reader = await admin.user();
    const { id, name } = await admin.region();
    const path = `/v1/regions/${String(id)}`;
    const same = { name };
    await admin.put(path, same, { 'If-Match': '"1"' }).expect(200);
    await admin.put(path, same, { 'If-Match': '"2"' }).expect(412);
    await admin
      .put(`/v1/projects/${admin.projectId}/settings`, { change_reason: { required: true } })
      .expect(200);
    await admin.put(path, same).expect(400);
    await expectUnchanged(admin, path, (headers) =>
      admin.put(path, same, { 'X-Change-Reason': 'again', ...headers }),
    );
    await reader.put(path, same, { 'X-Change-Reason': 'again' }).expect(403);
  });

  it('is previewed as one: without objects', async () => {
    const admin = await app.project();
    const { id, name } = await admin.region();
    const path = `/v1/regions/${String(id)}`;
    const { body } = await admin.put(`${path}?dry_run=true`, { name }).expect(200);
    expect(body).toMatchObject({
      dry_run: true,
      change: { objects_total: 0, objects: [], impact: { devices: 0 } },
      impact: { devices: 0 },
    });
  });

  it('is decided again if a concurrent change alters the resource', async () => {
    const admin = await app.project();
    const { id } = await admin.region({ variables: { a: 1 } });
    const path = `/v1/regions/${String(id)}/variables`;
    // Each write sets what another one has just changed, or what is already there.
    const responses = await Promise.all(Array.from({ length: 12 }, (_, i) => admin.put(path, { a: i % 2 })));
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    const records = (await admin.get(`/v1/regions/${String(id)}/changes?limit=100`).expect(200)).body as {
      objects: { variables: Record<string, unknown> }[];
    }[];
    const { version } = (await admin.get(`/v1/regions/${String(id)}`).expect(200)).body as Resource;
    expect(records).toHaveLength(version);
  });
});
