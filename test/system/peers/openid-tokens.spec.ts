import { createHmac, createPublicKey, randomUUID, type JsonWebKey } from 'node:crypto';
import { startService, type OwnService } from '../../support/service';
import { aName, type Caller } from '../../support/caller';
import { describeWithPeers } from '../../support/external-programs';
import { sendRaw, type HttpResponse } from '../../support/http-exchange';
import { AUDIENCE, makeSigningKey, makeToken, OpenIdProvider } from '../../support/openid-provider';
import { until } from '../../support/until';

jest.setTimeout(120_000);

const ROLES = JSON.stringify({
  netops: { fleet: ['regions:write', 'ntp_*'], lab: ['admin'] },
  readers: { fleet: [] },
  platform: { fleet: ['root'] },
});

describeWithPeers('access tokens of a real OpenID provider', ['openssl'], () => {
  let provider: OpenIdProvider;
  let app: OwnService;
  let fleet: Caller;
  let lab: Caller;
  beforeAll(async () => {
    provider = await OpenIdProvider.start();
    app = await startService({ ...provider.settings, LOG_LEVEL: 'info', OIDC_ROLES: ROLES });
    [fleet, lab] = [await app.project('fleet'), await app.project('lab')];
  });
  afterAll(async () => {
    await app.stop();
    await provider.close();
  });

  const signingKey = (): JsonWebKey => provider.keys[0]!;
  const now = (): number => Math.floor(Date.now() / 1000);

  /** The claims of a valid token. */
  const claims = (more: object = {}) => ({
    iss: provider.issuer,
    aud: AUDIENCE,
    sub: 'ann',
    iat: now(),
    exp: now() + 600,
    preferred_username: 'ann',
    groups: ['readers'],
    ...more,
  });

  const valid = (more: object = {}): string => makeToken(signingKey(), claims(more));

  const send = (token: string, path = '/v1/whoami', headers: Record<string, string> = {}, url = app.url) =>
    sendRaw(url + path, { headers: { Authorization: `Bearer ${token}`, ...headers } });

  const reasonOf = async (response: HttpResponse): Promise<unknown> =>
    (await app.logLineOf(String(response.headers['x-request-id'])))['reason'];

  describe('are accepted', () => {
    it('as a bearer token, and as X-Auth-Token without further headers', async () => {
      const token = valid();
      const whoami = {
        status: 200,
        body: { username: 'ann', project_name: 'fleet', is_admin: false, roles: [], key_id: null },
      };
      expect(await send(token)).toMatchObject(whoami);
      expect(await sendRaw(`${app.url}/v1/whoami`, { headers: { 'X-Auth-Token': token } })).toMatchObject(
        whoami,
      );
    });

    it('with the roles of the claim, for each token separately', async () => {
      const roles = async (groups: unknown) =>
        (
          (await send(valid({ groups }), '/v1/whoami', { 'X-Auth-Project': fleet.projectId })).body as {
            roles: string[];
          }
        ).roles;
      expect(await roles(['netops'])).toEqual(['regions:write', 'ntp_*']);
      expect(await roles(['readers'])).toEqual([]);
    });

    it('for the project that the request names, if there are several', async () => {
      const token = valid({ groups: ['netops'] });
      const inProject = (project: string) => send(token, '/v1/whoami', { 'X-Auth-Project': project });
      expect((await inProject(lab.projectId)).body).toMatchObject({ project_name: 'lab', is_admin: true });
      expect((await inProject(fleet.projectId)).body).toMatchObject({
        project_name: 'fleet',
        is_admin: false,
      });
      const unnamed = await send(token);
      expect(unnamed.status).toBe(401);
      expect((unnamed.body as { message: string }).message).toContain(lab.projectId);
      expect((await inProject((await app.project()).projectId)).status).toBe(401);
    });

    it('of root users for every project', async () => {
      const { projectId } = await app.project();
      const token = valid({ groups: ['platform'] });
      expect((await send(token, '/v1/whoami', { 'X-Auth-Project': projectId })).body).toMatchObject({
        is_root: true,
        project_id: projectId,
      });
      const unknown = { 'X-Auth-Project': randomUUID() };
      expect((await send(token, '/v1/whoami', unknown)).status).toBe(401);
    });

    it('with writes, which need no proof of their origin', async () => {
      const response = await sendRaw(`${app.url}/v1/regions`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${valid({ groups: ['netops'] })}`,
          'X-Auth-Project': fleet.projectId,
          'Content-Type': 'application/json',
        },
        body: JSON.stringify({ name: aName('region') }),
      });
      expect(response.status).toBe(201);
    });

    it('for one of several audiences, and until a few seconds after they expire', async () => {
      expect((await send(valid({ aud: ['other', AUDIENCE] }))).status).toBe(200);
      expect((await send(valid({ exp: now() - 1 }))).status).toBe(200);
    });

    it('if X-Auth-User names the user, and the user keeps its name if the token has none', async () => {
      const user = (name: string) => send(valid(), '/v1/whoami', { 'X-Auth-User': name });
      expect((await user('ann')).status).toBe(200);
      expect((await user('bob')).status).toBe(401);
      const unnamed = await send(valid({ preferred_username: undefined }));
      expect(unnamed.body).toMatchObject({ username: 'ann' });
    });
  });

  describe('are rejected with 401', () => {
    const foreignKey = makeSigningKey();
    const cases: Record<string, [() => string, string]> = {
      'an expired one': [() => valid({ exp: now() - 60 }), 'expired token'],
      'one that is not valid yet': [() => valid({ nbf: now() + 600 }), 'unknown token'],
      'one without an expiry': [() => valid({ exp: undefined }), 'unknown token'],
      'one of another issuer': [() => valid({ iss: 'https://other.example' }), 'unknown token'],
      'one without an issuer': [() => valid({ iss: undefined }), 'unknown token'],
      'one for another audience': [() => valid({ aud: 'other' }), 'unknown token'],
      'one without an audience': [() => valid({ aud: undefined }), 'unknown token'],
      'one without a subject': [() => valid({ sub: undefined }), 'unknown token'],
      'one with a subject that is no text': [() => valid({ sub: 7 }), 'unknown token'],
      'one with a malformed subject': [() => valid({ sub: 'a\u0000b' }), 'unknown token'],
      'one of a foreign key': [() => makeToken(foreignKey, claims()), 'unknown token'],
      'one of a foreign key with the id of a known one': [
        () => makeToken(foreignKey, claims(), { kid: signingKey()['kid'] }),
        'unknown token',
      ],
      'one without a signature': [
        () => makeToken(signingKey(), claims(), { alg: 'none' }).replace(/\.[^.]*$/, '.'),
        'malformed credentials',
      ],
      'one whose algorithm is none': [
        () => makeToken(signingKey(), claims(), { alg: 'none' }),
        'unknown token',
      ],
      'one that is signed with the public key as a secret': [() => hmacToken(), 'unknown token'],
      'one with changed claims': [
        () => {
          const [header, , signature] = valid().split('.');
          const body = Buffer.from(JSON.stringify(claims({ groups: ['platform'] }))).toString('base64url');
          return `${String(header)}.${body}.${String(signature)}`;
        },
        'unknown token',
      ],
      'one with critical extensions': [
        () => makeToken(signingKey(), claims(), { crit: ['x'], x: 1 }),
        'unknown token',
      ],
      'three parts of nonsense': [() => 'a.b.c', 'unknown token'],
      'a token about events, as for a sign-out at the provider': [
        () => valid({ events: { 'http://schemas.openid.net/event/backchannel-logout': {} } }),
        'unknown token',
      ],
      'claims that are no object': [() => makeToken(signingKey(), ['a']), 'unknown token'],
      'no token': [() => 'nonsense', 'malformed credentials'],
    };

    /** A token with a symmetric signature, whose secret is the public key. */
    function hmacToken(): string {
      const pem = createPublicKey({ key: signingKey(), format: 'jwk' }).export({
        type: 'spki',
        format: 'pem',
      });
      const [, body = ''] = valid().split('.');
      const header = Buffer.from(JSON.stringify({ alg: 'HS256', kid: signingKey()['kid'] })).toString(
        'base64url',
      );
      const signature = createHmac('sha256', pem).update(`${header}.${body}`).digest('base64url');
      return `${header}.${body}.${signature}`;
    }

    it.each(Object.keys(cases))('%s', async (what) => {
      const [make, reason] = cases[what]!;
      const response = await send(make());
      expect(response).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
      expect(await reasonOf(response)).toBe(reason);
    });

    it('one that maps to no project, and the message says so', async () => {
      const response = await send(valid({ groups: ['others'] }));
      expect(response.status).toBe(401);
      expect((response.body as { message: string }).message).toContain('no project');
    });

    it('all of them, for a session: it is started with an API key, or at the provider', async () => {
      const headers = { Authorization: `Bearer ${valid()}` };
      expect((await sendRaw(`${app.url}/v1/session`, { method: 'POST', headers })).status).toBe(403);
    });
  });

  it('follow the keys of the provider', async () => {
    const [former] = provider.keys;
    const old = valid();
    expect((await send(old)).status).toBe(200);
    await provider.stop();
    provider.keys = [makeSigningKey()];
    await provider.start();
    // Keys that are not published any more are used until the new ones are known.
    expect((await send(old)).status).toBe(200);
    await until('the new key is known', 30, async () => (await send(valid())).status === 200);
    expect((await send(makeToken(former!, claims()))).status).toBe(401);
  });

  describe('while the provider is unavailable', () => {
    afterEach(() => provider.start());

    it('are accepted with known keys, and get 503 with unknown ones, never 401', async () => {
      expect((await send(valid())).status).toBe(200);
      await provider.stop();
      expect((await send(valid({ sub: 'new', preferred_username: 'new' }))).status).toBe(200);
      expect((await send(valid({ exp: now() - 60 }))).status).toBe(401);
      const unknown = makeToken(makeSigningKey(), claims());
      // Within the first seconds after the keys were read, an unknown key is taken for a wrong one.
      await until('unknown keys are looked for', 20, async () => (await send(unknown)).status !== 401);
      const response = await send(unknown);
      expect(response).toMatchObject({ status: 503, body: { code: 'unavailable' } });
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
      expect((await send(valid())).status).toBe(200);
    });
  });
});
