import { sharedService } from '../support/service';
import type { Caller, Resource } from '../support/caller';

interface Link {
  readonly rel: string;
  readonly href: string;
}
interface DeviceList {
  readonly devices: { readonly hosts: Resource[]; readonly 'network-devices': Resource[] };
  readonly links: Link[];
}

describe('/v1/devices', () => {
  const app = sharedService();
  let admin: Caller;
  beforeEach(async () => {
    admin = await app.project();
  });

  const list = async (query = '', caller = admin): Promise<DeviceList> =>
    (await caller.get(`/v1/devices${query}`).expect(200)).body as DeviceList;
  const idsOf = ({ devices }: DeviceList): [number[], number[]] => [
    devices.hosts.map(({ id }) => id),
    devices['network-devices'].map(({ id }) => id),
  ];

  /** A tree over both kinds: a host, a switch below it, and two hosts below that, one of them inactive. */
  async function tree() {
    const { id: region_id } = await admin.region();
    const { id: cell_id } = await admin.cell({ region_id });
    const top = await admin.host({ region_id });
    const middle = await admin.networkDevice({ region_id, cell_id, parent_id: top.id });
    const leaf = await admin.host({ region_id, parent_id: middle.id });
    const idle = await admin.host({ region_id, parent_id: middle.id, active: false });
    const elsewhere = await admin.host();
    return { region_id, cell_id, top, middle, leaf, idle, elsewhere };
  }

  it('returns one object with both kinds, regardless of the requested list format', async () => {
    expect(await list()).toEqual({
      devices: { hosts: [], 'network-devices': [] },
      links: [{ rel: 'self', href: `${app.url}/v1/devices` }],
    });
    const host = await admin.host({ labels: 'a', variables: { x: 1 } });
    const device = await admin.networkDevice({ model_name: 'QFX', vlans: [1], variables: { y: 2 } });
    const response = await admin
      .get('/v1/devices', { Accept: 'application/vnd.muster.page+json' })
      .expect(200);
    expect(response.body.devices).toEqual({ hosts: [host], 'network-devices': [device] });
    expect(response.headers['content-type']).toMatch(/^application\/json/);
    expect(response.headers).not.toHaveProperty('link');
  });

  it('returns devices like their own lists: resolved and with links', async () => {
    const { region_id } = await tree();
    await admin.put(`/v1/regions/${String(region_id)}/variables`, { dns: '10.0.0.1' }).expect(200);
    const { devices } = await list();
    expect(devices.hosts).toEqual((await admin.get('/v1/hosts').expect(200)).body);
    expect(devices['network-devices']).toEqual((await admin.get('/v1/network-devices').expect(200)).body);
    expect(devices['network-devices'][0]?.variables).toEqual({ dns: '10.0.0.1' });
  });

  it('supports all documented filters, and descendants of the matches', async () => {
    const { region_id, cell_id, top, middle, leaf, idle, elsewhere } = await tree();
    const [t, m, l, i, e] = [top.id, middle.id, leaf.id, idle.id, elsewhere.id];
    const cases: [string, number[], number[]][] = [
      ['', [t, l, i, e], [m]],
      [`id=${String(t)}`, [t], []],
      [`id=${String(m)}`, [], [m]],
      [`id=${String(t)}&descendants=false`, [t], []],
      [`id=${String(t)}&descendants=true`, [t, l, i], [m]],
      [`id=${String(m)}&descendants=true`, [l, i], [m]],
      [`id=${String(l)}&descendants=true`, [l], []],
      [`region_id=${String(region_id)}`, [t, l, i], [m]],
      [`cell_id=${String(cell_id)}`, [], [m]],
      [`cell_id=${String(cell_id)}&descendants=true`, [l, i], [m]],
      [`parent_id=${String(t)}`, [], [m]],
      [`parent_id=${String(t)}&descendants=true`, [l, i], [m]],
      [`parent_id=${String(m)}&active=true`, [l], []],
      ['active=false', [i], []],
      ['active=true', [t, l, e], [m]],
      // Descendants are included even if they do not match the filter.
      [`id=${String(t)}&active=true&descendants=true`, [t, l, i], [m]],
      [`region_id=${String(region_id)}&parent_id=${String(m)}&active=false`, [i], []],
      [`id=${String(t)}&region_id=${String(elsewhere['region_id'])}`, [], []],
      ['descendants=true', [t, l, i, e], [m]],
    ];
    for (const [query, hosts, networkDevices] of cases)
      expect([query, ...idsOf(await list(query === '' ? '' : `?${query}`))]).toEqual([
        query,
        hosts,
        networkDevices,
      ]);
  });

  it('rejects all other parameters', async () => {
    for (const query of [
      'name=a',
      'vars=a:1',
      'project_id=00000000-0000-4000-8000-000000000000',
      'label=a',
      'ip=10.0.0.1',
      'device_type=server',
      'cloud_id=1',
      'sort_keys=id',
      'sort_dir=asc',
      'fields=id',
      'resolved-values=false',
      'colour=red',
      'ID=1',
      'toString=1',
      '__proto__=1',
      '=1',
    ]) {
      const { body } = await admin.get(`/v1/devices?${query}`).expect(400);
      expect(body).toMatchObject({ code: 'invalid_request', details: [{ field: query.split('=')[0] }] });
    }
  });

  it.each([
    'id=abc',
    'id=',
    'id=1.5',
    'id=1&id=2',
    'region_id=a',
    'cell_id=a',
    'parent_id=null',
    'active=yes',
    'active=1',
    'active=TRUE',
    'active=',
    'active=true&active=true',
    'descendants=1',
    'descendants=true&descendants=true',
    'limit=9',
    'limit=101',
    'limit=0',
    'limit=-10',
    'limit=ten',
    'limit=10.5',
    'limit=',
    'marker=abc',
    'marker=',
    'marker=987654321',
  ])('refuses %s', async (query) => {
    await admin.host();
    expect((await admin.get(`/v1/devices?${query}`).expect(400)).body.code).toBe('invalid_request');
  });

  it('returns an empty list for an id that does not exist or that the caller cannot see', async () => {
    await admin.host();
    const stranger = await app.project();
    const cell = await stranger.cell();
    const foreign = await stranger.host({ region_id: cell['region_id'], cell_id: cell.id });
    for (const query of [
      `id=${String(foreign.id)}`,
      `region_id=${String(cell['region_id'])}`,
      `cell_id=${String(cell.id)}`,
      `parent_id=${String(foreign.id)}`,
      `id=${String(foreign.id)}&descendants=true`,
      'id=987654321',
      'id=-1',
      'id=99999999999999999999',
    ])
      expect(idsOf(await list(`?${query}`))).toEqual([[], []]);
  });

  it('shows root the devices of every project', async () => {
    const [mine, foreign] = [await admin.host(), await (await app.project()).host()];
    const found = await list(`?id=${String(foreign.id)}`, app.root.in(admin.projectId));
    expect(found.devices.hosts).toEqual([foreign]);
    expect(idsOf(await list(`?id=${String(mine.id)}`, app.root))).toEqual([[mine.id], []]);
  });

  describe('pages', () => {
    /** 25 devices of alternating kinds. */
    async function fleet(): Promise<number[]> {
      const { id: region_id } = await admin.region();
      const ids: number[] = [];
      for (let i = 0; i < 25; i++) {
        const one = i % 2 === 0 ? admin.host({ region_id }) : admin.networkDevice({ region_id });
        ids.push((await one).id);
      }
      return ids;
    }
    const allOf = (page: DeviceList): number[] =>
      idsOf(page)
        .flat()
        .sort((a, b) => a - b);
    const follow = async (page: DeviceList, rel: string): Promise<DeviceList | undefined> => {
      const link = page.links.find((one) => one.rel === rel);
      if (!link) return undefined;
      const { pathname, search } = new URL(link.href);
      return (await admin.get(pathname + search).expect(200)).body as DeviceList;
    };
    const rels = (page: DeviceList): string[] => page.links.map((link) => link.rel).sort();

    it('have 30 items, or as many as requested', async () => {
      const ids = await fleet();
      expect(allOf(await list())).toEqual(ids);
      expect(rels(await list())).toEqual(['self']);
      expect(allOf(await list('?limit=10'))).toEqual(ids.slice(0, 10));
      expect(allOf(await list('?limit=100'))).toEqual(ids);
    });

    it('link to each other, and contain every device once', async () => {
      const ids = await fleet();
      const first = await list('?limit=10&active=true');
      expect(rels(first)).toEqual(['last', 'next', 'self']);
      for (const { href } of first.links) expect(href).toMatch(`${app.url}/v1/devices?`);
      const second = await follow(first, 'next');
      expect(second && rels(second)).toEqual(['first', 'last', 'next', 'prev', 'self']);
      const third = second && (await follow(second, 'next'));
      expect(third && rels(third)).toEqual(['first', 'prev', 'self']);
      const pages = [first, second, third].map((page) => (page ? allOf(page) : []));
      expect(pages).toEqual([ids.slice(0, 10), ids.slice(10, 20), ids.slice(20)]);
      expect(third && (await follow(third, 'prev'))).toEqual({ ...second, links: expect.any(Array) });
      expect(second && (await follow(second, 'prev'))?.devices).toEqual(first.devices);
      expect(third && (await follow(third, 'first'))?.devices).toEqual(first.devices);
      const last = await follow(first, 'last');
      expect(last && allOf(last)).toEqual(ids.slice(15));
      expect(last && rels(last)).toEqual(['first', 'prev', 'self']);
    });

    it('work with descendants, too', async () => {
      const { id: region_id } = await admin.region();
      const top = await admin.host({ region_id });
      const below: number[] = [];
      for (let i = 0; i < 12; i++)
        below.push((await admin.networkDevice({ region_id, parent_id: top.id })).id);
      await admin.host();
      const first = await list(`?id=${String(top.id)}&descendants=true&limit=10`);
      const second = await follow(first, 'next');
      expect([...allOf(first), ...(second ? allOf(second) : [])]).toEqual([top.id, ...below]);
    });
  });
});
