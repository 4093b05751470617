import { sharedService } from '../support/service';
import { impactOf, readState } from '../support/impact-oracle';
import type { Caller, Resource } from '../support/caller';
import { aName } from '../support/caller';

interface Record_ {
  readonly id: number;
  readonly reason: string | null;
  readonly created_at: string;
  readonly impact: { devices: number };
  readonly objects: { id: number; kind: string; action: string; variables: object }[];
}

const records = async (caller: Caller): Promise<Record_[]> =>
  (await caller.get('/v1/changes?sort_dir=desc').expect(200)).body as Record_[];

const own = async (caller: Caller, host: Resource) =>
  (await caller.get(`/v1/hosts/${String(host.id)}/variables`).expect(200)).body.variables as object;

/** A batch has 500 resources. */
const MORE_THAN_A_BATCH = 510;

describe('a bulk update of variables', () => {
  const app = sharedService();
  let admin: Caller;
  let region: Resource;
  beforeEach(async () => {
    admin = await app.project();
    region = await admin.region({ variables: { zone: 'a' } });
  });

  const hosts = async (n: number, members: (i: number) => object = () => ({})): Promise<Resource[]> => {
    const bodies = Array.from({ length: n }, (_, i) => ({
      name: aName('h'),
      region_id: region.id,
      ip_address: `10.0.${String(i >> 8)}.${String(i & 255)}`,
      device_type: 'server',
      ...members(i),
    }));
    return (await admin.post('/v1/hosts', bodies).expect(201)).body as Resource[];
  };

  it('updates the resources with the given ids, in one change', async () => {
    const [a, b, c] = (await hosts(3, (i) => ({ variables: { own: i, n: 0 } }))) as [
      Resource,
      Resource,
      Resource,
    ];
    const before = (await records(admin)).length;
    const body = { ids: [c.id, a.id, a.id], variables: { n: 1, deep: { x: [1] } }, note: 'CHG-1' };
    const { body: result } = await admin.put('/v1/hosts/variables', body).expect(200);
    expect(result).toEqual({ matched: 2, updated: 2, unchanged: 0 });
    expect(await own(admin, a)).toEqual({ own: 0, n: 1, deep: { x: [1] } });
    expect(await own(admin, b)).toEqual({ own: 1, n: 0 });
    expect(await own(admin, c)).toEqual({ own: 2, n: 1, deep: { x: [1] } });
    const [record, ...older] = await records(admin);
    expect(older).toHaveLength(before);
    expect(record).toMatchObject({
      reason: 'CHG-1',
      impact: { devices: 2 },
      objects: [
        {
          id: a.id,
          action: 'update',
          variables: { n: { before: 0, after: 1 }, deep: { after: { x: [1] } } },
        },
        { id: c.id, action: 'update' },
      ],
    });
  });

  it('updates the resources that match the list filters, including filters by resolved variables', async () => {
    const [a, b] = (await hosts(2)) as [Resource, Resource];
    const [c] = (await hosts(1, () => ({ variables: { zone: 'own' }, labels: ['x'] }))) as [Resource];
    const put = (query: string, n: number) =>
      admin.put(`/v1/hosts/variables?${query}`, { variables: { n } }).expect(200);
    expect((await put(`region_id=${String(region.id)}&vars=zone:"a"`, 1)).body).toMatchObject({ updated: 2 });
    expect((await put('label=x', 2)).body).toMatchObject({ matched: 1, updated: 1 });
    expect((await put(`name=${a.name}`, 3)).body).toMatchObject({ updated: 1 });
    expect((await put('name=nobody', 4)).body).toEqual({ matched: 0, updated: 0, unchanged: 0 });
    expect([await own(admin, a), await own(admin, b), await own(admin, c)]).toEqual([
      { n: 3 },
      { n: 1 },
      { zone: 'own', n: 2 },
    ]);
  });

  it('skips resources that already have the values, and records nothing if all have', async () => {
    const [a, b] = (await hosts(2, (i) => ({ variables: { n: i === 0 ? 1.0 : 2 } }))) as [Resource, Resource];
    const before = (await records(admin)).length;
    const path = `/v1/hosts/variables?region_id=${String(region.id)}`;
    expect((await admin.put(path, { variables: { n: 2 } }).expect(200)).body).toEqual({
      matched: 2,
      updated: 1,
      unchanged: 1,
    });
    expect((await admin.get(`/v1/hosts/${String(b.id)}`).expect(200)).body.version).toBe(1);
    expect((await admin.get(`/v1/hosts/${String(a.id)}`).expect(200)).body.version).toBe(2);
    expect((await admin.put(path, { variables: { n: 2 } }).expect(200)).body.updated).toBe(0);
    expect(await records(admin)).toHaveLength(before + 1);
    expect((await admin.put(path, '{"variables": {"n": 2.0}}').expect(200)).body.updated).toBe(2);
  });

  it('writes several batches under one record with one time, or none if a later one fails', async () => {
    const made = await hosts(MORE_THAN_A_BATCH);
    const path = `/v1/hosts/variables?region_id=${String(region.id)}`;
    expect((await admin.put(path, { variables: { n: 1, zone: 'b' } }).expect(200)).body.updated).toBe(
      made.length,
    );
    const [record] = await records(admin);
    expect(record?.impact).toEqual({ devices: made.length });
    const last = made.at(-1);
    const at = `at=${encodeURIComponent(record?.created_at ?? '')}`;
    const { body } = await admin.get(`/v1/hosts/${String(last?.id)}?${at}`).expect(200);
    expect(body.variables).toEqual({ n: 1, zone: 'b' });
    const first = await admin.get(`/v1/hosts/${String(made[0]?.id)}`).expect(200);
    const second = await admin.get(`/v1/hosts/${String(last?.id)}`).expect(200);
    expect(first.body.updated_at).toBe(second.body.updated_at);
    const history = await admin.get(`/v1/hosts/${String(last?.id)}/changes`).expect(200);
    expect((history.body as unknown[]).length).toBe(2);

    const big = { filler: 'x'.repeat(1_048_000) };
    const [full] = (await hosts(1, () => ({ variables: big }))) as [Resource];
    await admin.put(path, { variables: { more: 'y'.repeat(2_000) } }).expect(400);
    expect((await admin.get('/v1/hosts?vars=more:"y"&limit=1').expect(200)).body).toEqual([]);
    expect(Object.keys(await own(admin, full))).toEqual(['filler']);
    expect((await admin.get('/v1/variables?key=more').expect(200)).body).toEqual([]);
  });

  it('returns the impact in a dry run, page by page, and writes nothing', async () => {
    await hosts(5, (i) => (i % 2 === 0 ? { variables: { n: i } } : {}));
    const path = `/v1/hosts/variables?region_id=${String(region.id)}`;
    const body = { variables: { n: 2, zone: 'a' } };
    const before = await readState(admin);
    const dryRun = await admin.put(`${path}&dry_run=true&limit=2`, body).expect(200);
    expect(await readState(admin)).toEqual(before);
    expect(dryRun.body).toMatchObject({ dry_run: true, matched: 5, updated: 5, unchanged: 0 });
    const items = [...(dryRun.body.impact.items as object[])];
    let links = dryRun.body.impact.links as { rel: string; href: string }[];
    for (let next = links.find(({ rel }) => rel === 'next'); next;) {
      const { pathname, search } = new URL(next.href);
      const { body: page } = await admin.put(pathname + search, body).expect(200);
      items.push(...(page.impact.items as object[]));
      links = page.impact.links as typeof links;
      next = links.find(({ rel }) => rel === 'next');
    }
    await admin.put(path, body).expect(200);
    const expected = impactOf(before, await readState(admin));
    expect(items).toEqual(expected.items);
    expect(dryRun.body.impact).toMatchObject({ devices: expected.devices, keys: [...expected.keys] });
    expect((await records(admin))[0]?.impact).toEqual({ devices: expected.devices });
  });

  it('counts the devices that inherit from regions and labels', async () => {
    await hosts(3, (i) => ({ labels: i === 0 ? ['x'] : [] }));
    const { body: labels } = await admin.get('/v1/labels?name=x').expect(200);
    const ids = (labels as Resource[]).map(({ id }) => id);
    await admin.put('/v1/labels/variables', { ids, variables: { tier: 1 } }).expect(200);
    expect((await records(admin))[0]?.impact).toEqual({ devices: 1 });
    await admin.put(`/v1/regions/variables?name=${region.name}`, { variables: { zone: 'z' } }).expect(200);
    expect((await records(admin))[0]?.impact).toEqual({ devices: 3 });
  });

  it('requires either ids or filters', async () => {
    const [a] = (await hosts(1)) as [Resource];
    const variables = { n: 1 };
    const invalid: [string, object, number, string][] = [
      ['', { variables }, 400, 'ids'],
      ['?name=x', { ids: [a.id], variables }, 400, 'ids'],
      ['', { ids: [], variables }, 400, 'ids'],
      ['', { ids: ['1'], variables }, 400, 'ids'],
      ['', { ids: [a.id, 987654321], variables }, 405, 'ids'],
      ['', { ids: [a.id] }, 400, 'variables'],
      ['', { ids: [a.id], variables: { 'not a key': 1 } }, 400, 'variables'],
      ['?limit=3', { ids: [a.id], variables }, 400, 'limit'],
      ['?colour=red', { variables }, 400, 'colour'],
      ['?region_id=987654321', { variables }, 404, 'region_id'],
      // Filters that match every host select nothing.
      ['?descendants=false', { variables }, 400, 'ids'],
      ['?descendants=true', { variables }, 400, 'ids'],
      ['?descendants=maybe', { variables }, 400, 'descendants'],
      ['?name_prefix=', { variables }, 400, 'ids'],
      ['?ip=0.0.0.0/0', { variables }, 400, 'ids'],
      ['?ip=::ffff:0:0/96', { variables }, 400, 'ids'],
      ['?ip=::/00&name_prefix=&descendants=true', { variables }, 400, 'ids'],
      // A misspelled key or label would match every host.
      ['?where=typo%20missing', { variables }, 400, 'ids'],
      ['?where=a%20missing&where=b.c%20missing&without_label=typo&ip=::/0', { variables }, 400, 'ids'],
      ['?without_label=typo', { variables }, 400, 'ids'],
      ['?where=typo%20missing', { ids: [a.id], variables }, 400, 'ids'],
      ['?where=typo%20absent', { variables }, 400, 'where'],
      ['?descendants=true', { ids: [a.id], variables }, 400, 'ids'],
      ['?name_prefix=', { ids: [a.id], variables }, 400, 'ids'],
      ['?vars=n', { variables }, 400, 'vars'],
    ];
    for (const [query, body, status, field] of invalid) {
      const { body: error } = await admin.put(`/v1/hosts/variables${query}`, body).expect(status);
      expect((error.details as { field: string }[])[0]?.field).toBe(field);
    }
    expect(await own(admin, a)).toEqual({});
    // Clients that send declared defaults can still name ids.
    await admin.put('/v1/hosts/variables?descendants=false', { ids: [a.id], variables }).expect(200);
    expect(await own(admin, a)).toEqual({ n: 1 });
    // Beside a filter that narrows, they count.
    for (const query of [`name=${a['name']}`, 'vars=n:1', 'where=n%20exists']) {
      const path = `/v1/hosts/variables?where=old%20missing&without_label=retired&${query}`;
      expect((await admin.put(path, { variables }).expect(200)).body).toMatchObject({ matched: 1 });
    }
  });

  it('changes each resource that a filter selects for one of several simultaneous requests only', async () => {
    const made = await hosts(40, () => ({ variables: { state: 'free' } }));
    const takers = ['a', 'b', 'c', 'd'];
    const results = await Promise.all(
      takers.map(async (owner) => {
        const body = { variables: { state: 'taken', owner } };
        const { body: result } = await admin.put('/v1/hosts/variables?vars=state:"free"', body).expect(200);
        return { owner, ...(result as { matched: number; updated: number; unchanged: number }) };
      }),
    );
    for (const { owner, matched, updated, unchanged } of results) {
      const { body: owned } = await admin.get(`/v1/hosts?vars=owner:"${owner}"&fields=id`).expect(200);
      expect([updated, unchanged, matched]).toEqual([(owned as unknown[]).length, 0, updated]);
    }
    expect(results.reduce((total, { updated }) => total + updated, 0)).toBe(made.length);
  });

  it('stays within the project of the request, even for root', async () => {
    const [a] = (await hosts(1, () => ({ device_type: 'same' }))) as [Resource];
    const other = await app.project();
    await other.host({ device_type: 'same' });
    const root = app.root.in(other.projectId);
    const { body } = await root
      .put('/v1/hosts/variables?device_type=same', { variables: { n: 1 } })
      .expect(200);
    expect(body.updated).toBe(1);
    expect(await own(admin, a)).toEqual({});
    await root.put('/v1/hosts/variables', { ids: [a.id], variables: { n: 1 } }).expect(405);
  });

  it('checks roles, definitions and reasons like every write', async () => {
    const [a] = (await hosts(1)) as [Resource];
    const body = (variables: object) => ({ ids: [a.id], variables });
    await admin
      .put(`/v1/projects/${admin.projectId}/settings`, {
        private: ['secret'],
        change_reason: { required: true, pattern: null },
      })
      .expect(200);
    const reason = { 'X-Change-Reason': 'why' };
    await admin
      .post('/v1/variable-definitions', { key: 'n', schema: { type: 'integer' } }, reason)
      .expect(201);
    await admin.put('/v1/hosts/variables', body({ n: 1 })).expect(400);
    await admin.put('/v1/hosts/variables', body({ n: 'x' }), reason).expect(400);
    const { body: made } = await admin
      .post('/v1/users', { username: aName('u'), roles: ['n'] }, reason)
      .expect(201);
    const writer = admin.as({
      ...admin.credentials,
      user: made.username as string,
      token: made.api_key as string,
    });
    await writer.put('/v1/hosts/variables', body({ m: 1 }), reason).expect(403);
    await writer.put('/v1/hosts/variables', body({ secret: 1 }), reason).expect(403);
    await writer.put('/v1/hosts/variables', body({ n: 5 }), reason).expect(200);
    expect(await own(admin, a)).toEqual({ n: 5 });
  });

  it('changes nothing when it is repeated', async () => {
    const [a] = (await hosts(1)) as [Resource];
    const body = { ids: [a.id], variables: { n: 1 } };
    await admin.put('/v1/hosts/variables', body).expect(200);
    expect((await admin.put('/v1/hosts/variables', body).expect(200)).body.unchanged).toBe(1);
  });
});
