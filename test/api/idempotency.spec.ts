import type { Response, Test } from 'supertest';
import { sharedService } from '../support/service';
import { SecondConnection, lockRegionName } from '../support/second-connection';
import { aName, Caller, type Resource } from '../support/caller';
import { inOneProject, someCollections } from '../support/collections';
import { query } from '../support/database';
import { startLossyProxy } from '../support/lossy-proxy';
import { restoreProject } from '../support/reverts';
import { until } from '../support/until';

/** The response without the parts that differ between requests. */
const comparable = ({ status, text, headers }: Response) => ({
  status,
  text,
  headers: ['content-type', 'location', 'etag'].map((name) => headers[name]),
});
const isReplay = ({ headers }: Response): boolean => headers['idempotency-replayed'] === 'true';

describe('Idempotency-Key', () => {
  const app = sharedService();
  const shared = inOneProject(app);
  let admin: Caller;
  let secondConnection: SecondConnection;
  beforeAll(async () => {
    secondConnection = await SecondConnection.connect(app.databaseUrl);
  });
  afterAll(() => secondConnection.close());
  beforeEach(async () => {
    admin = await app.project();
  });

  const post = (caller: Caller, path: string, body: unknown, key: string): Test =>
    caller.post(path, body, { 'Idempotency-Key': key });
  const records = async (caller: Caller): Promise<number> =>
    ((await caller.get('/v1/changes?limit=10000').expect(200)).body as unknown[]).length;
  const regions = async (caller: Caller): Promise<Resource[]> =>
    (await caller.get('/v1/regions').expect(200)).body as Resource[];

  describe('replays the response of a repeated request without executing it again', () => {
    it.each(someCollections)('for %s', async (_, one) => {
      const caller = await one.caller(shared);
      const body = await one.body(caller);
      const path = `/v1/${one.collection}`;
      const key = aName('once');
      const first = await post(caller, path, body, key).expect(201);
      expect(isReplay(first)).toBe(false);
      for (let again = 0; again < 2; again++) {
        const later = await post(caller, path, body, key).expect(201);
        expect(comparable(later)).toEqual(comparable(first));
        expect(isReplay(later)).toBe(true);
        const id = String(later.headers['x-request-id']);
        expect(id).not.toBe(first.headers['x-request-id']);
        expect((await app.root.get(`/v1/changes?request_id=${id}`).expect(200)).body).toEqual([]);
      }
    });

    it('for each PUT and DELETE of a host', async () => {
      const { id } = await admin.host({ variables: { a: 1 }, labels: ['one'] });
      const path = `/v1/hosts/${String(id)}`;
      const writes = [
        ['put', path, { device_type: 'blade' }],
        ['put', `${path}/variables`, '{"b": 1.50}'],
        ['put', `${path}/variables/c`, '{"value": 2.50}'],
        ['put', `${path}/labels`, { labels: ['two'] }],
        ['put', '/v1/hosts/variables', { ids: [id], variables: { d: 3 } }],
        ['put', `/v1/projects/${admin.projectId}/settings`, { private: ['hush'] }],
        ['delete', `${path}/variables`, ['a']],
        ['delete', `${path}/variables/b`, undefined],
        ['delete', `${path}/labels`, { labels: ['one'] }],
        ['delete', path, undefined],
      ] as const;
      for (const [i, [method, url, body]] of writes.entries()) {
        const headers = { 'Idempotency-Key': `key ${String(i)}` };
        const first = await admin.send(method, url, body, headers);
        expect([method, url, first.status, isReplay(first)]).toEqual([
          method,
          url,
          method === 'put' ? 200 : 204,
          false,
        ]);
        const written = await records(admin);
        const later = await admin.send(method, url, body, headers);
        expect([comparable(later), isReplay(later)]).toEqual([comparable(first), true]);
        expect(await records(admin)).toBe(written);
      }
      // The deletion is answered again; another key finds nothing.
      await admin.delete(path, undefined, { 'Idempotency-Key': 'another' }).expect(404);
    });

    it('also of a DELETE by UUID, which finds nothing then', async () => {
      const { uuid } = await admin.host();
      const [path, headers] = [`/v1/hosts/${uuid}`, { 'Idempotency-Key': 'by uuid' }];
      await admin.delete(path, undefined, headers).expect(204);
      expect(isReplay(await admin.delete(path, undefined, headers).expect(204))).toBe(true);
      await admin.delete(path, undefined, { 'Idempotency-Key': 'another' }).expect(404);
      await admin.delete(path).expect(404);
    });

    it('a PUT with another body and the same key is a conflict', async () => {
      const { id } = await admin.cloud();
      const path = `/v1/clouds/${String(id)}`;
      await admin.put(path, { name: aName('cloud') }, { 'Idempotency-Key': 'k' }).expect(200);
      await admin.put(path, { name: aName('cloud') }, { 'Idempotency-Key': 'k' }).expect(409);
      await admin.delete(path, undefined, { 'Idempotency-Key': 'k' }).expect(409);
    });

    it('for the path /v1/region', async () => {
      const first = await post(admin, '/v1/region', { name: 'a' }, 'k').expect(201);
      expect(comparable(await post(admin, '/v1/region', { name: 'a' }, 'k'))).toEqual(comparable(first));
      expect(await regions(admin)).toHaveLength(1);
    });

    it('for the revert of a change', async () => {
      const { id } = await admin.cloud();
      const [made] = (await admin.get('/v1/changes?kind=cloud').expect(200)).body as Resource[];
      const path = `/v1/changes/${String(made?.id)}/revert`;
      const first = await post(admin, path, undefined, 'k').expect(201);
      const later = await post(admin, path, undefined, 'k').expect(201);
      expect(comparable(later)).toEqual(comparable(first));
      expect([isReplay(first), isReplay(later)]).toEqual([false, true]);
      expect((await admin.get(`/v1/clouds/${String(id)}/changes`).expect(200)).body).toHaveLength(2);
    });

    it('but not for dry runs', async () => {
      for (let tries = 0; tries < 2; tries++) {
        const preview = await post(admin, '/v1/clouds?dry_run=true', { name: 'a' }, 'k').expect(200);
        expect(isReplay(preview)).toBe(false);
      }
      expect(isReplay(await post(admin, '/v1/clouds', { name: 'a' }, 'k').expect(201))).toBe(false);
      const preview = await post(admin, '/v1/clouds?dry_run=true', { name: 'b' }, 'k').expect(200);
      expect(isReplay(preview)).toBe(false);
    });

    it('also if the resource was changed or deleted in between', async () => {
      const first = await post(admin, '/v1/regions', { name: 'a', variables: { big: 1 } }, 'k').expect(201);
      const path = new URL(first.headers['location'] ?? '').pathname;
      await admin.put(path, { name: 'b' }).expect(200);
      expect(comparable(await post(admin, '/v1/regions', { name: 'a', variables: { big: 1 } }, 'k'))).toEqual(
        comparable(first),
      );
      await admin.delete(path).expect(204);
      expect(comparable(await post(admin, '/v1/regions', { name: 'a', variables: { big: 1 } }, 'k'))).toEqual(
        comparable(first),
      );
      expect(await regions(admin)).toEqual([]);
    });

    it('with every digit', async () => {
      const body = '{"name": "a", "variables": {"serial": 9007199254740993, "rate": 1.50}}';
      const first = await post(admin, '/v1/regions', body, 'k').expect(201);
      expect(first.text).toContain('"serial": 9007199254740993');
      expect((await post(admin, '/v1/regions', body, 'k')).text).toBe(first.text);
    });
  });

  describe('a stored response with a new API key', () => {
    it('is replayed for the same request, and is not stored in plain text', async () => {
      const username = aName('operator');
      const made = await post(admin, '/v1/users', { username }, 'user').expect(201);
      expect((await post(admin, '/v1/users', { username }, 'user')).text).toBe(made.text);
      const { id, api_key: key } = made.body as { id: number; api_key: string };
      const path = `/v1/users/${String(id)}/api-key`;
      const renewed = await post(admin, path, undefined, 'key').expect(201);
      const again = await post(admin, path, undefined, 'key').expect(201);
      expect(comparable(again)).toEqual(comparable(renewed));
      const newKey = (renewed.body as { api_key: string }).api_key;
      expect(newKey).not.toBe(key);
      await admin
        .as({ token: newKey, user: username, project: admin.projectId })
        .get('/v1/hosts')
        .expect(200);
      const rows = await query<{ row: string; answer: Buffer }>(
        app,
        'SELECT k::text AS row, answer FROM idempotency_keys k WHERE project_id = $1',
        [admin.projectId],
      );
      expect(rows).toHaveLength(2);
      for (const { row, answer: response } of rows)
        for (const secret of [key, newKey, key.slice(-43), newKey.slice(-43), username]) {
          expect(row).not.toContain(secret);
          expect(row).not.toContain(Buffer.from(secret).toString('hex'));
          expect(response.includes(secret)).toBe(false);
        }
    });

    it('cannot be decrypted in the row of another user', async () => {
      const other = await admin.user({ is_admin: true });
      await post(admin, '/v1/clouds', { name: 'a' }, 'k').expect(201);
      await post(other, '/v1/clouds', { name: 'b' }, 'k').expect(201);
      await query(
        app,
        `UPDATE idempotency_keys k SET answer = (SELECT o.answer FROM idempotency_keys o
           WHERE o.project_id = k.project_id AND o.user_id <> k.user_id) WHERE k.project_id = $1`,
        [admin.projectId],
      );
      await post(other, '/v1/clouds', { name: 'a' }, 'k').expect(500);
    });
  });

  it('returns 409 without executing again if the stored response was encrypted with an unknown key', async () => {
    await post(admin, '/v1/access-secrets', { cert: 'c' }, 'k').expect(201);
    await query(
      app,
      `UPDATE idempotency_keys SET answer = '\\x0123456789abcdef'::bytea || substr(answer, 9) WHERE project_id = $1`,
      [admin.projectId],
    );
    const refused = await post(admin, '/v1/access-secrets', { cert: 'c' }, 'k').expect(409);
    expect(refused.body).toMatchObject({ code: 'conflict', details: [{ field: 'Idempotency-Key' }] });
    expect(refused.text).toContain('cannot be decrypted any more');
    // A retry would not help.
    expect(refused.headers['retry-after']).toBeUndefined();
    expect((await admin.get('/v1/access-secrets')).body).toHaveLength(1);
  });

  it('returns 409 without executing again if the stored response contains variables that became private', async () => {
    const hide = (keys: readonly string[]) =>
      admin.put(`/v1/projects/${admin.projectId}/settings`, { private: keys }).expect(200);
    const user = await admin.user({ roles: ['hosts:write', 'other'] });
    const { id: region_id } = await admin.region({ variables: { hush: 'do not tell' } });
    const body = { name: 'node', region_id, ip_address: '10.0.0.1', device_type: 'server' };
    const first = await post(user, '/v1/hosts', body, 'k').expect(201);
    expect(first.text).toContain('do not tell');
    await hide(['hush']);
    const refused = await post(user, '/v1/hosts', body, 'k').expect(409);
    expect(refused.body).toMatchObject({ code: 'conflict', details: [{ field: 'Idempotency-Key' }] });
    expect(refused.text).not.toMatch(/hush|do not tell/);
    expect((await admin.get('/v1/hosts').expect(200)).body).toHaveLength(1);
    await hide([]);
    expect(comparable(await post(user, '/v1/hosts', body, 'k'))).toEqual(comparable(first));
    // A response stored while the variable is private is replayed.
    await hide(['hush']);
    const withoutPrivate = await post(user, '/v1/hosts', { ...body, name: 'other' }, 'other').expect(201);
    expect(withoutPrivate.text).not.toContain('do not tell');
    expect(comparable(await post(user, '/v1/hosts', { ...body, name: 'other' }, 'other'))).toEqual(
      comparable(withoutPrivate),
    );
  });

  describe('identifies one request', () => {
    it.each([
      ['another body', '/v1/regions', '{"name":"b"}'],
      ['the same body with other whitespace', '/v1/regions', '{"name": "a"}'],
      ['no body', '/v1/regions', undefined],
      ['another path', '/v1/region', '{"name":"a"}'],
      ['another query', '/v1/regions?dry_run=false', '{"name":"a"}'],
      ['another collection', '/v1/clouds', '{"name":"a"}'],
    ])('%s with the same key is a conflict', async (_, path, body) => {
      const first = await post(admin, '/v1/regions', '{"name":"a"}', 'k').expect(201);
      const written = await records(admin);
      if (body !== undefined) {
        const refused = await post(admin, path, body, 'k').expect(409);
        expect(refused.body).toMatchObject({ code: 'conflict', details: [{ field: 'Idempotency-Key' }] });
        expect(isReplay(refused)).toBe(false);
      } else await post(admin, path, body, 'k').expect(400);
      expect(await records(admin)).toBe(written);
      // The first response is still stored.
      expect(comparable(await post(admin, '/v1/regions', '{"name":"a"}', 'k'))).toEqual(comparable(first));
    });

    it('of one user, in one project', async () => {
      const other = await admin.user({ is_admin: true });
      const elsewhere = await app.project();
      const [rootHere, rootThere] = [app.root.in(admin.projectId), app.root.in(elsewhere.projectId)];
      const made = new Set<string>();
      for (const caller of [admin, other, elsewhere, rootHere, rootThere]) {
        const response = await post(caller, '/v1/access-secrets', { cert: 'c' }, 'k').expect(201);
        expect(isReplay(response)).toBe(false);
        made.add(response.headers['location'] ?? '');
      }
      expect(made.size).toBe(5);
    });

    it('regardless of other headers', async () => {
      const first = await post(admin, '/v1/clouds', { name: 'a' }, 'k').expect(201);
      const headers = { 'Idempotency-Key': 'k', 'X-Change-Reason': 'again', 'X-Request-Id': 'again' };
      expect(comparable(await admin.post('/v1/clouds', { name: 'a' }, headers))).toEqual(comparable(first));
    });
  });

  describe('as a header', () => {
    it.each(['k', 'a b', '!~"\\', 'a, b', 'x'.repeat(255)])('accepts %j', async (key) => {
      await post(admin, '/v1/clouds', { name: 'a' }, key).expect(201);
      expect(isReplay(await post(admin, '/v1/clouds', { name: 'a' }, key).expect(201))).toBe(true);
    });

    it.each(['', 'x'.repeat(256), 'ü', 'a\tb'])('rejects %j', async (key) => {
      const { body } = await post(admin, '/v1/clouds', { name: 'a' }, key).expect(400);
      expect(body).toMatchObject({ code: 'invalid_request', details: [{ field: 'Idempotency-Key' }] });
      const preview = await post(admin, '/v1/clouds?dry_run=true', { name: 'a' }, key).expect(400);
      expect(preview.body).toMatchObject({
        code: 'invalid_request',
        details: [{ field: 'Idempotency-Key' }],
      });
    });

    it('is ignored by reads', async () => {
      const { id } = await admin.cloud();
      for (const key of ['k', 'k', 'ü', '']) {
        const response = await admin.get(`/v1/clouds/${String(id)}`, { 'Idempotency-Key': key }).expect(200);
        expect(isReplay(response)).toBe(false);
      }
    });

    it.each(['post', 'put', 'delete'] as const)('is rejected by %s of a session', async (method) => {
      const body = method === 'put' ? { project_id: admin.projectId } : undefined;
      const sent = await admin.send(method, '/v1/session', body, { 'Idempotency-Key': 'k' }).expect(400);
      expect(sent.body).toMatchObject({ details: [{ field: 'Idempotency-Key', code: 'unsupported' }] });
    });

    it('does not bypass authorization', async () => {
      const user = await admin.user({ roles: ['clouds:write'] });
      await post(user, '/v1/clouds', { name: 'a' }, 'k').expect(201);
      const { id } = (
        (await admin.get(`/v1/users?username=${user.credentials.user}`)).body as Resource[]
      )[0]!;
      await admin.put(`/v1/users/${String(id)}`, { roles: [] }).expect(200);
      await post(user, '/v1/clouds', { name: 'a' }, 'k').expect(403);
    });
  });

  it('stores no error responses', async () => {
    const { id } = await admin.cloud({ name: 'a' });
    for (let tries = 0; tries < 2; tries++) {
      const refused = await post(admin, '/v1/clouds', { name: 'a' }, 'k').expect(409);
      expect(refused.body.message).toBe('The name a is already in use.');
    }
    await admin.delete(`/v1/clouds/${String(id)}`).expect(204);
    expect(isReplay(await post(admin, '/v1/clouds', { name: 'a' }, 'k').expect(201))).toBe(false);
    // A failed request does not reserve the key either.
    await post(admin, '/v1/clouds', { name: 'a' }, 'other').expect(409);
    await post(admin, '/v1/clouds', { name: 'b' }, 'other').expect(201);
  });

  describe('with concurrent requests', () => {
    const regionLock = () => lockRegionName(admin.projectId, 'a', 'b');
    const whileLockingRegions = <T>(act: () => Promise<T>, waiting: number): Promise<T> =>
      secondConnection.whileHolding(regionLock(), act, waiting);

    it('executes one, and all get its response', async () => {
      const responses = await whileLockingRegions(
        () => Promise.all([1, 2, 3].map(() => post(admin, '/v1/regions', { name: 'a' }, 'k'))),
        3,
      );
      expect(new Set(responses.map((response) => JSON.stringify(comparable(response)))).size).toBe(1);
      expect(responses.map(({ status }) => status)).toEqual([201, 201, 201]);
      expect(responses.filter(isReplay)).toHaveLength(2);
      expect(await regions(admin)).toHaveLength(1);
    });

    it('rejects the later of two different requests', async () => {
      const responses = await whileLockingRegions(
        () => Promise.all(['a', 'b'].map((name) => post(admin, '/v1/regions', { name }, 'k'))),
        2,
      );
      expect(responses.map(({ status }) => status).sort()).toEqual([201, 409]);
      expect(await regions(admin)).toHaveLength(1);
    });

    it('executes the second if the first fails', async () => {
      const release = await secondConnection.acquire(regionLock());
      const both = Promise.all([1, 2].map(() => post(admin, '/v1/regions', { name: 'a' }, 'k')));
      try {
        await secondConnection.waiting(2);
        // The first waits for the region, and the other waits for the first.
        const [first] = await secondConnection.blockedPids();
        await secondConnection.terminate([first!]);
        await until('one has failed and the other waits for the region', 60, async () => {
          const [other, ...more] = await secondConnection.blockedPids();
          return other !== undefined && other !== first && more.length === 0;
        });
      } finally {
        await release();
      }
      const responses = await both;
      expect(responses.map(({ status }) => status).sort()).toEqual([201, 503]);
      expect(responses.filter(isReplay)).toEqual([]);
      expect(await regions(admin)).toHaveLength(1);
    });

    it('does not block other keys', async () => {
      const release = await secondConnection.acquire(regionLock());
      const waiting = Promise.all([post(admin, '/v1/regions', { name: 'a' }, 'k')]);
      try {
        await secondConnection.waiting(1);
        await post(admin, '/v1/clouds', { name: 'a' }, 'other').expect(201);
      } finally {
        await release();
      }
      expect((await waiting)[0].status).toBe(201);
    });
  });

  describe('for 24 hours', () => {
    /** Simulates that time passes. */
    const age = (age: string) =>
      query(app, 'UPDATE idempotency_keys SET created_at = now() - $2::interval WHERE project_id = $1', [
        admin.projectId,
        age,
      ]);

    it('is stored, and can be reused afterwards', async () => {
      const first = await post(admin, '/v1/clouds', { name: 'a' }, 'k').expect(201);
      await age('23 hours 59 minutes');
      expect(comparable(await post(admin, '/v1/clouds', { name: 'a' }, 'k'))).toEqual(comparable(first));
      await age('24 hours 1 second');
      const other = await post(admin, '/v1/clouds', { name: 'b' }, 'k').expect(201);
      expect(isReplay(other)).toBe(false);
      expect(comparable(await post(admin, '/v1/clouds', { name: 'b' }, 'k'))).toEqual(comparable(other));
      await post(admin, '/v1/clouds', { name: 'a' }, 'k').expect(409);
    });

    it('or until the project is deleted', async () => {
      const { body } = await app.root.post('/v1/projects', { name: aName('short-lived') }).expect(201);
      const projectId = (body as { id: string }).id;
      const there = app.root.in(projectId);
      const made = await post(there, '/v1/clouds', { name: 'a' }, 'k').expect(201);
      await there.delete(`/v1/clouds/${String((made.body as Resource).id)}`).expect(204);
      expect(isReplay(await post(there, '/v1/clouds', { name: 'a' }, 'k').expect(201))).toBe(true);
      await app.root.delete(`/v1/projects/${projectId}`).expect(204);
      await restoreProject(app.root, projectId);
      expect(isReplay(await post(there, '/v1/clouds', { name: 'a' }, 'k').expect(201))).toBe(false);
    });
  });

  describe('if the connection is lost', () => {
    it('after the commit and before the response: a retry gets the response of the first request', async () => {
      const proxy = await startLossyProxy(app.url);
      const { id: region_id } = await admin.region();
      const location = { region_id, ip_address: '10.0.0.1', device_type: 'server' };
      const body = { name: 'node', ...location, variables: { a: 1 } };
      try {
        const viaProxy = new Caller(proxy.url, admin.credentials);
        for (let tries = 1; tries <= 3; tries++) {
          await expect(post(viaProxy, '/v1/hosts', body, 'k')).rejects.toMatchObject({ code: 'ECONNRESET' });
          expect(proxy.lost).toBe(tries);
        }
        proxy.stopLosing();
        const response = await post(viaProxy, '/v1/hosts', body, 'k').expect(201);
        expect(isReplay(response)).toBe(true);
        const hosts = (await admin.get('/v1/hosts').expect(200)).body as Resource[];
        expect(hosts.map(({ id }) => id)).toEqual([(response.body as Resource).id]);
        expect((await admin.get(`/v1/changes?kind=host`).expect(200)).body).toHaveLength(1);
      } finally {
        await proxy.close();
      }
    });

    it('during execution: a retry waits and gets the response', async () => {
      const release = await secondConnection.acquire(lockRegionName(admin.projectId, 'a'));
      const interrupted = post(admin, '/v1/regions', { name: 'a' }, 'k');
      const lost = expect(interrupted).rejects.toThrow();
      await secondConnection.waiting(1);
      interrupted.abort();
      await lost;
      const again = post(admin, '/v1/regions', { name: 'a' }, 'k').then((response) => response);
      await secondConnection.waiting(2);
      await release();
      const response = await again;
      expect([response.status, isReplay(response)]).toEqual([201, true]);
      expect(await regions(admin)).toHaveLength(1);
    });
  });
});
