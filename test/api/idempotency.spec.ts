import type { Response, Test } from 'supertest';
import { sharedService } from '../support/service';
import { SecondConnection, lockRegionName } from '../support/second-connection';
import { aName, Caller, type Resource } from '../support/caller';
import { eachCollection } from '../support/collections';
import { query } from '../support/database';
import { startLossyProxy } from '../support/lossy-proxy';
import { until } from '../support/until';

/** What a client gets, but for what differs from one exchange to the next. */
const received = ({ status, text, headers }: Response) => ({
  status,
  text,
  headers: ['content-type', 'location', 'etag'].map((name) => headers[name]),
});
const isReplay = ({ headers }: Response): boolean => headers['idempotency-replayed'] === 'true';

describe('Idempotency-Key', () => {
  const app = sharedService();
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

  describe('gives the same request the same answer, and does nothing again', () => {
    it.each(eachCollection)('%s', async (_, one) => {
      const caller = await one.caller(app);
      const body = await one.body(caller);
      const path = `/v1/${one.collection}`;
      const first = await post(caller, path, body, 'once').expect(201);
      expect(isReplay(first)).toBe(false);
      for (let again = 0; again < 2; again++) {
        const later = await post(caller, path, body, 'once').expect(201);
        expect(received(later)).toEqual(received(first));
        expect(isReplay(later)).toBe(true);
        const id = String(later.headers['x-request-id']);
        expect(id).not.toBe(first.headers['x-request-id']);
        expect((await app.root.get(`/v1/changes?request_id=${id}`).expect(200)).body).toEqual([]);
      }
    });

    it('the path of regions in the singular', async () => {
      const first = await post(admin, '/v1/region', { name: 'a' }, 'k').expect(201);
      expect(received(await post(admin, '/v1/region', { name: 'a' }, 'k'))).toEqual(received(first));
      expect(await regions(admin)).toHaveLength(1);
    });

    it('the undoing of a change', async () => {
      const { id } = await admin.cloud();
      const [made] = (await admin.get('/v1/changes?kind=cloud').expect(200)).body as Resource[];
      const path = `/v1/changes/${String(made?.id)}/revert`;
      const first = await post(admin, path, undefined, 'k').expect(201);
      const later = await post(admin, path, undefined, 'k').expect(201);
      expect(received(later)).toEqual(received(first));
      expect([isReplay(first), isReplay(later)]).toEqual([false, true]);
      expect((await admin.get(`/v1/clouds/${String(id)}/changes`).expect(200)).body).toHaveLength(2);
    });

    it('nothing, where it is only tried', async () => {
      for (let tries = 0; tries < 2; tries++) {
        const tried = await post(admin, '/v1/clouds?dry_run=true', { name: 'a' }, 'k').expect(200);
        expect(isReplay(tried)).toBe(false);
      }
      expect(isReplay(await post(admin, '/v1/clouds', { name: 'a' }, 'k').expect(201))).toBe(false);
      const tried = await post(admin, '/v1/clouds?dry_run=true', { name: 'b' }, 'k').expect(200);
      expect(isReplay(tried)).toBe(false);
    });

    it('what was made has changed or is gone by now', async () => {
      const first = await post(admin, '/v1/regions', { name: 'a', variables: { big: 1 } }, 'k').expect(201);
      const path = new URL(first.headers['location'] ?? '').pathname;
      await admin.put(path, { name: 'b' }).expect(200);
      expect(received(await post(admin, '/v1/regions', { name: 'a', variables: { big: 1 } }, 'k'))).toEqual(
        received(first),
      );
      await admin.delete(path).expect(204);
      expect(received(await post(admin, '/v1/regions', { name: 'a', variables: { big: 1 } }, 'k'))).toEqual(
        received(first),
      );
      expect(await regions(admin)).toEqual([]);
    });

    it('digit by digit', async () => {
      const body = '{"name": "a", "variables": {"serial": 9007199254740993, "rate": 1.50}}';
      const first = await post(admin, '/v1/regions', body, 'k').expect(201);
      expect(first.text).toContain('"serial": 9007199254740993');
      expect((await post(admin, '/v1/regions', body, 'k')).text).toBe(first.text);
    });
  });

  describe('an API key that is shown once', () => {
    it('is shown to whoever repeats the request, and is not stored in the clear', async () => {
      const username = aName('operator');
      const made = await post(admin, '/v1/users', { username }, 'user').expect(201);
      expect((await post(admin, '/v1/users', { username }, 'user')).text).toBe(made.text);
      const { id, api_key: key } = made.body as { id: number; api_key: string };
      const path = `/v1/users/${String(id)}/api-key`;
      const renewed = await post(admin, path, undefined, 'key').expect(201);
      const again = await post(admin, path, undefined, 'key').expect(201);
      expect(received(again)).toEqual(received(renewed));
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
      for (const { row, answer } of rows)
        for (const secret of [key, newKey, key.slice(-43), newKey.slice(-43), username]) {
          expect(row).not.toContain(secret);
          expect(row).not.toContain(Buffer.from(secret).toString('hex'));
          expect(answer.includes(secret)).toBe(false);
        }
    });

    it("does not open in another's row", async () => {
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

  it('says of what was sealed with a key that is not here that it cannot be read, and does not do it again', async () => {
    await post(admin, '/v1/access-secrets', { cert: 'c' }, 'k').expect(201);
    await query(
      app,
      `UPDATE idempotency_keys SET answer = '\\x0123456789abcdef'::bytea || substr(answer, 9) WHERE project_id = $1`,
      [admin.projectId],
    );
    const refused = await post(admin, '/v1/access-secrets', { cert: 'c' }, 'k').expect(409);
    expect(refused.body).toMatchObject({ code: 'conflict', details: [{ field: 'Idempotency-Key' }] });
    expect(refused.text).toContain('cannot be read any more');
    // To come again would not help.
    expect(refused.headers['retry-after']).toBeUndefined();
    expect((await admin.get('/v1/access-secrets')).body).toHaveLength(1);
  });

  it('does not show what has become private, and does not do it again either', async () => {
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
    expect(received(await post(user, '/v1/hosts', body, 'k'))).toEqual(received(first));
    // What was answered while it was hidden goes on being shown while it is.
    await hide(['hush']);
    const hidden = await post(user, '/v1/hosts', { ...body, name: 'other' }, 'other').expect(201);
    expect(hidden.text).not.toContain('do not tell');
    expect(received(await post(user, '/v1/hosts', { ...body, name: 'other' }, 'other'))).toEqual(
      received(hidden),
    );
  });

  describe('is one for one request', () => {
    it.each([
      ['another body', '/v1/regions', '{"name":"b"}'],
      ['the same body in other letters', '/v1/regions', '{"name": "a"}'],
      ['no body', '/v1/regions', undefined],
      ['another path', '/v1/region', '{"name":"a"}'],
      ['another query', '/v1/regions?dry_run=false', '{"name":"a"}'],
      ['another collection', '/v1/clouds', '{"name":"a"}'],
    ])('%s under the same key is a conflict', async (_, path, body) => {
      const first = await post(admin, '/v1/regions', '{"name":"a"}', 'k').expect(201);
      const written = await records(admin);
      if (body !== undefined) {
        const refused = await post(admin, path, body, 'k').expect(409);
        expect(refused.body).toMatchObject({ code: 'conflict', details: [{ field: 'Idempotency-Key' }] });
        expect(isReplay(refused)).toBe(false);
      } else await post(admin, path, body, 'k').expect(400);
      expect(await records(admin)).toBe(written);
      // The first is remembered all the same.
      expect(received(await post(admin, '/v1/regions', '{"name":"a"}', 'k'))).toEqual(received(first));
    });

    it('of one user, in one project', async () => {
      const other = await admin.user({ is_admin: true });
      const elsewhere = await app.project();
      const [rootHere, rootThere] = [app.root.in(admin.projectId), app.root.in(elsewhere.projectId)];
      const made = new Set<string>();
      for (const caller of [admin, other, elsewhere, rootHere, rootThere]) {
        const answer = await post(caller, '/v1/access-secrets', { cert: 'c' }, 'k').expect(201);
        expect(isReplay(answer)).toBe(false);
        made.add(answer.headers['location'] ?? '');
      }
      expect(made.size).toBe(5);
    });

    it('whatever headers come along', async () => {
      const first = await post(admin, '/v1/clouds', { name: 'a' }, 'k').expect(201);
      const headers = { 'Idempotency-Key': 'k', 'X-Change-Reason': 'again', 'X-Request-Id': 'again' };
      expect(received(await admin.post('/v1/clouds', { name: 'a' }, headers))).toEqual(received(first));
    });
  });

  describe('as a header', () => {
    it.each(['k', 'a b', '!~"\\', 'a, b', 'x'.repeat(255)])('may be %j', async (key) => {
      await post(admin, '/v1/clouds', { name: 'a' }, key).expect(201);
      expect(isReplay(await post(admin, '/v1/clouds', { name: 'a' }, key).expect(201))).toBe(true);
    });

    it.each(['', 'x'.repeat(256), 'ü', 'a\tb'])('must not be %j', async (key) => {
      const { body } = await post(admin, '/v1/clouds', { name: 'a' }, key).expect(400);
      expect(body).toMatchObject({ code: 'invalid_request', details: [{ field: 'Idempotency-Key' }] });
      const tried = await post(admin, '/v1/clouds?dry_run=true', { name: 'a' }, key).expect(400);
      expect(tried.body).toMatchObject({ code: 'invalid_request', details: [{ field: 'Idempotency-Key' }] });
    });

    it('is nothing to other methods', async () => {
      const { id } = await admin.cloud();
      for (const key of ['k', 'k', 'ü', ''])
        for (const [method, body] of [['get'], ['put', { note: key }]] as const) {
          const headers = { 'Idempotency-Key': key };
          const answer = await admin.send(method, `/v1/clouds/${String(id)}`, body, headers).expect(200);
          expect(isReplay(answer)).toBe(false);
        }
      expect((await admin.get(`/v1/clouds/${String(id)}`)).body.version).toBe(5);
    });

    it('does not let pass who may not', async () => {
      const user = await admin.user({ roles: ['clouds:write'] });
      await post(user, '/v1/clouds', { name: 'a' }, 'k').expect(201);
      const { id } = (
        (await admin.get(`/v1/users?username=${user.credentials.user}`)).body as Resource[]
      )[0]!;
      await admin.put(`/v1/users/${String(id)}`, { roles: [] }).expect(200);
      await post(user, '/v1/clouds', { name: 'a' }, 'k').expect(403);
    });
  });

  it('does not remember failures', async () => {
    const { id } = await admin.cloud({ name: 'a' });
    for (let tries = 0; tries < 2; tries++) {
      const refused = await post(admin, '/v1/clouds', { name: 'a' }, 'k').expect(409);
      expect(refused.body.message).toBe('The name is already in use.');
    }
    await admin.delete(`/v1/clouds/${String(id)}`).expect(204);
    expect(isReplay(await post(admin, '/v1/clouds', { name: 'a' }, 'k').expect(201))).toBe(false);
    // Not even so far as to keep the key for the one that failed.
    await post(admin, '/v1/clouds', { name: 'a' }, 'other').expect(409);
    await post(admin, '/v1/clouds', { name: 'b' }, 'other').expect(201);
  });

  describe('at the same time', () => {
    const theRegions = () => lockRegionName(admin.projectId, 'a', 'b');
    const holdingRegions = <T>(act: () => Promise<T>, waiting: number): Promise<T> =>
      secondConnection.whileHolding(theRegions(), act, waiting);

    it('makes one of it, and all get the answer', async () => {
      const answers = await holdingRegions(
        () => Promise.all([1, 2, 3].map(() => post(admin, '/v1/regions', { name: 'a' }, 'k'))),
        3,
      );
      expect(new Set(answers.map((answer) => JSON.stringify(received(answer)))).size).toBe(1);
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
      expect(answers.filter(isReplay)).toHaveLength(2);
      expect(await regions(admin)).toHaveLength(1);
    });

    it('refuses the later of two that differ', async () => {
      const answers = await holdingRegions(
        () => Promise.all(['a', 'b'].map((name) => post(admin, '/v1/regions', { name }, 'k'))),
        2,
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
      expect(await regions(admin)).toHaveLength(1);
    });

    it('lets the second do it where the first fails', async () => {
      const release = await secondConnection.acquire(theRegions());
      const both = Promise.all([1, 2].map(() => post(admin, '/v1/regions', { name: 'a' }, 'k')));
      try {
        await secondConnection.waiting(2);
        // The first waits for the region; the other one waits for the first.
        const [first] = await secondConnection.blockedPids();
        await secondConnection.rows('SELECT pg_terminate_backend($1)', [first]);
        await until('one has failed and the other waits for the region', 60, async () => {
          const [other, ...more] = await secondConnection.blockedPids();
          return other !== undefined && other !== first && more.length === 0;
        });
      } finally {
        await release();
      }
      const answers = await both;
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 503]);
      expect(answers.filter(isReplay)).toEqual([]);
      expect(await regions(admin)).toHaveLength(1);
    });

    it('does not hold up other keys', async () => {
      const release = await secondConnection.acquire(theRegions());
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
    const age = (age: string) =>
      query(app, 'UPDATE idempotency_keys SET created_at = created_at - $2::interval WHERE project_id = $1', [
        admin.projectId,
        age,
      ]);

    it('is remembered, and then is free for another request', async () => {
      const first = await post(admin, '/v1/clouds', { name: 'a' }, 'k').expect(201);
      await age('23 hours 59 minutes');
      expect(received(await post(admin, '/v1/clouds', { name: 'a' }, 'k'))).toEqual(received(first));
      await age('1 minute');
      const other = await post(admin, '/v1/clouds', { name: 'b' }, 'k').expect(201);
      expect(isReplay(other)).toBe(false);
      expect(received(await post(admin, '/v1/clouds', { name: 'b' }, 'k'))).toEqual(received(other));
      await post(admin, '/v1/clouds', { name: 'a' }, 'k').expect(409);
    });

    it('or as long as the project', async () => {
      const { body } = await app.root.post('/v1/projects', { name: aName('short-lived') }).expect(201);
      const projectId = (body as { id: string }).id;
      const there = app.root.in(projectId);
      const made = await post(there, '/v1/clouds', { name: 'a' }, 'k').expect(201);
      await there.delete(`/v1/clouds/${String((made.body as Resource).id)}`).expect(204);
      await app.root.delete(`/v1/projects/${projectId}`).expect(204);
      const rows = await query(app, 'SELECT FROM idempotency_keys WHERE project_id = $1', [projectId]);
      expect(rows).toEqual([]);
    });
  });

  describe('where the connection is lost', () => {
    it('after the commit and before the answer: sent again, it gets the answer, of the one that was made', async () => {
      const line = await startLossyProxy(app.url);
      const { id: region_id } = await admin.region();
      const place = { region_id, ip_address: '10.0.0.1', device_type: 'server' };
      const body = { name: 'node', ...place, variables: { a: 1 } };
      try {
        const far = new Caller(line.url, admin.credentials);
        for (let tries = 1; tries <= 3; tries++) {
          await expect(post(far, '/v1/hosts', body, 'k')).rejects.toMatchObject({ code: 'ECONNRESET' });
          expect(line.lost).toBe(tries);
        }
        line.stopLosing();
        const answer = await post(far, '/v1/hosts', body, 'k').expect(201);
        expect(isReplay(answer)).toBe(true);
        const hosts = (await admin.get('/v1/hosts').expect(200)).body as Resource[];
        expect(hosts.map(({ id }) => id)).toEqual([(answer.body as Resource).id]);
        expect((await admin.get(`/v1/changes?kind=host`).expect(200)).body).toHaveLength(1);
      } finally {
        await line.close();
      }
    });

    it('while it is under way: sent again, it waits, and gets the answer', async () => {
      const release = await secondConnection.acquire(lockRegionName(admin.projectId, 'a'));
      const cut = post(admin, '/v1/regions', { name: 'a' }, 'k');
      const lost = expect(cut).rejects.toThrow();
      await secondConnection.waiting(1);
      cut.abort();
      await lost;
      const again = post(admin, '/v1/regions', { name: 'a' }, 'k').then((answer) => answer);
      await secondConnection.waiting(2);
      await release();
      const answer = await again;
      expect([answer.status, isReplay(answer)]).toEqual([201, true]);
      expect(await regions(admin)).toHaveLength(1);
    });
  });
});
