import { startService, type OwnService } from '../support/service';
import { aName, type Caller, type Resource } from '../support/caller';

describe('the last root user', () => {
  let app: OwnService;
  beforeAll(async () => {
    app = await startService();
  });
  afterAll(() => app.stop());

  /** The path of a caller that is root. */
  async function pathOf(caller: Caller): Promise<string> {
    const { body } = await app.root.get(`/v1/users?username=${caller.credentials.user}`).expect(200);
    return `/v1/users/${String((body as Resource[])[0]?.id)}`;
  }

  it('cannot be deleted or demoted, even by itself', async () => {
    const path = await pathOf(app.root);
    const before: unknown = (await app.root.get(path).expect(200)).body;
    const rejected = [
      await app.root.delete(path),
      await app.root.put(path, { is_root: false }),
      await app.root.put(path, { is_root: false, is_admin: false, username: 'nobody' }),
    ];
    for (const response of rejected) {
      expect(response.status).toBe(409);
      expect(response.body.code).toBe('conflict');
    }
    expect((await app.root.get(path).expect(200)).body).toEqual(before);
    // All other fields of the last root user can be changed.
    await app.root.put(path, { is_admin: true, is_root: true }).expect(200);
  });

  it('remains when its creation is reverted', async () => {
    const [creation] = (await app.root.get('/v1/changes?kind=user&limit=1').expect(200)).body as Resource[];
    await app.root.post(`/v1/changes/${String(creation?.id)}/revert`).expect(409);
  });

  it('remains when a revert would delete all other root users', async () => {
    const request = { 'X-Request-ID': aName('request') };
    const bodies = ['a', 'b'].map(() => ({ username: aName('root'), is_root: true }));
    const made = (await app.root.post('/v1/users', bodies, request).expect(201)).body as Record<
      'username' | 'api_key',
      string
    >[];
    const [a, b] = made.map(({ username, api_key }) =>
      app.root.as({ ...app.root.credentials, user: username, token: api_key }),
    );
    if (!a || !b) throw new Error('two users were created');
    const path = await pathOf(app.root);
    const pathOfB = await pathOf(b);
    await a.put(path, { is_root: false }).expect(200);
    const [record] = (await a.get(`/v1/changes?request_id=${request['X-Request-ID']}`).expect(200))
      .body as Resource[];
    const revert = `/v1/changes/${String(record?.id)}/revert`;
    const rejected = await a.post(revert, {}).expect(409);
    expect(rejected.body).toMatchObject({
      code: 'conflict',
      message: 'The change would delete or demote every root user.',
    });
    expect((await a.get(pathOfB).expect(200)).body).toMatchObject({ is_root: true });
    // With another root user, the revert succeeds.
    await a.put(path, { is_root: true }).expect(200);
    await app.root.post(revert, {}).expect(201);
  });

  it('remains when two root users demote or delete each other concurrently', async () => {
    for (let round = 0; round < 4; round++) {
      const other = await app.root.user({ is_root: true });
      const paths = { first: await pathOf(app.root), other: await pathOf(other) };
      // Each request removes one root user, by demotion or by deletion.
      const responses = await Promise.all([
        app.root.put(paths.other, { is_root: false }),
        round % 2 === 0 ? other.put(paths.first, { is_root: false }) : other.delete(paths.other),
      ]);
      const statuses = responses.map(({ status }) => status);
      // The second request is from the last root user, from a user who is no longer root, or finds no user.
      expect([
        [200, 409],
        [409, 200],
        [200, 403],
        [403, 200],
        [200, 204],
        [404, 204],
      ]).toContainEqual(statuses);
      const winner = statuses[1] === 200 ? other : app.root;
      const roots = (await winner.get('/v1/users?fields=is_root').expect(200)).body as Resource[];
      expect(roots.filter((user) => user['is_root'] === true)).toHaveLength(1);
      // Restores the initial state for the next round.
      if (winner === other) await other.put(paths.first, { is_root: true }).expect(200);
      const left = await app.root.get(paths.other);
      if (left.status === 200) await app.root.delete(paths.other).expect(204);
    }
  });

  it('keeps a key that does not expire, if there is one', async () => {
    const path = await pathOf(app.root);
    const expiring = { expires_at: '2999-01-01T00:00:00' };
    const keyOf = (token: string) => `${path}/api-keys/${token.split('_')[1] ?? ''}`;
    const refused = {
      code: 'conflict',
      message: expect.stringMatching(/^It is the last key of a root user that does not expire/) as string,
    };
    const { token } = app.root.credentials;
    for (const query of ['', '?dry_run=true'])
      expect((await app.root.post(`${path}/api-key${query}`, expiring).expect(409)).body).toMatchObject(
        refused,
      );
    const made = (await app.root.post(`${path}/api-keys`, expiring).expect(201)).body as { api_key: string };
    expect((await app.root.delete(keyOf(token)).expect(409)).body).toMatchObject(refused);
    // The expiring one can go, and another root user's key counts as well.
    const other = await app.root.user({ is_root: true });
    const second = (await other.post(`${path}/api-keys`, {}).expect(201)).body as { api_key: string };
    await app.root.delete(keyOf(made.api_key)).expect(204);
    await app.root.delete(keyOf(second.api_key)).expect(204);
    await app.root.delete(await pathOf(other)).expect(204);
  });

  it('cannot lose its last valid key', async () => {
    const path = await pathOf(app.root);
    const keyOf = ({ credentials }: Caller) => `api-keys/${credentials.token.split('_')[1] ?? ''}`;
    const works = async (caller: Caller) => (await caller.get('/v1/regions')).status === 200;
    // A second root user exists, but has no valid key.
    const other = await app.root.user({ is_root: true });
    await app.root.delete(`${await pathOf(other)}/${keyOf(other)}`).expect(204);
    const last = `${path}/${keyOf(app.root)}`;
    for (const attempt of [last, `${last}?dry_run=true`])
      expect((await app.root.delete(attempt).expect(409)).body).toMatchObject({ code: 'conflict' });
    expect(await works(app.root)).toBe(true);
    const { body } = await app.root.post(`${path}/api-keys`, {}).expect(201);
    const { api_key: token } = body as { api_key: string };
    const second = app.root.as({ ...app.root.credentials, token });
    await second.delete(last).expect(204);
    expect(await works(app.root)).toBe(false);
    await second.delete(`${path}/${keyOf(second)}`).expect(409);
  });
});
