import fc from '../support/property-testing';
import { sharedPeer, sharedService } from '../support/service';
import { aName, Caller, type Resource } from '../support/caller';
import { query } from '../support/database';
import { createFleet } from '../support/fleet';
import { canonical, resolve, resolveCell } from '../support/naive-resolver';
import { fleets } from '../support/random-fleet';
import { rounds } from '../support/seeds';

describe('resolved variables', () => {
  const app = sharedService();
  const variablesOf = async (caller: Caller, path: string) =>
    ((await caller.get(path).expect(200)).body as Resource).variables;

  /** A host in a region and a cell, with two labels. Each level may set variables. */
  async function hostBelow(levels: Partial<Record<'region' | 'cell' | 'a' | 'b' | 'host', object>>) {
    const admin = await app.project();
    const { id: region_id } = await admin.region({ variables: levels.region ?? {} });
    const { id: cell_id } = await admin.cell({ region_id, variables: levels.cell ?? {} });
    await admin.label({ label: 'a', variables: levels.a ?? {} });
    await admin.label({ label: 'b', variables: levels.b ?? {} });
    const host = await admin.host({ region_id, cell_id, labels: 'b,a', variables: levels.host ?? {} });
    return { admin, host, region_id, cell_id, path: `/v1/hosts/${String(host.id)}` };
  }

  it.each([
    ['the region', ['region'], 'region'],
    ['the cell over the region', ['region', 'cell'], 'cell'],
    ['a label over the cell', ['region', 'cell', 'a'], 'a'],
    ['the later label over the earlier', ['region', 'cell', 'a', 'b'], 'b'],
    ['the host over everything', ['region', 'cell', 'a', 'b', 'host'], 'host'],
    ['a label over the region', ['region', 'a'], 'a'],
    ['the host over the region', ['region', 'host'], 'host'],
    ['the cell alone', ['cell'], 'cell'],
    ['the later label alone', ['b'], 'b'],
    ['the host alone', ['host'], 'host'],
  ])('come from %s', async (_, levels, winner) => {
    const { host, admin, path } = await hostBelow(
      Object.fromEntries(levels.map((level) => [level, { k: level }])),
    );
    expect(host.variables).toEqual({ k: winner });
    expect(await variablesOf(admin, path)).toEqual({ k: winner });
    const listed = (await admin.get('/v1/hosts').expect(200)).body as Resource[];
    expect(listed.map((one) => one.variables)).toEqual([{ k: winner }]);
  });

  it('come from the levels of each project in a list of all projects', async () => {
    const name = aName('host');
    for (const mark of ['a', 'b']) {
      const project = await app.project();
      const region = await project.region({ variables: { from_region: mark } });
      // Only one of the projects has a label, so the levels of one kind are in one project and those of another in two.
      const labels = mark === 'a' ? (await project.label({ variables: { from_label: mark } })).label : '';
      await project.host({ name, region_id: region.id, labels });
    }
    const { body } = await app.root.get(`/v1/hosts?name=${name}`).expect(200);
    expect((body as Resource[]).map(({ variables }) => variables)).toEqual([
      { from_region: 'a', from_label: 'a' },
      { from_region: 'b' },
    ]);
  });

  it('combine all levels', async () => {
    const { host } = await hostBelow({
      region: { r: 1, k: 'region' },
      cell: { c: 2, k: 'cell' },
      a: { a: 3 },
      b: { b: 4 },
      host: { h: 5 },
    });
    expect(host.variables).toEqual({ r: 1, c: 2, a: 3, b: 4, h: 5, k: 'cell' });
  });

  it('are replaced as a whole, never merged', async () => {
    const { host } = await hostBelow({
      region: { object: { deep: { x: 1, y: 2 } }, array: [1, 2, 3] },
      host: { object: { deep: { x: 9 } }, array: [] },
    });
    expect(host.variables).toEqual({ object: { deep: { x: 9 } }, array: [] });
  });

  it('are hidden by null at a narrower level', async () => {
    const { host } = await hostBelow({ region: { k: 'region', l: 1 }, a: { k: null }, host: { l: null } });
    expect(host.variables).toEqual({ k: null, l: null });
  });

  it('apply labels in the order of code points', async () => {
    const admin = await app.project();
    const { id: region_id } = await admin.region();
    // UTF-16 order would swap the last two.
    const ordered = ['10', '9', 'B', 'a', 'role:x', 'role:x@eqiad', 'é', '\uff5e', '\u{1f600}'];
    for (const label of ordered.toReversed()) await admin.label({ label, variables: { k: label } });
    for (let i = 1; i <= ordered.length; i++) {
      const { variables, labels } = await admin.host({ region_id, labels: ordered.slice(0, i).toReversed() });
      expect(variables).toEqual({ k: ordered[i - 1] });
      expect(labels).toBe(ordered.slice(0, i).join(','));
    }
  });

  it('do not come from labels of the region or the cell', async () => {
    const admin = await app.project();
    await admin.label({ label: 'described', variables: { k: 'label' } });
    const region = await admin.region({ labels: 'described' });
    const cell = await admin.cell({ region_id: region.id, labels: 'described' });
    const host = await admin.host({ region_id: region.id, cell_id: cell.id });
    expect([region, cell, host].map((one) => one.variables)).toEqual([{}, {}, {}]);
  });

  it('do not come from a parent device', async () => {
    const admin = await app.project();
    const { id: region_id } = await admin.region();
    const parent = await admin.networkDevice({ region_id, variables: { k: 1 }, labels: 'rack' });
    const child = await admin.host({ region_id, parent_id: parent.id });
    expect(child.variables).toEqual({});
  });

  it('change when a device moves to another region, or a cell with its devices', async () => {
    const { admin, path, cell_id } = await hostBelow({ region: { r: 'old' }, cell: { c: 1 } });
    const elsewhere = await admin.region({ variables: { r: 'new', s: true } });
    await admin.put(`/v1/regions/${String(elsewhere.id)}`, { cells: [cell_id] }).expect(200);
    expect(await variablesOf(admin, path)).toEqual({ r: 'new', s: true, c: 1 });
    const last = await admin.region({ variables: { r: 'last' } });
    await admin.put(path, { region_id: last.id, cell_id: null }).expect(200);
    expect(await variablesOf(admin, path)).toEqual({ r: 'last' });
  });

  it('reflect a change at any level immediately', async () => {
    const { admin, path, region_id, cell_id } = await hostBelow({ region: { k: 1 } });
    await admin.put(`/v1/regions/${String(region_id)}/variables`, { k: 2 }).expect(200);
    expect(await variablesOf(admin, path)).toEqual({ k: 2 });
    await admin.put(`/v1/cells/${String(cell_id)}/variables`, { k: 3 }).expect(200);
    expect(await variablesOf(admin, path)).toEqual({ k: 3 });
    await admin.delete(`/v1/cells/${String(cell_id)}/variables`, ['k']).expect(204);
    expect(await variablesOf(admin, path)).toEqual({ k: 2 });
  });

  it('in the response to a write reflect a change at any level immediately', async () => {
    const { admin, path, region_id, host } = await hostBelow({ region: { k: 1 }, a: { l: 1 } });
    const touch = async () => ((await admin.put(path, { note: 'n' }).expect(200)).body as Resource).variables;
    expect(await touch()).toEqual({ k: 1, l: 1 });
    // Another process, so the cache of this one does not know it.
    const elsewhere = new Caller(sharedPeer().url, admin.credentials);
    await elsewhere.put(`/v1/regions/${String(region_id)}/variables`, { k: 2 }).expect(200);
    expect(await touch()).toEqual({ k: 2, l: 1 });
    await admin.put(`/v1/regions/${String(region_id)}`, { name: 'other', variables: { k: 3 } }).expect(200);
    expect(await touch()).toEqual({ k: 3, l: 1 });
    const { body } = await admin.put(path, { labels: 'new' }).expect(200);
    expect((body as Resource).variables).toEqual({ k: 3 });
    expect((await admin.host({ region_id, labels: 'a,newer' })).variables).toEqual({ k: 3, l: 1 });
    expect(await variablesOf(admin, `/v1/hosts/${String(host.id)}`)).toEqual({ k: 3 });
  });

  it('come from the current level after a database restore reuses its id', async () => {
    const { admin, path, region_id } = await hostBelow({ region: { k: 1 }, a: { l: 1 } });
    expect(await variablesOf(admin, path)).toEqual({ k: 1, l: 1 });
    // Simulates a restored database in which new resources received the same ids.
    await query(app, `UPDATE regions SET variables = '{"k": 2}', created_at = now() WHERE id = $1`, [
      region_id,
    ]);
    await query(
      app,
      `UPDATE labels SET variables = '{"l": 2}', created_at = now() WHERE project_id = $1 AND label = 'a'`,
      [admin.projectId],
    );
    expect(await variablesOf(admin, path)).toEqual({ k: 2, l: 2 });
    const [listed] = (await admin.get('/v1/hosts?limit=1000').expect(200)).body as Resource[];
    expect(listed?.variables).toEqual({ k: 2, l: 2 });
  });

  it('of a cell include those of its region, and of a region only its own', async () => {
    const admin = await app.project();
    const region = await admin.region({ variables: { k: 1, r: 1 } });
    const cell = await admin.cell({ region_id: region.id, variables: { k: 2, c: 2 } });
    expect(cell.variables).toEqual({ k: 2, r: 1, c: 2 });
    expect(await variablesOf(admin, `/v1/regions/${String(region.id)}`)).toEqual({ k: 1, r: 1 });
  });

  it('match a naive resolver in random inventories', async () => {
    await fc.assert(
      fc.asyncProperty(fleets, async (fleet) => {
        const admin = await app.project();
        const { cells } = await createFleet(admin, fleet);
        for (const kind of ['hosts', 'network-devices'] as const) {
          const listed = (await admin.get(`/v1/${kind}`).expect(200)).body as Resource[];
          const expected = (fleet[kind] ?? []).map((one) => [one.name, canonical(resolve(fleet, one))]);
          expect(byName(listed)).toEqual(new Map(expected as [string, string][]));
          const [first] = listed;
          if (first)
            expect(canonical(await variablesOf(admin, `/v1/${kind}/${String(first.id)}`))).toBe(
              byName(listed).get(first.name),
            );
        }
        for (const cell of fleet.cells) {
          const id = cells.get(`${cell.region}/${cell.name}`);
          expect(canonical(await variablesOf(admin, `/v1/cells/${String(id)}`))).toBe(
            canonical(resolveCell(fleet, cell)),
          );
        }
      }),
      { numRuns: rounds(2, 3), endOnFailure: true },
    );
  }, 60_000);
});

const byName = (resources: readonly Resource[]) =>
  new Map(resources.map((one) => [one.name, canonical(one.variables)]));
