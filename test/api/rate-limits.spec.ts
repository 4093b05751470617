import { randomBytes } from 'node:crypto';
import { sharedService, type OwnService } from '../support/service';
import type { Caller, Resource } from '../support/caller';
import { Browser } from '../support/browser';
import { authHeaders, sendRaw } from '../support/http-exchange';
import { readTrafficMetrics } from '../support/traffic-metrics';
import { until } from '../support/until';

jest.setTimeout(120_000);

/** The window of a rate limit, in seconds. */
const WINDOW_SECONDS = 10;

/** The limit of one request per second, for a whole window. */
const REQUESTS_PER_WINDOW = WINDOW_SECONDS;

const app = sharedService();
/** With limits. What tests prepare is requested from the shared service, which has none. */
let limited: OwnService;
let admin: Caller;
beforeAll(async () => {
  // The limit of wrong credentials is the default. Client addresses come from the proxy header.
  const settings = { RATE_LIMIT: '1', WRONG_CREDENTIALS_LIMIT: '', TRUST_PROXY: '1' };
  limited = await app.startPeer({ LOG_LEVEL: 'info', ...settings });
  admin = await app.project();
});
afterAll(() => limited.stop());

describe('the rate limit', () => {
  const logged = () => limited.logLines();

  const send = (caller: Caller, path = '/v1/hosts?fields=id') =>
    fetch(limited.url + path, { headers: authHeaders(caller.credentials) });

  /** Exhausts the limit of a key: at the same time, because a busy machine takes a whole window for one after the other. */
  const exhaustLimit = async (caller: Caller): Promise<Response> => {
    const responses = await Promise.all(Array.from({ length: REQUESTS_PER_WINDOW + 1 }, () => send(caller)));
    for (const response of responses) await response.text();
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 429]));
    return responses.find(({ status }) => status === 429)!;
  };

  it('counts by key, and returns 429 with Retry-After', async () => {
    const [user, other] = [await admin.user(), await admin.user()];
    const first = await send(user);
    expect(first.headers.get('ratelimit-policy')).toBe(
      `"key";q=${String(REQUESTS_PER_WINDOW)};w=${String(WINDOW_SECONDS)}`,
    );
    expect(first.headers.get('ratelimit')).toMatch(/^"key";r=9;t=([1-9]|10)$/);
    const rejected = await exhaustLimit(user);
    expect(rejected.headers.get('ratelimit')).toMatch(/^"key";r=0;t=([1-9]|10)$/);
    const seconds = Number(rejected.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(WINDOW_SECONDS);
    const again = await send(user);
    expect(await again.json()).toEqual({
      code: 'too_many_requests',
      message: expect.stringMatching(/\S/),
      details: [],
      request_id: again.headers.get('x-request-id'),
    });
    // Other users and other processes are not affected.
    expect((await send(other)).status).toBe(200);
    await user.get('/v1/hosts').expect(200);
    expect((await readTrafficMetrics(limited)).refusals['rate']).toBeGreaterThanOrEqual(2);
    await until(
      'the key is accepted again',
      2 * WINDOW_SECONDS,
      async () => (await send(user)).status === 200,
    );
  });

  it('logs rejected requests in one line a second', async () => {
    const user = await admin.user();
    const { token, user: name } = user.credentials;
    const rejected = [await exhaustLimit(user), await send(user), await send(user)];
    expect(rejected.map(({ status }) => status)).toEqual([429, 429, 429]);
    const ids = rejected.map(({ headers }) => headers.get('x-request-id'));
    await until('the requests are logged', 30, () =>
      Promise.resolve(ids.every((id) => logged().some((l) => l['request_id'] === id && 'res' in l))),
    );
    const requestLines = logged().filter((line) => ids.includes(String(line['request_id'])));
    const caller = { user: name, project: user.projectId };
    expect(requestLines.filter((line) => 'res' in line)).toEqual(
      ids.map(() => expect.objectContaining(caller)),
    );
    const lines = logged().filter((line) => line['event'] === 'rate exceeded' && line['user'] === name);
    expect(lines[0]).toMatchObject({
      ...caller,
      level: 40,
      request_id: ids[0],
      key_id: token.split('_')[1],
      route: '/v1/hosts',
      suppressed: 0,
    });
    // A second may pass between requests on a busy machine.
    const count = lines.reduce((sum, line) => sum + 1 + Number(line['suppressed']), 0);
    expect(count).toBeLessThanOrEqual(ids.length);
    expect(limited.program.lines.join('\n')).not.toContain(token.split('_').slice(2).join('_'));
  });

  it('applies to each key separately, even for one user', async () => {
    const user = await admin.user();
    const name = user.credentials.user;
    const [found] = (await admin.get(`/v1/users?username=${name}`).expect(200)).body as Resource[];
    const made = await admin.post(`/v1/users/${String(found?.id)}/api-keys`, {});
    const { api_key } = made.body as { api_key?: string };
    expect([made.status, typeof api_key]).toEqual([201, 'string']);
    await exhaustLimit(user);
    const second = user.as({ ...user.credentials, token: api_key ?? '' });
    expect((await send(second)).status).toBe(200);
  });

  it('counts requests with the cookie of a session like those with its key', async () => {
    const user = await admin.user();
    const browser = (await Browser.signIn(user)).at(limited.url);
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => [browser.get('/v1/regions'), send(user)]).flat(),
    );
    const statuses = responses.map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([...Array<number>(10).fill(200), 429, 429]);
  });

  it('does not count requests with a wrong key', async () => {
    const user = await admin.user();
    const wrong = user.as({ ...user.credentials, token: `${user.credentials.token.slice(0, -1)}!` });
    // From several addresses, each of which has a limit of wrong credentials.
    for (let i = 0; i < 2 * REQUESTS_PER_WINDOW; i++) {
      const headers = { ...authHeaders(wrong.credentials), 'X-Forwarded-For': `203.0.113.${String(i)}` };
      expect((await fetch(`${limited.url}/v1/hosts`, { headers })).status).toBe(401);
    }
    expect((await send(user)).headers.get('ratelimit')).toMatch(/^"key";r=9;/);
  });

  it('is off by default', async () => {
    const response = await fetch(`${app.url}/v1/hosts`, { headers: authHeaders(admin.credentials) });
    expect(response.status).toBe(200);
    expect(response.headers.get('ratelimit')).toBeNull();
  });
});

describe('wrong credentials', () => {
  const LIMIT = 10;

  const key = () => `mst_${randomBytes(8).toString('hex')}_${randomBytes(32).toString('base64url')}`;
  const from = (address: string, caller: Caller, token = caller.credentials.token) =>
    limited.root
      .as(caller.credentials)
      .get('/v1/hosts?fields=id', { 'X-Forwarded-For': address, 'X-Auth-Token': token });

  it('are limited by address and user, while correct credentials are accepted', async () => {
    const user = await admin.user();
    for (let i = 0; i < LIMIT; i++) await from('192.0.2.1', user, key()).expect(401);
    const rejected = await from('192.0.2.1', user, key()).expect(429);
    expect(rejected.body).toMatchObject({ code: 'too_many_requests', details: [] });
    expect(rejected.headers['connection']).toBe('close');
    const seconds = Number(rejected.headers['retry-after']);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    // A prefix of the correct key counts as wrong.
    const { token } = user.credentials;
    await from('192.0.2.1', user, token.slice(0, -2)).expect(429);
    // The correct key is accepted from every address. Other users are counted separately.
    await from('192.0.2.1', user).expect(200);
    await from('192.0.2.2', user).expect(200);
    await from('192.0.2.1', user, key()).expect(429);
    await from('192.0.2.2', user, key()).expect(401);
    await from('192.0.2.1', admin, key()).expect(401);
    expect((await readTrafficMetrics(limited)).refusals['credentials']).toBeGreaterThanOrEqual(3);
  });

  it('are limited by address when names vary, and by network when addresses vary', async () => {
    const named = (user: string) => admin.as({ ...admin.credentials, user });
    // At the same time, because the limit is for one minute.
    const first = await Promise.all(
      Array.from({ length: 10 * LIMIT }, (_, i) =>
        from(`2001:db8:1:2::${i.toString(16)}`, named(`name-${String(i)}`)),
      ),
    );
    expect(new Set(first.map(({ status }) => status))).toEqual(new Set([401]));
    await from('2001:db8:1:2:a:b:c:d', named('another')).expect(429);
    await from('2001:db8:1:3::1', named('another')).expect(401);
    await from('2001:db8:1:2::1', admin).expect(200);
  });

  it('include the cookies of unknown sessions', async () => {
    const headers = { Cookie: 'muster=x', 'X-Forwarded-For': '192.0.2.9' };
    const statuses = [];
    for (let i = 0; i <= LIMIT; i++)
      statuses.push((await sendRaw(`${limited.url}/v1/regions`, { headers })).status);
    expect(statuses).toEqual([...Array<number>(LIMIT).fill(401), 429]);
  });

  it('are not counted for requests without credentials', async () => {
    for (let i = 0; i <= 2 * LIMIT; i++) expect((await fetch(`${limited.url}/v1/hosts`)).status).toBe(401);
  });
});
