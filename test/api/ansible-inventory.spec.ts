import { sharedService } from '../support/service';
import { aName, type Caller, type Resource } from '../support/caller';
import { importLines } from '../support/importing';

type Group = { readonly hosts?: string[]; readonly children?: string[] };
interface Inventory {
  readonly _meta: { readonly hostvars: Record<string, Record<string, unknown>> };
  readonly [group: string]: Group | { readonly hostvars: object };
}

const PATH = '/v1/ansible-inventory';

describe('the Ansible inventory', () => {
  const app = sharedService();
  let admin: Caller;
  beforeEach(async () => {
    admin = await app.project();
  });
  const read = async (query = '', caller = admin): Promise<Inventory> =>
    (await caller.get(PATH + query).expect(200)).body as Inventory;
  const groupsOf = (inventory: Inventory): Record<string, Group> =>
    Object.fromEntries(
      Object.entries(inventory).flatMap(([name, group]) => ('hostvars' in group ? [] : [[name, group]])),
    );
  const hostsOf = ({ _meta: { hostvars } }: Inventory): string[] => Object.keys(hostvars);

  /** A region with two cells, hosts inside and outside these cells, and hosts in another region. */
  async function twoSites(): Promise<Record<'eqiad' | 'codfw' | 'rack', Resource>> {
    const host = { kind: 'host', region: 'eqiad', ip_address: '10.0.0.1', device_type: 'server' };
    await importLines(admin, [
      { kind: 'label', label: 'web', variables: { port: 443 } },
      { kind: 'region', name: 'eqiad', variables: { ntp: '10.0.0.1', row: 1 } },
      { kind: 'region', name: 'codfw' },
      { kind: 'region', name: 'empty' },
      { kind: 'cell', region: 'eqiad', name: 'rack-4', variables: { row: 4 } },
      { kind: 'cell', region: 'eqiad', name: 'rack-5' },
      { kind: 'cell', region: 'eqiad', name: 'without hosts' },
      { ...host, name: 'a', cell: 'rack-4', ip_address: '10.0.0.7', labels: ['web', 'big'] },
      { ...host, name: 'b', cell: 'rack-5', ip_address: '2001:db8::1' },
      { ...host, name: 'c', labels: ['web'], variables: { ansible_host: 'c.example', row: null } },
      { ...host, name: 'd', region: 'codfw', ip_address: '10.0.1.1' },
      { ...host, name: 'off', region: 'codfw', active: false, labels: ['spare'] },
      { ...host, kind: 'network-device', name: 'switch', region: 'codfw', labels: ['web'] },
    ]);
    const [eqiad, codfw] = (await admin.get('/v1/regions').expect(200)).body as [Resource, Resource];
    const [rack] = (await admin.get('/v1/cells?name=rack-4').expect(200)).body as [Resource];
    return { eqiad, codfw, rack };
  }

  it('lists hosts with resolved variables and address, grouped by region, cell and label', async () => {
    await twoSites();
    const { headers } = await admin.get(PATH).expect(200);
    expect(headers['content-type']).toBe('application/json');
    expect(await read()).toEqual({
      _meta: {
        hostvars: {
          a: { ntp: '10.0.0.1', row: 4, port: 443, ansible_host: '10.0.0.7' },
          b: { ntp: '10.0.0.1', row: 1, ansible_host: '2001:db8::1' },
          c: { ntp: '10.0.0.1', port: 443, row: null, ansible_host: 'c.example' },
          d: { ansible_host: '10.0.1.1' },
        },
      },
      eqiad: { children: ['eqiad_rack_4', 'eqiad_rack_5'], hosts: ['c'] },
      eqiad_rack_4: { hosts: ['a'] },
      eqiad_rack_5: { hosts: ['b'] },
      codfw: { hosts: ['d'] },
      web: { hosts: ['a', 'c'] },
      big: { hosts: ['a'] },
      all: { children: ['eqiad', 'codfw', 'web', 'big'] },
    });
  });

  it('is empty for an empty project', async () => {
    expect(await read()).toEqual({ _meta: { hostvars: {} }, all: { children: [] } });
  });

  it('has a group for a region whose hosts are all in cells', async () => {
    const cell = await admin.cell({ name: 'c', region_id: (await admin.region({ name: 'r' })).id });
    await admin.host({ name: 'h', region_id: cell['region_id'], cell_id: cell.id });
    expect(groupsOf(await read())).toEqual({
      r: { children: ['r_c'] },
      r_c: { hosts: ['h'] },
      all: { children: ['r'] },
    });
  });

  it('includes inactive hosts on request', async () => {
    await twoSites();
    expect(hostsOf(await read('?inactive=true'))).toEqual(['a', 'b', 'c', 'd', 'off']);
    expect(hostsOf(await read('?active=false'))).toEqual(['off']);
    expect(hostsOf(await read('?active=true&inactive=true'))).toEqual(['a', 'b', 'c', 'd']);
    expect((await read('?inactive=true'))['spare']).toEqual({ hosts: ['off'] });
    expect(await read()).not.toHaveProperty('spare');
  });

  it('contains only the hosts that match the filters, and their groups', async () => {
    const { eqiad, rack } = await twoSites();
    const found = async (query: string) => hostsOf(await read(query));
    expect(await found(`?region_id=${String(eqiad.id)}`)).toEqual(['a', 'b', 'c']);
    expect(await found('?label=web&label=big')).toEqual(['a']);
    expect(await found('?ip=10.0.0.0/16')).toEqual(['a', 'c', 'd']);
    expect(await found(`?vars=${encodeURIComponent('row:4')}`)).toEqual(['a']);
    expect(
      await found(`?vars=${encodeURIComponent('port:443')}&vars=${encodeURIComponent('row:null')}`),
    ).toEqual(['c']);
    expect(groupsOf(await read(`?cell_id=${String(rack.id)}`))).toEqual({
      eqiad: { children: ['eqiad_rack_4'] },
      eqiad_rack_4: { hosts: ['a'] },
      web: { hosts: ['a'] },
      big: { hosts: ['a'] },
      all: { children: ['eqiad', 'web', 'big'] },
    });
  });

  it('includes descendants of matching hosts, but no inactive ones', async () => {
    const parent = await admin.host({ name: 'parent' });
    const below = { region_id: parent['region_id'], parent_id: parent.id };
    const between = await admin.networkDevice({ ...below, name: 'between' });
    await admin.host({ ...below, name: 'child', parent_id: between.id });
    await admin.host({ ...below, name: 'inactive child', active: false });
    for (const query of ['?name=parent&descendants=true', '?name=parent&active=true&descendants=true'])
      expect(hostsOf(await read(query))).toEqual(['parent', 'child']);
    expect(hostsOf(await read('?name=parent&descendants=true&inactive=true'))).toEqual([
      'parent',
      'child',
      'inactive child',
    ]);
  });

  it('omits the placeholder of a missing address, so that Ansible connects to the name', async () => {
    const { id: region_id } = await admin.region({ name: 'dc' });
    await admin.host({ region_id, name: 'v4', ip_address: '0.0.0.0', variables: { a: 1 } });
    await admin.host({ region_id, name: 'v6', ip_address: '::' });
    await admin.host({ region_id, name: 'set', ip_address: '::', variables: { ansible_host: 'x.example' } });
    expect(await read('?host=v4')).toEqual({ a: 1 });
    expect(await read('?host=v6')).toEqual({});
    expect(await read('?host=set')).toEqual({ ansible_host: 'x.example' });
  });

  it('returns the variables of one host for ?host=', async () => {
    await twoSites();
    expect(await read('?host=a')).toEqual({ ntp: '10.0.0.1', row: 4, port: 443, ansible_host: '10.0.0.7' });
    for (const query of ['?host=nobody', '?host=off', '?host=switch', '?host=a&label=nothing', '?host='])
      expect(await read(query)).toEqual({});
    expect(await read('?host=off&inactive=true')).toMatchObject({ ansible_host: '10.0.0.1' });
  });

  it('includes the kinds of devices that are requested', async () => {
    await twoSites();
    expect(hostsOf(await read('?kind=network-device'))).toEqual(['switch']);
    const both = await read('?kind=host,network-device&label=web');
    expect(hostsOf(both)).toEqual(['a', 'c', 'switch']);
    expect(both['codfw']).toEqual({ hosts: ['switch'] });
    expect(both['web']).toEqual({ hosts: ['a', 'c', 'switch'] });
    expect(await read('?kind=network-device&host=switch')).toMatchObject({ port: 443 });
  });

  it('shows the variables of each level instead of resolved ones on request', async () => {
    await twoSites();
    interface Unresolved {
      readonly _meta: {
        readonly hosts: Record<
          string,
          Record<'members' | 'defaults' | 'variables', object> & { levels: string[] }
        >;
        readonly levels: Record<string, object>;
      };
    }
    const { _meta: meta, ...groups } = (
      await admin.get(`${PATH}?kind=host&kind=network-device&resolved-values=false`).expect(200)
    ).body as Unresolved;
    const { _meta: resolved, ...sameGroups } = await read('?kind=host&kind=network-device');
    expect(groups).toEqual(sameGroups);
    const merged = Object.entries(meta.hosts).map(([name, { defaults, levels, variables }]) => [
      name,
      Object.assign({}, defaults, ...levels.map((level) => meta.levels[level]), variables) as object,
    ]);
    expect(Object.fromEntries(merged)).toEqual(resolved.hostvars);
    expect(meta.hosts['a']?.members).toEqual({
      id: expect.any(Number) as number,
      kind: 'host',
      region: 'eqiad',
      cell: 'rack-4',
      labels: ['big', 'web'],
      ip_address: '10.0.0.7',
      device_type: 'server',
      active: true,
    });
    expect(meta.hosts['switch']?.members).toMatchObject({
      kind: 'network-device',
      region: 'codfw',
      cell: null,
    });
    expect(Object.values(meta.levels)).toHaveLength(new Set(Object.keys(meta.levels)).size);
  });

  it('hides private variables of levels and hosts', async () => {
    const { rack } = await twoSites();
    await admin.put(`/v1/cells/${String(rack.id)}/variables`, { secret: 1 }).expect(200);
    await admin.host({ region_id: rack['region_id'], cell_id: rack.id, variables: { secret: 2 } });
    await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: ['secret'] }).expect(200);
    const text = async (caller: Caller) =>
      (await caller.get(`${PATH}?resolved-values=false`).expect(200)).text;
    expect(await text(admin)).toContain('secret');
    expect(await text(await admin.user())).not.toContain('secret');
  });

  it('keeps every digit of numbers, and any key name', async () => {
    const { id, name } = await admin.host({ ip_address: '10.0.0.9' });
    const text = '{"big":9007199254740993,"exact":1.10,"__proto__":{"ansible_host":-0.0}}';
    await admin.put(`/v1/hosts/${String(id)}/variables`, text).expect(200);
    const { text: inventory } = await admin.get(PATH).expect(200);
    expect(inventory).toContain('9007199254740993');
    expect(inventory).toContain('"exact": 1.10');
    expect((await admin.get(`${PATH}?host=${name}`).expect(200)).text).toContain('"ansible_host":"10.0.0.9"');
  });

  describe('names groups', () => {
    const names = async () => Object.keys(groupsOf(await read())).filter((name) => name !== 'all');

    /** A host in a region of this name, and in a cell and with a label if there is one. */
    async function hostIn(
      region: string,
      cell?: string,
      label?: string,
    ): Promise<Record<'region' | 'cell', number>> {
      const { id } = await admin.region({ name: region });
      const cellId = cell === undefined ? null : (await admin.cell({ name: cell, region_id: id })).id;
      const labels = label === undefined ? [] : [label];
      await admin.host({ region_id: id, cell_id: cellId, labels });
      return { region: id, cell: cellId ?? 0 };
    }

    it('with letters, digits and _, and no digit first', async () => {
      await hostIn('2nd site', 'räck/4', 'role:web server');
      expect(await names()).toEqual(['_2nd_site_r_ck_4', '_2nd_site', 'role_web_server']);
    });

    it('with a suffix if the plain name is ambiguous', async () => {
      await hostIn('dc', '1', 'web');
      await hostIn('dc_1', undefined, 'web-');
      await hostIn('web');
      const ids = [await hostIn('a-b'), await hostIn('a_b')].map(({ region }) => String(region));
      expect((await names()).sort()).toEqual(
        [
          'dc',
          'dc_1_cell',
          'dc_1_region',
          'web_label',
          'web_',
          'web_region',
          ...ids.map((id) => `a_b_region_${id}`),
        ].sort(),
      );
    });

    it('without collisions with reserved Ansible names and host names', async () => {
      await hostIn('all', undefined, 'ungrouped');
      await hostIn('_meta');
      const { region } = await hostIn('node1');
      await admin.host({ name: 'node1', region_id: region, active: false });
      await hostIn('gone', undefined, 'gone');
      await admin.host({ name: 'gone_label' });
      const found = await names();
      expect(found).toEqual(
        expect.arrayContaining([
          'all_region',
          'ungrouped_label',
          '_meta_region',
          'node1_region',
          'gone_region',
        ]),
      );
      expect(found.filter((name) => name.startsWith('gone_label_'))).toHaveLength(1);
      expect(found).not.toContain('gone_label');
    });

    it('the same way under every filter', async () => {
      const { region } = await hostIn('a-b');
      await hostIn('a_b');
      expect(await read(`?region_id=${String(region)}`)).toHaveProperty(`a_b_region_${String(region)}`);
    });
  });

  it('agrees with the host list, and each group with the matching filter', async () => {
    const regions = await Promise.all(
      [1, 2, 3].map((a) => admin.region({ variables: { a, long: 'x'.repeat(a * 10_000) } })),
    );
    const cells = await Promise.all(
      regions.flatMap(({ id }) => [1, 2].map(() => admin.cell({ region_id: id, variables: { cell: id } }))),
    );
    const labels = ['one', 'two', 'three'];
    const bodies = Array.from({ length: 150 }, (_, i) => {
      const region = regions[i % 3];
      const cell = i % 4 === 0 ? undefined : cells.filter((one) => one['region_id'] === region?.id)[i % 2];
      return {
        name: aName('host'),
        ip_address: '10.0.0.1',
        device_type: 'server',
        region_id: region?.id,
        cell_id: cell?.id ?? null,
        labels: labels.filter((_label, bit) => (i >> bit) % 2 === 1),
        variables: i % 5 === 0 ? { b: 'y'.repeat(400 * i) } : {},
        active: i % 7 !== 0,
      };
    });
    await admin.post('/v1/hosts', bodies).expect(201);
    const inventory = await read();
    const listed = async (query: string) =>
      (await admin.get(`/v1/hosts?active=true&limit=1000${query}`).expect(200)).body as Resource[];
    expect(inventory._meta.hostvars).toEqual(
      Object.fromEntries(
        (await listed('')).map(({ name, variables, ip_address: ip }) => [
          name,
          { ...variables, ansible_host: ip },
        ]),
      ),
    );
    const groups = groupsOf(inventory);
    const within = (name: string): string[] => [
      ...(groups[name]?.hosts ?? []),
      ...(groups[name]?.children ?? []).flatMap(within),
    ];
    const namesOf = (found: Resource[]) => found.map(({ name }) => name).sort();
    for (const { id, name } of regions) {
      const group = within(name.replaceAll('-', '_'));
      expect(group.sort()).toEqual(namesOf(await listed(`&region_id=${String(id)}`)));
    }
    for (const { id, name, region_id: regionId } of cells) {
      const region = regions.find((one) => one.id === regionId)?.name ?? '';
      const group = within(`${region}_${name}`.replaceAll('-', '_'));
      expect(group.sort()).toEqual(namesOf(await listed(`&cell_id=${String(id)}`)));
    }
    for (const label of labels)
      expect(within(label).sort()).toEqual(namesOf(await listed(`&label=${label}`)));
    expect(new Set(within('all'))).toEqual(new Set(hostsOf(inventory)));
  });

  it.each([
    ['limit=10', 'limit'],
    ['fields=name', 'fields'],
    ['at=yesterday', 'at'],
    ['at=2100-01-01', 'at'],
    ['at=2017-02-16&name=a', 'name'],
    ['project_id=717e9a21-6e2d-44e0-bc84-8398563bda06', 'project_id'],
    ['region_id=x', 'region_id'],
    ['vars=a', 'vars'],
    ['descendants=1', 'descendants'],
    ['inactive=yes', 'inactive'],
    ['active=yes', 'active'],
    ['host=a&host=b', 'host'],
    ['host=a&resolved-values=false', 'resolved-values'],
    ['resolved-values=no', 'resolved-values'],
    ['kind=region', 'kind'],
    ['kind=', 'kind'],
    ['host=%00', 'host'],
    ['dry_run=true', 'dry_run'],
  ])('refuses %s', async (query, field) => {
    const { body } = await admin.get(`${PATH}?${query}`).expect(400);
    expect(body).toMatchObject({ code: 'invalid_request', details: [{ field }] });
  });

  it('returns 404 for a filter by a resource that the caller cannot see', async () => {
    const foreign = await (await app.project()).region();
    for (const id of [foreign.id, 987654321]) {
      const response = await admin.get(`${PATH}?region_id=${String(id)}`).expect(404);
      expect(response.get('content-type')).toMatch('json');
    }
  });

  it('covers only the project of the request, also for root', async () => {
    await admin.host({ name: 'here' });
    const other = await app.project();
    await other.host({ name: 'there' });
    expect(hostsOf(await read())).toEqual(['here']);
    expect(hostsOf(await read('', app.root.in(other.projectId)))).toEqual(['there']);
  });

  it('hides private variables', async () => {
    await admin
      .put(`/v1/projects/${admin.projectId}/settings`, { private: ['secret*', 'ansible_host'] })
      .expect(200);
    const user = await admin.user({ roles: ['secret_b'] });
    const region = await admin.region({ variables: { secret_a: 1, open: 2 } });
    const variables = { secret_b: 3, ansible_host: 'hidden.example' };
    const host = await admin.host({ name: 'h', region_id: region.id, ip_address: '10.0.0.8', variables });
    const seen = { open: 2, secret_b: 3, ansible_host: '10.0.0.8' };
    expect((await read('', user))._meta.hostvars['h']).toEqual(seen);
    expect(await read('?host=h', user)).toEqual(seen);
    for (const at of ['', `&at=${String(host['created_at'])}`]) {
      const matching = async (where: string, caller: Caller) =>
        hostsOf(await read(`?where=${encodeURIComponent(where)}${at}`, caller));
      expect(hostsOf(await read(`?vars=${encodeURIComponent('secret_a:1')}${at}`, user))).toEqual([]);
      expect(await matching('secret_a missing', user)).toEqual(['h']);
      expect(await matching('secret_a missing', admin)).toEqual([]);
      expect(await matching('secret_b = 3', user)).toEqual(['h']);
    }
    expect(await read('?host=h')).toMatchObject({ secret_a: 1, ansible_host: 'hidden.example' });
  });

  it('is readable by every user of the project, and by nobody else', async () => {
    await admin.host({ name: aName('host') });
    const user = await admin.user();
    await user.get(PATH).expect(200);
    await admin.as({ token: '', user: '', project: '' }).get(PATH).expect(401);
    const bearer = { authorization: `Bearer ${user.credentials.token}` };
    expect((await fetch(app.url + PATH, { headers: bearer })).status).toBe(200);
  });

  it('supports HEAD without building the inventory', async () => {
    const { headers, text } = await admin.send('head', PATH).expect(200);
    expect(headers['content-type']).toContain('application/json');
    expect(text).toBeFalsy();
  });

  it('returns the same errors for HEAD as for GET', async () => {
    for (const [query, status] of [
      ['region_id=987654321', 404],
      ['active=perhaps', 400],
    ] as const)
      for (const method of ['get', 'head'] as const)
        expect((await admin.send(method, `${PATH}?${query}`)).status).toBe(status);
  });
});
