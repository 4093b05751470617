import { startService, type OwnService } from '../support/service';
import { SecondConnection } from '../support/second-connection';
import { aName, Caller } from '../support/caller';
import { connectionsTo } from '../support/connections';
import { authHeaders } from '../support/http-exchange';
import { PausingReader } from '../support/export-reader';
import { RawConnection, requestText } from '../support/raw-connection';
import { startSilentProxy } from '../support/silent-proxy';
import { readTrafficMetrics } from '../support/traffic-metrics';
import { until } from '../support/until';

jest.setTimeout(180_000);

const TIMEOUT_SECONDS = 60;

/** The responses exceed the buffers between the service and a client that does not read. */
const HOSTS = 20;
const VALUE_LENGTH = 600_000;
const LIST = `/v1/hosts?limit=${String(HOSTS)}`;
const EXPORT = '/v1/export?resolved-values=true';

/** The connection limit of one process. */
const MAX_CONNECTIONS = 8;

const SHORT_TIMEOUTS = { DATABASE_POOL_SIZE: '5', MAX_IN_FLIGHT: '16', CLIENT_STALL_SECONDS: '1' };

/** After the timeout, the service holds no database connection, client connection or memory for the request. */
describe('a client that stalls', () => {
  let app: OwnService;
  let secondConnection: SecondConnection;
  let admin: Caller;
  let headers: Record<string, string>;
  beforeAll(async () => {
    app = await startService(SHORT_TIMEOUTS);
    secondConnection = await SecondConnection.connect(app.databaseUrl);
    // Without keep-alive, because open connections are counted.
    admin = new Caller(app.url, (await app.project()).credentials);
    headers = authHeaders(admin.credentials);
    const { id: region_id } = await admin.region();
    const host = { region_id, ip_address: '10.0.0.1', device_type: 'server' };
    const hosts = Array.from({ length: HOSTS }, () => ({ ...host, name: aName('host') }));
    await admin.post('/v1/hosts', hosts).expect(201);
    await admin
      .put(`/v1/regions/${String(region_id)}/variables`, { long: 'x'.repeat(VALUE_LENGTH) })
      .expect(200);
  });
  afterAll(async () => {
    await secondConnection.close();
    await app.stop();
  });

  const slow = async (of: Pick<OwnService, 'url'> = app) =>
    (await readTrafficMetrics(of)).refusals['slow'] ?? 0;

  /** Waits until no request, database session or client connection is left. The probe closes its own at once. */
  const untilIdle = async (of: Pick<OwnService, 'url'> = app) => {
    await until(
      'no request is active',
      TIMEOUT_SECONDS,
      async () => (await readTrafficMetrics(of)).inFlight === 0,
    );
    await until('no database session is active', TIMEOUT_SECONDS, async () => (await databaseUse()) === 0);
    await until('no client is connected', TIMEOUT_SECONDS, () =>
      Promise.resolve(connectionsTo(of.url) === 0),
    );
  };

  const databaseUse = async () =>
    (
      await secondConnection.rows(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'
           AND pid <> pg_backend_pid() AND (state <> 'idle' OR backend_xmin IS NOT NULL)`,
      )
    ).length;

  const expectOthersServed = async () => {
    await Promise.all(Array.from({ length: 10 }, () => admin.get('/v1/hosts?fields=id').expect(200)));
    await admin.region();
  };

  const untilClosed = (connections: readonly RawConnection[]) =>
    until('the connections are closed', TIMEOUT_SECONDS, () =>
      Promise.resolve(connections.every(({ isEnded }) => isEnded)),
    );

  const several = (): Promise<RawConnection[]> =>
    Promise.all(Array.from({ length: 8 }, () => RawConnection.to(app.url)));

  it('while sending a body or an import is disconnected', async () => {
    const before = await slow();
    const connections = await several();
    for (const [i, one] of connections.entries()) {
      const [method, path, type, begun] =
        i % 2 === 0
          ? ['PUT', '/v1/regions/1', 'application/json', '{"note": ']
          : ['POST', '/v1/import', 'application/x-ndjson', '{"kind": "label", '];
      one.write(
        requestText(method, path, { ...headers, 'Content-Type': type, 'Content-Length': '1000' }, begun),
      );
      // The second half disconnects in the middle of the body.
      if (i >= connections.length / 2) one.cut();
    }
    await expectOthersServed();
    expect(await databaseUse()).toBe(0);
    await untilClosed(connections);
    await untilIdle();
    expect(await slow()).toBe(before + connections.length / 2);
    const labels = (await admin.get('/v1/labels').expect(200)).body as unknown[];
    expect(labels).toEqual([]);
  });

  it('while reading a long list, an export or an inventory is disconnected', async () => {
    const before = await slow();
    const paths = [LIST, EXPORT, '/v1/ansible-inventory'];
    const readers = await Promise.all(paths.map((path) => PausingReader.of(admin, '', path)));
    await expectOthersServed();
    await untilIdle();
    expect((await slow()) - before).toBe(paths.length);
    for (const reader of readers) await expect(reader.rest()).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('while pipelining long requests without reading is disconnected', async () => {
    const connection = await RawConnection.to(app.url);
    connection.pause();
    // Node does not close the responses of queued requests.
    for (const path of [LIST, EXPORT, LIST, '/v1/ansible-inventory'])
      connection.write(requestText('GET', path, headers));
    await until(
      'a request is active',
      TIMEOUT_SECONDS,
      async () => (await readTrafficMetrics(app)).inFlight > 0,
    );
    await expectOthersServed();
    await untilIdle();
  });

  it('whose network path is lost is disconnected', async () => {
    const before = await slow();
    const proxy = await startSilentProxy(app.url);
    const [sender, reader] = [await RawConnection.to(proxy.url), await RawConnection.to(proxy.url)];
    const sent = { ...headers, 'Content-Type': 'application/json', 'Content-Length': '99' };
    sender.write(requestText('PUT', '/v1/regions/1', sent, '{"note": '));
    reader.write(requestText('GET', EXPORT, headers));
    await until(
      'both requests are active',
      TIMEOUT_SECONDS,
      async () => (await readTrafficMetrics(app)).inFlight === 2,
    );
    proxy.stopForwarding();
    await expectOthersServed();
    await untilIdle();
    expect(await slow()).toBe(before + 2);
    await proxy.close();
  });

  describe('with a slow but steady transfer', () => {
    let timed: OwnService;
    beforeAll(async () => {
      timed = await app.startPeer({
        ...SHORT_TIMEOUTS,
        CLIENT_STALL_SECONDS: '3600',
        EXPORT_SECONDS: '2',
        BODY_SECONDS: '2',
        MAX_CONNECTIONS: String(MAX_CONNECTIONS),
      });
    });
    afterAll(() => timed.stop());

    const readSlowly = async (of: Pick<OwnService, 'url'>, path: string): Promise<RawConnection> => {
      const reader = await RawConnection.to(of.url);
      reader.write(requestText('GET', path, headers));
      reader.trickle(5);
      await until('the response has begun', TIMEOUT_SECONDS, () => Promise.resolve(reader.received > 0));
      return reader;
    };

    /** Sends a body in small pieces until the connection is closed. */
    const sendSlowly = async (of: Pick<OwnService, 'url'>): Promise<void> => {
      const connection = await RawConnection.to(of.url);
      const sent = { ...headers, 'Content-Type': 'application/json', 'Content-Length': '1000000' };
      connection.write(requestText('PUT', '/v1/regions/1', sent, '{"note": "'));
      const timer = setInterval(() => {
        connection.write('x'.repeat(100));
      }, 100);
      await untilClosed([connection]);
      clearInterval(timer);
    };

    it('is disconnected when an export or a body exceeds its time limit', async () => {
      const before = await slow(timed);
      await readSlowly(timed, EXPORT);
      const slowSend = sendSlowly(timed);
      await expectOthersServed();
      await slowSend;
      await untilIdle(timed);
      // Only the export counts as slow, because bodies have a separate limit.
      expect(await slow(timed)).toBe(before + 1);
    });

    it('is rejected above the connection limit', async () => {
      const connections = await Promise.all(
        Array.from({ length: MAX_CONNECTIONS + 4 }, () => RawConnection.to(timed.url)),
      );
      await until('four connections are closed', TIMEOUT_SECONDS, () =>
        Promise.resolve(connections.filter(({ isEnded }) => isEnded).length === 4),
      );
      const [served] = connections.filter(({ isEnded }) => !isEnded);
      served?.write(requestText('GET', '/healthz', {}));
      await until('another connection is served', TIMEOUT_SECONDS, () =>
        Promise.resolve(served?.answers[0]?.status === 200),
      );
      for (const one of connections) one.cut();
    });
  });
});
