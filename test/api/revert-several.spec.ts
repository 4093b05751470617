import { sharedService } from '../support/service';
import type { Caller, Resource } from '../support/caller';
import { importLines } from '../support/importing';
import { doRevert, lastChange, refused, revert, type ChangeRecord } from '../support/reverts';

describe('reverting several changes', () => {
  const app = sharedService();
  let admin: Caller;
  beforeEach(async () => {
    admin = await app.project();
  });
  const show = async (path: string): Promise<Resource> =>
    (await admin.get(path).expect(200)).body as Resource;
  const revertAll = (ids: readonly number[]) => {
    const [first, ...others] = ids;
    return admin.post(`/v1/changes/${String(first)}/revert`, { additional_ids: others });
  };
  const lastIds = async (count: number): Promise<number[]> =>
    Promise.all(Array.from({ length: count }, async (_, back) => (await lastChange(admin, back)).id));

  it('restores what was before the oldest, with one change, in any order of the ids', async () => {
    const { id } = await admin.host({ note: 'first', labels: 'one', variables: { a: 1 } });
    const path = `/v1/hosts/${String(id)}`;
    await admin.put(path, { note: 'second', variables: { a: 2, b: 2 } }).expect(200);
    await admin.put(path, { note: 'third', labels: 'two' }).expect(200);
    await admin.put(`${path}/variables`, { a: 4, c: 4 }).expect(200);
    const [newest = 0, middle = 0, oldest = 0] = await lastIds(3);
    refused(await revertAll([oldest, middle]));
    const { body } = await revertAll([oldest, newest, middle, newest]).expect(201);
    expect(await lastIds(2)).toEqual([(body as ChangeRecord).id, newest]);
    expect(body).toMatchObject({ reverts: [newest, middle, oldest], reverted_by: [] });
    expect(await show(`/v1/changes/${String(middle)}`)).toMatchObject({
      reverts: [],
      reverted_by: [(body as ChangeRecord).id],
    });
    expect((body as ChangeRecord).objects).toMatchObject([
      { kind: 'host', id, action: 'update', before: { note: 'third' }, after: { note: 'first' } },
      { kind: 'label', name: 'two', action: 'delete' },
    ]);
    expect(await show(`${path}?resolved-values=false`)).toMatchObject({
      note: 'first',
      labels: 'one',
      variables: { a: 1 },
    });
    // The new change is one like any other.
    expect((await revert(admin, (body as ChangeRecord).id)).status).toBe(201);
    expect(await show(path)).toMatchObject({ note: 'third', variables: { a: 4, b: 2, c: 4 } });
  });

  it('does not name changes that the reader cannot see', async () => {
    const { id } = await admin.host();
    await admin.put(`/v1/hosts/${String(id)}`, { note: 'x' }).expect(200);
    await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: ['secret'] }).expect(200);
    const [settings = 0, note = 0] = await lastIds(2);
    const { body } = await revertAll([settings, note]).expect(201);
    expect(body).toMatchObject({ reverts: [settings, note] });
    const reader = await admin.user();
    await reader.get(`/v1/changes/${String(settings)}`).expect(404);
    const revertId = (body as ChangeRecord).id;
    expect((await reader.get(`/v1/changes/${String(revertId)}`).expect(200)).body).toMatchObject({
      reverts: [note],
    });
    expect((await reader.get(`/v1/changes/${String(note)}`).expect(200)).body).toMatchObject({
      reverted_by: [revertId],
    });
  });

  it('recreates what was updated before its deletion, and deletes what was updated after its creation', async () => {
    const { id } = await admin.host({ note: 'first' });
    const path = `/v1/hosts/${String(id)}`;
    await admin.put(path, { note: 'second' }).expect(200);
    await admin.delete(path).expect(204);
    await revertAll(await lastIds(2)).expect(201);
    expect(await show(path)).toMatchObject({ note: 'first' });
    const created = await admin.host({ note: 'new' });
    await admin.put(`/v1/hosts/${String(created.id)}`, { note: 'newer' }).expect(200);
    const [update = 0, creation = 0] = await lastIds(2);
    const { body } = await revertAll([creation, update]).expect(201);
    expect((body as ChangeRecord).objects).toMatchObject([
      { id: created.id, action: 'delete', before: { note: 'newer' }, after: null },
    ]);
    await admin.get(`/v1/hosts/${String(created.id)}`).expect(404);
  });

  it('happens completely or not at all', async () => {
    const { id } = await admin.host({ note: 'first' });
    const path = `/v1/hosts/${String(id)}`;
    await admin.put(path, { note: 'second' }).expect(200);
    await admin.put(path, { note: 'third' }).expect(200);
    await admin.put(path, { active: false }).expect(200);
    const [active = 0, , second = 0] = await lastIds(3);
    const [detail] = refused(await revertAll([active, second]));
    expect(detail).toMatchObject({ field: 'note' });
    expect(await show(path)).toMatchObject({ note: 'third', active: false });
  });

  it('is rejected for a resource that one creates and another one deletes', async () => {
    const { id } = await admin.host();
    await admin.delete(`/v1/hosts/${String(id)}`).expect(204);
    const [deletion = 0, creation = 0] = await lastIds(2);
    const response = await revertAll([creation, deletion]).expect(409);
    expect((response.body as { message: string }).message).toContain(
      `the change ${String(creation)} creates the host`,
    );
    await revertAll([deletion]).expect(201);
    const [recreation = 0] = await lastIds(1);
    await revertAll([recreation, deletion]).expect(409);
    expect(await lastIds(1)).toEqual([recreation]);
  });

  it('is rejected for invalid lists, unknown changes, and changes of another project', async () => {
    const { id } = await admin.host({ note: 'old' });
    await admin.put(`/v1/hosts/${String(id)}`, { note: 'new' }).expect(200);
    const [change = 0] = await lastIds(1);
    const path = `/v1/changes/${String(change)}/revert`;
    const invalid = [null, 1, ['1'], [0], [1.5], [2 ** 60], Array.from({ length: 100 }, (_, i) => i + 1)];
    for (const ids of invalid) await admin.post(path, { additional_ids: ids }).expect(400);
    const other = await app.project();
    await other.host();
    const foreign = (await lastChange(other)).id;
    await admin.post(path, { additional_ids: [foreign] }).expect(405);
    await app.root.post(path, { additional_ids: [foreign] }).expect(405);
    expect(await lastIds(1)).toEqual([change]);
  });
});

describe('the revert of an import', () => {
  const app = sharedService();

  it('deletes devices with their parents, at any depth', async () => {
    const admin = await app.project();
    await admin.region({ name: 'north' });
    const device = { region: 'north', ip_address: '10.0.0.1', device_type: 'server' };
    await importLines(admin, [
      { kind: 'network-device', name: 'top', ...device },
      { kind: 'host', name: 'middle', parent: 'top', ...device },
      { kind: 'host', name: 'low', parent: 'middle', ...device },
      { kind: 'host', name: 'lowest', parent: 'low', ...device },
    ]);
    const { id } = await lastChange(admin);
    const { objects } = await doRevert(admin, id);
    const deleted = objects.filter(({ action }) => action === 'delete');
    expect(deleted.map(({ name }) => name).sort()).toEqual(['low', 'lowest', 'middle', 'top']);
    for (const collection of ['hosts', 'network-devices'])
      expect((await admin.get(`/v1/${collection}`).expect(200)).body).toEqual([]);
  });
});
