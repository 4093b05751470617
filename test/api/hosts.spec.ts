import { sharedService } from '../support/service';
import { aName, type Caller, type Resource } from '../support/caller';

/** Behavior that both kinds of devices share. Other files test what is specific to one kind. */
describe.each(['hosts', 'network-devices'])('%s', (collection) => {
  const app = sharedService();
  let admin: Caller;
  beforeEach(async () => {
    admin = await app.project();
  });

  const at = ({ id }: Resource): string => `/v1/${collection}/${String(id)}`;
  const device = (members = {}) =>
    collection === 'hosts' ? admin.host(members) : admin.networkDevice(members);
  const other = (members = {}) =>
    collection === 'hosts' ? admin.networkDevice(members) : admin.host(members);
  const body = (region_id: number) => ({
    name: aName('device'),
    region_id,
    ip_address: '10.0.0.1',
    device_type: 'server',
  });
  const put = async (one: Resource, change: object) =>
    (await admin.put(at(one), change).expect(200)).body as Resource;

  it('are returned with all members', async () => {
    const region = await admin.region();
    const cell = await admin.cell({ region_id: region.id });
    const parent = await other({ region_id: region.id });
    const secret = await admin.secret();
    const members = {
      name: 'node1.example.com',
      region_id: region.id,
      cell_id: cell.id,
      parent_id: parent.id,
      ip_address: '10.1.2.3',
      device_type: 'server',
      active: false,
      note: 'CHG-1',
      access_secret_id: secret.id,
      variables: { a: { b: [1, null] } },
    };
    const made = await device({ ...members, labels: 'b,a' });
    expect(made).toMatchObject({ ...members, labels: 'a,b' });
    const own = collection === 'hosts' ? [] : ['model_name', 'os_version', 'vlans'];
    expect(Object.keys(made).sort()).toEqual(
      ['id', 'uuid', 'project_id', 'created_at', 'updated_at', 'version', 'links', 'labels', ...own]
        .concat(Object.keys(members))
        .sort(),
    );
  });

  it('link up to the parent, else the cell, else the region', async () => {
    const region = await admin.region();
    const cell = await admin.cell({ region_id: region.id });
    const parents: [Resource, string][] = [
      [await admin.host({ region_id: region.id }), 'hosts'],
      [await admin.networkDevice({ region_id: region.id }), 'network-devices'],
    ];
    const one = await device({ region_id: region.id });
    const up = (path: string) => [{ rel: 'up', href: `${app.url}${path}` }];
    expect(one['links']).toEqual(up(`/v1/regions/${String(region.id)}`));
    expect((await put(one, { cell_id: cell.id }))['links']).toEqual(up(`/v1/cells/${String(cell.id)}`));
    for (const [parent, kind] of parents)
      expect((await put(one, { parent_id: parent.id }))['links']).toEqual(
        up(`/v1/${kind}/${String(parent.id)}`),
      );
    const [listed] = (await admin.get(`/v1/${collection}?name=${one.name}&fields=links`).expect(200)).body;
    expect(listed).toEqual({ links: up(`/v1/network-devices/${String(parents[1]?.[0].id)}`) });
    // The link resolves.
    await admin.get(new URL(listed.links[0].href).pathname).expect(200);
  });

  it('have names that are unique across both kinds', async () => {
    const one = await device();
    const taken = { ...body(Number(one['region_id'])), name: one.name };
    for (const kind of ['hosts', 'network-devices'])
      expect((await admin.post(`/v1/${kind}`, taken).expect(409)).body).toMatchObject({
        code: 'conflict',
        details: [{ field: 'name' }],
      });
    const second = await other();
    const kind = collection === 'hosts' ? 'network-devices' : 'hosts';
    await admin.put(`/v1/${kind}/${String(second.id)}`, { name: one.name }).expect(409);
  });

  it('are not found under another kind', async () => {
    const one = await other();
    for (const call of [
      admin.get(at(one)),
      admin.put(at(one), {}),
      admin.delete(at(one)),
      admin.get(`${at(one)}/labels`),
    ])
      await call.expect(404);
    await admin.put(`${at(one)}/variables`, { a: 1 }).expect(404);
  });

  it('cannot be their own ancestors', async () => {
    const top = await device();
    const middle = await other({ parent_id: top.id });
    const bottom = await device({ parent_id: middle.id });
    for (const parent_id of [top.id, middle.id, bottom.id]) {
      const { body: error } = await admin.put(at(top), { parent_id }).expect(405);
      expect(error).toMatchObject({ code: 'validation_exception', details: [{ field: 'parent_id' }] });
    }
    // The reverse is not a loop, and null removes the parent.
    expect(await put(bottom, { parent_id: top.id })).toMatchObject({ parent_id: top.id });
    expect(await put(bottom, { parent_id: null })).toMatchObject({ parent_id: null });
    expect(await put(top, { parent_id: bottom.id })).toMatchObject({ parent_id: bottom.id });
  });

  // The rest is the same code for both kinds.
  if (collection !== 'hosts') return;

  it('are active and have default values for optional members', async () => {
    expect(await device()).toMatchObject({
      cell_id: null,
      parent_id: null,
      active: true,
      labels: '',
      note: null,
      access_secret_id: null,
      variables: {},
    });
  });

  it('active can be set, and otherwise stays', async () => {
    const one = await device();
    expect(await put(one, { active: false })).toMatchObject({ active: false, project_id: admin.projectId });
    expect(await put(one, { note: 'x' })).toMatchObject({ active: false });
    expect(await put(one, { active: true })).toMatchObject({ active: true });
    for (const active of ['true', 1, null]) await admin.put(at(one), { active }).expect(400);
  });

  it('replace labels, merge variables and keep other members on update', async () => {
    const one = await device({ labels: 'a,b', note: 'first', variables: { a: 1, b: { c: 1 } } });
    expect(await put(one, { labels: ['c', 'b', 'c'] })).toMatchObject({ labels: 'b,c', note: 'first' });
    expect(await put(one, { variables: { b: { d: 2 }, e: 5 } })).toMatchObject({
      labels: 'b,c',
      variables: { a: 1, b: { d: 2 }, e: 5 },
    });
    expect(await put(one, { labels: '', note: null })).toMatchObject({
      labels: '',
      note: null,
      name: one.name,
      ip_address: '10.0.0.1',
      variables: { a: 1, b: { d: 2 }, e: 5 },
    });
  });

  it('accept every address', async () => {
    const { id: region_id } = await admin.region();
    for (const ip_address of [
      '10.0.0.1',
      '255.255.255.255',
      '0.0.0.0',
      '2001:db8::1',
      '::',
      '::1',
      'fe80::1',
    ]) {
      expect((await device({ region_id, ip_address }))['ip_address']).toBe(ip_address);
      const list = `/v1/${collection}?ip=${ip_address}&fields=ip_address`;
      expect((await admin.get(list).expect(200)).body).toEqual([{ ip_address }]);
    }
  });

  it('return an address in canonical form, and find it in any form', async () => {
    const made = await device({ ip_address: '2001:0DB8:0000:0000:0000:0000:0000:0001' });
    expect(made['ip_address']).toBe('2001:db8::1');
    expect((await admin.get(`/v1/${collection}?ip=2001:db8:0::0:1`).expect(200)).body).toHaveLength(1);
  });

  it('reject what is not an address: see test/unit/ip-address.spec.ts', async () => {
    const { id } = await admin.region();
    for (const ip_address of ['10.0.0', '', 1, null]) {
      const { body: error } = await admin.post(`/v1/${collection}`, { ...body(id), ip_address }).expect(400);
      expect(error.details).toEqual([
        { field: 'ip_address', code: expect.any(String), message: expect.any(String) },
      ]);
    }
  });

  it.each(['region_id', 'cell_id', 'parent_id', 'access_secret_id'])(
    'a %s that does not exist returns 405, and an invalid id 400',
    async (name) => {
      const stranger = await app.project();
      const foreign = {
        region_id: await stranger.region(),
        cell_id: await stranger.cell(),
        parent_id: await stranger.host(),
        access_secret_id: await stranger.secret(),
      }[name];
      const one = await device();
      const validBody = body(Number(one['region_id']));
      const create = (id: unknown) => admin.post(`/v1/${collection}`, { ...validBody, [name]: id });
      const update = (id: unknown) => admin.put(at(one), { [name]: id });
      for (const call of [
        create(foreign?.id),
        update(foreign?.id),
        create(987654321),
        update(0),
        update(-1),
      ]) {
        const { body: error } = await call.expect(405);
        expect(error).toMatchObject({ code: 'validation_exception', details: [{ field: name }] });
      }
      for (const call of [create('1'), update(1.5), update(true), create([]), update({})])
        await call.expect(400);
      expect((await admin.get(at(one)).expect(200)).body.version).toBe(1);
    },
  );

  it('must be in a cell of their region', async () => {
    const [here, there] = [await admin.region(), await admin.region()];
    const cell = await admin.cell({ region_id: here.id });
    const cellThere = await admin.cell({ region_id: there.id });
    const refused = async (call: ReturnType<Caller['post']>) => {
      expect((await call.expect(405)).body).toMatchObject({
        code: 'validation_exception',
        details: [{ field: 'cell_id' }],
      });
    };
    await refused(admin.post(`/v1/${collection}`, { ...body(here.id), cell_id: cellThere.id }));
    const one = await device({ region_id: here.id, cell_id: cell.id });
    await refused(admin.put(at(one), { cell_id: cellThere.id }));
    await refused(admin.put(at(one), { region_id: there.id }));
    await refused(admin.put(at(one), { region_id: there.id, cell_id: cell.id }));
    expect(await put(one, { region_id: there.id, cell_id: cellThere.id })).toMatchObject({
      region_id: there.id,
      cell_id: cellThere.id,
    });
    expect(await put(one, { region_id: here.id, cell_id: null })).toMatchObject({
      region_id: here.id,
      cell_id: null,
    });
    expect(await put(one, { cell_id: cell.id })).toMatchObject({ region_id: here.id, cell_id: cell.id });
  });

  it('cannot be deleted while they have child devices', async () => {
    const top = await device();
    const child = await device({ parent_id: top.id });
    await other({ parent_id: top.id });
    const { body: error } = await admin.delete(at(top)).expect(409);
    expect(error.details).toEqual([
      { field: 'id', code: 'in_use', message: 'still used by 2 child devices' },
    ]);
    await admin.delete(at(child)).expect(204);
    await admin.delete(at(top)).expect(409);
  });

  describe('are listed', () => {
    it('by every filter, individually and combined', async () => {
      const { id: cloud_id } = await admin.cloud();
      const { id: region_id } = await admin.region({ cloud_id });
      const { id: cell_id } = await admin.cell({ region_id });
      const parent = await other({ region_id, ip_address: '10.9.9.9' });
      const one = await device({
        region_id,
        cell_id,
        parent_id: parent.id,
        name: 'node1',
        ip_address: '10.1.2.3',
        device_type: 'router',
        active: false,
        labels: 'a,b',
      });
      await device({ name: 'node2', labels: 'b' });
      const matching = {
        region_id,
        cell_id,
        cloud_id,
        parent_id: parent.id,
        name: 'node1',
        ip: '10.1.2.3',
        device_type: 'router',
        active: false,
        label: 'a',
      };
      const list = async (query: object) => {
        const text = new URLSearchParams(
          Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
        );
        return (await admin.get(`/v1/${collection}?fields=id&${text.toString()}`).expect(200))
          .body as unknown[];
      };
      for (const [name, value] of Object.entries(matching))
        expect(await list({ [name]: value })).toEqual([{ id: one.id }]);
      expect(await list(matching)).toEqual([{ id: one.id }]);
      for (const [name, value] of Object.entries({
        name: 'node2',
        ip: '10.1.2.4',
        device_type: 'server',
        active: true,
        label: 'c',
      }))
        expect(await list({ ...matching, [name]: value })).toEqual([]);
    });

    it('by labels, all of which must match', async () => {
      const [ab, b] = [await device({ labels: 'a,b' }), await device({ labels: 'b,c' })];
      const list = async (query: string) =>
        ((await admin.get(`/v1/${collection}?${query}`).expect(200)).body as Resource[]).map(({ id }) => id);
      expect(await list('label=b')).toEqual([ab.id, b.id]);
      expect(await list('label=b&label=a')).toEqual([ab.id]);
      expect(await list('label=b&label=b')).toEqual([ab.id, b.id]);
      expect(await list('label=a&label=c')).toEqual([]);
    });

    it('but not by several labels in one value: no name contains a comma', async () => {
      for (const query of ['label=a,b', 'label=c&label=a,b']) {
        const { body } = await admin.get(`/v1/${collection}?${query}`).expect(400);
        expect(body).toMatchObject({ details: [{ field: 'label', code: 'invalid_format' }] });
        expect(body.message).toContain('label=a&label=b');
      }
    });

    it('by a network', async () => {
      const { id: region_id } = await admin.region();
      const bodies = [
        '10.1.0.0',
        '10.1.2.3',
        '10.1.255.255',
        '10.2.0.0',
        '2001:db8::1',
        '2001:db8:ffff::1',
      ].map((ip_address) => ({ ...body(region_id), ip_address }));
      await admin.post(`/v1/${collection}`, bodies).expect(201);
      const find = (ip: string) => admin.get(`/v1/${collection}?ip=${encodeURIComponent(ip)}`);
      for (const [ip, addresses] of [
        ['10.1.0.0/16', ['10.1.0.0', '10.1.2.3', '10.1.255.255']],
        ['10.1.2.3/16', ['10.1.0.0', '10.1.2.3', '10.1.255.255']],
        ['10.1.2.3/32', ['10.1.2.3']],
        ['10.1.2.3', ['10.1.2.3']],
        ['0.0.0.0/0', ['10.1.0.0', '10.1.2.3', '10.1.255.255', '10.2.0.0']],
        ['192.168.0.0/16', []],
        ['2001:db8::/32', ['2001:db8::1', '2001:db8:ffff::1']],
        ['2001:db8::/48', ['2001:db8::1']],
        ['2001:DB8:0:0::1', ['2001:db8::1']],
        ['::/0', ['2001:db8::1', '2001:db8:ffff::1']],
      ] as const) {
        const { body: list } = await find(ip).expect(200);
        expect([ip, (list as Resource[]).map((one) => one['ip_address'])]).toEqual([ip, addresses]);
      }
      // What is not a network: see test/unit/ip-address.spec.ts.
      for (const ip of ['10.0.0.0/33', '']) {
        const { body: error } = await find(ip).expect(400);
        expect(error.details).toEqual([{ field: 'ip', code: 'invalid_format', message: expect.any(String) }]);
      }
    });

    it('with descendants of the matches', async () => {
      const top = await device({ name: 'top' });
      const middle = await other({ parent_id: top.id });
      const bottom = await device({ parent_id: middle.id });
      await device();
      const ids = async (query: string) =>
        ((await admin.get(`/v1/${collection}?${query}`).expect(200)).body as Resource[]).map(({ id }) => id);
      expect(await ids('name=top')).toEqual([top.id]);
      expect(await ids('name=top&descendants=false')).toEqual([top.id]);
      // The path leads through a device of the other kind, which is not in this list.
      expect(await ids('name=top&descendants=true')).toEqual([top.id, bottom.id]);
      for (const query of ['descendants=yes', 'descendants=', 'descendants=true&descendants=false'])
        await admin.get(`/v1/${collection}?${query}`).expect(400);
    });
  });
});
