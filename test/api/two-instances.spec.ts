import { sharedPeer, sharedService } from '../support/service';
import { keyIdOf, aName, Caller } from '../support/caller';
import { expireKey } from '../support/database';
import { authHeaders, sendRaw } from '../support/http-exchange';
import { until } from '../support/until';

/** The documented limit for every process except the one that made the change. */
const MAX_SECONDS = 5;

describe('two service instances on one database', () => {
  const app = sharedService();
  const second = sharedPeer();

  const onSecond = (caller: Caller): Caller => new Caller(second.url, caller.credentials);

  const ids = async (admin: Caller): Promise<Map<string, number>> => {
    const { body } = await admin.get('/v1/users').expect(200);
    return new Map((body as { username: string; id: number }[]).map((user) => [user.username, user.id]));
  };

  /** The user's path, looked up by an admin. */
  const pathOf = async (admin: Caller, user: Caller): Promise<string> =>
    `/v1/users/${String((await ids(admin)).get(user.credentials.user))}`;

  const status = async (caller: Caller): Promise<number> => (await caller.get('/v1/regions')).status;

  /** Sends requests continuously, so that the key stays in use and its cache entry is refreshed. */
  const becomes = (what: string, expected: number, send: () => Promise<number>): Promise<void> =>
    until(`${what} gets status ${String(expected)}`, MAX_SECONDS, async () => (await send()) === expected);

  it('rejects a revoked key immediately on the same instance, and within five seconds on the other', async () => {
    const admin = await app.project();
    const users = {
      'given a new key': await admin.user(),
      'who created a new key': await admin.user(),
      deleted: await admin.user(),
      renamed: await admin.user(),
    };
    // Both instances have cached the keys.
    for (const user of Object.values(users)) {
      expect(await status(user)).toBe(200);
      expect(await status(onSecond(user))).toBe(200);
    }
    const given = users['given a new key'];
    const self = users['who created a new key'];
    await admin.post(`${await pathOf(admin, given)}/api-key`).expect(201);
    await self.post(`${await pathOf(admin, self)}/api-key`).expect(201);
    await admin.delete(await pathOf(admin, users.deleted)).expect(204);
    await admin.put(await pathOf(admin, users.renamed), { username: aName('renamed') }).expect(200);
    for (const user of Object.values(users)) expect(await status(user)).toBe(401);
    await Promise.all(
      Object.entries(users).map(([what, user]) =>
        becomes(`a user ${what}`, 401, () => status(onSecond(user))),
      ),
    );
  });

  it('accepts a new key immediately on both instances, and rejects the old one', async () => {
    const admin = await app.project();
    const user = await admin.user();
    const { body } = await admin.post(`${await pathOf(admin, user)}/api-key`).expect(201);
    const { api_key } = body as { api_key: string };
    const renewed = user.as({ ...user.credentials, token: api_key });
    expect(await status(renewed)).toBe(200);
    expect(await status(onSecond(renewed))).toBe(200);
    expect(await status(user)).toBe(401);
  });

  it('applies role changes immediately on the same instance, and within five seconds on the other', async () => {
    const admin = await app.project();
    const granted = await admin.user();
    const withdrawn = await admin.user({ roles: ['regions:write'] });
    const demoted = await admin.user({ is_admin: true });
    const create = async (caller: Caller): Promise<number> =>
      (await caller.post('/v1/regions', { name: aName('region') })).status;
    for (const on of [(caller: Caller) => caller, onSecond]) {
      expect(await create(on(granted))).toBe(403);
      expect(await create(on(withdrawn))).toBe(201);
      expect(await create(on(demoted))).toBe(201);
    }
    await admin.put(await pathOf(admin, granted), { roles: ['*:write'] }).expect(200);
    await admin.put(await pathOf(admin, withdrawn), { roles: [] }).expect(200);
    await admin.put(await pathOf(admin, demoted), { is_admin: false }).expect(200);
    expect(await create(granted)).toBe(201);
    expect(await create(withdrawn)).toBe(403);
    expect(await create(demoted)).toBe(403);
    await Promise.all([
      becomes('a user with a new role', 201, () => create(onSecond(granted))),
      becomes('a user without his role', 403, () => create(onSecond(withdrawn))),
      becomes('a demoted admin', 403, () => create(onSecond(demoted))),
    ]);
  });

  it('rejects keys that the other instance revoked or that expired within five seconds', async () => {
    const admin = await app.project();
    const revoked = await admin.user();
    const expiring = await admin.user();
    for (const user of [revoked, expiring]) expect(await status(user)).toBe(200);
    await onSecond(admin)
      .delete(`${await pathOf(admin, revoked)}/api-keys/${keyIdOf(revoked.credentials)}`)
      .expect(204);
    await expireKey(app, expiring.credentials, '1 second');
    await Promise.all([
      becomes('a user whose key was revoked', 401, () => status(revoked)),
      becomes('a user whose key has expired', 401, () => status(onSecond(expiring))),
    ]);
  });

  it('rejects requests to a deleted project within five seconds', async () => {
    const { projectId } = await app.project();
    const inside = app.root.in(projectId);
    const { body } = await app.root.get(`/v1/users?project_id=${projectId}`).expect(200);
    for (const { id } of body as { id: number }[]) await inside.delete(`/v1/users/${String(id)}`).expect(204);
    expect(await status(onSecond(inside))).toBe(200);
    await app.root.delete(`/v1/projects/${projectId}`).expect(204);
    expect(await status(inside)).toBe(401);
    await becomes('root in a deleted project', 401, () => status(onSecond(inside)));
  });

  it('begin Location with their own PUBLIC_URL, if it is set', async () => {
    const admin = await app.project();
    const response = await sendRaw(`${second.url}/v1/regions`, {
      method: 'POST',
      headers: { ...authHeaders(admin.credentials), 'Content-Type': 'application/json' },
      body: '{"name":"eqiad"}',
    });
    const { id } = response.body as { id: number };
    expect(response.headers['location']).toBe(`https://muster.example/fleet/v1/regions/${String(id)}`);
  });

  it('return 503 with Retry-After for secrets that they have no key to decrypt', async () => {
    const admin = await app.project();
    const { id } = await admin.secret({ cert: 'sealed with one key' });
    const response = await sendRaw(`${second.url}/v1/access-secrets/${String(id)}`, {
      headers: authHeaders(admin.credentials),
    });
    expect(response).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
  });

  it("apply a project's settings at once where they are set, and soon everywhere else", async () => {
    const admin = await app.project();
    const set = (keys: readonly string[]) =>
      admin.put(`/v1/projects/${admin.projectId}/settings`, { private: keys });
    const user = await admin.user();
    const { id } = await admin.host({ variables: { db_password: 'hidden', kernel: '6.8' } });
    const path = `/v1/hosts/${String(id)}/variables`;
    const elsewhere = new Caller(second.url, user.credentials);
    const all = { db_password: 'hidden', kernel: '6.8' };
    expect((await elsewhere.get(path)).body).toEqual({ variables: all });
    expect((await user.get(path)).body).toEqual({ variables: all });
    await set(['db_*']).expect(200);
    expect((await user.get(path)).body).toEqual({ variables: { kernel: '6.8' } });
    await until('the other process hides it, too', 50, async () => {
      return !(await elsewhere.get(path)).text.includes('db_password');
    });
    await set([aName('other').replace('-', '_')]).expect(200);
    expect((await user.get(path)).body).toEqual({ variables: all });
  });
});
