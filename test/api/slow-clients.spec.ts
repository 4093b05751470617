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

const PATIENCE = 60;

/** So many hosts, with so many characters each, are more than lies between the service and a client that reads nothing. */
const HOSTS = 20;
const LONG = 600_000;
const LIST = `/v1/hosts?limit=${String(HOSTS)}`;
const EXPORT = '/v1/export?resolved-values=true';

/** Of one process. */
const CONNECTIONS = 8;

const SHORT = { DATABASE_POOL_SIZE: '5', MAX_IN_FLIGHT: '16', CLIENT_STALL_SECONDS: '1' };

/** Neither a connection to the database, nor one to a client, nor what is kept for a request stays. */
describe('a client that keeps the service waiting', () => {
  let app: OwnService;
  let secondConnection: SecondConnection;
  let admin: Caller;
  let headers: Record<string, string>;
  beforeAll(async () => {
    app = await startService(SHORT);
    secondConnection = await SecondConnection.connect(app.databaseUrl);
    // Without connections that stay open, for they would be counted.
    admin = new Caller(app.url, (await app.project()).credentials);
    headers = authHeaders(admin.credentials);
    const { id: region_id } = await admin.region();
    const host = { region_id, ip_address: '10.0.0.1', device_type: 'server' };
    const hosts = Array.from({ length: HOSTS }, () => ({ ...host, name: aName('host') }));
    await admin.post('/v1/hosts', hosts).expect(201);
    await admin.put(`/v1/regions/${String(region_id)}/variables`, { long: 'x'.repeat(LONG) }).expect(200);
  });
  afterAll(async () => {
    await secondConnection.close();
    await app.stop();
  });

  const slow = async (of: Pick<OwnService, 'url'> = app) =>
    (await readTrafficMetrics(of)).refusals['slow'] ?? 0;

  /** What the service has of clients and of the database; that of whoever asks is closed at once. */
  const untilNothingIsLeft = async (of: Pick<OwnService, 'url'> = app) => {
    await until('nothing is in flight', PATIENCE, async () => (await readTrafficMetrics(of)).inFlight === 0);
    await until('the database is left alone', PATIENCE, async () => (await databaseUse()) === 0);
    await until('no client is connected', PATIENCE, () => Promise.resolve(connectionsTo(of.url) === 0));
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

  const untilEnded = (connections: readonly RawConnection[]) =>
    until('they are cut off', PATIENCE, () => Promise.resolve(connections.every(({ isEnded }) => isEnded)));

  const several = (): Promise<RawConnection[]> =>
    Promise.all(Array.from({ length: 8 }, () => RawConnection.to(app.url)));

  it('for the rest of a body, or of an import, is cut off', async () => {
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
      // The second half leaves in the middle.
      if (i >= connections.length / 2) one.cut();
    }
    await expectOthersServed();
    expect(await databaseUse()).toBe(0);
    await untilEnded(connections);
    await untilNothingIsLeft();
    expect(await slow()).toBe(before + connections.length / 2);
    const labels = (await admin.get('/v1/labels').expect(200)).body as unknown[];
    expect(labels).toEqual([]);
  });

  it('by not reading a long list, an export or an inventory is cut off', async () => {
    const before = await slow();
    const paths = [LIST, EXPORT, '/v1/ansible-inventory'];
    const readers = await Promise.all(paths.map((path) => PausingReader.of(admin, '', path)));
    await expectOthersServed();
    await untilNothingIsLeft();
    expect((await slow()) - before).toBe(paths.length);
    for (const reader of readers) await expect(reader.rest()).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('by pipelining long requests, and reading none of the responses, is cut off', async () => {
    const connection = await RawConnection.to(app.url);
    connection.pause();
    // Node does not close the responses that wait for their turn.
    for (const path of [LIST, EXPORT, LIST, '/v1/ansible-inventory'])
      connection.write(requestText('GET', path, headers));
    await until('it is being answered', PATIENCE, async () => (await readTrafficMetrics(app)).inFlight > 0);
    await expectOthersServed();
    await untilNothingIsLeft();
  });

  it('because it has vanished while it sent or read is cut off', async () => {
    const before = await slow();
    const line = await startSilentProxy(app.url);
    const [sender, reader] = [await RawConnection.to(line.url), await RawConnection.to(line.url)];
    const sent = { ...headers, 'Content-Type': 'application/json', 'Content-Length': '99' };
    sender.write(requestText('PUT', '/v1/regions/1', sent, '{"note": '));
    reader.write(requestText('GET', EXPORT, headers));
    await until(
      'both are being served',
      PATIENCE,
      async () => (await readTrafficMetrics(app)).inFlight === 2,
    );
    line.stopForwarding();
    await expectOthersServed();
    await untilNothingIsLeft();
    expect(await slow()).toBe(before + 2);
    await line.close();
  });

  describe('although something moves', () => {
    let timed: OwnService;
    beforeAll(async () => {
      timed = await app.startPeer({
        ...SHORT,
        CLIENT_STALL_SECONDS: '3600',
        EXPORT_SECONDS: '2',
        BODY_SECONDS: '2',
        MAX_CONNECTIONS: String(CONNECTIONS),
      });
    });
    afterAll(() => timed.stop());

    const trickling = async (of: Pick<OwnService, 'url'>, path: string): Promise<RawConnection> => {
      const reader = await RawConnection.to(of.url);
      reader.write(requestText('GET', path, headers));
      reader.trickle(5);
      await until('it is being answered', PATIENCE, () => Promise.resolve(reader.received > 0));
      return reader;
    };

    /** Sends a body bit by bit, until it is cut off. */
    const drip = async (of: Pick<OwnService, 'url'>): Promise<void> => {
      const connection = await RawConnection.to(of.url);
      const sent = { ...headers, 'Content-Type': 'application/json', 'Content-Length': '1000000' };
      connection.write(requestText('PUT', '/v1/regions/1', sent, '{"note": "'));
      const timer = setInterval(() => {
        connection.write('x'.repeat(100));
      }, 100);
      await untilEnded([connection]);
      clearInterval(timer);
    };

    it('by taking too long with an export or a body is cut off', async () => {
      const before = await slow(timed);
      await trickling(timed, EXPORT);
      const dripped = drip(timed);
      await expectOthersServed();
      await dripped;
      await untilNothingIsLeft(timed);
      // Only the export counts as slow; the time for a body is a limit of its own.
      expect(await slow(timed)).toBe(before + 1);
    });

    it('takes no more connections than there may be', async () => {
      const connections = await Promise.all(
        Array.from({ length: CONNECTIONS + 4 }, () => RawConnection.to(timed.url)),
      );
      await until('four are refused', PATIENCE, () =>
        Promise.resolve(connections.filter(({ isEnded }) => isEnded).length === 4),
      );
      const [served] = connections.filter(({ isEnded }) => !isEnded);
      served?.write(requestText('GET', '/healthz', {}));
      await until('the others are served', PATIENCE, () =>
        Promise.resolve(served?.answers[0]?.status === 200),
      );
      for (const one of connections) one.cut();
    });
  });
});
