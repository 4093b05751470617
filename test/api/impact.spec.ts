import { sharedService } from '../support/service';
import type { Caller, Resource } from '../support/caller';

interface Impact {
  readonly devices: number;
  readonly keys: readonly string[];
  readonly groups?: readonly object[];
  readonly groups_total?: number;
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly links: readonly { readonly rel: string; readonly href: string }[];
}

type Body = Readonly<Record<string, unknown>>;

describe('the impact of a change', () => {
  const app = sharedService();
  let admin: Caller;
  beforeEach(async () => {
    admin = await app.project();
  });

  async function impactOf(
    method: 'post' | 'put' | 'delete',
    path: string,
    body?: unknown,
    caller = admin,
  ): Promise<Impact> {
    const query = path.includes('?') ? '&dry_run=true' : '?dry_run=true';
    const response = await caller.send(method, `${path}${query}`, body);
    if (response.status !== 200) throw new Error(response.text);
    return (response.body as { impact: Impact }).impact;
  }

  const variables = (collection: string, { id }: Resource): string =>
    `/v1/${collection}/${String(id)}/variables`;

  const newest = async (caller: Caller): Promise<number> => {
    const { body } = await caller.get('/v1/changes?sort_dir=desc&limit=1').expect(200);
    return (body as { impact: { devices: number } }[])[0]!.impact.devices;
  };

  it('contains every device whose values change, with the changes', async () => {
    const region = await admin.region({ variables: { ntp: ['10.0.0.1'] } });
    const plain = await admin.host({ region_id: region.id });
    const device = await admin.networkDevice({ region_id: region.id });
    await admin.host({ region_id: region.id, variables: { ntp: 'own' } });
    await admin.host();
    const body = { ntp: ['10.0.0.2'], dns: 'new' };
    const impact = await impactOf('put', variables('regions', region), body);
    expect(impact).toMatchObject({ devices: 3, keys: ['dns', 'ntp'] });
    const both = { ntp: { before: ['10.0.0.1'], after: ['10.0.0.2'] }, dns: { after: 'new' } };
    expect(impact.items).toEqual([
      { kind: 'host', id: plain.id, name: plain.name, changes: both },
      { kind: 'network-device', id: device.id, name: device.name, changes: both },
      expect.objectContaining({ changes: { dns: { after: 'new' } } }),
    ]);
    const [first, second] = impact.groups ?? [];
    const regions = [{ id: region.id, devices: 3 }];
    const id = expect.stringMatching(/^[\w-]{16}$/) as string;
    expect(first).toEqual({
      ...{ id, key: 'dns', after: 'new', devices: 3 },
      ...{ overriding: 0, regions, regions_total: 1 },
    });
    expect(second).toMatchObject({ key: 'ntp', ...both.ntp, devices: 2, overriding: 1 });
    expect(impact.groups_total).toBe(2);
    expect(
      await impactOf('put', `${variables('regions', region)}?marker=${String(plain.id)}`, body),
    ).not.toHaveProperty('groups');
    await admin.put(variables('regions', region), body).expect(200);
    expect(await newest(admin)).toBe(3);
  });

  it('counts the devices that keep the value of a narrower level alike in a preview and in the past', async () => {
    const old = { ntp: 'old', dns: 'old' };
    const region = await admin.region({ variables: old });
    const cell = await admin.cell({ region_id: region.id, variables: { ntp: 'cell' } });
    const label = await admin.label({ variables: { ntp: 'label', dns: 'label' } });
    const inRegion = { region_id: region.id };
    await admin.host(inRegion);
    const own = await admin.host({ ...inRegion, variables: { ntp: 'new' } });
    await admin.host({ ...inRegion, cell_id: cell.id });
    await admin.host({ ...inRegion, labels: [String(label['label'])] });
    await admin.host({ variables: { ntp: 'elsewhere' } });
    const written = [
      {
        path: variables('regions', region),
        body: { ntp: 'new', dns: 'new' },
        counts: [
          [3, 1],
          [1, 3],
        ],
      },
      { path: variables('labels', label), body: { ntp: 'newer' }, counts: [[1, 0]] },
    ];
    for (const { path, body, counts } of written) {
      const { groups } = await impactOf('put', path, body);
      expect(groups).toMatchObject(counts.map(([devices, overriding]) => ({ devices, overriding })));
      await admin.put(path, body).expect(200);
      const [change] = (await admin.get('/v1/changes?sort_dir=desc&limit=1').expect(200)).body as Resource[];
      // What the devices have today does not matter.
      await admin.send('delete', variables('hosts', own), { key: 'ntp' }).expect(204);
      const past = await admin.get(`/v1/changes/${String(change?.id)}/impact/groups`).expect(200);
      expect((past.body as Impact).groups).toEqual(groups);
    }
  });

  it('keeps every digit, and distinguishes null from an unset key', async () => {
    const region = await admin.region();
    await admin.put(variables('regions', region), '{"big": 9007199254740993}').expect(200);
    await admin.host({ region_id: region.id });
    const { text } = await admin.put(
      `${variables('regions', region)}?dry_run=true`,
      '{"big": 9007199254740995, "nothing": null}',
    );
    expect(text).toContain('"big": {"before": 9007199254740993, "after": 9007199254740995}');
    expect(text).toContain('"nothing": {"after": null}');
  });

  it('is empty if a narrower level sets the same key, even to null', async () => {
    const region = await admin.region({ variables: { a: 1, b: 1 } });
    const cell = await admin.cell({ region_id: region.id, variables: { a: null } });
    await admin.host({ region_id: region.id, cell_id: cell.id });
    expect(await impactOf('put', variables('regions', region), { a: 2 })).toMatchObject({
      devices: 0,
      keys: [],
      items: [],
    });
    expect((await impactOf('put', variables('cells', cell), { b: 1 })).devices).toBe(0);
    expect((await impactOf('delete', variables('cells', cell), ['a'])).items).toMatchObject([
      { changes: { a: { before: null, after: 1 } } },
    ]);
  });

  it('counts created and deleted devices if they have variables', async () => {
    const region = await admin.region({ variables: { a: 1 } });
    const empty = await admin.region();
    const body = (region_id: number, more: Body = {}): Body => ({
      name: 'new',
      region_id,
      ip_address: '10.0.0.1',
      device_type: 'server',
      ...more,
    });
    expect(await impactOf('post', '/v1/hosts', body(empty.id))).toMatchObject({ devices: 0, items: [] });
    expect(await impactOf('post', '/v1/hosts', body(region.id))).toMatchObject({
      devices: 1,
      items: [{ kind: 'host', name: 'new', changes: { a: { after: 1 } } }],
    });
    const own = { variables: { a: 2, b: 3 } };
    expect((await impactOf('post', '/v1/hosts', body(region.id, own))).items).toMatchObject([
      { changes: { a: { after: 2 }, b: { after: 3 } } },
    ]);
    const { id } = (await admin.post('/v1/hosts', body(region.id)).expect(201)).body as Resource;
    expect(await newest(admin)).toBe(1);
    expect((await impactOf('delete', `/v1/hosts/${String(id)}`)).items).toMatchObject([
      { id, name: 'new', changes: { a: { before: 1 } } },
    ]);
    await admin.delete(`/v1/hosts/${String(id)}`).expect(204);
    expect(await newest(admin)).toBe(1);
  });

  it('depends on label names: of two labels that set a key, the later one wins', async () => {
    await admin.label({ label: 'b', variables: { k: 'b' } });
    const label = await admin.label({ label: 'a', variables: { k: 'a', only: 1 } });
    const both = await admin.host({ labels: 'a,b' });
    await admin.host({ labels: 'a' });
    const path = `/v1/labels/${String(label.id)}`;
    expect((await impactOf('put', path, { label: 'aa' })).devices).toBe(0);
    expect(await impactOf('put', path, { label: 'c' })).toMatchObject({
      devices: 1,
      keys: ['k'],
      items: [{ id: both.id, changes: { k: { before: 'b', after: 'a' } } }],
    });
    await admin.put(path, { label: 'c' }).expect(200);
    expect(await newest(admin)).toBe(1);
  });

  it('includes all devices in a moved cell', async () => {
    const [from, to] = [
      await admin.region({ variables: { a: 1, same: 1 } }),
      await admin.region({ variables: { a: 2, same: 1 } }),
    ];
    const cell = await admin.cell({ region_id: from.id });
    const location = { region_id: from.id, cell_id: cell.id };
    const moved = [await admin.host(location), await admin.networkDevice(location)];
    await admin.host({ ...location, variables: { a: 'own' } });
    await admin.host({ region_id: to.id });
    const impact = await impactOf('put', `/v1/regions/${String(to.id)}`, { cells: [cell.id] });
    expect(impact).toMatchObject({ devices: 2, keys: ['a'] });
    expect(impact.items.map(({ id }) => id)).toEqual(moved.map(({ id }) => id));
  });

  it('has pages with links', async () => {
    const region = await admin.region();
    const ids: number[] = [];
    for (let i = 0; i < 5; i++) ids.push((await admin.host({ region_id: region.id })).id);
    const found: unknown[] = [];
    const rels: string[][] = [];
    let path: string | undefined = `${variables('regions', region)}?limit=2`;
    while (path !== undefined) {
      const impact: Impact = await impactOf('put', path, { a: 1 });
      expect(impact).toMatchObject({ devices: 5, keys: ['a'] });
      found.push(...impact.items.map(({ id }) => id));
      rels.push(impact.links.map(({ rel }) => rel));
      const next = impact.links.find(({ rel }) => rel === 'next');
      path = next?.href.slice(app.url.length).replace(/&?dry_run=true/, '');
    }
    expect(found).toEqual(ids);
    expect(rels).toEqual([
      ['self', 'next'],
      ['self', 'first', 'next'],
      ['self', 'first'],
    ]);
    const rest = await impactOf('put', `${variables('regions', region)}?marker=${String(ids[3])}`, { a: 1 });
    expect(rest.items.map(({ id }) => id)).toEqual([ids[4]]);
  });

  it('excludes private variables from the count, the keys and the devices', async () => {
    await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: ['secret_*'] }).expect(200);
    const user = await admin.user({ roles: ['*:write'] });
    const granted = await admin.user({ roles: ['*:write', 'secret_a'] });
    const region = await admin.region({ variables: { secret_a: 1, secret_b: 1 } });
    const other = await admin.region();
    const host = await admin.host({ region_id: region.id });
    const path = `/v1/hosts/${String(host.id)}`;
    const move = { region_id: other.id };
    expect(await impactOf('put', path, move)).toMatchObject({ devices: 1, keys: ['secret_a', 'secret_b'] });
    expect(await impactOf('put', path, move, user)).toMatchObject({ devices: 0, keys: [], items: [] });
    expect(await impactOf('put', path, move, granted)).toMatchObject({
      devices: 1,
      keys: ['secret_a'],
      items: [{ changes: { secret_a: { before: 1 } } }],
    });
    await admin.put(path, move).expect(200);
    expect([await newest(admin), await newest(user)]).toEqual([1, 0]);
    await admin.put(variables('regions', other), { secret_a: 1, open: 1 }).expect(200);
    expect([await newest(admin), await newest(user)]).toEqual([1, 1]);
    await admin.put(variables('regions', other), { secret_a: 2 }).expect(200);
    expect([await newest(admin), await newest(user)]).toEqual([1, 0]);
  });

  it('covers the written project, regardless of the caller', async () => {
    const region = await admin.region({ variables: { a: 1 } });
    await admin.host({ region_id: region.id });
    const impact = await impactOf('put', variables('regions', region), { a: 2 }, app.root);
    expect(impact.devices).toBe(1);
    await app.root.put(variables('regions', region), { a: 2 }).expect(200);
    expect(await newest(admin)).toBe(1);
  });
});
