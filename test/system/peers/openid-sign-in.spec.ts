import { startService, type OwnService } from '../../support/service';
import { aName, type Caller, type Resource } from '../../support/caller';
import { Browser } from '../../support/browser';
import { describeWithPeers } from '../../support/external-programs';
import { sendRaw, type HttpResponse } from '../../support/http-exchange';
import { AUDIENCE, makeSigningKey, makeToken, OpenIdProvider } from '../../support/openid-provider';
import { OpenIdUser, type PageResponse } from '../../support/openid-user';
import { until } from '../../support/until';

jest.setTimeout(120_000);

const START = '/v1/session/oidc';
const CALLBACK = '/v1/session/oidc/callback';

interface Session {
  readonly user: { readonly id: number; readonly username: string; readonly roles: readonly string[] };
  readonly project: { readonly id: string; readonly name: string };
  readonly projects: readonly { readonly id: string; readonly name: string }[];
}

const ROLES = JSON.stringify({
  netops: { fleet: ['network-devices:write', 'ntp_*'], lab: ['admin'] },
  readers: { fleet: [] },
  platform: { fleet: ['root'] },
  misspelled: { 'no-such-project': ['admin'] },
});

describeWithPeers('signing in at a real OpenID provider', ['openssl'], () => {
  let provider: OpenIdProvider;
  let app: OwnService;
  let fleet: Caller;
  let lab: Caller;
  const accounts: Record<string, Record<string, unknown>> = {};
  beforeAll(async () => {
    provider = await OpenIdProvider.start();
    app = await startService({
      ...provider.settings,
      LOG_LEVEL: 'trace',
      OIDC_ROLES: ROLES,
      OIDC_NAME: 'Test',
    });
    fleet = await app.project('fleet');
    lab = await app.project('lab');
  });
  afterAll(async () => {
    await app.stop();
    await provider.close();
  });

  /** A user of the provider, in a new browser. */
  function userWith(claims: Record<string, unknown>, subject = aName('sub')): OpenIdUser {
    accounts[subject] = claims;
    provider.setAccounts(accounts);
    return new OpenIdUser(provider, subject);
  }

  /** Signs in. @returns the browser with the session */
  async function signIn(user: OpenIdUser): Promise<Browser> {
    const response = await user.open(`${app.url}${START}?return_to=/v1/session`);
    expect([response.status, response.url.pathname]).toEqual([200, '/v1/session']);
    return new Browser(app.url, user.cookieOf(app.url));
  }

  /** The headers of a tab that shows the other project. */
  const inLab = () => ({ 'Sec-Fetch-Site': 'same-origin', 'X-Auth-Project': lab.projectId });

  const sessionIn = async (browser: Browser): Promise<Session> =>
    (await browser.get('/v1/session')).body as Session;

  /** Goes to the provider and back, but does not open the callback. */
  async function untilCallback(user: OpenIdUser, alter: (url: URL) => void = () => undefined): Promise<URL> {
    const start = await user.send(new URL(START, app.url));
    if (!start.location) throw new Error(start.text);
    alter(start.location);
    const { location } = await user.open(start.location, CALLBACK);
    if (!location) throw new Error('the provider did not send the browser back');
    return location;
  }

  const errorOf = ({ status, location }: PageResponse): string | undefined =>
    status === 302 && location?.href.startsWith(`${app.url}/sign-in?error=`)
      ? (location.searchParams.get('error') ?? undefined)
      : undefined;

  describe('starts a session', () => {
    it('with the roles that the claim maps to, in the first of the projects by name', async () => {
      const browser = await signIn(userWith({ preferred_username: 'ann', groups: ['netops', 'others'] }));
      expect(await sessionIn(browser)).toMatchObject({
        user: { username: 'ann', is_admin: false, is_root: false, roles: ['network-devices:write', 'ntp_*'] },
        project: { id: fleet.projectId, name: 'fleet' },
        projects: [{ name: 'fleet' }, { name: 'lab' }],
        method: 'oidc',
      });
      expect((await browser.send('POST', '/v1/regions', { name: 'x' })).status).toBe(403);
      expect((await browser.get('/v1/whoami')).body).toMatchObject({ username: 'ann', key_id: null });
    });

    it('of a user that is made at the first sign-in, without roles or keys of its own', async () => {
      const user = userWith({ preferred_username: aName('new'), groups: ['netops'] });
      const first = await sessionIn(await signIn(user));
      const again = await sessionIn(await signIn(new OpenIdUser(provider, user.subject)));
      expect(again.user).toEqual(first.user);
      const path = `/v1/users/${String(first.user.id)}`;
      expect((await fleet.get(path).expect(200)).body).toMatchObject({
        username: first.user.username,
        is_admin: false,
        roles: [],
      });
      expect((await fleet.get(`${path}/changes`)).body).toMatchObject([
        { actor: { username: 'oidc' }, reason: 'First token of this user' },
      ]);
      for (const [method, where, body] of [
        ['post', `${path}/api-key`, {}],
        ['put', path, { roles: ['*:write'] }],
        ['put', path, { is_admin: true }],
      ] as const)
        expect((await fleet.send(method, where, body)).body).toMatchObject({
          code: 'conflict',
          message: expect.stringContaining('comes from the OpenID provider') as string,
        });
    });

    it('under a name that is free, and that follows the provider', async () => {
      const taken = aName('taken');
      await fleet.user({ username: taken });
      const user = userWith({ preferred_username: taken, groups: ['readers'] });
      const first = await sessionIn(await signIn(user));
      expect(first.user.username).toBe(`${taken}@${user.subject}`);
      const renamed = aName('renamed');
      userWith({ preferred_username: renamed, groups: ['readers'] }, user.subject);
      const second = await sessionIn(await signIn(new OpenIdUser(provider, user.subject)));
      expect(second.user).toMatchObject({ id: first.user.id, username: renamed });
    });

    it('of a user without a name, or with one that cannot be a name', async () => {
      for (const preferred_username of [undefined, '', ' ', 'a\u0000b', 'line\nbreak', 7, 'x'.repeat(300)]) {
        const user = userWith({ preferred_username, groups: ['readers'] });
        const { username } = (await sessionIn(await signIn(user))).user;
        expect(username).toBe(user.subject);
      }
    });

    it('whose roles change with the claim at the next sign-in', async () => {
      const user = userWith({ preferred_username: aName('moved'), groups: ['readers'] });
      const before = await signIn(user);
      userWith({ preferred_username: aName('moved'), groups: ['netops'] }, user.subject);
      const after = await signIn(new OpenIdUser(provider, user.subject));
      expect((await sessionIn(before)).user.roles).toEqual([]);
      expect((await sessionIn(after)).user.roles).toEqual(['network-devices:write', 'ntp_*']);
      userWith({ preferred_username: aName('moved'), groups: [] }, user.subject);
      const denied = await new OpenIdUser(provider, user.subject).open(`${app.url}${START}`, '/sign-in');
      expect(errorOf(denied)).toBe('no_access');
    });

    it('from which the other granted projects can be entered, with the roles there', async () => {
      const browser = await signIn(userWith({ preferred_username: aName('two'), groups: ['netops'] }));
      const { projects } = await sessionIn(browser);
      // A tab that shows another project works in it, without entering it.
      const write = (headers?: Readonly<Record<string, string | undefined>>) =>
        browser.send('POST', '/v1/regions', { name: aName('region') }, headers);
      expect([(await write()).status, (await write(inLab())).status]).toEqual([403, 201]);
      const { body } = await browser.send('PUT', '/v1/session', { project_id: lab.projectId });
      expect(body).toMatchObject({ project: { name: 'lab' }, user: { is_admin: true, roles: [] }, projects });
      expect((await browser.send('POST', '/v1/regions', { name: aName('region') })).status).toBe(201);
      const { id } = await fleet.region({ name: aName('region'), variables: { ntp_a: 1, secret: 2 } });
      const settings = { private: ['ntp_a', 'secret'] };
      await fleet.put(`/v1/projects/${fleet.projectId}/settings`, settings).expect(200);
      // The role ntp_* is one of fleet. In lab, the user is an admin.
      const shown = await browser.get(`/v1/regions/${String(id)}`, { 'X-Auth-Project': fleet.projectId });
      expect(shown.body).toHaveProperty('variables', { ntp_a: 1 });
      const back = await browser.send('PUT', '/v1/session', { project_id: fleet.projectId });
      expect(back.body).toMatchObject({
        user: { is_admin: false, roles: ['network-devices:write', 'ntp_*'] },
      });
      const { projectId } = await app.project();
      expect((await browser.send('PUT', '/v1/session', { project_id: projectId })).status).toBe(404);
    });

    it('of a root user, who can enter every project', async () => {
      const browser = await signIn(userWith({ preferred_username: aName('boss'), groups: ['platform'] }));
      const { projectId } = await app.project();
      const entered = await browser.send('PUT', '/v1/session', { project_id: projectId });
      expect(entered).toMatchObject({ status: 200, body: { user: { is_root: true } } });
      expect((await browser.get('/v1/projects')).status).toBe(200);
    });

    it('that ends when its user is deleted; the next sign-in makes the user again', async () => {
      const user = userWith({ preferred_username: aName('gone'), groups: ['readers'] });
      const browser = await signIn(user);
      const { id } = (await sessionIn(browser)).user;
      await fleet.delete(`/v1/users/${String(id)}`).expect(204);
      expect((await browser.get('/v1/regions')).status).toBe(401);
      const [change] = (await fleet.get('/v1/changes?sort_dir=desc&limit=1')).body as [Resource];
      const revert = await fleet.post(`/v1/changes/${String(change.id)}/revert`, {}).expect(409);
      expect((revert.body as { message: string }).message).toContain('came from the OpenID provider');
      expect((await sessionIn(await signIn(new OpenIdUser(provider, user.subject)))).user.id).not.toBe(id);
    });

    it('that entering a project does not renew: a deleted user stays deleted', async () => {
      const username = aName('removed');
      const user = userWith({ preferred_username: username, groups: ['netops'] });
      const browser = await signIn(user);
      const other = await signIn(new OpenIdUser(provider, user.subject));
      const entered = await browser.send('PUT', '/v1/session', { project_id: lab.projectId });
      const { id } = (entered.body as Session).user;
      const rootInLab = app.root.in(lab.projectId);
      await rootInLab.delete(`/v1/users/${String(id)}`).expect(204);
      // The user can enter the project from any session, so all of them end.
      for (const session of [browser, other]) {
        expect((await session.send('PUT', '/v1/session', { project_id: lab.projectId })).status).toBe(401);
        expect((await session.get('/v1/regions')).status).toBe(401);
      }
      const left = await app.root.get(`/v1/users?username=${username}&project_id=${lab.projectId}`);
      expect([left.status, left.body]).toEqual([200, []]);
    });

    it('whose roles follow the mapping of the claim, not the one of the sign-in', async () => {
      const browser = await signIn(userWith({ groups: ['platform', 'netops'] }));
      expect((await browser.get('/v1/projects')).status).toBe(200);
      const roles = JSON.stringify({ platform: { fleet: ['ntp_*'] }, netops: { lab: [] } });
      const changed = await app.startPeer({ ...provider.settings, OIDC_ROLES: roles, RATE_LIMIT: '100' });
      try {
        const limit = async (headers = {}) =>
          (await browser.at(changed.url).get('/v1/regions', headers)).headers['ratelimit'];
        // The user has one limit in both projects.
        expect(`${String(await limit())} ${String(await limit(inLab()))}`).toMatch(/r=999;.*r=998;/);
        expect((await sessionIn(browser.at(changed.url))).user.roles).toEqual(['ntp_*']);
        expect((await browser.at(changed.url).get('/v1/projects')).status).toBe(403);
        // The mapping has no role any more in the project that this session has entered.
        const other = (await signIn(userWith({ groups: ['netops'] }))).at(changed.url);
        expect((await other.get('/v1/regions')).status).toBe(401);
        expect((await other.get('/v1/regions', inLab())).status).toBe(200);
      } finally {
        await changed.stop();
      }
    });

    it('that replaces the former one of the browser', async () => {
      const user = userWith({ preferred_username: aName('twice'), groups: ['readers'] });
      const former = await signIn(user);
      await signIn(user);
      expect((await former.get('/v1/regions')).status).toBe(401);
    });

    it('in a project that requires reasons for changes', async () => {
      const settings = { change_reason: { required: true, pattern: null } };
      await fleet.put(`/v1/projects/${fleet.projectId}/settings`, settings).expect(200);
      await signIn(userWith({ preferred_username: aName('silent'), groups: ['readers'] }));
      const reason = { 'X-Change-Reason': 'done' };
      await fleet
        .put(`/v1/projects/${fleet.projectId}/settings`, { change_reason: null }, reason)
        .expect(200);
    });
  });

  describe('is refused', () => {
    it('to a user whose claim maps to nothing, or only to a project that does not exist', async () => {
      for (const groups of [[], ['others'], undefined, 7, [7, null], ['misspelled'], ['__proto__']]) {
        const user = userWith({ preferred_username: aName('nobody'), groups });
        expect(errorOf(await user.open(`${app.url}${START}`, '/sign-in'))).toBe('no_access');
        expect(user.cookieOf(app.url)).not.toMatch(/(^|; )muster=/);
      }
      await app.program.line((line) => /do not exist: no-such-project/.exec(line)?.[0], 'the project');
    });

    it('with a wrong state', async () => {
      const user = userWith({ groups: ['readers'] });
      const callback = await untilCallback(user);
      callback.searchParams.set('state', 'other');
      expect(errorOf(await user.send(callback))).toBe('invalid_response');
    });

    it('with a wrong nonce', async () => {
      const user = userWith({ groups: ['readers'] });
      const callback = await untilCallback(user, (url) => {
        url.searchParams.set('nonce', 'other');
      });
      expect(errorOf(await user.send(callback))).toBe('invalid_response');
    });

    it('with another code challenge', async () => {
      const user = userWith({ groups: ['readers'] });
      const callback = await untilCallback(user, (url) => {
        url.searchParams.set('code_challenge', 'A'.repeat(43));
      });
      expect(errorOf(await user.send(callback))).toBe('invalid_response');
    });

    it('with a code that was used', async () => {
      const user = userWith({ groups: ['readers'] });
      const callback = await untilCallback(user);
      const cookie = user.cookieOf(app.url);
      expect((await user.send(callback)).location?.pathname).toBe('/');
      // The browser has dropped the state of the sign-in.
      expect(user.cookieOf(app.url)).toMatch(/^muster=/);
      expect(errorOf(await user.send(callback))).toBe('expired');
      const replayed = await sendRaw(callback.href, { headers: { Cookie: cookie } });
      expect(replayed).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    });

    it('with the code of another user, or in another browser', async () => {
      const [victim, attacker] = [userWith({ groups: ['readers'] }), userWith({ groups: ['readers'] })];
      const [own, foreign] = [await untilCallback(victim), await untilCallback(attacker)];
      expect(errorOf(await new OpenIdUser(provider, 'none').send(own))).toBe('expired');
      expect(errorOf(await victim.send(foreign))).toBe('invalid_response');
      own.searchParams.set('code', foreign.searchParams.get('code') ?? '');
      expect(errorOf(await victim.send(own))).toBe('invalid_response');
    });

    it('with a forged state', async () => {
      const user = userWith({ groups: ['readers'] });
      const callback = await untilCallback(user);
      const [, value = ''] = user.cookieOf(app.url).split('=');
      for (const cookie of [
        '',
        'x',
        value.slice(1),
        `${value.slice(0, -2)}AA`,
        value.slice(0, 20),
        'A'.repeat(200),
      ]) {
        const headers = { Cookie: `muster-sign-in=${cookie}` };
        expect((await sendRaw(callback.href, { headers })).status).toBe(401);
      }
      expect((await user.send(callback)).location?.pathname).toBe('/');
    });

    it('if the user cancels it', async () => {
      const user = userWith({ groups: ['readers'] });
      const start = await user.send(new URL(START, app.url));
      const callback = new URL(CALLBACK, app.url);
      const { searchParams } = callback;
      searchParams.set('error', 'access_denied');
      searchParams.set('state', start.location?.searchParams.get('state') ?? '');
      searchParams.set('iss', provider.issuer);
      expect(errorOf(await user.send(callback))).toBe('access_denied');
    });

    it('by an error that programs can read, and a log line without secrets', async () => {
      const response = await sendRaw(`${app.url}${CALLBACK}?code=a-secret-code&state=x`);
      expect(response).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
      expect(await app.logLineOf(String(response.headers['x-request-id']))).toMatchObject({
        event: 'authentication refused',
        reason: 'failed sign-in',
        route: CALLBACK,
      });
      expect(app.program.lines.join('\n')).not.toContain('a-secret-code');
    });
  });

  it('returns only to pages of this service', async () => {
    for (const path of [
      '//evil.example',
      '/\\evil.example',
      'https://evil.example',
      'x',
      '/a b',
      '/\n',
      '/ü',
      '',
    ]) {
      const response = await sendRaw(`${app.url}${START}?return_to=${encodeURIComponent(path)}`);
      expect([path, response.status]).toEqual([path, 400]);
    }
    const user = userWith({ groups: ['readers'] });
    const response = await user.open(
      `${app.url}${START}?return_to=${encodeURIComponent('/there?b=c#d')}`,
      '/there',
    );
    expect(response.location?.href).toBe(`${app.url}/there?b=c#d`);
  });

  it('uses cookies that fit the redirects', async () => {
    const user = userWith({ groups: ['readers'] });
    const start = await getRedirect(`${app.url}${START}`);
    expect(start.cookies).toEqual([
      expect.stringMatching(/^muster-sign-in=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/),
    ]);
    const callback = await untilCallback(user);
    const done = await getRedirect(callback.href, user.cookieOf(app.url));
    expect(done.cookies).toEqual([
      expect.stringMatching(/^muster=\S+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/),
      'muster-sign-in=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
    ]);
  });

  it('offers to sign out at the provider', async () => {
    const user = userWith({ groups: ['readers'] });
    const browser = await signIn(user);
    const ended = await browser.send('DELETE', '/v1/session');
    expect(ended.status).toBe(200);
    const url = new URL((ended.body as { sign_out_url: string }).sign_out_url);
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${app.url}/`);
    expect((await browser.get('/v1/regions')).status).toBe(401);
    const asked = await user.send(url);
    expect(asked.status).toBe(200);
    expect(asked.text).toContain('logout');
  });

  it('is described to sign-in pages and programs', async () => {
    expect((await sendRaw(`${app.url}/v1/sign-in`)).body).toEqual({
      methods: ['api-key', 'oidc'],
      oidc_name: 'Test',
      oidc: { issuer: provider.issuer, client_id: 'muster-cli', scope: 'openid profile email' },
    });
  });

  it('reads the user info if the ID token lacks the claim', async () => {
    const user = userWith({ preferred_username: aName('named'), groups: ['netops'] }, aName('thin'));
    expect((await sessionIn(await signIn(user))).user).toMatchObject({
      username: expect.stringMatching(/^named/) as string,
      roles: ['network-devices:write', 'ntp_*'],
    });
  });

  it('accepts a new key of the provider at once', async () => {
    const claims = { groups: ['readers'] };
    await signIn(userWith(claims));
    await provider.stop();
    provider.keys = [makeSigningKey()];
    await provider.start();
    await signIn(userWith(claims));
  });

  it('never logs tokens, codes, cookies or the secret of the client', async () => {
    const user = userWith({ preferred_username: aName('quiet'), groups: ['readers'] });
    const callback = await untilCallback(user);
    await user.send(callback);
    const browser = new Browser(app.url, user.cookieOf(app.url));
    await browser.get('/v1/session');
    const log = app.program.lines.join('\n') + app.program.errorOutput;
    const secrets = [
      callback.searchParams.get('code') ?? '',
      browser.cookie.split('.')[1] ?? '',
      'a secret',
      'eyJ',
    ];
    for (const secret of secrets) {
      expect(secret).not.toBe('');
      expect(log).not.toContain(secret);
    }
  });

  describe('a service below a path, which was started while the provider was unavailable', () => {
    const PUBLIC_URL = 'http://127.0.0.1:1/fleet';
    let own: OwnService;
    let browser: Browser;
    beforeAll(async () => {
      browser = await signIn(userWith({ groups: ['readers'] }));
      await provider.stop();
      own = await app.startPeer({ ...provider.settings, PUBLIC_URL, IDENTITY: 'oidc', OIDC_ROLES: ROLES });
    });
    afterAll(async () => {
      await provider.start();
      await own.stop();
    });

    const bearer = (token: string, method = 'GET', path = '/v1/regions') =>
      sendRaw(own.url + path, { method, headers: { Authorization: `Bearer ${token}` } });

    it('accepts sessions, and answers sign-ins and tokens with 503', async () => {
      expect((await browser.at(own.url).get('/v1/regions')).status).toBe(200);
      unavailable(await sendRaw(`${own.url}${START}`));
      const page = await new OpenIdUser(provider, 'none').send(new URL(START, own.url));
      expect(page.location?.href).toBe(`${PUBLIC_URL}/sign-in?error=provider_unavailable`);
      unavailable(await bearer(makeToken(makeSigningKey(), { sub: 'ann' })));
      expect((await sendRaw(`${own.url}/readyz`)).status).toBe(200);
      expect((await sendRaw(`${own.url}/metrics`)).text).toMatch(/^muster_oidc_unavailable 1$/m);
    });

    it('accepts nothing else with IDENTITY=oidc', async () => {
      expect((await sendRaw(`${own.url}/v1/sign-in`)).body).toMatchObject({ methods: ['oidc'] });
      const { token } = fleet.credentials;
      expect((await bearer(token)).status).toBe(401);
      expect((await bearer(token, 'POST', '/v1/session')).status).toBe(401);
      const withKey = await Browser.signIn(fleet);
      expect((await withKey.at(own.url).get('/v1/regions')).status).toBe(401);
    });

    it('lets users sign in when the provider is available again, and logs both', async () => {
      await provider.start();
      await until('users can sign in again', 20, async () => {
        const response = await getRedirect(`${own.url}${START}`);
        return response.status === 302;
      });
      const exp = Math.floor(Date.now() / 1000) + 600;
      const claims = { iss: provider.issuer, aud: AUDIENCE, sub: aName('sub'), exp, groups: ['readers'] };
      expect((await bearer(makeToken(provider.keys[0]!, claims))).status).toBe(200);
      expect((await sendRaw(`${own.url}/metrics`)).text).toMatch(/^muster_oidc_unavailable 0$/m);
      const linesOf = () => own.program.lines.filter((line) => line.includes('"context":"OpenID Connect"'));
      await until('both are logged', 20, () => Promise.resolve(linesOf().length > 1));
      expect(linesOf().map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
        expect.stringMatching(/^The OpenID provider is not reachable at https:\S+: ECONNREFUSED\. Sessions/),
        'OpenID Connect is available again.',
      ]);
    });

    it('sends users back to a page below its path', async () => {
      const user = userWith({ groups: ['readers'] });
      const start = await user.send(new URL(`${START}?return_to=/devices`, own.url));
      const { location } = await user.open(start.location ?? '', `/fleet${CALLBACK}`);
      expect(location?.href).toMatch(new RegExp(`^${PUBLIC_URL}${CALLBACK}\\?`));
      // The proxy removes its path.
      const end = await user.send(new URL(CALLBACK + String(location?.search), own.url));
      expect(end.location?.href).toBe(`${PUBLIC_URL}/devices`);
    });
  });

  it('is not offered, and its sessions are not valid, without OpenID Connect', async () => {
    const browser = await signIn(userWith({ groups: ['readers'] }));
    const local = await app.startPeer({ IDENTITY: 'local' });
    try {
      expect((await browser.at(local.url).get('/v1/regions')).status).toBe(401);
      expect((await sendRaw(`${local.url}${START}`)).status).toBe(404);
    } finally {
      await local.stop();
    }
  });

  // The last ones: after an outage, the service waits for a second before it sends a request.
  describe('while the provider is unavailable', () => {
    let browser: Browser;
    let callback: URL;
    let waiting: OpenIdUser;
    beforeAll(async () => {
      browser = await signIn(userWith({ preferred_username: aName('early'), groups: ['readers'] }));
      waiting = userWith({ preferred_username: aName('late'), groups: ['readers'] });
      callback = await untilCallback(waiting);
    });
    afterAll(() => provider.start());

    it('a sign-in that does not get an answer ends with a clear page, and 503 for programs', async () => {
      provider.suspend();
      try {
        expect(errorOf(await waiting.send(callback))).toBe('provider_unavailable');
        const cookie = waiting.cookieOf(app.url);
        unavailable(await sendRaw(callback.href, { headers: { Cookie: cookie } }));
      } finally {
        provider.resume();
      }
    });

    it('sessions go on, and nobody can sign in', async () => {
      await provider.stop();
      expect((await browser.get('/v1/session')).status).toBe(200);
      expect(errorOf(await waiting.send(callback))).toBe('provider_unavailable');
      // Its description is known, and a browser is not sent to it.
      expect(errorOf(await waiting.send(new URL(START, app.url)))).toBe('provider_unavailable');
      unavailable(await sendRaw(`${app.url}${START}`));
    });
  });
});

function unavailable(response: HttpResponse): void {
  expect(response).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
}

/** A GET request whose redirect is not followed. */
async function getRedirect(url: string, cookie = ''): Promise<{ status: number; cookies: string[] }> {
  const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
  await response.arrayBuffer();
  return { status: response.status, cookies: response.headers.getSetCookie() };
}
