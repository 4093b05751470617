import { once } from 'node:events';
import { connect } from 'node:net';
import { startApp, type TestApp } from '../support/app';

/** What is no HTTP never reaches a route, and has the one error body all the same. */
describe('a request that is not HTTP as it should be', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  /** Sends bytes as they are, and answers what comes back until the connection ends. */
  async function sent(text: string): Promise<{ status: number; headers: string; body: unknown }> {
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
  ])('%s', async (_, text) => {
    const { status, headers, body } = await sent(text);
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
});
