import fc from '../support/property-testing';
import { startService, type OwnService } from '../support/service';
import type { Caller, Resource } from '../support/caller';
import { conditions, FilterOracle, written, type Condition, type Resolved } from '../support/filter-oracle';
import { loadFleet, type Fleet } from '../support/fleet';
import { resolve, resolveCell } from '../support/naive-resolver';
import { everyPage } from '../support/pages';
import { fleets } from '../support/random-fleet';

const filters = fc.oneof(
  { weight: 2, arbitrary: conditions.map((one) => [one]) },
  { weight: 1, arbitrary: fc.array(conditions, { minLength: 2, maxLength: 3 }) },
);

/** A random inventory, and its project's admin. */
interface Loaded {
  readonly fleet: Fleet;
  readonly admin: Caller;
}

/** All listed resources of a project with their resolved variables, by collection. */
const expectations: Readonly<Record<string, (fleet: Fleet) => readonly Resolved[]>> = {
  hosts: (fleet) => fleet.hosts.map((host) => [host.name, resolve(fleet, host)]),
  'network-devices': (fleet) =>
    (fleet['network-devices'] ?? []).map((device) => [device.name, resolve(fleet, device)]),
  cells: (fleet) => fleet.cells.map((cell) => [cell.name, resolveCell(fleet, cell)]),
  regions: (fleet) => fleet.regions.map((region) => [region.name, region.variables]),
};

/** The number of filters per inventory if it is not 8. Hosts have the most levels above them. */
const RUNS: Readonly<Record<string, number>> = { hosts: 20 };

describe('the vars filter, in random inventories', () => {
  let app: OwnService;
  beforeAll(async () => {
    // Root reads the devices of all projects.
    app = await startService();
  });
  let oracle: FilterOracle;
  let inventories: readonly Loaded[];

  beforeAll(async () => {
    oracle = await FilterOracle.on(app.databaseUrl);
    const loaded: Loaded[] = [];
    for (const fleet of fc.sample(fleets, 4)) {
      const admin = await app.project();
      await loadFleet(admin, fleet);
      loaded.push({ fleet, admin });
    }
    inventories = loaded;
  }, 60_000);
  afterAll(async () => {
    await oracle.close();
    await app.stop();
  });

  const listed = async (caller: Caller, collection: string, query: string) =>
    (await caller.get(`/v1/${collection}?fields=id,name&${query}`).expect(200)).body as Resource[];

  const names = (resources: readonly Resource[]) => resources.map((one) => one.name);

  const inOneParameter = (all: readonly Condition[]) =>
    `vars=${encodeURIComponent(all.map(written).join(','))}`;
  const inSeveral = (all: readonly Condition[]) =>
    all.map((one) => `vars=${encodeURIComponent(written(one))}`).join('&');

  it.each(Object.keys(expectations))(
    'finds exactly the %s whose resolved values match',
    async (collection) => {
      let found = 0;
      for (const { admin, fleet } of inventories)
        await fc.assert(
          fc.asyncProperty(filters, fc.boolean(), async (all, several) => {
            const query = several ? inSeveral(all) : inOneParameter(all);
            const expected = await oracle.matching(expectations[collection]!(fleet), all);
            found += expected.length;
            expect(names(await listed(admin, collection, query)).sort()).toEqual(expected);
          }),
          { numRuns: RUNS[collection] ?? 8 },
        );
      // Guards against comparing only empty lists. Regions are so few that a random run may match none.
      if (collection === 'hosts') expect(found).toBeGreaterThan(0);
    },
    60_000,
  );

  it('combines with other filters', async () => {
    for (const { admin, fleet } of inventories)
      await fc.assert(
        fc.asyncProperty(
          filters,
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
        { numRuns: 12 },
      );
  }, 60_000);

  it('returns every project to root, each resolved by its own levels', async () => {
    const projects = new Map(inventories.map(({ admin, fleet }) => [admin.projectId, fleet]));
    await fc.assert(
      fc.asyncProperty(filters, async (all) => {
        const response = await app.root
          .get(`/v1/hosts?fields=name,project_id&limit=10000&${inOneParameter(all)}`)
          .expect(200);
        for (const [project, fleet] of projects) {
          const found = (response.body as Resource[]).filter((host) => host.project_id === project);
          expect(names(found).sort()).toEqual(await oracle.matching(expectations['hosts']!(fleet), all));
        }
      }),
      { numRuns: 16 },
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
          async (all, keys, direction, limit, asRoot) => {
            const caller = asRoot ? app.root : admin;
            const order = `${inOneParameter(all)}&sort_keys=${keys}&sort_dir=${direction}`;
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
        { numRuns: 16 },
      );
    // There were more pages than lists, so lists did span pages.
    expect(pageCount).toBeGreaterThan(3 * 16);
  }, 60_000);
});
