import type { Caller, Resource } from '../support/caller';
import { follow, markerOf, readPage, walk } from '../support/read-pages';
import { sharedService } from '../support/service';

/** In natural order. Names that differ only in leading zeros are in the order of code points. */
const NAMES = [
  'host-01',
  'host-1',
  'host-2',
  'host-10',
  'host-10a',
  'host-0100',
  'host-99999999999999999999',
  'host-100000000000000000000',
  'rack2-9',
  'rack10-1',
];

const BY_CODE_POINT = NAMES.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));

describe('natural order', () => {
  const app = sharedService();
  let admin: Caller;
  let region_id: number;
  beforeEach(async () => {
    admin = await app.project();
    region_id = (await admin.region()).id;
    const hosts = [...NAMES].sort().map((name) => ({
      name,
      region_id,
      ip_address: '10.0.0.1',
      device_type: 'server',
    }));
    await admin.post('/v1/hosts', hosts).expect(201);
  });

  const namesOf = (items: readonly Readonly<Record<string, unknown>>[]) => items.map(({ name }) => name);
  const list = async (query: string, caller = admin) =>
    namesOf((await caller.get(`/v1/hosts?${query}`).expect(200)).body as Resource[]);

  it('has runs of digits in the order of their values, beside the order of code points', async () => {
    expect(await list('sort_keys=name:natural')).toEqual(NAMES);
    expect(await list('sort_keys=name:natural&sort_dir=desc')).toEqual(NAMES.toReversed());
    expect(await list('sort_keys=name')).toEqual(BY_CODE_POINT);
    expect(await list('sort_keys=device_type,name:natural,id')).toEqual(NAMES);
    expect(await list('sort_keys=name:natural&name_prefix=host-1')).toEqual(
      NAMES.filter((name) => name.startsWith('host-1')),
    );
  });

  it.each(['asc', 'desc'])('has pages in both directions, with all links: %s', async (dir) => {
    const sorted = dir === 'asc' ? NAMES : NAMES.toReversed();
    const path = `/v1/hosts?sort_keys=name:natural&sort_dir=${dir}&limit=3`;
    const first = await readPage(admin, path);
    const pages = await walk(admin, first, 'next');
    expect(pages.flatMap(({ items }) => namesOf(items))).toEqual(sorted);
    expect(pages.map(({ items }) => items.length)).toEqual([3, 3, 3, 1]);
    const last = await follow(admin, first, 'last');
    expect(last && namesOf(last.items)).toEqual(sorted.slice(-3));
    if (!last) return;
    const back = (await walk(admin, last, 'prev')).map(({ items }) => namesOf(items));
    expect(back).toEqual([sorted.slice(7), sorted.slice(4, 7), sorted.slice(1, 4), sorted.slice(0, 3)]);
  });

  it('has markers that hold the position, for this order only', async () => {
    const path = '/v1/hosts?sort_keys=name:natural&limit=3';
    const first = await readPage(admin, path);
    const marker = markerOf(first, 'next');
    const [, , third] = first.items;
    await admin.delete(`/v1/hosts/${String(third?.['id'])}`).expect(204);
    expect(namesOf((await readPage(admin, `${path}&marker=${marker}`)).items)).toEqual(NAMES.slice(3, 6));
    for (const order of ['sort_keys=name', 'sort_keys=name:natural&sort_dir=desc'])
      await admin.get(`/v1/hosts?${order}&marker=${marker}`).expect(400);
    const ofName = markerOf(await readPage(admin, '/v1/hosts?sort_keys=name&limit=3'), 'next');
    await admin.get(`${path}&marker=${ofName}`).expect(400);
    const [, second] = first.items;
    expect(namesOf((await readPage(admin, `${path}&marker=${String(second?.['id'])}`)).items)).toEqual(
      NAMES.slice(3, 6),
    );
  });

  it('exists for names of the inventory only', async () => {
    for (const name of ['row-10', 'row-9']) {
      await admin.post('/v1/cells', { name, region_id }).expect(201);
      await admin.post('/v1/labels', { label: name }).expect(201);
      for (const collection of ['regions', 'clouds'])
        await admin.post(`/v1/${collection}`, { name }).expect(201);
    }
    for (const [collection, member] of [
      ['regions', 'name'],
      ['cells', 'name'],
      ['clouds', 'name'],
      ['labels', 'label'],
    ] as const) {
      const path = `/v1/${collection}?sort_keys=${member}:natural&sort_dir=desc&limit=2`;
      const { body } = await admin.get(path).expect(200);
      expect(
        (body as Record<string, unknown>[])
          .map((item) => item[member])
          .filter((name) => /^row/.test(String(name))),
      ).toEqual(['row-10', 'row-9']);
    }
    for (const path of ['/v1/hosts?sort_keys=device_type:natural', '/v1/users?sort_keys=name:natural']) {
      const { body } = await admin.get(path).expect(400);
      expect(body).toMatchObject({ details: [{ field: 'sort_keys', code: 'invalid_value' }] });
    }
    await admin.get('/v1/network-devices?sort_keys=name:natural').expect(200);
    await admin.get('/v1/devices?sort_keys=name:natural').expect(400);
  });
});
