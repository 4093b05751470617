import fc from '../support/property-testing';
import { startService, type OwnService } from '../support/service';
import type { Caller, Resource } from '../support/caller';
import { conditions, FilterOracle, written } from '../support/filter-oracle';
import { exactLine, loadFleet, type Fleet, type LoadedFleet, type VariablesOf } from '../support/fleet';
import { jsonbText, type Json } from '../support/jsonb-text';
import { resolve, resolveCell } from '../support/naive-resolver';
import { everyPage, namesInPages } from '../support/pages';
import { BARE_HOSTS, fleetsWith, withBareHosts } from '../support/random-fleet';
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
  hosts: 80,
  'network-devices': 15,
  cells: 25,
  regions: 25,
};

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

describe('conditions on variables, in random inventories', () => {
  let app: OwnService;
  let inventories: readonly Loaded[];
  beforeAll(async () => {
    app = await startService();
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
  afterAll(() => app.stop());

  const listed = async (caller: Caller, collection: string, query: string) =>
    (await caller.get(`/v1/${collection}?fields=id,name&${query}`).expect(200)).body as Resource[];

  const listedInPages = (caller: Caller, collection: string, query: string, limit: number) =>
    namesInPages(caller, `/v1/${collection}?fields=id,name&limit=${String(limit)}&${query}`);

  it.each(Object.keys(RUNS) as Collection[])(
    'find exactly the %s whose resolved values meet them, in order',
    async (collection) => {
      const found = new Map<Operator, number>();
      let farCount = 0;
      for (const { admin, resolved } of inventories)
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
          { numRuns: RUNS[collection] },
        );
      if (collection !== 'hosts') return;
      // Guards against comparing only empty lists, or first scans. In a random run, an operator may match nothing.
      expect([...found.values()].filter((count) => count > 0).length).toBeGreaterThan(8);
      expect(farCount).toBeGreaterThan(8);
    },
    120_000,
  );

  it('are as for a variable that nobody sets if the variable is private', async () => {
    for (const { reader, resolved } of inventories) {
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
        { numRuns: 15 },
      );
    }
  }, 60_000);

  it('combine with vars, a region and other filters', async () => {
    const oracle = await FilterOracle.on(app.databaseUrl);
    for (const { admin, fleet, resolved, ids } of inventories)
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
        { numRuns: 25 },
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
      { numRuns: 40 },
    );
  }, 60_000);

  it('count the same devices of all kinds', async () => {
    for (const { admin, resolved } of inventories)
      await fc.assert(
        fc.asyncProperty(filters, async (all) => {
          const devices = [...resolved.hosts, ...resolved['network-devices']];
          const response = await admin.get(`/v1/devices/counts?${whereQuery(all)}`).expect(200);
          expect(response.body).toMatchObject({ devices: matching(devices, all).length });
        }),
        { numRuns: 15 },
      );
  }, 60_000);

  it('return each match once, in order, page by page', async () => {
    let pageCount = 0;
    for (const { admin } of inventories.slice(0, 3))
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
        { numRuns: 15 },
      );
    // There were more pages than lists, so lists did span pages.
    expect(pageCount).toBeGreaterThan(3 * 15);
  }, 60_000);
});

/** Variables for the oracle of `vars`, which takes JavaScript's values: the numbers that it compares with are exact in them. */
const plainOf = (variables: VariablesOf): VariablesOf =>
  Object.fromEntries(
    Object.entries(variables).map(([key, value]) => [key, JSON.parse(jsonbText(value as Json)) as unknown]),
  );
