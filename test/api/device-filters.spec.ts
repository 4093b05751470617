import fc from '../support/property-testing';
import type { Caller, Resource } from '../support/caller';
import { loadFleet } from '../support/fleet';
import { readPage, walk } from '../support/read-pages';
import { sharedService } from '../support/service';
import { rounds } from '../support/seeds';

const REGIONS = ['north', 'south', 'west'];
const CELLS = ['rack-1', 'rack-2', 'rack-10'];
const LABELS = ['web', 'db', 'retired', 'spare'];
const TYPES = ['server', 'switch', 'pdu,1'];
const SITES = ['ams', 'Ams', 'BER', 'straße', 'ÉVRY', 'ΣΊΣΥΦΟΣ', 'İzmir', '100%', 'a_b', 'back\\slash'];
const COUNT = 1_500;

/** More devices than one scan of a list reads. Neighbours are alike, as those of an import are. */
const fleet = Array.from({ length: COUNT }, (_, i) => ({
  name: `${SITES[Math.floor(i / 7) % SITES.length] ?? ''}-node${String(i)}`,
  region: REGIONS[Math.floor((i * REGIONS.length) / COUNT)] ?? '',
  cell: i % 5 === 0 ? null : (CELLS[Math.floor(i / 40) % CELLS.length] ?? null),
  device_type: TYPES[i % 97 === 0 ? 2 : i % 2] ?? '',
  labels: LABELS.filter((_label, bit) => ((i >> 3) & (1 << bit)) !== 0),
  variables: i % 10 === 0 ? { rack: 1 } : {},
}));

type Query = readonly (readonly [name: string, value: string])[];

const fold = (text: string): string => text.toUpperCase().toLowerCase().replaceAll('ς', 'σ');

/** Whether a device meets the filters of a query: written without looking at the service. */
function matches(device: Resource, query: Query): boolean {
  const labels = String(device['labels']).split(',');
  const valuesOf = (name: string) => query.flatMap(([other, value]) => (other === name ? [value] : []));
  return [...new Set(query.map(([name]) => name))].every((name) => {
    const values = valuesOf(name);
    switch (name) {
      case 'name_contains':
        return fold(device.name).includes(fold(values[0] ?? ''));
      case 'label':
        return values.every((value) => labels.includes(value));
      case 'without_label':
        return !values.some((value) => labels.includes(value));
      case 'has_labels':
        return values.includes(String(device['labels'] !== ''));
      case 'vars':
        return device.variables['rack'] === 1;
      default:
        return values.includes(String(device[name]));
    }
  });
}

const byCodePoint = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
/** Natural order, by the ICU of Node. */
const collator = new Intl.Collator('und', { numeric: true });
const naturally = (a: string, b: string): number => collator.compare(a, b) || byCodePoint(a, b);

/** The ids of devices in the order of a sort key. */
const sortedBy = (devices: readonly Resource[], key: string | undefined): number[] => {
  const order = key === 'name:natural' ? naturally : byCodePoint;
  const compare = (a: Resource, b: Resource) =>
    key?.startsWith('name') ? order(a.name, b.name) : a.id - b.id;
  return devices.toSorted(compare).map(({ id }) => id);
};

describe('the filters of lists of devices', () => {
  const app = sharedService();
  let admin: Caller;
  let hosts: readonly Resource[];
  let ids: Readonly<Record<'region_id' | 'cell_id' | 'parent_id' | 'access_secret_id', readonly string[]>>;

  beforeAll(async () => {
    admin = await app.project();
    const { regions, cells } = await loadFleet(admin, {
      regions: REGIONS.map((name) => ({ name, variables: {} })),
      cells: REGIONS.flatMap((region) => CELLS.map((name) => ({ region, name, variables: {} }))),
      labels: LABELS.map((label) => ({ label, variables: {} })),
      hosts: fleet,
    });
    const [first, second, ...others] = await all('/v1/hosts', []);
    const secrets = [await admin.secret(), await admin.secret()];
    for (const [i, { id }] of others.filter((_, n) => n % 100 === 0).entries())
      await admin
        .put(`/v1/hosts/${String(id)}`, {
          parent_id: i % 2 === 0 ? first?.id : second?.id,
          access_secret_id: secrets[i % 3]?.id ?? null,
        })
        .expect(200);
    hosts = await all('/v1/hosts', []);
    ids = {
      region_id: [...regions.values()].map(String),
      cell_id: [...[...cells.values()].map(String), 'null'],
      parent_id: [String(first?.id), String(second?.id), 'null'],
      access_secret_id: [...secrets.map(({ id }) => String(id)), 'null'],
    };
  });

  const pathOf = (path: string, query: Query) =>
    `${path}?${new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])).toString()}`;
  const all = async (path: string, query: Query): Promise<readonly Resource[]> =>
    (await admin.get(pathOf(path, [...query, ['limit', '10000']])).expect(200)).body as Resource[];
  const idsOf = (items: readonly Readonly<Record<string, unknown>>[]) => items.map(({ id }) => Number(id));

  const some = (name: string, values: readonly string[], max = values.length): fc.Arbitrary<Query> =>
    fc
      .subarray([...values], { minLength: 1, maxLength: max })
      .map((chosen) => chosen.map((value) => [name, value] as const));
  const queries = fc
    .constant(null)
    .chain(() =>
      fc
        .tuple(
          ...[
            some('region_id', ids.region_id),
            some('cell_id', ids.cell_id, 4),
            some('parent_id', ids.parent_id),
            some('access_secret_id', ids.access_secret_id),
            some('device_type', TYPES),
            some('label', LABELS, 1),
            some('without_label', [...LABELS, 'no such label'], 3),
            some('has_labels', ['true', 'false'], 1),
            some(
              'name_contains',
              [
                ...['NODE', 'node1', 'e77', 'ams', 'bEr-', 'év', '%', '_', '\\', 'nothing'],
                ...['STRASSE', 'ßE-n', 'σίσυφος-node', 'i̇zmir'],
              ],
              1,
            ),
            some('vars', ['rack:1']),
          ].map((filter) => fc.option(filter, { freq: 1, nil: [] })),
        )
        .map((parts): Query => parts.flat()),
    );

  it('select what each device shows, page by page and in every order', async () => {
    const orders = fc.record({
      keys: fc.constantFrom([], ['id'], ['name'], ['name:natural'], ['device_type', 'name:natural']),
      dir: fc.constantFrom('asc', 'desc'),
      limit: fc.constantFrom(10, 33, 1_000),
    });
    await fc.assert(
      fc.asyncProperty(queries, orders, async (query, { keys, dir, limit }) => {
        const expected = hosts.filter((host) => matches(host, query)).map(({ id }) => id);
        const order: Query = [
          ...(keys.length > 0 ? [['sort_keys', keys.join(',')] as const] : []),
          ['sort_dir', dir],
          ['limit', String(expected.length > 100 ? 1_000 : limit)],
        ];
        const pages = await walk(
          admin,
          await readPage(admin, pathOf('/v1/hosts', [...query, ...order])),
          'next',
        );
        const found = pages.flatMap(({ items }) => idsOf(items));
        expect([query, found.toSorted((a, b) => a - b)]).toEqual([query, expected]);
        const [key] = keys;
        if (key !== 'device_type') {
          const sorted = sortedBy(hosts, key).filter((id) => expected.includes(id));
          expect([key, found]).toEqual([key, dir === 'asc' ? sorted : sorted.toReversed()]);
        }
        const last = pages.at(-1);
        if (last === undefined || pages.length === 1) return;
        const back = (await walk(admin, last, 'prev')).toReversed().flatMap(({ items }) => idsOf(items));
        expect(new Set(back)).toEqual(new Set(found));
      }),
      { numRuns: rounds(5, 9) },
    );
  });

  it('select the same for counts, the export and the inventories', async () => {
    const query: Query = [
      ['cell_id', ids.cell_id[0] ?? ''],
      ['cell_id', 'null'],
      ['without_label', 'retired'],
      ['without_label', 'db'],
      ['has_labels', 'true'],
      ['name_contains', 'BER'],
    ];
    const expected = hosts.filter((host) => matches(host, query));
    expect(expected.length).toBeGreaterThan(3);
    const { body: counts } = await admin.get(pathOf('/v1/devices/counts', query)).expect(200);
    expect(counts).toMatchObject({ devices: expected.length });
    const { text } = await admin.get(pathOf('/v1/export', query)).expect(200);
    const names = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { kind: string; name: string })
      .flatMap(({ kind, name }) => (kind === 'host' ? [name] : []));
    expect(names.toSorted()).toEqual(expected.map(({ name }) => name).toSorted());
    const { body: inventory } = await admin.get(pathOf('/v1/ansible-inventory', query)).expect(200);
    const { _meta } = inventory as { _meta: { hostvars: Record<string, unknown> } };
    expect(Object.keys(_meta.hostvars).toSorted()).toEqual(names.toSorted());
    const { body: written } = await admin
      .put(pathOf('/v1/hosts/variables', [...query, ['dry_run', 'true']]), { variables: { x: 1 } })
      .expect(200);
    expect(written).toMatchObject({ impact: { devices: expected.length } });
  });

  it('answer 404 for each id that the caller cannot see, also beside visible ones', async () => {
    const stranger = await app.project();
    const foreign = {
      region_id: (await stranger.region()).id,
      cell_id: (await stranger.cell()).id,
      parent_id: (await stranger.host()).id,
      access_secret_id: (await stranger.secret()).id,
    };
    for (const [name, id] of Object.entries(foreign) as [keyof typeof ids, number][])
      for (const query of [
        [[name, String(id)]],
        [
          [name, ids[name][0] ?? ''],
          [name, String(id)],
        ],
        [
          [name, '987654321'],
          [name, ids[name][0] ?? ''],
        ],
      ] satisfies Query[]) {
        for (const path of ['/v1/hosts', '/v1/devices/counts'])
          expect((await admin.get(pathOf(path, query)).expect(404)).body).toMatchObject({
            code: 'not_found',
            details: [{ field: name }],
          });
      }
  });

  it.each([
    ['region_id=null', 'region_id', 'must be an integer'],
    ['cell_id=', 'cell_id', 'must be an integer or null'],
    ['cell_id=NULL', 'cell_id', 'must be an integer or null'],
    ['cell_id=1,2', 'cell_id', 'must be an integer or null'],
    ['parent_id=1&parent_id=x', 'parent_id', 'must be an integer or null'],
    [
      Array.from({ length: 101 }, (_, i) => `cell_id=${String(i)}`).join('&'),
      'cell_id',
      'can be given at most 100 times',
    ],
    ['has_labels=none', 'has_labels', 'must be true or false'],
    ['without_label=a,b', 'without_label', 'none of these labels'],
    ['name_contains=a&name_contains=b', 'name_contains', 'can be given only once'],
    ['name_contains=%00', 'name_contains', 'must not contain a NUL character'],
    ['device_type=%00', 'device_type', 'must not contain a NUL character'],
  ])('reject %.50s', async (query, field, message) => {
    const { body } = await admin.get(`/v1/hosts?${query}`).expect(400);
    expect(body).toMatchObject({
      code: 'invalid_request',
      details: [{ field, message: expect.stringContaining(message) }],
    });
  });

  it('are not those of /v1/devices, which keeps its parameters', async () => {
    const [cell = ''] = ids.cell_id;
    for (const query of [
      'name_contains=a',
      'without_label=a',
      'has_labels=false',
      'cell_id=null',
      'access_secret_id=null',
      'device_type=server',
      `cell_id=${cell}&cell_id=${cell}`,
    ])
      await admin.get(`/v1/devices?${query}`).expect(400);
  });

  it('of bulk writes do not select all devices by an empty part of a name', async () => {
    const { body } = await admin
      .put('/v1/hosts/variables?name_contains=', { variables: { x: 1 } })
      .expect(400);
    expect(body).toMatchObject({ details: [{ field: 'ids' }] });
  });
});
