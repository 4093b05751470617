import { randomBytes, randomUUID } from 'node:crypto';
import request from 'supertest';
import { verifyDatabase } from '../../support/admin';
import { startService, type OwnService } from '../../support/service';
import { aName } from '../../support/caller';
import { startFaultyProxy, type Fault, type FaultyProxy } from '../../support/faulty-proxy';
import { get, loggedOnce, loginOf, post, outageReport, usersIn, uuid } from '../../support/keystone/requests';
import { Keystone, type KeystoneUser } from '../../support/keystone/keystone';
import { describeWithPeers } from '../../support/external-programs';
import { revert, type ChangeRecord } from '../../support/reverts';
import { muster } from '../../support/shell';
import { until } from '../../support/until';

jest.setTimeout(120_000);

const TIMEOUT = 60;

const ENVIRONMENT = { IDENTITY: 'keystone', KEYSTONE_ROLES: '{"member": ["*:write"], "Steward": ["admin"]}' };

/** The limit of wrong credentials per address and minute of the caching instance. */
const MAX_WRONG = 40;

describeWithPeers('tokens of a real Keystone', ['keystone-manage'], () => {
  let keystone: Keystone;
  /** The proxy between Keystone and the caching instance, and the faults of its next responses. */
  let proxy: FaultyProxy;
  const faults: Fault[] = [];
  /** An instance that caches valid tokens for an hour. */
  let caching: OwnService;
  /** An instance that validates a token each time. Tests change the password and the role of its own user. */
  let uncached: OwnService;
  let uncachedUser: KeystoneUser;
  beforeAll(async () => {
    keystone = await Keystone.launch();
    const where = { project: { id: await keystone.project('service') } };
    const cachingUser = await keystone.serviceUser('muster', where);
    uncachedUser = await keystone.serviceUser('muster-uncached', where);
    proxy = await startFaultyProxy(keystone.url, () => faults.shift());
    caching = await startService({
      ...ENVIRONMENT,
      ...loginOf(cachingUser),
      KEYSTONE_AUTH_URL: proxy.url,
      KEYSTONE_CACHE_SECONDS: '3600',
      KEYSTONE_TIMEOUT_SECONDS: '30',
      TRUST_PROXY: '1',
      WRONG_CREDENTIALS_LIMIT: String(MAX_WRONG),
    });
    uncached = await caching.startPeer({
      LOG_LEVEL: 'info',
      ...ENVIRONMENT,
      ...loginOf(uncachedUser),
      KEYSTONE_AUTH_URL: `${keystone.url}/v3/`,
      KEYSTONE_CACHE_SECONDS: '0',
      // One test waits for it. On a busy machine, Keystone takes seconds for each of many concurrent requests.
      KEYSTONE_TIMEOUT_SECONDS: '20',
    });
  });
  afterAll(async () => {
    await uncached.stop();
    await caching.stop();
    await proxy.close();
    await keystone.end();
  });

  /** Creates a user with a token in a new project. */
  async function newUser(...roles: string[]) {
    const project = await keystone.project(aName('project'));
    return { project, ...(await keystone.userWithToken(aName('user'), roles, project)) };
  }

  const untilStatus = (status: number, service: OwnService, token: string, what: string) =>
    until(what, TIMEOUT, async () => (await get(service.url, token)).status === status);

  const usersOf = (project: string) => usersIn(caching, project);

  const validations = (): number => proxy.requests.filter((sent) => sent.startsWith('GET')).length;

  const rejectedPassword = async () => {
    const [{ token }, { token: unseen }] = [await newUser('reader'), await newUser('reader')];
    await get(uncached.url, token).expect(200);
    await keystone.update(uncachedUser, { password: randomBytes(12).toString('hex') });
    try {
      const { headers } = await get(uncached.url, unseen).expect(503);
      expect(headers['retry-after']).toMatch(/^([1-9]|10)$/);
      await get(uncached.url, token).expect(200);
      await loggedOnce(uncached, unseen, 'Keystone rejects the credentials of this service');
      expect(uncached.program.lines.join()).not.toContain(uncachedUser.password);
    } finally {
      // All later tests need it.
      await keystone.update(uncachedUser, { password: uncachedUser.password });
    }
    await untilStatus(200, uncached, unseen, 'Keystone accepts the password');
  };

  const missingRole = async () => {
    const [{ token }, { token: unseen }] = [await newUser('reader'), await newUser('reader')];
    const where = { project: { id: await keystone.projectId('service') } };
    await get(uncached.url, token).expect(200);
    await keystone.grant(uncachedUser, ['reader'], where);
    await keystone.revokeRole(uncachedUser, 'service', where);
    try {
      // Keystone still lets the service validate its own token.
      await get(uncached.url, unseen).expect(503);
      await get(uncached.url, token).expect(200);
      await loggedOnce(uncached, unseen, 'it needs the role service');
    } finally {
      await keystone.grant(uncachedUser, ['service'], where);
    }
    await untilStatus(200, uncached, unseen, 'Keystone validates tokens');
  };

  // The service retries ten seconds after either rejection.
  it.concurrent('get 503 while Keystone rejects the password or the role of the service', async () => {
    await rejectedPassword();
    await missingRole();
  });

  it.concurrent('authenticate a user, in either header', async () => {
    const { project, token, user } = await newUser('member');
    const { body } = await post(caching.url, token, '/v1/regions', { name: 'eqiad' }).expect(201);
    expect(body).toMatchObject({ name: 'eqiad', project_id: uuid(project) });
    const { body: seen } = await request(caching.url)
      .get('/v1/regions')
      .set('Authorization', `Bearer ${token}`)
      .expect(200);
    expect(seen).toMatchObject([{ name: 'eqiad' }]);
    const { body: changes } = await get(caching.url, token, '/v1/changes').expect(200);
    expect(changes).toContainEqual(
      expect.objectContaining({ actor: expect.objectContaining({ username: user.name }) }),
    );
  });

  it.concurrent('authenticate application credentials, except those with access rules', async () => {
    const { token, user } = await newUser('reader');
    await get(caching.url, await keystone.programToken(user, token)).expect(200);
    const rules = [{ service: 'compute', method: 'GET', path: '/v1/hosts' }];
    await get(caching.url, await keystone.programToken(user, token, rules)).expect(401);
  });

  it.concurrent('authenticate a user with matching X-Auth headers', async () => {
    const { project, token, user } = await newUser('reader');
    for (const name of [user.name, user.id])
      for (const where of [project, uuid(project), project.toUpperCase()])
        await get(caching.url, token, '/v1/regions', {
          'X-Auth-User': name,
          'X-Auth-Project': where,
        }).expect(200);
  });

  it.concurrent('are rejected with X-Auth headers of another user or project', async () => {
    const { project, token } = await newUser('member');
    const elsewhere = await newUser('member');
    await get(caching.url, elsewhere.token).expect(200);
    const { body: region } = await post(caching.url, elsewhere.token, '/v1/regions', { name: 'a' }).expect(
      201,
    );
    for (const headers of [
      { 'X-Auth-User': 'somebody' },
      { 'X-Auth-User': elsewhere.user.id },
      { 'X-Auth-Project': elsewhere.project },
      { 'X-Auth-Project': 'service' },
      { Authorization: 'Bearer another' },
    ]) {
      const { body } = await get(caching.url, token, '/v1/regions', headers).expect(401);
      expect(body).toMatchObject({ code: 'unauthenticated' });
    }
    // Rejected tokens create no project.
    await caching.root.get(`/v1/projects/${uuid(project)}`).expect(404);
    await get(caching.url, token, `/v1/regions/${String((region as { id: number }).id)}`).expect(404);
  });

  it.concurrent('grant the permissions of their roles', async () => {
    const reader = await newUser('reader');
    await post(caching.url, reader.token, '/v1/regions', { name: 'a' }).expect(403);
    const hosts = await newUser('regions:write');
    await post(caching.url, hosts.token, '/v1/regions', { name: 'a' }).expect(201);
    await post(caching.url, hosts.token, '/v1/labels', { label: 'a' }).expect(403);
    await get(caching.url, hosts.token, '/v1/access-secrets').expect(403);
    for (const role of ['admin', 'steward']) {
      const admin = await newUser(role);
      await get(caching.url, admin.token, '/v1/access-secrets').expect(200);
      const elsewhere = { 'X-Auth-Project': reader.project };
      await get(caching.url, admin.token, '/v1/regions', elsewhere).expect(401);
    }
  });

  it.concurrent('make admins of the admin project root', async () => {
    const domain = await keystone.domain(aName('domain'));
    const { project } = await newUser('reader');
    const scope = { project: { id: await keystone.projectId('admin') } };
    const root = await keystone.token(keystone.admin, scope);
    await get(caching.url, root, '/v1/projects').expect(200);
    await request(caching.url)
      .post('/v1/regions')
      .set({ 'X-Auth-Token': root, 'X-Auth-Project': caching.root.projectId })
      .send({ name: 'by root' })
      .expect(201);
    // Muster does not know these projects yet.
    await get(caching.url, root, '/v1/regions', { 'X-Auth-Project': project }).expect(401);
    await get(caching.url, root, '/v1/regions', { 'X-Auth-Project': randomUUID() }).expect(401);
    // Another domain may have a project with the name of the admin project.
    const { token } = await keystone.userWithToken(
      aName('user'),
      ['admin'],
      await keystone.project('admin', domain),
    );
    await get(caching.url, token, '/v1/access-secrets').expect(200);
    await post(caching.url, token, '/v1/projects', { name: aName('project') }).expect(403);
  });

  it.concurrent('authenticate the command line without other credentials', async () => {
    const { token } = await newUser('member');
    const env = { MUSTER_TOKEN: token, MUSTER_USER: '', MUSTER_PROJECT: '' };
    await post(caching.url, token, '/v1/regions', { name: 'by token' }).expect(201);
    const { code, stdout, stderr } = await muster(caching.root, ['region', 'list'], { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('by token');
  });

  it.concurrent.each([
    ['unscoped', undefined],
    ['for a domain', { domain: { id: 'default' } }],
    ['for the whole system', { system: { all: true } }],
  ] as const)('are rejected with a reason if they are %s', async (scope, wanted) => {
    const user = await keystone.user(aName('user'));
    if (wanted) await keystone.grant(user, ['admin'], wanted);
    const token = await keystone.token(user, wanted);
    const { body, headers } = await get(caching.url, token).expect(401);
    expect(body).toMatchObject({
      code: 'unauthenticated',
      message: expect.stringContaining(`it is ${scope}: get one for a project`),
    });
    expect(headers['www-authenticate']).toBe('Bearer realm="muster"');
  });

  it.concurrent('are rejected when they expire, even if cached', async () => {
    const { user, project } = await newUser('reader');
    const token = await keystone.token(user, { project: { id: project } }, 'short');
    const status = async () => (await get(caching.url, token)).status;
    await until('the token has expired', TIMEOUT, async () => (await status()) === 401);
  });

  it.concurrent('create users and projects, with other names if theirs are in use', async () => {
    const name = aName('taken');
    await caching.root.post('/v1/projects', { name }).expect(201);
    const project = await keystone.project(name);
    const { token, user } = await keystone.userWithToken(name, ['admin'], project);
    await get(caching.url, token).expect(200);
    const { body } = await caching.root.get(`/v1/projects/${uuid(project)}`).expect(200);
    expect(body).toMatchObject({ name: `${name}@Default` });
    expect(await usersOf(project)).toMatchObject([{ username: name }]);
    // Another user of the same name.
    const domain = await keystone.domain(aName('domain'));
    const namesake = await keystone.user(name, domain);
    await keystone.grant(namesake, ['reader'], { project: { id: project } });
    const second = await keystone.token({ ...namesake, domain }, { project: { id: project } });
    await get(caching.url, second, '/v1/regions', { 'X-Auth-User': name }).expect(200);
    // Local users may have the alternative name, too.
    const third = await keystone.user(aName('later'));
    await keystone.grant(third, ['reader'], { project: { id: project } });
    for (const username of [third.name, `${third.name}@Default`])
      await post(caching.url, token, '/v1/users', { username }).expect(201);
    await get(caching.url, await keystone.token(third, { project: { id: project } })).expect(200);
    const names = (await usersOf(project)).map(({ username }) => username);
    expect(names).toEqual(
      expect.arrayContaining([name, expect.stringMatching(`^${name}@domain`), `${third.name}@${third.id}`]),
    );
    expect(user.id).not.toBe(namesake.id);
  });

  it.concurrent('create users whose names, permissions and keys cannot be changed in Muster', async () => {
    const { token, project } = await newUser('admin');
    const { body: who } = await get(caching.url, token, '/v1/whoami').expect(200);
    expect(who).toMatchObject({ project_id: uuid(project), is_admin: true, key_id: null });
    const [made] = await usersOf(project);
    const path = `/v1/users/${String(made?.['id'])}`;
    for (const key of [`${path}/api-key`, `${path}/api-keys`]) {
      const { body } = await post(caching.url, token, key, {}).expect(409);
      expect(body).toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('comes from Keystone'),
      });
    }
    const put = (members: object) => request(caching.url).put(path).set('X-Auth-Token', token).send(members);
    for (const members of [{ is_admin: true }, { roles: ['*:write'] }, { username: 'another' }])
      await put(members).expect(409);
    await request(caching.url)
      .put(`${path}/variables`)
      .set('X-Auth-Token', token)
      .send({ shell: 'zsh' })
      .expect(200);
    await request(caching.url).delete(path).set('X-Auth-Token', token).expect(204);
    // A deleted user with a valid token is created again.
    await get(caching.url, token).expect(200);
    expect(await usersOf(project)).toMatchObject([{ username: made?.['username'], version: 1 }]);
  });

  it.concurrent('create users that a revert does not restore as local users', async () => {
    const { token, project, user } = await newUser('admin');
    await get(caching.url, token).expect(200);
    /** Reverts the newest change with this action on a user. */
    const revertNewest = async (action: string) => {
      const path = `/v1/changes?project_id=${uuid(project)}&sort_dir=desc`;
      const changes = (await caching.root.get(path).expect(200)).body as ChangeRecord[];
      const found = changes.find(({ objects: [o] }) => o?.kind === 'user' && o.action === action);
      return revert(caching.root, found?.id ?? 0);
    };
    const [made] = await usersOf(project);
    await caching.root.delete(`/v1/users/${String(made?.['id'])}`).expect(204);
    expect((await revertNewest('delete')).body.message).toContain('came from Keystone');
    expect(await usersOf(project)).toEqual([]);
    // A token does not authenticate as the user whose creation was reverted.
    await get(caching.url, token).expect(200);
    const [again] = await usersOf(project);
    expect((await revertNewest('create')).status).toBe(201);
    await post(caching.url, token, '/v1/regions', { name: aName('region') }).expect(201);
    const [third] = await usersOf(project);
    expect(third).toMatchObject({ username: user.name, version: 1 });
    expect(third?.['id']).not.toBe(again?.['id']);
  });

  it.concurrent('create users also in projects that require a change reason', async () => {
    const { token, project } = await newUser('admin');
    await request(caching.url)
      .put(`/v1/projects/${uuid(project)}/settings`)
      .set('X-Auth-Token', token)
      .send({ change_reason: { required: true, pattern: '^OPS-[0-9]+$' } })
      .expect(200);
    const { token: second } = await keystone.userWithToken(aName('user'), ['reader'], project);
    await get(caching.url, second).expect(200);
  });

  it('work alongside API keys, which are never sent to Keystone', async () => {
    const before = proxy.requests.length;
    await caching.root.get('/v1/regions').expect(200);
    await get(caching.url, `${caching.root.credentials.token}x`).expect(401);
    expect(proxy.requests).toHaveLength(before);
  });

  describe('are rejected', () => {
    it('if unknown, and malformed ones are not sent to Keystone', async () => {
      const { token } = await newUser('reader');
      const like = randomBytes(120).toString('base64url');
      await Promise.all([1, 2, 3].map(() => get(caching.url, `gAAAAA${like}`).expect(401)));
      await get(caching.url, `${token.slice(0, -6)}AAAAAA`).expect(401);
      const before = proxy.requests.length;
      await get(caching.url, `gAAAAA${like}`).expect(401);
      for (const text of ['a b', 'é', 'x'.repeat(5_000), '"', "';--", 'a,b', '{}'])
        await get(caching.url, Buffer.from(text).toString('latin1')).expect(401);
      expect(proxy.requests).toHaveLength(before);
    });

    it('once they are revoked, which also ends a waiting feed request', async () => {
      const { token } = await newUser('reader');
      await get(uncached.url, token).expect(200);
      await get(caching.url, token).expect(200);
      const waiting = get(uncached.url, token, '/v1/changes/feed?after=latest&wait=60').then(
        (response) => response,
      );
      await keystone.revoke(token);
      expect((await waiting).status).toBe(401);
      await get(uncached.url, token).expect(401);
      // Cached for KEYSTONE_CACHE_SECONDS.
      await get(caching.url, token).expect(200);
    });

    it('once the user or the project is disabled', async () => {
      const { token, user } = await newUser('reader');
      await get(uncached.url, token).expect(200);
      await keystone.update(user, { enabled: false });
      await get(uncached.url, token).expect(401);
      const another = await newUser('reader');
      await get(uncached.url, another.token).expect(200);
      await keystone.disableProject(another.project);
      await get(uncached.url, another.token).expect(401);
    });

    it('once the trustor of a trust has lost the role, without effect on other tokens', async () => {
      const trustor = await newUser('member', 'reader');
      const trustee = await keystone.user(aName('user'));
      const token = await keystone.trustToken(trustor, trustee, 'member');
      const { token: unseen } = await newUser('reader');
      await get(uncached.url, token).expect(200);
      await keystone.revokeRole(trustor.user, 'member', { project: { id: trustor.project } });
      // Keystone responds with 403, as for a service without its role.
      await get(uncached.url, token).expect(401);
      await get(uncached.url, unseen).expect(200);
      await get(uncached.url, token).expect(401);
    });

    it('without asking Keystone after too many failures of an address, except two requests at a time', async () => {
      const from = (address: string, token = randomBytes(120).toString('base64url')) =>
        get(caching.url, token, '/v1/regions', { 'X-Forwarded-For': address });
      const { token } = await newUser('reader');
      const { token: unseen } = await newUser('reader');
      await from('192.0.2.1', token).expect(200);
      for (let i = 0; i < MAX_WRONG; i++) await from('192.0.2.1').expect(401);
      await from('192.0.2.1').expect(429);
      const before = validations();
      keystone.suspend();
      try {
        const two = [1, 2].map(async () => (await from('192.0.2.1')).status);
        await until('Keystone gets both requests', TIMEOUT, () =>
          Promise.resolve(validations() - before === 2),
        );
        const { headers } = await from('192.0.2.1', unseen).expect(429);
        expect(headers['retry-after']).toBe('1');
        await from('192.0.2.1', token).expect(200);
        keystone.resume();
        expect(await Promise.all(two)).toEqual([429, 429]);
        expect(validations() - before).toBe(2);
      } finally {
        keystone.resume();
      }
      await from('192.0.2.1', unseen).expect(200);
    });

    it('or grant less after a role was revoked', async () => {
      const { token, user, project } = await newUser('member', 'reader');
      await post(uncached.url, token, '/v1/regions', { name: 'a' }).expect(201);
      await keystone.revokeRole(user, 'member', { project: { id: project } });
      await post(uncached.url, token, '/v1/regions', { name: 'b' }).expect(403);
      await keystone.revokeRole(user, 'reader', { project: { id: project } });
      await get(uncached.url, token).expect(401);
    });
  });

  it('are validated once for concurrent requests, and then cached', async () => {
    const { token } = await newUser('reader');
    const before = validations();
    await Promise.all(Array.from({ length: 20 }, () => get(caching.url, token).expect(200)));
    await get(caching.url, token).expect(200);
    expect(validations() - before).toBe(1);
  });

  describe('create users and projects', () => {
    it('once for concurrent requests', async () => {
      const project = await keystone.project(aName('project'));
      const tokens = await Promise.all(
        [1, 2].map(async () => (await keystone.userWithToken(aName('user'), ['reader'], project)).token),
      );
      await Promise.all(
        Array.from({ length: 24 }, (_, i) =>
          get(i % 2 === 0 ? uncached.url : caching.url, tokens[(i >> 1) % 2] ?? '').expect(200),
        ),
      );
      const made = await usersOf(project);
      expect(made).toHaveLength(2);
      for (const user of made)
        expect(user).toMatchObject({ is_admin: false, is_root: false, roles: [], version: 1 });
      const { body } = await caching.root.get(`/v1/changes?project_id=${uuid(project)}`).expect(200);
      expect(
        (body as { actor: { username: string }; objects: { kind: string }[] }[])
          .map((change) => [change.actor.username, ...change.objects.map(({ kind }) => kind)])
          .sort(),
      ).toEqual([
        ['keystone', 'project'],
        ['keystone', 'user'],
        ['keystone', 'user'],
      ]);
    });

    it('and identify them by ID', async () => {
      const { token, user, project } = await newUser('reader');
      await get(uncached.url, token).expect(200);
      const renamed = aName('renamed');
      await keystone.update(user, { name: renamed });
      const scope = { project: { id: project } };
      await get(uncached.url, await keystone.token({ ...user, name: renamed }, scope)).expect(200);
      expect(await usersOf(project)).toMatchObject([{ username: renamed, version: 2 }]);
      // Another user now has the old name.
      const { token: other } = await keystone.userWithToken(user.name, ['reader'], project);
      await get(uncached.url, other).expect(200);
      expect((await usersOf(project)).map(({ username }) => username).sort()).toEqual(
        [renamed, user.name].sort(),
      );
    });
  });

  describe('while Keystone', () => {
    it('rejects the revoked token of the service', async () => {
      const { token } = await newUser('reader');
      await get(uncached.url, token).expect(200);
      // Setting a password, even the same one, revokes all tokens.
      await keystone.update(uncachedUser, { password: uncachedUser.password });
      await get(uncached.url, token).expect(200);
      const { token: unseen } = await newUser('reader');
      // In the same second, Keystone rejects new tokens, too.
      await until('the service has a new token', TIMEOUT, async () => {
        const { status } = await get(uncached.url, unseen);
        expect([200, 503]).toContain(status);
        return status === 200;
      });
    });

    it('responds, but the response is lost', async () => {
      const { token, user, project } = await newUser('reader');
      const another = await keystone.token(user, { project: { id: project } });
      // As if Keystone had closed an idle connection just before it was used.
      faults.push('lost');
      await get(caching.url, token).expect(200);
      faults.push('lost', 'cut');
      await get(caching.url, another).expect(503);
      // Only this token may cause the failure, so other tokens are validated as before.
      await get(caching.url, (await newUser('reader')).token).expect(200);
      await get(caching.url, another).expect(200);
      // The same applies after a proxy timeout.
      const { token: third } = await newUser('reader');
      const { token: fourth } = await newUser('reader');
      faults.push('replaced');
      await get(caching.url, third).expect(503);
      await get(caching.url, fourth).expect(200);
      await get(caching.url, third).expect(200);
    });

    it('hangs, and after it continues', async () => {
      const { token, user, project } = await newUser('reader');
      const unseen = await keystone.token(user, { project: { id: project } });
      await get(uncached.url, token).expect(200);
      keystone.suspend();
      try {
        // Most concurrent requests get their response at once.
        await Promise.all([
          get(uncached.url, unseen).expect(503),
          ...Array.from({ length: 5 }, () => get(uncached.url, token).expect(200)),
        ]);
        await get(uncached.url, token).expect(200);
      } finally {
        keystone.resume();
      }
      await untilStatus(200, uncached, unseen, 'Keystone is asked again');
    });

    it('is unavailable, and after it returns', async () => {
      const { token, user, project } = await newUser('reader');
      const scope = { project: { id: project } };
      const unseen = await keystone.token(user, scope);
      await get(uncached.url, token).expect(200);
      const short = await keystone.token(user, scope, 'short');
      await get(uncached.url, short);
      await keystone.stop();
      const { body, headers } = await get(uncached.url, unseen).expect(503);
      expect(body).toMatchObject({ code: 'unavailable', message: expect.stringContaining('Keystone') });
      expect(headers['retry-after']).toMatch(/^[1-9]$/);
      await get(uncached.url, token).expect(200);
      await request(uncached.url).get('/readyz').expect(200);
      expect(await outageReport(uncached)).toEqual({ away: 1, isCounted: true, lines: 'no stack' });
      // Expired tokens are not accepted, and unknown tokens get 503.
      await untilStatus(503, uncached, short, 'the token has expired');
      await get(uncached.url, randomBytes(90).toString('base64url')).expect(503);
      await keystone.start();
      await untilStatus(200, uncached, unseen, 'Keystone is asked again');
      await get(uncached.url, short).expect(401);
      expect(await outageReport(uncached)).toMatchObject({ away: 0 });
    });
  });

  it('leave consistent change records', async () => {
    expect((await verifyDatabase(caching.databaseUrl)).faults).toEqual([]);
  });
});
