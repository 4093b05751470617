import fc from '../support/property-testing';
import { itOnOneServer } from '../support/citus';
import { sharedService } from '../support/service';
import { aName, type Caller, type Resource } from '../support/caller';
import { loadFleet, type Fleet } from '../support/fleet';
import { byCodePoint, resolve } from '../support/naive-resolver';
import { fleets } from '../support/random-fleet';
import { readPage, walk } from '../support/read-pages';
import { rounds } from '../support/seeds';

/** A key as returned by the list. */
interface KeyCounts {
  readonly key: string;
  readonly regions: number;
  readonly cells: number;
  readonly labels: number;
  readonly hosts: number;
  readonly 'network-devices': number;
  readonly resolved_by: number;
}

/** Every key of a fleet with its counts, computed by resolving each device. */
function expectedKeys(fleet: Fleet): KeyCounts[] {
  const devices = [...fleet.hosts, ...(fleet['network-devices'] ?? [])];
  const resolved = devices.map((device) => resolve(fleet, device));
  const all = [...fleet.regions, ...fleet.cells, ...fleet.labels, ...devices];
  const keys = new Set(all.flatMap(({ variables }) => Object.keys(variables)));
  const countSetting = (key: string, owners: readonly { readonly variables: object }[] = []) =>
    owners.filter(({ variables }) => Object.hasOwn(variables, key)).length;
  return [...keys].sort(byCodePoint).map((key) => ({
    key,
    regions: countSetting(key, fleet.regions),
    cells: countSetting(key, fleet.cells),
    labels: countSetting(key, fleet.labels),
    hosts: countSetting(key, fleet.hosts),
    'network-devices': countSetting(key, fleet['network-devices']),
    resolved_by: resolved.filter((document) => Object.hasOwn(document, key)).length,
  }));
}

describe('variable keys', () => {
  const app = sharedService();
  const list = async (caller: Caller, query = '') =>
    (await caller.get(`/v1/variable-keys?limit=10000${query}`).expect(200)).body as KeyCounts[];
  const names = async (caller: Caller, query = '') => (await list(caller, query)).map(({ key }) => key);

  it('are counted by level, and by the number of devices that resolve them', async () => {
    const admin = await app.project();
    const [north, south] = [await admin.region({ variables: { ntp: 1, dns: 1 } }), await admin.region()];
    const rack = await admin.cell({ region_id: north.id, variables: { ntp: 2 } });
    const other = await admin.cell({ region_id: south.id, variables: { ntp: 3 } });
    await admin.label({ label: 'a', variables: { ntp: 4, tier: 1 } });
    await admin.label({ label: 'b', variables: { ntp: 5, tier: null } });
    // Devices with all levels; the region; the other region's cell; labels; own variables; nothing.
    await admin.host({ region_id: north.id, cell_id: rack.id, labels: 'a,b', variables: { ntp: 6 } });
    await admin.networkDevice({ region_id: north.id });
    await admin.host({ region_id: south.id, cell_id: other.id });
    await admin.host({ region_id: south.id, labels: 'a,b' });
    await admin.networkDevice({ region_id: south.id, variables: { ntp: 7, serial: 1 } });
    await admin.host({ region_id: south.id });
    const none = { regions: 0, cells: 0, labels: 0, hosts: 0, 'network-devices': 0 };
    const { projectId: project_id } = admin;
    expect(await list(admin)).toEqual([
      { key: 'dns', project_id, ...none, regions: 1, resolved_by: 2 },
      {
        key: 'ntp',
        project_id,
        regions: 1,
        cells: 2,
        labels: 2,
        hosts: 1,
        'network-devices': 1,
        resolved_by: 5,
      },
      { key: 'serial', project_id, ...none, 'network-devices': 1, resolved_by: 1 },
      { key: 'tier', project_id, ...none, labels: 2, resolved_by: 2 },
    ]);
    // Cells resolve variables, but do not count as devices. Keys of a region without devices are listed too.
    await admin.region({ variables: { lonely: 1 } });
    expect(await list(admin, '&key=lonely')).toMatchObject([{ regions: 1, resolved_by: 0 }]);
    await admin.delete(`/v1/regions/${String(north.id)}/variables`, ['ntp', 'dns']).expect(204);
    expect(await list(admin, '&key=ntp')).toMatchObject([{ regions: 0, resolved_by: 4 }]);
    expect(await names(admin)).not.toContain('dns');
  });

  it('are filtered by name and prefix, and return only the requested fields', async () => {
    const admin = await app.project();
    const region = await admin.region({ variables: { ntp: 1, ntp_a: 1, ntp_b: 1, dns: 1 } });
    await admin.host({ region_id: region.id, variables: { é: 1, Z: 1 } });
    expect(await names(admin)).toEqual(['Z', 'dns', 'ntp', 'ntp_a', 'ntp_b', 'é']);
    expect(await names(admin, '&sort_dir=desc&key=ntp*')).toEqual(['ntp_b', 'ntp_a', 'ntp']);
    expect(await names(admin, '&key=ntp')).toEqual(['ntp']);
    expect(await names(admin, '&key=unknown')).toEqual([]);
    expect((await admin.get('/v1/variable-keys?fields=key,resolved_by&key=d*').expect(200)).body).toEqual([
      { key: 'dns', resolved_by: 1 },
    ]);
    for (const query of [
      'key=',
      'key=a,b',
      'key=**',
      'fields=nothing',
      'sort_keys=key',
      'kind=host',
      'vars=a:1',
    ])
      await admin.get(`/v1/variable-keys?${query}`).expect(400);
  });

  it.each(['array', 'page'] as const)('are paged in both directions, as %s', async (as) => {
    const admin = await app.project();
    const variables = Object.fromEntries(Array.from({ length: 23 }, (_, i) => [`k${String(i)}`, i]));
    await admin.region({ variables });
    await admin.region({ variables });
    const everything = await list(admin);
    expect(everything).toHaveLength(23);
    for (const direction of ['asc', 'desc']) {
      const expected = direction === 'asc' ? everything : everything.toReversed();
      const first = await readPage(admin, `/v1/variable-keys?limit=10&sort_dir=${direction}`, as);
      const pages = await walk(admin, first, 'next', as);
      expect(pages.flatMap(({ items }) => items)).toEqual(expected);
      const back = await walk(admin, pages[2]!, 'prev', as);
      expect(back.map(({ items }) => items)).toEqual(pages.map(({ items }) => items).toReversed());
      const marker = new URL(first.links['next'] ?? '').searchParams.get('marker');
      expect(marker).toBe(`${expected[9]?.key ?? ''}/${admin.projectId}`);
      const last = new URL(first.links['last'] ?? '');
      expect((await readPage(admin, last.pathname + last.search, as)).items).toEqual(expected.slice(13));
    }
    for (const marker of ['k1', 'k1/x', '', `unknown/${admin.projectId}`, `k1/${admin.projectId}/1`])
      expect((await admin.get(`/v1/variable-keys?marker=${marker}`).expect(400)).body).toMatchObject({
        details: [{ field: 'marker' }],
      });
  });

  itOnOneServer('it concerns all projects')(
    'of every project are listed for root, once per project',
    async () => {
      const [one, two] = [await app.project(), await app.project()];
      const prefix = aName('of_two').replaceAll('-', '_');
      const [key, more] = [`${prefix}_projects`, `${prefix}_more`];
      for (const caller of [one, one, two]) {
        const region = await caller.region({ variables: { [key]: 1, [more]: 1 } });
        await caller.host({ region_id: region.id });
      }
      const shown = async (query: string) =>
        ((await list(app.root, query)) as (KeyCounts & Resource)[]).map((one) => [
          one.key,
          one.project_id,
          one.regions,
          one.resolved_by,
        ]);
      const counts = new Map([
        [one.projectId, 2],
        [two.projectId, 1],
      ]);
      const [first = '', second = ''] = [...counts.keys()].sort();
      expect(await shown(`&key=${prefix}_p*`)).toEqual([
        [key, first, counts.get(first), counts.get(first)],
        [key, second, counts.get(second), counts.get(second)],
      ]);
      expect(await shown(`&key=${key}&project_id=${two.projectId}`)).toHaveLength(1);
      const page = await readPage(app.root, `/v1/variable-keys?key=${prefix}_*&limit=1`);
      const pages = await walk(app.root, page, 'next');
      expect(pages.flatMap(({ items }) => items)).toEqual(await list(app.root, `&key=${prefix}_*`));
      expect(pages).toHaveLength(4);
      await one.get(`/v1/variable-keys?project_id=${two.projectId}`).expect(404);
    },
  );

  it('exclude those of users, which are not inherited', async () => {
    const admin = await app.project();
    const [user] = (await admin.get('/v1/users').expect(200)).body as Resource[];
    await admin.put(`/v1/users/${String(user?.id)}/variables`, { of_users: 1, both: 1 }).expect(200);
    await admin.region({ variables: { both: 1 } });
    expect(await list(admin)).toMatchObject([{ key: 'both', regions: 1, resolved_by: 0 }]);
    await admin.get(`/v1/variable-keys?marker=of_users/${admin.projectId}`).expect(400);
  });

  it('that are private are hidden from users without a role for them', async () => {
    const admin = await app.project();
    const region = await admin.region({ variables: { open: 1, secret_a: 1, secret_b: 1 } });
    await admin.host({ region_id: region.id, variables: { secret_a: 2, last: 1 } });
    await admin
      .put(`/v1/projects/${admin.projectId}/settings`, { private: ['secret_*', 'last'] })
      .expect(200);
    const [reader, trusted] = [await admin.user(), await admin.user({ roles: ['secret_a'] })];
    expect(await names(reader)).toEqual(['open']);
    expect(await names(trusted)).toEqual(['open', 'secret_a']);
    expect(await names(admin)).toEqual(['last', 'open', 'secret_a', 'secret_b']);
    for (const query of ['&key=secret_a', '&key=s*']) expect(await names(reader, query)).toEqual([]);
    const { links } = await readPage(reader, '/v1/variable-keys?limit=1');
    expect(Object.keys(links)).toEqual(['self']);
    const rejectedDetails = async (marker: string) =>
      (
        (await reader.get(`/v1/variable-keys?marker=${marker}/${admin.projectId}`).expect(400))
          .body as Resource
      )['details'];
    expect(await rejectedDetails('secret_a')).toEqual(await rejectedDetails('unknown'));
  });

  it('match a naive model in random inventories', async () => {
    await fc.assert(
      fc.asyncProperty(fleets, async (fleet) => {
        const admin = await app.project();
        await loadFleet(admin, fleet);
        const shown = (await list(admin)).map((one) => ({ ...one, project_id: undefined }));
        expect(shown).toEqual(expectedKeys(fleet));
      }),
      { numRuns: rounds(2, 4), endOnFailure: true },
    );
  }, 60_000);
});
