import { sharedService } from '../support/service';
import { aName, type Caller, type Resource } from '../support/caller';
import { readPage, walk, follow, type Page } from '../support/read-pages';

type Item = Readonly<Record<string, unknown>>;

const COMMON = ['id', 'uuid', 'project_id', 'created_at', 'updated_at', 'version'];
const DEVICE = [
  'name',
  'region_id',
  'cell_id',
  'parent_id',
  'ip_address',
  'device_type',
  'active',
  'note',
  'access_secret_id',
];

/** The columns by which each collection can be sorted. */
const SORT_KEYS: Readonly<Record<string, readonly string[]>> = {
  projects: [...COMMON, 'name'],
  users: [...COMMON, 'username', 'is_admin', 'is_root'],
  clouds: [...COMMON, 'name', 'note'],
  regions: [...COMMON, 'name', 'cloud_id', 'note'],
  cells: [...COMMON, 'name', 'region_id', 'note'],
  labels: [...COMMON, 'label'],
  hosts: [...COMMON, ...DEVICE],
  'network-devices': [...COMMON, ...DEVICE, 'model_name', 'os_version'],
  'access-secrets': COMMON,
  changes: ['id', 'project_id', 'created_at', 'request_id', 'reason'],
};

/** Formats an address so that texts sort like addresses: IPv4 before IPv6, then bit by bit. */
function sortableAddress(address: string): string {
  if (!address.includes(':'))
    return (
      '4' +
      address
        .split('.')
        .map((part) => part.padStart(3, '0'))
        .join('.')
    );
  const [head = '', tail = ''] = address.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const missing = 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...Array<string>(missing).fill('0'), ...groups(tail)];
  return '6' + all.map((group) => group.padStart(4, '0')).join(':');
}

/** Compares in the documented order: texts by code point, numbers by value, nulls last. */
function compare(key: string, a: Item, b: Item): number {
  const [x, y] = [a[key], b[key]];
  if (x === y) return 0;
  if (x === null) return 1;
  if (y === null) return -1;
  if (typeof x === 'number' && typeof y === 'number') return x - y;
  const text = (value: unknown) => (key === 'ip_address' ? sortableAddress(String(value)) : String(value));
  return text(x) < text(y) ? -1 : 1;
}

function sorted(items: readonly Item[], keys: readonly string[], direction: string): Item[] {
  const sign = direction === 'desc' ? -1 : 1;
  const order = [...keys, 'id'];
  return [...items].sort((a, b) => {
    for (const key of order) {
      const difference = compare(key, a, b);
      if (difference !== 0) return sign * difference;
    }
    return 0;
  });
}

/** A limit that splits a list into three pages with a short last page. */
const threePages = (items: readonly Item[]): number => Math.ceil(items.length / 2.5);
/** A limit that splits a list into four pages with a short last page. */
const fourPages = (items: readonly Item[]): number => Math.ceil(items.length / 3.5);

const idsOf = (items: readonly Item[]): unknown[] => items.map(({ id }) => id);
const idsOfPages = (pages: readonly Page[]): unknown[] => pages.flatMap((page) => idsOf(page.items));

/** Columns of each type, with nulls and without: lists, and columns of one type, share the code of their pages. */
const COLUMNS = [
  ['projects', 'id'],
  ['projects', 'created_at'],
  ['users', 'is_admin'],
  ['users', 'version'],
  ['regions', 'cloud_id'],
  ['cells', 'name'],
  ['hosts', 'updated_at'],
  ['hosts', 'note'],
  ['hosts', 'ip_address'],
  ['hosts', 'uuid'],
  ['changes', 'reason'],
] as const;

/** Lists of different code: with ids that are UUIDs, of one kind of a resource, and of records that never change. */
const PAGED = ['projects', 'hosts', 'changes'];

/** The beginning of the names of projects. */
const WALKED = aName('walked');

describe('pages of every list', () => {
  const app = sharedService();

  /** Root, in a project with 13 of each resource, with ties and nulls in every column that allows them. */
  let caller: Caller;
  beforeAll(async () => {
    const admin = await app.project();
    caller = app.root.in(admin.projectId);
    await fill(caller);
  });
  /** The path of a list that no other test changes. */
  const query = (collection: string, parameters: string): string => {
    const own = collection === 'projects' ? `name_prefix=${WALKED}` : `project_id=${caller.projectId}`;
    return `/v1/${collection}?${own}&${parameters}`;
  };

  const cachedLists = new Map<string, readonly Item[]>();
  /** Returns the whole list. No test changes it, so it is cached. */
  async function allOf(collection: string): Promise<readonly Item[]> {
    const cached = cachedLists.get(collection);
    if (cached) return cached;
    const { items, links } = await readPage(caller, query(collection, 'limit=10000'));
    expect(Object.keys(links)).toEqual(['self']);
    expect(items.length).toBeGreaterThanOrEqual(13);
    cachedLists.set(collection, items);
    return items;
  }

  it.each(Object.entries(SORT_KEYS))('sort %s by each of its columns', async (collection, keys) => {
    const all = await allOf(collection);
    const orders = keys.map((key, i) => [key, i % 2 === 0 ? 'asc' : 'desc'] as const);
    await Promise.all(
      orders.map(async ([key, direction]) => {
        const path = query(collection, `fields=id&sort_keys=${key}&sort_dir=${direction}&limit=10000`);
        const { items } = await readPage(caller, path);
        expect([key, idsOf(items)]).toEqual([key, idsOf(sorted(all, [key], direction))]);
      }),
    );
  });

  it.each(COLUMNS)('sort %s by %s on every page, forward and backward', async (collection, key) => {
    const all = await allOf(collection);
    const limit = threePages(all);
    // Columns without nulls share the code of their order, and take the directions in turn.
    const isPlain = all.every((item) => item[key] !== null);
    const turn = COLUMNS.findIndex(([, column]) => column === key) % 2 === 0 ? 'asc' : 'desc';
    for (const direction of isPlain ? [turn] : ['asc', 'desc']) {
      const expected = idsOf(sorted(all, [key], direction));
      const order = `sort_keys=${key}&sort_dir=${direction}`;
      const path = query(collection, `fields=id&${order}&limit=${String(limit)}`);
      const first = await readPage(caller, path);
      const forward = await walk(caller, first, 'next');
      expect(idsOfPages(forward)).toEqual(expected);
      const end = forward.at(-1) ?? first;
      expect(idsOfPages((await walk(caller, end, 'prev')).reverse())).toEqual(expected);
      // The last page is full, and going back from it returns every item.
      const last = await follow(caller, first, 'last');
      expect(last && idsOf(last.items)).toEqual(expected.slice(-limit));
      // Going back from a last page is the same code in both directions.
      if (direction === 'asc') continue;
      const back = last ? await walk(caller, last, 'prev') : [];
      expect(new Set(idsOfPages(back))).toEqual(new Set(expected));
    }
  });

  describe.each(PAGED)('%s', (collection) => {
    it('links only to pages that exist', async () => {
      const limit = fourPages(await allOf(collection));
      const first = await readPage(caller, query(collection, `limit=${String(limit)}`));
      const pages = await walk(caller, first, 'next');
      const rels = pages.map(({ links }) => Object.keys(links).sort());
      expect(rels[0]).toEqual(['last', 'next', 'self']);
      expect(rels.at(-1)).toEqual(['first', 'prev', 'self']);
      for (const between of rels.slice(1, -1))
        expect(between).toEqual(['first', 'last', 'next', 'prev', 'self']);
      for (const page of pages.slice(1))
        expect(idsOf((await follow(caller, page, 'first'))?.items ?? [])).toEqual(idsOf(first.items));
      for (const page of pages) expect((await follow(caller, page, 'self'))?.items).toEqual(page.items);
    });

    it('returns the same items in page objects', async () => {
      const all = await allOf(collection);
      const first = await readPage(caller, query(collection, 'limit=10&sort_dir=desc'), 'page');
      const pages = await walk(caller, first, 'next', 'page');
      expect(idsOfPages(pages)).toEqual(idsOf(sorted(all, [], 'desc')));
      expect(pages.length).toBeGreaterThan(1);
      expect(pages.flatMap((page) => page.items)).toEqual(
        (await readPage(caller, query(collection, 'sort_dir=desc'))).items,
      );
      const end = pages.at(-1) ?? first;
      expect(idsOfPages((await walk(caller, end, 'prev', 'page')).reverse())).toEqual(idsOfPages(pages));
    });
  });

  it.each([
    ['hosts', 'cell_id,parent_id', 'asc'],
    ['hosts', 'note,active,cell_id,name', 'asc'],
    ['network-devices', 'model_name,os_version', 'desc'],
    ['changes', 'reason,created_at', 'asc'],
  ])(
    'sorts %s by %s: several keys with nulls, one item per page in direction %s',
    async (collection, keys, small) => {
      const all = await allOf(collection);
      for (const direction of ['asc', 'desc']) {
        // Small enough that every item ends a page.
        const limit = direction === small ? Math.ceil(all.length / 13) : threePages(all);
        const path = query(collection, `sort_keys=${keys}&sort_dir=${direction}&limit=${String(limit)}`);
        const pages = await walk(caller, await readPage(caller, path), 'next');
        const expected = idsOf(sorted(all, keys.split(','), direction));
        expect(idsOfPages(pages)).toEqual(expected);
        const end = pages.at(-1);
        if (end) expect(idsOfPages((await walk(caller, end, 'prev')).reverse())).toEqual(expected);
      }
    },
  );

  it.each([
    'active=true',
    'label=a',
    'ip=10.0.0.0/8',
    'vars=row:1',
    'vars=row:1,site:"s"',
    'descendants=true&active=false',
  ])('paginates hosts filtered by %s', async (filter) => {
    const whole = await readPage(caller, query('hosts', `${filter}&limit=10000`));
    expect(whole.items.length).toBeGreaterThan(3);
    expect(whole.items.length).toBeLessThan(13);
    for (const direction of ['asc', 'desc']) {
      const path = query('hosts', `${filter}&sort_keys=note&sort_dir=${direction}&limit=2`);
      const pages = await walk(caller, await readPage(caller, path), 'next');
      const expected = idsOf(sorted(whole.items, ['note'], direction));
      expect(idsOfPages(pages)).toEqual(expected);
      for (const { links } of pages) expect(links['self']).toContain(new URLSearchParams(filter).toString());
      const end = pages.at(-1);
      if (end) expect(idsOfPages((await walk(caller, end, 'prev')).reverse())).toEqual(expected);
    }
  });

  it('sorts the items of all projects for root', async () => {
    const other = await app.project();
    const { id: region_id } = await other.region();
    for (let i = 0; i < 5; i++) await other.host({ region_id, note: i % 2 === 0 ? 'b' : null });
    // The hosts of this file have its names, whatever other tests create.
    const hosts = `/v1/hosts?name_prefix=${aName('device').replace(/\d+$/, '')}`;
    const all = (await readPage(app.root, `${hosts}&limit=10000`)).items;
    expect(new Set(all.map((item) => item['project_id'])).size).toBeGreaterThan(1);
    for (const keys of ['id', 'note', 'created_at', 'project_id,active'])
      for (const direction of ['asc', 'desc']) {
        const first = await readPage(app.root, `${hosts}&sort_keys=${keys}&sort_dir=${direction}&limit=4`);
        const pages = await walk(app.root, first, 'next');
        expect(idsOfPages(pages)).toEqual(idsOf(sorted(all, keys.split(','), direction)));
        const end = pages.at(-1) ?? first;
        expect(idsOfPages((await walk(app.root, end, 'prev')).reverse())).toEqual(idsOfPages(pages));
      }
  });

  it('continue after the marker when items are created or deleted, the marker too', async () => {
    const admin = await app.project();
    const names = ['a', 'b', 'c', 'd', 'e'];
    const clouds = [];
    for (const name of names) clouds.push(await admin.cloud({ name }));
    const first = await readPage(admin, '/v1/clouds?limit=2');
    await admin.delete(`/v1/clouds/${String(clouds[2]?.id)}`).expect(204);
    await admin.cloud({ name: 'f' });
    const namesFromFirst = async () =>
      (await walk(admin, first, 'next')).flatMap(({ items }) => items.map((item) => item['name']));
    expect(await namesFromFirst()).toEqual(['a', 'b', 'd', 'e', 'f']);
    await admin.delete(`/v1/clouds/${String(clouds[1]?.id)}`).expect(204);
    expect(await namesFromFirst()).toEqual(['a', 'b', 'd', 'e', 'f']);
  });
});

/** Fills a project with 13 of each resource. */
async function fill(caller: Caller): Promise<void> {
  const one = <T>(values: readonly T[], i: number): T | undefined => values[i % values.length];
  const notes = [null, 'b', 'a', null, 'ä', 'B'];
  const create = async (collection: string, body: (i: number) => object): Promise<Resource[]> => {
    const bodies = Array.from({ length: 13 }, (_, i) => body(i));
    return (await caller.post(`/v1/${collection}`, bodies).expect(201)).body as Resource[];
  };
  const clouds = await create('clouds', (i) => ({ name: aName('cloud'), note: one(notes, i) }));
  const regions = await create('regions', (i) => ({
    name: aName('region'),
    cloud_id: i % 3 === 0 ? null : clouds[i % 2]?.id,
    note: one(notes, i + 1),
    variables: { site: i < 2 ? 's' : 't' },
  }));
  const cellRegions = regions.slice(0, 3);
  const cells = await create('cells', (i) => ({
    region_id: one(cellRegions, i)?.id,
    name: `cell-${String(i % 5)}-${String(i)}`,
    note: one(notes, i),
  }));
  const secrets = await create('access-secrets', () => ({ cert: 'a certificate' }));
  const labels = ['Z', 'a', 'ä', 'b', 'k:v', '_', '10', '9', 'B', 'c', 'd', 'e', 'f'];
  await create('labels', (i) => ({ label: labels[i] }));
  await create('users', (i) => ({
    username: aName('user'),
    is_admin: i % 3 === 0,
    is_root: i % 4 === 0,
  }));
  for (let i = 0; i < 13; i++)
    await caller.post('/v1/projects', { name: `${WALKED}-${String(i % 7)}-${String(i)}` }).expect(201);
  const addresses = ['10.0.0.9', '10.0.0.10', '9.255.0.1', '2001:db8::10', '2001:db8::9', '::1', '10.0.0.9'];
  const parents: number[] = [];
  for (let i = 0; i < 13; i++) {
    const cell = i % 3 === 0 ? undefined : cells[i];
    const members = {
      region_id: cell?.['region_id'] ?? one(cellRegions, i)?.id,
      cell_id: cell?.id ?? null,
      parent_id: i > 4 && i % 2 === 0 ? parents[i % 3] : null,
      ip_address: one(addresses, i),
      device_type: one(['server', 'blade', 'Server'], i),
      active: i % 2 === 0,
      note: one(notes, i),
      access_secret_id: i % 4 === 0 ? secrets[i % 3]?.id : null,
      labels: i % 3 === 0 ? 'a,b' : 'b',
      variables: i % 2 === 0 ? { row: 1 } : {},
    };
    parents.push((await caller.host(members)).id);
    const own = { model_name: one([null, 'QFX', 'EX'], i), os_version: one(['1', null], i) };
    const { id } = await caller.networkDevice({ ...members, ...own });
    // Every second resource is updated.
    if (i % 2 === 0) continue;
    const changes = { 'X-Change-Reason': one(['x', 'y'], i) ?? '', 'X-Request-Id': `walk-${String(i % 4)}` };
    for (const [collection, changed] of [
      ['network-devices', id],
      ['hosts', parents[i]],
      ['clouds', clouds[i]?.id],
      ['regions', regions[i]?.id],
      ['cells', cells[i]?.id],
      ['access-secrets', secrets[i]?.id],
    ] as const)
      await caller.put(`/v1/${collection}/${String(changed)}`, {}, changes).expect(200);
  }
}
