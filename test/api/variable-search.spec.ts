import fc from '../support/property-testing';
import { itOnOneServer } from '../support/citus';
import { sharedService } from '../support/service';
import { aName, type Caller, type Resource } from '../support/caller';
import { loadFleet, type Fleet, type VariablesOf } from '../support/fleet';
import { byCodePoint, canonical } from '../support/naive-resolver';
import { fleets } from '../support/random-fleet';
import { readPage, walk } from '../support/read-pages';
import { rounds } from '../support/seeds';

/** A variable of a resource as returned by the list. */
interface SetVariable {
  readonly key: string;
  readonly kind: string;
  readonly id: number;
  readonly name: string;
  readonly value: unknown;
}

/** Every variable of a fleet and where it is set, without ids, as sorted texts. */
function expectedVariables(fleet: Fleet): string[] {
  const owners: [string, string, VariablesOf][] = [
    ...fleet.regions.map(
      ({ name, variables }) => ['region', name, variables] as [string, string, VariablesOf],
    ),
    ...fleet.cells.map(({ name, variables }) => ['cell', name, variables] as [string, string, VariablesOf]),
    ...fleet.labels.map(
      ({ label, variables }) => ['label', label, variables] as [string, string, VariablesOf],
    ),
    ...fleet.hosts.map(({ name, variables }) => ['host', name, variables] as [string, string, VariablesOf]),
    ...(fleet['network-devices'] ?? []).map(
      ({ name, variables }) => ['network-device', name, variables] as [string, string, VariablesOf],
    ),
  ];
  return owners
    .flatMap(([kind, name, variables]) =>
      Object.keys(variables).map((key) => canonical({ key, kind, name, value: variables[key] })),
    )
    .sort();
}

const shown = (variables: readonly SetVariable[]): string[] =>
  variables.map(({ key, kind, name, value }) => canonical({ key, kind, name, value })).sort();

const inOrder = (a: SetVariable, b: SetVariable): number =>
  byCodePoint(a.key, b.key) || byCodePoint(a.kind, b.kind) || a.id - b.id;

describe('the variable search', () => {
  const app = sharedService();
  const list = async (caller: Caller, query = '') =>
    (await caller.get(`/v1/variables?limit=10000${query}`).expect(200)).body as SetVariable[];
  const names = async (caller: Caller, query = '') =>
    (await list(caller, query)).map(({ key, kind, name }) => `${key} ${kind} ${name}`);

  /** One of each resource with variables. Each has its own key and a common key. */
  async function everywhere() {
    const admin = await app.project();
    const region = await admin.region({ name: 'north', variables: { all: 'region', ntp_region: 1 } });
    const cell = await admin.cell({
      name: 'rack',
      region_id: region.id,
      variables: { all: 'cell', ntp_cell: 1 },
    });
    const label = await admin.label({ label: 'compute', variables: { all: 'label', ntp_label: 1 } });
    const deviceFields = { region_id: region.id, cell_id: cell.id, labels: 'compute' };
    const device = await admin.networkDevice({
      name: 'switch',
      ...deviceFields,
      variables: { all: 'device' },
    });
    const host = await admin.host({ name: 'node', ...deviceFields, variables: { all: 'host', ntp: null } });
    return { admin, region, cell, label, device, host };
  }

  it('returns key, resource, value, author, time, reason and change', async () => {
    const { admin, host, region } = await everywhere();
    await admin
      .put(`/v1/hosts/${String(host.id)}/variables`, '{"n": 9007199254740993}', {
        'X-Change-Reason': 'digits',
      })
      .expect(200);
    const response = await admin.get('/v1/variables?key=n').expect(200);
    expect(response.text).toContain('"value":9007199254740993');
    const [change] = (await admin.get('/v1/changes?reason=digits').expect(200)).body as Resource[];
    expect(response.body).toEqual([
      {
        key: 'n',
        kind: 'host',
        id: host.id,
        name: 'node',
        project_id: admin.projectId,
        value: expect.any(Number) as number,
        set_by: admin.credentials.user,
        set_at: change?.['created_at'],
        reason: 'digits',
        change_id: change?.id,
        links: [{ rel: 'owner', href: `${app.url}/v1/hosts/${String(host.id)}` }],
      },
    ]);
    const [fromRegion] = await list(admin, '&key=ntp_region');
    expect(fromRegion).toMatchObject({
      kind: 'region',
      id: region.id,
      name: 'north',
      value: 1,
      reason: null,
    });
    for (const item of (await list(admin)) as (SetVariable & Resource)[]) {
      const [link] = item['links'] as { href: string }[];
      const owner = (await admin.get(new URL(link?.href ?? '').pathname).expect(200)).body as Resource;
      expect(owner.id).toBe(item.id);
    }
  });

  it('filters by key, prefix and kind, and sorts by key, kind and id', async () => {
    const { admin } = await everywhere();
    const all = [
      'all cell rack',
      'all host node',
      'all label compute',
      'all network-device switch',
      'all region north',
    ];
    const ntp = ['ntp host node', 'ntp_cell cell rack', 'ntp_label label compute', 'ntp_region region north'];
    expect(await names(admin)).toEqual([...all, ...ntp]);
    expect(await names(admin, '&sort_dir=desc')).toEqual([...all, ...ntp].toReversed());
    expect(await names(admin, '&key=all')).toEqual(all);
    expect(await names(admin, '&key=*')).toEqual([...all, ...ntp]);
    expect(await names(admin, '&key=ntp*')).toEqual(ntp);
    expect(await names(admin, '&key=ntp_*')).toEqual(ntp.slice(1));
    expect(await names(admin, '&key=ntp')).toEqual(ntp.slice(0, 1));
    expect(await names(admin, '&key=ntp_r*&kind=region')).toEqual(['ntp_region region north']);
    expect(await names(admin, '&kind=region')).toEqual(['all region north', 'ntp_region region north']);
    expect(await names(admin, '&key=all&kind=label')).toEqual(['all label compute']);
    for (const query of ['key=unknown', 'key=unknown*', 'kind=nothing', 'key=all&kind=user', 'kind='])
      expect(await names(admin, `&${query}`)).toEqual([]);
    for (const key of ['', 'a,b', 'a b', '1a', '**', 'a**', '*a', 'a%00'])
      expect((await admin.get(`/v1/variables?key=${key}`).expect(400)).body).toMatchObject({
        details: [{ field: 'key' }],
      });
    for (const query of ['sort_keys=id', 'vars=a:1', 'colour=1', 'key=a&key=b', 'resolved-values=true'])
      await admin.get(`/v1/variables?${query}`).expect(400);
  });

  it('returns only the requested fields', async () => {
    const { admin } = await everywhere();
    expect((await admin.get('/v1/variables?fields=name,key&key=ntp').expect(200)).body).toEqual([
      { key: 'ntp', name: 'node' },
    ]);
    const [link] = (await admin.get('/v1/variables?fields=links&key=ntp').expect(200)).body as object[];
    expect(Object.keys(link ?? {})).toEqual(['links']);
    await admin.get('/v1/variables?fields=nothing').expect(400);
  });

  it('excludes variables that were deleted, or whose resource was deleted', async () => {
    const { admin, host, device } = await everywhere();
    await admin.delete(`/v1/hosts/${String(host.id)}/variables`, ['all']).expect(204);
    await admin.delete(`/v1/network-devices/${String(device.id)}`).expect(204);
    expect(await names(admin, '&key=all')).toEqual([
      'all cell rack',
      'all label compute',
      'all region north',
    ]);
    await admin.put(`/v1/hosts/${String(host.id)}`, { name: 'renamed' }).expect(200);
    expect(await names(admin, '&key=ntp')).toEqual(['ntp host renamed']);
  });

  it('excludes the variables of users, which are not inherited', async () => {
    const { admin } = await everywhere();
    const [user] = (await admin.get('/v1/users').expect(200)).body as Resource[];
    await admin.put(`/v1/users/${String(user?.id)}/variables`, { all: 1, of_users: 1 }).expect(200);
    expect(await names(admin, '&key=of_users')).toEqual([]);
    expect(await names(admin, '&key=all')).toHaveLength(5);
  });

  it.each(['array', 'page'] as const)('pages in both directions, as %s', async (as) => {
    const admin = await app.project();
    const { id: region_id } = await admin.region({ variables: { a: 1, b: 1, c: 1 } });
    const hosts = Array.from({ length: 11 }, (_, i) => ({
      name: aName('host'),
      region_id,
      ip_address: '10.0.0.1',
      device_type: 'server',
      variables: { b: i, c: i },
    }));
    await admin.post('/v1/hosts', hosts).expect(201);
    const everything = await list(admin);
    expect(everything).toHaveLength(25);
    for (const direction of ['asc', 'desc']) {
      const expected = direction === 'asc' ? everything : everything.toReversed();
      const path = `/v1/variables?limit=10&sort_dir=${direction}`;
      const first = await readPage(admin, path, as);
      expect(Object.keys(first.links).sort()).toEqual(['last', 'next', 'self']);
      const pages = await walk(admin, first, 'next', as);
      expect(pages.flatMap(({ items }) => items)).toEqual(expected);
      expect(pages.map(({ items }) => items.length)).toEqual([10, 10, 5]);
      const back = await walk(admin, pages[2]!, 'prev', as);
      expect(back.map(({ items }) => items)).toEqual(pages.map(({ items }) => items).toReversed());
      const last = await readPage(admin, pathOf(first.links['last']), as);
      expect(last.items).toEqual(expected.slice(15));
      expect(last.links).not.toHaveProperty('next');
      const marker = new URL(pages[0]?.links['next'] ?? '').searchParams.get('marker');
      const { key, kind, id } = expected[9]!;
      expect(marker).toBe(`${key}/${kind}/${String(id)}`);
    }
    for (const marker of ['a', 'a/b', 'a/region/x', 'a/region/1/2', '', 'a%00/b/1'])
      await admin.get(`/v1/variables?marker=${marker}`).expect(400);
    for (const marker of [
      `zz/region/${String(region_id)}`,
      'a/region/987654321',
      `a/cell/${String(region_id)}`,
    ])
      expect((await admin.get(`/v1/variables?marker=${marker}`).expect(400)).body).toMatchObject({
        details: [
          { field: 'marker', code: 'not_found', message: 'is not the position of an item in this list' },
        ],
      });
  });

  itOnOneServer('it concerns all projects')(
    'returns every project to root, filtered by project_id',
    async () => {
      const [one, two] = [await app.project(), await app.project()];
      const prefix = aName('of_two').replaceAll('-', '_');
      const key = `${prefix}_projects`;
      for (const caller of [one, two, one]) await caller.region({ variables: { [key]: 1, alone: 1 } });
      const projectsFor = async (caller: Caller, query: string) =>
        ((await list(caller, query)) as (SetVariable & Resource)[]).map(({ project_id }) => project_id);
      expect(await projectsFor(app.root, `&key=${key}`)).toEqual([
        one.projectId,
        two.projectId,
        one.projectId,
      ]);
      expect(await projectsFor(app.root, `&key=${key}&project_id=${two.projectId}`)).toEqual([two.projectId]);
      expect(await projectsFor(one, `&key=${key}`)).toEqual([one.projectId, one.projectId]);
      const first = await readPage(app.root, `/v1/variables?key=${prefix}_*&limit=1`);
      expect((await walk(app.root, first, 'next')).flatMap(({ items }) => items)).toEqual(
        await list(app.root, `&key=${prefix}_*`),
      );
      await one.get(`/v1/variables?project_id=${two.projectId}`).expect(404);
      await app.root.get('/v1/variables?project_id=00000000-0000-4000-8000-000000000000').expect(404);
    },
  );

  it('hides private variables from users without a role for them', async () => {
    const { admin, host } = await everywhere();
    await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: ['all', 'ntp_c*'] }).expect(200);
    const [reader, trusted] = [await admin.user(), await admin.user({ roles: ['all'] })];
    expect(await names(reader)).toEqual([
      'ntp host node',
      'ntp_label label compute',
      'ntp_region region north',
    ]);
    for (const query of ['&key=all', '&key=all*', '&key=a*', '&key=ntp_cell', '&kind=cell'])
      expect(await names(reader, query)).toEqual([]);
    expect(await names(trusted, '&key=all')).toHaveLength(5);
    expect(await names(trusted, '&key=ntp_c*')).toEqual([]);
    expect(await names(admin)).toHaveLength(9);
    // The marker of a private variable gets the same error as an unknown marker.
    const rejectedDetails = async (marker: string) =>
      ((await reader.get(`/v1/variables?marker=${marker}`).expect(400)).body as Resource)['details'];
    expect(await rejectedDetails(`all/host/${String(host.id)}`)).toEqual(
      await rejectedDetails('unknown/host/1'),
    );
    const pages = await walk(reader, await readPage(reader, '/v1/variables?limit=1'), 'next');
    expect(pages).toHaveLength(3);
  });

  it('matches a naive model in random inventories', async () => {
    await fc.assert(
      fc.asyncProperty(fleets, async (fleet) => {
        const admin = await app.project();
        await loadFleet(admin, fleet);
        const everything = await list(admin);
        expect(shown(everything)).toEqual(expectedVariables(fleet));
        expect(everything).toEqual(everything.toSorted(inOrder));
        const pages = await walk(admin, await readPage(admin, '/v1/variables?limit=7'), 'next');
        expect(pages.flatMap(({ items }) => items)).toEqual(everything);
        for (const kind of ['region', 'host'])
          expect(await list(admin, `&kind=${kind}`)).toEqual(everything.filter((one) => one.kind === kind));
        for (const key of ['a', 'x-y', '__proto__'])
          expect(await list(admin, `&key=${key}`)).toEqual(everything.filter((one) => one.key === key));
      }),
      { numRuns: rounds(2, 3), endOnFailure: true },
    );
  }, 60_000);
});

const pathOf = (href: string | undefined): string => {
  const { pathname, search } = new URL(href ?? '');
  return pathname + search;
};
