import { sharedPeer, sharedService, type Service } from '../support/service';
import { aName, type Caller, type Resource } from '../support/caller';
import { collections } from '../support/collections';
import { readPage } from '../support/read-pages';

const PAGE_TYPE = 'application/vnd.muster.page+json';
const ARRAY_TYPE = 'application/vnd.muster.array+json';
const LISTS = [...collections.map(({ collection }) => collection), 'changes'];
const WITH_VARIABLES = ['regions', 'cells', 'labels', 'hosts', 'network-devices'];

/** The admin of a new project, or root for the list of projects, which it alone may read. */
const readerOf = async (app: Service, collection: string): Promise<Caller> => {
  const admin = await app.project();
  return collection === 'projects' ? app.root.in(admin.projectId) : admin;
};

/**
 * All lists share one implementation of limits, markers, orders and media types. These differ in more than their members: one with ids
 * that are UUIDs, one of accounts, one of a kind of a resource, and one of records that never change.
 */
const SOME_LISTS = ['projects', 'users', 'hosts', 'changes'];

/** A fourth of the values, a different one for each of those lists. */
const someFor = <T>(list: string, values: readonly T[]): T[] =>
  values.filter((_, i) => (i + SOME_LISTS.indexOf(list)) % SOME_LISTS.length === 0);

/** A sixth of the values, a different one for each of six lists in turn. */
const fewFor = <T>(list: string, values: readonly T[]): T[] =>
  values.filter((_, i) => (i + LISTS.indexOf(list)) % 6 === 0);

async function expectRejectedBy(caller: Caller, path: string, query: string, field: string): Promise<void> {
  const { body } = await caller.get(`${path}?${query}`).expect(400);
  expect(body).toMatchObject({
    code: 'invalid_request',
    details: [{ field, code: expect.any(String), message: expect.any(String) }],
  });
}

describe('every list', () => {
  const app = sharedService();

  describe.each(SOME_LISTS)('%s', (collection) => {
    const path = `/v1/${collection}`;
    let caller: Caller;
    beforeAll(async () => {
      caller = await readerOf(app, collection);
    });

    /** A list that no other test changes. */
    const ownList = () => (collection === 'projects' ? `${path}?project_id=${caller.projectId}` : path);

    const expectRejected = (query: string, field: string) => expectRejectedBy(caller, path, query, field);

    it('returns an array with a Link header, or a page object if the request accepts it', async () => {
      const list = ownList();
      const array = await caller.get(list).expect(200);
      expect(Array.isArray(array.body)).toBe(true);
      expect(array.headers['content-type']).toBe('application/json');
      expect(array.headers['link']).toBe(`<${app.url}${list}>; rel="self"`);
      expect(array.headers['vary']).toMatch(/\bAccept\b/);
      const spelled = [
        `application/json;q=0.5, ${PAGE_TYPE}`,
        PAGE_TYPE.toUpperCase(),
        ` ${PAGE_TYPE};q=0.1`,
      ];
      for (const Accept of [PAGE_TYPE, ...someFor(collection, spelled)]) {
        const page = await caller.get(list, { Accept }).expect(200);
        expect(page.headers['content-type']).toBe(PAGE_TYPE);
        expect(page.headers).not.toHaveProperty('link');
        expect(page.headers['vary']).toMatch(/\bAccept\b/);
        expect(Object.keys(page.body)).toEqual(['items', 'links']);
        expect(page.body.items).toEqual(array.body.slice(0, 30));
        expect(page.body.links[0]).toEqual({ rel: 'self', href: `${app.url}${list}` });
      }
      for (const Accept of someFor(collection, [
        '*/*',
        'application/json',
        `${PAGE_TYPE};q=0, application/json`,
        'text/html, */*;q=0.1',
      ]))
        expect((await caller.get(list, { Accept }).expect(200)).body).toEqual(array.body);
    });

    it('accepts a limit from 1 to 10000 for arrays, and from 10 to 100 for page objects', async () => {
      for (const limit of [1, 10_000]) await caller.get(`${path}?limit=${String(limit)}`).expect(200);
      const invalid = ['99999999999', '1.5', '1e3', 'ten', '', '%201', '0x10', '-1'];
      for (const limit of ['0', '10001', ...someFor(collection, invalid)])
        await expectRejected(`limit=${limit}`, 'limit');
      const page = (limit: number) => caller.get(`${path}?limit=${String(limit)}`, { Accept: PAGE_TYPE });
      for (const limit of [10, 100]) await page(limit).expect(200);
      for (const limit of [9, 101, ...someFor(collection, [0, 1, 10_000])]) await page(limit).expect(400);
    });

    it('rejects an unknown marker', async () => {
      for (const marker of someFor(collection, ['abc', '', '1.5', 'null']))
        await expectRejected(`marker=${marker}`, 'marker');
      const unknown =
        collection === 'projects'
          ? ['00000000-0000-4000-8000-000000000000']
          : ['987654321', ...someFor(collection, ['0', '-1', '9'.repeat(30)])];
      for (const marker of unknown) {
        await expectRejected(`marker=${marker}`, 'marker');
        await expectRejected(`marker=${marker}&sort_keys=created_at`, 'marker');
      }
    });

    it('sorts by its own columns and rejects others', async () => {
      const accepted = [
        'sort_keys=created_at,id',
        'sort_keys=created_at&sort_keys=id',
        'sort_keys=id&sort_dir=asc',
      ];
      for (const query of accepted) await caller.get(`${path}?${query}`).expect(200);
      const invalid = ['', ',', 'id,', 'id,nothing', 'ID', 'id;drop', 'constructor', 'toString', '__proto__'];
      for (const query of ['nothing', 'objects', 'variables', ...someFor(collection, invalid)])
        await expectRejected(`sort_keys=${encodeURIComponent(query)}`, 'sort_keys');
      for (const query of ['up', ...someFor(collection, ['', 'ASC', 'descending'])])
        await expectRejected(`sort_dir=${query}`, 'sort_dir');
    });

    it('rejects unknown and repeated parameters', async () => {
      const unknown = [
        'Name',
        'LIMIT',
        'page',
        'constructor',
        '__proto__',
        'toString',
        'id%5B%5D',
        'limit%5B%5D',
      ];
      for (const name of ['colour', 'offset', ...someFor(collection, unknown)])
        await expectRejected(`${name}=1`, decodeURIComponent(name));
      const repeated = [
        'limit=10&limit=10',
        'limit=10&limit=20',
        'sort_dir=asc&sort_dir=asc',
        `project_id=${caller.projectId}&project_id=${caller.projectId}`,
      ];
      for (const query of someFor(collection, repeated))
        await expectRejected(query, query.slice(0, query.indexOf('=')));
    });
  });

  // openapi.spec.ts reads each list with its fields, its sort keys and in each of its media types.
  describe.each(LISTS)('%s', (collection) => {
    const path = `/v1/${collection}`;
    let caller: Caller;
    beforeAll(async () => {
      caller = await readerOf(app, collection);
    });

    const expectRejected = (query: string, field: string) => expectRejectedBy(caller, path, query, field);

    it('returns only the requested fields', async () => {
      const [whole] = (await caller.get(`${path}?limit=1`).expect(200)).body as [Resource | undefined];
      const members = whole ? Object.keys(whole) : ['id', 'created_at'];
      // openapi.spec.ts reads each field alone, too.
      const single = fewFor(collection, members);
      const items = await Promise.all(
        single.map(async (member) => (await caller.get(`${path}?limit=1&fields=${member}`).expect(200)).body),
      );
      for (const [i, member] of single.entries())
        if (whole) expect(items[i]).toEqual([{ [member]: whole[member] }]);
      const all = await caller.get(`${path}?limit=1&fields=${members.toReversed().join(',')}`).expect(200);
      if (whole) expect(all.body).toEqual([whole]);
      const repeated = members.map((member) => `fields=${member}`).join('&');
      const same = await caller.get(`${path}?limit=1&${repeated}`).expect(200);
      expect(same.body).toEqual(all.body);
      for (const query of [
        'nothing',
        ...fewFor(collection, ['', 'id,', ',id', 'id,nothing', 'ID', 'constructor']),
        'cert',
        'api_key',
        'secret_hash',
        // The column that distinguishes kinds of devices. Audits have a field with this name.
        ...(path.endsWith('/audits') ? [] : ['kind']),
      ])
        await expectRejected(`fields=${query}`, 'fields');
    });

    it('accepts resolved-values if its items have variables', async () => {
      if (!WITH_VARIABLES.includes(collection))
        return expectRejected('resolved-values=true', 'resolved-values');
      for (const value of ['true', 'false']) await caller.get(`${path}?resolved-values=${value}`).expect(200);
      for (const value of fewFor(collection, ['', 'yes', '1', 'TRUE']))
        await expectRejected(`resolved-values=${value}`, 'resolved-values');
    });

    it('filters by UUID in any notation if its items have one', async () => {
      const one = collections.find((known) => known.collection === collection);
      if (!one) return expectRejected('uuid=00000000-0000-4000-8000-000000000000', 'uuid');
      const { body: first } = await caller.post(path, await one.body(caller)).expect(201);
      await caller.post(path, await one.body(caller)).expect(201);
      const { id, uuid } = first as { id: number | string; uuid: string };
      const found = async (query: string) =>
        (await caller.get(`${path}?fields=id&${query}`).expect(200)).body;
      for (const [i, spelled] of [uuid, uuid.toUpperCase(), uuid.replaceAll('-', '')].entries())
        for (const more of fewFor(
          collection,
          ['', '&sort_keys=created_at&limit=10', `&project_id=${String(first.project_id)}`].map(
            (_, n, all) => all[(n + i) % 3] ?? '',
          ),
        ))
          expect(await found(`uuid=${spelled}${more}`)).toEqual([{ id }]);
      expect(await found('uuid=00000000-0000-4000-8000-000000000000')).toEqual([]);
      const invalid = ['', String(id).slice(0, 8), `${uuid}0`, uuid.slice(1), `{${uuid}}`];
      for (const query of fewFor(collection, invalid))
        await expectRejected(`uuid=${encodeURIComponent(query)}`, 'uuid');
      await expectRejected(`uuid=${uuid}&uuid=${uuid}`, 'uuid');
    });

    it('filters by name prefix if its items have names', async () => {
      const one = collections.find((known) => known.collection === collection);
      if (!one || collection === 'access-secrets') return expectRejected('name_prefix=a', 'name_prefix');
      const { body: first } = await caller.post(path, await one.body(caller)).expect(201);
      const member = one.unique ?? 'name';
      const name = String((first as Resource)[member]);
      const found = async (prefix: string): Promise<string[]> => {
        const query = `fields=${member}&sort_keys=${member}&name_prefix=${encodeURIComponent(prefix)}`;
        const { body } = await caller.get(`${path}?${query}`).expect(200);
        return (body as Resource[]).map((item) => String(item[member]));
      };
      // Other tests create projects, too.
      const shortest = collection === 'projects' ? name.lastIndexOf('-') : 0;
      const all = await found(name.slice(0, shortest));
      expect(all).toContain(name);
      for (const length of [Math.max(3, shortest), name.length])
        expect(await found(name.slice(0, length))).toEqual(
          all.filter((other) => other.startsWith(name.slice(0, length))),
        );
      for (const absent of [
        `${name}x`,
        ...fewFor(collection, [`${name}\u{10ffff}`, '%', '_', name.toUpperCase()]),
      ])
        expect(await found(absent)).toEqual([]);
      await expectRejected('name_prefix=%00', 'name_prefix');
      await expectRejected('name_prefix=a&name_prefix=b', 'name_prefix');
    });

    it('filters by variables if its items resolve them', async () => {
      if (['regions', 'cells', 'hosts', 'network-devices'].includes(collection))
        expect((await caller.get(`${path}?vars=nobody_sets_this:1`).expect(200)).body).toEqual([]);
      else await expectRejected('vars=a:1', 'vars');
    });
  });

  let admin: Caller;
  let stranger: Caller;
  beforeAll(async () => {
    [admin, stranger] = [await app.project(), await app.project()];
    await admin.host();
  });

  it.each([
    ['regions', 'cloud_id'],
    ['cells', 'region_id'],
    ['cells', 'cloud_id'],
    ['hosts', 'region_id'],
    ['hosts', 'cloud_id'],
    ['network-devices', 'cell_id'],
    ['network-devices', 'parent_id'],
  ])('%s returns 404 for a %s that the caller cannot see', async (list, name) => {
    const make: Record<string, () => Promise<Resource>> = {
      cloud_id: () => stranger.cloud(),
      region_id: () => stranger.region(),
      cell_id: () => stranger.cell(),
      parent_id: () => stranger.networkDevice(),
    };
    const foreign = await make[name]?.();
    const errors = [];
    for (const id of [String(foreign?.id), '987654321', '0', '-1', '9'.repeat(40)]) {
      const { body } = await admin.get(`/v1/${list}?${name}=${id}`).expect(404);
      expect(body.code).toBe('not_found');
      errors.push([String(body.message).replace(id, '…'), body.details]);
    }
    // Absent resources and resources of other projects get the same message.
    expect(new Set(errors.map((error) => JSON.stringify(error))).size).toBe(1);
    // These can also be null.
    const isNullable = ['cell_id', 'parent_id'].includes(name);
    for (const id of ['', 'abc', '1.5', '1,2', 'NULL', ...(isNullable ? [] : ['null'])])
      await admin.get(`/v1/${list}?${name}=${id}`).expect(400);
    await stranger.get(`/v1/${list}?${name}=${String(foreign?.id)}`).expect(200);
  });

  it.each([
    ['users', 'username=nobody'],
    ['users', 'name=nobody'],
    ['clouds', 'name=nothing'],
    ['regions', 'name=nothing'],
    ['regions', 'label=nothing'],
    ['cells', 'name=nothing'],
    ['labels', 'label=nothing'],
    ['hosts', 'name=nothing'],
    ['hosts', 'ip=203.0.113.7'],
    ['hosts', 'device_type=nothing'],
    ['hosts', 'label=nothing'],
    ['network-devices', 'name='],
    ['network-devices', 'active=false'],
  ])('%s returns an empty list for %s, which matches nothing', async (list, query) => {
    expect((await admin.get(`/v1/${list}?${query}`).expect(200)).body).toEqual([]);
  });

  it('accepts any character in a filter', async () => {
    const admin = await app.project();
    const names = [
      `a&b=c ${aName('x')}`,
      `%41+ ${aName('x')}`,
      `'; SELECT 1; -- ${aName('x')}`,
      `ü☃😀${aName('x')}`,
    ];
    for (const name of names) {
      const region = await admin.region({ name });
      const list = `/v1/regions?name=${encodeURIComponent(name)}`;
      expect((await admin.get(list).expect(200)).body).toEqual([region]);
      const { links } = await readPage(admin, list);
      expect(new URL(links['self'] ?? '').searchParams.get('name')).toBe(name);
    }
    await admin.get('/v1/regions?name=a%00b').expect(400);
    await admin.get('/v1/hosts?label=a%00b').expect(400);
    await admin.get('/v1/hosts?active=maybe').expect(400);
  });

  it('keeps every parameter in links, and builds them from the Host header', async () => {
    const admin = await app.project();
    const { id: region_id } = await admin.region();
    for (let i = 0; i < 3; i++) await admin.host({ region_id, labels: 'a,b' });
    const query = `region_id=${String(region_id)}&label=a&label=b&sort_keys=name&sort_dir=desc&fields=id&limit=1`;
    const { links } = await readPage(admin, `/v1/hosts?${query}`);
    for (const href of Object.values(links)) {
      const { origin, pathname, searchParams } = new URL(href);
      expect([origin, pathname]).toEqual([app.url, '/v1/hosts']);
      searchParams.delete('marker');
      expect(searchParams.toString()).toBe(query);
    }
    const { headers } = await admin.get('/v1/hosts', { Host: 'muster.example:8443' }).expect(200);
    expect(headers['link']).toBe('<http://muster.example:8443/v1/hosts>; rel="self"');
  });

  it('returns 1000 items by default, and all items with a larger limit', async () => {
    const admin = await app.project();
    for (let i = 0; i < 5; i++) {
      const labels = Array.from({ length: 205 }, (_, j) => `l-${String(i)}-${String(j)}`);
      await admin.region({ labels });
    }
    const byDefault = await readPage(admin, '/v1/labels?fields=id');
    expect([byDefault.items.length, Object.keys(byDefault.links).sort()]).toEqual([
      1000,
      ['last', 'next', 'self'],
    ]);
    expect((await readPage(admin, '/v1/labels?fields=id&limit=10000')).items).toHaveLength(1025);
    const page = await readPage(admin, '/v1/labels?fields=id', 'page');
    expect(page.items).toHaveLength(30);
  });

  it('returns resolved variables by default, and own variables on request', async () => {
    const admin = await app.project();
    const region = await admin.region({ variables: { a: 1, b: 1 } });
    await admin.host({ region_id: region.id, variables: { b: 2 } });
    const shown = async (query: string) =>
      (await admin.get(`/v1/hosts?fields=variables${query}`).expect(200)).body;
    expect(await shown('')).toEqual([{ variables: { a: 1, b: 2 } }]);
    expect(await shown('&resolved-values=true')).toEqual([{ variables: { a: 1, b: 2 } }]);
    expect(await shown('&resolved-values=false')).toEqual([{ variables: { b: 2 } }]);
  });
});

describe('lists of a deployment with LIST_BODY=page and a PUBLIC_URL', () => {
  const app = sharedPeer();

  it.each(SOME_LISTS)('%s returns a page object by default', async (collection) => {
    const caller = await readerOf(app, collection);
    const response = await caller.get(`/v1/${collection}`).expect(200);
    expect(Object.keys(response.body)).toEqual(['items', 'links']);
    expect(response.body.links[0]).toEqual({
      rel: 'self',
      href: `https://muster.example/fleet/v1/${collection}`,
    });
    expect(response.headers['content-type']).toBe('application/json');
    await caller.get(`/v1/${collection}?limit=9`).expect(400);
    await caller.get(`/v1/${collection}?limit=101`).expect(400);
    await caller.get(`/v1/${collection}?limit=10`).expect(200);
  });

  it.each(SOME_LISTS)(
    '%s returns an array with a Link header if the request chooses it',
    async (collection) => {
      const caller = await readerOf(app, collection);
      const path = `/v1/${collection}`;
      // That of the explorer.
      for (const Accept of [ARRAY_TYPE, `${ARRAY_TYPE}, */*;q=0.9`]) {
        const list = (limit: number) => caller.get(`${path}?limit=${String(limit)}`, { Accept });
        const { headers, body } = await list(10_000).expect(200);
        expect(Array.isArray(body)).toBe(true);
        expect(headers).toMatchObject({
          'content-type': ARRAY_TYPE,
          link: expect.stringContaining(`<https://muster.example/fleet${path}?limit=10000>; rel="self"`),
          vary: expect.stringMatching(/\bAccept\b/),
        });
        await list(1).expect(200);
        await list(10_001).expect(400);
      }
    },
  );

  it('builds up links from PUBLIC_URL', async () => {
    const admin = await app.project();
    const host = await admin.host();
    expect(host['links']).toEqual([
      { rel: 'up', href: `https://muster.example/fleet/v1/regions/${String(host['region_id'])}` },
    ]);
    const { body } = await admin.get('/v1/devices').expect(200);
    expect(body.links).toEqual([{ rel: 'self', href: 'https://muster.example/fleet/v1/devices' }]);
    const start = await admin.get('/').expect(200);
    expect(start.body.links).toContainEqual({ rel: 'documentation', href: '/fleet/docs' });
    const description = await admin.get('/openapi.json').expect(200);
    expect(description.body.servers).toEqual([{ url: 'https://muster.example/fleet' }]);
  });

  it('returns 30 items per page by default', async () => {
    const admin = await app.project();
    await admin.region({ labels: Array.from({ length: 31 }, (_, i) => `l-${String(i)}`) });
    const { body } = await admin.get('/v1/labels').expect(200);
    expect(body.items).toHaveLength(30);
    expect(body.links.map(({ rel }: { rel: string }) => rel).sort()).toEqual(['last', 'next', 'self']);
  });
});
