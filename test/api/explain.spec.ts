import fc from '../support/property-testing';
import { sharedService } from '../support/service';
import type { Caller, Resource } from '../support/caller';
import { createFleet, type Fleet, type FleetDevice, type VariablesOf } from '../support/fleet';
import { canonical, levelsOf, type NaiveLevel } from '../support/naive-resolver';
import { fleets } from '../support/random-fleet';
import { rounds } from '../support/seeds';

/** A level in an explanation. */
interface Level {
  readonly kind: string;
  readonly id: number;
  readonly name: string;
  readonly value: unknown;
  readonly set_by: string;
  readonly set_at: string;
  readonly reason: string | null;
  readonly change_id: number;
  readonly shadowed: boolean;
}

interface Explanation {
  readonly value: unknown;
  readonly source: Level;
  readonly levels: readonly Level[];
}

type Explanations = Readonly<Record<string, Explanation>>;

/** The entries of an object, whose keys may include `__proto__`. */
const entriesOf = <T>(object: Readonly<Record<string, T>>): [string, T][] =>
  Object.keys(object).map((key) => [key, object[key] as T]);

/** The explanation by a naive model, without ids and provenance, as canonical JSON. */
function canonicalOfModel(levels: readonly NaiveLevel[]): string {
  const keys = new Set(levels.flatMap(({ variables }) => Object.keys(variables)));
  return canonical(
    [...keys].sort().map((key) => {
      const setting = levels
        .filter(({ variables }) => Object.hasOwn(variables, key))
        .map(({ kind, name, variables }) => ({ kind, name, value: variables[key] }));
      const levelsOfKey = setting.map((level, i) => ({ ...level, shadowed: i < setting.length - 1 }));
      return { key, value: levelsOfKey.at(-1)?.value, source: levelsOfKey.at(-1), levels: levelsOfKey };
    }),
  );
}

const withoutProvenance = ({ kind, name, value, shadowed }: Level) => ({ kind, name, value, shadowed });

/** The same for a response. */
const canonicalOfResponse = (explanations: Explanations): string =>
  canonical(
    entriesOf(explanations)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, { value, source, levels }]) => ({
        key,
        value,
        source: withoutProvenance(source),
        levels: levels.map(withoutProvenance),
      })),
  );

describe('explanations', () => {
  const app = sharedService();
  const explain = async (caller: Caller, path: string): Promise<Explanations> =>
    ((await caller.get(path).expect(200)).body as { variables: Explanations }).variables;

  /** A host with a region, a cell and two labels, each of which sets `k` by the operator with a reason. */
  async function hostBelowAll() {
    const admin = await app.project();
    const operator = await admin.user({ roles: ['k', 'only_*'] });
    const { id: region_id } = await admin.region({ name: 'north' });
    const { id: cell_id } = await admin.cell({ name: 'rack-1', region_id });
    const [b, a] = [await admin.label({ label: 'b' }), await admin.label({ label: 'a' })];
    const host = await admin.host({ name: 'node', region_id, cell_id, labels: 'b,a' });
    const owners = [
      ['region', 'regions', region_id, 'north'],
      ['cell', 'cells', cell_id, 'rack-1'],
      ['label', 'labels', a.id, 'a'],
      ['label', 'labels', b.id, 'b'],
      ['host', 'hosts', host.id, 'node'],
    ] as const;
    for (const [kind, collection, id, name] of owners)
      await operator
        .put(
          `/v1/${collection}/${String(id)}/variables`,
          { k: `of ${name}`, [`only_${kind}`]: name },
          kind === 'cell' ? {} : { 'X-Change-Reason': `because of ${name}` },
        )
        .expect(200);
    return { admin, operator, host, owners, path: `/v1/hosts/${String(host.id)}/variables/explain` };
  }

  it('contain every level that sets a key, broadest first, with author, time, reason and change', async () => {
    const { admin, operator, owners, path } = await hostBelowAll();
    const { k, ...others } = await explain(admin, path);
    expect(k?.levels.map(({ kind, id, name }) => [kind, id, name])).toEqual(
      owners.map(([kind, , id, name]) => [kind, id, name]),
    );
    for (const [i, level] of (k?.levels ?? []).entries()) {
      expect(level).toEqual({
        kind: level.kind,
        id: level.id,
        name: level.name,
        value: `of ${level.name}`,
        set_by: operator.credentials.user,
        set_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/) as string,
        reason: level.kind === 'cell' ? null : `because of ${level.name}`,
        change_id: expect.any(Number) as number,
        shadowed: i < 4,
      });
      const { body } = await admin.get(`/v1/changes/${String(level.change_id)}`).expect(200);
      expect(body).toMatchObject({
        created_at: level.set_at,
        reason: level.reason,
        actor: { username: level.set_by },
        objects: [{ kind: level.kind, id: level.id, variables: { k: { after: level.value } } }],
      });
    }
    expect(k).toEqual({ value: 'of node', source: k?.levels.at(-1), levels: k?.levels });
    // Both labels set their own key, and the later label overrides the earlier one.
    expect(Object.keys(others).sort()).toEqual(['only_cell', 'only_host', 'only_label', 'only_region']);
    expect(others['only_region']?.levels).toHaveLength(1);
    expect(others['only_label']?.levels.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(others['only_region']?.source.shadowed).toBe(false);
  });

  it('contain only the requested keys, in the requested order', async () => {
    const { admin, path } = await hostBelowAll();
    const all = await explain(admin, path);
    expect(await explain(admin, `${path}?key=k`)).toEqual({ k: all['k'] });
    const two = await explain(admin, `${path}?key=only_host&key=k&key=unknown&key=k`);
    expect(Object.keys(two)).toEqual(['only_host', 'k']);
    expect(await explain(admin, `${path}?key=unknown`)).toEqual({});
    for (const key of ['', 'a,,b', '1a', 'a%20b', 'k*', 'a'.repeat(256)])
      expect((await admin.get(`${path}?key=k&key=${key}`).expect(400)).body).toMatchObject({
        details: [{ field: 'key' }],
      });
    for (const query of ['keys=k', 'resolved-values=true', 'limit=1'])
      await admin.get(`${path}?${query}`).expect(400);
  });

  it('follow every change of the value, the level and the hierarchy', async () => {
    const { admin, host, path, owners } = await hostBelowAll();
    const own = `/v1/hosts/${String(host.id)}`;
    const before = (await explain(admin, path))['k'];
    // Setting the same value again is not a change, so the author stays.
    await admin.put(`${own}/variables`, { k: 'of node' }).expect(200);
    expect((await explain(admin, path))['k']).toEqual(before);
    await admin.put(`${own}/variables`, { k: null }, { 'X-Change-Reason': 'away with it' }).expect(200);
    const withNull = (await explain(admin, path))['k'];
    expect(withNull).toMatchObject({ value: null, source: { value: null, reason: 'away with it' } });
    expect(withNull?.source.set_by).toBe(admin.credentials.user);
    expect(withNull?.levels).toHaveLength(5);
    await admin.delete(`${own}/variables`, ['k']).expect(204);
    await admin.put(own, { labels: 'a' }).expect(200);
    expect((await explain(admin, path))['k']).toMatchObject({ value: 'of a', source: { kind: 'label' } });
    await admin.put(own, { labels: '', cell_id: null }).expect(200);
    const ofRegion = (await explain(admin, path))['k'];
    expect(ofRegion?.levels).toEqual([{ ...before?.levels[0], shadowed: false }]);
    // A level has its current name.
    await admin.put(`/v1/regions/${String(owners[0][2])}`, { name: 'renamed' }).expect(200);
    expect((await explain(admin, path))['k']?.source.name).toBe('renamed');
  });

  it('keep every digit, and accept __proto__ as a key', async () => {
    const admin = await app.project();
    const region = await admin.region();
    await admin
      .put(
        `/v1/regions/${String(region.id)}/variables`,
        '{"n": 9007199254740993, "__proto__": {"x": 1.10}, "a-b": "\\u00e9\\"\\\\"}',
      )
      .expect(200);
    const host = await admin.host({ region_id: region.id });
    for (const path of [
      `/v1/hosts/${String(host.id)}/variables/explain`,
      '/v1/hosts?explain=n,__proto__,a-b&fields=id',
    ]) {
      const { text } = await admin.get(path).expect(200);
      expect(text.match(/9007199254740993/g)).toHaveLength(3);
      expect(text.match(/"__proto__": ?\{"value":\{"x": 1\.10\}/g)).toHaveLength(1);
      expect(text).toContain('"é\\"\\\\"');
    }
  });

  it('exist for cells and every kind of device, but not for resources that inherit nothing', async () => {
    const admin = await app.project();
    const region = await admin.region({ variables: { k: 1 } });
    const cell = await admin.cell({ region_id: region.id, variables: { k: 2 } });
    const device = await admin.networkDevice({ region_id: region.id, variables: { k: 3 } });
    const kinds = async (path: string) =>
      (await explain(admin, path))['k']?.levels.map(({ kind, shadowed }) => [kind, shadowed]);
    expect(await kinds(`/v1/cells/${String(cell.id)}/variables/explain`)).toEqual([
      ['region', true],
      ['cell', false],
    ]);
    expect(await kinds(`/v1/network-devices/${String(device.id)}/variables/explain`)).toEqual([
      ['region', true],
      ['network-device', false],
    ]);
    // The id of a network device is not found as a host.
    await admin.get(`/v1/hosts/${String(device.id)}/variables/explain`).expect(404);
    await admin.get('/v1/hosts/987654321/variables/explain').expect(404);
    await admin.get('/v1/hosts/abc/variables/explain').expect(400);
    for (const list of ['regions', 'labels', 'users', 'clouds'])
      await admin.get(`/v1/${list}?explain=k`).expect(400);
    const stranger = await app.project();
    await stranger.get(`/v1/cells/${String(cell.id)}/variables/explain`).expect(404);
    const asRoot = await app.root.get(`/v1/cells/${String(cell.id)}/variables/explain`).expect(200);
    expect(asRoot.headers).not.toHaveProperty('etag');
  });

  describe('in lists', () => {
    it('are added to each item for the requested keys', async () => {
      const { admin, host, path } = await hostBelowAll();
      const { k, only_host } = await explain(admin, path);
      const listed = async (query: string) =>
        (await admin.get(`/v1/hosts?${query}`).expect(200)).body as Resource[];
      const [whole] = await listed('');
      expect(whole).not.toHaveProperty('explain');
      expect(await listed('explain=k,unknown,only_host')).toEqual([{ ...whole, explain: { k, only_host } }]);
      expect(await listed('explain=k&fields=name')).toEqual([{ name: 'node', explain: { k } }]);
      expect(await listed('explain=k&fields=variables&resolved-values=false')).toEqual([
        { variables: { k: 'of node', only_host: 'node' }, explain: { k } },
      ]);
      expect(await listed('explain=k&fields=name&vars=k:"of node"&sort_keys=name')).toEqual([
        { name: 'node', explain: { k } },
      ]);
      await admin.host({ name: 'child', region_id: host['region_id'], parent_id: host.id });
      const both = await listed(`explain=k&fields=name&name=node&descendants=true`);
      expect(both).toMatchObject([
        { name: 'node', explain: { k } },
        {
          name: 'child',
          explain: { k: { value: 'of north', levels: [{ kind: 'region', shadowed: false }] } },
        },
      ]);
      expect(await listed('explain=unknown&fields=name')).toEqual([
        { name: 'node', explain: {} },
        { name: 'child', explain: {} },
      ]);
    });

    it('reject invalid keys and too many keys', async () => {
      const admin = await app.project();
      const keys = (count: number) => Array.from({ length: count }, (_, i) => `k${String(i)}`).join(',');
      await admin.get(`/v1/hosts?explain=${keys(50)}`).expect(200);
      await admin.get(`/v1/hosts?explain=${keys(50)},k0`).expect(200);
      for (const text of [keys(51), '', ',', 'a,', 'a b', '1', '*'])
        expect(
          (await admin.get(`/v1/hosts?explain=${encodeURIComponent(text)}`).expect(400)).body,
        ).toMatchObject({
          details: [{ field: 'explain' }],
        });
      await admin.get('/v1/hosts?explain=a&explain=b').expect(200);
    });

    it('of a single resource have the same limit', async () => {
      const admin = await app.project();
      const { id } = await admin.host();
      const explainKeys = (count: number) =>
        admin.get(
          `/v1/hosts/${String(id)}/variables/explain?${Array.from({ length: count }, (_, i) => `key=k${String(i)}`).join('&')}`,
        );
      await explainKeys(50).expect(200);
      expect((await explainKeys(51).expect(400)).body.details).toEqual([
        { field: 'key', code: 'too_long', message: 'takes at most 50 keys' },
      ]);
    });
  });

  describe('of private variables', () => {
    it('are hidden from users who may not see them', async () => {
      const { admin, path } = await hostBelowAll();
      await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: ['k', 'only_h*'] }).expect(200);
      const [reader, trusted] = [await admin.user(), await admin.user({ roles: ['k'] })];
      expect(Object.keys(await explain(reader, path)).sort()).toEqual([
        'only_cell',
        'only_label',
        'only_region',
      ]);
      expect(await explain(reader, `${path}?key=k&key=only_host`)).toEqual({});
      expect(await explain(trusted, `${path}?key=k&key=only_host`)).toEqual({
        k: (await explain(admin, path))['k'],
      });
      for (const [caller, keys] of [
        [reader, ['only_cell']],
        [trusted, ['k', 'only_cell']],
      ] as const) {
        const { body } = await caller.get('/v1/hosts?fields=id&explain=k,only_host,only_cell').expect(200);
        expect(Object.keys((body as { explain: object }[])[0]?.explain ?? {})).toEqual(keys);
      }
    });
  });

  it('agree with a naive model and with the change records on random inventories', async () => {
    await fc.assert(
      fc.asyncProperty(fleets, async (fleet) => {
        const admin = await app.project();
        const { cells } = await createFleet(admin, fleet);
        const records = await recordsOf(admin);
        const kinds = { hosts: 'host', 'network-devices': 'network-device' } as const;
        for (const collection of ['hosts', 'network-devices'] as const) {
          const kind = kinds[collection];
          const listed = (await admin.get(`/v1/${collection}?explain=a,b,c,x-y,__proto__`).expect(200))
            .body as Resource[];
          for (const [i, device] of (fleet[collection] ?? []).entries()) {
            const resource = listed.find(({ name }) => name === device.name);
            const inList = resource?.['explain'] as Explanations;
            expect(canonicalOfResponse(inList)).toBe(canonicalOfModel(levelsOf(fleet, kind, device)));
            expectRecorded(inList, records);
            expect(resolvedBy(inList)).toBe(canonical(resource?.variables));
            if (i % 3 > 0) continue;
            const alone = await explain(admin, `/v1/${collection}/${String(resource?.id)}/variables/explain`);
            expect(canonical(alone)).toBe(canonical(inList));
          }
        }
        for (const cell of fleet.cells) {
          const id = cells.get(`${cell.region}/${cell.name}`);
          const explained = await explain(admin, `/v1/cells/${String(id)}/variables/explain`);
          expect(canonicalOfResponse(explained)).toBe(canonicalOfModel(levelsOfCell(fleet, cell)));
          expectRecorded(explained, records);
        }
      }),
      { numRuns: rounds(2, 3), endOnFailure: true },
    );
  }, 60_000);
});

/** Only the winning values. */
const resolvedBy = (explanations: Explanations): string =>
  canonical(Object.fromEntries(entriesOf(explanations).map(([key, { value }]) => [key, value])));

function levelsOfCell(fleet: Fleet, { region, name, variables }: Fleet['cells'][number]): NaiveLevel[] {
  const deviceInRegion: FleetDevice = { name: '', region, cell: null, labels: [], variables: {} };
  return [...levelsOf(fleet, 'none', deviceInRegion).slice(0, 1), { kind: 'cell', name, variables }];
}

interface ChangeRecord {
  readonly id: number;
  readonly created_at: string;
  readonly reason: string | null;
  readonly actor: { readonly username: string };
  readonly objects: readonly {
    readonly kind: string;
    readonly id: number;
    readonly variables: VariablesOf;
  }[];
}

async function recordsOf(caller: Caller): Promise<ReadonlyMap<number, ChangeRecord>> {
  const records = (await caller.get('/v1/changes?limit=10000').expect(200)).body as ChangeRecord[];
  return new Map(records.map((record) => [record.id, record]));
}

/** Checks that every level refers to the change that last set its value. */
function expectRecorded(explanations: Explanations, records: ReadonlyMap<number, ChangeRecord>): void {
  for (const [key, { levels }] of entriesOf(explanations))
    for (const level of levels) {
      const record = records.get(level.change_id);
      expect([level.set_by, level.set_at, level.reason]).toEqual([
        record?.actor.username,
        record?.created_at,
        record?.reason,
      ]);
      const object = record?.objects.find(({ kind, id }) => kind === level.kind && id === level.id);
      expect(Object.keys(object?.variables ?? {})).toContain(key);
    }
}
