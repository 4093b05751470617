import { sharedService } from '../support/service';
import type { Caller, Resource } from '../support/caller';

const at = ({ id }: Resource): string => `/v1/labels/${String(id)}`;

describe('labels', () => {
  const app = sharedService();
  let admin: Caller;
  beforeEach(async () => {
    admin = await app.project();
  });

  it('are returned with all their fields', async () => {
    const label = await admin.label({ label: 'rack:4', variables: { row: 4 } });
    expect(label).toEqual({
      id: label.id,
      uuid: label.uuid,
      project_id: admin.projectId,
      label: 'rack:4',
      variables: { row: 4 },
      created_at: label['created_at'],
      updated_at: null,
      version: 1,
    });
  });

  it.each([
    'a',
    'key:value',
    'a:b:c',
    'with space',
    'ÄÖ',
    '日本',
    '*',
    '"',
    'x'.repeat(255),
    '😀'.repeat(255),
  ])('accept the name %j', async (label) => {
    expect(await admin.label({ label })).toMatchObject({ label });
    const host = await admin.host({ labels: [label] });
    expect(host['labels']).toBe(label);
  });

  it.each([
    '',
    'a,b',
    ',',
    'a\tb',
    'a\nb',
    '\u0000',
    '\u007f',
    '\u0085',
    '\ud800',
    'x'.repeat(256),
    1,
    null,
    ['a'],
  ])('reject the name %j', async (label) => {
    const { body } = await admin.post('/v1/labels', { label }).expect(400);
    expect(body.details).toEqual([{ field: 'label', code: expect.any(String), message: expect.any(String) }]);
  });

  it('merge a variable update into the existing variables', async () => {
    const label = await admin.label({ variables: { a: 1, b: { c: 1 } } });
    const { body } = await admin.put(at(label), { variables: { b: 2 } }).expect(200);
    expect(body).toMatchObject({ label: label['label'], variables: { a: 1, b: 2 } });
  });

  it('keep their resources when they are renamed', async () => {
    const host = await admin.host({ labels: 'b,c' });
    const [label] = (await admin.get('/v1/labels?label=b').expect(200)).body;
    await admin.put(at(label), { label: 'z' }).expect(200);
    const { body } = await admin.get(`/v1/hosts/${String(host.id)}`).expect(200);
    expect(body.labels).toBe('c,z');
  });

  it('cannot be deleted while they are in use, and the error lists the resource kinds', async () => {
    const { id: region_id } = await admin.region({ labels: 'compute' });
    const cell = await admin.cell({ region_id, labels: 'compute' });
    await admin.host({ region_id, labels: 'compute' });
    const device = await admin.networkDevice({ region_id, labels: 'compute' });
    const [label] = (await admin.get('/v1/labels?label=compute').expect(200)).body;
    const errorMessages = async () =>
      (await admin.delete(at(label)).expect(409)).body.details.map(
        (detail: { message: string }) => detail.message,
      );
    expect(await errorMessages()).toEqual([
      'still used by 2 devices',
      'still used by 1 region',
      'still used by 1 cell',
    ]);
    await admin.put(`/v1/network-devices/${String(device.id)}`, { labels: '' }).expect(200);
    await admin.put(`/v1/cells/${String(cell.id)}`, { labels: [] }).expect(200);
    expect(await errorMessages()).toEqual(['still used by 1 device', 'still used by 1 region']);
  });

  it('remain when the last resource that uses them is deleted', async () => {
    const host = await admin.host({ labels: 'compute' });
    await admin.delete(`/v1/hosts/${String(host.id)}`).expect(204);
    const [label] = (await admin.get('/v1/labels?label=compute').expect(200)).body;
    await admin.delete(at(label)).expect(204);
  });

  it('are filtered by name with either of two parameters', async () => {
    const label = await admin.label({ label: 'compute' });
    await admin.label({ label: 'storage' });
    for (const query of ['label=compute', 'name=compute'])
      expect((await admin.get(`/v1/labels?${query}`).expect(200)).body).toEqual([label]);
    expect((await admin.get('/v1/labels?label=comp').expect(200)).body).toEqual([]);
    await admin.get('/v1/labels?label=compute&label=storage').expect(400);
  });

  it('are created when a resource first uses them', async () => {
    await admin.region({ labels: 'one' });
    await admin.cell({ labels: ['two'] });
    await admin.host({ labels: 'three,one' });
    const { body } = await admin.get('/v1/labels?fields=label&sort_keys=label').expect(200);
    expect(body).toEqual([{ label: 'one' }, { label: 'three' }, { label: 'two' }]);
  });
});
