import { sharedService } from '../support/service';
import type { Caller } from '../support/caller';

describe('clouds', () => {
  const app = sharedService();
  let admin: Caller;
  beforeEach(async () => {
    admin = await app.project();
  });

  it('have a name and a note', async () => {
    const cloud = await admin.cloud({ name: 'private', note: 'bought' });
    expect(cloud).toMatchObject({ name: 'private', note: 'bought' });
    const path = `/v1/clouds/${String(cloud.id)}`;
    expect((await admin.put(path, { note: null }).expect(200)).body).toMatchObject({
      name: 'private',
      note: null,
    });
  });

  it('contain regions, which can be added and removed', async () => {
    const cloud = await admin.cloud();
    const inside = await admin.region({ cloud_id: cloud.id });
    const outside = await admin.region();
    expect([inside['cloud_id'], outside['cloud_id']]).toEqual([cloud.id, null]);
    const list = `/v1/regions?cloud_id=${String(cloud.id)}&fields=id`;
    expect((await admin.get(list).expect(200)).body).toEqual([{ id: inside.id }]);
    await admin.put(`/v1/regions/${String(outside.id)}`, { cloud_id: cloud.id }).expect(200);
    await admin.put(`/v1/regions/${String(inside.id)}`, { cloud_id: null }).expect(200);
    expect((await admin.get(list).expect(200)).body).toEqual([{ id: outside.id }]);
  });

  it('cannot be deleted while they contain regions, and the error counts them', async () => {
    const cloud = await admin.cloud();
    const regions = [await admin.region({ cloud_id: cloud.id }), await admin.region({ cloud_id: cloud.id })];
    const path = `/v1/clouds/${String(cloud.id)}`;
    const { body } = await admin.delete(path).expect(409);
    expect(body.details).toEqual([{ field: 'id', code: 'in_use', message: 'still used by 2 regions' }]);
    for (const region of regions)
      await admin.put(`/v1/regions/${String(region.id)}`, { cloud_id: null }).expect(200);
    await admin.delete(path).expect(204);
  });

  it('filter cells and devices, too', async () => {
    const cloud = await admin.cloud();
    const { id: region_id } = await admin.region({ cloud_id: cloud.id });
    const cell = await admin.cell({ region_id });
    const host = await admin.host({ region_id, cell_id: cell.id });
    const device = await admin.networkDevice({ region_id });
    await admin.cell();
    await admin.host();
    await admin.networkDevice();
    for (const [list, id] of [
      ['cells', cell.id],
      ['hosts', host.id],
      ['network-devices', device.id],
    ] as const)
      expect(
        (await admin.get(`/v1/${list}?cloud_id=${String(cloud.id)}&fields=id`).expect(200)).body,
      ).toEqual([{ id }]);
  });

  it('are rejected as the cloud of a region if they do not exist', async () => {
    const foreign = await (await app.project()).cloud();
    for (const cloud_id of [foreign.id, 987654321, 0, -1]) {
      const { body } = await admin.post('/v1/regions', { name: 'r', cloud_id }).expect(405);
      expect(body).toMatchObject({ code: 'validation_exception', details: [{ field: 'cloud_id' }] });
    }
    await admin.post('/v1/regions', { name: 'r', cloud_id: 'private' }).expect(400);
  });
});
