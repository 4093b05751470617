import { randomBytes, randomUUID } from 'node:crypto';
import request from 'supertest';
import { verifyDatabase } from '../../support/admin';
import { startService, type OwnService } from '../../support/service';
import { aName } from '../../support/caller';
import { startFaultyProxy, type Fault, type FaultyProxy } from '../../support/faulty-proxy';
import { get, linesWith, loginOf, post, toldOfOutage, usersIn, uuid } from '../../support/keystone/asking';
import { Keystone, type KeystoneUser } from '../../support/keystone/keystone';
import { describeWithPeers } from '../../support/peers';
import { revert, type ChangeRecord } from '../../support/reverts';
import { muster } from '../../support/shell';
import { until } from '../../support/until';

jest.setTimeout(120_000);

const PATIENCE = 60;

/** So often may one address be wrong in a minute, at the patient instance. */
const MOST_WRONG = 40;

describeWithPeers('tokens of a real Keystone', ['keystone-manage'], () => {
  let keystone: Keystone;
  /** Between Keystone and the patient instance, and what becomes of the next answers on it. */
  let line: FaultyProxy;
  const faults: Fault[] = [];
  /** What it takes for valid once is not asked about again in an hour. */
  let patient: OwnService;
  /** Asks about a token each time. Its own user loses its password and its tokens in tests. */
  let eager: OwnService;
  /** Asks about a token each time, as `unprivileged`, which loses its role in a test. */
  let other: OwnService;
  let unprivileged: KeystoneUser;
  let eagerUser: KeystoneUser;
  beforeAll(async () => {
    keystone = await Keystone.begin();
    const where = { project: { id: await keystone.project('service') } };
    const patientUser = await keystone.serviceUser('muster', where);
    eagerUser = await keystone.serviceUser('muster-eager', where);
    unprivileged = await keystone.serviceUser('muster-other', where);
    line = await startFaultyProxy(keystone.url, () => faults.shift());
    const environment = {
      IDENTITY: 'keystone',
      KEYSTONE_ROLES: '{"member": ["*:write"], "Steward": ["admin"]}',
    };
    patient = await startService({
      ...environment,
      ...loginOf(patientUser),
      KEYSTONE_AUTH_URL: line.url,
      KEYSTONE_CACHE_SECONDS: '3600',
      KEYSTONE_TIMEOUT_SECONDS: '30',
      TRUST_PROXY: '1',
      WRONG_CREDENTIALS_LIMIT: String(MOST_WRONG),
    });
    const eagerly = {
      LOG_LEVEL: 'info',
      ...environment,
      KEYSTONE_AUTH_URL: `${keystone.url}/v3/`,
      KEYSTONE_CACHE_SECONDS: '0',
      KEYSTONE_TIMEOUT_SECONDS: '10', // One test waits for it.
    };
    [eager, other] = await Promise.all([
      patient.startPeer({ ...eagerly, ...loginOf(eagerUser) }),
      patient.startPeer({ ...eagerly, ...loginOf(unprivileged) }),
    ]);
  });
  afterAll(async () => {
    await Promise.all([eager.stop(), other.stop()]);
    await patient.stop();
    await line.close();
    await keystone.end();
  });

  /** Somebody new in a new project. */
  async function newcomer(...roles: string[]) {
    const project = await keystone.project(aName('project'));
    return { project, ...(await keystone.somebody(aName('user'), roles, project)) };
  }

  const usersOf = (project: string) => usersIn(patient, project);

  const questions = (): number => line.requests.filter((asked) => asked.startsWith('GET')).length;

  const refusesPassword = async () => {
    const { token } = await newcomer('reader');
    const { token: unseen } = await newcomer('reader');
    await get(eager.url, token).expect(200);
    await keystone.alter(eagerUser, { password: randomBytes(12).toString('hex') });
    const { headers } = await get(eager.url, unseen).expect(503);
    expect(headers['retry-after']).toMatch(/^([1-9]|10)$/);
    await get(eager.url, token).expect(200);
    expect(linesWith(eager, 'Keystone rejects the credentials of this service')).toHaveLength(1);
    expect(eager.program.lines.join()).not.toContain(eagerUser.password);
    await keystone.alter(eagerUser, { password: eagerUser.password });
    await until('it is taken again', PATIENCE, async () => (await get(eager.url, unseen)).status === 200);
  };

  const refusesQuestions = async () => {
    const { token } = await newcomer('reader');
    const { token: unseen } = await newcomer('reader');
    const where = { project: { id: await keystone.projectId('service') } };
    await get(other.url, token).expect(200);
    await keystone.grant(unprivileged, ['reader'], where);
    await keystone.withdraw(unprivileged, 'service', where);
    try {
      // It still tells the service about its own token.
      await get(other.url, unseen).expect(503);
      await get(other.url, token).expect(200);
      expect(linesWith(other, 'it needs the role service')).toHaveLength(1);
    } finally {
      await keystone.grant(unprivileged, ['service'], where);
    }
    await until('it is told', PATIENCE, async () => (await get(other.url, unseen)).status === 200);
  };

  // The service asks again ten seconds after either refusal: two services, with a user each, wait at the same time, and
  // all concurrent tests that need neither of them run meanwhile.
  it.concurrent(
    'are not checked where Keystone refuses the password or the questions of the service',
    async () => {
      await Promise.all([refusesPassword(), refusesQuestions()]);
    },
  );

  it.concurrent('say who asks, alone, in either header', async () => {
    const { project, token, user } = await newcomer('member');
    const { body } = await post(patient.url, token, '/v1/regions', { name: 'eqiad' }).expect(201);
    expect(body).toMatchObject({ name: 'eqiad', project_id: uuid(project) });
    const { body: seen } = await request(patient.url)
      .get('/v1/regions')
      .set('Authorization', `Bearer ${token}`)
      .expect(200);
    expect(seen).toMatchObject([{ name: 'eqiad' }]);
    const { body: changes } = await get(patient.url, token, '/v1/changes').expect(200);
    expect(changes).toContainEqual(
      expect.objectContaining({ actor: expect.objectContaining({ username: user.name }) }),
    );
  });

  it.concurrent(
    'say who asks, by way of a credential for programs, unless that is for certain paths',
    async () => {
      const { token, user } = await newcomer('reader');
      await get(patient.url, await keystone.programToken(user, token)).expect(200);
      const rules = [{ service: 'compute', method: 'GET', path: '/v1/hosts' }];
      await get(patient.url, await keystone.programToken(user, token, rules)).expect(401);
    },
  );

  it.concurrent('say who asks, together with headers that agree', async () => {
    const { project, token, user } = await newcomer('reader');
    for (const name of [user.name, user.id])
      for (const where of [project, uuid(project), project.toUpperCase()])
        await get(patient.url, token, '/v1/regions', {
          'X-Auth-User': name,
          'X-Auth-Project': where,
        }).expect(200);
  });

  it.concurrent('say who asks, and not with headers that do not, or are another project', async () => {
    const { project, token } = await newcomer('member');
    const elsewhere = await newcomer('member');
    await get(patient.url, elsewhere.token).expect(200);
    const { body: region } = await post(patient.url, elsewhere.token, '/v1/regions', { name: 'a' }).expect(
      201,
    );
    for (const headers of [
      { 'X-Auth-User': 'somebody' },
      { 'X-Auth-User': elsewhere.user.id },
      { 'X-Auth-Project': elsewhere.project },
      { 'X-Auth-Project': 'service' },
      { Authorization: 'Bearer another' },
    ]) {
      const { body } = await get(patient.url, token, '/v1/regions', headers).expect(401);
      expect(body).toMatchObject({ code: 'unauthenticated' });
    }
    // Who is refused is not made.
    await patient.root.get(`/v1/projects/${uuid(project)}`).expect(404);
    await get(patient.url, token, `/v1/regions/${String((region as { id: number }).id)}`).expect(404);
  });

  it.concurrent('say who asks, by the roles in them', async () => {
    const reader = await newcomer('reader');
    await post(patient.url, reader.token, '/v1/regions', { name: 'a' }).expect(403);
    const hosts = await newcomer('regions:write');
    await post(patient.url, hosts.token, '/v1/regions', { name: 'a' }).expect(201);
    await post(patient.url, hosts.token, '/v1/labels', { label: 'a' }).expect(403);
    await get(patient.url, hosts.token, '/v1/access-secrets').expect(403);
    for (const role of ['admin', 'steward']) {
      const admin = await newcomer(role);
      await get(patient.url, admin.token, '/v1/access-secrets').expect(200);
      const elsewhere = { 'X-Auth-Project': reader.project };
      await get(patient.url, admin.token, '/v1/regions', elsewhere).expect(401);
    }
  });

  it.concurrent('say who asks, and admins of the admin project are root', async () => {
    const domain = await keystone.domain(aName('domain'));
    const { project } = await newcomer('reader');
    const scope = { project: { id: await keystone.projectId('admin') } };
    const root = await keystone.token(keystone.admin, scope);
    await get(patient.url, root, '/v1/projects').expect(200);
    await request(patient.url)
      .post('/v1/regions')
      .set({ 'X-Auth-Token': root, 'X-Auth-Project': patient.root.projectId })
      .send({ name: 'by root' })
      .expect(201);
    // Nobody has come from there yet.
    await get(patient.url, root, '/v1/regions', { 'X-Auth-Project': project }).expect(401);
    await get(patient.url, root, '/v1/regions', { 'X-Auth-Project': randomUUID() }).expect(401);
    // A domain's own projects are called as its admins like.
    const { token } = await keystone.somebody(
      aName('user'),
      ['admin'],
      await keystone.project('admin', domain),
    );
    await get(patient.url, token, '/v1/access-secrets').expect(200);
    await post(patient.url, token, '/v1/projects', { name: aName('project') }).expect(403);
  });

  it.concurrent('say who asks, to the command line, which needs nothing else', async () => {
    const { token } = await newcomer('member');
    const env = { MUSTER_TOKEN: token, MUSTER_USER: '', MUSTER_PROJECT: '' };
    await post(patient.url, token, '/v1/regions', { name: 'by token' }).expect(201);
    const { code, stdout, stderr } = await muster(patient.root, ['region', 'list'], { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('by token');
  });

  it.concurrent.each([
    ['unscoped', undefined],
    ['for a domain', { domain: { id: 'default' } }],
    ['for the whole system', { system: { all: true } }],
  ] as const)('are refused, where they are %s, with a word about it', async (scope, wanted) => {
    const user = await keystone.user(aName('user'));
    if (wanted) await keystone.grant(user, ['admin'], wanted);
    const token = await keystone.token(user, wanted);
    const { body, headers } = await get(patient.url, token).expect(401);
    expect(body).toMatchObject({
      code: 'unauthenticated',
      message: expect.stringContaining(`it is ${scope}: get one for a project`),
    });
    expect(headers['www-authenticate']).toBe('Bearer realm="muster"');
  });

  it.concurrent('are refused, at their end, also where they were valid just now', async () => {
    const { user, project } = await newcomer('reader');
    const token = await keystone.token(user, { project: { id: project } }, 'short');
    const status = async () => (await get(patient.url, token)).status;
    await until('it is over', PATIENCE, async () => (await status()) === 401);
  });

  it.concurrent('make users and projects, under other names where theirs are taken', async () => {
    const name = aName('taken');
    await patient.root.post('/v1/projects', { name }).expect(201);
    const project = await keystone.project(name);
    const { token, user } = await keystone.somebody(name, ['admin'], project);
    await get(patient.url, token).expect(200);
    const { body } = await patient.root.get(`/v1/projects/${uuid(project)}`).expect(200);
    expect(body).toMatchObject({ name: `${name}@Default` });
    expect(await usersOf(project)).toMatchObject([{ username: name }]);
    // Another of the same name.
    const domain = await keystone.domain(aName('domain'));
    const namesake = await keystone.user(name, domain);
    await keystone.grant(namesake, ['reader'], { project: { id: project } });
    const second = await keystone.token({ ...namesake, domain }, { project: { id: project } });
    await get(patient.url, second, '/v1/regions', { 'X-Auth-User': name }).expect(200);
    // A local one may have the next name, too.
    const third = await keystone.user(aName('later'));
    await keystone.grant(third, ['reader'], { project: { id: project } });
    for (const username of [third.name, `${third.name}@Default`])
      await post(patient.url, token, '/v1/users', { username }).expect(201);
    await get(patient.url, await keystone.token(third, { project: { id: project } })).expect(200);
    const names = (await usersOf(project)).map(({ username }) => username);
    expect(names).toEqual(
      expect.arrayContaining([name, expect.stringMatching(`^${name}@domain`), `${third.name}@${third.id}`]),
    );
    expect(user.id).not.toBe(namesake.id);
  });

  it.concurrent('make users and projects, whose names, rights and keys are no matter of Muster', async () => {
    const { token, project } = await newcomer('admin');
    const { body: who } = await get(patient.url, token, '/v1/whoami').expect(200);
    expect(who).toMatchObject({ project_id: uuid(project), is_admin: true, key_id: null });
    const [made] = await usersOf(project);
    const path = `/v1/users/${String(made?.['id'])}`;
    for (const key of [`${path}/api-key`, `${path}/api-keys`]) {
      const { body } = await post(patient.url, token, key, {}).expect(409);
      expect(body).toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('comes from Keystone'),
      });
    }
    const put = (members: object) => request(patient.url).put(path).set('X-Auth-Token', token).send(members);
    for (const members of [{ is_admin: true }, { roles: ['*:write'] }, { username: 'another' }])
      await put(members).expect(409);
    await request(patient.url)
      .put(`${path}/variables`)
      .set('X-Auth-Token', token)
      .send({ shell: 'zsh' })
      .expect(200);
    await request(patient.url).delete(path).set('X-Auth-Token', token).expect(204);
    // Who is still let in by Keystone is made again.
    await get(patient.url, token).expect(200);
    expect(await usersOf(project)).toMatchObject([{ username: made?.['username'], version: 1 }]);
  });

  it.concurrent('make users and projects, whom no undoing makes users of Muster', async () => {
    const { token, project, user } = await newcomer('admin');
    await get(patient.url, token).expect(200);
    /** Undoes the newest change that did this to a user. */
    const undo = async (action: string) => {
      const path = `/v1/changes?project_id=${uuid(project)}&sort_dir=desc`;
      const changes = (await patient.root.get(path).expect(200)).body as ChangeRecord[];
      const found = changes.find(({ objects: [o] }) => o?.kind === 'user' && o.action === action);
      return revert(patient.root, found?.id ?? 0);
    };
    const [made] = await usersOf(project);
    await patient.root.delete(`/v1/users/${String(made?.['id'])}`).expect(204);
    expect((await undo('delete')).body.message).toContain('came from Keystone');
    expect(await usersOf(project)).toEqual([]);
    // Nor is anybody somebody who was undone.
    await get(patient.url, token).expect(200);
    const [again] = await usersOf(project);
    expect((await undo('create')).status).toBe(201);
    await post(patient.url, token, '/v1/regions', { name: aName('region') }).expect(201);
    const [third] = await usersOf(project);
    expect(third).toMatchObject({ username: user.name, version: 1 });
    expect(third?.['id']).not.toBe(again?.['id']);
  });

  it.concurrent('make users and projects, also where every change needs a reason', async () => {
    const { token, project } = await newcomer('admin');
    await request(patient.url)
      .put(`/v1/projects/${uuid(project)}/settings`)
      .set('X-Auth-Token', token)
      .send({ change_reason: { required: true, pattern: '^OPS-[0-9]+$' } })
      .expect(200);
    const { token: second } = await keystone.somebody(aName('user'), ['reader'], project);
    await get(patient.url, second).expect(200);
  });

  it('say who asks beside keys of Muster, which Keystone never sees', async () => {
    const before = line.requests.length;
    await patient.root.get('/v1/regions').expect(200);
    await get(patient.url, `${patient.root.credentials.token}x`).expect(401);
    expect(line.requests).toHaveLength(before);
  });

  describe('are refused', () => {
    it('where they are none, and only what could be one is asked about', async () => {
      const { token } = await newcomer('reader');
      const like = randomBytes(120).toString('base64url');
      await Promise.all([1, 2, 3].map(() => get(patient.url, `gAAAAA${like}`).expect(401)));
      await get(patient.url, `${token.slice(0, -6)}AAAAAA`).expect(401);
      const before = line.requests.length;
      await get(patient.url, `gAAAAA${like}`).expect(401);
      for (const text of ['a b', 'é', 'x'.repeat(5_000), '"', "';--", 'a,b', '{}'])
        await get(patient.url, Buffer.from(text).toString('latin1')).expect(401);
      expect(line.requests).toHaveLength(before);
    });

    it('once they are revoked, and then no change is waited for any more', async () => {
      const { token } = await newcomer('reader');
      await get(eager.url, token).expect(200);
      await get(patient.url, token).expect(200);
      const waiting = get(eager.url, token, '/v1/changes/feed?after=latest&wait=60').then((answer) => answer);
      await keystone.revoke(token);
      expect((await waiting).status).toBe(401);
      await get(eager.url, token).expect(401);
      // As long as KEYSTONE_CACHE_SECONDS says.
      await get(patient.url, token).expect(200);
    });

    it('once the user or the project is disabled', async () => {
      const { token, user } = await newcomer('reader');
      await get(eager.url, token).expect(200);
      await keystone.alter(user, { enabled: false });
      await get(eager.url, token).expect(401);
      const another = await newcomer('reader');
      await get(eager.url, another.token).expect(200);
      await keystone.disableProject(another.project);
      await get(eager.url, another.token).expect(401);
    });

    it('once somebody has lost what he shared by a trust, and nobody else is told anything else', async () => {
      const trustor = await newcomer('member', 'reader');
      const trustee = await keystone.user(aName('user'));
      const token = await keystone.trustToken(trustor, trustee, 'member');
      const { token: unseen } = await newcomer('reader');
      await get(eager.url, token).expect(200);
      await keystone.withdraw(trustor.user, 'member', { project: { id: trustor.project } });
      // Keystone says 403, as it does to a service that may not ask.
      await get(eager.url, token).expect(401);
      await get(eager.url, unseen).expect(200);
      await get(eager.url, token).expect(401);
    });

    it('unasked by an address that was wrong too often, but for two at a time', async () => {
      const from = (address: string, token = randomBytes(120).toString('base64url')) =>
        get(patient.url, token, '/v1/regions', { 'X-Forwarded-For': address });
      const { token } = await newcomer('reader');
      const { token: unseen } = await newcomer('reader');
      await from('192.0.2.1', token).expect(200);
      for (let i = 0; i < MOST_WRONG; i++) await from('192.0.2.1').expect(401);
      await from('192.0.2.1').expect(429);
      const before = questions();
      keystone.hang();
      try {
        const two = [1, 2].map(async () => (await from('192.0.2.1')).status);
        await until('both are asked about', PATIENCE, () => Promise.resolve(questions() - before === 2));
        const { headers } = await from('192.0.2.1', unseen).expect(429);
        expect(headers['retry-after']).toBe('1');
        await from('192.0.2.1', token).expect(200);
        keystone.goOn();
        expect(await Promise.all(two)).toEqual([429, 429]);
        expect(questions() - before).toBe(2);
      } finally {
        keystone.goOn();
      }
      await from('192.0.2.1', unseen).expect(200);
    });

    it('or mean less, once a role is taken away', async () => {
      const { token, user, project } = await newcomer('member', 'reader');
      await post(eager.url, token, '/v1/regions', { name: 'a' }).expect(201);
      await keystone.withdraw(user, 'member', { project: { id: project } });
      await post(eager.url, token, '/v1/regions', { name: 'b' }).expect(403);
      await keystone.withdraw(user, 'reader', { project: { id: project } });
      await get(eager.url, token).expect(401);
    });
  });

  it('are asked about once by many at a time, and then not again', async () => {
    const { token } = await newcomer('reader');
    const before = questions();
    await Promise.all(Array.from({ length: 20 }, () => get(patient.url, token).expect(200)));
    await get(patient.url, token).expect(200);
    expect(questions() - before).toBe(1);
  });

  describe('make users and projects', () => {
    it('once, however many come at once', async () => {
      const project = await keystone.project(aName('project'));
      const tokens = await Promise.all(
        [1, 2].map(async () => (await keystone.somebody(aName('user'), ['reader'], project)).token),
      );
      await Promise.all(
        Array.from({ length: 24 }, (_, i) =>
          get(i % 2 === 0 ? eager.url : patient.url, tokens[(i >> 1) % 2] ?? '').expect(200),
        ),
      );
      const made = await usersOf(project);
      expect(made).toHaveLength(2);
      for (const user of made)
        expect(user).toMatchObject({ is_admin: false, is_root: false, roles: [], version: 1 });
      const { body } = await patient.root.get(`/v1/changes?project_id=${uuid(project)}`).expect(200);
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

    it('and know them again by their ids', async () => {
      const { token, user, project } = await newcomer('reader');
      await get(eager.url, token).expect(200);
      const renamed = aName('renamed');
      await keystone.alter(user, { name: renamed });
      const scope = { project: { id: project } };
      await get(eager.url, await keystone.token({ ...user, name: renamed }, scope)).expect(200);
      expect(await usersOf(project)).toMatchObject([{ username: renamed, version: 2 }]);
      // The old name is somebody else's now.
      const { token: other } = await keystone.somebody(user.name, ['reader'], project);
      await get(eager.url, other).expect(200);
      expect((await usersOf(project)).map(({ username }) => username).sort()).toEqual(
        [renamed, user.name].sort(),
      );
    });
  });

  describe('while Keystone', () => {
    it('does not take the token of the service any more', async () => {
      const { token } = await newcomer('reader');
      await get(eager.url, token).expect(200);
      // Setting a password, be it the same, ends all tokens.
      await keystone.alter(eagerUser, { password: eagerUser.password });
      await get(eager.url, token).expect(200);
      const { token: unseen } = await newcomer('reader');
      // Within the second of that, Keystone takes no new one either.
      await until('it has another', PATIENCE, async () => {
        const { status } = await get(eager.url, unseen);
        expect([200, 503]).toContain(status);
        return status === 200;
      });
    });

    it('answers, and the answer does not arrive', async () => {
      const { token, user, project } = await newcomer('reader');
      const another = await keystone.token(user, { project: { id: project } });
      // As where it has closed a connection just before it was used.
      faults.push('lost');
      await get(patient.url, token).expect(200);
      faults.push('lost', 'cut');
      await get(patient.url, another).expect(503);
      // It may be this token that Keystone stumbles over: others are asked about as ever.
      await get(patient.url, (await newcomer('reader')).token).expect(200);
      await get(patient.url, another).expect(200);
      // So it is where a proxy has lost its patience, but not about the service's own.
      const { token: third } = await newcomer('reader');
      const { token: fourth } = await newcomer('reader');
      faults.push('replaced');
      await get(patient.url, third).expect(503);
      await get(patient.url, fourth).expect(200);
      await get(patient.url, third).expect(200);
    });

    it('does not answer, and when it goes on', async () => {
      const { token, user, project } = await newcomer('reader');
      const unseen = await keystone.token(user, { project: { id: project } });
      await get(eager.url, token).expect(200);
      keystone.hang();
      try {
        // Of many who come meanwhile most are told at once.
        await Promise.all([
          get(eager.url, unseen).expect(503),
          ...Array.from({ length: 5 }, () => get(eager.url, token).expect(200)),
        ]);
        await get(eager.url, token).expect(200);
      } finally {
        keystone.goOn();
      }
      await until('it is asked again', PATIENCE, async () => (await get(eager.url, unseen)).status === 200);
    });

    it('is away, and when it is back', async () => {
      const { token, user, project } = await newcomer('reader');
      const scope = { project: { id: project } };
      const unseen = await keystone.token(user, scope);
      await get(eager.url, token).expect(200);
      const short = await keystone.token(user, scope, 'short');
      await get(eager.url, short);
      await keystone.stop();
      const { body, headers } = await get(eager.url, unseen).expect(503);
      expect(body).toMatchObject({ code: 'unavailable', message: expect.stringContaining('Keystone') });
      expect(headers['retry-after']).toMatch(/^[1-9]$/);
      await get(eager.url, token).expect(200);
      await request(eager.url).get('/readyz').expect(200);
      expect(await toldOfOutage(eager)).toEqual({ away: 1, isCounted: true, lines: 'no stack' });
      // What is over is over, and nothing is said of others.
      await until('it is over', PATIENCE, async () => (await get(eager.url, short)).status === 503);
      await get(eager.url, randomBytes(90).toString('base64url')).expect(503);
      await keystone.start();
      await until('it is asked again', PATIENCE, async () => (await get(eager.url, unseen)).status === 200);
      await get(eager.url, short).expect(401);
      expect(await toldOfOutage(eager)).toMatchObject({ away: 0 });
    });
  });

  it('leave records that fit', async () => {
    expect((await verifyDatabase(patient.databaseUrl)).faults).toEqual([]);
  });
});
