import fc from '../support/property-testing';
import { sharedService } from '../support/service';
import type { Caller } from '../support/caller';
import { loadFleet, type Fleet, type FleetDevice } from '../support/fleet';
import { canonical, resolve } from '../support/naive-resolver';
import { fleets } from '../support/random-fleet';
import { rounds } from '../support/seeds';

interface Distribution {
  readonly devices: number;
  readonly without: number;
  readonly distinct: number;
  readonly values: readonly { readonly value: unknown; readonly devices: number }[];
}

type Group = Distribution & Readonly<Record<string, unknown>>;

interface Counts {
  readonly devices: number;
  readonly group_count: number;
  readonly groups: readonly (Readonly<Record<string, unknown>> & { readonly devices: number })[];
}

type KindedDevice = FleetDevice & { readonly kind: string };

const devicesOf = (fleet: Fleet): KindedDevice[] => [
  ...fleet.hosts.map((device) => ({ ...device, kind: 'host' })),
  ...(fleet['network-devices'] ?? []).map((device) => ({ ...device, kind: 'network-device' })),
];

/** Counts equal texts. */
function countTexts(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

/** The part of a value at a path of one leg, like PostgreSQL's lax jsonpath; undefined if there is none. */
const parts: Readonly<Record<string, (value: unknown) => unknown>> = {
  '': (value) => value,
  p: (value) =>
    (Array.isArray(value) ? (value as unknown[]) : [value])
      .filter((one) => typeof one === 'object' && one !== null && !Array.isArray(one))
      .map((one) => (one as Record<string, unknown>)['p'])
      .find((one) => one !== undefined),
  '[0]': (value) => (Array.isArray(value) ? (value as unknown[])[0] : value),
};

/** The distribution of a variable, computed by resolving each device. */
function distributionOf(fleet: Fleet, devices: readonly FleetDevice[], key: string, path: string) {
  const values = devices.map((device) => {
    const resolved = resolve(fleet, device);
    return Object.hasOwn(resolved, key) ? parts[path]!(resolved[key]) : undefined;
  });
  const found = values.filter((value) => value !== undefined);
  const counts = countTexts(found.map(canonical));
  return { devices: devices.length, without: values.length - found.length, counts };
}

/** The same form for a response. Values with the same number of devices may be in any order. */
function summaryOf({ devices, without, values }: Distribution) {
  const numbers = values.map((one) => one.devices);
  expect(numbers).toEqual([...numbers].sort((a, b) => b - a));
  return { devices, without, counts: new Map(values.map((one) => [canonical(one.value), one.devices])) };
}

/** The names of the groups that a device is in. */
const groupsOf: Readonly<Record<string, (device: KindedDevice) => readonly (string | null)[]>> = {
  region: ({ region }) => [region],
  cell: ({ region, cell }) => [cell === null ? null : `${region}/${cell}`],
  label: ({ labels }) => labels,
  kind: ({ kind }) => [kind],
};

describe('statistics', () => {
  const app = sharedService();
  const values = async (caller: Caller, key: string, query = '') =>
    (await caller.get(`/v1/variable-keys/${encodeURIComponent(key)}/values?limit=1000${query}`).expect(200))
      .body as Distribution & { readonly key: string; readonly groups?: readonly Group[] };
  const counts = async (caller: Caller, query = '') =>
    (await caller.get(`/v1/devices/counts?${query}`).expect(200)).body as Counts;

  describe('of random inventories', () => {
    const inventories: { fleet: Fleet; admin: Caller; cells: ReadonlyMap<number, string> }[] = [];

    beforeAll(async () => {
      for (const fleet of fc.sample(fleets, rounds(2, 4))) {
        const admin = await app.project();
        const { cells } = await loadFleet(admin, fleet);
        inventories.push({ fleet, admin, cells: new Map([...cells].map(([name, id]) => [id, name])) });
      }
    }, 60_000);

    /** The name of a group in a response, as in `groupsOf`. */
    const nameOf = (cells: ReadonlyMap<number, string>, grouping: string, group: unknown): string | null => {
      if (typeof group !== 'object' || group === null) return group as string | null;
      const { id, name } = group as { id: number; name: string };
      return grouping === 'cell' ? (cells.get(id) ?? null) : name;
    };

    const filters: readonly [string, (device: KindedDevice) => boolean][] = [
      ['', () => true],
      ['&kind=host', ({ kind }) => kind === 'host'],
      ['&active=true', ({ active }) => active === true],
      ['&label=10', ({ labels }) => labels.includes('10')],
      [
        '&device_type=switch&kind=host',
        (device) => device.device_type === 'switch' && device.kind === 'host',
      ],
    ];
    const keys = ['a', 'b', 'c', 'x-y', '__proto__', 'unset'];

    it('count the values that devices resolve', async () => {
      let found = 0;
      // The filters and the paths are independent of each other: every filter, and every path of one filter.
      const cases = [
        ...filters.map((filter) => [...filter, ''] as const),
        ...Object.keys(parts)
          .slice(1)
          .map((path) => [...filters[0]!, path] as const),
      ];
      // Half of them with each inventory.
      for (const [i, { fleet, admin }] of inventories.entries())
        for (const [query, matches, path] of cases.filter((_, j) => j % 2 === i % 2))
          for (const key of keys) {
            const result = await values(admin, key, query + (path === '' ? '' : `&path=${path}`));
            const expected = distributionOf(fleet, devicesOf(fleet).filter(matches), key, path);
            expect(summaryOf(result)).toEqual(expected);
            expect(result.distinct).toBe(expected.counts.size);
            found += expected.counts.size;
          }
      expect(found).toBeGreaterThan(100);
    }, 60_000);

    it.each(Object.keys(groupsOf))(
      'count them by %s',
      async (grouping) => {
        for (const [i, { fleet, admin, cells }] of inventories.entries())
          for (const [query, matches] of [filters[i % 2]!])
            for (const key of keys) {
              const { groups = [] } = await values(admin, key, `${query}&group_by=${grouping}`);
              const devices = devicesOf(fleet).filter(matches);
              const names = new Set(devices.flatMap((device) => groupsOf[grouping]!(device)));
              const expected = [...names].map((name) => [
                name,
                distributionOf(
                  fleet,
                  devices.filter((device) => groupsOf[grouping]!(device).includes(name)),
                  key,
                  '',
                ),
              ]);
              const found = groups.map((group) => [
                nameOf(cells, grouping, group[grouping]),
                summaryOf(group),
              ]);
              expect(new Map(found as [string, unknown][])).toEqual(new Map(expected as [string, unknown][]));
              expect(found).toHaveLength(expected.length);
            }
      },
      60_000,
    );

    it('count those of devices with a resolved value', async () => {
      let found = 0;
      for (const { fleet, admin } of inventories)
        for (const value of [1, 'one', true, null]) {
          const query = `&vars=${encodeURIComponent(`a:${JSON.stringify(value)}`)}`;
          const lists = ['hosts', 'network-devices'].map((collection) =>
            admin.get(`/v1/${collection}?fields=name${query}`).expect(200),
          );
          const listed = (await Promise.all(lists)).flatMap(({ body }) => body as { name: string }[]);
          const names = new Set(listed.map(({ name }) => name));
          const devices = devicesOf(fleet).filter(({ name }) => names.has(name));
          expect(summaryOf(await values(admin, 'b', query))).toEqual(distributionOf(fleet, devices, 'b', ''));
          found += devices.length;
        }
      expect(found).toBeGreaterThan(0);
    }, 60_000);

    it.each(['region', 'cell', 'label', 'kind', 'active', 'device_type', 'region,active', 'label,cell,kind'])(
      'count devices by %s',
      async (names) => {
        for (const [i, { fleet, admin, cells }] of inventories.entries())
          for (const [query, matches] of [filters[0]!, filters[i + 1]!]) {
            const devices = devicesOf(fleet).filter(matches);
            const combinations = devices.flatMap((device) =>
              names.split(',').reduce<(string | boolean | null | undefined)[][]>(
                (all, name) => {
                  const own = groupsOf[name]?.(device) ?? [device[name as 'active' | 'device_type']];
                  return all.flatMap((start) => own.map((one) => [...start, one]));
                },
                [[]],
              ),
            );
            const found = await counts(admin, `group_by=${names}${query}`);
            expect(found.devices).toBe(devices.length);
            const expected = countTexts(combinations.map((one) => JSON.stringify(one)));
            expect(found.group_count).toBe(expected.size);
            const groups = found.groups.map((group) => [
              JSON.stringify(names.split(',').map((name) => nameOf(cells, name, group[name]))),
              group.devices,
            ]);
            expect(new Map(groups as [string, number][])).toEqual(expected);
          }
      },
      60_000,
    );
  });

  it('show the most frequent values and the largest groups first', async () => {
    const admin = await app.project();
    const region = await admin.region({ variables: { os: 'debian-12' } });
    const small = await admin.region();
    for (const os of ['debian-13', 'debian-13', 'debian-11'])
      await admin.host({ region_id: region.id, variables: { os } });
    for (let i = 0; i < 3; i++) await admin.networkDevice({ region_id: region.id });
    await admin.host({ region_id: small.id });
    const { body } = await admin.get('/v1/variable-keys/os/values?limit=2&group_by=region').expect(200);
    const most = [
      { value: 'debian-12', devices: 3 },
      { value: 'debian-13', devices: 2 },
    ];
    expect(body).toEqual({
      key: 'os',
      devices: 7,
      without: 1,
      distinct: 3,
      values: most,
      groups: [
        { region: { id: region.id, name: region.name }, devices: 6, without: 0, distinct: 3, values: most },
        { region: { id: small.id, name: small.name }, devices: 1, without: 1, distinct: 0, values: [] },
      ],
    });
    const { body: brief } = await admin
      .get('/v1/variable-keys/os/values?limit=1&group_by=region&group_limit=2')
      .expect(200);
    expect(brief).toMatchObject({
      values: most.slice(0, 1),
      groups: [{ values: most.slice(0, 1) }, { devices: 1 }],
    });
    expect((await values(admin, 'os', '&group_by=region&group_limit=1')).groups).toHaveLength(1);
    expect(await counts(admin, 'group_by=region,kind&limit=1')).toEqual({
      devices: 7,
      group_count: 3,
      groups: [{ region: { id: region.id, name: region.name }, kind: 'host', devices: 3 }],
    });
    expect(await counts(admin)).toEqual({ devices: 7, group_count: 0, groups: [] });
  });

  it('keep all digits of numbers, and count equal numbers together', async () => {
    const admin = await app.project();
    await admin.region();
    const region = await admin.region();
    const digits = '12345678901234567890.5';
    for (const number of [digits, `${digits}0`]) {
      const host = await admin.host({ region_id: region.id });
      await admin
        .put(`/v1/hosts/${String(host.id)}/variables/n`)
        .set('Content-Type', 'application/json')
        .send(`{"value":${number}}`)
        .expect(200);
    }
    const { text } = await admin.get('/v1/variable-keys/n/values').expect(200);
    expect(text).toMatch(/"values":\[\{"value":12345678901234567890\.50?,"devices":2\}\]/);
  });

  it('of a project without devices are empty', async () => {
    const admin = await app.project();
    const nothing = { devices: 0, without: 0, distinct: 0, values: [] };
    expect(await values(admin, 'os', '&group_by=cell')).toEqual({ key: 'os', ...nothing, groups: [] });
    expect(await counts(admin, 'group_by=cell')).toEqual({ devices: 0, group_count: 0, groups: [] });
  });

  it('omit values beyond 4 MiB, and count them', async () => {
    const admin = await app.project();
    const region = await admin.region();
    const text = 'x'.repeat(1_000_000);
    for (let i = 0; i < 6; i++)
      await admin.host({ region_id: region.id, variables: { large: `${String(i)}${text}` } });
    const { distinct, devices, values: shown } = await values(admin, 'large');
    expect({ distinct, devices, shown: shown.length }).toEqual({ distinct: 6, devices: 6, shown: 4 });
  }, 30_000);

  it('treat a hidden variable like one that is not set', async () => {
    const admin = await app.project();
    await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: ['secret'] }).expect(200);
    const region = await admin.region({ variables: { secret: 1, open: 2 } });
    await admin.host({ region_id: region.id, variables: { secret: 3 } });
    const reader = await admin.user();
    const hidden = await values(reader, 'secret');
    expect(hidden).toEqual({ ...(await values(reader, 'unset')), key: 'secret' });
    expect(hidden.without).toBe(1);
    expect(await values(reader, 'open', '&vars=secret:3')).toMatchObject({ devices: 0 });
    expect(await values(admin, 'secret')).toMatchObject({ values: [{ value: 3, devices: 1 }] });
  });

  it('concern one project, which root can choose', async () => {
    const [one, other] = [await app.project(), await app.project()];
    const region = await one.region();
    await one.host({ region_id: region.id });
    expect(await counts(other)).toMatchObject({ devices: 0 });
    expect(await counts(app.root, `project_id=${one.projectId}`)).toMatchObject({ devices: 1 });
    await other.get(`/v1/devices/counts?project_id=${one.projectId}`).expect(404);
    await other.get(`/v1/devices/counts?region_id=${String(region.id)}`).expect(404);
    await other.get(`/v1/variable-keys/os/values?region_id=${String(region.id)}`).expect(404);
  });

  it.each([
    ['/v1/devices/counts?group_by=name', 'group_by'],
    ['/v1/devices/counts?group_by=region,region', 'group_by'],
    ['/v1/devices/counts?group_by=', 'group_by'],
    ['/v1/devices/counts?limit=0', 'limit'],
    ['/v1/devices/counts?sort_dir=asc', 'sort_dir'],
    ['/v1/devices/counts?vars=a', 'vars'],
    ['/v1/variable-keys/os/values?group_by=active', 'group_by'],
    ['/v1/variable-keys/os/values?group_by=region,cell', 'group_by'],
    ['/v1/variable-keys/os/values?group_limit=1001', 'group_limit'],
    ['/v1/variable-keys/os/values?path=', 'path'],
    ['/v1/variable-keys/os/values?path=a.*', 'path'],
    ['/v1/variable-keys/os/values?path=a[*]', 'path'],
    ['/v1/variable-keys/os/values?path=a:1', 'path'],
    ['/v1/variable-keys/os/values?path=%22a\\u0000%22', 'path'],
    ['/v1/variable-keys/os/values?path=%22a\\ud800%22', 'path'],
    ['/v1/variable-keys/1/values', 'key'],
    ['/v1/variable-keys/a%00/values', 'key'],
  ])('refuse %s', async (path, field) => {
    const admin = await app.project();
    const { body } = await admin.get(path).expect(400);
    expect(JSON.stringify(body)).toContain(`"${field}"`);
  });
});
