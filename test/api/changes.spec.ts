import { sharedService } from '../support/service';
import { aName, type Caller, type Resource } from '../support/caller';
import { eachCollection, inOneProject, makeOne, someCollections, without } from '../support/collections';
import { authHeaders, sendRaw } from '../support/http-exchange';

interface ChangedObject {
  readonly kind: string;
  readonly id: number | string;
  readonly name: string;
  readonly action: string;
  readonly before: Resource | null;
  readonly after: Resource | null;
  readonly variables: Readonly<Record<string, { before?: unknown; after?: unknown }>>;
}
interface Change {
  readonly id: number;
  readonly project_id: string;
  readonly created_at: string;
  readonly actor: { readonly id: number | null; readonly username: string };
  readonly request_id: string;
  readonly reason: string | null;
  readonly objects: readonly ChangedObject[];
}

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/;

/** Collections of each kind with variables: the routes of the others share their code. */
const sharing = someCollections.filter(([, one]) => one.carriesVariables);

describe('change records', () => {
  const app = sharedService();
  const shared = inOneProject(app);
  const changes = async (caller: Caller, query = ''): Promise<Change[]> =>
    (await caller.get(`/v1/changes?${query}`).expect(200)).body as Change[];

  /** Sends one request and returns its only change record. */
  async function recordOf(
    caller: Caller,
    method: 'post' | 'put' | 'delete',
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Change> {
    const id = aName('request');
    const response = await caller.send(method, path, body, { ...headers, 'X-Request-Id': id });
    expect([200, 201, 204]).toContain(response.status);
    const [change, ...more] = await changes(caller, `request_id=${id}`);
    if (!change) throw new Error(`${method} ${path} left no record`);
    expect(more).toEqual([]);
    return change;
  }

  describe('exist for every write', () => {
    it.each(eachCollection)(
      '%s: create, update and delete, with the states before and after',
      async (_, one) => {
        const caller = await one.caller(shared);
        const collection = `/v1/${one.collection}`;
        const body = await one.body(caller);
        const created = await recordOf(caller, 'post', collection, body);
        const [object, ...others] = created.objects;
        expect(others).toEqual([]);
        const id = String(object?.id);
        const path = `${collection}/${id}`;
        const shown = without(
          (await caller.get(path).expect(200)).body,
          'cert',
          'variables',
          'links',
          'cells',
        );
        expect(created).toMatchObject({
          project_id: shown['project_id'],
          created_at: expect.stringMatching(TIMESTAMP),
          actor: { username: caller.credentials.user },
          reason: null,
        });
        expect(object).toMatchObject({
          kind: one.kind,
          id: shown['id'],
          action: 'create',
          before: null,
          variables: {},
        });
        expect(object?.after).toEqual(shown);

        const changed = await recordOf(caller, 'put', path, one.change());
        const now = without((await caller.get(path).expect(200)).body, 'cert', 'variables', 'links', 'cells');
        expect(changed.objects).toMatchObject([
          { kind: one.kind, id: shown['id'], action: 'update', variables: {} },
        ]);
        expect(changed.objects[0]?.before).toEqual(shown);
        expect(changed.objects[0]?.after).toEqual(now);

        // The records of a deleted project are not readable.
        if (one.collection === 'projects') return;
        const deleted = await recordOf(caller, 'delete', path);
        expect(deleted.objects).toMatchObject([
          { kind: one.kind, id: shown['id'], action: 'delete', after: null },
        ]);
        expect(deleted.objects[0]?.before).toEqual(now);
        expect(deleted.objects[0]?.name).toBe(String(one.unique === undefined ? now['id'] : now[one.unique]));
      },
    );

    it.each(sharing)('%s: variables, key by key', async (_, one) => {
      const { caller, path } = await makeOne(shared, one);
      const variables = `${path}/variables`;
      const set = await recordOf(caller, 'put', variables, { a: 1, b: { c: [null] } });
      expect(set.objects).toMatchObject([
        { kind: one.kind, action: 'update', variables: { a: { after: 1 }, b: { after: { c: [null] } } } },
      ]);
      const changed = await recordOf(caller, 'put', variables, { a: null, b: { c: [null] }, d: 'new' });
      expect(changed.objects[0]?.variables).toEqual({ a: { before: 1, after: null }, d: { after: 'new' } });
      const removed = await recordOf(caller, 'delete', variables, ['a', 'never']);
      expect(removed.objects[0]?.variables).toEqual({ a: { before: null } });
      const deleted = await recordOf(caller, 'delete', path);
      expect(deleted.objects[0]?.variables).toEqual({ b: { before: { c: [null] } }, d: { before: 'new' } });
    });

    it('creating or updating a whole resource records its variables in the same change', async () => {
      const admin = await app.project();
      const created = await recordOf(admin, 'post', '/v1/regions', { name: 'r', variables: { a: 1 } });
      expect(created.objects[0]?.variables).toEqual({ a: { after: 1 } });
      const path = `/v1/regions/${String(created.objects[0]?.id)}`;
      const changed = await recordOf(admin, 'put', path, { note: 'n', variables: { a: 2 } });
      expect(changed.objects).toMatchObject([
        { before: { note: null }, after: { note: 'n' }, variables: { a: { before: 1, after: 2 } } },
      ]);
    });

    it('numbers keep every digit before and after', async () => {
      const admin = await app.project();
      const region = await admin.region();
      const path = `/v1/regions/${String(region.id)}/variables`;
      for (const n of ['9007199254740993', '1.50']) await admin.put(path, `{"n":${n}}`).expect(200);
      const { text } = await admin.get('/v1/changes?key=n&sort_dir=desc&limit=1').expect(200);
      expect(text.replaceAll(' ', '')).toContain(
        '"variables":{"n":{"after":1.50,"before":9007199254740993}}',
      );
    });

    it('labels of hosts, including newly created labels', async () => {
      const admin = await app.project();
      const device = await admin.host({ labels: 'a' });
      const path = `/v1/hosts/${String(device.id)}/labels`;
      const added = await recordOf(admin, 'put', path, { labels: ['b'] });
      expect(added.objects).toMatchObject([
        { id: device.id, action: 'update', before: { labels: 'a' }, after: { labels: 'a,b' } },
        { kind: 'label', name: 'b', action: 'create', after: { label: 'b' } },
      ]);
      const taken = await recordOf(admin, 'delete', path, { labels: ['a'] });
      expect(taken.objects).toMatchObject([{ before: { labels: 'a,b' }, after: { labels: 'b' } }]);
      expect(taken.objects).toHaveLength(1);
    });

    it('a new API key, without its token', async () => {
      const admin = await app.project();
      const { body: user } = await admin.post('/v1/users', { username: 'operator' }).expect(201);
      const change = await recordOf(admin, 'post', `/v1/users/${String(user.id)}/api-key`);
      expect(change.objects).toMatchObject([{ kind: 'user', id: user.id, action: 'update' }]);
      expect(JSON.stringify(change)).not.toContain('mst_');
    });

    it('the first project and its root user, as created by a command', async () => {
      const first = await changes(app.root, `project_id=${app.root.projectId}&limit=1`);
      expect(first).toMatchObject([
        {
          actor: { id: null, username: 'muster-admin' },
          reason: 'bootstrap',
          objects: [
            { kind: 'project', id: app.root.projectId, action: 'create' },
            { kind: 'user', name: 'root', action: 'create' },
          ],
        },
      ]);
    });

    it('but not for rejected writes', async () => {
      const admin = await app.project();
      const region = await admin.region({ name: 'r' });
      const path = `/v1/regions/${String(region.id)}`;
      const before = await changes(admin);
      await admin.host({ region_id: region.id });
      await admin.post('/v1/regions', { name: 'r' }).expect(409);
      await admin.post('/v1/regions', {}).expect(400);
      await admin.put(path, { cloud_id: 987654321 }).expect(405);
      await admin.put(path, {}, { 'If-Match': '"7"' }).expect(412);
      await admin.delete(path).expect(409);
      await admin.delete('/v1/regions/987654321').expect(404);
      await admin.get(path).expect(200);
      const after = await changes(admin);
      expect(after.slice(0, before.length)).toEqual(before);
      expect(after.slice(before.length).flatMap(({ objects }) => objects.map(({ kind }) => kind))).toEqual([
        'host',
      ]);
    });
  });

  describe('the reason', () => {
    let admin: Caller;
    beforeEach(async () => {
      admin = await app.project();
    });

    it('is the header, without a header the note of the body, else null', async () => {
      const header = { 'X-Change-Reason': 'CHG-1' };
      const make = (body: object, headers = {}) =>
        recordOf(admin, 'post', '/v1/regions', { name: aName('r'), ...body }, headers);
      expect((await make({ note: 'the note' }, header)).reason).toBe('CHG-1');
      expect((await make({ note: 'the note' })).reason).toBe('the note');
      expect((await make({}, header)).reason).toBe('CHG-1');
      expect((await make({})).reason).toBeNull();
      expect((await make({ note: null })).reason).toBeNull();
      expect((await make({ note: 'the note' }, { 'X-Change-Reason': '  ' })).reason).toBeNull();
    });

    it.each(sharing)('%s: is taken from the header of every write', async (_, one) => {
      const { caller, path } = await makeOne(shared, one);
      const header = { 'X-Change-Reason': 'CHG-1042: new rack' };
      const writes: Change[] = [await recordOf(caller, 'put', path, one.change(), header)];
      writes.push(await recordOf(caller, 'put', `${path}/variables`, { a: 1 }, header));
      writes.push(await recordOf(caller, 'delete', `${path}/variables`, ['a'], header));
      writes.push(await recordOf(caller, 'delete', path, undefined, header));
      for (const { reason } of writes) expect(reason).toBe('CHG-1042: new rack');
    });

    it.each(['clouds', 'hosts'])('%s: is the note of an update', async (collection) => {
      const make: Record<string, () => Promise<Resource>> = {
        clouds: () => admin.cloud({ note: 'first' }),
        hosts: () => admin.host({ note: 'first' }),
      };
      const path = `/v1/${collection}/${String((await make[collection]?.())?.id)}`;
      expect((await recordOf(admin, 'put', path, { note: 'second' })).reason).toBe('second');
      // Not the stored note of an earlier change.
      const name = { name: aName(collection) };
      expect((await recordOf(admin, 'put', path, name)).reason).toBeNull();
      expect((await recordOf(admin, 'delete', path)).reason).toBeNull();
    });

    it('is UTF-8 in the header', async () => {
      const reason = 'Wartung: größerer Schrank ☃ 日本';
      const id = aName('request');
      await sendRaw(`${app.url}/v1/regions`, {
        method: 'POST',
        headers: {
          ...authHeaders(admin.credentials),
          'Content-Type': 'application/json',
          'X-Request-Id': id,
          // HTTP clients send headers as Latin-1 bytes.
          'X-Change-Reason': Buffer.from(reason).toString('latin1'),
        },
        body: '{"name":"r"}',
      });
      expect(await changes(admin, `request_id=${id}`)).toMatchObject([{ reason }]);
    });

    it('is at most 2000 characters long', async () => {
      const longest = 'x'.repeat(2000);
      const change = await recordOf(
        admin,
        'post',
        '/v1/regions',
        { name: 'r' },
        { 'X-Change-Reason': longest },
      );
      expect(change.reason).toBe(longest);
      await admin.post('/v1/regions', { name: 's' }, { 'X-Change-Reason': `${longest}x` }).expect(400);
    });
  });

  describe('name the actor', () => {
    it('by id and by the username at that time', async () => {
      const admin = await app.project();
      const { body: user } = await admin
        .post('/v1/users', { username: 'before', roles: ['regions:write'] })
        .expect(201);
      const as = admin.as({ token: user.api_key, user: 'before', project: admin.projectId });
      const change = await recordOf(as, 'post', '/v1/regions', { name: 'r' });
      expect(change.actor).toEqual({ id: user.id, username: 'before' });
      await admin.put(`/v1/users/${String(user.id)}`, { username: 'after' }).expect(200);
      await admin.delete(`/v1/users/${String(user.id)}`).expect(204);
      expect((await admin.get(`/v1/changes/${String(change.id)}`).expect(200)).body).toEqual(change);
    });

    it('and belong to the written project, also for root', async () => {
      const admin = await app.project();
      const region = await admin.region();
      const path = `/v1/regions/${String(region.id)}`;
      await app.root.put(path, { note: 'by root' }).expect(200);
      expect(await changes(admin, `kind=region&sort_dir=desc&limit=1`)).toMatchObject([
        { project_id: admin.projectId, actor: { username: 'root' }, reason: 'by root' },
      ]);
    });
  });

  describe('are listed', () => {
    it('by resource, key, actor, request and time', async () => {
      const admin = await app.project();
      const other = await admin.user({ username: 'other', roles: ['*:write'] });
      const [one, two] = [await admin.region({ variables: { ntp: 1 } }), await admin.region()];
      const host = await other.host({ region_id: one.id, variables: { dns: 1 } });
      await other
        .put(
          `/v1/regions/${String(two.id)}/variables`,
          { ntp: 2 },
          { 'X-Request-Id': 'the-one', 'X-Change-Reason': 'for CHG-17, 100%' },
        )
        .expect(200);
      const all = await changes(admin);
      const expectMatching = async (query: string, holds: (change: Change) => boolean) => {
        const expected = all.filter(holds);
        expect(expected.length).toBeGreaterThan(0);
        expect(expected.length).toBeLessThan(all.length);
        expect(await changes(admin, query)).toEqual(expected);
      };
      const touches = (kind: string, id?: number) => (change: Change) =>
        change.objects.some((object) => object.kind === kind && (id === undefined || object.id === id));
      await expectMatching('kind=region', touches('region'));
      await expectMatching(`kind=region&object_id=${String(two.id)}`, touches('region', two.id));
      await expectMatching(`kind=host&object_id=${String(host.id)}`, touches('host', host.id));
      await expectMatching('key=ntp', ({ objects }) => objects.some(({ variables }) => 'ntp' in variables));
      await expectMatching('key=dns', ({ objects }) => objects.some(({ variables }) => 'dns' in variables));
      await expectMatching('actor=other', ({ actor }) => actor.username === 'other');
      await expectMatching('actor=other&key=ntp', ({ request_id }) => request_id === 'the-one');
      await expectMatching('request_id=the-one', ({ request_id }) => request_id === 'the-one');
      await expectMatching(`resource=regions/${String(two.id)}`, touches('region', two.id));
      await expectMatching(`resource=host/${String(host.id)}`, touches('host', host.id));
      await expectMatching(`resource=hosts/${String(host.id)}&key=dns`, touches('host', host.id));
      await expectMatching('reason=chg-1', ({ reason }) => reason?.includes('CHG-1') === true);
      const time = all[2]?.created_at ?? '';
      await expectMatching(`since=${time}`, ({ created_at }) => created_at >= time);
      await expectMatching(`until=${time}`, ({ created_at }) => created_at < time);
      await expectMatching(
        `since=${time}Z&actor=other`,
        (c) => c.created_at >= time && c.actor.username === 'other',
      );
      for (const nothing of [
        'kind=planet',
        'key=never',
        'actor=nobody',
        'request_id=x',
        'object_id=987654321',
        'kind=region&object_id=987654321',
        'resource=regions/987654321',
        'resource=planets/1',
        `resource=projects/${app.root.projectId}`,
        'reason=CHG_17',
        'reason=CHG%25',
        'since=2999-01-01T00:00:00',
      ])
        expect(await changes(admin, nothing)).toEqual([]);
    });

    it('ignores the case of letters of all scripts in a reason', async () => {
      const other = await app.project();
      await other.region({ note: 'Große ÄNDERUNG' });
      expect(await changes(other, `reason=${encodeURIComponent('große änderung')}`)).toHaveLength(1);
      expect(await changes(other, `reason=${encodeURIComponent('anderung')}`)).toEqual([]);
      await other.region({ note: 'ΟΔΟΣ' });
      // The upper case of ß is SS, and sigma has another form at the end of a word.
      for (const text of ['GROSSE', 'οδος', 'ΔΟσ'])
        expect(await changes(other, `reason=${encodeURIComponent(text)}`)).toHaveLength(1);
    });

    it.each([
      'object_id=abc',
      'object_id=',
      'since=yesterday',
      'since=2020-01',
      'until=2020-13-01T00:00:00',
      'since=2020-01-01T00:00:00%2B15:00',
      'kind=a%00',
      'key=a%00',
      'actor=a%00',
      'reason=a%00',
      'resource=host',
      'resource=host/x',
      'resource=/1',
      'resource=Hosts/1',
      'resource=hosts/1/2',
      'why=a',
    ])('but not by %s', async (query) => {
      const admin = await app.project();
      expect((await admin.get(`/v1/changes?${query}`).expect(400)).body.code).toBe('invalid_request');
    });

    it("only for the caller's project, as a list and individually", async () => {
      const [admin, stranger] = [await app.project(), await app.project()];
      const region = await stranger.region();
      expect((await changes(admin)).every(({ project_id }) => project_id === admin.projectId)).toBe(true);
      expect(await changes(admin, `kind=region&object_id=${String(region.id)}`)).toEqual([]);
      const [theirs] = await changes(stranger, 'kind=region');
      await admin.get(`/v1/changes/${String(theirs?.id)}`).expect(404);
      await admin.get('/v1/changes/987654321').expect(404);
      await admin.get('/v1/changes/abc').expect(400);
      expect((await stranger.get(`/v1/changes/${String(theirs?.id)}`).expect(200)).body).toEqual(theirs);
    });

    it('for every user of the project, and cannot be written', async () => {
      const admin = await app.project();
      const [change] = await changes(await admin.user());
      for (const method of ['post', 'put', 'delete', 'patch'] as const) {
        await admin.send(method, '/v1/changes', {}).expect(405);
        await admin.send(method, `/v1/changes/${String(change?.id)}`, {}).expect(405);
      }
    });
  });
});
