import { sharedService } from '../support/service';
import type { Caller, Resource } from '../support/caller';

const at = (collection: string, { id }: { id: number }): string => `/v1/${collection}/${String(id)}`;

describe('regions', () => {
  const app = sharedService();
  let admin: Caller;
  beforeEach(async () => {
    admin = await app.project();
  });

  it('are returned with all their fields', async () => {
    const cloud = await admin.cloud();
    const made = await admin.region({
      name: 'eqiad',
      cloud_id: cloud.id,
      labels: 'production,a:b',
      note: 'CHG-1',
      variables: { dns: ['10.0.0.1'] },
    });
    expect(Object.keys(made).sort()).toEqual(
      [
        'id',
        'uuid',
        'project_id',
        'name',
        'cloud_id',
        'cells',
        'labels',
        'note',
        'variables',
        'created_at',
        'updated_at',
        'version',
      ].sort(),
    );
    expect(made).toMatchObject({
      name: 'eqiad',
      cloud_id: cloud.id,
      cells: [],
      labels: 'a:b,production',
      note: 'CHG-1',
      variables: { dns: ['10.0.0.1'] },
    });
  });

  it('need only a name', async () => {
    expect(await admin.region({ name: 'codfw' })).toMatchObject({
      cloud_id: null,
      cells: [],
      labels: '',
      note: null,
      variables: {},
    });
  });

  it('can also be created under the singular path', async () => {
    const body = { name: 'eqiad', labels: ['production'], note: 'n', variables: { a: 1 } };
    const response = await admin.post('/v1/region', body).expect(201);
    const path = at('regions', response.body);
    expect(response.headers).toMatchObject({ location: app.url + path, etag: '"1"' });
    expect((await admin.get(path).expect(200)).body).toEqual(response.body);
    await admin.post('/v1/region', { name: 'eqiad' }).expect(409);
    await admin.post('/v1/region', {}).expect(400);
    const reader = await admin.user();
    await reader.post('/v1/region', { name: 'mine' }).expect(403);
    for (const method of ['get', 'put', 'delete'] as const)
      expect((await admin.send(method, '/v1/region').expect(405)).headers['allow']).toBe('POST');
  });

  it('can have the same name in different projects', async () => {
    await admin.region({ name: 'eqiad' });
    await (await app.project()).region({ name: 'eqiad' });
  });

  it('replace labels, merge variables and keep all other fields in an update', async () => {
    const region = await admin.region({
      labels: 'a,b',
      note: 'first',
      variables: { a: 1, b: { c: 1, d: 2 } },
    });
    const path = at('regions', region);
    const put = async (body: object) => (await admin.put(path, body).expect(200)).body as Resource;
    expect(await put({ labels: ['c', 'b'] })).toMatchObject({ labels: 'b,c', note: 'first' });
    expect(await put({ variables: { b: { c: 3 }, e: null } })).toMatchObject({
      labels: 'b,c',
      variables: { a: 1, b: { c: 3 }, e: null },
    });
    expect(await put({ labels: '' })).toMatchObject({ labels: '', note: 'first' });
    expect(await put({ labels: 'x', note: null })).toMatchObject({ labels: 'x', note: null });
    expect(await put({ labels: [] })).toMatchObject({ labels: '' });
    expect(await put({ note: '' })).toMatchObject({ note: '', variables: { a: 1, b: { c: 3 }, e: null } });
  });

  it('show the ids and names of their cells, sorted by name', async () => {
    const region = await admin.region();
    const b = await admin.cell({ region_id: region.id, name: 'b' });
    const a = await admin.cell({ region_id: region.id, name: 'a' });
    await admin.cell();
    const cells = [
      { id: a.id, name: 'a' },
      { id: b.id, name: 'b' },
    ];
    expect((await admin.get(at('regions', region)).expect(200)).body.cells).toEqual(cells);
    const [listed] = (await admin.get(`/v1/regions?name=${region.name}`).expect(200)).body;
    expect(listed.cells).toEqual(cells);
    expect((await admin.put(at('regions', region), {}).expect(200)).body.cells).toEqual(cells);
  });

  it('cannot be deleted while they contain cells and devices', async () => {
    const region = await admin.region({ labels: 'a' });
    const cell = await admin.cell({ region_id: region.id });
    const host = await admin.host({ region_id: region.id });
    const device = await admin.networkDevice({ region_id: region.id, cell_id: cell.id });
    const path = at('regions', region);
    const errorMessages = async () =>
      (await admin.delete(path).expect(409)).body.details.map(
        (detail: { message: string }) => detail.message,
      );
    expect(await errorMessages()).toEqual(['still used by 1 cell', 'still used by 2 devices']);
    await admin.delete(at('hosts', host)).expect(204);
    await admin.delete(at('network-devices', device)).expect(204);
    expect(await errorMessages()).toEqual(['still used by 1 cell']);
    await admin.delete(at('cells', cell)).expect(204);
    await admin.delete(path).expect(204);
    // The label does not belong to the region.
    expect((await admin.get('/v1/labels?label=a').expect(200)).body).toHaveLength(1);
  });

  describe('move cells', () => {
    /** Two regions. The first contains a cell with a host and a network device, and one of each outside of it. */
    async function twoRegions() {
      const [from, to] = [
        await admin.region({ variables: { site: 'from' } }),
        await admin.region({ variables: { site: 'to' } }),
      ];
      const region_id = from.id;
      const cell = await admin.cell({ region_id });
      const staying = await admin.cell({ region_id });
      const host = await admin.host({ region_id, cell_id: cell.id });
      const device = await admin.networkDevice({ region_id, cell_id: cell.id, parent_id: host.id });
      const neighbour = await admin.host({ region_id, cell_id: staying.id, parent_id: host.id });
      const loose = await admin.host({ region_id });
      return { from, to, cell, staying, host, device, neighbour, loose };
    }

    it.each([
      ['ids', (id: number): unknown => id],
      ['objects with an id', (id: number): unknown => ({ id })],
      ['objects as in responses', (id: number): unknown => ({ id, name: 'any name' })],
    ])('named as %s, together with their devices', async (_, named) => {
      const { from, to, cell, staying, host, device, neighbour, loose } = await twoRegions();
      const { body } = await admin.put(at('regions', to), { cells: [named(cell.id)] }).expect(200);
      expect(body).toMatchObject({ cells: [{ id: cell.id, name: cell.name }], version: 2 });
      const read = async (path: string) => (await admin.get(path).expect(200)).body as Resource;
      expect(await read(at('cells', cell))).toMatchObject({ region_id: to.id, version: 2 });
      expect(await read(at('cells', cell))).toHaveProperty('variables', { site: 'to' });
      for (const path of [at('hosts', host), at('network-devices', device)])
        expect(await read(path)).toMatchObject({
          region_id: to.id,
          cell_id: cell.id,
          version: 2,
          updated_at: expect.any(String),
          variables: { site: 'to' },
        });
      for (const path of [at('cells', staying), at('hosts', neighbour), at('hosts', loose)])
        expect(await read(path)).toMatchObject({ region_id: from.id, version: 1, updated_at: null });
      expect((await read(at('regions', from)))['cells']).toEqual([{ id: staying.id, name: staying.name }]);
    });

    it('but not cells that are not named', async () => {
      const { from, cell, staying } = await twoRegions();
      await admin.put(at('regions', from), { cells: [] }).expect(200);
      await admin.put(at('regions', from), { cells: [staying.id] }).expect(200);
      for (const one of [cell, staying])
        expect((await admin.get(at('cells', one)).expect(200)).body).toMatchObject({
          region_id: from.id,
          version: 1,
        });
    });

    it('in one change, which records everything that moved', async () => {
      const { from, to, cell, host, device } = await twoRegions();
      await admin
        .put(at('regions', to), { cells: [cell.id, cell.id] }, { 'X-Request-Id': `move-${String(cell.id)}` })
        .expect(200);
      const { body } = await admin.get(`/v1/changes?request_id=move-${String(cell.id)}`).expect(200);
      expect(body).toHaveLength(1);
      const moved = (
        body[0].objects as { kind: string; id: number; before: Resource; after: Resource }[]
      ).filter(({ kind }) => kind !== 'region');
      expect(
        moved
          .map(({ kind, id, before, after }) => [kind, id, before['region_id'], after['region_id']])
          .sort(),
      ).toEqual(
        [
          ['cell', cell.id, from.id, to.id],
          ['host', host.id, from.id, to.id],
          ['network-device', device.id, from.id, to.id],
        ].sort(),
      );
    });

    it('atomically', async () => {
      const { to, cell, staying, host } = await twoRegions();
      const foreign = await (await app.project()).cell();
      await admin.cell({ region_id: to.id, name: staying.name });
      const unmoved = async () => {
        for (const path of [at('cells', cell), at('hosts', host), at('regions', to)])
          expect((await admin.get(path).expect(200)).body.version).toBe(1);
      };
      for (const absent of [foreign.id, 987654321, -1]) {
        const { body } = await admin
          .put(at('regions', to), { note: 'moved', cells: [cell.id, absent] })
          .expect(405);
        expect(body).toMatchObject({ code: 'validation_exception', details: [{ field: 'cells' }] });
        await unmoved();
      }
      // The other region has a cell with that name.
      expect(
        (await admin.put(at('regions', to), { cells: [cell.id, staying.id] }).expect(409)).body.code,
      ).toBe('conflict');
      await unmoved();
    });

    it.each([['1'], ['abc'], [null], [1.5], [[1]], [{ name: 'a' }], [{ id: '1' }], [true]])(
      'but reject a cell named by %j',
      async (named) => {
        const region = await admin.region();
        const { body } = await admin.put(at('regions', region), { cells: [named] }).expect(400);
        expect(body.details).toEqual([
          { field: 'cells', code: expect.any(String), message: expect.any(String) },
        ]);
      },
    );

    it('only when named in an array, and only in an update', async () => {
      const region = await admin.region();
      for (const cells of [1, 'a', null, { id: 1 }])
        await admin.put(at('regions', region), { cells }).expect(400);
      await admin.post('/v1/regions', { name: 'r', cells: [] }).expect(400);
    });

    it('only for callers with the roles for cells and regions', async () => {
      const { to, cell } = await twoRegions();
      const user = await admin.user({ roles: ['regions:write'] });
      await user.put(at('regions', to), { cells: [cell.id] }).expect(403);
      const both = await admin.user({ roles: ['regions:write', 'cells:write'] });
      await both.put(at('regions', to), { cells: [cell.id] }).expect(200);
    });
  });
});
