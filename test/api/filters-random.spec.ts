import fc from '../support/property-testing';
import { startService, type OwnService } from '../support/service';
import { aName, type Caller, type Resource } from '../support/caller';
import { conditions, FilterOracle, written, type Condition } from '../support/filter-oracle';
import { exactLine, loadFleet, type Fleet, type LoadedFleet, type VariablesOf } from '../support/fleet';
import { jsonbText, type Json } from '../support/jsonb-text';
import { resolve, resolveCell } from '../support/naive-resolver';
import { everyPage, namesInPages } from '../support/pages';
import { readPage, walk } from '../support/read-pages';
import { oneSeed, rounds } from '../support/seeds';
import { BARE_HOSTS, fleets, fleetsWith, withBareHosts } from '../support/random-fleet';
import {
  exactScalars,
  exactValues,
  inOrder,
  matching,
  NAME_ORDERS,
  type Operator,
  type Resolved,
  whereConditions,
  whereQuery,
} from '../support/where-oracle';

/** A random inventory, its project's admin, and a user who does not see the variable `b`. */
interface Loaded {
  readonly fleet: Fleet;
  readonly resolved: ReturnType<typeof resolvedIn>;
  readonly ids: LoadedFleet;
  readonly admin: Caller;
  readonly reader: Caller;
}

/** All listed resources of a project with their resolved variables, by collection, in the order of their ids. */
const resolvedIn = (fleet: Fleet) => ({
  hosts: fleet.hosts.map((host): Resolved => [host.name, resolve(fleet, host)]),
  'network-devices': (fleet['network-devices'] ?? []).map((device): Resolved => [
    device.name,
    resolve(fleet, device),
  ]),
  cells: fleet.cells.map((cell): Resolved => [cell.name, resolveCell(fleet, cell)]),
  regions: fleet.regions.map((region): Resolved => [region.name, region.variables]),
});
type Collection = keyof ReturnType<typeof resolvedIn>;

/**
 * With values of any type, and with scalars alone, whose indexes find comparisons. The hosts without variables are before all
 * others, or between them, so that there are matches in the first scan of a list and beyond it.
 */
const randomFleets = (): Fleet[] => {
  const [first, second] = fc.sample(fleetsWith(exactValues), 2) as [Fleet, Fleet];
  const [third, fourth] = fc.sample(fleetsWith(exactScalars), 2) as [Fleet, Fleet];
  // What a region sets is not searched by its value.
  const scalarsOnly = [third, fourth].map((fleet): Fleet => ({
    ...fleet,
    regions: fleet.regions.map((region) => ({ ...region, variables: {} })),
  }));
  return [first, withBareHosts(second, 6), ...scalarsOnly.map((fleet, i) => withBareHosts(fleet, 3 * i))];
};

const names = (resources: readonly Resource[]) => resources.map((one) => one.name);

/** A small page, unless that would make many. */
const pageLimit = (limit: number, matches: number): number => (matches > 100 ? 250 : limit);

/** One condition, or several. */
const filters = fc.oneof(
  { weight: 3, arbitrary: whereConditions.map((one) => [one]) },
  { weight: 1, arbitrary: fc.array(whereConditions, { minLength: 2, maxLength: 3 }) },
);

/** The number of filters per inventory. Hosts have the most levels above them. */
const RUNS: Readonly<Record<Collection, number>> = {
  hosts: rounds(14, 44),
  'network-devices': rounds(4, 8),
  cells: rounds(4, 8),
  regions: rounds(4, 8),
};

/** The number of filtered lists that are read in pages, per inventory. */
const PAGED_RUNS = rounds(5, 8);

/** Other random filters for each inventory. */
const runs = (inventory: number, count: number) => ({ numRuns: count, seed: oneSeed() + inventory });

/** Orders of names. Only devices have the natural one. */
const ordersOf = (collection: Collection) => {
  const isOfDevices = collection === 'hosts' || collection === 'network-devices';
  const keys = Object.keys(NAME_ORDERS).filter((one) => isOfDevices || one !== 'name:natural');
  return fc.tuple(fc.constantFrom('id', ...keys), fc.constantFrom('asc', 'asc', 'desc'));
};
const sortKeys = [
  ...Object.keys(NAME_ORDERS),
  ...['device_type,active', 'cell_id', 'parent_id,region_id', 'ip_address'],
];

/** Root reads the devices of all projects. */
let app: OwnService;
beforeAll(async () => {
  app = await startService();
});
afterAll(() => app.stop());

const listed = async (caller: Caller, collection: string, query: string) =>
  (await caller.get(`/v1/${collection}?fields=id,name&${query}`).expect(200)).body as Resource[];

describe('conditions on variables, in random inventories', () => {
  let inventories: readonly Loaded[];
  beforeAll(async () => {
    const loaded: Loaded[] = [];
    for (const fleet of randomFleets()) {
      const admin = await app.project();
      const ids = await loadFleet(admin, fleet, exactLine);
      const reader = await admin.user();
      await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: ['b'] }).expect(200);
      loaded.push({ fleet, resolved: resolvedIn(fleet), ids, admin, reader });
    }
    inventories = loaded;
  }, 60_000);

  const listedInPages = (caller: Caller, collection: string, query: string, limit: number) =>
    namesInPages(caller, `/v1/${collection}?fields=id,name&limit=${String(limit)}&${query}`);

  it.each(Object.keys(RUNS) as Collection[])(
    'find exactly the %s whose resolved values meet them, in order',
    async (collection) => {
      const found = new Map<Operator, number>();
      let farCount = 0;
      for (const [i, { admin, resolved }] of inventories.entries())
        await fc.assert(
          fc.asyncProperty(
            filters,
            ordersOf(collection),
            fc.integer({ min: 4, max: 40 }),
            async (all, order, most) => {
              const [keys, direction] = order;
              const expected = inOrder(matching(resolved[collection], all), keys, direction);
              for (const { operator } of all)
                found.set(operator, (found.get(operator) ?? 0) + expected.length);
              const list = inOrder(matching(resolved[collection], []), keys, direction);
              if (list.indexOf(expected.at(-1) ?? '') >= BARE_HOSTS) farCount++;
              const query = `${whereQuery(all)}&sort_keys=${keys}&sort_dir=${direction}`;
              const limit = pageLimit(most, expected.length);
              expect(await listedInPages(admin, collection, query, limit)).toEqual(expected);
            },
          ),
          runs(i, RUNS[collection]),
        );
      if (collection !== 'hosts') return;
      // Guards against comparing only empty lists, or first scans. In a random run, an operator may match nothing.
      expect([...found.values()].filter((count) => count > 0).length).toBeGreaterThan(8);
      expect(farCount).toBeGreaterThan(rounds(4, 8));
    },
    120_000,
  );

  it('are as for a variable that nobody sets if the variable is private', async () => {
    for (const [i, { reader, resolved }] of inventories.entries()) {
      const visible = resolved.hosts.map(([name, variables]): Resolved => {
        const rest = Object.entries(variables).filter(([key]) => key !== 'b');
        return [name, Object.fromEntries(rest)];
      });
      await fc.assert(
        fc.asyncProperty(filters, async (all) => {
          const expected = matching(visible, all);
          const limit = pageLimit(10, expected.length);
          expect(await listedInPages(reader, 'hosts', whereQuery(all), limit)).toEqual(expected);
        }),
        runs(i, rounds(4, 8)),
      );
    }
  }, 60_000);

  it('combine with vars, a region and other filters', async () => {
    const oracle = await FilterOracle.on(app.databaseUrl);
    for (const [i, { admin, fleet, resolved, ids }] of inventories.entries())
      await fc.assert(
        fc.asyncProperty(
          filters,
          fc.option(conditions),
          fc.option(fc.constantFrom(...ids.regions.keys())),
          fc.option(fc.boolean()),
          async (all, vars, region, active) => {
            const query = [
              whereQuery(all),
              ...(vars === null ? [] : [`vars=${encodeURIComponent(written(vars))}`]),
              ...(region === null ? [] : [`region_id=${String(ids.regions.get(region))}`]),
              ...(active === null ? [] : [`active=${String(active)}`]),
            ];
            const isListed = fleet.hosts.map(
              (host) =>
                (region === null || host.region === region) && (active === null || host.active === active),
            );
            const hosts = resolved.hosts.filter((_, i) => isListed[i]);
            const met = new Set(matching(hosts, all));
            const plain = hosts
              .filter(([name]) => met.has(name))
              .map(([name, variables]) => [name, plainOf(variables)] as const);
            const expected = vars === null ? [...met].sort() : await oracle.matching(plain, [vars]);
            const found = await listedInPages(admin, 'hosts', query.join('&'), pageLimit(10, met.size));
            expect(found.sort()).toEqual(expected);
          },
        ),
        runs(i, rounds(5, 10)),
      );
    await oracle.close();
  }, 60_000);

  it('find resources in every project for root, each resolved by its own levels', async () => {
    const projects = new Map(inventories.map(({ admin, resolved }) => [admin.projectId, resolved]));
    await fc.assert(
      fc.asyncProperty(
        filters,
        fc.constantFrom('hosts' as const, 'cells' as const, 'regions' as const),
        async (all, collection) => {
          const query = `fields=name,project_id&limit=10000&${whereQuery(all)}`;
          const response = await app.root.get(`/v1/${collection}?${query}`).expect(200);
          for (const [project, resolved] of projects) {
            const found = (response.body as Resource[]).filter((host) => host.project_id === project);
            expect(names(found).sort()).toEqual(matching(resolved[collection], all).sort());
          }
        },
      ),
      { numRuns: rounds(8, 16) },
    );
  }, 60_000);

  it('count the same devices of all kinds', async () => {
    for (const [i, { admin, resolved }] of inventories.entries())
      await fc.assert(
        fc.asyncProperty(filters, async (all) => {
          const devices = [...resolved.hosts, ...resolved['network-devices']];
          const response = await admin.get(`/v1/devices/counts?${whereQuery(all)}`).expect(200);
          expect(response.body).toMatchObject({ devices: matching(devices, all).length });
        }),
        runs(i, rounds(4, 8)),
      );
  }, 60_000);

  it('return each match once, in order, page by page', async () => {
    let pageCount = 0;
    for (const [i, { admin }] of inventories.slice(0, 3).entries())
      await fc.assert(
        fc.asyncProperty(
          filters,
          fc.constantFrom(...sortKeys),
          fc.constantFrom('asc', 'desc'),
          fc.integer({ min: 2, max: 5 }),
          fc.boolean(),
          async (all, keys, direction, most, asRoot) => {
            const caller = asRoot ? app.root : admin;
            const order = `${whereQuery(all)}&sort_keys=${keys}&sort_dir=${direction}`;
            const whole = await listed(caller, 'hosts', `${order}&limit=10000`);
            const limit = pageLimit(most, whole.length);
            const paged: Resource[] = [];
            const path = `/v1/hosts?fields=id,name&${order}&limit=${String(limit)}`;
            for await (const page of everyPage(caller, path)) {
              paged.push(...page);
              pageCount++;
            }
            expect(paged).toEqual(whole);
          },
        ),
        runs(i, PAGED_RUNS),
      );
    // There were more pages than lists, so lists did span pages.
    expect(pageCount).toBeGreaterThan(3 * PAGED_RUNS);
  }, 60_000);
});

const varsFilters = fc.oneof(
  { weight: 2, arbitrary: conditions.map((one) => [one]) },
  { weight: 1, arbitrary: fc.array(conditions, { minLength: 2, maxLength: 3 }) },
);

/** The number of filters per inventory. Hosts have the most levels above them. */
const varsRuns = (collection: Collection): number => (collection === 'hosts' ? rounds(6, 10) : rounds(3, 8));

type VarsLoaded = Pick<Loaded, 'fleet' | 'admin' | 'resolved'>;

describe('the vars filter, in random inventories', () => {
  let oracle: FilterOracle;
  let inventories: readonly VarsLoaded[];

  beforeAll(async () => {
    oracle = await FilterOracle.on(app.databaseUrl);
    const loaded: VarsLoaded[] = [];
    for (const fleet of fc.sample(fleets, 4)) {
      const admin = await app.project();
      await loadFleet(admin, fleet);
      loaded.push({ fleet, admin, resolved: resolvedIn(fleet) });
    }
    inventories = loaded;
  }, 60_000);
  afterAll(() => oracle.close());

  const inOneParameter = (all: readonly Condition[]) =>
    `vars=${encodeURIComponent(all.map(written).join(','))}`;
  const inSeveral = (all: readonly Condition[]) =>
    all.map((one) => `vars=${encodeURIComponent(written(one))}`).join('&');

  it.each(Object.keys(RUNS) as Collection[])(
    'finds exactly the %s whose resolved values match',
    async (collection) => {
      let found = 0;
      for (const [i, { admin, resolved }] of inventories.entries())
        await fc.assert(
          fc.asyncProperty(varsFilters, fc.boolean(), async (all, several) => {
            const query = several ? inSeveral(all) : inOneParameter(all);
            const expected = await oracle.matching(resolved[collection], all);
            found += expected.length;
            expect(names(await listed(admin, collection, query)).sort()).toEqual(expected);
          }),
          runs(i, varsRuns(collection)),
        );
      // Guards against comparing only empty lists. Regions are so few that a random run may match none.
      if (collection === 'hosts') expect(found).toBeGreaterThan(0);
    },
    60_000,
  );

  it('combines with other filters', async () => {
    for (const [i, { admin, fleet }] of inventories.entries())
      await fc.assert(
        fc.asyncProperty(
          varsFilters,
          fc.boolean(),
          fc.constantFrom('server', 'switch'),
          fc.constantFrom(undefined, '10', 'role:x', '\u{1f600}'),
          async (all, active, type, label) => {
            const hosts = fleet.hosts.filter(
              (host) =>
                host.active === active &&
                host.device_type === type &&
                (label === undefined || host.labels.includes(label)),
            );
            const query = `active=${String(active)}&device_type=${type}${label === undefined ? '' : `&label=${encodeURIComponent(label)}`}`;
            const found = await listed(admin, 'hosts', `${query}&${inOneParameter(all)}`);
            expect(names(found).sort()).toEqual(
              await oracle.matching(
                hosts.map((host) => [host.name, resolve(fleet, host)]),
                all,
              ),
            );
          },
        ),
        runs(i, rounds(4, 8)),
      );
  }, 60_000);

  it('returns every project to root, each resolved by its own levels', async () => {
    const projects = new Map(inventories.map(({ admin, resolved }) => [admin.projectId, resolved]));
    await fc.assert(
      fc.asyncProperty(varsFilters, async (all) => {
        const response = await app.root
          .get(`/v1/hosts?fields=name,project_id&limit=10000&${inOneParameter(all)}`)
          .expect(200);
        for (const [project, resolved] of projects) {
          const found = (response.body as Resource[]).filter((host) => host.project_id === project);
          expect(names(found).sort()).toEqual(await oracle.matching(resolved.hosts, all));
        }
      }),
      { numRuns: rounds(5, 10) },
    );
  }, 60_000);

  const orders = [
    'id',
    'name',
    'device_type,active',
    'cell_id',
    'parent_id,region_id',
    'ip_address',
    'created_at',
  ];

  it('returns each match once, in order, page by page', async () => {
    let pageCount = 0;
    for (const { admin } of inventories.slice(0, 3))
      await fc.assert(
        fc.asyncProperty(
          fc.array(conditions, { minLength: 1, maxLength: 2 }),
          fc.constantFrom(...orders),
          fc.constantFrom('asc', 'desc'),
          fc.integer({ min: 2, max: 5 }),
          fc.boolean(),
          async (all, keys, direction, most, asRoot) => {
            const caller = asRoot ? app.root : admin;
            const order = `${inOneParameter(all)}&sort_keys=${keys}&sort_dir=${direction}`;
            const whole = await listed(caller, 'hosts', order);
            const limit = pageLimit(most, whole.length);
            const paged: Resource[] = [];
            const path = `/v1/hosts?fields=id,name&${order}&limit=${String(limit)}`;
            for await (const page of everyPage(caller, path)) {
              paged.push(...page);
              pageCount++;
            }
            expect(paged).toEqual(whole);
          },
        ),
        { numRuns: 8 },
      );
    // There were more pages than lists, so lists did span pages.
    expect(pageCount).toBeGreaterThan(3 * 8);
  }, 60_000);
});

/** Variables for the oracle of `vars`, which takes JavaScript's values: the numbers that it compares with are exact in them. */
const plainOf = (variables: VariablesOf): VariablesOf =>
  Object.fromEntries(
    Object.entries(variables).map(([key, value]) => [key, JSON.parse(jsonbText(value as Json)) as unknown]),
  );

it('the natural order of names merges the devices of every project', async () => {
  const tag = aName('tag');
  for (const i of [0, 1]) {
    const caller = await app.project();
    const { id: region_id } = await caller.region();
    for (const number of [1 + i, 10 + i, 100 + i])
      await caller.host({ name: `${tag}-${String(number)}`, region_id });
  }
  const path = `/v1/hosts?sort_keys=name:natural&name_contains=${tag.toUpperCase()}&limit=2`;
  const pages = await walk(app.root, await readPage(app.root, path), 'next');
  expect(pages.flatMap(({ items }) => items.map(({ name }) => name))).toEqual(
    [1, 2, 10, 11, 100, 101].map((number) => `${tag}-${String(number)}`),
  );
});
