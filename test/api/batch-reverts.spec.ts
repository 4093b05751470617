import { doBatch, hostBody, sendBatch, type Operation } from '../support/batches';
import { aName, type Caller, type Resource } from '../support/caller';
import { doRevert, refused, revert, type ChangeRecord } from '../support/reverts';
import { sharedService } from '../support/service';

describe('the revert of a batch', () => {
  const app = sharedService();
  let admin: Caller;
  let region: Resource;
  let other: Resource;
  beforeEach(async () => {
    admin = await app.project();
    region = await admin.region({ name: 'north', variables: { a: 1 } });
    other = await admin.region({ name: 'south' });
  });

  const stateOf = async (collection: string) =>
    ((await admin.get(`/v1/${collection}`).expect(200)).body as Resource[]).map((resource) =>
      Object.fromEntries(
        Object.entries(resource).filter(([name]) => name !== 'version' && name !== 'updated_at'),
      ),
    );
  const rename = ({ id }: Pick<Resource, 'id'>, name: string): Operation => ({
    method: 'PUT',
    path: `/v1/regions/${String(id)}`,
    body: { name },
  });

  it.each<[string, () => Operation[]]>([
    [
      'deletes a resource and creates another one with its name',
      () => [
        { method: 'DELETE', path: `/v1/regions/${String(other.id)}` },
        { method: 'POST', path: '/v1/regions', body: { name: 'south' } },
      ],
    ],
    ['swaps names', () => [rename(region, 'tmp'), rename(other, 'north'), rename(region, 'south')]],
    [
      'renames a resource and creates another one with its name, which is in use',
      () => [
        rename(region, 'old'),
        { id: 'r', method: 'POST', path: '/v1/regions', body: { name: 'north' } },
        { method: 'POST', path: '/v1/hosts', body: hostBody({ region_id: { $ref: 'r.id' } }) },
      ],
    ],
    [
      'deletes a label and creates it again',
      () => [
        { method: 'POST', path: '/v1/labels', body: { label: 'x' } },
        { method: 'PUT', path: `/v1/regions/${String(region.id)}`, body: { labels: ['x', 'y'] } },
      ],
    ],
  ])('restores everything if it %s', async (_, make) => {
    const before = [await stateOf('regions'), await stateOf('labels'), await stateOf('hosts')];
    const { change_id } = await doBatch(admin, make());
    const after = [await stateOf('regions'), await stateOf('labels'), await stateOf('hosts')];
    const { id } = await doRevert(admin, change_id ?? 0);
    expect([await stateOf('regions'), await stateOf('labels'), await stateOf('hosts')]).toEqual(before);
    await doRevert(admin, id);
    expect([await stateOf('regions'), await stateOf('labels'), await stateOf('hosts')]).toEqual(after);
  });

  it('creates a region and its device again, also if it changed another device before', async () => {
    const host = await admin.host({ region_id: other.id });
    const { change_id } = await doBatch(admin, [
      { method: 'PUT', path: `/v1/hosts/${String(host.id)}`, body: { region_id: region.id } },
      { id: 'r', method: 'POST', path: '/v1/regions', body: { name: 'west' } },
      { method: 'POST', path: '/v1/hosts', body: hostBody({ region_id: { $ref: 'r.id' } }) },
    ]);
    const after = [await stateOf('regions'), await stateOf('hosts')];
    const { id } = await doRevert(admin, change_id ?? 0);
    await doRevert(admin, id);
    expect([await stateOf('regions'), await stateOf('hosts')]).toEqual(after);
  });

  it('restores a label that was deleted and created again', async () => {
    const { id } = await admin.label({ label: 'x', variables: { k: 1 } });
    const { change_id } = await doBatch(admin, [
      { method: 'DELETE', path: `/v1/labels/${String(id)}` },
      { method: 'POST', path: '/v1/labels', body: { label: 'x' } },
    ]);
    await doRevert(admin, change_id ?? 0);
    expect(await stateOf('labels')).toEqual([
      expect.objectContaining({ id, label: 'x', variables: { k: 1 } }),
    ]);
  });

  it('has nothing to restore if its operations undo each other, although they raise the version', async () => {
    const path = `/v1/regions/${String(region.id)}`;
    const { change_id } = await doBatch(admin, [
      { method: 'PUT', path: `${path}/variables/k`, body: { value: 1 } },
      { method: 'DELETE', path: `${path}/variables/k` },
    ]);
    const { objects } = (await admin.get(`/v1/changes/${String(change_id)}`).expect(200))
      .body as ChangeRecord;
    expect(objects).toMatchObject([{ before: { version: 1 }, after: { version: 3 }, variables: {} }]);
    const response = await revert(admin, change_id ?? 0);
    refused(response);
    expect((response.body as { message: string }).message).toContain('altered nothing that is recorded');
  });

  it('says which resource is in use, by its name', async () => {
    const { change_id } = await doBatch(admin, [
      rename(region, 'old'),
      { method: 'POST', path: '/v1/regions', body: { name: 'north' } },
    ]);
    const [, , created] = (await admin.get('/v1/regions').expect(200)).body as Resource[];
    await admin.host({ region_id: created?.id });
    const { body } = await revert(admin, change_id ?? 0);
    expect((body as { message: string }).message).toContain('The region north is still used by 1 device');
  });
});

describe('the revert of a batch that creates devices and their parents', () => {
  const app = sharedService();
  let admin: Caller;
  let region_id: number;
  beforeEach(async () => {
    admin = await app.project();
    region_id = (await admin.region()).id;
  });

  const create = (id: string, members: object = {}, collection = 'hosts'): Operation => ({
    id,
    method: 'POST',
    path: `/v1/${collection}`,
    body: { ...hostBody({ region_id, ...members }), name: id },
  });
  const below = (parent: string) => ({ parent_id: { $ref: `${parent}.id` } });
  const moveBelow = (child: string, parent: string, collection = 'hosts'): Operation => ({
    method: 'PUT',
    path: `/v1/${collection}/{${child}.id}`,
    body: below(parent),
  });
  const devicesOf = async (collection: string) =>
    ((await admin.get(`/v1/${collection}`).expect(200)).body as Resource[]).map(
      ({ id, name, parent_id }) => ({ id, name, parent_id }),
    );
  const devices = async () => [...(await devicesOf('hosts')), ...(await devicesOf('network-devices'))];

  it.each<[string, () => Operation[]]>([
    ['the parent first', () => [create('a'), create('b', below('a'))]],
    ['the child first', () => [create('a'), create('b'), moveBelow('a', 'b')]],
    ['a host below a network device', () => [create('a', {}, 'network-devices'), create('b', below('a'))]],
    ['a network device below a host', () => [create('a'), create('b', below('a'), 'network-devices')]],
    [
      'network devices and hosts by turns, in no order',
      () => [
        create('a', {}, 'network-devices'),
        create('b'),
        create('c', below('a')),
        create('d', below('c'), 'network-devices'),
        moveBelow('b', 'd'),
        create('e', below('b')),
      ],
    ],
    [
      'a region and a cell, too',
      () => [
        { id: 'r', method: 'POST', path: '/v1/regions', body: { name: 'r' } },
        { id: 'c', method: 'POST', path: '/v1/cells', body: { name: 'c', region_id: { $ref: 'r.id' } } },
        create('a', { region_id: { $ref: 'r.id' }, cell_id: { $ref: 'c.id' } }),
        create('b', { region_id: { $ref: 'r.id' }, ...below('a') }),
      ],
    ],
  ])('deletes all of them: %s', async (_, make) => {
    const { change_id } = await doBatch(admin, make());
    const after = await devices();
    const created = (await admin.get(`/v1/changes/${String(change_id)}`).expect(200)).body as ChangeRecord;
    const { id, objects } = await doRevert(admin, change_id ?? 0);
    expect(await devices()).toEqual([]);
    const deleted = new Map(objects.map((object) => [object.name, object]));
    expect(deleted.size).toBe(created.objects.length);
    for (const { name, kind, after: state } of created.objects)
      expect(deleted.get(name)).toMatchObject({ kind, action: 'delete', before: state, after: null });
    // The record has the parents, so that the devices get them back.
    await doRevert(admin, id);
    expect(await devices()).toEqual(after);
  });

  it('returns a device that existed before to its former parent', async () => {
    const former = await admin.host();
    const child = await admin.host({ parent_id: former.id });
    const before = await devices();
    const { change_id } = await doBatch(admin, [
      create('a'),
      create('b', below('a')),
      { method: 'PUT', path: `/v1/hosts/${String(child.id)}`, body: below('b') },
    ]);
    await doRevert(admin, change_id ?? 0);
    expect(await devices()).toEqual(before);
  });

  it.each(['a', 'b'])('is rejected if %s has a child that the batch did not create', async (parent) => {
    const { change_id, results } = await doBatch(admin, [create('a'), create('b', below('a'))]);
    const parent_id = results.find(({ id }) => id === parent)?.body.id;
    await admin.host({ parent_id, region_id });
    const before = await devices();
    const response = await revert(admin, change_id ?? 0);
    expect(refused(response)).toEqual([
      { field: 'id', code: 'in_use', message: 'still used by 1 child device' },
    ]);
    expect((response.body as { message: string }).message).toContain(
      `The host ${parent} is still used by 1 child device.`,
    );
    expect(await devices()).toEqual(before);
  });
});

describe('the response to a batch', () => {
  const app = sharedService();

  it('has at most five warnings', async () => {
    const admin = await app.project();
    const region_id = (await admin.region()).id;
    const operations = Array.from({ length: 12 }, (): Operation => ({
      method: 'POST',
      path: '/v1/hosts',
      body: hostBody({ region_id }),
    }));
    const { headers } = await sendBatch(admin, operations).expect(200);
    expect(String(headers['warning']).match(/299 - /g)).toHaveLength(5);
  });

  it('has warnings that name their operation, also in a dry run', async () => {
    const admin = await app.project();
    const region_id = (await admin.region()).id;
    const operations = ['192.0.2.1', '192.0.2.2', '192.0.2.1'].map((ip_address): Operation => ({
      method: 'POST',
      path: '/v1/hosts',
      body: hostBody({ region_id, ip_address }),
    }));
    const preview = await admin.post('/v1/batch?dry_run=true', { operations }).expect(200);
    const done = await sendBatch(admin, operations).expect(200);
    for (const { headers } of [preview, done])
      expect(headers['warning']).toMatch(
        /^299 - "operations\[2\]: 192\.0\.2\.1 is also the address of host [^"]+"$/,
      );
  });

  it('names an item of an operation that creates several', async () => {
    const admin = await app.project();
    const { body } = await sendBatch(admin, [
      { method: 'POST', path: '/v1/clouds', body: { name: 'a' } },
      { method: 'POST', path: '/v1/clouds', body: [{ name: 'b' }, { name: 7 }] },
    ]).expect(400);
    expect((body.details as { field: string }[]).map(({ field }) => field)).toEqual([
      'operations[1][1].name',
    ]);
  });

  it('has no tag of a variable whose resource the same batch creates and deletes', async () => {
    const { change_id, results } = await doBatch(await app.project(), [
      { id: 'r', method: 'POST', path: '/v1/regions', body: { name: 'short' } },
      { method: 'PUT', path: '/v1/regions/{r.id}/variables/k', body: { value: 1 } },
      { method: 'DELETE', path: '/v1/regions/{r.id}' },
    ]);
    expect([change_id, results[1]?.etag, results[1]?.body]).toEqual([null, null, { key: 'k', value: 1 }]);
  });

  it('is repeated for an Idempotency-Key, even if the project demands a reason meanwhile', async () => {
    const admin = await app.project();
    const headers = { 'Idempotency-Key': aName('key') };
    const operations: Operation[] = [{ method: 'POST', path: '/v1/clouds', body: { name: 'west' } }];
    const { text } = await sendBatch(admin, operations, '', headers).expect(200);
    await admin
      .put(`/v1/projects/${admin.projectId}/settings`, { change_reason: { required: true, pattern: null } })
      .expect(200);
    expect((await sendBatch(admin, operations, '', headers).expect(200)).text).toBe(text);
    await sendBatch(admin, operations).expect(400);
  });
});
