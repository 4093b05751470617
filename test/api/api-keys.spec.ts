import { sharedService } from '../support/service';
import { keyIdOf, aName, type Caller, type Resource } from '../support/caller';
import { expireKey } from '../support/database';
import { follow, readPage } from '../support/read-pages';

interface ListedKey {
  readonly id: number;
  readonly key_id: string;
  readonly state: string;
}

/** A user with one key, and a caller that authenticates with it. */
interface UserWithKey {
  readonly path: string;
  readonly user: Caller;
}

const NO_KEY = '0123456789abcdef';

describe('the API keys of a user', () => {
  const app = sharedService();
  let admin: Caller;
  beforeAll(async () => {
    admin = await app.project();
  });

  async function make(members: object = {}, by: Caller = admin): Promise<UserWithKey> {
    const user = await by.user({ username: aName('operator'), ...members });
    const { body } = await by.get(`/v1/users?username=${user.credentials.user}&fields=id`).expect(200);
    return { path: `/v1/users/${String((body as Resource[])[0]?.id)}`, user };
  }

  /** Adds a key and returns a caller that authenticates with it. */
  async function addKey({ path, user }: UserWithKey, by: Caller = admin, body: object = {}): Promise<Caller> {
    const response = await by.post(`${path}/api-keys`, body).expect(201);
    return user.as({ ...user.credentials, token: (response.body as { api_key: string }).api_key });
  }

  const keys = async (by: Caller, path: string, more = ''): Promise<ListedKey[]> =>
    (await by.get(`${path}/api-keys${more}`).expect(200)).body as ListedKey[];

  const isAccepted = async (caller: Caller): Promise<boolean> =>
    (await caller.get('/v1/regions')).status === 200;

  it('are listed with their state, and without their secrets', async () => {
    const made = await make();
    const second = await addKey(made, admin, { expires_at: '2999-01-01T00:00:00', note: 'The web shop' });
    const third = await addKey(made);
    await admin.delete(`${made.path}/api-keys/${keyIdOf(third.credentials)}`).expect(204);
    await expireKey(app, made.user.credentials);
    const response = await admin.get(`${made.path}/api-keys`).expect(200);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/) as string;
    const id = expect.any(Number) as number;
    expect(response.body).toEqual([
      {
        id,
        key_id: keyIdOf(made.user.credentials),
        state: 'expired',
        note: null,
        created_at: time,
        expires_at: time,
        revoked_at: null,
      },
      {
        id,
        key_id: keyIdOf(second.credentials),
        state: 'in use',
        note: 'The web shop',
        created_at: time,
        expires_at: '2999-01-01T00:00:00.000000',
        revoked_at: null,
      },
      {
        id,
        key_id: keyIdOf(third.credentials),
        state: 'revoked',
        note: null,
        created_at: time,
        expires_at: null,
        revoked_at: time,
      },
    ]);
    for (const caller of [made.user, second, third])
      expect(response.text).not.toContain(caller.credentials.token.slice(-43));
  });

  it("are a list of one user's keys, with pages, sorting and field selection", async () => {
    const made = await make();
    const other = await make();
    const all = [made.user, await addKey(made), await addKey(made)].map(({ credentials }) =>
      keyIdOf(credentials),
    );
    await addKey(other);
    expect((await keys(admin, made.path)).map(({ key_id }) => key_id)).toEqual(all);
    const first = await readPage(admin, `${made.path}/api-keys?limit=2&fields=key_id`);
    expect(first.items).toEqual(all.slice(0, 2).map((key_id) => ({ key_id })));
    expect((await follow(admin, first, 'next'))?.items).toEqual(all.slice(2).map((key_id) => ({ key_id })));
    const backwards = await keys(admin, made.path, '?sort_keys=created_at&sort_dir=desc');
    expect(backwards.map(({ key_id }) => key_id)).toEqual(all.toReversed());
    for (const hidden of ['secret_hash', 'api_key', 'user_id'])
      await admin.get(`${made.path}/api-keys?fields=${hidden}`).expect(400);
  });

  it('stay valid when another key is added, whose token is returned once', async () => {
    const made = await make({ roles: ['regions:write'] });
    const response = await admin.post(`${made.path}/api-keys`).expect(201);
    expect(response.headers).toMatchObject({ location: app.url + made.path, etag: '"2"' });
    expect(response.body).toMatchObject({
      username: made.user.credentials.user,
      version: 2,
      api_key: expect.stringMatching(/^mst_[0-9a-f]{16}_[A-Za-z0-9_-]{43}$/) as string,
    });
    const { api_key: token } = response.body as { api_key: string };
    const second = made.user.as({ ...made.user.credentials, token });
    for (const caller of [made.user, second])
      await caller.post('/v1/regions', { name: aName('region') }).expect(201);
    for (const at of [made.path, `${made.path}/api-keys`, `${made.path}/changes`])
      expect((await admin.get(at).expect(200)).text).not.toContain(token.slice(-43));
    // The other endpoint revokes all existing keys.
    await admin.post(`${made.path}/api-key`).expect(201);
    expect([await isAccepted(made.user), await isAccepted(second)]).toEqual([false, false]);
  });

  it('are revoked individually, with immediate effect', async () => {
    const made = await make();
    const second = await addKey(made);
    expect([await isAccepted(made.user), await isAccepted(second)]).toEqual([true, true]);
    await admin.delete(`${made.path}/api-keys/${keyIdOf(second.credentials)}`).expect(204);
    expect([await isAccepted(made.user), await isAccepted(second)]).toEqual([true, false]);
    // The key is already revoked.
    const { body } = await admin.delete(`${made.path}/api-keys/${keyIdOf(second.credentials)}`).expect(404);
    expect(body).toMatchObject({ code: 'not_found', details: [{ field: 'key_id' }] });
    // A text that is no id could be a key, so it is not repeated.
    const unknown = await admin.delete(`${made.path}/api-keys/0000`).expect(404);
    expect(unknown.body).toMatchObject({
      message: `The user ${made.user.credentials.user} has no key with this id that is not revoked.`,
    });
    // The last key of a user who is not root can be revoked.
    await made.user.delete(`${made.path}/api-keys/${keyIdOf(made.user.credentials)}`).expect(204);
    expect(await isAccepted(made.user)).toBe(false);
  });

  it('can be managed only by the user and by admins', async () => {
    const made = await make();
    const stranger = (await make({ roles: ['*:write', '*'] })).user;
    const own = await addKey(made, made.user);
    expect((await keys(made.user, made.path)).map(({ key_id }) => key_id)).toContain(
      keyIdOf(own.credentials),
    );
    await stranger.get(`${made.path}/api-keys`).expect(403);
    await stranger.post(`${made.path}/api-keys`).expect(403);
    await stranger.delete(`${made.path}/api-keys/${keyIdOf(own.credentials)}`).expect(403);
    await made.user.delete(`${made.path}/api-keys/${keyIdOf(own.credentials)}`).expect(204);
    for (const [, send] of routes) {
      expect((await send(admin, '/v1/users/987654321', NO_KEY)).status).toBe(404);
      expect((await send(admin, '/v1/users/abc', NO_KEY)).status).toBe(400);
    }
  });

  it('return 403 to another user for any marker', async () => {
    const made = await make();
    const stranger = (await make()).user;
    const [{ id } = { id: 0 }] = (await admin.get(`${made.path}/api-keys`).expect(200)).body as {
      id: number;
    }[];
    for (const marker of [String(id), '987654321'])
      await stranger.get(`${made.path}/api-keys?marker=${marker}`).expect(403);
    await stranger.get(`${made.path}/api-keys?marker=abc`).expect(400);
    await stranger.get(`${made.path}/api-keys?limit=0`).expect(400);
  });

  /** The routes, as functions that send one request. */
  const routes = [
    ['GET', (by: Caller, path: string) => by.get(`${path}/api-keys`)],
    ['POST', (by: Caller, path: string) => by.post(`${path}/api-keys`)],
    ['DELETE', (by: Caller, path: string, key: string) => by.delete(`${path}/api-keys/${key}`)],
  ] as const;

  it("of another project return 404, and so do another user's keys under the caller's own path", async () => {
    const made = await make();
    const stranger = await app.project();
    for (const [, send] of routes)
      expect((await send(stranger, made.path, keyIdOf(made.user.credentials))).status).toBe(404);
    const self = await make({}, stranger);
    const messages = [];
    for (const key of [keyIdOf(made.user.credentials), keyIdOf((await make()).user.credentials), NO_KEY]) {
      const { body } = await stranger.delete(`${self.path}/api-keys/${key}`).expect(404);
      messages.push((body as { message: string }).message.replace(key, ''));
    }
    expect(new Set(messages).size).toBe(1);
    expect(await isAccepted(made.user)).toBe(true);
    // Root can access them from every project.
    expect(await keys(app.root, made.path)).toMatchObject([{ key_id: keyIdOf(made.user.credentials) }]);
    await app.root.delete(`${made.path}/api-keys/${keyIdOf(made.user.credentials)}`).expect(204);
  });

  it('are unchanged by a dry run and by a failed precondition', async () => {
    const made = await make();
    const path = `${made.path}/api-keys`;
    const key = `${path}/${keyIdOf(made.user.credentials)}`;
    const preview = await admin.post(`${path}?dry_run=true`, {}).expect(200);
    expect(preview.text).not.toContain('mst_');
    await admin.delete(`${key}?dry_run=true`).expect(200);
    await admin.post(path, {}, { 'If-Match': '"7"' }).expect(412);
    await admin.delete(key, undefined, { 'If-Match': '"7"' }).expect(412);
    expect(await keys(admin, made.path)).toMatchObject([
      { key_id: keyIdOf(made.user.credentials), state: 'in use' },
    ]);
    await admin.post(path, {}, { 'If-Match': '"1"' }).expect(201);
    await admin.delete(key, undefined, { 'If-Match': '"2"' }).expect(204);
  });

  it('are issued once for a retried request with an Idempotency-Key', async () => {
    const made = await make();
    const again = { 'Idempotency-Key': 'one more' };
    const first = await admin.post(`${made.path}/api-keys`, {}, again).expect(201);
    const second = await admin.post(`${made.path}/api-keys`, {}, again).expect(201);
    expect(second.text).toBe(first.text);
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(await keys(admin, made.path)).toHaveLength(2);
  });

  it.each(['yesterday', '2001-01-01T00:00:00', '', 1])('reject the expiry %j', async (expires_at) => {
    const { path } = await make();
    const { body } = await admin.post(`${path}/api-keys`, { expires_at }).expect(400);
    expect(body).toMatchObject({ details: [{ field: 'expires_at' }] });
    expect(await keys(admin, path)).toHaveLength(1);
  });

  it.each(['', 'two\nlines', 'x'.repeat(256), 1])('reject the note %j', async (note) => {
    const { path } = await make();
    const { body } = await admin.post(`${path}/api-keys`, { note }).expect(400);
    expect(body).toMatchObject({ details: [{ field: 'note' }] });
  });

  describe('created with a key that expires', () => {
    const EXPIRY = '2998-06-30T12:00:00.123456';
    const routes = ['api-keys', 'api-key'] as const;

    /** When the newest key of a user expires. */
    const newestExpiry = async (path: string): Promise<unknown> =>
      ((await admin.get(`${path}/api-keys?sort_dir=desc&limit=1`).expect(200)).body as Resource[])[0]?.[
        'expires_at'
      ];

    it.each(routes)('inherit its expiry if none is given (%s)', async (route) => {
      for (const body of [undefined, {}, { expires_at: null }]) {
        const made = await make();
        const short = await addKey(made, admin, { expires_at: EXPIRY });
        await short.post(`${made.path}/${route}`, body).expect(201);
        expect(await newestExpiry(made.path)).toBe(EXPIRY);
      }
    });

    it.each(routes)('cannot expire later than it (%s)', async (route) => {
      const made = await make();
      const short = await addKey(made, admin, { expires_at: EXPIRY });
      const path = `${made.path}/${route}`;
      for (const later of ['2998-06-30T12:00:00.123457Z', '2998-06-30T12:00:00.2', '2998-06-30T12:01']) {
        const { body } = await short.post(path, { expires_at: later }).expect(400);
        expect(body).toMatchObject({
          code: 'invalid_request',
          details: [
            { field: 'expires_at', code: 'out_of_range', message: expect.stringContaining(EXPIRY) as string },
          ],
        });
        await short.post(`${path}?dry_run=true`, { expires_at: later }).expect(400);
      }
      expect(await keys(admin, made.path)).toHaveLength(2);
      expect(await isAccepted(short)).toBe(true);
      for (const [given, shown] of [
        ['2998-06-30T12:00', '2998-06-30T12:00:00.000000'],
        [EXPIRY, EXPIRY],
      ] as const) {
        const before = await addKey(made, admin, { expires_at: EXPIRY });
        await before.post(path, { expires_at: given }).expect(201);
        expect(await newestExpiry(made.path)).toBe(shown);
      }
    });

    it("accept any expiry from an admin or root, regardless of the caller's own key", async () => {
      const privileged = await make({ is_admin: true });
      const short = await addKey(privileged, admin, { expires_at: EXPIRY });
      const made = await make();
      await short.post(`${made.path}/api-keys`).expect(201);
      expect(await newestExpiry(made.path)).toBeNull();
      await short.post(`${made.path}/api-keys`, { expires_at: '2999-01-01T00:00:00' }).expect(201);
      expect(await newestExpiry(made.path)).toBe('2999-01-01T00:00:00.000000');
      await short.post(`${privileged.path}/api-keys`).expect(201);
      expect(await newestExpiry(privileged.path)).toBeNull();
    });

    it("accept any expiry if the caller's own key never expires", async () => {
      const made = await make();
      await made.user.post(`${made.path}/api-keys`, { expires_at: EXPIRY }).expect(201);
      await made.user.post(`${made.path}/api-keys`).expect(201);
      expect(await newestExpiry(made.path)).toBeNull();
    });
  });

  it('leave a change record of the user for each key created or revoked', async () => {
    const made = await make();
    const second = await addKey(made);
    const reason = { 'X-Change-Reason': 'CHG-9' };
    await admin.delete(`${made.path}/api-keys/${keyIdOf(second.credentials)}`, undefined, reason).expect(204);
    const { body } = await admin.get(`${made.path}/changes`).expect(200);
    expect(body).toMatchObject([
      { objects: [{ kind: 'user', action: 'create' }] },
      { objects: [{ kind: 'user', action: 'update', after: { version: 2 } }] },
      { reason: 'CHG-9', objects: [{ kind: 'user', action: 'update', after: { version: 3 } }] },
    ]);
  });

  it('of a root user can be managed only by root', async () => {
    const privileged = await make({ is_root: true }, app.root.in(admin.projectId));
    await admin.post(`${privileged.path}/api-keys`).expect(403);
    await admin.delete(`${privileged.path}/api-keys/${keyIdOf(privileged.user.credentials)}`).expect(403);
    expect(await isAccepted(privileged.user)).toBe(true);
    await app.root.in(admin.projectId).delete(privileged.path).expect(204);
  });
});
