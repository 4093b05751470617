import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { sharedService } from '../../support/service';
import type { Caller, Resource } from '../../support/caller';
import { authHeaders, sendRaw } from '../../support/http-exchange';
import { asLines, sendImport } from '../../support/importing';
import { Api } from './api';
import { LONE_SURROGATE, NUL, WIDE_OBJECT } from './catalogue';
import { Client } from './wire';

/** Defects that random requests have found. */
describe('regressions found by random requests', () => {
  const app = sharedService();
  let admin: Caller;
  let region: Resource;
  beforeAll(async () => {
    admin = await app.project();
    region = await admin.region();
  });
  const device = () => ({ name: 'd', region_id: region.id, ip_address: '10.0.0.1', device_type: 'server' });

  it.each<[string, (value: unknown) => [string, object]]>([
    ['a string', (value) => ['/v1/hosts', { ...device(), ip_address: value }]],
    ['one of several', (value) => ['/v1/hosts', [device(), { ...device(), name: value }]]],
    ['an array', (value) => ['/v1/users', { username: 'u', roles: [value] }]],
    ['labels', (value) => ['/v1/regions', { name: 'r', labels: [value] }]],
    ['a note', (value) => ['/v1/changes/1/revert', { note: value }]],
  ])('400: a member `constructor` within %s', async (_, request) => {
    for (const value of [{ constructor: 'x' }, { a: [{ constructor: { prototype: { polluted: true } } }] }]) {
      const [path, body] = request(value);
      expect((await admin.post(path, body)).body).toMatchObject({ code: 'invalid_request' });
    }
    expect('polluted' in {}).toBe(false);
  });

  it('accepts a variable named `constructor`', async () => {
    const { body } = await admin
      .post('/v1/regions', '{"name":"c","variables":{"constructor":{"constructor":1}}}')
      .expect(201);
    expect(body.variables).toEqual({ constructor: { constructor: 1 } });
  });

  it('reports the first hundred of many faults, and the number of the others', async () => {
    const response = await admin.post('/v1/cells', WIDE_OBJECT).expect(400);
    expect(response.body.details).toHaveLength(100);
    expect(response.body.message).toMatch(/; and 1999\d\d more$/);
    expect(response.text.length).toBeLessThan(20_000);
    const items = JSON.stringify(Array.from({ length: 1_000 }, () => ({ a: 1, b: 2 })));
    expect((await admin.post('/v1/cells', items).expect(400)).body.details).toHaveLength(100);
  });

  it('truncates the name of an unknown member', async () => {
    const response = await admin.post('/v1/cells', { ['x'.repeat(100_000)]: 1 }).expect(400);
    expect(response.text.length).toBeLessThan(2_000);
    expect(response.body.details[0].field).toMatch(/^x{300}…$/);
  });

  it.each([
    ['a NUL', NUL],
    ['a lone surrogate', LONE_SURROGATE],
  ])('explains that %s cannot be stored', async (_, text) => {
    const variables = JSON.stringify({ k: text });
    for (const body of [`{"name":"v","variables":${variables}}`, `[{"name":"v","variables":${variables}}]`]) {
      const { message } = (await admin.post('/v1/regions', body).expect(400)).body as { message: string };
      expect(message).toMatch(/a value that cannot be stored: a NUL character or a lone surrogate\.$/);
    }
  });

  it.each(['[::1', 'a"b', 'elsewhere.example/"><script>', 'a b', 'user@host', 'host:port'])(
    '400: an invalid Host, which would become part of links: %s',
    async (host) => {
      const { body } = await admin.get('/v1/devices', { Host: host }).expect(400);
      expect(body).toMatchObject({ code: 'invalid_request', details: [{ field: 'Host' }] });
    },
  );

  it.each(['muster', 'muster.example:8443', '[::1]:80', '10.0.0.1', 'a_b-c', 'xn--mnchen-3ya.de'])(
    'builds links from a valid Host: %s',
    async (host) => {
      const { body } = await admin.get('/v1/devices', { Host: host }).expect(200);
      expect(body.links[0].href).toBe(`http://${host}/v1/devices`);
    },
  );

  it('serves a request with an unknown Expect header', async () => {
    const client = new Client(app.url);
    const headers = Object.entries({ Host: 'muster', ...authHeaders(admin.credentials), Expect: '200-ok' });
    const response = await client.send({
      method: 'GET',
      path: '/v1/regions',
      headers,
      body: undefined,
      note: '',
    });
    client.close();
    expect(response.status).toBe(200);
  });

  it.each(['text/plain', 'application/json', 'multipart/form-data; boundary=x'])(
    'ignores the body of a GET request, also of type %s',
    async (type) => {
      const headers = { 'Content-Type': type, 'Content-Length': '1' };
      for (const path of ['/v1/regions', `/v1/regions/${String(region.id)}`, '/healthz'])
        await admin.send('get', path, undefined, headers).send('{').expect(200);
      expect(
        await sendRaw(`${app.url}/v1/regions`, {
          method: 'HEAD',
          headers: authHeaders(admin.credentials),
        }),
      ).toMatchObject({ status: 200, text: '' });
    },
  );

  const openRequest = (headers: Record<string, string>) => {
    const { hostname: host, port } = new URL(app.url);
    const all = { ...authHeaders(admin.credentials), 'Content-Type': 'application/json', ...headers };
    return httpRequest({ host, port, method: 'POST', path: '/v1/regions', headers: all });
  };

  it('413 at once for a Content-Length far above the limit', async () => {
    const request = openRequest({ 'Content-Length': '999999999999' });
    // The service closes the connection, which raises an error here.
    request.on('error', () => undefined);
    const responseEvent = once(request, 'response');
    request.flushHeaders();
    const [response] = (await responseEvent) as [{ statusCode?: number }];
    expect(response.statusCode).toBe(413);
    request.destroy();
  });

  it('413 or a closed connection for an endless body, as a client that still sends may miss the response', async () => {
    const endless = openRequest({});
    const chunk = Buffer.alloc(1024 * 1024, ' ');
    const more = (): void => {
      if (!endless.destroyed) endless.write(chunk, more);
    };
    const outcome = new Promise<number | string | undefined>((resolve) => {
      endless.once('response', ({ statusCode }) => {
        resolve(statusCode);
      });
      endless.on('error', ({ code }: NodeJS.ErrnoException) => {
        resolve(code);
      });
    });
    more();
    expect([413, 'EPIPE', 'ECONNRESET']).toContain(await outcome);
    endless.destroy();
  });

  it('describes the response of an import dry run', async () => {
    const { operations, validators } = await Api.of(app);
    const found = operations.find(({ route }) => route === 'POST /v1/import');
    const schema = found?.responses['200']?.content?.['application/json']?.schema ?? {};
    for (const query of ['?dry_run=true', '']) {
      const { body } = await sendImport(admin, asLines([{ kind: 'label', label: 'tried' }]), query).expect(
        200,
      );
      expect(validators.faults(schema, body)).toEqual([]);
    }
  });

  it('describes the media types of imports, and 413 and 415 for every write with a body', async () => {
    const { operations } = await Api.of(app);
    const found = operations.find(({ route }) => route === 'POST /v1/import');
    expect(Object.keys(found?.requestBody?.content ?? {})).toEqual(['application/x-ndjson', 'text/csv']);
    const writes = operations.filter(
      ({ method, requestBody }) => method !== 'GET' && (method !== 'DELETE' || requestBody),
    );
    expect(writes.length).toBeGreaterThan(50);
    for (const { route, responses } of writes)
      expect([route, Object.keys(responses)]).toEqual([route, expect.arrayContaining(['413', '415'])]);
  });
});
