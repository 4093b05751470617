import { sharedService } from '../support/service';
import type { Caller, Resource } from '../support/caller';

describe('the vars filter', () => {
  const app = sharedService();
  const list = (caller: Caller, path: string, vars: string) =>
    caller.get(`${path}${path.includes('?') ? '&' : '?'}vars=${encodeURIComponent(vars)}`);

  const names = async (caller: Caller, vars: string, path = '/v1/hosts') =>
    ((await list(caller, path, vars).expect(200)).body as Resource[]).map((one) => one.name).sort();

  /** A region, a cell and two labels, all of which set `k` to their name, and hosts that inherit from them. */
  async function inventory() {
    const admin = await app.project();
    const { id: region_id } = await admin.region({ name: 'region', variables: { k: 'region', r: 1 } });
    const { id: cell_id } = await admin.cell({ name: 'cell', region_id, variables: { k: 'cell', c: 2 } });
    await admin.label({ label: 'a', variables: { k: 'a' } });
    await admin.label({ label: 'b', variables: { k: 'b' } });
    await admin.label({ label: 'plain' });
    const host = (name: string, members: object) => admin.host({ name, region_id, ...members });
    await host('by-region', { labels: 'plain' });
    await host('by-cell', { cell_id });
    await host('by-label', { cell_id, labels: 'a,plain' });
    await host('by-later-label', { cell_id, labels: 'a,b' });
    await host('by-itself', { cell_id, labels: 'a,b', variables: { k: 'own' } });
    await host('hidden', { cell_id, labels: 'a', variables: { k: null } });
    return { admin, region_id, cell_id };
  }

  describe('of one inventory', () => {
    let admin: Caller;
    beforeAll(async () => {
      ({ admin } = await inventory());
    });

    it.each([
      ['"region"', ['by-region']],
      ['"cell"', ['by-cell']],
      ['"a"', ['by-label']],
      ['"b"', ['by-later-label']],
      ['"own"', ['by-itself']],
      ['null', ['hidden']],
      ['"nothing"', []],
    ])(
      'k:%s finds hosts that resolve to the value, and not hosts that override it',
      async (value, expected) => {
        expect(await names(admin, `k:${value}`)).toEqual(expected);
      },
    );

    it('finds a value of a broader level that narrower levels do not override', async () => {
      expect(await names(admin, 'r:1')).toHaveLength(6);
      expect(await names(admin, 'c:2')).toHaveLength(5);
      expect(await names(admin, 'c:2,k:"a"')).toEqual(['by-label']);
    });

    it('can be repeated: all filters of all parameters must match', async () => {
      const { body } = await admin.get('/v1/hosts?vars=r:1&vars=c:2,k:%22cell%22').expect(200);
      expect((body as Resource[]).map((one) => one.name)).toEqual(['by-cell']);
    });

    it('accepts at most 16 filters in all parameters together', async () => {
      const eight = Array.from({ length: 8 }, () => 'r:1').join(',');
      const { body } = await admin.get(`/v1/hosts?vars=${eight}&vars=${eight}`).expect(200);
      expect(body).toHaveLength(6);
      await admin.get(`/v1/hosts?vars=${eight}&vars=${eight}&vars=r:1`).expect(400);
      await admin.get(`/v1/hosts?${Array.from({ length: 17 }, () => 'vars=r:1').join('&')}`).expect(400);
    });

    it.each([
      ['', 'at character 1: expected a key'],
      ['k', 'at character 2: expected'],
      [
        'k:hello',
        'at character 3: expected a JSON string, number, true, false or null: a string needs double quotes',
      ],
      ['k[1:2]:1', 'at character 4: expected "]": array slices are not supported'],
      ['a**b:1', 'at character 2: the double asterisk is not supported'],
      ['k:"a:b"', 'at character 3: ":" and "," cannot be used in a value'],
      ['*:1', 'at character 1: expected the key of a variable: a path cannot begin with "*"'],
      ['k:1e999999', 'at character 3: the number has too many digits'],
      ['k:1e-999999', 'at character 3: the number has too many digits'],
    ])('rejects %j, with the position and what was expected', async (vars, message) => {
      for (const path of ['/v1/hosts', '/v1/network-devices', '/v1/cells', '/v1/regions']) {
        const { body } = await list(admin, path, vars).expect(400);
        expect(body).toMatchObject({
          code: 'invalid_request',
          details: [
            { field: 'vars', code: 'invalid_format', message: expect.stringContaining(message) as string },
          ],
        });
      }
    });

    it('reports the position within a repeated parameter', async () => {
      const { body } = await admin.get('/v1/hosts?vars=a:1&vars=b:x').expect(400);
      expect(body).toMatchObject({
        details: [{ message: expect.stringContaining('at character 3:') as string }],
      });
    });

    it('is kept in the links to other pages', async () => {
      const first = await list(admin, '/v1/hosts?limit=2', 'r:1').expect(200);
      expect(first.headers['link']).toContain('vars=r%3A1');
      const page = await admin
        .get('/v1/hosts?limit=10&vars=r:1', { Accept: 'application/vnd.muster.page+json' })
        .expect(200);
      expect(page.body.items).toHaveLength(6);
    });
  });

  it('finds network devices and hosts separately', async () => {
    const { admin, region_id } = await inventory();
    await admin.networkDevice({ name: 'switch', region_id });
    await admin.networkDevice({ name: 'own-switch', region_id, variables: { k: 'own' } });
    expect(await names(admin, 'k:"region"', '/v1/network-devices')).toEqual(['switch']);
    expect(await names(admin, 'k:"own"', '/v1/network-devices')).toEqual(['own-switch']);
    expect(await names(admin, 'k:"region"')).toEqual(['by-region']);
  });

  it('finds cells by own and inherited variables, and regions by their own', async () => {
    const { admin, region_id } = await inventory();
    await admin.cell({ name: 'bare', region_id });
    expect(await names(admin, 'k:"cell"', '/v1/cells')).toEqual(['cell']);
    expect(await names(admin, 'k:"region"', '/v1/cells')).toEqual(['bare']);
    expect(await names(admin, 'r:1', '/v1/cells')).toEqual(['bare', 'cell']);
    expect(await names(admin, 'k:"region"', '/v1/regions')).toEqual(['region']);
    expect(await names(admin, 'k:"cell"', '/v1/regions')).toEqual([]);
  });

  it('reflects a change at any level immediately', async () => {
    const { admin, region_id } = await inventory();
    await admin.put(`/v1/regions/${String(region_id)}/variables`, { k: 'changed' }).expect(200);
    expect(await names(admin, 'k:"region"')).toEqual([]);
    expect(await names(admin, 'k:"changed"')).toEqual(['by-region']);
    await admin.delete(`/v1/regions/${String(region_id)}/variables`, ['k']).expect(204);
    expect(await names(admin, 'k:"changed"')).toEqual([]);
  });

  it('finds own values that nobody inherits, however they are written, after each change of them', async () => {
    const admin = await app.project();
    const { id: region_id } = await admin.region();
    const host = (name: string, variables: object) => admin.host({ name, region_id, variables });
    const { id } = await host('a', { n: 1, s: 'x' });
    await host('b', { n: true, s: '1' });
    expect(await names(admin, 'n:1.0')).toEqual(['a']);
    expect(await names(admin, 'n:10e-1')).toEqual(['a']);
    expect(await names(admin, 'n:true')).toEqual(['b']);
    expect(await names(admin, 's:1')).toEqual([]);
    expect(await names(admin, 's:"1"')).toEqual(['b']);
    const path = `/v1/hosts/${String(id)}/variables`;
    await admin.put(path, { n: [true, 2] }).expect(200);
    expect(await names(admin, 'n:1')).toEqual([]);
    expect(await names(admin, 'n:true')).toEqual(['a', 'b']);
    await admin.put(path, { n: { m: true } }).expect(200);
    expect(await names(admin, 'n:true')).toEqual(['b']);
    await admin.put(path, { n: true }).expect(200);
    expect(await names(admin, 'n:true')).toEqual(['a', 'b']);
    const { body: changes } = await admin.get('/v1/changes?sort_dir=desc&limit=1').expect(200);
    await admin.post(`/v1/changes/${String((changes as Resource[])[0]?.id)}/revert`).expect(201);
    expect(await names(admin, 'n:true')).toEqual(['b']);
    await admin.delete(path, ['n']).expect(204);
    expect(await names(admin, 'n:true,s:"1"')).toEqual(['b']);
    // The caller of all projects reads them by another statement.
    expect(await names(app.root, 'n:true', `/v1/hosts?project_id=${admin.projectId}`)).toEqual(['b']);
    expect(await names(app.root, 'n:true')).toEqual(expect.arrayContaining(['b']));
  });

  it('applies labels in the order of code points', async () => {
    const admin = await app.project();
    await admin.label({ label: '\uff5e', variables: { k: 'earlier' } });
    await admin.label({ label: '\u{1f600}', variables: { k: 'later' } });
    await admin.host({ name: 'both', labels: '\u{1f600},\uff5e' });
    expect(await names(admin, 'k:"later"')).toEqual(['both']);
    expect(await names(admin, 'k:"earlier"')).toEqual([]);
  });

  const document = {
    one: 1,
    text: 'x',
    yes: true,
    none: null,
    flat: [1, 'two', null],
    objects: [{ c: 'first', n: [5] }, { c: 'second' }],
    deep: { b: { c: 7 }, 'x-y': { z: 'w' } },
    'x-y': { z: { w: 'v' } },
    matrix: [[1, 2], [3]],
    cube: [[[3]]],
    big: 12345678,
  };

  describe('of one document', () => {
    let admin: Caller;
    beforeAll(async () => {
      admin = await app.project();
      const { id: region_id } = await admin.region({ name: 'inherited', variables: document });
      await admin.host({ name: 'heir', region_id });
      await admin.host({ name: 'own', variables: document });
      await admin.host({ name: 'neither' });
    });

    it.each([
      ['one:1', true],
      ['one:1.0', true],
      ['one:10e-1', true],
      ['one:2', false],
      ['one:"1"', false],
      ['one[0]:1', true],
      ['one[*]:1', true],
      ['one[1]:1', false],
      ['text:"x"', true],
      ['text:"X"', false],
      ['yes:true', true],
      ['yes:"true"', false],
      ['yes:1', false],
      ['none:null', true],
      ['none:false', false],
      ['absent:null', false],
      ['flat:"two"', true],
      ['flat[*]:"two"', true],
      ['flat[1]:"two"', true],
      ['flat[0]:"two"', false],
      ['flat[9]:"two"', false],
      ['flat:null', true],
      ['objects[*].c:"second"', true],
      ['objects.c:"second"', true],
      ['objects[0].c:"second"', false],
      ['objects[1].c:"second"', true],
      ['objects[*].n[*]:5', true],
      ['objects.n:5', true],
      ['objects.*:"first"', true],
      ['deep.b.c:7', true],
      ['deep.*.c:7', true],
      ['deep.*.*:7', true],
      ['deep.*:7', false],
      ['deep.b:7', false],
      ['deep."x-y".z:"w"', true],
      ['"x-y".z.w:"v"', true],
      ['"x-y".z.w:"v",deep.b.c:7', true],
      ['"x-y".z.w:"v",deep.b.c:8', false],
      ['"one":1', true],
      ['matrix[1]:3', true],
      ['matrix[*]:3', true],
      // In lax mode, one level of nested arrays is unwrapped, but not more.
      ['matrix:3', true],
      ['cube:3', false],
      ['cube[*]:3', true],
      ['big:1.2345678e7', true],
      ['big:123456789012345678901234567890', false],
      ['big:1e131071', false],
      ['big:1e-16383', false],
    ])('%s: %s', async (vars, matches) => {
      expect(await names(admin, vars)).toEqual(matches ? ['heir', 'own'] : []);
    });
  });

  describe('of a value', () => {
    let admin: Caller;
    beforeAll(async () => {
      admin = await app.project();
      await admin.host({ variables: { k: 'x' } });
    });

    it.each([
      ['a key that no variable can have', '"a b".c:1'],
      ['an empty key', '"":1'],
      ['a key of 300 characters', `${'k'.repeat(300)}:1`],
      ['a NUL in a value', 'k:"\\u0000"'],
      ['a NUL in a key', 'k."\\u0000":1'],
      ['half of a surrogate pair', 'k:"\\ud800"'],
      ['half of a surrogate pair in a key', 'k."\\udc00":1'],
    ])('%s matches nothing', async (_, vars) => {
      expect(await names(admin, vars)).toEqual([]);
    });
  });

  const hostileTexts = [
    `'; DROP TABLE devices; --`,
    `" || true || "`,
    `x") || (1 == 1) || (@ == "x`,
    `$.**`,
    `\\`,
    `\\" ? (true)`,
    `%' OR '1'='1`,
    `\${jndi}`,
    `$1`,
    `{"a": 1}`,
    `NULL`,
    `\u2028\u2029\u007f`,
  ].map((hostile) => JSON.stringify(hostile).replaceAll(/[:,]/g, ''));

  it('treats hostile texts as plain strings', async () => {
    const admin = await app.project();
    const host = { region_id: (await admin.region()).id, ip_address: '10.0.0.1', device_type: 'server' };
    const hosts = hostileTexts.map((text, i) => {
      const plain = JSON.parse(text) as string;
      return { ...host, name: `has-${String(i)}`, variables: { k: plain, nested: { [plain]: 1 } } };
    });
    const other = { ...host, name: 'has-not', variables: { k: 'x', nested: { x: 1 } } };
    await admin.post('/v1/hosts', [...hosts, other]).expect(201);
    for (const [i, text] of hostileTexts.entries()) {
      const found = [`has-${String(i)}`];
      expect([text, await names(admin, `k:${text}`)]).toEqual([text, found]);
      expect([text, await names(admin, `nested.${text}:1`)]).toEqual([text, found]);
      expect([text, await names(admin, `${text}:1`)]).toEqual([text, []]);
    }
  });

  it.each(['/v1/labels', '/v1/users', '/v1/clouds', '/v1/devices', '/v1/projects'])(
    'is rejected by %s',
    async (path) => {
      await list(app.root, path, 'k:1').expect(400);
    },
  );

  it('does not match labels of another project', async () => {
    const [ownProject, otherProject] = [await app.project(), await app.project()];
    await otherProject.label({ label: 'same', variables: { k: 1 } });
    await otherProject.host({ name: 'theirs', labels: 'same' });
    await ownProject.host({ name: 'ours', labels: 'same' });
    expect(await names(ownProject, 'k:1')).toEqual([]);
    expect(await names(otherProject, 'k:1')).toEqual(['theirs']);
    const query = `/v1/hosts?project_id=${ownProject.projectId}`;
    expect(await names(app.root, 'k:1', query)).toEqual([]);
  });

  it('with descendants, selects the devices below matching devices of every kind', async () => {
    const admin = await app.project();
    const { id: region_id } = await admin.region({ variables: { k: 'region' } });
    const elsewhere = (await admin.region()).id;
    const inherits = await admin.networkDevice({ region_id });
    const overrides = await admin.networkDevice({ region_id, variables: { k: 'own' } });
    await admin.host({ name: 'below-heir', region_id: elsewhere, parent_id: inherits.id });
    await admin.host({ name: 'below-own', region_id: elsewhere, parent_id: overrides.id });
    expect(await names(admin, 'k:"region"', '/v1/hosts?descendants=true')).toEqual(['below-heir']);
    expect(await names(admin, 'k:"own"', '/v1/hosts?descendants=true')).toEqual(['below-own']);
    expect(await names(admin, 'k.*:1', '/v1/hosts?descendants=true')).toEqual([]);
    expect(await names(admin, 'k:"region"')).toEqual([]);
  });
});
