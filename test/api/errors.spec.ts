import { gzipSync } from 'node:zlib';
import { sharedService } from '../support/service';
import { aName, type Caller, type Resource } from '../support/caller';
import { describedOperations, type DescribedOperation } from '../support/description';
import { authHeaders, sendRaw, type HttpResponse } from '../support/http-exchange';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

interface ErrorBody {
  readonly message: string;
  readonly details: readonly { readonly field: string; readonly message: string }[];
  readonly request_id: string;
}

/** Checks a response against the common error body, and returns that body. */
function expectError(
  response: Pick<HttpResponse, 'status' | 'headers' | 'body'>,
  status: number,
  code: string,
  ...fields: string[]
): ErrorBody {
  expect({ status: response.status, body: response.body }).toEqual({
    status,
    body: {
      code,
      message: expect.stringMatching(/\S/),
      details: expect.any(Array),
      request_id: response.headers['x-request-id'],
    },
  });
  expect(response.headers['content-type']).toMatch(/^application\/json/);
  expect(response.headers).not.toHaveProperty('etag');
  const error = response.body as ErrorBody;
  for (const detail of error.details)
    expect(detail).toMatchObject({
      field: expect.any(String),
      code: expect.stringMatching(/^[a-z_]+$/),
      message: expect.stringMatching(/\S/),
    });
  if (fields.length > 0) expect(error.details.map((detail) => detail.field)).toEqual(fields);
  return error;
}

/** A minimal body for a write without required members. */
const minimalBody = ({ path, members }: DescribedOperation): object | undefined =>
  path.endsWith('/variables') ? { key: 'a', value: 1 } : members && {};

describe('errors', () => {
  const app = sharedService();
  let admin: Caller;
  let region: Resource;
  // Most requests here are rejected, so all tests share a project.
  beforeAll(async () => {
    admin = await app.project();
    region = await admin.region();
  });

  describe('400 invalid_request', () => {
    it('reports all faults of a body at once', async () => {
      const body = { name: 7, region_id: 'x', ip_address: '10.0.0', active: 'yes', labels: 5, colour: 'red' };
      const response = await admin.post('/v1/hosts', body);
      const { message, details } = expectError(response, 400, 'invalid_request');
      const fields = details.map((detail) => detail.field);
      expect(fields.sort()).toEqual(
        ['active', 'colour', 'device_type', 'ip_address', 'labels', 'name', 'region_id'].sort(),
      );
      for (const field of fields) expect(message).toContain(field);
    });

    it.each(['{', '', ' ', '{"name":}', "{'name':'x'}", '{"name":"x"}}', '{"name":"x",}', 'name', '\u0000'])(
      'a body that is not JSON: %j',
      async (text) => {
        expectError(await admin.post('/v1/regions', text), 400, 'invalid_request');
      },
    );

    it.each(['[]', 'null', '1', '"name"', 'true', '["x"]'])(
      'a body that is JSON but not an object: %s',
      async (text) => {
        expectError(await admin.post('/v1/regions', text), 400, 'invalid_request');
        expectError(await admin.put(`/v1/regions/${String(region.id)}`, text), 400, 'invalid_request');
      },
    );

    it('a body that is not UTF-8', async () => {
      const response = await raw(admin, Buffer.from('{"name":"\u00ff"}', 'latin1'));
      expect(expectError(response, 400, 'invalid_request').message).toContain('UTF-8');
    });

    it('but a byte order mark is accepted', async () => {
      const body = Buffer.from('\ufeff{"name":"with a mark","variables":{"n":1.50}}');
      const response = await raw(admin, body);
      expect(response.status).toBe(201);
      expect(response.text).toContain('"variables":{"n": 1.50}');
    });

    it('but of duplicate members the last one counts', async () => {
      const text = '{"name":"a","name":"twice","variables":{"a":1},"variables":{"b":1,"b":2}}';
      const { body } = await admin.post('/v1/regions', text).expect(201);
      expect(body).toMatchObject({ name: 'twice', variables: { b: 2 } });
    });

    it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', 'then'])(
      'a member named like a property of JavaScript objects: %s',
      async (name) => {
        const text = `{"name":"node","${name}":{"is_admin":true}}`;
        expectError(await admin.post('/v1/regions', text), 400, 'invalid_request', name);
        expectError(await admin.put(`/v1/regions/${String(region.id)}`, text), 400, 'invalid_request', name);
      },
    );

    it('any member that is nested too deeply', async () => {
      const deep = '['.repeat(90) + ']'.repeat(90);
      for (const name of ['labels', 'name', 'note', 'cells', 'variables', 'nothing_of_ours'])
        expectError(
          await admin.put(`/v1/regions/${String(region.id)}`, `{"${name}":${deep}}`),
          400,
          'invalid_request',
          name,
        );
      const device = await admin.networkDevice();
      const path = `/v1/network-devices/${String(device.id)}`;
      expectError(await admin.put(path, `{"vlans":${deep}}`), 400, 'invalid_request', 'vlans');
      expectError(await admin.put(`${path}/variables`, `{"deep":${deep}}`), 400, 'invalid_request');
      expectError(await admin.put(`${path}/labels`, `{"labels":${deep}}`), 400, 'invalid_request', 'labels');
      expectError(
        await admin.post('/v1/users', `{"username":"deep","roles":${deep}}`),
        400,
        'invalid_request',
      );
      expectError(await admin.post('/v1/regions', deep), 400, 'invalid_request');
    });

    it('strings that PostgreSQL cannot store: NUL and lone surrogates', async () => {
      const device = await admin.networkDevice();
      const path = `/v1/network-devices/${String(device.id)}`;
      for (const fault of ['\\u0000', '\\ud800', 'x\\udc00'])
        for (const text of [
          `{"name":"${fault}"}`,
          `{"note":"${fault}"}`,
          `{"device_type":"${fault}"}`,
          `{"model_name":"${fault}"}`,
          `{"labels":"${fault}"}`,
          `{"labels":["${fault}"]}`,
          `{"vlans":["${fault}"]}`,
          `{"vlans":{"${fault}":1}}`,
          `{"variables":{"a":"${fault}"}}`,
          `{"variables":{"a":{"${fault}":1}}}`,
          `{"variables":{"a${fault}":1}}`,
        ])
          expectError(await admin.put(path, text), 400, 'invalid_request');
      expect((await admin.get(path)).body.version).toBe(1);
    });

    it('numbers that PostgreSQL cannot represent', async () => {
      const path = `/v1/regions/${String(region.id)}/variables`;
      expectError(await admin.put(path, '{"n":1e999999}'), 400, 'invalid_request');
      await admin.put(path, '{"n":1e400}').expect(200);
    });

    it.each(['1e400', '9223372036854775808', '1.5', '"1"', 'true', '[1]', '{"id":1}'])(
      'an invalid id in a body: %s',
      async (id) => {
        const text = `{"name":"node","ip_address":"10.0.0.1","device_type":"x","region_id":${id}}`;
        expectError(await admin.post('/v1/hosts', text), 400, 'invalid_request', 'region_id');
      },
    );

    it.each([
      '/v1/hosts/%zz',
      '/v1/hosts/%',
      '/v1/hosts/%E0%A4%A',
      '/v1/hosts/%FF',
      '/v1/hosts/%C0%80/variables',
      '/v1/projects/%zz',
    ])('a path with invalid percent-encoding: %s', async (path) => {
      expectError(await app.root.get(path), 400, 'invalid_request');
      expectError(await app.root.put(path, {}), 400, 'invalid_request');
      expectError(await app.root.delete(path), 400, 'invalid_request');
    });

    it('a reason that is too long', async () => {
      const response = await admin.post(
        '/v1/regions',
        { name: 'r' },
        { 'X-Change-Reason': 'x'.repeat(2001) },
      );
      expectError(response, 400, 'invalid_request', 'X-Change-Reason');
    });
  });

  describe('401 unauthenticated', () => {
    it('has one message for every cause, with WWW-Authenticate', async () => {
      const other = await app.project();
      const { token, user, project } = admin.credentials;
      const faulty: Record<string, string>[] = [
        {},
        { 'X-Auth-User': user, 'X-Auth-Project': project },
        { 'X-Auth-Token': token, 'X-Auth-Project': project },
        { 'X-Auth-Token': token, 'X-Auth-User': user },
        { 'X-Auth-Token': `${token}x`, 'X-Auth-User': user, 'X-Auth-Project': project },
        { 'X-Auth-Token': token.slice(0, -1), 'X-Auth-User': user, 'X-Auth-Project': project },
        {
          'X-Auth-Token': 'mst_0000000000000000_' + 'A'.repeat(43),
          'X-Auth-User': user,
          'X-Auth-Project': project,
        },
        { 'X-Auth-Token': token, 'X-Auth-User': 'nobody', 'X-Auth-Project': project },
        { 'X-Auth-Token': token, 'X-Auth-User': user.toUpperCase(), 'X-Auth-Project': project },
        { 'X-Auth-Token': token, 'X-Auth-User': user, 'X-Auth-Project': other.projectId },
        { 'X-Auth-Token': token, 'X-Auth-User': user, 'X-Auth-Project': 'no project' },
        {
          'X-Auth-Token': token,
          'X-Auth-User': user,
          'X-Auth-Project': '00000000-0000-4000-8000-000000000000',
        },
        { Authorization: 'Bearer nonsense' },
        { Authorization: `Basic ${token}` },
        { Authorization: `Bearer ${token}`, 'X-Auth-User': 'nobody' },
        { Authorization: `Bearer ${token}`, 'X-Auth-Project': other.projectId },
        { Authorization: `Bearer ${token}`, 'X-Auth-Token': other.credentials.token },
      ];
      const messages = new Set<string>();
      for (const headers of faulty) {
        const response = await sendRaw(`${app.url}/v1/regions`, { headers });
        const { message, details } = expectError(response, 401, 'unauthenticated');
        expect(response.headers['www-authenticate']).toMatch(/^Bearer\b/);
        messages.add(JSON.stringify([message, details]));
      }
      expect(messages.size).toBe(1);
    });

    it('does not apply to a project id in any form, or a bearer token alone', async () => {
      const { token, user, project } = admin.credentials;
      for (const headers of [
        { 'X-Auth-Token': token, 'X-Auth-User': user, 'X-Auth-Project': project.toUpperCase() },
        { 'X-Auth-Token': token, 'X-Auth-User': user, 'X-Auth-Project': project.replaceAll('-', '') },
        { Authorization: `Bearer ${token}` },
        { Authorization: `bearer ${token}`, 'X-Auth-User': user, 'X-Auth-Project': project },
        { Authorization: `Bearer ${token}`, 'X-Auth-Token': token },
      ] as Record<string, string>[])
        expect((await sendRaw(`${app.url}/v1/regions`, { headers })).body).toContainEqual(
          expect.objectContaining({ id: region.id }),
        );
    });
  });

  it('403 forbidden: the roles do not allow it', async () => {
    const reader = await admin.user();
    const path = `/v1/regions/${String(region.id)}`;
    for (const call of [
      reader.post('/v1/regions', { name: 'r' }),
      reader.put(path, { name: 'r' }),
      reader.delete(path),
      reader.put(`${path}/variables`, { a: 1 }),
      reader.delete(`${path}/variables`, ['a']),
      reader.get('/v1/access-secrets'),
      reader.post('/v1/users', { username: 'u' }),
      admin.get('/v1/projects'),
      admin.post('/v1/projects', { name: 'p' }),
      admin.post('/v1/users', { username: 'u', is_root: true }),
    ])
      expectError(await call, 403, 'forbidden');
  });

  describe('404 not_found', () => {
    it.each([
      '/index.html',
      '/v1',
      '/v1/',
      '/v1/nothing',
      '/v1/hosts/1/nothing',
      '/v2/hosts',
      '/v1/hosts/1/variables/a/b',
    ])('a path that does not exist: %s', async (path) => {
      for (const method of ['get', 'post', 'put', 'delete', 'patch'] as const)
        expectError(await admin.send(method, path), 404, 'not_found');
    });

    it('has the same message for an absent resource and one of another project', async () => {
      const other = await app.project();
      const foreign = await other.region();
      const messageFor = async (id: string) => {
        const response = await admin.get(`/v1/regions/${id}`);
        const { message, details } = expectError(response, 404, 'not_found', 'id');
        return message.replace(id, '…') + JSON.stringify(details);
      };
      expect(await messageFor(String(foreign.id))).toBe(await messageFor('987654321'));
    });

    it.each([
      ['99999999999999999999', 0],
      ['-3', 1],
      ['0', 2],
    ])('names the requested id: %s', async (id, turn) => {
      const operations = await describedOperations(app);
      const byId = operations.filter(
        ({ path, collection, required }) =>
          path.includes('{id}') && collection !== 'projects' && required.length === 0,
      );
      expect(byId.length).toBeGreaterThan(50);
      // All routes share the check, so each of them gets one of the three ids.
      for (const operation of byId.filter((_, i) => i % 3 === turn)) {
        const { method, path } = operation;
        const response = await app.root.send(
          method,
          path
            .replace('{id}', id)
            .replace('{key}', 'a')
            .replace('{key_id}', '0123456789abcdef')
            .replace('{revision}', '1'),
          method === 'get' ? undefined : minimalBody(operation),
        );
        const { message } = expectError(response, 404, 'not_found', 'id');
        expect([method, path, message.replace(/[a-z-]+ (\S+)$/, '… $1')]).toEqual([
          method,
          path,
          `There is no … ${id}.`,
        ]);
      }
      for (const name of ['region_id', 'cell_id', 'parent_id', 'cloud_id']) {
        const { message } = expectError(await admin.get(`/v1/hosts?${name}=${id}`), 404, 'not_found', name);
        expect(message).toBe(`There is no ${name === 'parent_id' ? 'device' : name.slice(0, -3)} ${id}.`);
      }
    });
  });

  describe('405', () => {
    it.each([
      ['patch', '/v1/hosts', 'GET, HEAD, POST'],
      ['delete', '/v1/hosts', 'GET, HEAD, POST'],
      ['put', '/v1/regions', 'GET, HEAD, POST'],
      ['patch', '/v1/hosts/1', 'DELETE, GET, HEAD, PUT'],
      ['post', '/v1/hosts/1', 'DELETE, GET, HEAD, PUT'],
      ['post', '/v1/hosts/1/variables', 'DELETE, GET, HEAD, PUT'],
      ['post', '/v1/network-devices/1/labels', 'DELETE, GET, HEAD, PUT'],
      ['get', '/v1/region', 'POST'],
      ['get', '/v1/users/1/api-key', 'POST'],
      ['put', '/v1/users/1/api-keys', 'GET, HEAD, POST'],
      ['get', '/v1/users/1/api-keys/0123456789abcdef', 'DELETE'],
      ['post', '/v1/devices', 'GET, HEAD'],
      // No host has the id `variables`, so this is not the path of a host.
      ['post', '/v1/hosts/variables', 'PUT'],
      ['patch', '/v1/regions/variables', 'PUT'],
      ['post', '/v1/changes/feed', 'GET, HEAD'],
      // A variable can have the key `explain`: PUT and DELETE here address it, although GET returns the explanation.
      ['post', '/v1/hosts/1/variables/explain', 'DELETE, GET, HEAD, PUT'],
      ['patch', '/v1/cells/1/variables/explain', 'DELETE, GET, HEAD, PUT'],
      ['post', '/v1/changes', 'GET, HEAD'],
      ['delete', '/v1/changes/1', 'GET, HEAD'],
      ['post', '/healthz', 'GET, HEAD'],
    ] as const)('method_not_allowed: %s %s', async (method, path, allow) => {
      const response = await admin.send(method, path);
      expectError(response, 405, 'method_not_allowed');
      expect(response.headers['allow']).toBe(allow);
    });

    it('validation_exception of a bulk update: Allow is that of the path', async () => {
      const body = { ids: [987654321], variables: { a: 1 } };
      const response = await admin.put('/v1/regions/variables', body);
      expectError(response, 405, 'validation_exception');
      expect(response.headers['allow']).toBe('PUT');
    });

    it('validation_exception: well-formed, but forbidden by the inventory', async () => {
      const response = await admin.post('/v1/cells', { name: 'c', region_id: 987654321 });
      expectError(response, 405, 'validation_exception', 'region_id');
      expect(response.headers['allow']).toBe('GET, HEAD, POST');
      const cell = await admin.cell({ region_id: region.id });
      const other = await admin.region();
      const moved = await admin.put(`/v1/cells/${String(cell.id)}`, { region_id: other.id });
      expectError(moved, 405, 'validation_exception', 'region_id');
      expect(moved.headers['allow']).toBe('DELETE, GET, HEAD, PUT');
    });
  });

  it('409 conflict: a name that is in use, and a resource still referenced, with counts', async () => {
    const used = await admin.region();
    expectError(await admin.post('/v1/regions', { name: used.name }), 409, 'conflict', 'name');
    const cell = await admin.cell({ region_id: used.id });
    await admin.host({ region_id: used.id, cell_id: cell.id });
    await admin.host({ region_id: used.id });
    const response = await admin.delete(`/v1/regions/${String(used.id)}`);
    expect(expectError(response, 409, 'conflict', 'id', 'id').message).toContain('1 cell, 2 devices');
  });

  it('412 version_mismatch', async () => {
    const path = `/v1/regions/${String(region.id)}`;
    expectError(await admin.put(path, {}, { 'If-Match': '"7"' }), 412, 'version_mismatch', 'If-Match');
  });

  it('413 payload_too_large: a body beyond the limit, compressed or not', async () => {
    // The default of BODY_LIMIT_BYTES.
    const limit = 8 * 1024 * 1024;
    const body = (length: number) => '{"name":"r"}'.padEnd(length);
    expectError(await admin.post('/v1/regions', body(limit + 1)), 413, 'payload_too_large');
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
    expectError(await raw(admin, gzipSync(body(10 * limit)), headers), 413, 'payload_too_large');
    await admin.post('/v1/regions', body(limit)).expect(201);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/xml',
    'application/json-patch+json',
    '',
  ])('415 unsupported_media_type: a body of type %j', async (type) => {
    const headers: Record<string, string> = type === '' ? {} : { 'Content-Type': type };
    expectError(await raw(admin, Buffer.from('{"name":"r"}'), headers), 415, 'unsupported_media_type');
  });

  it('415 unsupported_media_type: an encoding other than UTF-8, or an unknown compression', async () => {
    for (const headers of [
      { 'Content-Type': 'application/json; charset=iso-8859-1' },
      { 'Content-Type': 'application/json; charset=utf-16' },
      { 'Content-Type': 'application/json', 'Content-Encoding': 'compress' },
    ])
      expectError(await raw(admin, Buffer.from('{"name":"r"}'), headers), 415, 'unsupported_media_type');
  });

  it.each(['application/json; charset=utf-8', 'application/json;charset="UTF-8"', 'Application/JSON'])(
    'accepts a body of type %s',
    async (type) => {
      const body = Buffer.from(JSON.stringify({ name: aName('ü') }));
      expect((await raw(admin, body, { 'Content-Type': type })).status).toBe(201);
    },
  );

  it('a request without a body needs no Content-Type', async () => {
    await admin.get('/v1/regions', { 'Content-Type': 'text/plain' }).expect(200);
    await admin.delete(`/v1/regions/${String((await admin.region()).id)}`).expect(204);
  });

  describe('HEAD', () => {
    it.each(['/v1/regions', '/v1/devices', '/v1/changes', '/healthz'])(
      '%s returns the same as GET, without a body',
      async (path) => {
        const response = await sendRaw(app.url + path, {
          method: 'HEAD',
          headers: authHeaders(admin.credentials),
        });
        expect(response).toMatchObject({ status: 200, text: '' });
        expect(response.headers['content-type']).toMatch(/^application\/json/);
      },
    );

    it('has the entity tag of a resource, and the status of an error', async () => {
      const request = { method: 'HEAD', headers: authHeaders(admin.credentials) };
      const shown = await sendRaw(`${app.url}/v1/regions/${String((await admin.region()).id)}`, request);
      expect(shown).toMatchObject({ status: 200, headers: { etag: expect.stringMatching(/^"1-/) } });
      expect(await sendRaw(`${app.url}/v1/regions/987654321`, request)).toMatchObject({
        status: 404,
        text: '',
      });
    });
  });

  describe('X-Request-Id', () => {
    it.each(['a', 'req-1', '2f1c6f0e-8f1d-4c53-9b5e-2a4f3f2b8a10', 'A.b_c:1', 'x'.repeat(128)])(
      'is returned if it is well-formed: %s',
      async (id) => {
        const headers = { 'X-Request-Id': id };
        expect((await admin.get('/v1/regions', headers).expect(200)).headers['x-request-id']).toBe(id);
        expect(expectError(await admin.get('/v1/nothing', headers), 404, 'not_found').request_id).toBe(id);
        const closed = await sendRaw(`${app.url}/v1/regions`, { headers });
        expect(expectError(closed, 401, 'unauthenticated').request_id).toBe(id);
        expect((await admin.post('/v1/regions', '{', headers).expect(400)).body.request_id).toBe(id);
      },
    );

    it.each(['', 'a b', 'ü', 'x'.repeat(129), '<script>', 'a,b', '"x"'])(
      'is replaced by a new one otherwise: %j',
      async (id) => {
        const { headers } = await admin.get('/v1/regions', { 'X-Request-Id': id }).expect(200);
        expect(headers['x-request-id']).toMatch(UUID);
      },
    );
  });
});

/** Sends a raw body to `POST /v1/regions`. */
function raw(
  { url, credentials }: Caller,
  body: Buffer,
  headers: Record<string, string> = { 'Content-Type': 'application/json' },
): Promise<HttpResponse> {
  return sendRaw(`${url}/v1/regions`, {
    method: 'POST',
    headers: { ...authHeaders(credentials), ...headers },
    body,
  });
}
