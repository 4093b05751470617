import { withBuiltModules } from '../../support/built-modules';
import { makeSigningKey, makeToken } from '../../support/openid-provider';

/**
 * Makes `provider` and `settings` in a process of their own, in which a test sets `respond`, the responses to requests, and
 * `now`, the time in milliseconds.
 */
const MODULES = `
  const { Logger } = require('@nestjs/common');
  const { AppMetrics } = load('src/core/app-metrics');
  const { OidcProvider } = load('src/auth/identity/oidc/oidc-provider');
  const { OidcTokens } = load('src/auth/identity/oidc/oidc.strategy');
  Logger.overrideLogger(false);
  let now = input.now, requests = 0;
  Date.now = () => now;
  const describe = (issuer) => (url) => Response.json(
    url.endsWith('/keys')
      ? { keys: [input.key] }
      : { issuer, jwks_uri: issuer + '/keys', authorization_endpoint: issuer + '/a', token_endpoint: issuer + '/t' });
  let respond;
  globalThis.fetch = async (url) => { requests += 1; return respond(String(url)); };
  const makeProvider = (issuer) => {
    const settings = { issuer, clientId: 'muster', audience: 'muster' };
    const provider = new OidcProvider(settings, new AppMetrics());
    return { provider, tokens: new OidcTokens(provider, settings) };
  };`;

it('a provider must be the configured issuer, also Entra ID with the URL for the users of all tenants', async () => {
  const body = `${MODULES}
    respond = describe('https://login.microsoftonline.com/{tenantid}/v2.0');
    const { provider } = makeProvider('https://login.microsoftonline.com/common/v2.0');
    return provider.client().then(() => 'accepted', (error) => error.message);`;
  expect(await withBuiltModules(body, { now: Date.now() })).toMatch(/check OIDC_ISSUER: .*\{tenantid\}/);
});

it('a sign-in asks whether the provider responds, once a second, and what was read of it stays known', async () => {
  const body = `${MODULES}
    respond = describe('https://login.example');
    const { provider } = makeProvider('https://login.example');
    const counts = [];
    for (const step of [0, 999, 1]) {
      now += step;
      await Promise.all([provider.respondingClient(), provider.respondingClient()]);
      counts.push(requests);
    }
    now += 1000;
    respond = () => { throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } }); };
    const beginning = await provider.respondingClient().then(() => 'began', (error) => error.message);
    return { counts, beginning, known: provider.knownClient !== undefined };`;
  expect(await withBuiltModules(body, { now: Date.now() })).toEqual({
    counts: [1, 1, 2],
    beginning: expect.stringContaining('not reachable at https://login.example'),
    known: true,
  });
});

it('tokens with a known key do not wait for a provider that does not respond', async () => {
  const issuer = 'https://login.example';
  const signingKey = makeSigningKey();
  const { kty, n, e, kid, alg, use } = signingKey;
  const now = Date.now();
  const exp = Math.floor(now / 1000) + 3600;
  const token = makeToken(signingKey, { iss: issuer, aud: 'muster', sub: 'ann', exp });
  const body = `${MODULES}
    respond = describe(input.issuer);
    const { tokens } = makeProvider(input.issuer);
    const subjects = [(await tokens.verify(input.token)).sub];
    // The keys are read again after ten minutes.
    now += 11 * 60_000;
    respond = () => new Promise(() => undefined);
    const unanswered = setTimeout(() => process.exit(1), 3_000);
    for (let i = 0; i < 3; i++) subjects.push((await tokens.verify(input.token)).sub);
    clearTimeout(unanswered);
    process.exitCode = 0;
    setImmediate(() => process.exit());
    return { subjects, requests };`;
  const key = { kty, n, e, kid, alg, use };
  // The description, the keys, and the keys again.
  expect(await withBuiltModules(body, { issuer, key, token, now })).toEqual({
    subjects: ['ann', 'ann', 'ann', 'ann'],
    requests: 3,
  });
});
