import { Client } from 'pg';
import { aName, type Caller, type Resource } from '../support/caller';
import { collections, inOneProject, someCollections } from '../support/collections';
import { markerOf, readPage, walk, follow, type Page } from '../support/read-pages';
import { sharedService } from '../support/service';

const app = sharedService();
const shared = inOneProject(app);

const idsOf = (pages: readonly Page[]): unknown[] => pages.flatMap(({ items }) => items.map(({ id }) => id));

/** The content of an opaque marker. Clients do not look into markers. */
const contentOf = (marker: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(marker, 'base64url').toString()) as Record<string, unknown>;
const markerWith = (content: unknown): string =>
  Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)).toString('base64url');

async function expectRejected(caller: Caller, path: string): Promise<unknown> {
  const { body } = (await caller.get(path).expect(400)) as { body: { details: { field: string }[] } };
  expect(body.details).toMatchObject([{ field: 'marker' }]);
  return body.details;
}

describe('a list in another order than that of ids', () => {
  let admin: Caller;
  let regionId: number;
  const hosts: Resource[] = [];

  /** Nine hosts, sorted by name, address and creation alike. */
  beforeEach(async () => {
    admin = await app.project();
    regionId = (await admin.region()).id;
    const bodies = Array.from({ length: 9 }, (_, i) => ({
      region_id: regionId,
      name: `h${String(i + 1)}`,
      ip_address: `10.0.0.${String(i + 1)}`,
      device_type: 'server',
      note: `n${String(i + 1)}`,
      labels: 'all',
      variables: { all: true },
    }));
    hosts.splice(
      0,
      hosts.length,
      ...((await admin.post('/v1/hosts', bodies).expect(201)).body as Resource[]),
    );
    expect(hosts.map(({ name }) => name)).toEqual(bodies.map(({ name }) => name));
  });

  const move = {
    rename: (id: number) =>
      admin
        .put(`/v1/hosts/${String(id)}`, { name: `z${String(id)}`, ip_address: '200.0.0.1', note: null })
        .expect(200),
    delete: (id: number) => admin.delete(`/v1/hosts/${String(id)}`).expect(204),
  };

  // Positions do not depend on what becomes of the item, so the changes alternate.
  describe('whose items at the ends of pages someone may change', () => {
    it.each([
      ['name', '', 'rename'],
      ['updated_at', '', 'delete'],
      ['note', '', 'delete'],
      ['region_id,name', '', 'rename'],
      ['ip_address', '&vars=all:true', 'rename'],
      ['note', `&descendants=true&active=true`, 'rename'],
    ] as const)(
      'by %s%s has all other items, forward and backward, if they %s it',
      async (keys, filter, change) => {
        const path = `/v1/hosts?fields=id&sort_keys=${keys}&limit=3${filter}`;
        if (keys === 'updated_at')
          for (const { id } of hosts)
            await admin.put(`/v1/hosts/${String(id)}`, { active: false }).expect(200);
        const [, , third, fourth] = hosts;
        const others = (left: Resource | undefined) =>
          hosts.filter((host) => host !== left).map(({ id }) => id);
        const first = await readPage(admin, path);
        await move[change](third!.id);
        const forward = await walk(admin, first, 'next');
        expect(idsOf(forward).filter((id) => id !== third!.id)).toEqual(others(third));
        expect(forward.length).toBeGreaterThan(2);

        const descending = await readPage(admin, `${path}&sort_dir=desc`);
        const pages = await walk(admin, descending, 'next');
        const end = pages.at(-1)!;
        // The previous page begins after this item. It has no fixed end, so it can repeat items of the next one.
        await move[change](fourth!.id);
        const back = (await walk(admin, end, 'prev')).reverse();
        const left = [third!.id, fourth!.id];
        expect([...new Set(idsOf(back).filter((id) => !left.includes(Number(id))))]).toEqual(
          others(third)
            .filter((id) => id !== fourth!.id)
            .reverse(),
        );
      },
    );
  });

  it('accepts plain ids, which position where the item is now', async () => {
    const path = '/v1/hosts?fields=id&sort_keys=name';
    const [first, second] = hosts;
    const after = async (id: number) => idsOf([await readPage(admin, `${path}&marker=${String(id)}`)]);
    const all = hosts.map(({ id }) => id);
    expect(await after(first!.id)).toEqual(all.slice(1));
    await move.rename(first!.id);
    expect(await after(first!.id)).toEqual([]);
    await move.delete(second!.id);
    await expectRejected(admin, `${path}&marker=${String(second!.id)}`);
  });

  it('rejects markers of other orders, directions and collections', async () => {
    const list = '/v1/hosts?limit=3';
    const marker = markerOf(await readPage(admin, `${list}&sort_keys=name`), 'next');
    await admin.get(`${list}&sort_keys=name&marker=${marker}`).expect(200);
    await admin.get(`/v1/hosts?sort_keys=name,id,note&label=all&marker=${marker}`).expect(200);
    for (const other of [
      list,
      `${list}&sort_keys=name&sort_dir=desc`,
      `${list}&sort_keys=note`,
      `${list}&sort_keys=name,note`,
      '/v1/network-devices?sort_keys=name',
      '/v1/regions?sort_keys=name',
      '/v1/devices?limit=10',
    ])
      await expectRejected(admin, `${other}&marker=${marker}`);
  });

  it('rejects forged markers', async () => {
    const orderOf = async (keys: string) => {
      const path = `/v1/hosts?limit=3&sort_keys=${keys}`;
      return { path, content: contentOf(markerOf(await readPage(admin, path), 'next')) };
    };
    const forged: [string, unknown[]][] = [
      ['name', ['a', 'x']],
      ['name', ['a', null]],
      ['name', [null, '1']],
      ['name', ['a\u0000', '1']],
      ['name', ['a', '9'.repeat(30)]],
      ['name', ['a', 1]],
      ['name', ['a']],
      ['name', ['a', '1', '1']],
      ['name', [{}, '1']],
      ['cell_id', ['1.5', '1']],
      ['cell_id', ['', '1']],
      ['uuid', ['1', '1']],
      ['active', ['yes', '1']],
      ['active', ['', '1']],
      ['created_at', ['2017-02-30T00:00:00Z', '1']],
      ['created_at', ['yesterday', '1']],
      ['created_at', ['infinity', '1']],
      ['created_at', ['2017-02-16T14:28:55', '1']],
      ['ip_address', ['10.0.0', '1']],
      ['ip_address', ['10.0.0.1/33', '1']],
      ['ip_address', ['fe80::1%eth0', '1']],
    ];
    const orders = new Map<string, Awaited<ReturnType<typeof orderOf>>>();
    for (const [key, keys] of forged) {
      const { path, content } = orders.get(key) ?? (await orderOf(key));
      orders.set(key, { path, content });
      expect(await expectRejected(admin, `${path}&marker=${markerWith({ ...content, keys })}`)).toBeDefined();
    }
    const { path, content } = await orderOf('name');
    const lone = JSON.stringify({ ...content, keys: ['?', '1'] }).replace('?', '\\ud800');
    for (const text of [
      lone,
      '',
      'null',
      '[]',
      '{}',
      '"a"',
      '{"v":1',
      JSON.stringify({ ...content, v: 2 }),
      JSON.stringify({ ...content, keys: undefined }),
      JSON.stringify({ ...content, keys: undefined, id: 'x', digest: 'x' }),
      JSON.stringify({ ...content, keys: undefined, id: null, digest: 'x' }),
      JSON.stringify({ ...content, keys: undefined, id: String(hosts[0]?.id), digest: 'x' }),
      JSON.stringify({ ...content, keys: ['a'.repeat(3_000), '1'] }),
      '['.repeat(1_500),
    ])
      await expectRejected(admin, `${path}&marker=${markerWith(text)}`);
    for (const text of ['%00', '%ff', 'eyJ2', 'ä', ' ', '-', '_', '='])
      await expectRejected(admin, `${path}&marker=${text}`);
  });

  it('takes a position that no item has, and shows nothing that the caller may not see', async () => {
    const path = '/v1/hosts?fields=name&limit=3&sort_keys=name';
    const content = contentOf(markerOf(await readPage(admin, path), 'next'));
    const stranger = await app.project();
    const at = (name: string) => `${path}&marker=${markerWith({ ...content, keys: [name, '1'] })}`;
    expect((await readPage(admin, at('h4a'))).items).toEqual([
      { name: 'h5' },
      { name: 'h6' },
      { name: 'h7' },
    ]);
    for (const name of ['', 'h4a', 'z']) expect((await readPage(stranger, at(name))).items).toEqual([]);
  });

  it('names the problem if an item with a value too long for a marker was changed', async () => {
    const path = '/v1/hosts?fields=id&sort_keys=note&limit=3';
    const [, , third] = hosts;
    const url = `/v1/hosts/${String(third!.id)}`;
    await admin.put(url, { note: `n3${'ä'.repeat(9_000)}` }).expect(200);
    const first = await readPage(admin, path);
    expect(first.links['next']?.length).toBeLessThan(2_300);
    expect(idsOf(await walk(admin, first, 'next'))).toEqual(hosts.map(({ id }) => id));
    await admin.put(url, { name: 'renamed' }).expect(200);
    expect(idsOf(await walk(admin, first, 'next'))).toEqual(hosts.map(({ id }) => id));
    await admin.put(url, { note: 'moved' }).expect(200);
    const { pathname, search } = new URL(first.links['next'] ?? '');
    expect(await expectRejected(admin, pathname + search)).toMatchObject([
      { message: expect.stringContaining('was changed or deleted since') },
    ]);
    await admin.delete(url).expect(204);
    await expectRejected(admin, pathname + search);
  });
});

it('keeps every value of sort keys exactly', async () => {
  const admin = await app.project();
  const { id: region_id } = await admin.region();
  const notes = [
    '',
    ' ',
    '"',
    '\\',
    '\n\t',
    '<>&;',
    'ä',
    'a\u0308',
    '\u{1f600}',
    '漢'.repeat(255),
    '%00',
    null,
    null,
  ];
  /** All notes, and two of each address. */
  const COUNT = 14;
  const addresses = ['10.0.0.1', '10.0.0.10', '::', '::1', '2001:db8::1', 'fe80::1', '255.255.255.255'];
  const bodies = Array.from({ length: COUNT }, (_, i) => ({
    name: `n${String(i)}`,
    region_id,
    ip_address: addresses[i % addresses.length],
    device_type: 'x'.repeat(1 + (i % 5)),
    active: i % 3 === 0,
    note: notes[i % notes.length],
  }));
  await admin.post('/v1/hosts', bodies).expect(201);
  const client = new Client({ connectionString: app.databaseUrl });
  await client.connect();
  // Times that differ by a microsecond, also in years that clients rarely see. In UTC, because Citus rejects an update by the
  // time zone of the session.
  await client.query(
    `UPDATE devices SET created_at = (timestamp '1969-12-31 23:59:59.999990' + (id % 10) * interval '1 microsecond') AT TIME ZONE 'UTC',
       updated_at = CASE WHEN id % 4 > 0 THEN (timestamp '2026-03-29 00:59:59.999999' + (id % 3) * interval '1 microsecond') AT TIME ZONE 'UTC' END
     WHERE project_id = $1`,
    [admin.projectId],
  );
  await client.end();
  // A marker has the same keys in both directions, so these alternate.
  for (const [keys, direction] of [
    ['note', 'asc'],
    ['ip_address', 'desc'],
    ['created_at', 'asc'],
    ['updated_at', 'desc'],
    ['active,device_type', 'asc'],
    ['updated_at,note,ip_address', 'asc'],
    ['version,cell_id,created_at', 'desc'],
  ]) {
    const path = `/v1/hosts?fields=id&sort_keys=${String(keys)}&sort_dir=${String(direction)}`;
    const expected = idsOf([await readPage(admin, path)]);
    expect(expected).toHaveLength(COUNT);
    const pages = await walk(admin, await readPage(admin, `${path}&limit=1`), 'next');
    expect(idsOf(pages)).toEqual(expected);
    const end = await follow(admin, await readPage(admin, `${path}&limit=2`), 'last');
    expect(idsOf((await walk(admin, end!, 'prev')).reverse())).toEqual(expected);
  }
}, 120_000);

describe('a list in the order of ids', () => {
  it.each(someCollections)(
    'of %s continues after a marker that was deleted since',
    async (collection, one) => {
      const caller = await one.caller(shared);
      const made: Resource[] = [];
      for (let i = 0; i < 4; i++)
        made.push(
          (await caller.post(`/v1/${collection}`, await one.body(caller)).expect(201)).body as Resource,
        );
      // Projects of other tests are between these.
      const scope = collection === 'projects' ? '' : `&project_id=${caller.projectId}`;
      const order = made.map(({ id }) => id).toSorted((a, b) => (a < b ? -1 : 1));
      const [, second, third, fourth] = order;
      await caller.delete(`/v1/${collection}/${String(second)}`).expect(204);
      for (const [marker, direction, expected, missing] of [
        [second, 'asc', [third, fourth], order[0]],
        [second, 'desc', [order[0]], third],
      ] as const) {
        const path = `/v1/${collection}?fields=id&sort_dir=${direction}&limit=10000&marker=${String(marker)}${scope}`;
        const page = await readPage(caller, path);
        const ids = idsOf([page]);
        expect(ids).toEqual(expect.arrayContaining([...expected]));
        expect(ids).not.toContain(missing);
      }
      // In another order, its position is unknown.
      await expectRejected(caller, `/v1/${collection}?sort_keys=created_at&marker=${String(second)}${scope}`);
    },
  );

  it('links to ids, whatever the filter is, and the links work after deletions', async () => {
    const admin = await app.project();
    const { id: region_id } = await admin.region();
    const hosts: Resource[] = [];
    for (let i = 0; i < 7; i++)
      hosts.push(
        await admin.host({ region_id, labels: 'l', variables: { v: 1 }, parent_id: hosts[0]?.id ?? null }),
      );
    const ids = hosts.map(({ id }) => id);
    const lists = [
      '/v1/hosts?limit=2',
      '/v1/hosts?limit=2&label=l',
      '/v1/hosts?limit=2&vars=v:1',
      `/v1/hosts?limit=2&descendants=true&region_id=${String(region_id)}`,
    ];
    const firsts: Page[] = [];
    for (const list of lists) firsts.push(await readPage(admin, list));
    for (const first of firsts) expect(markerOf(first, 'next')).toBe(String(ids[1]));
    await admin.delete(`/v1/hosts/${String(ids[1])}`).expect(204);
    for (const first of firsts) expect(idsOf(await walk(admin, first, 'next'))).toEqual(ids);
    const { body } = await admin.get(`/v1/devices?marker=${String(ids[1])}`).expect(200);
    expect((body as { devices: { hosts: Resource[] } }).devices.hosts.map(({ id }) => id)).toEqual(
      ids.slice(2),
    );
    // The end of the list, where the page has no rows.
    await admin.delete(`/v1/hosts/${String(ids[6])}`).expect(204);
    for (const list of lists)
      expect((await readPage(admin, `${list}&marker=${String(ids[6])}`)).items).toEqual([]);
  });

  it.each(someCollections.filter(([name]) => name !== 'projects'))(
    'of %s rejects the ids of other collections and projects, deleted or not, like unknown ones',
    async (collection, one) => {
      const admin = await app.project();
      const other = collections.find(({ kind }) => kind === (one.kind === 'region' ? 'cloud' : 'region'))!;
      const create = async (caller: Caller, of: typeof one) =>
        (await caller.post(`/v1/${of.collection}`, await of.body(caller)).expect(201)).body as Resource;
      const stranger = await app.project();
      const foreign = await create(stranger, one);
      const ownOther = await create(admin, other);
      await stranger.delete(`/v1/${collection}/${String(foreign.id)}`).expect(204);
      await admin.delete(`/v1/${other.collection}/${String(ownOther.id)}`).expect(204);
      const rejected = (marker: unknown) =>
        expectRejected(admin, `/v1/${collection}?marker=${String(marker)}`);
      const unknown = await rejected('987654321');
      expect(await rejected(foreign.id)).toEqual(unknown);
      // Ids of collections are counted separately, so this one could have one with the same id.
      const { id } = ownOther;
      if (!(await admin.get(`/v1/changes?kind=${one.kind}&object_id=${String(id)}`).expect(200)).body.length)
        expect(await rejected(id)).toEqual(unknown);
    },
  );

  it('rejects the id of a deleted definition or audit of a private key like an unknown one', async () => {
    const admin = await app.project();
    const key = aName('key').replaceAll('-', '_');
    const made = [
      ['variable-definitions', await admin.definition({ key })],
      ['audits', await admin.audit({ expectation: { key, schema: true } })],
    ] as const;
    const reader = await admin.user();
    for (const [collection, { id }] of made) {
      await admin.delete(`/v1/${collection}/${String(id)}`).expect(204);
      await reader.get(`/v1/${collection}?marker=${String(id)}`).expect(200);
    }
    await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: [key] }).expect(200);
    for (const [collection, { id }] of made) {
      await admin.get(`/v1/${collection}?marker=${String(id)}`).expect(200);
      expect(await expectRejected(reader, `/v1/${collection}?marker=${String(id)}`)).toEqual(
        await expectRejected(reader, `/v1/${collection}?marker=987654321`),
      );
    }
  });

  it('of all projects accepts the id of an item that was deleted in any of them', async () => {
    const admin = await app.project();
    const { id } = await admin.cloud();
    await admin.delete(`/v1/clouds/${String(id)}`).expect(204);
    await app.root.get(`/v1/clouds?limit=1&marker=${String(id)}`).expect(200);
    await expectRejected(app.root, '/v1/clouds?limit=1&marker=987654321');
  });

  it('of users rejects the id of a deleted user for a user who sees only itself', async () => {
    const admin = await app.project();
    const { body } = await admin.post('/v1/users', { username: aName('user') }).expect(201);
    const { id } = body as Resource;
    const reader = await admin.user();
    await admin.delete(`/v1/users/${String(id)}`).expect(204);
    await reader.get(`/v1/users?marker=${String(id)}`).expect(200);
    const settings = `/v1/projects/${admin.projectId}/settings`;
    await admin.put(settings, { restricts_readers: true }).expect(200);
    await admin.get(`/v1/users?marker=${String(id)}`).expect(200);
    expect(await expectRejected(reader, `/v1/users?marker=${String(id)}`)).toEqual(
      await expectRejected(reader, '/v1/users?marker=987654321'),
    );
  });
});

describe('lists whose items have no id', () => {
  it('continue after a variable that was removed, and a resource that was deleted', async () => {
    const admin = await app.project();
    const { id: region_id } = await admin.region({ variables: { a: 1, b: 1, c: 1, d: 1 } });
    const host = await admin.host({ region_id, variables: { a: 1, b: 1 } });
    const keysFrom = async (from: Page) =>
      (await walk(admin, from, 'next')).flatMap(({ items }) => items.map(({ key }) => key));
    const keys = await readPage(admin, '/v1/variable-keys?limit=2');
    const places = await readPage(admin, '/v1/variables?limit=3');
    await admin.delete(`/v1/hosts/${String(host.id)}`).expect(204);
    await admin.delete(`/v1/regions/${String(region_id)}/variables/b`).expect(204);
    expect(await keysFrom(keys)).toEqual(['a', 'b', 'c', 'd']);
    expect(await keysFrom(places)).toEqual(['a', 'a', 'b', 'c', 'd']);
  });

  it('continue in the results of an audit after a device that was deleted', async () => {
    const admin = await app.project();
    const { id: region_id } = await admin.region();
    const hosts: Resource[] = [];
    for (let i = 0; i < 3; i++) hosts.push(await admin.host({ region_id }));
    const audit = await admin.audit({ expectation: { vars: 'a:1' } });
    const run = `/v1/audits/${String(audit.id)}/run?limit=1`;
    const [first, second] = hosts;
    await admin.delete(`/v1/hosts/${String(first?.id)}`).expect(204);
    const { body } = await admin.post(`${run}&marker=${String(first?.id)}`).expect(200);
    expect(body).toMatchObject({ items: [{ id: second?.id }] });
    await admin.post(`${run}&marker=987654321`).expect(400);
  });
});
