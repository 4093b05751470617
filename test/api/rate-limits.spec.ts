import { randomBytes } from 'node:crypto';
import { sharedService, startService, type OwnService } from '../support/service';
import { SecondConnection } from '../support/second-connection';
import type { Caller, Resource } from '../support/caller';
import { authHeaders } from '../support/http-exchange';
import { readTrafficMetrics } from '../support/traffic-metrics';
import { until } from '../support/until';

jest.setTimeout(120_000);

/** In seconds: over as many a rate is counted. */
const WINDOW = 10;

describe('a rate', () => {
  const app = sharedService();
  let limited: OwnService;
  let admin: Caller;
  beforeAll(async () => {
    limited = await app.startPeer({ LOG_LEVEL: 'info', RATE_LIMIT: '1' });
    admin = await app.project();
  });
  afterAll(() => limited.stop());

  const logged = () => limited.logLines();

  const ask = (who: Caller, path = '/v1/hosts?fields=id') =>
    fetch(limited.url + path, { headers: authHeaders(who.credentials) });

  /** Spends all that a key has in a window, in one of them. */
  const spendAll = async (who: Caller): Promise<Response> => {
    for (;;) {
      const answer = await ask(who);
      await answer.text();
      if (answer.status === 429) return answer;
      expect(answer.status).toBe(200);
    }
  };

  it('is kept by key: past it 429, which tells when to ask again', async () => {
    const [user, other] = [await admin.user(), await admin.user()];
    const first = await ask(user);
    expect(first.headers.get('ratelimit-policy')).toBe(`"key";q=${String(WINDOW)};w=${String(WINDOW)}`);
    expect(first.headers.get('ratelimit')).toMatch(/^"key";r=9;t=([1-9]|10)$/);
    const refused = await spendAll(user);
    expect(refused.headers.get('ratelimit')).toMatch(/^"key";r=0;t=([1-9]|10)$/);
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(WINDOW);
    const again = await ask(user);
    expect(await again.json()).toEqual({
      code: 'too_many_requests',
      message: expect.stringMatching(/\S/),
      details: [],
      request_id: again.headers.get('x-request-id'),
    });
    // Neither another user nor another process is any the wiser.
    expect((await ask(other)).status).toBe(200);
    await user.get('/v1/hosts').expect(200);
    expect((await readTrafficMetrics(limited)).refusals['rate']).toBeGreaterThanOrEqual(2);
    await until('the key is let in again', 2 * WINDOW, async () => (await ask(user)).status === 200);
  });

  it('tells the log whom it refuses, in one line a second', async () => {
    const user = await admin.user();
    const { token, user: name } = user.credentials;
    const refused = [await spendAll(user), await ask(user), await ask(user)];
    expect(refused.map(({ status }) => status)).toEqual([429, 429, 429]);
    const ids = refused.map(({ headers }) => headers.get('x-request-id'));
    await until('their lines are written', 30, () =>
      Promise.resolve(ids.every((id) => logged().some((l) => l['request_id'] === id && 'res' in l))),
    );
    const told = logged().filter((line) => ids.includes(String(line['request_id'])));
    const who = { user: name, project: user.projectId };
    expect(told.filter((line) => 'res' in line)).toEqual(ids.map(() => expect.objectContaining(who)));
    const lines = logged().filter((line) => line['event'] === 'rate exceeded' && line['user'] === name);
    expect(lines[0]).toMatchObject({
      ...who,
      level: 40,
      request_id: ids[0],
      key_id: token.split('_')[1],
      route: '/v1/hosts',
      left_out: 0,
    });
    // A second may have passed on a busy machine.
    const count = lines.reduce((sum, line) => sum + 1 + Number(line['left_out']), 0);
    expect(count).toBeLessThanOrEqual(ids.length);
    expect(limited.program.lines.join('\n')).not.toContain(token.split('_').slice(2).join('_'));
  });

  it("is that of a key, and no user's other one is held up by it", async () => {
    const user = await admin.user();
    const name = user.credentials.user;
    const [found] = (await admin.get(`/v1/users?username=${name}`).expect(200)).body as Resource[];
    const made = await admin.post(`/v1/users/${String(found?.id)}/api-keys`, {});
    const { api_key } = made.body as { api_key?: string };
    expect([made.status, typeof api_key]).toEqual([201, 'string']);
    await spendAll(user);
    const second = user.as({ ...user.credentials, token: api_key ?? '' });
    expect((await ask(second)).status).toBe(200);
  });

  it('is not spent by who does not hold the key', async () => {
    const user = await admin.user();
    const wrong = user.as({ ...user.credentials, token: `${user.credentials.token.slice(0, -1)}!` });
    for (let i = 0; i < 2 * WINDOW; i++) expect((await ask(wrong)).status).toBe(401);
    expect((await ask(user)).headers.get('ratelimit')).toMatch(/^"key";r=9;/);
  });

  it('is not kept where none is set', async () => {
    const answer = await fetch(`${app.url}/v1/hosts`, { headers: authHeaders(admin.credentials) });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('ratelimit')).toBeNull();
  });
});

describe('wrong credentials', () => {
  const MOST = 10;
  let app: OwnService;
  let admin: Caller;
  beforeAll(async () => {
    // As it is where nothing is set; addresses are those that a proxy tells.
    app = await startService({ WRONG_CREDENTIALS_LIMIT: '', TRUST_PROXY: '1' });
    admin = await app.project();
  });
  afterAll(() => app.stop());

  const key = () => `mst_${randomBytes(8).toString('hex')}_${randomBytes(32).toString('base64url')}`;
  const from = (address: string, who: Caller, token = who.credentials.token) =>
    who.get('/v1/hosts?fields=id', { 'X-Forwarded-For': address, 'X-Auth-Token': token });

  it('are slowed by address and user, and right ones are let in', async () => {
    const user = await admin.user();
    for (let i = 0; i < MOST; i++) await from('192.0.2.1', user, key()).expect(401);
    const slowed = await from('192.0.2.1', user, key()).expect(429);
    expect(slowed.body).toMatchObject({ code: 'too_many_requests', details: [] });
    expect(slowed.headers['connection']).toBe('close');
    const seconds = Number(slowed.headers['retry-after']);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    // A part of the right key is as wrong.
    const { token } = user.credentials;
    await from('192.0.2.1', user, token.slice(0, -2)).expect(429);
    // Whoever has the right key is let in, from wherever he comes; and the same address is wrong about others as before.
    await from('192.0.2.1', user).expect(200);
    await from('192.0.2.2', user).expect(200);
    await from('192.0.2.1', user, key()).expect(429);
    await from('192.0.2.2', user, key()).expect(401);
    await from('192.0.2.1', admin, key()).expect(401);
    expect((await readTrafficMetrics(app)).refusals['credentials']).toBeGreaterThanOrEqual(3);
  });

  it('are slowed by address where names change, and by network where addresses do', async () => {
    const named = (user: string) => admin.as({ ...admin.credentials, user });
    for (let i = 0; i < 10 * MOST; i++)
      await from(`2001:db8:1:2::${i.toString(16)}`, named(`name-${String(i)}`)).expect(401);
    await from('2001:db8:1:2:a:b:c:d', named('another')).expect(429);
    await from('2001:db8:1:3::1', named('another')).expect(401);
    await from('2001:db8:1:2::1', admin).expect(200);
  });

  it('are none where there are no credentials', async () => {
    const nobody = await fetch(`${app.url}/v1/hosts`);
    expect(nobody.status).toBe(401);
    for (let i = 0; i < 2 * MOST; i++) expect((await fetch(`${app.url}/v1/hosts`)).status).toBe(401);
  });

  it('with keys that nobody has take one connection to the database, however many they are', async () => {
    const GUESSES = 60;
    const secondConnection = await SecondConnection.connect(app.databaseUrl);
    const release = await secondConnection.acquire({
      text: 'LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE',
      values: [],
    });
    const guesses = Promise.all(
      Array.from({ length: GUESSES }, (_, i) => from(`198.51.100.${String(i)}`, admin, key())),
    );
    await until('all have come', 60, async () => (await readTrafficMetrics(app)).inFlight === GUESSES);
    const waiting = await secondConnection.rows(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    expect(waiting).toHaveLength(1);
    await release();
    expect(new Set((await guesses).map(({ status }) => status))).toEqual(new Set([401]));
    await secondConnection.close();
  });
});
