import { createHash } from 'node:crypto';
import { sharedService } from '../support/service';
import { aName, type Caller } from '../support/caller';
import { expireKey, query } from '../support/database';
import { sendRaw } from '../support/http-exchange';

const KEY = /^mst_[0-9a-f]{16}_[A-Za-z0-9_-]{43}$/;

describe('users', () => {
  const app = sharedService();
  let admin: Caller;
  beforeAll(async () => {
    admin = await app.project();
  });

  /** Creates a user. Returns the id, the path and a caller with the user's credentials. */
  async function make(members: object = {}): Promise<{ id: number; path: string; user: Caller }> {
    const { body } = await admin.post('/v1/users', { username: aName('operator'), ...members }).expect(201);
    return {
      id: body.id,
      path: `/v1/users/${String(body.id)}`,
      user: admin.as({ token: body.api_key, user: body.username, project: admin.projectId }),
    };
  }

  it('have no rights by default', async () => {
    const { body } = await admin.post('/v1/users', { username: 'operator' }).expect(201);
    expect(body).toMatchObject({
      username: 'operator',
      project_id: admin.projectId,
      is_admin: false,
      is_root: false,
      roles: [],
      api_key: expect.stringMatching(KEY),
    });
  });

  it('are returned with all their fields', async () => {
    const members = {
      username: 'zoë',
      is_admin: true,
      roles: ['hosts:write', '*:write', 'ntp_servers', 'hw_*'],
    };
    const { body } = await admin.post('/v1/users', members).expect(201);
    expect(body).toMatchObject(members);
    const { body: changed } = await admin
      .put(`/v1/users/${String(body.id)}`, { is_admin: false, roles: ['cells:write'] })
      .expect(200);
    expect(changed).toMatchObject({ username: 'zoë', is_admin: false, roles: ['cells:write'] });
    expect(changed).not.toHaveProperty('api_key');
  });

  it.each([
    ['is_admin', 'yes'],
    ['is_admin', null],
    ['is_root', 1],
    ['roles', 'hosts:write'],
    ['roles', null],
    ['roles', { hosts: 'write' }],
    ['roles', [1]],
    ['roles', ['']],
    ['roles', ['hosts:delete']],
    ['roles', ['Hosts:write']],
    ['roles', ['with space']],
    ['roles', ['hw_*_x']],
  ])('reject %s: %j', async (name, value) => {
    const { body } = await admin.post('/v1/users', { username: 'operator', [name]: value }).expect(400);
    expect(body.details).toEqual([{ field: name, code: expect.any(String), message: expect.any(String) }]);
  });

  it.each([
    ['host:write', 'did you mean hosts:write?'],
    ['network-device:write', 'did you mean network-devices:write?'],
    ['cpus:write', 'names no collection: the collections are access-secrets, '],
    ['hosts:wirte', 'did you mean hosts:write?'],
    ['users:write', undefined],
    ['servers:write', 'the collections are access-secrets, audits, cells,'],
  ])('with the role %s: %j', async (role, hint) => {
    const { path } = await make({ roles: ['hosts:write'] });
    for (const send of [
      () => admin.post('/v1/users', { username: aName('operator'), roles: ['cells:write', role] }),
      () => admin.put(path, { roles: ['cells:write', role] }),
    ]) {
      const { status, body } = await send();
      if (hint === undefined) expect(status).toBeLessThan(300);
      else
        expect([status, body.details]).toEqual([
          400,
          [{ field: 'roles', code: 'invalid_value', message: expect.stringContaining(hint) }],
        ]);
    }
  });

  it('are filtered by name, and visible to every user of the project', async () => {
    const { user, id } = await make();
    const { username } = (await user.get(`/v1/users/${String(id)}`).expect(200)).body;
    for (const list of [`/v1/users?username=${username}`, `/v1/users?name=${username}`])
      expect((await user.get(list).expect(200)).body).toMatchObject([{ id, username }]);
  });

  it('can be written only by admins, whatever the roles of a user', async () => {
    const { user, path } = await make({ roles: ['users:write', '*:write'] });
    await user.post('/v1/users', { username: 'friend' }).expect(403);
    await user.put(path, { is_admin: true }).expect(403);
    await user.delete(path).expect(403);
  });

  it('gain and lose rights immediately', async () => {
    const { user, path } = await make();
    await user.post('/v1/regions', { name: 'r' }).expect(403);
    await admin.put(path, { roles: ['regions:write'] }).expect(200);
    await user.post('/v1/regions', { name: 'r' }).expect(201);
    await admin.put(path, { roles: [] }).expect(200);
    await user.post('/v1/regions', { name: 's' }).expect(403);
  });

  it('can authenticate only with the new name after a rename', async () => {
    const { user, path } = await make();
    await user.get('/v1/regions').expect(200);
    await admin.put(path, { username: 'renamed' }).expect(200);
    await user.get('/v1/regions').expect(401);
    await user
      .as({ ...user.credentials, user: 'renamed' })
      .get('/v1/regions')
      .expect(200);
  });

  it('cannot authenticate after they are deleted', async () => {
    const { user, path } = await make();
    await admin.put(`${path}/variables`, { shift: 'night' }).expect(200);
    await user.get('/v1/regions').expect(200);
    await admin.delete(path).expect(204);
    await user.get('/v1/regions').expect(401);
  });

  it('have variables', async () => {
    const { path } = await make();
    await admin.put(`${path}/variables`, { shift: 'night', pager: 7 }).expect(200);
    await admin.delete(`${path}/variables`, { key: 'pager' }).expect(204);
    const { body } = await admin.get(`${path}/variables`).expect(200);
    expect(body).toEqual({ variables: { shift: 'night' } });
  });

  describe('that are root', () => {
    it('have variables that only root can write', async () => {
      const inProject = app.root.in(admin.projectId);
      const made = await inProject.post('/v1/users', { username: 'captain', is_root: true }).expect(201);
      const { id } = made.body;
      const path = `/v1/users/${String(id)}/variables`;
      const byRole = await make({ roles: ['shell'] });
      await app.root.put(path, { shell: 'zsh' }).expect(200);
      const responses = [];
      for (const caller of [admin, byRole.user])
        responses.push(
          await caller.put(path, { shell: 'sh' }),
          await caller.delete(path, ['shell']),
          await caller.put(`${path}/shell`, { value: 'sh' }),
          await caller.delete(`${path}/shell`),
          await caller.put(`${path}?dry_run=true`, { shell: 'sh' }),
          await caller.delete(`${path}/shell?dry_run=true`),
        );
      const after = (await admin.get(path).expect(200)).body;
      await app.root.delete(`${path}/shell`).expect(204);
      // Other tests need the only root user.
      await app.root.delete(`/v1/users/${String(id)}`).expect(204);
      for (const { status, body } of responses) expect([status, body.code]).toEqual([403, 'forbidden']);
      expect(after).toEqual({ variables: { shell: 'zsh' } });
      const own = `${byRole.path}/variables`;
      await byRole.user.put(own, { shell: 'sh' }).expect(200);
      await admin.delete(`${own}/shell`).expect(204);
    });

    it('can be created, changed and deleted only by root', async () => {
      const inProject = app.root.in(admin.projectId);
      const { body: made } = await inProject
        .post('/v1/users', { username: 'chief', is_root: true })
        .expect(201);
      expect(made).toMatchObject({ is_root: true, project_id: admin.projectId });
      const path = `/v1/users/${String(made.id)}`;
      await admin.post('/v1/users', { username: 'usurper', is_root: true }).expect(403);
      await admin.put(path, { username: 'subject' }).expect(403);
      await admin.post(`${path}/api-key`).expect(403);
      await admin.delete(path).expect(403);
      const { path: ofOperator } = await make();
      await admin.put(ofOperator, { is_root: true }).expect(403);
      await inProject.put(path, { is_root: false }).expect(200);
      await admin.delete(path).expect(204);
    });
  });

  describe('API keys', () => {
    it('are returned only in the response to the creation', async () => {
      const { path, user } = await make({ is_admin: true });
      const secret = user.credentials.token.slice(-43);
      for (const at of [path, '/v1/users', `${path}/variables`, '/v1/changes'])
        expect((await user.get(at).expect(200)).text).not.toContain(secret);
      expect((await user.get(path).expect(200)).body).not.toHaveProperty('api_key');
      expect((await user.put(path, { roles: ['a'] }).expect(200)).text).not.toContain(secret);
      await user.get('/v1/users?fields=api_key').expect(400);
    });

    it('are stored as a SHA-256 hash', async () => {
      const { id, user } = await make();
      const secret = user.credentials.token.slice(-43);
      const rows = await query<{ secret_hash: Buffer; row: string }>(
        app,
        'SELECT secret_hash, api_keys::text AS row FROM api_keys WHERE user_id = $1',
        [id],
      );
      expect(rows.map((row) => row.secret_hash)).toEqual([createHash('sha256').update(secret).digest()]);
      expect(rows[0]?.row).not.toContain(secret);
    });

    it('are replaced immediately by a new key', async () => {
      const { path, user, id } = await make();
      await user.get('/v1/regions').expect(200);
      const response = await admin.post(`${path}/api-key`).expect(201);
      expect(response.headers['location']).toBe(app.url + path);
      expect(response.headers['etag']).toBe('"2"');
      expect(response.body).toMatchObject({ id, version: 2, api_key: expect.stringMatching(KEY) });
      await user.get('/v1/regions').expect(401);
      const renewed = user.as({ ...user.credentials, token: response.body.api_key });
      await renewed.get('/v1/regions').expect(200);
      expect((await admin.get(path).expect(200)).body).not.toHaveProperty('api_key');
    });

    it('can be renewed by their own user, but not by other users', async () => {
      const [one, two] = [await make(), await make()];
      await one.user.post(`${two.path}/api-key`).expect(403);
      const { body } = await one.user.post(`${one.path}/api-key`, {}).expect(201);
      await one.user.get('/v1/regions').expect(401);
      await one.user
        .as({ ...one.user.credentials, token: body.api_key })
        .get('/v1/regions')
        .expect(200);
      await two.user.get('/v1/regions').expect(200);
    });

    it('of another project return 404', async () => {
      const { path } = await make();
      const stranger = await app.project();
      await stranger.post(`${path}/api-key`).expect(404);
      await admin.post('/v1/users/987654321/api-key').expect(404);
      await admin.post('/v1/users/abc/api-key').expect(400);
    });

    it('are not renewed if the precondition fails', async () => {
      const { path, user } = await make();
      await admin.post(`${path}/api-key`, {}, { 'If-Match': '"7"' }).expect(412);
      await user.get('/v1/regions').expect(200);
      await admin.post(`${path}/api-key`, {}, { 'If-Match': '"1"' }).expect(201);
      await user.get('/v1/regions').expect(401);
    });

    it('can expire', async () => {
      const { path, user } = await make();
      const { body } = await admin
        .post(`${path}/api-key`, { expires_at: '2999-12-31T23:59:59.999999' })
        .expect(201);
      const renewed = user.as({ ...user.credentials, token: body.api_key });
      await renewed.get('/v1/regions').expect(200);
      await expireKey(app, renewed.credentials);
      await admin.put(path, {}).expect(200);
      await renewed.get('/v1/regions').expect(401);
    });

    it.each([
      'yesterday',
      '2001-01-01T00:00:00',
      '2999-13-01T00:00:00',
      '2999-01',
      '',
      1,
      true,
      '2999-01-01T00:00:00+15:00',
    ])('reject the expiry %j', async (expires_at) => {
      const { path, user } = await make();
      const { body } = await admin.post(`${path}/api-key`, { expires_at }).expect(400);
      expect(body.details).toEqual([
        { field: 'expires_at', code: expect.any(String), message: expect.any(String) },
      ]);
      await user.get('/v1/regions').expect(200);
    });

    it('can be several per user, and are revoked separately', async () => {
      const { user, path } = await make();
      const second = await addKey(path);
      const other = user.as({ ...user.credentials, token: second });
      await user.get('/v1/regions').expect(200);
      await other.get('/v1/regions').expect(200);
      await admin.delete(`${path}/api-keys/${String(second.split('_')[1])}`).expect(204);
      await other.get('/v1/regions').expect(401);
      await user.get('/v1/regions').expect(200);
    });

    it('are all replaced by a new key', async () => {
      const { user, path } = await make();
      const other = user.as({ ...user.credentials, token: await addKey(path) });
      await other.get('/v1/regions').expect(200);
      await admin.post(`${path}/api-key`).expect(201);
      for (const ended of [user, other]) await ended.get('/v1/regions').expect(401);
    });

    it('identify the user and project when used as a bearer token', async () => {
      const { user } = await make({ roles: ['regions:write'] });
      const headers = {
        Authorization: `Bearer ${user.credentials.token}`,
        'Content-Type': 'application/json',
      };
      const body = JSON.stringify({ name: aName('region') });
      const made = await sendRaw(`${app.url}/v1/regions`, { method: 'POST', headers, body });
      expect(made).toMatchObject({ status: 201, body: { project_id: admin.projectId } });
    });

    /** Adds another key to a user. */
    async function addKey(path: string): Promise<string> {
      const { body } = await admin.post(`${path}/api-keys`, {}).expect(201);
      return (body as { api_key: string }).api_key;
    }
  });
});
