import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { sharedPeer, startService, type OwnService } from '../support/service';
import { SecondConnection } from '../support/second-connection';
import { aName, Caller, type Resource } from '../support/caller';
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

let app: OwnService;
beforeAll(async () => {
  app = await startService(SHORT_TIMEOUTS);
});
afterAll(() => app.stop());

/** After the timeout, the service holds no database connection, client connection or memory for the request. */
describe('a client that stalls', () => {
  let secondConnection: SecondConnection;
  let admin: Caller;
  let headers: Record<string, string>;
  beforeAll(async () => {
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
  afterAll(() => secondConnection.close());

  const slow = async (of: Pick<OwnService, 'url'> = app) =>
    (await readTrafficMetrics(of)).refusals['slow'] ?? 0;

  /** Waits until no request, database session or client connection is left. The probe closes its own at once. */
  const untilIdle = async (of: Pick<OwnService, 'url'> = app) => {
    await until(
      'no request is active',
      TIMEOUT_SECONDS,
      async () => (await readTrafficMetrics(of)).inFlight === 0,
    );
    await secondConnection.untilIdle();
    await until('no client is connected', TIMEOUT_SECONDS, () =>
      Promise.resolve(connectionsTo(of.url) === 0),
    );
  };

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
    expect(await secondConnection.servicePids('busy')).toEqual([]);
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
    // A socket that does not read stays open on this side, and keeps the process of the tests alive.
    connection.cut();
  });

  it('whose network path is lost is disconnected', async () => {
    const before = await slow();
    const proxy = await startSilentProxy(app.url);
    const [sender, reader] = [await RawConnection.to(proxy.url), await RawConnection.to(proxy.url)];
    // The service responds with 100 as soon as it has the headers.
    const sent = { 'Content-Type': 'application/json', 'Content-Length': '99', Expect: '100-continue' };
    sender.write(requestText('PUT', '/v1/regions/1', { ...headers, ...sent }, '{"note": '));
    reader.write(requestText('GET', EXPORT, headers));
    await until('both responses have begun', TIMEOUT_SECONDS, () =>
      Promise.resolve(sender.received > 0 && reader.received > 0),
    );
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

/** A response as it was received. */
interface RawResponse {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly bytes: Buffer;
}

/** The text of a body in any coding of the service. */
function textOf({ headers, bytes }: RawResponse): string {
  const coding = headers['content-encoding'];
  if (coding === 'br') return brotliDecompressSync(bytes).toString();
  return (coding === 'gzip' ? gunzipSync(bytes) : bytes).toString();
}

// On the same service, because a client that stalls while a body is compressed is disconnected, too.
describe('compression', () => {
  let admin: Caller;
  let region: Resource;
  beforeAll(async () => {
    admin = await app.project();
    region = await admin.region({ variables: { text: 'a text that repeats. '.repeat(300) } });
    const host = { region_id: region.id, ip_address: '10.0.0.1', device_type: 'server' };
    const hosts = Array.from({ length: 13 }, () => ({ ...host, name: aName('host') }));
    await admin.post('/v1/hosts', hosts).expect(201);
  });

  const open = async (path: string, headers: Record<string, string>, url = app.url) => {
    const request = get(url + path, {
      headers: { ...authHeaders(admin.credentials), ...headers },
      agent: false,
    });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return response;
  };
  const read = async (path: string, headers: Record<string, string>, url?: string): Promise<RawResponse> => {
    const response = await open(path, headers, url);
    const parts: Buffer[] = [];
    for await (const part of response) parts.push(part as Buffer);
    return { status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(parts) };
  };
  const regionPath = () => `/v1/regions/${String(region.id)}`;

  it.each([
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br', 'gzip'],
    ['br, gzip', 'br'],
    ['gzip;q=0.5, br;q=0.6', 'br'],
    ['gzip;q=0, *', 'br'],
    ['*', 'br'],
    ['GZIP', 'gzip'],
    ['', undefined],
    ['identity', undefined],
    ['deflate, zstd', undefined],
    ['gzip;q=0, br;q=0', undefined],
    ['gzip;q=0.5, identity', undefined],
    ['identity;q=0', undefined],
  ])('Accept-Encoding: %j selects %s', async (accepted, coding) => {
    const { headers } = await read(regionPath(), { 'Accept-Encoding': accepted });
    expect(headers['content-encoding']).toEqual(coding);
    expect(headers['vary']).toContain('Accept-Encoding');
  });

  it.each([
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['identity', undefined],
  ])('is the same for lists, exports and inventories: %s', async (accepted, coding) => {
    const plain = await read(LIST, {});
    for (const path of [LIST, '/v1/export', '/v1/ansible-inventory']) {
      const response = await read(path, { 'Accept-Encoding': accepted });
      expect([path, response.status, response.headers['content-encoding']]).toEqual([path, 200, coding]);
      expect(response.headers['vary']).toContain('Accept-Encoding');
      if (path !== LIST) continue;
      expect(textOf(response)).toBe(textOf(plain));
      if (coding !== undefined) expect(response.bytes.length).toBeLessThan(plain.bytes.length / 10);
    }
  });

  it('is not used for short responses and errors, which do not depend on Accept-Encoding', async () => {
    const { id } = await admin.region();
    for (const path of [`/v1/regions/${String(id)}`, '/v1/regions/987654321', '/healthz', '/v1/clouds']) {
      const { headers } = await read(path, { 'Accept-Encoding': 'gzip' });
      expect(headers).not.toHaveProperty('content-encoding');
      expect(headers['vary'] ?? '').not.toContain('Accept-Encoding');
    }
  });

  it('of the API description is the same for every client', async () => {
    const plain = await read('/openapi.json', {});
    for (const coding of ['gzip', 'br', 'gzip']) {
      const response = await read('/openapi.json', { 'Accept-Encoding': coding });
      expect(response.headers).toMatchObject({
        'content-encoding': coding,
        'content-length': String(response.bytes.length),
      });
      expect(textOf(response)).toBe(textOf(plain));
    }
  });

  it('changes the entity tag, which still guards writes and finds the copy', async () => {
    const plain = await read(regionPath(), {});
    const coded = await read(regionPath(), { 'Accept-Encoding': 'gzip' });
    const { etag = '' } = coded.headers;
    expect(etag).toBe(plain.headers.etag?.replace(/"$/, '-gzip"'));
    for (const accepted of ['gzip', 'br', 'identity']) {
      const again = await read(regionPath(), { 'Accept-Encoding': accepted, 'If-None-Match': etag });
      expect([again.status, again.bytes.length]).toEqual([304, 0]);
      expect(again.headers).toMatchObject({ etag, vary: expect.stringContaining('Accept-Encoding') });
      expect(again.headers).not.toHaveProperty('content-encoding');
    }
    await admin.put(regionPath(), { note: 'n' }, { 'If-Match': etag }).expect(200);
    await admin.put(regionPath(), { note: 'm' }, { 'If-Match': etag }).expect(412);
    expect((await read(regionPath(), { 'If-None-Match': etag })).status).toBe(200);
  });

  it('of one variable: its tag still guards writes', async () => {
    const path = `${regionPath()}/variables/text`;
    const { etag = '' } = (await read(path, { 'Accept-Encoding': 'br' })).headers;
    expect(etag).toMatch(/^"c\d+-br"$/);
    await admin.put(path, { value: 'b'.repeat(5_000) }, { 'If-Match': etag }).expect(200);
    await admin.put(path, { value: 'c' }, { 'If-Match': etag }).expect(412);
  });

  it('is never used for a response with a secret', async () => {
    const Accept = { 'Accept-Encoding': 'gzip' };
    // Long enough to be compressed.
    const roles = Array.from({ length: 100 }, (_, i) => `key_${'x'.repeat(100)}_${String(i)}`);
    const created = await admin.post('/v1/users', { username: aName('user'), roles }, Accept).expect(201);
    const path = `/v1/users/${String((created.body as Resource).id)}`;
    const secrets = [
      created,
      await admin.post(`${path}/api-key`, undefined, Accept).expect(201),
      await admin.post(`${path}/api-keys`, undefined, Accept).expect(201),
    ];
    for (const { headers, text } of secrets) {
      expect(text.length).toBeGreaterThan(10_000);
      expect(headers).toMatchObject({ 'cache-control': 'no-store, no-transform' });
      expect(headers).not.toHaveProperty('content-encoding');
    }
    const { id } = await admin.secret({ cert: 'a certificate'.repeat(1_000) });
    const opened = await read(`/v1/access-secrets/${String(id)}`, Accept);
    expect(opened.bytes.length).toBeGreaterThan(10_000);
    expect(opened.headers).not.toHaveProperty('content-encoding');
    // The user alone is no secret.
    expect((await read(path, Accept)).headers['content-encoding']).toBe('gzip');
  });

  it('can be turned off', async () => {
    const peer = sharedPeer();
    const caller = await peer.project();
    const { id } = await caller.region({ variables: { text: 'a text that repeats. '.repeat(300) } });
    await caller.host({ region_id: id });
    for (const path of [LIST, `/v1/regions/${String(id)}`, '/v1/export', '/openapi.json']) {
      const accepted = { ...authHeaders(caller.credentials), 'Accept-Encoding': 'gzip, br' };
      const { status, headers, bytes } = await read(path, accepted, peer.url);
      expect(headers).not.toHaveProperty('content-encoding');
      expect([path, status, bytes.length > 100]).toEqual([path, 200, true]);
    }
  });

  describe('of a response that is longer than the buffers of a connection', () => {
    const CODINGS = ['gzip', 'br'];
    const LONG = [LIST, EXPORT];
    beforeAll(async () => {
      // It repeats only at distances that exceed the windows of the codings.
      const long = randomBytes(450_000).toString('base64');
      await admin.put(`${regionPath()}/variables`, { long }).expect(200);
    });

    it.each(CODINGS)('is sent while it is produced: %s', async (coding) => {
      for (const path of LONG) {
        const response = await open(path, { 'Accept-Encoding': coding });
        expect(response.headers['content-encoding']).toBe(coding);
        const parts: Buffer[] = [];
        for await (const part of response) parts.push(part as Buffer);
        const bytes = Buffer.concat(parts);
        expect(bytes.length).toBeGreaterThan(5_000_000);
        expect(textOf({ status: 200, headers: response.headers, bytes })).toBe(textOf(await read(path, {})));
      }
    });

    it.each(CODINGS)(
      'is not produced for a client that does not read, who is disconnected: %s',
      async (coding) => {
        const slow = async () => (await readTrafficMetrics(app)).refusals['slow'] ?? 0;
        const before = await slow();
        const paused: IncomingMessage[] = [];
        for (const path of LONG) {
          const response = await open(path, { 'Accept-Encoding': coding });
          response.on('error', () => undefined);
          paused.push(response.pause());
        }
        await until('the clients are disconnected', 60, async () => (await slow()) === before + LONG.length);
        await until('no request is active', 60, async () => (await readTrafficMetrics(app)).inFlight === 0);
        for (const response of paused) response.destroy();
      },
    );

    it('ends without its last chunk if its client disconnects', async () => {
      for (const path of LONG) {
        const response = await open(path, { 'Accept-Encoding': 'gzip' });
        response.on('error', () => undefined);
        await once(response, 'data');
        response.destroy();
      }
      await until('no request is active', 60, async () => (await readTrafficMetrics(app)).inFlight === 0);
      await admin.get('/v1/hosts?fields=id').expect(200);
    });
  });
});
