import type { Response } from 'supertest';
import { sharedService } from '../support/service';
import { SecondConnection, lockRecordsOf } from '../support/second-connection';
import { aName, type Caller, type Resource } from '../support/caller';
import { readPage, walk } from '../support/read-pages';

const PATH = '/v1/variable-definitions';
const addresses = { type: 'array', items: { type: 'string', format: 'ipv4' }, minItems: 1 };

describe('variable definitions', () => {
  const app = sharedService();
  let admin: Caller;
  beforeEach(async () => {
    admin = await app.project();
  });
  const define = async (key: string, schema: unknown, by = admin) =>
    (await by.post(PATH, { key, schema }).expect(201)).body as Resource;

  const details = ({ body }: Response) => (body as { details: { field: string; message: string }[] }).details;

  it('are created, listed, read, changed and deleted', async () => {
    const response = await admin
      .post(PATH, { key: 'ntp_servers', description: 'Clocks.', schema: addresses })
      .expect(201);
    const made = response.body as Resource;
    expect(made).toMatchObject({ key: 'ntp_servers', description: 'Clocks.', schema: addresses, version: 1 });
    const path = `${PATH}/${String(made.id)}`;
    expect(response.headers).toMatchObject({ location: `${app.url}${path}`, etag: '"1"' });
    expect((await admin.get(`${PATH}?key=ntp_servers`).expect(200)).body).toEqual([made]);
    await admin.put(path, { schema: true }, { 'If-Match': '"2"' }).expect(412);
    const changed = await admin.put(path, { key: 'ntp_*', schema: true }, { 'If-Match': '"1"' }).expect(200);
    expect(changed.body).toMatchObject({ key: 'ntp_*', description: 'Clocks.', schema: true, version: 2 });
    await admin.post(PATH, { key: 'ntp_*', schema: {} }).expect(409);
    await admin.delete(path).expect(204);
    await admin.get(path).expect(404);
    const history = (await admin.get(`${path}/changes`).expect(200)).body as { objects: object[] }[];
    expect(history).toHaveLength(3);
  });

  it('are not stored by a dry run', async () => {
    const host = await admin.host();
    await admin.post(`${PATH}?dry_run=true`, { key: 'ntp_servers', schema: addresses }).expect(200);
    await admin.put(`/v1/hosts/${String(host.id)}/variables`, { ntp_servers: 1 }).expect(200);
    expect((await admin.get(PATH).expect(200)).body).toEqual([]);
  });

  it('can be written by admins, and read by every user', async () => {
    const { id } = await define('ntp_servers', addresses);
    const user = await admin.user({ roles: ['*:write', '*', 'variable-definitions:write'] });
    await user.post(PATH, { key: 'other', schema: {} }).expect(403);
    await user.put(`${PATH}/${String(id)}`, { schema: true }).expect(403);
    await user.delete(`${PATH}/${String(id)}`).expect(403);
    await user.get(`${PATH}/${String(id)}`).expect(200);
    expect((await user.get(PATH).expect(200)).body).toHaveLength(1);
  });

  it('are rejected with invalid members', async () => {
    const cases: [string, object | string, string][] = [
      ['no key', { schema: {} }, 'key'],
      ['an invalid key', { key: '9a', schema: {} }, 'key'],
      ['an asterisk in the middle', { key: 'a*b', schema: {} }, 'key'],
      ['no schema', { key: 'a' }, 'schema'],
      ['a number as a schema', { key: 'a', schema: 7 }, 'schema'],
      ['an unknown type', { key: 'a', schema: { type: 'strang' } }, 'schema'],
      ['a number out of range', '{"key":"a","schema":{"const":1e400}}', 'schema'],
      ['deep nesting', `{"key":"a","schema":${'{"not":'.repeat(65)}{}${'}'.repeat(66)}`, 'schema'],
    ];
    for (const [what, body, field] of cases) {
      const response = await admin.post(PATH, body).expect(400);
      const fault = { field, code: expect.any(String) as string, message: expect.any(String) as string };
      expect([what, details(response)]).toEqual([what, [fault]]);
      expect(response.body.message).not.toContain('undefined');
    }
  });

  it('report the error in a schema', async () => {
    const errorFor = async (schema: unknown) =>
      details(await admin.post(PATH, { key: 'a', schema }).expect(400))[0]!.message;
    expect(await errorFor({ type: 'strang' })).toContain(
      'at /type: must be equal to one of the allowed values',
    );
    expect(await errorFor({ requird: ['a'] })).toBe('unknown keyword: "requird"');
    expect(await errorFor({ $ref: 'http://example.com/a' })).toContain(
      "can't resolve reference http://example.com/a",
    );
    expect(await errorFor({ pattern: 'a(?!b)' })).toContain('the pattern "a(?!b)" is not supported');
  });

  it('may use draft-07 if the schema declares it', async () => {
    const tuple = { $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'string' }] };
    await define('tuple', tuple);
    const host = await admin.host({ variables: { tuple: ['a', 1] } });
    await admin.put(`/v1/hosts/${String(host.id)}/variables`, { tuple: [1] }).expect(400);
    await admin.post(PATH, { key: 'a', schema: { items: [{ type: 'string' }] } }).expect(400);
  });

  describe('reject invalid values', () => {
    const wrong = { ntp_servers: ['10.0.0.1', 'ntp.example.com'] };
    const expectedDetails = [
      {
        field: 'variables.ntp_servers/1',
        code: 'schema_violation',
        message: 'must match format "ipv4" (definition of ntp_servers)',
      },
    ];

    it('on every resource, for every caller', async () => {
      await define('ntp_servers', addresses);
      const region = await admin.region();
      const cell = await admin.cell({ region_id: region.id });
      const label = await admin.label();
      const host = await admin.host({ region_id: region.id });
      const device = await admin.networkDevice({ region_id: region.id });
      const user = ((await admin.get('/v1/users').expect(200)).body as Resource[])[0]!;
      const owners = {
        regions: [region, { name: aName('region') }],
        cells: [cell, { name: aName('cell'), region_id: region.id }],
        labels: [label, { label: aName('label') }],
        hosts: [
          host,
          { name: aName('host'), region_id: region.id, ip_address: '10.0.0.1', device_type: 'x' },
        ],
        'network-devices': [
          device,
          { name: aName('switch'), region_id: region.id, ip_address: '10.0.0.1', device_type: 'x' },
        ],
        users: [user, undefined],
      } as const;
      for (const [collection, [{ id }, body]] of Object.entries(owners)) {
        const path = `/v1/${collection}/${String(id)}`;
        const attempts = [
          admin.put(`${path}/variables`, wrong),
          admin.put(`${path}/variables`, { key: 'ntp_servers', value: wrong.ntp_servers }),
          admin.put(`${path}/variables?dry_run=true`, wrong),
          app.root.in(admin.projectId).put(`${path}/variables`, wrong),
          ...(body
            ? [
                admin.post(`/v1/${collection}`, { ...body, variables: wrong }),
                admin.put(path, { variables: wrong }),
              ]
            : []),
        ];
        for (const attempt of attempts) expect(details(await attempt.expect(400))).toEqual(expectedDetails);
        const { body: own } = await admin.get(`${path}/variables`).expect(200);
        expect(own.variables).toEqual({});
        await admin.put(`${path}/variables`, { ntp_servers: ['10.0.0.1'] }).expect(200);
      }
    });

    it('with every error of a write, and the path as a JSON pointer', async () => {
      await define('a', { type: 'object', properties: { 'x/y': { type: 'integer' } } });
      await define('b', { enum: ['on', 'off'] });
      await define('c', { type: 'object', additionalProperties: false });
      const host = await admin.host();
      const response = await admin
        .put(`/v1/hosts/${String(host.id)}/variables`, { a: { 'x/y': 'z' }, b: 1, c: { d: 2 }, e: 3 })
        .expect(400);
      expect(details(response).sort((x, y) => (x.field < y.field ? -1 : 1))).toEqual([
        {
          field: 'variables.a/x~1y',
          code: 'schema_violation',
          message: 'must be integer (definition of a)',
          expected_types: ['integer'],
        },
        {
          field: 'variables.b',
          code: 'schema_violation',
          message: 'must be equal to one of the allowed values: "on", "off" (definition of b)',
        },
        {
          field: 'variables.c',
          code: 'schema_violation',
          message: 'must NOT have additional properties: "d" (definition of c)',
        },
      ]);
    });

    it('for all definitions that match a key, exact and by prefix', async () => {
      await define('hw_*', { type: 'object' });
      await define('hw_disk', { required: ['size'] });
      await define('*', { not: { type: 'null' } });
      const host = await admin.host();
      const put = (variables: object) => admin.put(`/v1/hosts/${String(host.id)}/variables`, variables);
      expect(details(await put({ hw_disk: 1 }).expect(400))[0]!.message).toContain('definition of hw_*');
      expect(details(await put({ hw_disk: {} }).expect(400))[0]!.message).toContain('definition of hw_disk');
      expect(details(await put({ other: null }).expect(400))[0]!.message).toContain('definition of *');
      await put({ hw_disk: { size: 1 }, hw_cpu: {}, hardware: 1 }).expect(200);
    });

    it('for a schema that allows no value', async () => {
      await define('forbidden', false);
      const host = await admin.host();
      await admin.put(`/v1/hosts/${String(host.id)}/variables`, { forbidden: null }).expect(400);
    });

    it('but not existing values, and not in other projects', async () => {
      const host = await admin.host({ variables: { ntp_servers: 'old', kernel: '6.8' } });
      const path = `/v1/hosts/${String(host.id)}`;
      await define('ntp_servers', addresses);
      await admin.put(path, { active: false, variables: { kernel: '6.9' } }).expect(200);
      await admin.put(`${path}/variables`, { ntp_servers: 'old' }).expect(200);
      await admin.put(`${path}/variables`, { ntp_servers: 'new' }).expect(400);
      await admin.delete(`${path}/variables`, ['ntp_servers']).expect(204);
      const other = await app.project();
      await other.host({ variables: { ntp_servers: 'old' } });
    });

    it('using only own properties, including __proto__', async () => {
      await define('own', { type: 'object', required: ['constructor'] });
      const host = await admin.host();
      await admin.put(`/v1/hosts/${String(host.id)}/variables`, { own: {} }).expect(400);
      await admin.put(`/v1/hosts/${String(host.id)}/variables`, { own: { constructor: 1 } }).expect(200);
      await define('closed', { type: 'object', additionalProperties: false });
      await admin.put(`/v1/hosts/${String(host.id)}/variables`, '{"closed":{"__proto__":1}}').expect(400);
    });
  });

  it('keep every digit of schemas and values, although they compare as JavaScript numbers', async () => {
    const schema = '{"maximum": 9007199254740993}';
    const { text } = await admin.post(PATH, `{"key":"n","schema":${schema}}`).expect(201);
    expect(text).toContain('9007199254740993');
    const host = await admin.host();
    const response = await admin
      .put(`/v1/hosts/${String(host.id)}/variables`, '{"n":9007199254740993}')
      .expect(200);
    expect(response.text).toContain('9007199254740993');
    // JavaScript rounds both to the same number, or cannot distinguish them.
    await admin.put(`/v1/hosts/${String(host.id)}/variables`, '{"n":9007199254740995}').expect(400);
  });

  describe('cannot block the process', () => {
    it('with a pattern', async () => {
      await define('p', { pattern: '^(a+)+$' });
      const host = await admin.host();
      const response = await admin
        .put(`/v1/hosts/${String(host.id)}/variables`, { p: `${'a'.repeat(100_000)}!` })
        .expect(400);
      expect(details(response)[0]!.message).toContain('must match pattern');
    });

    it('with a schema that is slow for some values', async () => {
      // Compares every pair of items. A schema that is slow for every value is rejected on creation, which has a timeout, too: this one
      // is compiled in a hundredth of that time, however busy the machine is.
      await define('slow', { uniqueItems: true });
      const host = await admin.host({ variables: { other: 1 } });
      const put = (variables: object) => admin.put(`/v1/hosts/${String(host.id)}/variables`, variables);
      const items = Array.from({ length: 40_000 }, (_, i) => [i]);
      expect(details(await put({ slow: items }).expect(400))).toEqual([
        {
          field: 'variables.slow',
          code: 'schema_violation',
          message: 'cannot be validated: the schema exceeded the timeout (definition of slow)',
        },
      ]);
      await put({ other: 2 }).expect(200);
    });
  });

  it('can be reverted, and apply to reverts', async () => {
    const host = await admin.host({ variables: { ntp_servers: 'old' } });
    await admin.put(`/v1/hosts/${String(host.id)}/variables`, { ntp_servers: ['10.0.0.1'] }).expect(200);
    const newest = async () =>
      ((await admin.get('/v1/changes?sort_dir=desc&limit=1').expect(200)).body as Resource[])[0]!.id;
    const revert = (id: number) => admin.post(`/v1/changes/${String(id)}/revert`, {});
    const values = await newest();
    const { id } = await define('ntp_servers', addresses);
    const creation = await newest();
    expect(details(await revert(values).expect(400))).toEqual([
      {
        field: 'variables.ntp_servers',
        code: 'schema_violation',
        message: 'must be array (definition of ntp_servers)',
        expected_types: ['array'],
      },
    ]);
    await admin.put(`${PATH}/${String(id)}`, { schema: true }).expect(200);
    await revert(await newest()).expect(201);
    expect((await admin.get(`${PATH}/${String(id)}`).expect(200)).body.schema).toEqual(addresses);
    await admin.delete(`${PATH}/${String(id)}`).expect(204);
    await revert(await newest()).expect(201);
    expect((await admin.get(`${PATH}/${String(id)}`).expect(200)).body.schema).toEqual(addresses);
    await revert(values).expect(400);
    await revert(creation).expect(409);
    await admin.delete(`${PATH}/${String(id)}`).expect(204);
    await revert(values).expect(201);
  });

  describe('in concurrent writes', () => {
    let secondConnection: SecondConnection;
    beforeAll(async () => {
      secondConnection = await SecondConnection.connect(app.databaseUrl);
    });
    afterAll(() => secondConnection.close());

    /** Sends the second request while the first waits for the records lock, then releases the lock. */
    async function inOrder(first: () => PromiseLike<Response>, second: () => PromiseLike<Response>) {
      const release = await secondConnection.acquire(lockRecordsOf(admin.projectId));
      try {
        const one = Promise.resolve(first());
        await secondConnection.waiting(1);
        const other = Promise.resolve(second());
        await secondConnection.waiting(2);
        await release();
        return [(await one).status, (await other).status];
      } finally {
        await release();
      }
    }

    it('apply to values that are written after them', async () => {
      const host = await admin.host();
      const outcome = await inOrder(
        () => admin.post(PATH, { key: 'ntp_servers', schema: addresses }),
        () => admin.put(`/v1/hosts/${String(host.id)}/variables`, { ntp_servers: 'wrong' }),
      );
      expect(outcome).toEqual([201, 400]);
    });

    it('accept values that were written before them', async () => {
      const host = await admin.host();
      const outcome = await inOrder(
        () => admin.put(`/v1/hosts/${String(host.id)}/variables`, { ntp_servers: 'wrong' }),
        () => admin.post(PATH, { key: 'ntp_servers', schema: addresses }),
      );
      expect(outcome).toEqual([200, 201]);
      const [definition] = (await admin.get(PATH).expect(200)).body as Resource[];
      const violations = await admin.get(`${PATH}/${String(definition?.id)}/violations`).expect(200);
      expect(violations.body).toHaveLength(1);
    });
  });

  describe('list their violations', () => {
    const violations = (definition: Resource) => `${PATH}/${String(definition.id)}/violations`;

    it('with the value, the resource and the error', async () => {
      const region = await admin.region({ variables: { ntp_servers: 'wrong' } });
      const host = await admin.host({
        region_id: region.id,
        variables: { ntp_servers: ['10.0.0.1', 'x'], ntp_other: 1 },
      });
      await admin.host({ region_id: region.id, variables: { ntp_servers: ['10.0.0.1'] } });
      const stranger = await app.project();
      await stranger.region({ variables: { ntp_servers: 'wrong' } });
      const definition = await define('ntp_servers', addresses);
      const expected = [
        {
          kind: 'host',
          id: host.id,
          name: host.name,
          key: 'ntp_servers',
          value: ['10.0.0.1', 'x'],
          path: '/1',
          message: 'must match format "ipv4"',
        },
        {
          kind: 'region',
          id: region.id,
          name: region.name,
          key: 'ntp_servers',
          value: 'wrong',
          path: '',
          message: 'must be array',
        },
      ];
      expect((await admin.get(violations(definition)).expect(200)).body).toEqual(expected);
      await admin.put(`${PATH}/${String(definition.id)}`, { key: 'ntp_*' }).expect(200);
      expect((await admin.get(violations(definition)).expect(200)).body).toHaveLength(3);
      await stranger.get(violations(definition)).expect(404);
      expect((await app.root.get(violations(definition)).expect(200)).body).toHaveLength(3);
    });

    it('also before they are created or changed, without writing', async () => {
      await admin.region({ variables: { ntp_servers: 'wrong', ntp_other: 1 } });
      const ask = (body: object, by = admin, query = '') => by.post(`${PATH}/violations${query}`, body);
      const would = (await ask({ key: 'ntp_*', schema: addresses }).expect(200)).body as object[];
      expect(would).toHaveLength(2);
      expect((await admin.get(PATH).expect(200)).body).toEqual([]);
      const definition = await define('ntp_*', addresses);
      expect((await admin.get(violations(definition)).expect(200)).body).toEqual(would);
      expect((await ask({ key: 'ntp_other', schema: { type: 'integer' } }).expect(200)).body).toEqual([]);
      const { headers } = await ask({ key: 'ntp_*', schema: addresses }, admin, '?limit=1').expect(200);
      const [, next = ''] = /<([^>]*)>; rel="next"/.exec(String(headers['link'])) ?? [];
      const rest = await ask({ key: 'ntp_*', schema: addresses }, admin, new URL(next).search).expect(200);
      expect(rest.body).toEqual(would.slice(1));
      const { body } = await ask({ key: 'a', schema: { type: 'strang' } }).expect(400);
      expect(body).toMatchObject({ details: [{ field: 'schema' }] });
      await ask({ key: 'a', schema: {} }, await admin.user({ roles: ['*:write'] })).expect(403);
      expect((await ask({ key: '*', schema: false }, await app.project()).expect(200)).body).toEqual([]);
    });

    it('page by page, mixed with valid values', async () => {
      const region = await admin.region();
      const variables = (i: number) => ({
        n_a: i % 3 === 0 ? 'x' : 1,
        n_b: i % 2 === 0 ? 'x' : 1,
        other: 'x',
      });
      const hosts = Array.from({ length: 40 }, (_, i) => ({
        name: aName('host'),
        region_id: region.id,
        ip_address: '10.0.0.1',
        device_type: 'server',
        variables: variables(i),
      }));
      await admin.post('/v1/hosts', hosts).expect(201);
      const definition = await define('n_*', { type: 'number' });
      const first = await readPage(admin, `${violations(definition)}?limit=5`);
      const pages = await walk(admin, first, 'next');
      expect(pages.map(({ items }) => items.length)).toEqual([5, 5, 5, 5, 5, 5, 4]);
      const items = pages.flatMap((page) => page.items);
      expect(new Set(items.map(({ key, id }) => `${String(key)} ${String(id)}`)).size).toBe(34);
      const page = await readPage(admin, `${violations(definition)}?limit=10`, 'page');
      expect(page.items).toEqual(items.slice(0, 10));
      const whole = await readPage(admin, violations(definition));
      expect(whole.items).toEqual(items);
      expect(Object.keys(whole.links)).toEqual(['self']);
    });

    it('and reject other queries', async () => {
      const path = violations(await define('a', {}));
      for (const query of [
        ...['marker=1', 'marker=W10', 'marker=%00'],
        ...['limit=0', 'limit=x', 'limit=1&limit=2', 'fields=id'],
      ])
        expect([query, (await admin.get(`${path}?${query}`)).status]).toEqual([query, 400]);
    });
  });

  describe('of private variables', () => {
    beforeEach(async () => {
      await admin
        .put(`/v1/projects/${admin.projectId}/settings`, { private: ['db_password', 'secret_*'] })
        .expect(200);
    });

    it('are invisible to users without a role for them', async () => {
      const made = [
        await define('db_password', { const: 'hunter2' }),
        await define('secret_*', { const: 'hunter2' }),
        await define('secret_a', { const: 'hunter2' }),
      ];
      const open = await define('db_*', {});
      const user = await admin.user({ roles: ['variable-definitions:write'] });
      const some = await admin.user({ roles: ['secret_a'] });
      const lists = await Promise.all([user, some, admin].map((one) => one.get(PATH).expect(200)));
      expect(lists.map(({ body }) => (body as { key: string }[]).map(({ key }) => key))).toEqual([
        ['db_*'],
        ['secret_a', 'db_*'],
        ['db_password', 'secret_*', 'secret_a', 'db_*'],
      ]);
      for (const { id, version } of made) {
        const path = `${PATH}/${String(id)}`;
        await user.get(path).expect(404);
        await user.get(`${path}/violations`).expect(404);
        await user.get(`${path}?at=2999-01-01T00:00:00`).expect(400);
        expect(version).toBe(1);
      }
      expect((await user.get(`${PATH}?key=db_password`).expect(200)).body).toEqual([]);
      await user.get(`${PATH}/${String(open.id)}`).expect(200);
      await some.get(`${PATH}/${String(made[2]?.id)}`).expect(200);
    });

    it('return the same 403 to users without access, whether the key has a definition or not', async () => {
      await define('db_password', {});
      await define('secret_a', {});
      const open = await define('open', {});
      const users = [
        await admin.user(),
        await admin.user({ roles: ['*:write', 'variable-definitions:write'] }),
        await admin.user({ roles: ['*:write', 'db_password', 'secret_*'] }),
      ];
      for (const user of users) {
        const responses = [];
        for (const key of ['db_password', 'secret_a', 'secret_b', 'never_set']) {
          const body = { key, schema: {} };
          responses.push(await user.post(PATH, body).expect(403));
          responses.push(await user.post(`${PATH}?dry_run=true`, body).expect(403));
          responses.push(await user.put(`${PATH}/${String(open.id)}`, body).expect(403));
        }
        const texts = responses.map(({ text }) => text.replace(/"request_id":"[^"]*"/, ''));
        expect(new Set(texts).size).toBe(1);
      }
    });

    it('are hidden in change records', async () => {
      const { id, created_at: createdAt } = await define('db_password', { const: 'hunter2' });
      const path = `${PATH}/${String(id)}`;
      await admin.put(path, { schema: { const: 'hunter3' } }).expect(200);
      const user = await admin.user();
      for (const url of ['/v1/changes', `${path}/changes`, `${path}?at=${String(createdAt)}`]) {
        const { text } = await user.get(url);
        expect(text).not.toMatch(/hunter|db_password/);
      }
      const { body } = await admin.get(`${path}/changes`).expect(200);
      expect(JSON.stringify(body)).toContain('hunter3');
      await user.get(`${path}?at=${String(createdAt)}`).expect(404);
      await admin.get(`${path}?at=${String(createdAt)}`).expect(200);
    });

    it('are hidden among the violations of other definitions', async () => {
      const host = await admin.host({ variables: { db_password: 'x', db_name: 'x' } });
      const definition = await define('db_*', { type: 'number' });
      const user = await admin.user();
      const path = `${PATH}/${String(definition.id)}/violations`;
      expect((await user.get(path).expect(200)).body).toEqual([
        expect.objectContaining({ id: host.id, key: 'db_name' }),
      ]);
      expect((await admin.get(path).expect(200)).body).toHaveLength(2);
    });
  });
});
