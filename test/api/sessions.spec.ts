import type { OpenAPIObject } from '@nestjs/swagger';
import { sharedPeer, sharedService, type OwnService } from '../support/service';
import { aName, Caller } from '../support/caller';
import { Browser } from '../support/browser';
import { authHeaders, sendRaw, type HttpResponse } from '../support/http-exchange';
import { Validators } from '../support/openapi-response-validator';
import { SecondConnection } from '../support/second-connection';
import { until } from '../support/until';

interface Session {
  readonly user: { readonly id: number; readonly username: string; readonly is_root: boolean };
  readonly project: { readonly id: string; readonly name: string };
  readonly projects: readonly { readonly id: string; readonly name: string }[];
  readonly created_at: string;
  readonly expires_at: string;
  readonly idle_expires_at: string;
}

/**
 * For what other processes know from their caches, and for writes in the background. The documented limit is five
 * seconds, which two-instances.spec.ts checks; a busy machine may need longer for the requests.
 */
const MAX_SECONDS = 20;
const HOUR = 3_600_000;

const sessionOf = ({ body }: HttpResponse): Session => body as Session;

describe('sessions', () => {
  const app = sharedService();
  let admin: Caller;
  let name: string;
  /** No request lists stored sessions, or sets their times. */
  let database: SecondConnection;
  let validators: Validators;
  /** Another process on the same database, which logs everything. */
  let second: OwnService;
  beforeAll(async () => {
    second = await app.startPeer({ LOG_LEVEL: 'trace' });
    database = await SecondConnection.connect(app.databaseUrl);
    validators = new Validators((await app.root.get('/openapi.json').expect(200)).body as OpenAPIObject);
  });
  afterAll(async () => {
    await database.close();
    await second.stop();
  });
  beforeEach(async () => {
    name = aName('sessions');
    admin = await app.project(name);
  });

  const becomes401 = (what: string, browser: Browser): Promise<void> =>
    until(`${what} ends`, MAX_SECONDS, async () => (await browser.get('/v1/regions')).status === 401);

  const start = (caller: Caller, headers: Readonly<Record<string, string>> = {}) =>
    sendRaw(`${app.url}/v1/session`, {
      method: 'POST',
      headers: { ...authHeaders(caller.credentials), ...headers },
    });

  it('start with an API key, and set a cookie that scripts and other sites cannot use', async () => {
    const user = await admin.user({ roles: ['hosts:write'] });
    const started = await start(user);
    expect(started.status).toBe(201);
    expect(started.headers['set-cookie']).toMatch(
      /^muster=[0-9a-f]{32}\.[\w-]{43}; Path=\/; Max-Age=4(3200|319\d); HttpOnly; SameSite=Strict$/,
    );
    expect(validators.faults({ $ref: '#/components/schemas/Session' }, started.body)).toEqual([]);
    expect(started.body).toEqual({
      user: {
        id: expect.any(Number) as number,
        username: user.credentials.user,
        is_admin: false,
        is_root: false,
        roles: ['hosts:write'],
      },
      project: { id: admin.projectId, name },
      projects: [{ id: admin.projectId, name }],
      method: 'api-key',
      created_at: expect.any(String) as string,
      expires_at: expect.any(String) as string,
      idle_expires_at: expect.any(String) as string,
    });
    const { created_at, expires_at, idle_expires_at } = sessionOf(started);
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(12 * HOUR);
    expect(Date.parse(idle_expires_at) - Date.parse(created_at)).toBe(HOUR);
  });

  it('authenticate reads and writes like the key, in every process', async () => {
    const browser = await Browser.signIn(admin);
    expect((await browser.get('/v1/session')).status).toBe(200);
    const created = await browser.send('POST', '/v1/regions', { name: 'north' });
    expect(created.status).toBe(201);
    expect((await browser.at(second.url).get('/v1/regions')).body).toMatchObject([{ name: 'north' }]);
    const whoami = (await browser.get('/v1/whoami')).body;
    expect(whoami).toEqual((await admin.get('/v1/whoami').expect(200)).body);
    const [change] = (await admin.get('/v1/changes?sort_dir=desc&limit=1')).body as [Record<string, unknown>];
    expect(change).toMatchObject({ actor: { username: 'admin' } });
  });

  it('have the rights of the user, not more', async () => {
    const browser = await Browser.signIn(await admin.user());
    expect((await browser.send('POST', '/v1/regions', { name: 'x' })).status).toBe(403);
    expect((await browser.get('/v1/projects')).status).toBe(403);
  });

  it('are not started by anything but an API key in the headers', async () => {
    const browser = await Browser.signIn(admin);
    expect((await browser.send('POST', '/v1/session')).status).toBe(403);
    expect((await sendRaw(`${app.url}/v1/session`, { method: 'POST' })).status).toBe(401);
    expect((await start(admin.as({ ...admin.credentials, user: 'other' }))).status).toBe(401);
    const bearer = { method: 'POST', headers: { Authorization: `Bearer ${admin.credentials.token}` } };
    expect((await sendRaw(`${app.url}/v1/session`, bearer)).status).toBe(201);
  });

  it('have no dry run', async () => {
    const browser = await Browser.signIn(admin);
    for (const method of ['PUT', 'DELETE']) {
      const response = await browser.send(method, '/v1/session?dry_run=true', {
        project_id: admin.projectId,
      });
      expect([method, response.status]).toEqual([method, 400]);
    }
    expect((await admin.post('/v1/session?dry_run=true')).status).toBe(400);
    expect((await browser.get('/v1/session')).status).toBe(200);
  });

  it('are absent for callers with headers', async () => {
    await admin.get('/v1/session').expect(404);
    await admin.delete('/v1/session').expect(404);
    await admin.put('/v1/session', { project_id: admin.projectId }).expect(404);
  });

  it('are ignored if the request has credentials in its headers, also wrong ones', async () => {
    const browser = await Browser.signIn(admin);
    const user = await admin.user();
    const other = await browser.get('/v1/whoami', authHeaders(user.credentials));
    expect(other.body).toMatchObject({ username: user.credentials.user });
    const { token, user: username, project } = admin.credentials;
    // The project alone identifies nobody.
    expect((await browser.get('/v1/regions', { 'X-Auth-Project': project })).status).toBe(200);
    expect((await new Browser(app.url).get('/v1/regions', { 'X-Auth-Project': project })).status).toBe(401);
    for (const headers of [
      { 'X-Auth-Token': `${token}x`, 'X-Auth-User': username, 'X-Auth-Project': project },
      { 'X-Auth-User': username },
      { Authorization: 'Bearer nonsense' },
      { Authorization: 'Bearer' },
    ])
      expect([headers, (await browser.get('/v1/regions', headers)).status]).toEqual([headers, 401]);
    // Other schemes are for proxies.
    expect((await browser.get('/v1/regions', { Authorization: 'Basic eDp5' })).status).toBe(200);
  });

  describe('a write with the cookie', () => {
    let browser: Browser;
    beforeEach(async () => {
      browser = await Browser.signIn(admin);
    });
    const write = (headers: Readonly<Record<string, string>>) =>
      browser.send('POST', '/v1/regions', { name: aName('region') }, headers);

    it.each([
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { 'Sec-Fetch-Site': 'none' },
      { 'Sec-Fetch-Site': 'same-origin, cross-site' },
      { Origin: 'https://attacker.example' },
      { Origin: 'null' },
      {},
    ])('is rejected with %j', async (headers: Readonly<Record<string, string>>) => {
      const response = await write(headers);
      expect(response).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      expect((await browser.get('/v1/regions')).body).toEqual([]);
    });

    it('is rejected if only Origin is right, but the browser says that the page is another one', async () => {
      expect((await write({ 'Sec-Fetch-Site': 'cross-site', Origin: app.url })).status).toBe(403);
    });

    it('is accepted from a page of the service', async () => {
      expect((await write({ 'Sec-Fetch-Site': 'same-origin' })).status).toBe(201);
      expect((await write({ Origin: app.url })).status).toBe(201);
    });

    it('cannot end or move the session from another page', async () => {
      const headers = { 'Sec-Fetch-Site': 'cross-site' };
      expect((await browser.send('DELETE', '/v1/session', undefined, headers)).status).toBe(403);
      const body = { project_id: admin.projectId };
      expect((await browser.send('PUT', '/v1/session', body, headers)).status).toBe(403);
      expect((await browser.get('/v1/session')).status).toBe(200);
    });

    it('needs no proof to be rejected: without a valid session, it is not authenticated', async () => {
      await browser.at(app.url).send('DELETE', '/v1/session');
      expect((await write({})).status).toBe(401);
    });
  });

  describe('are for the project that the sender shows', () => {
    let browser: Browser;
    let other: Caller;
    beforeEach(async () => {
      browser = await Browser.signIn(app.root);
      other = await app.project();
      expect((await browser.send('PUT', '/v1/session', { project_id: admin.projectId })).status).toBe(200);
    });

    const SAME_ORIGIN = { 'Sec-Fetch-Site': 'same-origin' };
    const from = (project: string) => ({ ...SAME_ORIGIN, 'X-Auth-Project': project });

    const regionsOf = async ({ projectId }: Caller) =>
      (await app.root.get(`/v1/regions?project_id=${projectId}`).expect(200)).body as { name: string }[];

    /** One request of each kind of write. */
    const writes = (id: number): [method: string, path: string, body?: unknown][] => [
      ['POST', '/v1/regions?dry_run=true', { name: 'new' }],
      ['POST', '/v1/regions', { name: 'new' }],
      ['PUT', '/v1/regions/variables?name=shared', { variables: { a: 1 } }],
      ['PUT', `/v1/regions/${String(id)}/variables/a`, { value: 1 }],
      ['PUT', `/v1/regions/${String(id)}`, { name: 'renamed' }],
      ['DELETE', `/v1/regions/${String(id)}`],
    ];

    it('so it lands there, whichever project another tab has entered since', async () => {
      const { id } = await admin.region({ name: 'shared' });
      await other.region({ name: 'shared' });
      const before = await regionsOf(other);
      expect((await browser.send('PUT', '/v1/session', { project_id: other.projectId })).status).toBe(200);
      for (const [method, path, body] of writes(id)) {
        const response = await browser.send(method, path, body, from(admin.projectId));
        expect([method, path, response.status < 300 || response.text]).toEqual([method, path, true]);
      }
      expect((await regionsOf(admin)).map(({ name }) => name)).toEqual(['new']);
      expect(await regionsOf(other)).toEqual(before);
    });

    it('so a request for a project that the session cannot enter is 409, and nothing happens', async () => {
      const { id } = await admin.region({ name: 'shared' });
      const before = await regionsOf(admin);
      const own = await Browser.signIn(await other.user({ roles: ['*:write'] }));
      const absent = '00000000-0000-4000-8000-000000000000';
      const requests = [...writes(id), ['GET', '/v1/regions'] as const];
      for (const [sender, project] of [
        [own, admin.projectId],
        [browser, absent],
      ] as const)
        for (const [method, path, body] of requests)
          expect([method, path, await sender.send(method, path, body, from(project))]).toMatchObject([
            method,
            path,
            {
              status: 409,
              body: {
                code: 'conflict',
                details: [
                  {
                    field: 'X-Auth-Project',
                    code: 'inconsistent',
                    message: `the session cannot enter the project ${project}`,
                  },
                ],
              },
            },
          ]);
      expect(await regionsOf(admin)).toEqual(before);
      expect(await regionsOf(other)).toEqual([]);
    });

    it('so a write that names no project is 400, and nothing happens', async () => {
      const { id } = await admin.region({ name: 'shared' });
      const before = await regionsOf(admin);
      for (const [method, path, body] of writes(id)) {
        const response = await browser.send(method, path, body, {
          ...SAME_ORIGIN,
          'X-Auth-Project': undefined,
        });
        expect([method, path, response]).toMatchObject([
          method,
          path,
          { status: 400, body: { code: 'invalid_request', details: [{ field: 'X-Auth-Project' }] } },
        ]);
      }
      for (const project of ['', 'fleet', `${admin.projectId}x`, `${admin.projectId}, ${admin.projectId}`])
        expect([
          project,
          (await browser.send('POST', '/v1/regions', { name: 'x' }, from(project))).status,
        ]).toEqual([project, 400]);
      expect(await regionsOf(admin)).toEqual(before);
    });

    it('so a read is of that project, and one that names none is of the project that the session has entered', async () => {
      await admin.region({ name: 'here' });
      await other.region({ name: 'there' });
      const read = async (project: string) =>
        (await browser.get(`/v1/regions?project_id=${other.projectId}`, from(project))).body;
      expect(await read(other.projectId)).toMatchObject([{ name: 'there' }]);
      for (const { projectId } of [admin, other])
        for (const spelling of [projectId.toUpperCase(), projectId.replaceAll('-', '')])
          expect((await browser.get('/v1/whoami', from(spelling))).body).toMatchObject({
            project_id: projectId,
          });
      expect((await browser.get('/v1/whoami')).body).toMatchObject({ project_id: admin.projectId });
    });

    it('which the session shows, enters and leaves', async () => {
      const headers = from(other.projectId);
      expect(sessionOf(await browser.get('/v1/session', headers)).project.id).toBe(other.projectId);
      const absent = from('00000000-0000-4000-8000-000000000000');
      expect(sessionOf(await browser.get('/v1/session', absent)).project.id).toBe(admin.projectId);
      const entered = await browser.send('PUT', '/v1/session', { project_id: admin.projectId }, headers);
      expect(entered.status).toBe(200);
      expect((await browser.send('DELETE', '/v1/session', undefined, headers)).status).toBe(204);
    });
  });

  describe('end', () => {
    it('at once when they are deleted, soon in other processes, and no other session does', async () => {
      const [browser, other] = [await Browser.signIn(admin), await Browser.signIn(admin)];
      const copies = [browser.at(app.url), browser.at(second.url)] as const;
      expect((await copies[1].get('/v1/regions')).status).toBe(200);
      const response = await browser.send('DELETE', '/v1/session');
      expect(response.status).toBe(204);
      expect(response.headers['set-cookie']).toBe('muster=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict');
      expect((await copies[0].get('/v1/regions')).status).toBe(401);
      await becomes401('the session', copies[1]);
      expect((await other.get('/v1/regions')).status).toBe(200);
    });

    it('when the browser starts another one', async () => {
      const browser = await Browser.signIn(admin);
      const former = browser.at(app.url);
      const replaced = await start(admin, { Cookie: browser.cookie });
      expect(replaced.status).toBe(201);
      expect((await former.get('/v1/regions')).status).toBe(401);
    });

    it('beyond twenty of a user: the one that was not used for the longest time', async () => {
      const user = await admin.user();
      const first = await Browser.signIn(user);
      const others = await Promise.all(Array.from({ length: 20 }, () => Browser.signIn(user)));
      await becomes401('the first session', first);
      for (const other of others) expect((await other.get('/v1/regions')).status).toBe(200);
    });

    it('when their key is revoked', async () => {
      const user = await admin.user();
      const browser = await Browser.signIn(user);
      const elsewhere = browser.at(second.url);
      expect((await elsewhere.get('/v1/regions')).status).toBe(200);
      const { id } = sessionOf(await browser.get('/v1/session')).user;
      await admin.post(`/v1/users/${String(id)}/api-key`).expect(201);
      expect((await browser.get('/v1/regions')).status).toBe(401);
      await becomes401('the session', elsewhere);
    });

    it('when their user is deleted', async () => {
      const browser = await Browser.signIn(await admin.user());
      const elsewhere = browser.at(second.url);
      expect((await elsewhere.get('/v1/regions')).status).toBe(200);
      const { id } = sessionOf(await browser.get('/v1/session')).user;
      await admin.delete(`/v1/users/${String(id)}`).expect(204);
      expect((await browser.get('/v1/regions')).status).toBe(401);
      await becomes401('the session', elsewhere);
      expect(await database.rows('SELECT FROM sessions WHERE user_id = $1', [id])).toEqual([]);
    });

    it('when the row of their key is deleted', async () => {
      const browser = await Browser.signIn(await admin.user());
      const { id } = sessionOf(await browser.get('/v1/session')).user;
      await database.rows('DELETE FROM api_keys WHERE user_id = $1', [id]);
      await becomes401('the session', browser);
    });

    it('when the creation of their user is reverted', async () => {
      const user = await admin.user();
      const [change] = (await admin.get('/v1/changes?sort_dir=desc&limit=1')).body as [{ id: number }];
      const browser = await Browser.signIn(user);
      await admin.post(`/v1/changes/${String(change.id)}/revert`, {}).expect(201);
      expect((await browser.get('/v1/regions')).status).toBe(401);
    });

    it('with their key', async () => {
      const { user_id } = (await admin.get('/v1/whoami')).body as { user_id: number };
      const expires_at = new Date(Date.now() + HOUR).toISOString().slice(0, 19);
      const { api_key: token } = (
        await admin.post(`/v1/users/${String(user_id)}/api-keys`, { expires_at }).expect(201)
      ).body as { api_key: string };
      const started = await start(admin.as({ ...admin.credentials, token }));
      expect(sessionOf(started).expires_at).toBe(`${expires_at}.000000`);
    });

    it.each([
      ['the longest time since the sign-in', 'expires_at = now()'],
      ['the idle time', "used_at = now() - interval '61 minutes'"],
    ])('after %s', async (_, change) => {
      const browser = await Browser.signIn(await admin.user());
      const { user } = sessionOf(await browser.get('/v1/session'));
      await database.rows(`UPDATE sessions SET ${change} WHERE user_id = $1`, [user.id]);
      await becomes401('the session', browser);
    });

    it('and are deleted when they have expired, with the next sign-in to the project', async () => {
      const user = await admin.user();
      await Browser.signIn(user);
      const count = async () =>
        (await database.rows('SELECT FROM sessions WHERE project_id = $1', [admin.projectId])).length;
      await database.rows('UPDATE sessions SET expires_at = now() WHERE project_id = $1', [admin.projectId]);
      expect(await count()).toBe(1);
      await Browser.signIn(user);
      await Browser.signIn(user);
      expect(await count()).toBe(2);
    });
  });

  it('are postponed by use, once a minute', async () => {
    const browser = await Browser.signIn(await admin.user());
    const { user } = sessionOf(await browser.get('/v1/session'));
    const usedAt = async () =>
      (
        await database.rows<{ at: string }>('SELECT used_at::text AS at FROM sessions WHERE user_id = $1', [
          user.id,
        ])
      )[0]?.at;
    const set = (ago: string) =>
      database.rows('UPDATE sessions SET used_at = now() - $2::interval WHERE user_id = $1', [user.id, ago]);
    await set('50 seconds');
    const recent = await usedAt();
    // Another process reads the session at its first request.
    expect((await browser.at(second.url).get('/v1/regions')).status).toBe(200);
    expect(await usedAt()).toBe(recent);
    await set('59 minutes');
    const old = await usedAt();
    await until('the use is stored', MAX_SECONDS, async () => {
      expect((await browser.at(second.url).get('/v1/regions')).status).toBe(200);
      return (await usedAt()) !== old;
    });
  });

  describe('enter another project', () => {
    it('of all projects, for root', async () => {
      const browser = await Browser.signIn(app.root);
      const before = browser.at(app.url);
      const response = await browser.send('PUT', '/v1/session', { project_id: admin.projectId });
      expect(response.status).toBe(200);
      expect(sessionOf(response)).toMatchObject({ project: { id: admin.projectId, name } });
      expect(sessionOf(response).projects.length).toBeGreaterThan(1);
      expect((await browser.send('POST', '/v1/regions', { name: 'here' })).status).toBe(201);
      expect((await admin.get('/v1/regions')).body).toMatchObject([{ name: 'here' }]);
      const ends = (value: HttpResponse) => sessionOf(value).expires_at;
      expect(ends(await browser.get('/v1/session'))).toBe(ends(response));
      // The former cookie cannot be used for the former project.
      expect((await before.get('/v1/regions')).status).toBe(401);
    });

    it('at once in every process', async () => {
      const browser = await Browser.signIn(app.root);
      expect((await browser.at(second.url).get('/v1/whoami')).status).toBe(200);
      await browser.send('PUT', '/v1/session', { project_id: admin.projectId });
      expect((await browser.at(second.url).get('/v1/whoami')).body).toMatchObject({
        project_id: admin.projectId,
      });
    });

    it('but only projects that the user may enter', async () => {
      const browser = await Browser.signIn(await admin.user());
      const { projectId } = await app.project();
      const status = async (project_id: unknown) =>
        (await browser.send('PUT', '/v1/session', { project_id })).status;
      expect(await status(projectId)).toBe(404);
      expect(await status('00000000-0000-4000-8000-000000000000')).toBe(404);
      expect(await status('nonsense')).toBe(400);
      expect(await status(7)).toBe(400);
      expect(await status(admin.projectId)).toBe(200);
      expect((await browser.get('/v1/session')).status).toBe(200);
    });
  });

  it('reject malformed and unknown cookies', async () => {
    const browser = await Browser.signIn(admin);
    const [, value = ''] = browser.cookie.split('=');
    for (const cookie of [
      'muster=',
      'muster=nonsense',
      `muster=${value}x`,
      `muster=${value.slice(0, -1)}${value.endsWith('A') ? 'B' : 'A'}`,
      `muster=${'0'.repeat(32)}${value.slice(32)}`,
      `__Host-muster=${value}`,
      `other=${value}`,
      `muster="${value}"`,
    ]) {
      const response = await sendRaw(`${app.url}/v1/regions`, { headers: { Cookie: cookie } });
      expect([cookie, response.status]).toEqual([cookie, 401]);
      expect(response.headers['www-authenticate']).toBe('Bearer realm="muster"');
    }
    const among = { Cookie: `a=b; ${browser.cookie}; c` };
    expect((await sendRaw(`${app.url}/v1/regions`, { headers: among })).status).toBe(200);
  });

  it('are stored as hashes, and neither they nor their cookies are logged', async () => {
    const browser = await Browser.signIn(new Caller(second.url, admin.credentials));
    const [, secret = ''] = browser.cookie.split('.');
    await browser.get('/v1/regions');
    const rejected = await sendRaw(`${second.url}/v1/regions`, { headers: { Cookie: `${browser.cookie}x` } });
    expect(await second.logLineOf(String(rejected.headers['x-request-id']))).toMatchObject({
      event: 'authentication refused',
      reason: 'unknown session',
    });
    expect(second.program.lines.join('\n')).not.toContain(secret);
    const rows = await database.rows<{ row: string }>(
      'SELECT s::text AS row FROM sessions s WHERE project_id = $1',
      [admin.projectId],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.row).not.toContain(Buffer.from(secret, 'base64url').toString('hex'));
    expect(rows[0]?.row).not.toContain(secret);
  });

  it('use a cookie that only TLS carries, if the service is reached with TLS', async () => {
    const { url } = sharedPeer();
    const browser = new Browser(url);
    const started = await browser.send('POST', '/v1/session', undefined, authHeaders(admin.credentials));
    expect(started.headers['set-cookie']).toMatch(/^__Host-muster=\S+; Path=\/; .*; Secure$/);
    expect((await browser.get('/v1/session')).status).toBe(200);
    const [, value = ''] = browser.cookie.split('=');
    const plain = await sendRaw(`${url}/v1/session`, { headers: { Cookie: `muster=${value}` } });
    expect(plain.status).toBe(401);
    const origin = async (text: string) =>
      (await browser.send('POST', '/v1/regions', { name: aName('region') }, { Origin: text })).status;
    expect(await origin(url)).toBe(403);
    expect(await origin('https://muster.example')).toBe(201);
  });

  it('can be offered by a sign-in page', async () => {
    expect((await sendRaw(`${app.url}/v1/sign-in`)).body).toEqual({
      methods: ['api-key'],
      oidc_name: null,
      oidc: null,
    });
  });
});
