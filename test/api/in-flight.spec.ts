import { startService, type OwnService } from '../support/service';
import { SecondConnection } from '../support/second-connection';
import { Caller, type Resource } from '../support/caller';
import { connectionsTo } from '../support/connections';
import { authHeaders } from '../support/http-exchange';
import { PausingReader } from '../support/export-reader';
import { RawConnection, requestText } from '../support/raw-connection';
import { readTrafficMetrics } from '../support/traffic-metrics';
import { until } from '../support/until';

jest.setTimeout(180_000);

const MOST = 3;
const PATIENCE = 60;

describe('the number of requests in flight', () => {
  let app: OwnService;
  let secondConnection: SecondConnection;
  let admin: Caller;
  let region: Resource;
  beforeAll(async () => {
    app = await startService({ MAX_IN_FLIGHT: String(MOST), DATABASE_POOL_SIZE: '5' });
    secondConnection = await SecondConnection.connect(app.databaseUrl);
    // Without connections that stay open, for they would be counted.
    admin = new Caller(app.url, (await app.project()).credentials);
    region = await admin.region();
  });
  afterEach(() => untilInFlight(0));
  afterAll(async () => {
    await secondConnection.close();
    await app.stop();
  });

  const path = () => `/v1/regions/${String(region.id)}`;
  const hold = () =>
    secondConnection.acquire({ text: 'SELECT FROM regions WHERE id = $1 FOR UPDATE', values: [region.id] });
  const untilInFlight = (count: number) =>
    until(
      `${String(count)} in flight`,
      PATIENCE,
      async () => (await readTrafficMetrics(app)).inFlight === count,
    );
  const refusals = async () => (await readTrafficMetrics(app)).refusals['in_flight'] ?? 0;

  it('has a most, past which one more is told to come again, while health is told', async () => {
    const before = await refusals();
    const nobody = admin.as({ token: '', user: '', project: '' });
    const release = await hold();
    const sent = Promise.all(Array.from({ length: MOST }, (_, i) => admin.put(path(), { note: String(i) })));
    await secondConnection.waiting(MOST);
    const refused = await admin.get('/v1/hosts').expect(503);
    expect(refused.body).toEqual({
      code: 'unavailable',
      message: expect.stringMatching(/\S/),
      details: [],
      request_id: refused.headers['x-request-id'],
    });
    expect(refused.headers).toMatchObject({ 'retry-after': '1', 'cache-control': 'no-store' });
    // Nobody is asked who he is, and no path is looked at.
    await nobody.get('/v1/hosts').expect(503);
    await nobody.get('/nowhere').expect(503);
    await nobody.post('/v1/regions', { name: 'never' }).expect(503);
    for (const health of ['/healthz', '/readyz', '/metrics', '/healthz?probe=1'])
      await nobody.get(health).expect(200);
    expect([(await readTrafficMetrics(app)).inFlight, (await refusals()) - before]).toEqual([MOST, 4]);
    await release();
    expect((await sent).map(({ status }) => status)).toEqual([200, 200, 200]);
    await admin.get('/v1/hosts').expect(200);
  });

  it('counts those whose clients have left for as long as there is work for them', async () => {
    const release = await hold();
    const abort = new AbortController();
    const headers = { ...authHeaders(admin.credentials), 'Content-Type': 'application/json' };
    const gone = Array.from({ length: MOST }, () =>
      fetch(app.url + path(), { method: 'PUT', headers, body: '{}', signal: abort.signal }),
    );
    await secondConnection.waiting(MOST);
    abort.abort();
    await Promise.allSettled(gone);
    await until('their connections are closed', PATIENCE, () =>
      Promise.resolve(connectionsTo(app.url) === 0),
    );
    await admin.get('/v1/hosts').expect(503);
    await release();
    await untilInFlight(0);
    await admin.get('/v1/hosts').expect(200);
  });

  it('counts each of those that come at once on one connection, and forgets them with it', async () => {
    const release = await hold();
    const headers = { ...authHeaders(admin.credentials), 'Content-Type': 'application/json' };
    const connection = await RawConnection.to(app.url);
    connection.write(requestText('PUT', path(), headers, '{"note": "1"}').repeat(MOST));
    await secondConnection.waiting(MOST);
    await admin.get('/v1/hosts').expect(503);
    connection.cut();
    await until('the connection is closed', PATIENCE, () => Promise.resolve(connectionsTo(app.url) === 0));
    await release();
    await untilInFlight(0);
    await admin.get('/v1/hosts').expect(200);
  });

  it('does not count what is over, however it was asked', async () => {
    const headers = authHeaders(admin.credentials);
    for (let round = 0; round < 2 * MOST; round++) {
      expect((await fetch(`${app.url}/v1/hosts`, { method: 'HEAD', headers })).status).toBe(200);
      await admin.get('/v1/hosts/987654321').expect(404);
      await admin.get('/nowhere').expect(404);
      await admin.get('/openapi.json').expect(200);
      await admin.send('get', `/v1/hosts?name=${'x'.repeat(9_000)}`).expect(400);
    }
    const aborted = await PausingReader.of(admin, '', '/openapi.json');
    aborted.leave();
    await untilInFlight(0);
  });

  it('does not count those who wait for changes', async () => {
    const abort = new AbortController();
    const waiting: Promise<unknown>[] = [];
    for (let i = 0; i < 2 * MOST; i++) {
      const headers = authHeaders(admin.credentials);
      const url = `${app.url}/v1/changes/feed?after=latest&wait=60`;
      waiting.push(fetch(url, { headers, signal: abort.signal }));
      // It has begun to wait when it does not count any more.
      await untilInFlight(0);
    }
    await admin.get('/v1/hosts').expect(200);
    expect(waiting).toHaveLength(2 * MOST);
    abort.abort();
    await Promise.allSettled(waiting);
  });
});
