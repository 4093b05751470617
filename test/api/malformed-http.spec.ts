import fc from '../support/property-testing';
import { once } from 'node:events';
import { connect } from 'node:net';
import { startService, type OwnService } from '../support/service';
import { lockRows, SecondConnection } from '../support/second-connection';
import type { Caller, Resource } from '../support/caller';
import { authHeaders } from '../support/http-exchange';
import { RawConnection, requestText } from '../support/raw-connection';
import { oneSeed } from '../support/seeds';
import { until } from '../support/until';

jest.setTimeout(180_000);

const TIMEOUT_SECONDS = 60;

/** In milliseconds. A connection without a response must be closed within this time. */
const CLOSE_TIMEOUT_MS = 30_000;
const SEED = oneSeed();
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 2) * 6;

/** A response parsed from raw bytes. */
interface RawResponse {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

/** Malformed HTTP reaches no route, and still gets the standard error body. */
describe('a malformed HTTP request', () => {
  let app: OwnService;
  beforeAll(async () => {
    app = await startService({ HEADER_SECONDS: '1' });
  });
  afterAll(() => app.stop());

  /** Sends raw bytes and returns the response when the connection ends. */
  async function sendBytes(text: string): Promise<{ status: number; headers: string; body: unknown }> {
    const { hostname, port } = new URL(app.url);
    const socket = connect(Number(port), hostname);
    const parts: Buffer[] = [];
    socket.on('data', (part: Buffer) => parts.push(part));
    await once(socket, 'connect');
    socket.write(text, 'latin1');
    await once(socket, 'end');
    socket.destroy();
    const [headers = '', body = ''] = Buffer.concat(parts).toString().split('\r\n\r\n');
    return {
      status: Number(headers.split(' ')[1]),
      headers: headers.toLowerCase(),
      body: JSON.parse(body) as unknown,
    };
  }

  const request = (first: string, ...headers: string[]) =>
    [first, 'Host: muster', ...headers, '', ''].join('\r\n');
  const untilClosed = (...connections: readonly RawConnection[]) =>
    until('the connections are closed', TIMEOUT_SECONDS, () =>
      Promise.resolve(connections.every(({ isEnded }) => isEnded)),
    );

  it.each([
    ['a method that HTTP does not know', request('FETCH /v1/hosts HTTP/1.1')],
    ['no version', 'GET\r\n\r\n'],
    ['a header without a name', request('GET /v1/hosts HTTP/1.1', ': nothing')],
    ['two lengths', request('POST /v1/regions HTTP/1.1', 'Content-Length: 1', 'Content-Length: 2')],
    [
      'a length and chunks',
      request('POST /v1/regions HTTP/1.1', 'Content-Length: 1', 'Transfer-Encoding: chunked'),
    ],
    ['a NUL in a header', request('GET /v1/hosts HTTP/1.1', 'X-Auth-User: a\u0000b')],
    ['headers without end', request('GET /v1/hosts HTTP/1.1', `X-Long: ${'x'.repeat(20_000)}`)],
    ['a path without end', request(`GET /v1/hosts?name=${'x'.repeat(20_000)} HTTP/1.1`)],
  ])('returns 400 for %s', async (_, text) => {
    const { status, headers, body } = await sendBytes(text);
    expect(status).toBe(400);
    expect(body).toEqual({
      code: 'invalid_request',
      message: expect.stringMatching(/\S/),
      details: [],
      request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(headers).toContain('content-type: application/json');
    expect(headers).toContain('connection: close');
  });

  it('returns 400 when its headers time out, even if bytes keep arriving', async () => {
    const [half, slow] = await Promise.all([1, 2].map(() => RawConnection.to(app.url)));
    const connections = [half!, slow!];
    for (const one of connections) one.write('GET /v1/hosts HTTP/1.1\r\nHost: muster\r\nX-Slow: ');
    const slowWriter = setInterval(() => {
      slow!.write('x');
    }, 100);
    await untilClosed(...connections);
    clearInterval(slowWriter);
    for (const { answers } of connections) {
      expect(answers).toMatchObject([{ status: 400 }]);
      expect(JSON.parse(answers[0]!.body)).toMatchObject({ message: expect.stringContaining('in time') });
    }
  });

  // A browser that opened the connection ahead of need would take a response for that to its next request.
  it('closes a connection on which nothing has arrived, without a response', async () => {
    const connection = await RawConnection.to(app.url);
    await untilClosed(connection);
    expect(connection.received).toBe(0);
  });

  it('is answered after the preceding request, or not at all', async () => {
    const secondConnection = await SecondConnection.connect(app.databaseUrl);
    const admin = await app.project();
    const { id } = await admin.region();
    const release = await secondConnection.acquire(lockRows('regions', admin.projectId, id));
    const headers = { ...authHeaders(admin.credentials), 'Content-Type': 'application/json' };
    const connection = await RawConnection.to(app.url);
    connection.write(requestText('PUT', `/v1/regions/${String(id)}`, headers, '{"note": "kept"}'));
    await secondConnection.waiting(1);
    connection.write('FETCH /v1/hosts HTTP/1.1\r\n\r\n');
    // This later response shows that the malformed request has arrived.
    await admin.get('/healthz').expect(200);
    await release();
    await untilClosed(connection);
    expect([[200], [200, 400]]).toContainEqual(connection.answers.map(({ status }) => status));
    await secondConnection.close();
  });

  /** Requests that HTTP clients refuse to send. */
  describe(`raw bytes on a socket (SEED=${String(SEED)})`, () => {
    let admin: Caller;
    let secondConnection: SecondConnection;
    beforeAll(async () => {
      secondConnection = await SecondConnection.connect(app.databaseUrl);
      admin = await app.project();
      await admin.region({ name: 'as-it-was' });
    });
    /** After every test, the service is alive and no data has changed. */
    afterEach(async () => {
      await admin.get('/healthz').expect(200);
      const { body } = await admin.get(`/v1/regions?project_id=${admin.projectId}`).expect(200);
      expect((body as Resource[]).map(({ name }) => name)).toEqual(['as-it-was']);
    });
    afterAll(() => secondConnection.close());

    /**
     * Sends bytes and returns all responses. Half a request may get no response, so the client closes the
     * connection once the service has handled another request.
     */
    async function sendBytes(bytes: Buffer | string, isPartial = false): Promise<RawResponse[]> {
      const { hostname, port } = new URL(app.url);
      const socket = connect({ port: Number(port), host: hostname });
      const parts: Buffer[] = [];
      socket.on('data', (part: Buffer) => parts.push(part));
      // The service may reset the connection while the client writes.
      socket.on('error', () => undefined);
      const closed = once(socket, 'close');
      await once(socket, 'connect');
      let isTimedOut = false;
      const timer = setTimeout(() => {
        isTimedOut = true;
        socket.destroy();
      }, CLOSE_TIMEOUT_MS);
      socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
      if (isPartial) {
        await admin.get('/healthz').expect(200);
        socket.end();
      }
      await closed;
      clearTimeout(timer);
      expect(isTimedOut).toBe(false);
      return parseResponses(Buffer.concat(parts));
    }

    /** Every response is valid HTTP without a 5xx status, and errors have the standard body. */
    function expectValidResponses(what: string, responses: readonly RawResponse[]): void {
      for (const { status, headers, body } of responses) {
        expect([what, status]).toEqual([what, expect.any(Number)]);
        expect([what, status >= 200 && status < 500]).toEqual([what, true]);
        expect([what, headers]).toEqual([what, expect.not.stringMatching(/^x-injected/im)]);
        if (status < 400 || body === '') continue;
        expect([what, JSON.parse(body)]).toEqual([
          what,
          {
            code: expect.stringMatching(/^[a-z_]+$/),
            message: expect.stringMatching(/\S/),
            details: expect.any(Array),
            request_id: expect.stringMatching(/^[\w.:-]{1,128}$/),
          },
        ]);
        expect([what, body]).toEqual([
          what,
          expect.not.stringMatching(/node:|node_modules|HPE_|Parse Error/),
        ]);
      }
    }

    const auth = () =>
      Object.entries(authHeaders(admin.credentials)).map(([name, value]) => `${name}: ${value}`);
    const request = (first: string, ...headers: string[]) =>
      [first, 'Host: muster', 'Connection: close', ...headers, ...auth(), '', ''].join('\r\n');
    const region_ = '{"name":"smuggled"}';

    it.each<[string, () => string, readonly number[]]>([
      // Header injection: line terminators where none are allowed.
      [
        'CR LF within a value',
        () => request('GET /v1/regions HTTP/1.1', 'X-Request-Id: a\r\nX-Injected: yes'),
        [200],
      ],
      [
        'a bare CR within a value',
        () => request('GET /v1/regions HTTP/1.1', 'X-Request-Id: a\rX-Injected: yes'),
        [400],
      ],
      [
        'a bare LF within a value',
        () => request('GET /v1/regions HTTP/1.1', 'X-Request-Id: a\nX-Injected: yes'),
        [200, 400],
      ],
      [
        'obs-fold',
        () => request('GET /v1/regions HTTP/1.1', 'X-Request-Id: a\r\n X-Injected: yes'),
        [200, 400],
      ],
      ['a NUL within a value', () => request('GET /v1/regions HTTP/1.1', 'X-Request-Id: a\u0000b'), [400]],
      [
        'a control character within a value',
        () => request('GET /v1/regions HTTP/1.1', 'X-Request-Id: a\u0001b'),
        [200, 400],
      ],
      ['a space before the colon', () => request('GET /v1/regions HTTP/1.1', 'X-Auth-User : root'), [400]],
      ['a name that is invalid', () => request('GET /v1/regions HTTP/1.1', 'X-Ünïcode: a'), [400]],
      ['no colon', () => request('GET /v1/regions HTTP/1.1', 'X-Auth-User'), [400]],
      [
        'credentials twice',
        () => request('GET /v1/regions HTTP/1.1', 'X-Auth-User: root', 'X-Auth-Token: x'),
        [401],
      ],
      ['two hosts', () => request('GET /v1/regions HTTP/1.1', 'Host: elsewhere'), [200, 400]],
      ['no host', () => request('GET /v1/regions HTTP/1.1').replace('Host: muster\r\n', ''), [400]],
      [
        'HTTP/1.0, which needs no host',
        () => request('GET /v1/regions HTTP/1.0').replace('Host: muster\r\n', ''),
        [200],
      ],
      // The request line. A line that ends early is a shorter request of an older HTTP version.
      ['a CR LF in the path', () => request('GET /v1/regions?name=\r\nX-Injected: yes HTTP/1.1'), [200, 400]],
      ['a space in the path', () => request('GET /v1/re gions HTTP/1.1'), [400]],
      ['a tab in the path', () => request('GET /v1/\tregions HTTP/1.1'), [400]],
      ['a NUL in the path', () => request('GET /v1/regions\u0000 HTTP/1.1'), [400]],
      ['bytes in the path', () => request('GET /v1/regions/\u00e9\u00ff HTTP/1.1'), [400, 404]],
      ['backslashes', () => request('GET \\v1\\regions HTTP/1.1'), [400]],
      ['a relative path', () => request('GET v1/regions HTTP/1.1'), [400]],
      ['an empty path', () => request('GET  HTTP/1.1'), [400]],
      ['an asterisk', () => request('OPTIONS * HTTP/1.1'), [200, 204, 400, 404, 405]],
      [
        'another host in the first line',
        () => request('GET http://elsewhere/v1/regions HTTP/1.1'),
        [200, 400, 404],
      ],
      ['another scheme', () => request('GET file:///etc/passwd HTTP/1.1'), [400, 404]],
      ['CONNECT', () => request('CONNECT elsewhere:443 HTTP/1.1'), []],
      ['TRACE, which would show headers', () => request('TRACE /v1/regions HTTP/1.1'), [404, 405]],
      ['HTTP/2 in the clear', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400]],
      ['HTTP/9.9', () => request('GET /v1/regions HTTP/9.9'), [400]],
      ['HTTP/0.9', () => 'GET /v1/regions\r\n', [400]],
      ['TLS', () => '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003', [400]],
      ['another protocol', () => 'SSH-2.0-OpenSSH_9.2\r\n', [400]],
      ['white space first', () => ` ${request('GET /v1/regions HTTP/1.1')}`, [400]],
      // Request smuggling: ambiguous boundaries between requests.
      [
        'a length and chunks',
        () => request('POST /v1/regions HTTP/1.1', 'Content-Length: 4', 'Transfer-Encoding: chunked'),
        [400],
      ],
      [
        'two lengths',
        () => request('POST /v1/regions HTTP/1.1', 'Content-Length: 0', 'Content-Length: 9'),
        [400],
      ],
      ['lengths in one header', () => request('POST /v1/regions HTTP/1.1', 'Content-Length: 0, 9'), [400]],
      ['a length with a sign', () => request('POST /v1/regions HTTP/1.1', 'Content-Length: +9'), [400]],
      ['a negative length', () => request('POST /v1/regions HTTP/1.1', 'Content-Length: -1'), [400]],
      [
        'a length beyond any number',
        () => request('POST /v1/regions HTTP/1.1', `Content-Length: ${'9'.repeat(40)}`),
        [400],
      ],
      [
        'a length beyond the limit',
        () =>
          request(
            'POST /v1/regions HTTP/1.1',
            'Content-Type: application/json',
            'Content-Length: 9007199254740991',
          ),
        [413],
      ],
      [
        'an unknown transfer encoding',
        () => request('POST /v1/regions HTTP/1.1', 'Transfer-Encoding: xchunked'),
        [400, 501],
      ],
      [
        'chunks twice',
        () => request('POST /v1/regions HTTP/1.1', 'Transfer-Encoding: chunked, identity'),
        [400],
      ],
      [
        'a chunk that is no number',
        () =>
          `${request('POST /v1/regions HTTP/1.1', 'Content-Type: application/json', 'Transfer-Encoding: chunked')}zz\r\n${region_}\r\n0\r\n\r\n`,
        [400],
      ],
      [
        'a chunk size beyond any number',
        () =>
          `${request('POST /v1/regions HTTP/1.1', 'Content-Type: application/json', 'Transfer-Encoding: chunked')}${'f'.repeat(20)}\r\n`,
        [400],
      ],
      [
        'a long chunk extension',
        () =>
          `${request('POST /v1/regions HTTP/1.1', 'Content-Type: application/json', 'Transfer-Encoding: chunked')}1;${'a'.repeat(40_000)}\r\n{`,
        [400, 413],
      ],
      [
        'a body that is shorter than its length',
        () =>
          `${request('POST /v1/regions HTTP/1.1', 'Content-Type: application/json', 'Content-Length: 999')}${region_}`,
        [],
      ],
      [
        'a GET body that contains a request',
        () =>
          `${request('GET /v1/regions HTTP/1.1', 'Content-Length: 40')}${'POST /v1/regions HTTP/1.1\r\nHost: a\r\n\r\n'.padEnd(40)}`,
        [200],
      ],
      [
        'a request after the last one',
        () => `${request('GET /v1/regions HTTP/1.1')}POST /v1/regions HTTP/1.1\r\n\r\n`,
        [200, 400],
      ],
    ])('%s', async (what, text, expected) => {
      const responses = await sendBytes(text(), expected.length === 0);
      expectValidResponses(what, responses);
      const statuses = responses.map(({ status }) => status);
      if (expected.length === 0) expect(statuses.filter((status) => status < 400)).toEqual([]);
      else expect(expected).toContain(statuses[0]);
      expect(statuses.length).toBeLessThan(2);
    });

    it('fifty pipelined requests get a response each', async () => {
      const one = request('GET /v1/regions?limit=1 HTTP/1.1').replace('Connection: close\r\n', '');
      const responses = await sendBytes(one.repeat(49) + request('GET /v1/regions?limit=1 HTTP/1.1'));
      expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200));
    }, 60_000);

    it(
      'randomly altered requests get the standard error body or a closed connection',
      async () => {
        const whole = [
          request('GET /v1/regions?name=a HTTP/1.1', 'X-Request-Id: abc', 'If-Match: "1"'),
          request(
            'PUT /v1/regions/987654321 HTTP/1.1',
            'Content-Type: application/json',
            'Content-Length: 12',
          ) + '{"note":"n"}',
          request(
            'POST /v1/regions?dry_run=true HTTP/1.1',
            'Content-Type: application/json',
            'Transfer-Encoding: chunked',
          ) + '14\r\n{"name":"as-it-were"}\r\n0\r\n\r\n',
        ].map((text) => Buffer.from(text, 'latin1'));
        const byte = fc.oneof(
          fc.constantFrom(...Buffer.from('\r\n\t \0:,;/%?#"\'\\{}[]0-9\u007f\u0080\u00ff', 'latin1')),
          fc.integer({ min: 0, max: 255 }),
        );
        const change = fc.record({
          at: fc.nat(1_000),
          cut: fc.nat(3),
          put: fc.array(byte, { maxLength: 3 }),
        });
        await fc.assert(
          fc.asyncProperty(
            fc.constantFrom(...whole),
            fc.array(change, { minLength: 1, maxLength: 4 }),
            async (bytes, changes) => {
              const altered = changes.reduce((left, { at, cut, put }) => {
                const from = at % left.length;
                return Buffer.concat([left.subarray(0, from), Buffer.from(put), left.subarray(from + cut)]);
              }, bytes);
              expectValidResponses(altered.toString('latin1'), await sendBytes(altered, true));
            },
          ),
          { numRuns: RUNS, seed: SEED },
        );
      },
      120_000 + RUNS * 200,
    );

    it('closed connections leave no active database query', async () => {
      await secondConnection.untilIdle();
    });
  });
});

/** Splits the received bytes into responses, by length or up to the end. */
function parseResponses(bytes: Buffer): RawResponse[] {
  const responses: RawResponse[] = [];
  for (let rest = bytes; rest.length > 0;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) throw new Error(`not an HTTP response: ${rest.toString('latin1').slice(0, 500)}`);
    const headers = rest.subarray(0, end).toString('latin1');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(headers)?.[1]);
    const length = /^content-length: (\d+)$/im.exec(headers)?.[1];
    const [start, isChunked] = [end + 4, /^transfer-encoding: chunked$/im.test(headers)];
    const isToEnd = length === undefined && !isChunked && status >= 200;
    const over = isChunked
      ? rest.indexOf('0\r\n\r\n', start) + 5
      : isToEnd
        ? rest.length
        : start + Number(length ?? 0);
    // 100 Continue is not a final response.
    if (status !== 100)
      responses.push({ status, headers, body: isChunked ? '' : rest.subarray(start, over).toString() });
    rest = rest.subarray(over);
  }
  return responses;
}
