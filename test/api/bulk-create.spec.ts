import { sharedService } from '../support/service';
import { inOneProject, someCollections, without } from '../support/collections';
import { aName, type Caller } from '../support/caller';

const lastChange = async (caller: Caller) => {
  const { body } = await caller.get('/v1/changes?sort_dir=desc&limit=1').expect(200);
  return (body as Record<string, unknown>[])[0] as { id: number; reason: string; objects: unknown[] };
};

describe('creating several at once', () => {
  const app = sharedService();
  const shared = inOneProject(app);
  it.each(someCollections.filter(([name]) => name !== 'projects'))(
    '%s: an array creates all items in one change and returns an array',
    async (_, one) => {
      const caller = await one.caller(shared);
      const bodies = [await one.body(caller), await one.body(caller), await one.body(caller)];
      const { body, headers } = await caller.post(`/v1/${one.collection}`, bodies).expect(201);
      expect(headers['etag']).toBeUndefined();
      expect(headers['location']).toBeUndefined();
      const made = body as Record<string, unknown>[];
      expect(made).toHaveLength(3);
      for (const [i, item] of made.entries()) {
        expect(item).toMatchObject(without(bodies[i] ?? {}, 'cert'));
        expect(item['version']).toBe(1);
      }
      expect((await lastChange(caller)).objects).toEqual(
        made.map(({ id }) => expect.objectContaining({ id, kind: one.kind, action: 'create' })),
      );
    },
  );

  it('projects: one at a time, because a change belongs to one project', async () => {
    const { body } = await app.root.post('/v1/projects', [{ name: aName('fleet') }]).expect(400);
    expect(body.message).toBe('This endpoint accepts one project per request.');
  });

  it('creates none if one is invalid, and reports each fault with its index', async () => {
    const caller = await app.project();
    const region = await caller.region({ name: 'r1' });
    const host = (members: object) => ({
      name: aName('h'),
      region_id: region.id,
      ip_address: '10.0.0.1',
      device_type: 'server',
      ...members,
    });
    const good = host({});
    const { body: malformed } = await caller
      .post('/v1/hosts', [good, host({ ip_address: 'x' }), host({ name: 7 }), 5])
      .expect(400);
    expect(malformed).toMatchObject({ code: 'invalid_request' });
    expect((malformed.details as { field: string }[]).map(({ field }) => field)).toEqual([
      '[1].ip_address',
      '[2].name',
      '[3]',
    ]);
    const { body: refused } = await caller
      .post('/v1/hosts', [good, host({ region_id: 987654321 }), good, host({ parent_id: 987654321 })])
      .expect(405);
    expect(refused.code).toBe('validation_exception');
    expect((refused.details as { field: string }[]).map(({ field }) => field)).toEqual([
      '[1].region_id',
      '[2].name',
      '[3].parent_id',
    ]);
    expect((await caller.get('/v1/hosts').expect(200)).body).toEqual([]);
    await caller.post('/v1/hosts', [good, host({})]).expect(201);
  });

  it('accepts 1 to 1,000 items', async () => {
    const caller = await app.project();
    const clouds = (n: number) => Array.from({ length: n }, () => ({ name: aName('cloud') }));
    for (const n of [0, 1_001])
      expect((await caller.post('/v1/clouds', clouds(n)).expect(400)).body.message).toBe(
        'The array must have 1 to 1000 items.',
      );
    expect((await caller.post('/v1/clouds', clouds(1_000)).expect(201)).body).toHaveLength(1_000);
  });

  it('keeps every digit and string of each item’s variables', async () => {
    const caller = await app.project();
    const text =
      '[ {"label":"a","variables":{"n": 9007199254740993, "s":"],[{\\"}\\\\"}} ,{"label":"b","variables":{"n":[1.10,[]],"e":{}}}]';
    const { text: response } = await caller.post('/v1/labels', text).expect(201);
    expect(response).toContain('"n": 9007199254740993');
    expect(response).toContain('"s": "],[{\\"}\\\\"');
    expect(response).toContain('"n": [1.10, []]');
  });

  it('uses the first reason that an item gives, and checks the roles for each item', async () => {
    const admin = await app.project();
    await admin.post('/v1/regions', [{ name: 'a' }, { name: 'b', note: 'CHG-7' }]).expect(201);
    expect((await lastChange(admin)).reason).toBe('CHG-7');
    await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: ['secret'] }).expect(200);
    const writer = await admin.user({ roles: ['regions:write'] });
    const { body } = await writer
      .post('/v1/regions', [{ name: 'c' }, { name: 'd', variables: { secret: 1 } }])
      .expect(403);
    expect((body.details as { field: string }[])[0]?.field).toBe('[1].roles');
    expect((await admin.get('/v1/regions?name=c').expect(200)).body).toEqual([]);
  });

  it('supports dry runs and Idempotency-Key', async () => {
    const admin = await app.project();
    const bodies = [{ label: 'x' }, { label: 'y' }];
    const { body } = await admin.post('/v1/labels?dry_run=true', bodies).expect(200);
    expect((body.change.objects as unknown[]).length).toBe(2);
    const headers = { 'Idempotency-Key': aName('key') };
    const first = await admin.post('/v1/labels', bodies, headers).expect(201);
    const again = await admin.post('/v1/labels', bodies, headers).expect(201);
    expect(again.text).toBe(first.text);
    expect((await admin.get('/v1/labels').expect(200)).body).toHaveLength(2);
  });
});
