import { sharedService } from '../support/service';
import type { Caller, Resource } from '../support/caller';

const at = ({ id }: Resource): string => `/v1/cells/${String(id)}`;

describe('cells', () => {
  const app = sharedService();
  let admin: Caller;
  beforeEach(async () => {
    admin = await app.project();
  });

  it('are returned with all members and inherited variables', async () => {
    const region = await admin.region({ variables: { dns: ['10.0.0.1'], row: 1 } });
    const cell = await admin.cell({
      region_id: region.id,
      name: 'rack-1',
      labels: ['b', 'a', 'b'],
      note: 'CHG-1',
      variables: { row: 2 },
    });
    expect(cell).toEqual({
      id: cell.id,
      uuid: cell.uuid,
      project_id: admin.projectId,
      name: 'rack-1',
      region_id: region.id,
      labels: 'a,b',
      note: 'CHG-1',
      variables: { dns: ['10.0.0.1'], row: 2 },
      created_at: cell['created_at'],
      updated_at: null,
      version: 1,
    });
    const { body } = await admin.get(`${at(cell)}?resolved-values=false`).expect(200);
    expect(body.variables).toEqual({ row: 2 });
  });

  it('have default values for optional members', async () => {
    expect(await admin.cell()).toMatchObject({ labels: '', note: null, variables: {} });
  });

  it('have a name that is unique in the region', async () => {
    const [one, two] = [await admin.region(), await admin.region()];
    await admin.cell({ region_id: one.id, name: 'rack-1' });
    await admin.cell({ region_id: two.id, name: 'rack-1' });
    const { body } = await admin.post('/v1/cells', { region_id: one.id, name: 'rack-1' }).expect(409);
    expect(body).toMatchObject({ code: 'conflict', details: [{ field: 'name' }] });
  });

  it('cannot be created in a region that does not exist', async () => {
    const foreign = await (await app.project()).region();
    for (const region_id of [foreign.id, 987654321, 0, -1]) {
      const { body } = await admin.post('/v1/cells', { name: 'c', region_id }).expect(405);
      expect(body).toMatchObject({ code: 'validation_exception', details: [{ field: 'region_id' }] });
    }
  });

  it('keep their region: an update may repeat it, but not change it', async () => {
    const cell = await admin.cell();
    const other = await admin.region();
    await admin.put(at(cell), { region_id: cell['region_id'], note: 'same' }).expect(200);
    for (const region_id of [other.id, 987654321]) {
      const { body } = await admin.put(at(cell), { region_id, note: 'moved' }).expect(405);
      expect(body).toMatchObject({ code: 'validation_exception', details: [{ field: 'region_id' }] });
    }
    expect((await admin.get(at(cell)).expect(200)).body).toMatchObject({
      region_id: cell['region_id'],
      note: 'same',
      version: 2,
    });
    await admin.put(at(cell), { region_id: null }).expect(400);
  });

  it('replace labels, merge variables and keep other members on update', async () => {
    const cell = await admin.cell({ labels: 'a,b', note: 'first', variables: { a: 1, b: 2 } });
    const put = async (body: object) => (await admin.put(at(cell), body).expect(200)).body as Resource;
    expect(await put({ labels: 'c' })).toMatchObject({
      labels: 'c',
      note: 'first',
      variables: { a: 1, b: 2 },
    });
    expect(await put({ variables: { b: 3, c: 4 } })).toMatchObject({
      name: cell.name,
      labels: 'c',
      variables: { a: 1, b: 3, c: 4 },
    });
    expect(await put({ note: null, labels: [] })).toMatchObject({ labels: '', note: null });
  });

  it('cannot be deleted while they contain devices of any kind', async () => {
    const cell = await admin.cell();
    const location = { region_id: cell['region_id'], cell_id: cell.id };
    const host = await admin.host(location);
    await admin.networkDevice(location);
    const { body } = await admin.delete(at(cell)).expect(409);
    expect(body.details).toEqual([{ field: 'id', code: 'in_use', message: 'still used by 2 devices' }]);
    expect((await admin.get(`/v1/hosts/${String(host.id)}`).expect(200)).body.cell_id).toBe(cell.id);
  });

  it('are listed by region, name and label', async () => {
    const cell = await admin.cell({ name: 'rack-1', labels: 'a,b' });
    await admin.cell({ name: 'rack-2', labels: 'a' });
    for (const query of [
      `region_id=${String(cell['region_id'])}`,
      'name=rack-1',
      'label=b',
      'label=a&label=b',
    ])
      expect((await admin.get(`/v1/cells?${query}&fields=id`).expect(200)).body).toEqual([{ id: cell.id }]);
    for (const query of ['name=rack', 'name=RACK-1', 'label=c', 'label=a&label=c', 'label='])
      expect((await admin.get(`/v1/cells?${query}`).expect(200)).body).toEqual([]);
  });
});
