import { startService, type OwnService } from '../support/service';
import { Bystander } from '../support/bystander';
import { aName, Caller } from '../support/caller';
import { connectionsTo } from '../support/connections';
import { authHeaders } from '../support/exchange';
import { HesitantReader } from '../support/exported';
import { RawConnection, requestText } from '../support/raw-connection';
import { silentLineTo } from '../support/silent-line';
import { trafficOf } from '../support/traffic';
import { until } from '../support/until';

jest.setTimeout(180_000);

const PATIENCE = 60;

/** So many hosts, with so many characters each, are more than lies between the service and a client that reads nothing. */
const HOSTS = 20;
const LONG = 600_000;
const LIST = `/v1/hosts?limit=${String(HOSTS)}`;
const EXPORT = '/v1/export?resolved-values=true';

/** In bytes, the least that it may be. */
const URL_LIMIT = 1024;

/** Of one process. */
const CONNECTIONS = 8;

const SHORT = {
  URL_LIMIT_BYTES: String(URL_LIMIT),
  DATABASE_POOL_SIZE: '5',
  MAX_IN_FLIGHT: '16',
  HEADER_SECONDS: '1',
  CLIENT_STALL_SECONDS: '1',
  EXPORT_STALL_SECONDS: '1',
  CLIENT_PACE_BYTES: String(1024 * 1024),
};

/** Neither a connection to the database, nor one to a client, nor what is kept for a request stays. */
describe('a client that keeps the service waiting', () => {
  let app: OwnService;
  let bystander: Bystander;
  let admin: Caller;
  let headers: Record<string, string>;
  beforeAll(async () => {
    app = await startService(SHORT);
    bystander = await Bystander.on(app.databaseUrl);
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
    await bystander.close();
    await app.stop();
  });

  const slow = async (of: Pick<OwnService, 'url'> = app) => (await trafficOf(of)).refusals['slow'] ?? 0;

  /** What the service has of clients and of the database; that of whoever asks is closed at once. */
  const untilNothingIsLeft = async (of: Pick<OwnService, 'url'> = app) => {
    await until('nothing is in flight', PATIENCE, async () => (await trafficOf(of)).inFlight === 0);
    await until('the database is left alone', PATIENCE, async () => (await databaseUse()) === 0);
    await until('no client is connected', PATIENCE, () => Promise.resolve(connectionsTo(of.url) === 0));
  };

  const databaseUse = async () =>
    (
      await bystander.rows(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'
           AND pid <> pg_backend_pid() AND (state <> 'idle' OR backend_xmin IS NOT NULL)`,
      )
    ).length;

  const expectOthersServed = async () => {
    await Promise.all(Array.from({ length: 10 }, () => admin.get('/v1/hosts?fields=id').expect(200)));
    await admin.region();
  };

  /** Whether the service has taken nothing more since the last call of what a client has still to send. */
  let unsent = 0;
  const hasStopped = (connection: RawConnection): boolean => {
    const before = unsent;
    unsent = connection.unsent;
    return unsent > 0 && unsent === before;
  };

  const untilEnded = (connections: readonly RawConnection[]) =>
    until('they are cut off', PATIENCE, () => Promise.resolve(connections.every(({ isEnded }) => isEnded)));

  const several = (): Promise<RawConnection[]> =>
    Promise.all(Array.from({ length: 8 }, () => RawConnection.to(app.url)));

  it('for headers is told so, and cut off', async () => {
    const connections = await several();
    // The first sends nothing at all; and for the last, which sends a byte now and then, nobody waits longer.
    for (const one of connections.slice(1)) one.write('GET /v1/hosts HTTP/1.1\r\nHost: muster\r\nX-Slow: ');
    const drip = setInterval(() => connections.at(-1)?.write('x'), 100);
    await expectOthersServed();
    await untilEnded(connections);
    clearInterval(drip);
    for (const { answers } of connections) {
      expect(answers).toMatchObject([{ status: 400 }]);
      expect(JSON.parse(answers[0]?.body ?? '')).toMatchObject({
        code: 'invalid_request',
        message: expect.stringContaining('in time'),
      });
    }
    await untilNothingIsLeft();
  });

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
    const readers = await Promise.all(paths.map((path) => HesitantReader.of(admin, '', path)));
    await expectOthersServed();
    await untilNothingIsLeft();
    expect((await slow()) - before).toBe(paths.length);
    for (const reader of readers) await expect(reader.rest()).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('by asking for much at once, and reading none of it, is cut off', async () => {
    const connection = await RawConnection.to(app.url);
    connection.pause();
    // Node does not tell those that stand in line when it is over.
    for (const path of [LIST, EXPORT, LIST, '/v1/ansible-inventory'])
      connection.write(requestText('GET', path, headers));
    await until('it is being answered', PATIENCE, async () => (await trafficOf(app)).inFlight > 0);
    await expectOthersServed();
    await untilNothingIsLeft();
  });

  it('by asking for more than it is told is not read on', async () => {
    const region = await admin.region();
    const path = `/v1/regions/${String(region.id)}`;
    const letGo = await bystander.hold({
      text: 'SELECT FROM regions WHERE id = $1 FOR UPDATE',
      values: [region.id],
    });
    const connection = await RawConnection.to(app.url);
    const put = { ...headers, 'Content-Type': 'application/json' };
    connection.write(requestText('PUT', path, put, '{"note": "first"}'));
    await bystander.waiting(1);
    const one = requestText('GET', `/${'x'.repeat(URL_LIMIT)}`, { 'X-Long': 'x'.repeat(12_000) });
    const last = requestText('GET', '/healthz', { Connection: 'close' });
    let count = 0;
    await until('the client cannot send on', PATIENCE, () => {
      // Until the buffers between the client and a service that reads nothing are full.
      if (connection.unsent === 0 && count < 5_000) {
        connection.write(one.repeat(100));
        count += 100;
      }
      return Promise.resolve(hasStopped(connection));
    });
    await expectOthersServed();
    expect(hasStopped(connection)).toBe(true);
    connection.write(last);
    await letGo();
    await untilEnded([connection]);
    expect(connection.answers).toHaveLength(count + 2);
    await untilNothingIsLeft();
  });

  it('by not reading refusals is cut off', async () => {
    const before = await slow();
    const connection = await RawConnection.to(app.url);
    connection.pause();
    // Until the refusals are more than lies between the service and a client that reads nothing.
    const withLongAnswer = { 'X-Request-Id': 'x'.repeat(128) };
    const long = requestText('GET', `/${'x'.repeat(URL_LIMIT)}`, withLongAnswer).repeat(1_000);
    await until('it is cut off', PATIENCE, async () => {
      if (connection.unsent === 0) connection.write(long);
      return (await slow()) > before;
    });
    connection.cut();
    await untilNothingIsLeft();
  });

  it('because it has vanished while it sent or read is cut off', async () => {
    const before = await slow();
    const line = await silentLineTo(app.url);
    const [sender, reader] = [await RawConnection.to(line.url), await RawConnection.to(line.url)];
    const sent = { ...headers, 'Content-Type': 'application/json', 'Content-Length': '99' };
    sender.write(requestText('PUT', '/v1/regions/1', sent, '{"note": '));
    reader.write(requestText('GET', EXPORT, headers));
    await until('both are being served', PATIENCE, async () => (await trafficOf(app)).inFlight === 2);
    line.fallSilent();
    await expectOthersServed();
    await untilNothingIsLeft();
    expect(await slow()).toBe(before + 2);
    await line.close();
  });

  describe('although something moves', () => {
    let timed: OwnService;
    beforeAll(async () => {
      const ever = { CLIENT_PACE_BYTES: '1', EXPORT_STALL_SECONDS: '3600' };
      timed = await app.startPeer({
        ...SHORT,
        ...ever,
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

    it('by reading or sending too slowly is cut off', async () => {
      const before = await slow();
      await trickling(app, LIST);
      await drip(app);
      await untilNothingIsLeft();
      expect(await slow()).toBe(before + 2);
    });

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
