import { startService, type OwnService } from '../support/service';
import { lockRows, SecondConnection } from '../support/second-connection';
import { Caller, type Resource } from '../support/caller';
import { connectionsTo } from '../support/connections';
import { authHeaders } from '../support/http-exchange';
import { PausingReader } from '../support/export-reader';
import { RawConnection, requestText } from '../support/raw-connection';
import { readTrafficMetrics } from '../support/traffic-metrics';
import { until } from '../support/until';

jest.setTimeout(180_000);

const MAX_REQUESTS = 3;
const TIMEOUT = 60;

describe('the number of requests in flight', () => {
  let app: OwnService;
  let secondConnection: SecondConnection;
  let admin: Caller;
  let region: Resource;
  beforeAll(async () => {
    app = await startService({ MAX_IN_FLIGHT: String(MAX_REQUESTS), DATABASE_POOL_SIZE: '5' });
    secondConnection = await SecondConnection.connect(app.databaseUrl);
    // Without keep-alive connections, because the tests count connections.
    admin = new Caller(app.url, (await app.project()).credentials);
    region = await admin.region();
  });
  afterEach(() => untilInFlight(0));
  afterAll(async () => {
    await secondConnection.close();
    await app.stop();
  });

  const path = () => `/v1/regions/${String(region.id)}`;
  const lockRegion = () => secondConnection.acquire(lockRows('regions', admin.projectId, region.id));
  const untilInFlight = (count: number) =>
    until(
      `${String(count)} in flight`,
      TIMEOUT,
      async () => (await readTrafficMetrics(app)).inFlight === count,
    );
  const rejections = async () => (await readTrafficMetrics(app)).refusals['in_flight'] ?? 0;

  it('is limited: further requests get 503, except health checks', async () => {
    const before = await rejections();
    const anonymous = admin.as({ token: '', user: '', project: '' });
    const release = await lockRegion();
    const pending = Promise.all(
      Array.from({ length: MAX_REQUESTS }, (_, i) => admin.put(path(), { note: String(i) })),
    );
    await secondConnection.waiting(MAX_REQUESTS);
    const refused = await admin.get('/v1/hosts').expect(503);
    expect(refused.body).toEqual({
      code: 'unavailable',
      message: expect.stringMatching(/\S/),
      details: [],
      request_id: refused.headers['x-request-id'],
    });
    expect(refused.headers).toMatchObject({ 'retry-after': '1', 'cache-control': 'no-store' });
    // The limit applies before authentication and routing.
    await anonymous.get('/v1/hosts').expect(503);
    await anonymous.get('/nowhere').expect(503);
    await anonymous.post('/v1/regions', { name: 'never' }).expect(503);
    for (const health of ['/healthz', '/readyz', '/metrics', '/healthz?probe=1'])
      await anonymous.get(health).expect(200);
    expect([(await readTrafficMetrics(app)).inFlight, (await rejections()) - before]).toEqual([
      MAX_REQUESTS,
      4,
    ]);
    await release();
    expect((await pending).map(({ status }) => status)).toEqual([200, 200, 200]);
    await admin.get('/v1/hosts').expect(200);
  });

  it('includes requests of disconnected clients until their work ends', async () => {
    const release = await lockRegion();
    const abort = new AbortController();
    const headers = { ...authHeaders(admin.credentials), 'Content-Type': 'application/json' };
    const interrupted = Array.from({ length: MAX_REQUESTS }, () =>
      fetch(app.url + path(), { method: 'PUT', headers, body: '{}', signal: abort.signal }),
    );
    await secondConnection.waiting(MAX_REQUESTS);
    abort.abort();
    await Promise.allSettled(interrupted);
    await until('their connections are closed', TIMEOUT, () => Promise.resolve(connectionsTo(app.url) === 0));
    await admin.get('/v1/hosts').expect(503);
    await release();
    await untilInFlight(0);
    await admin.get('/v1/hosts').expect(200);
  });

  it('includes each pipelined request, and none after the connection is closed', async () => {
    const release = await lockRegion();
    const headers = { ...authHeaders(admin.credentials), 'Content-Type': 'application/json' };
    const connection = await RawConnection.to(app.url);
    connection.write(requestText('PUT', path(), headers, '{"note": "1"}').repeat(MAX_REQUESTS));
    await secondConnection.waiting(MAX_REQUESTS);
    await admin.get('/v1/hosts').expect(503);
    connection.cut();
    await until('the connection is closed', TIMEOUT, () => Promise.resolve(connectionsTo(app.url) === 0));
    await release();
    await untilInFlight(0);
    await admin.get('/v1/hosts').expect(200);
  });

  it('does not include completed requests of any kind', async () => {
    const headers = authHeaders(admin.credentials);
    for (let round = 0; round < 2 * MAX_REQUESTS; round++) {
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

  it('does not include requests that wait for changes', async () => {
    const abort = new AbortController();
    const headers = authHeaders(admin.credentials);
    const url = `${app.url}/v1/changes/feed?after=latest&wait=60`;
    const waiting: Promise<unknown>[] = [];
    for (let round = 0; round < 2; round++) {
      // Requests begin to wait after a read of the feed, which the lock delays until all have arrived.
      const release = await secondConnection.acquire({ text: 'LOCK TABLE changes', values: [] });
      for (let i = 0; i < MAX_REQUESTS; i++) waiting.push(fetch(url, { headers, signal: abort.signal }));
      await untilInFlight(MAX_REQUESTS);
      await release();
      await untilInFlight(0);
    }
    await admin.get('/v1/hosts').expect(200);
    abort.abort();
    await Promise.allSettled(waiting);
  });
});
