import { sharedService } from '../support/service';
import { lockRows, SecondConnection } from '../support/second-connection';
import type { Caller, Resource } from '../support/caller';
import { eachWith, inOneProject, makeOne } from '../support/collections';

const eachOwner = eachWith((one) => one.carriesVariables);
/** All routes of single variables share their code: an owner without devices, and a device. */
const someOwners = eachOwner.filter(([name]) => ['users', 'hosts'].includes(name));

describe('single variables', () => {
  const app = sharedService();
  const shared = inOneProject(app);
  let secondConnection: SecondConnection;
  beforeAll(async () => {
    secondConnection = await SecondConnection.connect(app.databaseUrl);
  });
  afterAll(async () => {
    await secondConnection.close();
  });

  const tagOf = async (caller: Caller, path: string): Promise<string> =>
    (await caller.get(path).expect(200)).headers['etag'] ?? '';
  const documentOf = async (caller: Caller, path: string): Promise<unknown> =>
    ((await caller.get(`${path}/variables`).expect(200)).body as Resource).variables;
  const versionOf = async (caller: Caller, path: string): Promise<number> =>
    ((await caller.get(path).expect(200)).body as Resource).version;

  describe.each(eachOwner)('of %s', (_, one) => {
    it('can be set, read and deleted', async () => {
      const { caller, path } = await makeOne(shared, one);
      await caller.put(`${path}/variables`, { other: 1 }).expect(200);
      const put = await caller.put(`${path}/variables/a`, { value: { b: [null] } }).expect(200);
      expect(put.text).toBe('{"key":"a","value":{"b": [null]}}');
      const got = await caller.get(`${path}/variables/a`).expect(200, put.text);
      expect(got.headers['etag']).toBe(put.headers['etag']);
      expect(await documentOf(caller, path)).toEqual({ other: 1, a: { b: [null] } });
      await caller.delete(`${path}/variables/a`).expect(204, '');
      await caller.get(`${path}/variables/a`).expect(404);
      expect(await documentOf(caller, path)).toEqual({ other: 1 });
      await caller.delete(`${path}/variables/a`).expect(204);
    });
  });

  describe.each(someOwners)('of %s', (_, one) => {
    let caller: Caller;
    let path: string;
    let id: number;
    beforeEach(async () => {
      ({
        caller,
        path,
        made: { id },
      } = await makeOne(shared, one));
    });

    it('return 404 if they are not set, or the resource does not exist', async () => {
      const { body } = await caller.get(`${path}/variables/a`).expect(404);
      expect(body).toMatchObject({
        code: 'not_found',
        message: `The ${one.kind} ${String(id)} has no variable a.`,
        details: [{ field: 'key', code: 'not_found', message: 'is not set' }],
      });
      const absent = `/v1/${one.collection}/${one.absentId}/variables/a`;
      for (const call of [
        caller.get(absent),
        caller.put(absent, { value: 1 }),
        caller.put(absent, { value: 1 }, { 'If-Match': '*' }),
        caller.delete(absent),
      ])
        expect((await call.expect(404)).body.message).toBe(`There is no ${one.kind} ${one.absentId}.`);
      const stranger = await one.caller(app);
      for (const call of [
        stranger.get(`${path}/variables/a`),
        stranger.put(`${path}/variables/a`, { value: 1 }),
        stranger.delete(`${path}/variables/a`),
      ])
        expect((await call.expect(404)).body.message).toBe(`There is no ${one.kind} ${String(id)}.`);
    });

    it('are recorded with one change per write', async () => {
      const why = { 'X-Change-Reason': 'because' };
      await caller.put(`${path}/variables/a`, { value: 1 }, why).expect(200);
      await caller.delete(`${path}/variables/a`, undefined, why).expect(204);
      const { body } = await caller.get(`${path}/changes?key=a`).expect(200);
      expect(body).toMatchObject([
        { reason: 'because', objects: [{ kind: one.kind, variables: { a: { after: 1 } } }] },
        { reason: 'because', objects: [{ kind: one.kind, variables: { a: { before: 1 } } }] },
      ]);
      expect(await versionOf(caller, path)).toBe(3);
    });

    it('have their own entity tags, which other writes do not change', async () => {
      const [a, b] = [`${path}/variables/a`, `${path}/variables/b`];
      const tags = [
        (await caller.put(a, { value: 1 }).expect(200)).headers['etag'],
        (await caller.put(b, { value: 1 }).expect(200)).headers['etag'],
      ];
      expect(tags[0]).not.toBe(tags[1]);
      // Neither writes of other variables nor setting the same value changes the tag.
      await caller.put(`${path}/variables`, { c: 1, a: 1 }).expect(200);
      await caller.put(path, one.change()).expect(200);
      await caller.put(a, { value: 1 }).expect(200);
      expect([await tagOf(caller, a), await tagOf(caller, b)]).toEqual(tags);
      // Every new value gets a new tag, and no tag is reused.
      const seen = new Set(tags);
      const isNew = async () => {
        const tag = await tagOf(caller, a);
        expect(seen).not.toContain(tag);
        seen.add(tag);
      };
      await caller.put(a, { value: 2 }).expect(200);
      await isNew();
      await caller.put(`${path}/variables`, { a: 1 }).expect(200);
      await isNew();
      await caller.delete(a).expect(204);
      await caller.put(a, { value: 1 }).expect(200);
      await isNew();
      expect(await tagOf(caller, b)).toBe(tags[1]);
    });

    it('are written only if If-Match matches', async () => {
      const a = `${path}/variables/a`;
      const version = await versionOf(caller, path);
      for (const tag of ['*', '"c1"', `"${String(version)}"`]) {
        const { body } = await caller.put(a, { value: 1 }, { 'If-Match': tag }).expect(412);
        expect(body).toMatchObject({ code: 'version_mismatch', details: [{ field: 'If-Match' }] });
        await caller.delete(a, undefined, { 'If-Match': tag }).expect(412);
      }
      const first = (await caller.put(a, { value: 1 }).expect(200)).headers['etag'] ?? '';
      const second = await caller.put(a, { value: 2 }, { 'If-Match': first }).expect(200);
      const now = second.headers['etag'] ?? '';
      const weak = await caller.put(`${path}/variables/a`, { value: 0 }, { 'If-Match': `W/${now}` });
      expect([weak.status, (weak.body as { message: string }).message]).toEqual([
        412,
        expect.stringContaining('A weak tag'),
      ]);
      for (const tag of [first, `W/${now}`, `"${String(await versionOf(caller, path))}"`, '"c0"']) {
        const { body } = await caller.put(a, { value: 3 }, { 'If-Match': tag }).expect(412);
        expect(body.details).toEqual([
          {
            field: 'If-Match',
            code: 'version_mismatch',
            message: `precondition failed: the current tag is ${now}`,
          },
        ]);
        await caller.delete(a, undefined, { 'If-Match': tag }).expect(412);
      }
      expect((await caller.get(a).expect(200)).text).toBe(second.text);
      await caller.put(a, { value: 2 }, { 'If-Match': `"x", ${now}` }).expect(200);
      await caller.put(a, { value: 2 }, { 'If-Match': '*' }).expect(200);
      await caller.delete(a, undefined, { 'If-Match': now }).expect(204);
      for (const tag of [now, '*']) await caller.delete(a, undefined, { 'If-Match': tag }).expect(412);
    });

    it('are written with If-None-Match only if they are not set', async () => {
      const a = `${path}/variables/a`;
      const ifNew = { 'If-None-Match': '*' };
      await caller.put(a, { value: null }, ifNew).expect(200);
      const { body } = await caller.put(a, { value: 1 }, ifNew).expect(412);
      expect(body).toMatchObject({ code: 'version_mismatch', details: [{ field: 'If-None-Match' }] });
      await caller.get(a).expect(200, '{"key":"a","value":null}');
      await caller.delete(a).expect(204);
      await caller.put(a, { value: 1 }, ifNew).expect(200);
    });
  });

  describe('of a host', () => {
    let admin: Caller;
    let host: Resource;
    let path: string;
    let at: string;
    let region: Resource;
    beforeAll(async () => {
      admin = await app.project();
      region = await admin.region({ variables: { inherited: 1 } });
    });
    beforeEach(async () => {
      host = await admin.host({ region_id: region.id });
      path = `/v1/hosts/${String(host.id)}`;
      at = `${path}/variables`;
    });

    it('exclude inherited variables', async () => {
      await admin.get(`${at}/inherited`).expect(404);
      expect((await admin.get(path).expect(200)).body.variables).toEqual({ inherited: 1 });
      await admin.put(`${at}/inherited`, { value: 2 }, { 'If-Match': '*' }).expect(412);
      await admin.put(`${at}/inherited`, { value: 2 }).expect(200);
      expect((await admin.get(path).expect(200)).body.variables).toEqual({ inherited: 2 });
    });

    it.each([
      '9007199254740993',
      '1.50',
      '1e400',
      'null',
      'false',
      '""',
      '"\\ud83d\\ude00 \\" "',
      '{"key": "k", "value": 1}',
      '[[], {}]',
      '{"__proto__": 1}',
    ])('store %s exactly', async (value) => {
      await admin.put(`${at}/a`, `{"value": ${value}}`).expect(200);
      const document = (await admin.get(at).expect(200)).text;
      const expected = document.slice('{"variables":{"a": '.length, -2);
      expect((await admin.get(`${at}/a`).expect(200)).text).toBe(`{"key":"a","value":${expected}}`);
      if (!/[e\\]/.test(value)) expect(expected).toBe(value);
    });

    it.each(['ünïcode', '变量', 'x-y', '_', '__proto__', 'constructor', 'a'.repeat(255), '𠮷'])(
      'accept the name %s',
      async (key) => {
        const one = `${at}/${encodeURIComponent(key)}`;
        await admin.put(one, { value: 1 }).expect(200);
        expect((await admin.get(one).expect(200)).text).toBe(`{"key":${JSON.stringify(key)},"value":1}`);
        expect((await admin.get(at).expect(200)).text).toBe(`{"variables":{${JSON.stringify(key)}: 1}}`);
        await admin.delete(one).expect(204);
        await admin.get(at).expect(200, '{"variables":{}}');
      },
    );

    it.each(['1a', 'a b', '-a', 'a.b', '%00', 'a%2Fb', 'a'.repeat(256), '%ED%A0%80'])(
      'reject the name %s',
      async (key) => {
        for (const call of [
          admin.get(`${at}/${key}`),
          admin.put(`${at}/${key}`, { value: 1 }),
          admin.delete(`${at}/${key}`),
        ])
          expect((await call.expect(400)).body.code).toBe('invalid_request');
      },
    );

    it.each([
      '{}',
      '{"value": 1, "key": "a"}',
      '{"a": 1}',
      '[1]',
      '1',
      'null',
      '{"value": "\\u0000"}',
      '{"value": "\\ud800"}',
      `{"value": ${'['.repeat(65)}${']'.repeat(65)}}`,
      '{"value": ',
    ])('reject the body %s', async (body) => {
      expect((await admin.put(`${at}/a`, body).expect(400)).body.code).toBe('invalid_request');
      await admin.get(`${at}/a`).expect(404);
    });

    it('need a body, and are limited to 1 MiB per resource', async () => {
      await admin.put(`${at}/a`).expect(400);
      await admin.put(`${at}/a`, { value: 'x'.repeat(700_000) }).expect(200);
      await admin.put(`${at}/b`, { value: 'x'.repeat(700_000) }).expect(400);
    });

    it.each(['"c1"', 'a', '', '"*"', '*, *'])('reject If-None-Match: %j', async (tag) => {
      const { body } = await admin.put(`${at}/a`, { value: 1 }, { 'If-None-Match': tag }).expect(400);
      expect(body.details).toEqual([{ field: 'If-None-Match', code: 'invalid_value', message: 'must be *' }]);
    });

    it('reject a malformed If-Match', async () => {
      const malformed = { 'If-Match': 'c1' };
      await admin.put(`${at}/a`, { value: 1 }, malformed).expect(400);
      await admin.delete(`${at}/a`, undefined, malformed).expect(400);
    });

    it('can be written with a role for them', async () => {
      const user = await admin.user({ roles: ['ntp_*', 'exact'] });
      for (const key of ['ntp_servers', 'ntp_', 'exact']) {
        await user.put(`${at}/${key}`, { value: 1 }).expect(200);
        await user.delete(`${at}/${key}`).expect(204);
      }
      for (const key of ['nt', 'exactly', 'other']) {
        const { body } = await user.put(`${at}/${key}`, { value: 1 }).expect(403);
        expect(body.message).toContain(JSON.stringify(key));
        await user.delete(`${at}/${key}`).expect(403);
        await user.get(`${at}/${key}`).expect(404);
      }
      const writer = await admin.user({ roles: ['hosts:write'] });
      await writer.put(`${at}/any`, { value: 1 }).expect(200);
      await (await admin.user({ roles: ['cells:write'] })).put(`${at}/any`, { value: 1 }).expect(403);
    });

    it('support dry runs', async () => {
      const one = `${at}/a`;
      const { body } = await admin.put(`${one}?dry_run=true`, { value: 1 }).expect(200);
      expect(body).toMatchObject({
        dry_run: true,
        change: { objects: [{ kind: 'host', variables: { a: { after: 1 } } }] },
        impact: { devices: 1 },
      });
      await admin.put(`${one}?dry_run=true`, { value: 1 }, { 'If-Match': '*' }).expect(412);
      await admin.get(one).expect(404);
      const tag = (await admin.put(one, { value: 1 }).expect(200)).headers['etag'] ?? '';
      await admin.put(`${one}?dry_run=true`, { value: 2 }, { 'If-None-Match': '*' }).expect(412);
      await admin.delete(`${one}?dry_run=true`, undefined, { 'If-Match': tag }).expect(200);
      expect(await tagOf(admin, one)).toBe(tag);
    });

    it('named explain can be written, but not read on a host, because the path explains all variables', async () => {
      await admin.put(`${at}/explain`, { value: 1 }).expect(200, '{"key":"explain","value":1}');
      expect(await documentOf(admin, path)).toEqual({ explain: 1 });
      const { body } = await admin.get(`${at}/explain`).expect(200);
      expect(Object.keys((body as Resource).variables).sort()).toEqual(['explain', 'inherited']);
      await admin.delete(`${at}/explain`).expect(204);
      // A region inherits nothing, so there is no explain route.
      const ofRegion = `/v1/regions/${String((await admin.region()).id)}/variables/explain`;
      await admin.put(ofRegion, { value: 1 }).expect(200);
      await admin.get(ofRegion).expect(200, '{"key":"explain","value":1}');
    });

    it('have no paths below them, and return 405 for POST', async () => {
      await admin.get(`${at}/a/b`).expect(404);
      const { headers } = await admin.post(`${at}/a`, { value: 1 }).expect(405);
      expect(headers['allow']).toBe('DELETE, GET, HEAD, PUT');
    });

    describe('in concurrent writes', () => {
      const hostLock = () => lockRows('devices', admin.projectId, host.id);

      it('of two variables both succeed', async () => {
        const tags = new Map<string, string>();
        for (const key of ['a', 'b'])
          tags.set(key, (await admin.put(`${at}/${key}`, { value: 0 }).expect(200)).headers['etag'] ?? '');
        const both = await secondConnection.whileHolding(
          hostLock(),
          () =>
            Promise.all(
              ['a', 'b'].map((key) =>
                admin.put(`${at}/${key}`, { value: key }, { 'If-Match': tags.get(key) ?? '' }),
              ),
            ),
          2,
        );
        expect(both.map(({ status, text }) => [status, text])).toEqual([
          [200, '{"key":"a","value":"a"}'],
          [200, '{"key":"b","value":"b"}'],
        ]);
        expect(await documentOf(admin, path)).toEqual({ a: 'a', b: 'b' });
      });

      it.each([
        ['set', { 'If-None-Match': '*' }],
        ['changed', undefined],
      ])('of one variable succeed once if both have %s it', async (_, condition) => {
        const headers = condition ?? {
          'If-Match': (await admin.put(`${at}/a`, { value: 0 }).expect(200)).headers['etag'] ?? '',
        };
        const both = await secondConnection.whileHolding(
          hostLock(),
          () => Promise.all([1, 2].map((value) => admin.put(`${at}/a`, { value }, headers))),
          2,
        );
        expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
        const winner = both.find(({ status }) => status === 200)!;
        const now = await admin.get(`${at}/a`).expect(200, winner.text);
        expect(now.headers['etag']).toBe(winner.headers['etag']);
      });
    });

    describe('that are private', () => {
      let owner: Caller;
      let user: Caller;
      let variables: string;
      beforeEach(async () => {
        owner = await app.project();
        variables = `/v1/hosts/${String((await owner.host()).id)}/variables`;
        await owner.put(`/v1/projects/${owner.projectId}/settings`, { private: ['secret_*'] }).expect(200);
        user = await owner.user({ roles: ['hosts:write'] });
        await owner.put(`${variables}/secret_a`, { value: 'hush' }).expect(200);
      });

      it('return the same response as unset variables', async () => {
        const [set, unset] = [
          await user.get(`${variables}/secret_a`),
          await user.get(`${variables}/secret_b`),
        ];
        const anonymous = (text: string) =>
          text.replace(/secret_[ab]/g, '').replace(/"request_id":"[^"]*"/, '');
        expect([set.status, anonymous(set.text)]).toEqual([404, anonymous(unset.text)]);
        expect(set.headers['etag']).toBeUndefined();
      });

      it.each([{}, { 'If-Match': '*' }, { 'If-Match': '"c1"' }, { 'If-None-Match': '*' }])(
        'cannot be written, set or not: %j',
        async (headers: Record<string, string>) => {
          for (const key of ['secret_a', 'secret_b']) {
            await user.put(`${variables}/${key}`, { value: 'hush' }, headers).expect(403);
            if (!('If-None-Match' in headers))
              await user.delete(`${variables}/${key}`, undefined, headers).expect(403);
          }
          await owner.get(`${variables}/secret_a`).expect(200, '{"key":"secret_a","value":"hush"}');
        },
      );

      it('can be read and written with a role for them', async () => {
        const trusted = await owner.user({ roles: ['secret_a'] });
        const tag = await tagOf(trusted, `${variables}/secret_a`);
        await trusted.put(`${variables}/secret_a`, { value: 'loud' }, { 'If-Match': tag }).expect(200);
        await trusted.get(`${variables}/secret_b`).expect(404);
      });
    });
  });
});
