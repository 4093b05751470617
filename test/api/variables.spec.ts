import { sharedService } from '../support/service';
import { aName, type Caller, type Resource } from '../support/caller';
import { inOneProject } from '../support/collections';

/** Every kind of resource with variables, and how a test creates one. */
const owners: readonly (readonly [string, (admin: Caller) => Promise<number>])[] = [
  ['regions', async (admin) => (await admin.region()).id],
  ['cells', async (admin) => (await admin.cell()).id],
  ['labels', async (admin) => (await admin.label()).id],
  ['hosts', async (admin) => (await admin.host()).id],
  ['network-devices', async (admin) => (await admin.networkDevice()).id],
  [
    'users',
    async (admin) =>
      ((await admin.post('/v1/users', { username: aName('user') }).expect(201)).body as Resource).id,
  ],
];

/** Nested arrays, as JSON text. */
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

describe('variables', () => {
  const app = sharedService();
  const shared = inOneProject(app);
  /** Creates a resource. Returns the path of its variables and the project's admin. */
  async function createOwner(collection: string, make: (admin: Caller) => Promise<number>) {
    const admin = await shared.project();
    return { admin, path: `/v1/${collection}/${String(await make(admin))}/variables` };
  }

  const host = () => createOwner('hosts', async (admin) => (await admin.host()).id);

  const text = async (admin: Caller, path: string) => (await admin.get(path).expect(200)).text;

  describe.each(owners)('of %s', (collection, make) => {
    it('are empty at first, and can be merged and deleted', async () => {
      const { admin, path } = await createOwner(collection, make);
      expect((await admin.get(path).expect(200)).body).toEqual({ variables: {} });
      const first = await admin.put(path, { a: 1, b: { x: [1], y: null } }).expect(200);
      expect(first.body).toEqual({ variables: { a: 1, b: { x: [1], y: null } } });
      const second = await admin.put(path, { b: { z: 2 }, c: null }).expect(200);
      expect(second.body).toEqual({ variables: { a: 1, b: { z: 2 }, c: null } });
      expect((await admin.get(path).expect(200)).body).toEqual(second.body);
      const deletion = await admin.delete(path, { key: 'b' }).expect(204);
      expect(deletion.text).toBe('');
      expect((await admin.get(path).expect(200)).body).toEqual({ variables: { a: 1, c: null } });
    });
  });

  describe('of one host', () => {
    let admin: Caller;
    let regionId: number;
    /** The path of variables that no test changes. */
    let unchanged: string;
    beforeAll(async () => {
      admin = await app.project();
      regionId = (await admin.region()).id;
      const { id } = await admin.host({ region_id: regionId, variables: { unchanged: 1 } });
      unchanged = `/v1/hosts/${String(id)}/variables`;
    });

    it.each([
      ['{"key": "k", "value": null}', { k: null }],
      ['{"value": 1, "key": "k"}', { k: 1 }],
      ['{"key": "value", "value": {"key": "x", "value": 1}}', { value: { key: 'x', value: 1 } }],
      ['{"key": "key", "value": "value"}', { key: 'value' }],
      ['{"value": 1}', { value: 1 }],
      ['{"key": "k"}', { key: 'k' }],
      ['{"key": 1, "value": 2}', { key: 1, value: 2 }],
      ['{"key": "k", "value": 1, "more": 2}', { key: 'k', value: 1, more: 2 }],
      ['{}', {}],
      ['{"a": 1, "a": 2}', { a: 2 }],
    ])('%s sets %j', async (body, variables) => {
      const path = `/v1/hosts/${String((await admin.host({ region_id: regionId })).id)}/variables`;
      expect((await admin.put(path, body).expect(200)).body).toEqual({ variables });
    });

    it.each([
      ['an array', '[]'],
      ['a string', '"a"'],
      ['null', 'null'],
      ['a key that is no identifier', '{"1a": 1}'],
      ['a key with a space', '{"a b": 1}'],
      ['a key with a dot', '{"a.b": 1}'],
      ['an empty key', '{"": 1}'],
      ['a pair with such a key', '{"key": "a b", "value": 1}'],
      ['a key of 256 characters', `{"${'k'.repeat(256)}": 1}`],
      ['a NUL in a value', '{"a": "x\\u0000"}'],
      ['a NUL in a key within a value', '{"a": {"x\\u0000": 1}}'],
      ['the first half of a surrogate pair', '{"a": ["\\ud800"]}'],
      ['the second half of a surrogate pair', '{"a": "\\udc00x"}'],
      ['65 levels', `{"a": ${nested(65)}}`],
      ['65 levels in a pair', `{"key": "a", "value": ${nested(65)}}`],
      ['100,000 levels', `{"a": ${nested(100_000)}}`],
      ['a number that is too large to be held', '{"a": 1e999999}'],
      ['more than 1 MiB', JSON.stringify({ a: 'x'.repeat(1024 * 1024) })],
      ['no JSON', '{"a": }'],
    ])('cannot be set to %s', async (_, body) => {
      const rejected = await admin.put(unchanged, body).expect(400);
      expect(rejected.body).toMatchObject({ code: 'invalid_request' });
      expect((await admin.get(unchanged).expect(200)).body).toEqual({ variables: { unchanged: 1 } });
    });
  });

  it('are validated in the same way when a resource is created or updated', async () => {
    const admin = await app.project();
    const region = (variables: string) =>
      admin.post('/v1/regions', `{"name": "r", "variables": ${variables}}`);
    for (const variables of ['[]', '{"a b": 1}', '{"a": "\\u0000"}', `{"a": ${nested(65)}}`])
      await region(variables).expect(400);
    const { body } = await region(`{"a": ${nested(64)}}`).expect(201);
    await admin
      .put(`/v1/regions/${String((body as Resource).id)}`, '{"variables": {"a": "\\ud800"}}')
      .expect(400);
  });

  it('can be set as a key and value pair', async () => {
    const { admin, path } = await host();
    await admin.put(path, { a: 1 }).expect(200);
    const response = await admin.put(path, { key: 'b', value: { deep: [true] } }).expect(200);
    expect(response.body).toEqual({ variables: { a: 1, b: { deep: [true] } } });
  });

  it('have the entity tag of their resource', async () => {
    const { admin, path } = await host();
    const before = (await admin.get(path).expect(200)).headers['etag'] ?? '';
    const after = (await admin.put(path, { a: 1 }, { 'If-Match': before }).expect(200)).headers['etag'];
    expect(after).not.toBe(before);
    await admin.put(path, { a: 2 }, { 'If-Match': before }).expect(412);
    await admin.delete(path, ['a'], { 'If-Match': before }).expect(412);
    expect((await admin.get(path).expect(200)).body).toEqual({ variables: { a: 1 } });
  });

  it('need a body', async () => {
    const { admin, path } = await host();
    await admin.put(path).expect(400);
    await admin.delete(path).expect(400);
  });

  it('accept 64 levels', async () => {
    const { admin, path } = await host();
    expect((await admin.put(path, `{"a": ${nested(64)}}`).expect(200)).text).toBe(
      `{"variables":{"a": ${nested(64)}}}`,
    );
  });

  it('accept 1 MiB in total, and not a byte more', async () => {
    const { admin, path } = await host();
    // In the stored form, {"a": ""} has nine characters around the text.
    const full = 'x'.repeat(1024 * 1024 - '{"a": ""}'.length);
    await admin.put(path, { a: full }).expect(200);
    await admin.put(path, { b: 1 }).expect(400);
    await admin.put(path, { a: `${full}x` }).expect(400);
    await admin.put(path, { a: 'small', b: 1 }).expect(200);
  });

  it('accept keys and texts in every script', async () => {
    const { admin, path } = await host();
    const variables = { größe: 'ß', 変数: '\u{1f600}', 'x-y': '\u007f\u2028"\\', _: '</script>' };
    expect((await admin.put(path, variables).expect(200)).body).toEqual({ variables });
  });

  const digits =
    '{"n": 9007199254740993, "__proto__": {"x": 1.50}, "tiny": [0.1000000000000000055511151231257827]}';
  /** In the order in which PostgreSQL prints keys. */
  const stored =
    '{"n": 9007199254740993, "tiny": [0.1000000000000000055511151231257827], "__proto__": {"x": 1.50}}';

  it('keep every digit of a number, and __proto__ as an ordinary key, in every response', async () => {
    const { admin, path } = await host();
    expect((await admin.put(path, digits).expect(200)).text).toBe(`{"variables":${stored}}`);
    expect(await text(admin, path)).toBe(`{"variables":${stored}}`);
    expect(await text(admin, `${path}?resolved-values=true`)).toBe(`{"variables":${stored}}`);
    for (const url of [path.replace('/variables', ''), '/v1/hosts', '/v1/devices'])
      expect(await text(admin, url)).toContain(`"variables":${stored}`);
    const record = await text(admin, '/v1/changes?kind=host&sort_dir=desc&limit=1');
    for (const number of ['9007199254740993', '0.1000000000000000055511151231257827', '1.50'])
      expect(record).toContain(number);
    expect(record).toContain('"__proto__"');
  });

  it('keep every digit of a pair', async () => {
    const { admin, path } = await host();
    const response = await admin
      .put(path, '{"key": "__proto__", "value": [9007199254740993, 1.0]}')
      .expect(200);
    expect(response.text).toBe('{"variables":{"__proto__": [9007199254740993, 1.0]}}');
  });

  it('keep every digit of inherited variables, and of those created with a resource', async () => {
    const admin = await app.project();
    const { body } = await admin.post('/v1/regions', `{"name": "r", "variables": ${digits}}`).expect(201);
    const { id } = await admin.host({ region_id: (body as Resource).id });
    expect(await text(admin, `/v1/hosts/${String(id)}`)).toContain(`"variables":${stored}`);
    expect(await text(admin, '/v1/hosts')).toContain(`"variables":${stored}`);
  });

  describe('are deleted', () => {
    it.each([
      ['one key', { key: 'a' }, ['b', 'c']],
      ['one key, whatever its value is', { key: 'a', value: 'something else' }, ['b', 'c']],
      ['the keys of an object', { a: null, b: 'whatever' }, ['c']],
      ['the keys of an array', ['a', 'c'], ['b']],
      ['keys that are not set', ['z', 'a'], ['b', 'c']],
      ['one key that is not set', { key: 'z' }, ['a', 'b', 'c']],
      ['no keys', [], ['a', 'b', 'c']],
    ])('by %s', async (_, body, left) => {
      const { admin, path } = await host();
      await admin.put(path, { a: 1, b: 2, c: 3 }).expect(200);
      await admin.delete(path, body).expect(204);
      expect(Object.keys((await admin.get(path).expect(200)).body.variables as object)).toEqual(left);
    });

    it('but not by a body that names no keys', async () => {
      const { admin, path } = await host();
      await admin.put(path, { a: 1 }).expect(200);
      for (const body of [
        '"a"',
        'null',
        '7',
        '[1]',
        '["a", null]',
        '["a b"]',
        '{"key": "a b"}',
        '{"a b": 1}',
      ])
        await admin.delete(path, body).expect(400);
      expect((await admin.get(path).expect(200)).body).toEqual({ variables: { a: 1 } });
    });

    it('even if they are named key and value', async () => {
      const { admin, path } = await host();
      await admin.put(path, { key: 1, value: 2, other: 3 }).expect(200);
      await admin.delete(path, ['key', 'value']).expect(204);
      expect((await admin.get(path).expect(200)).body).toEqual({ variables: { other: 3 } });
    });

    it('even if they are named __proto__', async () => {
      const { admin, path } = await host();
      await admin.put(path, '{"__proto__": 1, "constructor": 2}').expect(200);
      await admin.delete(path, '{"__proto__": null}').expect(204);
      expect(await text(admin, path)).toBe('{"variables":{"constructor": 2}}');
    });
  });

  describe('with resolved-values', () => {
    async function inherited() {
      const admin = await app.project();
      const { id: region_id } = await admin.region({ variables: { r: 1, k: 'region' } });
      const { id: cell_id } = await admin.cell({ region_id, variables: { c: 2, k: 'cell' } });
      const device = { region_id, cell_id, variables: { h: 3, k: 'own' } };
      const { id: host_id } = await admin.host(device);
      const { id: switch_id } = await admin.networkDevice(device);
      const all = { r: 1, c: 2, h: 3, k: 'own' };
      return {
        admin,
        cases: [
          ['regions', region_id, { r: 1, k: 'region' }, { r: 1, k: 'region' }],
          ['cells', cell_id, { c: 2, k: 'cell' }, { r: 1, c: 2, k: 'cell' }],
          ['hosts', host_id, { h: 3, k: 'own' }, all],
          ['network-devices', switch_id, { h: 3, k: 'own' }, all],
        ] as const,
      };
    }

    it('returns resolved or own variables in single reads, lists and variable reads', async () => {
      const { admin, cases } = await inherited();
      for (const [collection, id, own, resolved] of cases) {
        const path = `/v1/${collection}/${String(id)}`;
        const single = async (query: string) =>
          ((await admin.get(path + query).expect(200)).body as Resource).variables;
        expect(await single('')).toEqual(resolved);
        expect(await single('?resolved-values=true')).toEqual(resolved);
        expect(await single('?resolved-values=false')).toEqual(own);
        const listed = async (query: string) =>
          ((await admin.get(`/v1/${collection}${query}`).expect(200)).body as Resource[]).map(
            (one) => one.variables,
          );
        expect(await listed('')).toEqual([resolved]);
        expect(await listed('?resolved-values=true')).toEqual([resolved]);
        expect(await listed('?resolved-values=false')).toEqual([own]);
        expect(await single('/variables')).toEqual(own);
        expect(await single('/variables?resolved-values=false')).toEqual(own);
        expect(await single('/variables?resolved-values=true')).toEqual(resolved);
        for (const query of ['?resolved-values=yes', '?resolved-values=', '?resolved=true'])
          for (const url of [path, `${path}/variables`, `/v1/${collection}`])
            await admin.get(url + query).expect(400);
      }
    });

    it('returns resolved variables after a write', async () => {
      const { admin, cases } = await inherited();
      for (const [collection, id, , resolved] of cases) {
        const { body } = await admin.put(`/v1/${collection}/${String(id)}`, { note: 'moved' }).expect(200);
        expect((body as Resource).variables).toEqual(resolved);
      }
    });
  });
});
