import fc from '../support/property-testing';
import { startService, type OwnService } from '../support/service';
import type { Caller, Resource } from '../support/caller';
import { conditions, FilterOracle, written } from '../support/filter-oracle';
import { loadFleet, type Fleet, type LoadedFleet, type VariablesOf } from '../support/fleet';
import { jsonbText, type Json } from '../support/jsonb-text';
import { resolve, resolveCell } from '../support/naive-resolver';
import { everyPage } from '../support/pages';
import { fleetsWith } from '../support/random-fleet';
import {
  exactValues,
  meets,
  type Operator,
  whereConditions,
  whereQuery,
  type WhereCondition,
} from '../support/where-oracle';

/** A random inventory, its project's admin, and a user who does not see the variable `b`. */
interface Loaded {
  readonly fleet: Fleet;
  readonly ids: LoadedFleet;
  readonly admin: Caller;
  readonly reader: Caller;
}

/** A line of an import with exact numbers. */
const exactLine = (line: object): string =>
  jsonbText(
    new Map(
      Object.entries(line).map(([name, value]: [string, unknown]): [string, Json] => [
        name,
        name === 'variables' ? new Map(Object.entries(value as Record<string, Json>)) : (value as Json),
      ]),
    ),
  );

type Resolved = readonly [string, VariablesOf];

/** All listed resources of a project with their resolved variables, by collection. */
const expectations: Readonly<Record<string, (fleet: Fleet) => readonly Resolved[]>> = {
  hosts: (fleet) => fleet.hosts.map((host) => [host.name, resolve(fleet, host)]),
  'network-devices': (fleet) =>
    (fleet['network-devices'] ?? []).map((device) => [device.name, resolve(fleet, device)]),
  cells: (fleet) => fleet.cells.map((cell) => [cell.name, resolveCell(fleet, cell)]),
  regions: (fleet) => fleet.regions.map((region) => [region.name, region.variables]),
};

const matching = (resources: readonly Resolved[], all: readonly WhereCondition[]): string[] =>
  resources
    .filter(([, variables]) => all.every((condition) => meets(variables, condition)))
    .map(([name]) => name)
    .sort();

const names = (resources: readonly Resource[]) => resources.map((one) => one.name);

/** One condition, or several. */
const filters = fc.oneof(
  { weight: 3, arbitrary: whereConditions.map((one) => [one]) },
  { weight: 1, arbitrary: fc.array(whereConditions, { minLength: 2, maxLength: 3 }) },
);

/** The number of filters per inventory. Hosts have the most levels above them. */
const RUNS: Readonly<Record<string, number>> = { hosts: 80, 'network-devices': 15, cells: 25, regions: 25 };

describe('conditions on variables, in random inventories', () => {
  let app: OwnService;
  let inventories: readonly Loaded[];
  beforeAll(async () => {
    app = await startService();
    const loaded: Loaded[] = [];
    for (const fleet of fc.sample(fleetsWith(exactValues), 4)) {
      const admin = await app.project();
      const ids = await loadFleet(admin, fleet, exactLine);
      const reader = await admin.user();
      await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: ['b'] }).expect(200);
      loaded.push({ fleet, ids, admin, reader });
    }
    inventories = loaded;
  }, 60_000);
  afterAll(() => app.stop());

  const listed = async (caller: Caller, collection: string, query: string) =>
    (await caller.get(`/v1/${collection}?fields=id,name&${query}`).expect(200)).body as Resource[];

  it.each(Object.keys(expectations))(
    'find exactly the %s whose resolved values meet them',
    async (collection) => {
      const found = new Map<Operator, number>();
      for (const { admin, fleet } of inventories)
        await fc.assert(
          fc.asyncProperty(filters, async (all) => {
            const expected = matching(expectations[collection]!(fleet), all);
            for (const { operator } of all) found.set(operator, (found.get(operator) ?? 0) + expected.length);
            expect(names(await listed(admin, collection, whereQuery(all))).sort()).toEqual(expected);
          }),
          { numRuns: RUNS[collection]! },
        );
      // Guards against comparing only empty lists. In a random run, an operator may match nothing.
      if (collection === 'hosts')
        expect([...found.values()].filter((count) => count > 0).length).toBeGreaterThan(8);
    },
    120_000,
  );

  it('are as for a variable that nobody sets if the variable is private', async () => {
    for (const { reader, fleet } of inventories)
      await fc.assert(
        fc.asyncProperty(filters, async (all) => {
          const visible = expectations['hosts']!(fleet).map(([name, variables]): Resolved => {
            const rest = Object.entries(variables).filter(([key]) => key !== 'b');
            return [name, Object.fromEntries(rest)];
          });
          expect(names(await listed(reader, 'hosts', whereQuery(all))).sort()).toEqual(
            matching(visible, all),
          );
        }),
        { numRuns: 25 },
      );
  }, 60_000);

  it('combine with vars, a region and other filters', async () => {
    const oracle = await FilterOracle.on(app.databaseUrl);
    for (const { admin, fleet, ids } of inventories)
      await fc.assert(
        fc.asyncProperty(
          filters,
          fc.option(conditions),
          fc.option(fc.constantFrom(...ids.regions.keys())),
          fc.option(fc.boolean()),
          async (all, vars, region, active) => {
            const hosts = fleet.hosts.filter(
              (host) =>
                (region === null || host.region === region) && (active === null || host.active === active),
            );
            const query = [
              whereQuery(all),
              ...(vars === null ? [] : [`vars=${encodeURIComponent(written(vars))}`]),
              ...(region === null ? [] : [`region_id=${String(ids.regions.get(region))}`]),
              ...(active === null ? [] : [`active=${String(active)}`]),
            ];
            const names = matching(
              hosts.map((host) => [host.name, resolve(fleet, host)]),
              all,
            );
            const plain = hosts
              .filter(({ name }) => names.includes(name))
              .map((host) => [host.name, plainOf(resolve(fleet, host))] as const);
            const expected = vars === null ? names : await oracle.matching(plain, [vars]);
            const found = await listed(admin, 'hosts', query.join('&'));
            expect(found.map(({ name }) => name).sort()).toEqual(expected);
          },
        ),
        { numRuns: 25 },
      );
    await oracle.close();
  }, 60_000);

  it('find resources in every project for root, each resolved by its own levels', async () => {
    const projects = new Map(inventories.map(({ admin, fleet }) => [admin.projectId, fleet]));
    await fc.assert(
      fc.asyncProperty(filters, fc.constantFrom('hosts', 'cells', 'regions'), async (all, collection) => {
        const query = `fields=name,project_id&limit=10000&${whereQuery(all)}`;
        const response = await app.root.get(`/v1/${collection}?${query}`).expect(200);
        for (const [project, fleet] of projects) {
          const found = (response.body as Resource[]).filter((host) => host.project_id === project);
          expect(names(found).sort()).toEqual(matching(expectations[collection]!(fleet), all));
        }
      }),
      { numRuns: 40 },
    );
  }, 60_000);

  it('count the same devices of all kinds', async () => {
    for (const { admin, fleet } of inventories)
      await fc.assert(
        fc.asyncProperty(filters, async (all) => {
          const devices = ['hosts', 'network-devices'].flatMap((kind) => expectations[kind]!(fleet));
          const response = await admin.get(`/v1/devices/counts?${whereQuery(all)}`).expect(200);
          expect(response.body).toMatchObject({ devices: matching(devices, all).length });
        }),
        { numRuns: 15 },
      );
  }, 60_000);

  const orders = ['id', 'name', 'device_type,active', 'cell_id', 'parent_id,region_id', 'ip_address'];

  it('return each match once, in order, page by page', async () => {
    let pageCount = 0;
    for (const { admin } of inventories.slice(0, 3))
      await fc.assert(
        fc.asyncProperty(
          filters,
          fc.constantFrom(...orders),
          fc.constantFrom('asc', 'desc'),
          fc.integer({ min: 2, max: 5 }),
          fc.boolean(),
          async (all, keys, direction, limit, asRoot) => {
            const caller = asRoot ? app.root : admin;
            const order = `${whereQuery(all)}&sort_keys=${keys}&sort_dir=${direction}`;
            const whole = await listed(caller, 'hosts', order);
            const paged: Resource[] = [];
            const path = `/v1/hosts?fields=id,name&${order}&limit=${String(limit)}`;
            for await (const page of everyPage(caller, path)) {
              paged.push(...page);
              pageCount++;
            }
            expect(paged).toEqual(whole);
          },
        ),
        { numRuns: 20 },
      );
    // There were more pages than lists, so lists did span pages.
    expect(pageCount).toBeGreaterThan(3 * 20);
  }, 60_000);
});

/** Variables for the oracle of `vars`, which takes JavaScript's values: the numbers that it compares with are exact in them. */
const plainOf = (variables: VariablesOf): VariablesOf =>
  Object.fromEntries(
    Object.entries(variables).map(([key, value]) => [key, JSON.parse(jsonbText(value as Json)) as unknown]),
  );
