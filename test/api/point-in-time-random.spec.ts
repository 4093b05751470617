import { oneSeed, rounds } from '../support/seeds';
import { sharedService } from '../support/service';
import { aName, type Caller, type Resource } from '../support/caller';
import { canonical } from '../support/naive-resolver';
import { Dice, KEYS, LABELS, RandomChanges, type Here, type Step } from '../support/random-changes';

/** The visible state of one resource. */
interface VisibleState {
  readonly shown: Resource;
  /** The resource with its own variables. */
  readonly own: Resource;
  readonly explained: unknown;
}

/** The visible state of all resources at one time, by path. */
type Snapshot = ReadonlyMap<string, VisibleState>;

/** The state after a change, and times after that change. */
interface PointInTime {
  readonly step: Step;
  readonly sights: Snapshot;
  /** The Ansible inventory, with resolved variables, with those of each level, and with filters. */
  readonly inventories: readonly unknown[];
  readonly filters: string;
  readonly times: readonly string[];
}

const COLLECTIONS = ['clouds', 'users', 'labels', 'regions', 'cells', 'hosts', 'network-devices'];
const EXPLAINED = ['cells', 'hosts', 'network-devices'];
/** Conditions on variables. They compare with what the same conditions have selected when that state was the present one. */
const FILTERS = [
  ...['a exists', 'b missing', 'a = 1', 'b != 1', 'c in ["one", 1.5]', 'a ^= "o"', 'b ~= "NE"', 'c > 1'],
  ...['a[*] = 2', 'b.p.q = null', 'c <= "one"', '"x-y" exists', '__proto__ exists'],
]
  .map((condition) => `where=${encodeURIComponent(condition)}`)
  .concat(['vars=a:1', 'vars=b[1]:2', 'vars=c.p.*:null', 'vars=a:%22%22', 'vars=a:%22%5Cu0000%22']);
// The number of comparisons grows with the square of the number of changes.
const CHANGES = rounds(13, 22);

/** A time of the client's clock that is later than every response so far. */
async function clock(): Promise<string> {
  const now = Date.now();
  while (Date.now() === now) await new Promise(setImmediate);
  return new Date(now + 1).toISOString();
}

describe('a point in time', () => {
  const app = sharedService();
  const listed = async (caller: Caller, path: string): Promise<Resource[]> =>
    (await caller.get(path).expect(200)).body as Resource[];

  async function readStates(caller: Caller): Promise<Snapshot> {
    const states = new Map<string, VisibleState>();
    for (const collection of COLLECTIONS) {
      const path = `/v1/${collection}`;
      // Other resources inherit nothing.
      const inherits = EXPLAINED.includes(collection);
      const [shown, own] = await Promise.all([
        listed(caller, inherits ? `${path}?explain=${KEYS.join(',')}` : path),
        inherits ? listed(caller, `${path}?resolved-values=false`) : undefined,
      ]);
      for (const [i, { explain: explained, ...resource }] of shown.entries())
        states.set(`${path}/${String(resource.id)}`, {
          shown: resource,
          own: own?.[i] ?? resource,
          explained,
        });
    }
    return states;
  }

  const INVENTORIES = ['', '&resolved-values=false'].map(
    (more) => `/v1/ansible-inventory?inactive=true&kind=host&kind=network-device${more}`,
  );
  const readInventories = (caller: Caller, more: string, paths: readonly string[]): Promise<unknown[]> =>
    Promise.all(paths.map(async (path) => (await caller.get(path + more).expect(200)).body as unknown));

  /** Filters that some of the devices meet. */
  const someFilters = (dice: Dice): string =>
    [
      dice.oneOf(FILTERS),
      ...(dice.below(3) > 0 ? [] : [dice.oneOf(FILTERS)]),
      ...(dice.below(4) > 0 ? [] : [`label=${encodeURIComponent(dice.oneOf(LABELS))}`]),
      ...(dice.below(4) > 0 ? [] : ['device_type=server&device_type=other']),
    ].join('&');

  const inventoryOf = (states: Snapshot, caller: Caller): Here => {
    const inventory = new Map<string, Resource[]>(COLLECTIONS.map((collection) => [collection, []]));
    for (const [path, { shown }] of states)
      // The user who makes the changes is not changed.
      if (shown['username'] !== caller.credentials.user) inventory.get(path.split('/')[2] ?? '')?.push(shown);
    return inventory;
  };

  /** Makes random changes, and reads all resources after each of them. */
  async function history(caller: Caller, dice: Dice, filterDice: Dice): Promise<PointInTime[]> {
    const changes = new RandomChanges(dice);
    const points: PointInTime[] = [];
    const made: number[] = [];
    let states = await readStates(caller);
    while (points.length < CHANGES) {
      const step = changes.next(inventoryOf(states, caller), made);
      const request = aName('request');
      const response = await caller.send(step.method, step.path, step.body, { 'X-Request-Id': request });
      if (response.status >= 400) {
        expect([405, 409]).toContain(response.status);
        continue;
      }
      const after = await clock();
      states = await readStates(caller);
      const [record] = await listed(caller, `/v1/changes?request_id=${request}`);
      const { updated_at = null, created_at = null } = response.body as Record<string, string | null>;
      const shown = updated_at ?? created_at;
      // A change that alters nothing has no record, and the time that it shows is an earlier one.
      if (record) made.push(record.id);
      const recorded = record ? [String(record['created_at'])] : [];
      const times = [...recorded, after, ...(shown === null || !record ? [] : [`${shown}Z`])];
      const filters = someFilters(filterDice);
      const inventories = await readInventories(caller, '', [...INVENTORIES, `${INVENTORIES[0]}&${filters}`]);
      points.push({ step, sights: states, inventories, filters, times });
    }
    return points;
  }

  it('shows every resource as it was, after each of many changes', async () => {
    const seed = oneSeed();
    const dice = new Dice(seed);
    const caller = await app.project();
    // Random changes alone create a device only after dozens of them.
    const region = await caller.region({ name: 'n6', variables: { a: 1, c: 'one' } });
    const cell = await caller.cell({
      name: 'n5',
      region_id: region.id,
      variables: { b: { p: { q: null } } },
    });
    const place = { region_id: region.id, device_type: 'server' };
    await caller.host({ ...place, name: 'n1', cell_id: cell.id, labels: ['10', 'A'] });
    await caller.host({ ...place, name: 'n2', labels: ['9', 'A'], variables: { a: [1, 2] } });
    await caller.host({ ...place, name: 'n3', variables: { a: 'one', 'x-y': 2 } });
    const points = await history(caller, dice, new Dice(seed));
    const paths = [...new Set(points.flatMap(({ sights: states }) => [...states.keys()]))];
    let compared = 0;
    let [filtered, omitted] = [0, 0];
    for (const [i, { step, sights: states, inventories, filters, times }] of points.entries()) {
      const inventoryTime = times[i % times.length] ?? '';
      const past = await readInventories(caller, `&at=${inventoryTime}`, [
        ...INVENTORIES,
        `${INVENTORIES[0]}&${filters}`,
      ]);
      expect(canonical([seed, i, step, filters, past])).toBe(
        canonical([seed, i, step, filters, inventories]),
      );
      const [all = 0, , some = 0] = past.map(
        (one) => Object.keys((one as { _meta: { hostvars?: object } })._meta.hostvars ?? {}).length,
      );
      filtered += some;
      omitted += all - some;
      const { hostvars } = (inventories[0] as { _meta: { hostvars: Readonly<Record<string, unknown>> } })
        ._meta;
      const [name = 'none'] = Object.keys(hostvars).slice(i % Math.max(1, Object.keys(hostvars).length));
      const [ofHost] = await readInventories(
        caller,
        `&host=${name}&at=${inventoryTime}`,
        INVENTORIES.slice(0, 1),
      );
      expect(canonical([seed, i, step, name, ofHost])).toBe(
        canonical([seed, i, step, name, hostvars[name] ?? {}]),
      );
      const comparisons = paths.map(async (path, j) => {
        const at = `at=${times[(i + j) % times.length] ?? ''}`;
        const state = states.get(path);
        // Compares half of the existing resources, and few of the many that did not exist.
        if (dice.below(state ? 2 : 8) > 0) return;
        const expectSame = async (url: string, expected: unknown) => {
          const { status, body, headers } = await caller.get(url);
          compared++;
          const context = { seed, change: i, step, url };
          const got = status === 200 ? canonical(body) : status;
          expect({ ...context, got }).toEqual({ ...context, got: state ? canonical(expected) : 404 });
          expect(headers['etag']).toBeUndefined();
        };
        await expectSame(`${path}?${at}`, state?.shown);
        if (dice.below(3) > 0 || path.startsWith('/v1/clouds')) return;
        const variables = (own: Resource | undefined) => ({ variables: own?.variables });
        if (path.startsWith('/v1/users')) return;
        await expectSame(`${path}?${at}&resolved-values=false`, state?.own);
        await expectSame(`${path}/variables?${at}`, variables(state?.own));
        await expectSame(`${path}/variables?resolved-values=true&${at}`, variables(state?.shown));
        if (EXPLAINED.some((collection) => path.startsWith(`/v1/${collection}/`)))
          await expectSame(`${path}/variables/explain?${at}`, { variables: state?.explained });
      });
      await Promise.all(comparisons);
    }
    expect(compared).toBeGreaterThan(CHANGES * 3);
    expect(Math.min(filtered, omitted)).toBeGreaterThan(CHANGES / 4);
  }, 240_000);
});
