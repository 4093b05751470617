import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { startService, type OwnService } from '../support/service';
import { Bystander } from '../support/bystander';
import type { Caller } from '../support/caller';
import { authHeaders } from '../support/exchange';
import { RawConnection, requestText } from '../support/raw-connection';
import { until } from '../support/until';

jest.setTimeout(180_000);

const PATIENCE = 60;

/** What is no HTTP never reaches a route, and has the one error body all the same. */
describe('a request that is not HTTP as it should be', () => {
  let app: OwnService;
  beforeAll(async () => {
    app = await startService({ HEADER_SECONDS: '1' });
  });
  afterAll(() => app.stop());

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

  it.each(['Host', 'Authorization', 'X-Auth-Token', 'X-Auth-User', 'X-Auth-Project'])(
    'has %s twice',
    async (name) => {
      const { token, user, project } = app.root.credentials;
      const values: Record<string, string> = {
        Host: 'muster',
        Authorization: `Bearer ${token}`,
        'X-Auth-Token': token,
        'X-Auth-User': user,
        'X-Auth-Project': project,
      };
      const lines = Object.entries(values).map(([header, value]) => `${header}: ${value}`);
      const text = (...more: string[]) =>
        ['GET /v1/regions HTTP/1.1', ...lines, 'Connection: close', ...more, '', ''].join('\r\n');
      expect((await sent(text())).status).toBe(200);
      const message = 'must be sent only once';
      for (const value of [values[name], 'Basic YTpi'])
        for (const spelling of [name, name.toLowerCase()]) {
          const { status, headers, body } = await sent(text(`${spelling}: ${String(value)}`));
          expect(status).toBe(400);
          expect(body).toEqual({
            code: 'invalid_request',
            message: `${name}: ${message}`,
            details: [{ field: name, message }],
            request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          });
          expect(headers).toContain('connection: close');
        }
    },
  );

  describe('behind another that is at work', () => {
    let bystander: Bystander;
    let admin: Caller;
    beforeAll(async () => {
      bystander = await Bystander.on(app.databaseUrl);
      admin = await app.project();
    });
    afterAll(() => bystander.close());

    const written = (connection: RawConnection) =>
      until('all is answered', PATIENCE, () => Promise.resolve(connection.isEnded));
    const notes = async (ids: readonly unknown[]) =>
      Promise.all(
        ids.map(async (id) => (await admin.get(`/v1/regions/${String(id)}`)).body as { note: string }),
      );

    it.each([
      ['no HTTP', 'FETCH /v1/hosts HTTP/1.1\r\n\r\n'],
      ['half of its headers', 'GET /v1/hosts HTTP/1.1\r\nHost: '],
      [
        'a body that is no body',
        request('POST /v1/regions HTTP/1.1', 'Transfer-Encoding: chunked') + 'none\r\n',
      ],
      ['what proxies are asked', request('CONNECT elsewhere:443 HTTP/1.1')],
    ])('%s waits until that is answered', async (_, bad) => {
      const headers = { ...authHeaders(admin.credentials), 'Content-Type': 'application/json' };
      const ids = [(await admin.region()).id, (await admin.region()).id];
      const letGo = await bystander.hold({
        text: 'SELECT FROM regions WHERE id = ANY ($1) FOR UPDATE',
        values: [ids],
      });
      const connection = await RawConnection.to(app.url);
      for (const id of ids)
        connection.write(requestText('PUT', `/v1/regions/${String(id)}`, headers, '{"note": "kept"}'));
      await bystander.waiting(1);
      connection.write(bad);
      // It has come, and the time for its headers is over, as another tells that came later.
      const other = await RawConnection.to(app.url);
      other.write('GET /v1/hosts HTTP/1.1\r\nHost: ');
      await written(other);
      expect(other.answers).toMatchObject([{ status: 400 }]);
      expect(connection.answers).toEqual([]);
      await letGo();
      await written(connection);
      expect(connection.answers.map(({ status }) => status)).toEqual([200, 200, 400]);
      expect(await notes(ids)).toMatchObject([{ note: 'kept' }, { note: 'kept' }]);
    });
  });

  it('ends a connection, also of who does not', async () => {
    const connection = await RawConnection.to(app.url);
    connection.write(request('CONNECT elsewhere:443 HTTP/1.1'));
    const server: Server = app.nest.getHttpServer();
    await until(
      'nobody is connected',
      PATIENCE,
      () =>
        new Promise<boolean>((resolve, reject) => {
          server.getConnections((error, count) => {
            if (error) reject(error);
            else resolve(count === 0);
          });
        }),
    );
    expect(connection.answers).toMatchObject([{ status: 400 }]);
  });
});
