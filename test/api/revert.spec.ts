import type { Response } from 'supertest';
import { sharedService } from '../support/service';
import { lockRows, SecondConnection } from '../support/second-connection';
import { aName, type Caller, type Resource } from '../support/caller';
import { lastChange, refused, revert, type ChangeRecord } from '../support/reverts';

describe('reverting a change', () => {
  const app = sharedService();
  let admin: Caller;
  beforeEach(async () => {
    admin = await app.project();
  });
  const show = async (path: string): Promise<Resource> =>
    (await admin.get(path).expect(200)).body as Resource;

  /** Reverts the last change. */
  const revertLast = async (caller = admin): Promise<Response> =>
    revert(caller, (await lastChange(admin)).id);

  describe('of an update', () => {
    it('restores the changed fields and keeps the others', async () => {
      const { id } = await admin.host({ note: 'old', active: true, device_type: 'server' });
      const path = `/v1/hosts/${String(id)}`;
      await admin.put(path, { note: 'new', active: false, ip_address: '10.9.9.9' }).expect(200);
      const change = await lastChange(admin);
      await admin.put(path, { device_type: 'switch', name: 'renamed' }).expect(200);
      const response = await revert(admin, change.id);
      expect(response.status).toBe(201);
      expect(await show(path)).toMatchObject({
        note: 'old',
        active: true,
        ip_address: '10.0.0.1',
        device_type: 'switch',
        name: 'renamed',
        version: 4,
      });
    });

    it('returns the record of the new change and its location', async () => {
      const { id } = await admin.region({ note: 'old' });
      await admin.put(`/v1/regions/${String(id)}`, { note: 'new' }).expect(200);
      const { id: change } = await lastChange(admin);
      const response = await admin
        .post(`/v1/changes/${String(change)}/revert`, { note: 'not so good' })
        .expect(201);
      const record = response.body as ChangeRecord;
      expect(record).toEqual(await lastChange(admin));
      expect(record).toMatchObject({
        reason: 'not so good',
        objects: [{ kind: 'region', action: 'update', before: { note: 'new' }, after: { note: 'old' } }],
      });
      expect(response.headers['location']).toBe(`${app.url}/v1/changes/${String(record.id)}`);
    });

    it('restores variables to the last digit, and removes variables that were not set', async () => {
      const before = '{"unchanged": 1, "big": 9007199254740993, "null": null, "deleted": {"a": [1.10]}}';
      const { id } = await admin.host();
      const path = `/v1/hosts/${String(id)}/variables`;
      await admin.put(path, before).expect(200);
      await admin.put(path, '{"big": 1, "null": 2, "deleted": 3, "new": 4}').expect(200);
      await admin.put(path, '{"other": 5}').expect(200);
      expect((await revert(admin, (await lastChange(admin, 1)).id)).status).toBe(201);
      const text = (await admin.get(path).expect(200)).text;
      expect(text).toContain('"big": 9007199254740993');
      expect(text).toContain('1.10');
      expect(JSON.parse(text)).toEqual({
        variables: { unchanged: 1, big: 9007199254740992, null: null, deleted: { a: [1.1] }, other: 5 },
      });
    });

    it('restores members whose numbers only changed their form, and numbers and variables of the same change', async () => {
      const { id } = await admin.networkDevice({ note: 'old' });
      const path = `/v1/network-devices/${String(id)}`;
      await admin.put(path, '{"vlans": [1.0, {"a": 0}], "variables": {"v": 1.10}}').expect(200);
      await admin
        .put(path, '{"vlans": [1.00, {"a": 0.0}], "note": "new", "variables": {"v": 1.1}}')
        .expect(200);
      expect((await revertLast()).status).toBe(201);
      const both = (await admin.get(path).expect(200)).text;
      expect(both).toContain('[1.0, {"a": 0}]');
      expect(both).toContain('"v": 1.10');
      expect(JSON.parse(both)).toMatchObject({ note: 'old' });
      await admin.put(path, '{"vlans": [1.00, {"a": 0}]}').expect(200);
      expect((await revertLast()).status).toBe(201);
      expect((await admin.get(path).expect(200)).text).toContain('[1.0, {"a": 0}]');
    });

    it('conflicts with a later change of the form of the same number', async () => {
      const { id } = await admin.networkDevice();
      const path = `/v1/network-devices/${String(id)}`;
      await admin.put(path, '{"vlans": [1.0]}').expect(200);
      const { id: first } = await lastChange(admin);
      await admin.put(path, '{"vlans": [1.00]}').expect(200);
      const { body, status } = await revert(admin, first);
      expect({ status, details: (body as { details: unknown }).details }).toEqual({
        status: 409,
        details: [
          {
            field: 'vlans',
            code: 'changed_later',
            message: expect.stringContaining('modified later') as string,
          },
        ],
      });
    });

    it('restores deleted variables', async () => {
      const { id } = await admin.cell({ variables: { a: 1, b: 2 } });
      const path = `/v1/cells/${String(id)}/variables`;
      await admin.delete(path, ['a']).expect(204);
      expect((await revertLast()).status).toBe(201);
      expect((await show(path)).variables).toEqual({ a: 1, b: 2 });
    });

    it('identifies labels by their ids after a rename', async () => {
      const { id } = await admin.host({ labels: 'one,two' });
      const path = `/v1/hosts/${String(id)}`;
      await admin.put(path, { labels: 'two,three' }).expect(200);
      const change = await lastChange(admin);
      const [one] = (await admin.get('/v1/labels?name=one').expect(200)).body as Resource[];
      await admin.put(`/v1/labels/${String(one?.id)}`, { label: 'uno' }).expect(200);
      expect((await revert(admin, change.id)).status).toBe(201);
      expect((await show(path))['labels']).toBe('two,uno');
      // The change created the label, and nothing else uses it.
      expect((await admin.get('/v1/labels?name=three').expect(200)).body).toEqual([]);
    });

    it('is itself a change that can be reverted', async () => {
      const { id } = await admin.host({ note: 'old', labels: 'one', variables: { a: 1 } });
      const path = `/v1/hosts/${String(id)}`;
      await admin.put(path, { note: 'new', labels: 'two', variables: { a: 2, b: 3 } }).expect(200);
      const after = await show(path);
      expect((await revertLast()).status).toBe(201);
      expect(await show(path)).toMatchObject({ note: 'old', labels: 'one', variables: { a: 1 } });
      expect((await revertLast()).status).toBe(201);
      expect(await show(path)).toMatchObject({ note: 'new', labels: 'two', variables: after.variables });
    });

    it('moves a cell and its devices back together', async () => {
      const [from, to] = [await admin.region(), await admin.region()];
      const cell = await admin.cell({ region_id: from.id });
      const location = { region_id: from.id, cell_id: cell.id };
      const [host, device] = [await admin.host(location), await admin.networkDevice(location)];
      const other = await admin.host({ region_id: from.id });
      await admin.put(`/v1/regions/${String(to.id)}`, { cells: [cell.id] }).expect(200);
      const move = await lastChange(admin);
      const response = await revert(admin, move.id);
      expect(response.status).toBe(201);
      for (const path of [
        `/v1/cells/${String(cell.id)}`,
        `/v1/hosts/${String(host.id)}`,
        `/v1/network-devices/${String(device.id)}`,
        `/v1/hosts/${String(other.id)}`,
      ])
        expect((await show(path))['region_id']).toBe(from.id);
      // The record contains everything except the region, which is unchanged.
      expect((response.body as ChangeRecord).objects.map(({ kind }) => kind).sort()).toEqual([
        'cell',
        'host',
        'network-device',
      ]);
    });
  });

  describe('of a creation', () => {
    it('deletes the resource and the labels that were created with it', async () => {
      const region = await admin.region();
      const { id } = await admin.host({ region_id: region.id, labels: 'fresh', variables: { a: 1 } });
      expect((await revertLast()).status).toBe(201);
      await admin.get(`/v1/hosts/${String(id)}`).expect(404);
      expect((await admin.get('/v1/labels').expect(200)).body).toEqual([]);
    });

    it.each([
      ['clouds', () => admin.cloud()],
      ['regions', () => admin.region({ labels: 'x', variables: { a: 1 } })],
      ['cells', () => admin.cell({ labels: 'x' })],
      ['labels', () => admin.label({ variables: { a: 1 } })],
      ['access-secrets', () => admin.secret()],
      ['network-devices', () => admin.networkDevice({ vlans: [1], labels: 'x' })],
    ] as const)('deletes one of %s', async (collection, make) => {
      const { id } = await make();
      expect((await revertLast()).status).toBe(201);
      await admin.get(`/v1/${collection}/${String(id)}`).expect(404);
    });

    it('deletes a user and revokes the key', async () => {
      const user = await admin.user();
      await user.get('/v1/regions').expect(200);
      expect((await revertLast()).status).toBe(201);
      await user.get('/v1/regions').expect(401);
    });

    it('deletes a project', async () => {
      const { body: project } = await app.root.post('/v1/projects', { name: aName('p') }).expect(201);
      const [change] = (await app.root.get(`/v1/changes?project_id=${String(project.id)}`).expect(200))
        .body as ChangeRecord[];
      expect((await revert(app.root, change!.id)).status).toBe(201);
      await app.root.get(`/v1/projects/${String(project.id)}`).expect(404);
      // The deletion can be reverted too.
      const [, deletion] = (await app.root.get(`/v1/changes?project_id=${String(project.id)}`).expect(200))
        .body as ChangeRecord[];
      expect((await revert(app.root, deletion!.id)).status).toBe(201);
      const { body: again } = await app.root.get(`/v1/projects/${String(project.id)}`).expect(200);
      expect(again).toMatchObject({ name: project.name, created_at: project.created_at, version: 2 });
    });
  });

  describe('of a deletion', () => {
    const secretless = [
      ['clouds', () => admin.cloud({ note: 'n' })],
      ['regions', () => admin.region({ labels: 'x,y', note: 'n', variables: { a: [1] } })],
      ['cells', () => admin.cell({ labels: 'x,y', variables: { a: [1] } })],
      ['labels', () => admin.label({ variables: { a: null } })],
      ['hosts', () => admin.host({ labels: 'x,y', active: false, note: 'n', variables: { a: 1.5 } })],
      [
        'network-devices',
        () => admin.networkDevice({ labels: 'x', vlans: [1, { a: null }], model_name: 'm' }),
      ],
    ] as const;

    it.each(secretless)('restores one of %s with its id and all fields', async (collection, make) => {
      const made = await make();
      const path = `/v1/${collection}/${String(made.id)}`;
      const before = await show(path);
      await admin.delete(path).expect(204);
      expect((await revertLast()).status).toBe(201);
      const after = await show(path);
      expect(after).toEqual({ ...before, version: 2, updated_at: expect.any(String) });
      // Old entity tags are invalid, and the history continues.
      await admin.delete(path, undefined, { 'If-Match': '"1"' }).expect(412);
      const changes = (await admin.get(`${path}/changes`).expect(200)).body as ChangeRecord[];
      expect(changes.map(({ objects }) => objects.find(({ id }) => id === made.id)?.action)).toEqual([
        'create',
        'delete',
        'create',
      ]);
    });

    it('restores a user without keys', async () => {
      const { credentials } = await admin.user({ roles: ['hosts:write'] });
      const [user] = (await admin.get(`/v1/users?username=${credentials.user}`).expect(200))
        .body as Resource[];
      const path = `/v1/users/${String(user?.id)}`;
      await admin.delete(path).expect(204);
      expect((await revertLast()).status).toBe(201);
      expect(await show(path)).toMatchObject({ username: credentials.user, roles: ['hosts:write'] });
      await admin.as(credentials).get('/v1/regions').expect(401);
    });

    it('restores a device below its parent', async () => {
      const parent = await admin.networkDevice();
      const { id } = await admin.host({ parent_id: parent.id });
      await admin.delete(`/v1/hosts/${String(id)}`).expect(204);
      expect((await revertLast()).status).toBe(201);
      expect((await show(`/v1/hosts/${String(id)}`))['parent_id']).toBe(parent.id);
    });
  });

  describe('is rejected', () => {
    it('if later changes conflict, and names the fields and the changes', async () => {
      const { id } = await admin.host({ note: 'old', variables: { a: 1, b: 1, c: 1 }, labels: 'x' });
      const path = `/v1/hosts/${String(id)}`;
      await admin
        .put(path, { note: 'new', active: false, labels: 'y', variables: { a: 2, b: 2, d: 2 } })
        .expect(200);
      const change = await lastChange(admin);
      await admin.put(path, { note: 'newer', device_type: 'switch', variables: { c: 3 } }).expect(200);
      const second = await lastChange(admin);
      await admin.delete(`${path}/variables`, ['a', 'd']).expect(204);
      const third = await lastChange(admin);
      await admin.put(`${path}/labels`, { labels: ['z'] }).expect(200);
      const fourth = await lastChange(admin);
      await admin.put(path, { note: 'newest' }).expect(200);
      const fifth = await lastChange(admin);
      const before = await show(path);
      const response = await revert(admin, change.id);
      const details = refused(response);
      expect(details.map(({ field }) => field).sort()).toEqual([
        'labels',
        'note',
        'variables.a',
        'variables.d',
      ]);
      const messageOf = (field: string) => details.find((one) => one.field === field)?.message;
      expect(messageOf('note')).toContain(`the changes ${String(second.id)}, ${String(fifth.id)}`);
      expect(messageOf('variables.a')).toContain(`the change ${String(third.id)}`);
      expect(messageOf('labels')).toContain(`the change ${String(fourth.id)}`);
      for (const { id: later } of [second, third, fourth, fifth])
        expect(response.body.message).toContain(String(later));
      expect(await show(path)).toEqual(before);
    });

    it('a second time', async () => {
      const { id } = await admin.host({ note: 'old' });
      await admin.put(`/v1/hosts/${String(id)}`, { note: 'new' }).expect(200);
      const change = await lastChange(admin);
      expect((await revert(admin, change.id)).status).toBe(201);
      expect(refused(await revert(admin, change.id))).toMatchObject([{ field: 'note' }]);
    });

    it('if the changed resource was deleted', async () => {
      const { id } = await admin.host({ variables: { a: 1 } });
      const path = `/v1/hosts/${String(id)}`;
      await admin.put(path, { note: 'new' }).expect(200);
      const noted = await lastChange(admin);
      await admin.delete(`${path}/variables`, ['a']).expect(204);
      const emptied = await lastChange(admin);
      await admin.delete(path).expect(204);
      expect(refused(await revert(admin, noted.id))).toMatchObject([{ field: 'note' }]);
      const response = await revert(admin, emptied.id);
      refused(response);
      expect(response.body.message).toContain('no longer exists');
    });

    it('if the created resource was changed later', async () => {
      const { id } = await admin.host();
      const change = await lastChange(admin);
      await admin.put(`/v1/hosts/${String(id)}/variables`, { a: 1 }).expect(200);
      expect(refused(await revert(admin, change.id))).toMatchObject([{ field: 'variables.a' }]);
    });

    it('if the created resource is in use', async () => {
      const region = await admin.region({ labels: 'shared' });
      const change = await lastChange(admin);
      await admin.host({ region_id: region.id, labels: 'shared' });
      const response = await revert(admin, change.id);
      refused(response);
      expect(response.body.message).toContain('1 device');
    });

    it('if a name is taken', async () => {
      const first = await admin.region({ name: 'contested' });
      await admin.put(`/v1/regions/${String(first.id)}`, { name: 'free' }).expect(200);
      const renaming = await lastChange(admin);
      const second = await admin.region({ name: 'contested' });
      expect(refused(await revert(admin, renaming.id))).toMatchObject([{ field: 'name' }]);
      await admin.delete(`/v1/regions/${String(second.id)}`).expect(204);
      const deletion = await lastChange(admin);
      await admin.region({ name: 'contested' });
      expect(refused(await revert(admin, deletion.id))).toMatchObject([{ field: 'name' }]);
    });

    it('if a referenced resource was deleted', async () => {
      const cloud = await admin.cloud();
      const region = await admin.region({ cloud_id: cloud.id });
      await admin.put(`/v1/regions/${String(region.id)}`, { cloud_id: null }).expect(200);
      const unlinked = await lastChange(admin);
      await admin.delete(`/v1/clouds/${String(cloud.id)}`).expect(204);
      const response = await revert(admin, unlinked.id);
      expect(refused(response)).toMatchObject([{ field: 'cloud_id' }]);
      expect(response.body.message).toContain(`cloud_id ${String(cloud.id)} no longer exists`);

      const { id } = await admin.host({ labels: 'fleeting' });
      await admin.put(`/v1/hosts/${String(id)}`, { labels: [] }).expect(200);
      const bared = await lastChange(admin);
      const [label] = (await admin.get('/v1/labels?name=fleeting').expect(200)).body as Resource[];
      await admin.delete(`/v1/labels/${String(label?.id)}`).expect(204);
      expect(refused(await revert(admin, bared.id))).toMatchObject([{ field: 'label_id' }]);

      const host = await admin.host();
      await admin.delete(`/v1/hosts/${String(host.id)}`).expect(204);
      const deletion = await lastChange(admin);
      await admin.delete(`/v1/regions/${String(host['region_id'])}`).expect(204);
      expect(refused(await revert(admin, deletion.id))).toMatchObject([{ field: 'region_id' }]);
    });

    it('if a device would be in a cell of another region', async () => {
      const [from, to] = [await admin.region(), await admin.region()];
      const cell = await admin.cell({ region_id: to.id });
      const { id } = await admin.host({ region_id: from.id });
      await admin.put(`/v1/hosts/${String(id)}`, { region_id: to.id }).expect(200);
      const move = await lastChange(admin);
      await admin.put(`/v1/hosts/${String(id)}`, { cell_id: cell.id }).expect(200);
      refused(await revert(admin, move.id));

      const moving = await admin.cell({ region_id: from.id });
      await admin.put(`/v1/regions/${String(to.id)}`, { cells: [moving.id] }).expect(200);
      const moved = await lastChange(admin);
      await admin.host({ region_id: to.id, cell_id: moving.id });
      const response = await revert(admin, moved.id);
      refused(response);
      expect(response.body.message).toContain('in use by devices');
    });

    it('if a device would be its own ancestor', async () => {
      const region_id = (await admin.region()).id;
      const [top, below] = [await admin.host({ region_id }), await admin.host({ region_id })];
      await admin.put(`/v1/hosts/${String(top.id)}`, { parent_id: below.id }).expect(200);
      await admin.put(`/v1/hosts/${String(top.id)}`, { parent_id: null }).expect(200);
      const detached = await lastChange(admin);
      await admin.put(`/v1/hosts/${String(below.id)}`, { parent_id: top.id }).expect(200);
      expect(refused(await revert(admin, detached.id))).toMatchObject([{ field: 'parent_id' }]);
    });

    it('if the change recorded no changed field', async () => {
      const secret = await admin.secret();
      await admin.put(`/v1/access-secrets/${String(secret.id)}`, { cert: 'another' }).expect(200);
      const opened = await revertLast();
      refused(opened);
      expect(opened.body.message).toContain('the content of an access secret is not recorded');
      await admin.delete(`/v1/access-secrets/${String(secret.id)}`).expect(204);
      refused(await revertLast());
      const { credentials } = await admin.user();
      const [user] = (await admin.get(`/v1/users?username=${credentials.user}`).expect(200))
        .body as Resource[];
      await admin.post(`/v1/users/${String(user?.id)}/api-key`).expect(201);
      const rekeyed = await revertLast();
      refused(rekeyed);
      expect(rekeyed.body.message).toContain('an API key is not recorded');
    });

    it('for an unknown change, and for one of another project', async () => {
      const stranger = await app.project();
      await stranger.region();
      const [foreignChange] = (await stranger.get('/v1/changes?kind=region').expect(200))
        .body as ChangeRecord[];
      refused(await revert(admin, foreignChange!.id), 404);
      refused(await revert(admin, 987654321), 404);
      await admin.post('/v1/changes/none/revert').expect(400);
      await admin.post(`/v1/changes/${String(foreignChange!.id)}/revert`, { reason: 'x' }).expect(400);
      // Root's revert is recorded in the project of the change.
      const response = await revert(app.root, foreignChange!.id);
      expect(response.body).toMatchObject({ project_id: stranger.projectId });
    });
  });

  it('can be tried first', async () => {
    const region = await admin.region({ variables: { a: 1 } });
    const host = await admin.host({ region_id: region.id });
    const path = `/v1/regions/${String(region.id)}`;
    await admin.put(path, { note: 'new', variables: { a: 2 } }).expect(200);
    const change = await lastChange(admin);
    const dryRun = await admin.post(`/v1/changes/${String(change.id)}/revert?dry_run=true`).expect(200);
    expect(dryRun.body).toMatchObject({
      dry_run: true,
      change: { id: null, objects: [{ kind: 'region', before: { note: 'new' }, after: { note: null } }] },
      impact: { devices: 1, keys: ['a'], items: [{ id: host.id, changes: { a: { before: 2, after: 1 } } }] },
    });
    expect(await lastChange(admin)).toEqual(change);
    expect(await show(path)).toMatchObject({ note: 'new', variables: { a: 2 } });
  });

  it('happens once for a repeated Idempotency-Key', async () => {
    const { id } = await admin.host({ note: 'old' });
    await admin.put(`/v1/hosts/${String(id)}`, { note: 'new' }).expect(200);
    const path = `/v1/changes/${String((await lastChange(admin)).id)}/revert`;
    const key = { 'Idempotency-Key': aName('key') };
    const first = await admin.post(path, undefined, key).expect(201);
    const second = await admin.post(path, undefined, key).expect(201);
    expect(second.body).toEqual(first.body);
    expect(second.headers['location']).toBe(first.headers['location']);
  });

  it('requires a reason if the project demands one', async () => {
    const { id } = await admin.host({ note: 'old' });
    const path = `/v1/hosts/${String(id)}`;
    await admin.put(path, { note: 'new' }).expect(200);
    const change = await lastChange(admin);
    const settings = { change_reason: { required: true, pattern: '^CHG-\\d+' } };
    await admin.put(`/v1/projects/${admin.projectId}/settings`, settings).expect(200);
    await admin.post(`/v1/changes/${String(change.id)}/revert`).expect(400);
    await admin.post(`/v1/changes/${String(change.id)}/revert`, { note: 'CHG-1' }).expect(201);
    expect(await show(path)).toMatchObject({ note: 'old' });
  });

  it('succeeds once for concurrent requests', async () => {
    const secondConnection = await SecondConnection.connect(app.databaseUrl);
    try {
      const { id } = await admin.host({ note: 'old' });
      const path = `/v1/hosts/${String(id)}`;
      await admin.put(path, { note: 'new' }).expect(200);
      const change = await lastChange(admin);
      const lock = lockRows('devices', admin.projectId, id);
      const responses = await secondConnection.whileHolding(
        lock,
        () => Promise.all([1, 2, 3].map(() => revert(admin, change.id))),
        3,
      );
      expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
      await admin.delete(path).expect(204);
      const deletion = await lastChange(admin);
      const again = await Promise.all([1, 2, 3].map(() => revert(admin, deletion.id)));
      expect(again.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
      expect(await show(path)).toMatchObject({ note: 'old' });
    } finally {
      await secondConnection.close();
    }
  });
});
