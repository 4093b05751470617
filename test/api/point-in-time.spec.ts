import { sharedService } from '../support/service';
import { lockRows, SecondConnection } from '../support/second-connection';
import { aName, type Caller, type Resource } from '../support/caller';
import { eachCollection, inOneProject, makeOne, someCollections, without } from '../support/collections';

describe('at=', () => {
  const app = sharedService();
  const shared = inOneProject(app);
  let secondConnection: SecondConnection;
  beforeAll(async () => {
    secondConnection = await SecondConnection.connect(app.databaseUrl);
  });
  afterAll(async () => {
    await secondConnection.close();
  });

  const body = async (caller: Caller, path: string): Promise<Resource> =>
    (await caller.get(path).expect(200)).body as Resource;

  /** The time of the newest change of a resource. */
  async function changed(caller: Caller, path: string): Promise<string> {
    const records = (await caller.get(`${path}/changes?sort_dir=desc&limit=1`).expect(200))
      .body as Resource[];
    return String(records[0]?.['created_at']);
  }

  describe.each(eachCollection)('of %s', (_, one) => {
    it('shows a resource as it was before later changes, and returns 404 before its creation', async () => {
      const { caller, path } = await makeOne(shared, one);
      const first = without(await body(caller, path), 'cert');
      const createdAt = await changed(caller, path);
      await caller.put(path, one.change()).expect(200);
      const second = without(await body(caller, path), 'cert');
      const changedAt = await changed(caller, path);
      await caller.delete(path).expect(204);
      const deletedAt = await changed(caller, path);

      await caller.get(path).expect(404);
      for (const [time, expected] of [
        [createdAt, first],
        [String(first['created_at']), first],
        [changedAt, second],
        [String(second['updated_at']), second],
      ] as const) {
        const response = await caller.get(`${path}?at=${time}`).expect(200);
        expect(response.body).toEqual(expected);
        expect(response.headers['etag']).toBeUndefined();
      }
      for (const time of [deletedAt, '2001-01-01T00:00:00'])
        expect((await caller.get(`${path}?at=${time}`).expect(404)).body.code).toBe('not_found');
      await caller.get(`/v1/${one.collection}/${one.absentId}?at=${changedAt}`).expect(404);
    });
  });

  describe.each(someCollections.map(([name, one], i) => [name, one, i] as const))(
    'of %s',
    (_, one, index) => {
      it('rejects malformed and future times: see test/unit/parameters.spec.ts', async () => {
        const { caller, path, made } = await makeOne(shared, one);
        const time = String(made['created_at']);
        const route = one.carriesVariables ? `${path}/variables` : path;
        const malformed = ['yesterday', '', '2021-02-29T00:00:00', `${time}&at=${time}`];
        for (const text of ['2999-01-01T00:00:00', malformed[index % malformed.length] ?? '']) {
          const { body } = await caller.get(`${route}?at=${text}`).expect(400);
          const message = text.includes('&') ? 'can be given only once' : expect.any(String);
          expect(body.details).toEqual([{ field: 'at', code: expect.any(String), message }]);
        }
      });
    },
  );

  it('is rejected by lists, change records and writes', async () => {
    const admin = await app.project();
    const host = await admin.host();
    const at = `at=${String(host['created_at'])}`;
    const [record] = (await admin.get('/v1/changes?limit=1').expect(200)).body as Resource[];
    const path = `/v1/hosts/${String(host.id)}`;
    await admin.get(`/v1/hosts?${at}`).expect(400);
    await admin.get(`/v1/changes/${String(record?.id)}?${at}`).expect(400);
    await admin.put(`${path}?${at}`, {}).expect(400);
    await admin.put(`${path}/variables?${at}`, {}).expect(400);
  });

  it('keeps every digit, on all routes', async () => {
    const admin = await app.project();
    const region = await admin.region();
    const host = await admin.host({ region_id: region.id });
    const path = `/v1/hosts/${String(host.id)}`;
    await admin
      .put(`/v1/regions/${String(region.id)}/variables`, '{"of_region": 9007199254740993}')
      .expect(200);
    await admin.put(`${path}/variables`, '{"own": 1.50, "__proto__": [0.10]}').expect(200);
    const now: Record<string, string> = {};
    const routes = [
      '',
      '?resolved-values=false',
      '/variables',
      '/variables?resolved-values=true',
      '/variables/explain',
    ];
    for (const route of routes) now[route] = (await admin.get(path + route).expect(200)).text;
    const at = `at=${await changed(admin, path)}`;
    await admin.delete(path).expect(204);
    for (const route of routes) {
      const { text } = await admin.get(`${path}${route}${route.includes('?') ? '&' : '?'}${at}`).expect(200);
      expect(text).toBe(now[route]);
      expect(text).toContain('1.50');
    }
  });

  it('shows a variable as it was', async () => {
    const admin = await app.project();
    const host = await admin.host();
    const path = `/v1/hosts/${String(host.id)}`;
    const variable = `${path}/variables/serial`;
    const { body: set } = await admin.put(`${path}/variables`, '{"serial": 9007199254740993}').expect(200);
    expect(set).toHaveProperty('variables.serial');
    const changedAt = await changed(admin, path);
    await admin.put(variable, { value: null }).expect(200);
    const later = await changed(admin, path);
    await admin.delete(path).expect(204);
    const response = await admin.get(`${variable}?at=${changedAt}`).expect(200);
    expect(response.text).toBe('{"key":"serial","value":9007199254740993}');
    expect(response.headers['etag']).toBeUndefined();
    expect((await admin.get(`${variable}?at=${later}`).expect(200)).body).toEqual({
      key: 'serial',
      value: null,
    });
    await admin.get(`${variable}?at=${String(host['created_at'])}`).expect(404);
    await admin.get(`${variable}?at=${await changed(admin, path)}`).expect(404);
    await admin.get(`${variable}?at=2999-01-01T00:00:00`).expect(400);
  });

  it('accepts dates alone and offsets', async () => {
    const admin = await app.project();
    const path = `/v1/hosts/${String((await admin.host()).id)}`;
    const { created_at: created } = (await admin.get(path).expect(200)).body as { created_at: string };
    const ahead = new Date(Date.parse(`${created.slice(0, 19)}Z`) + 90 * 60_000).toISOString().slice(0, 19);
    const later = `${ahead}${created.slice(19)}`;
    for (const at of [
      created,
      `${created}Z`,
      `${created}+00:00`,
      `${later}+01:30`,
      encodeURIComponent(`${later}+01:30`),
    ])
      expect([at, (await admin.get(`${path}?at=${at}`)).status]).toEqual([at, 200]);
    for (const at of [created.slice(0, 10), `${later}+01:31`, `${created}+00:01`])
      expect([at, (await admin.get(`${path}?at=${at}`)).status]).toEqual([at, 404]);
    const changes = async (query: string) =>
      ((await admin.get(`/v1/changes?kind=host&${query}`).expect(200)).body as unknown[]).length;
    expect(await changes(`since=${created.slice(0, 10)}`)).toBe(1);
    expect(await changes(`until=${created.slice(0, 10)}`)).toBe(0);
  });

  it('says by name that a resource did not exist yet', async () => {
    const admin = await app.project();
    const host = await admin.host({ variables: { serial: 1 } });
    const stranger = await app.project();
    const path = `/v1/hosts/${String(host.id)}`;
    const at = 'at=2017-02-16';
    for (const route of ['?', '/variables?', '/variables/serial?', '/variables/explain?key=serial&']) {
      const { body } = await admin.get(`${path}${route}${at}`).expect(404);
      expect(body.message).toBe(
        `The host ${host.name} did not exist yet (created ${String(host['created_at'])}).`,
      );
      expect((await stranger.get(`${path}${route}${at}`).expect(404)).body.message).toBe(
        `There is no host ${String(host.id)}.`,
      );
    }
    await admin.delete(path).expect(204);
    expect((await admin.get(`${path}?${at}`).expect(404)).body.message).toBe(
      `There is no host ${String(host.id)}.`,
    );
  });

  it('resolves with the labels of that time, in the order of their names', async () => {
    const admin = await app.project();
    const [a, b] = [
      await admin.label({ label: 'a', variables: { key: 'of a' } }),
      await admin.label({ label: 'b', variables: { key: 'of b' } }),
    ];
    const host = await admin.host({ labels: ['a', 'b'] });
    const path = `/v1/hosts/${String(host.id)}`;
    const changedAt = await changed(admin, path);
    const renamed = await admin.put(`/v1/labels/${String(a.id)}`, { label: 'c' }).expect(200);
    await admin.put(path, { labels: [] }).expect(200);
    await admin.delete(`/v1/labels/${String(b.id)}`).expect(204);
    expect(await body(admin, `${path}?at=${changedAt}`)).toMatchObject({
      labels: 'a,b',
      variables: { key: 'of b' },
    });
    expect(await body(admin, `${path}?at=${String(renamed.body.updated_at)}`)).toMatchObject({
      labels: 'b,c',
      variables: { key: 'of a' },
    });
    expect(await body(admin, path)).toMatchObject({ labels: '', variables: {} });
  });

  it('shows a region with the cells it had', async () => {
    const admin = await app.project();
    const [from, to] = [await admin.region(), await admin.region()];
    const paths = [from, to].map(({ id }) => `/v1/regions/${String(id)}`) as [string, string];
    const [stays, moves, goes] = [
      await admin.cell({ name: 'stays', region_id: from.id }),
      await admin.cell({ name: 'moves', region_id: from.id }),
      await admin.cell({ name: 'goes', region_id: from.id }),
    ];
    const before = String(goes['created_at']);
    const { body: moved } = await admin.put(paths[1], { cells: [moves.id] }).expect(200);
    await admin.put(`/v1/cells/${String(stays.id)}`, { name: 'renamed' }).expect(200);
    await admin.delete(`/v1/cells/${String(goes.id)}`).expect(204);
    const inBrief = (...cells: Resource[]) => cells.map(({ id, name }) => ({ id, name }));
    const cellsAt = async (path: string, time: string) => (await body(admin, `${path}?at=${time}`))['cells'];
    expect(await cellsAt(paths[0], before)).toEqual(inBrief(goes, moves, stays));
    expect(await cellsAt(paths[1], before)).toEqual([]);
    // The time in the response of the move.
    expect(await cellsAt(paths[0], moved.updated_at)).toEqual(inBrief(goes, stays));
    expect(await cellsAt(paths[1], moved.updated_at)).toEqual(inBrief(moves));
  });

  it('links a device to its former parent, even if that is deleted', async () => {
    const admin = await app.project();
    const cell = await admin.cell();
    const location = { region_id: cell['region_id'], cell_id: cell.id };
    const parent = await admin.networkDevice(location);
    const host = await admin.host({ ...location, parent_id: parent.id });
    const path = `/v1/hosts/${String(host.id)}`;
    const { body: orphan } = await admin.put(path, { parent_id: null }).expect(200);
    const { body: outside } = await admin.put(path, { cell_id: null }).expect(200);
    await admin.delete(`/v1/network-devices/${String(parent.id)}`).expect(204);
    const up = async (time: unknown) => (await body(admin, `${path}?at=${String(time)}`))['links'];
    const linkTo = (resource: string) => [{ rel: 'up', href: `${app.url}/v1/${resource}` }];
    expect(await up(host['created_at'])).toEqual(linkTo(`network-devices/${String(parent.id)}`));
    expect(await up(orphan.updated_at)).toEqual(linkTo(`cells/${String(cell.id)}`));
    expect(await up(outside.updated_at)).toEqual(linkTo(`regions/${String(cell['region_id'])}`));
  });

  it('identifies a resource by its id, not by its name', async () => {
    const admin = await app.project();
    const first = await admin.host({ name: 'again', variables: { life: 1 } });
    await admin.delete(`/v1/hosts/${String(first.id)}`).expect(204);
    const second = await admin.host({ name: 'again', variables: { life: 2 } });
    const [before, after] = [first['created_at'], second['created_at']].map(String);
    expect((await body(admin, `/v1/hosts/${String(first.id)}?at=${before ?? ''}`)).variables).toEqual({
      life: 1,
    });
    await admin.get(`/v1/hosts/${String(second.id)}?at=${before ?? ''}`).expect(404);
    await admin.get(`/v1/hosts/${String(first.id)}?at=${after ?? ''}`).expect(404);
  });

  it('hides what is private now, whenever it was set', async () => {
    const admin = await app.project();
    const region = await admin.region({ variables: { open: 1, hidden_a: 'zq7 secret' } });
    const host = await admin.host({ region_id: region.id, variables: { hidden_b: 'zq7 secret', own: 2 } });
    const path = `/v1/hosts/${String(host.id)}`;
    const time = await changed(admin, path);
    await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: ['hidden_*'] }).expect(200);
    const [user, trusted] = [await admin.user(), await admin.user({ roles: ['hidden_a'] })];
    const routes = ['', '/variables?resolved-values=true', '/variables', '/variables/explain'];
    for (const route of routes) {
      const url = `${path}${route}${route.includes('?') ? '&' : '?'}at=${time}`;
      const { text } = await user.get(url).expect(200);
      expect(text).not.toMatch(/hidden_|zq7/);
      expect(text).toContain('"own"');
      expect((await admin.get(url).expect(200)).text).toContain('hidden_b');
      const seen = (await trusted.get(url).expect(200)).text;
      expect(seen).not.toContain('hidden_b');
      expect(seen.includes('hidden_a')).toBe(route !== '/variables');
    }
    await user.get(`${path}/variables/hidden_b?at=${time}`).expect(404);
    await admin.get(`${path}/variables/hidden_b?at=${time}`).expect(200);
    await user.get(`${path}/variables/explain?key=hidden_b&at=${time}`).expect(200, { variables: {} });
  });

  it('returns 404 for another project, and shows root every project, even a deleted one', async () => {
    const [admin, stranger] = [await app.project(), await app.project()];
    const host = await admin.host();
    const path = `/v1/hosts/${String(host.id)}?at=${String(host['created_at'])}`;
    await stranger.get(path).expect(404);
    expect(await body(app.root, path)).toEqual(host);
    const { body: project } = await app.root.post('/v1/projects', { name: aName('project') }).expect(201);
    const { body: cloud } = await app.root.in(project.id).post('/v1/clouds', { name: 'gone' }).expect(201);
    await app.root.delete(`/v1/clouds/${String(cloud.id)}`).expect(204);
    await app.root.delete(`/v1/projects/${String(project.id)}`).expect(204);
    for (const [collection, { id, created_at }, was] of [
      ['projects', project, project],
      ['clouds', cloud, cloud],
    ] as const)
      expect(await body(app.root, `/v1/${collection}/${String(id)}?at=${String(created_at)}`)).toEqual(was);
  });

  it('shows a field as null if the record is older than the field', async () => {
    const admin = await app.project();
    const device = await admin.networkDevice({ os_version: '15.1' });
    // Simulates a record from before a migration that adds a column. Only the owner can do this.
    for (const statement of [
      'GRANT UPDATE ON change_objects TO CURRENT_USER',
      `UPDATE change_objects SET after = after - 'os_version' WHERE kind = 'network-device' AND object_id = ${String(device.id)}`,
      'REVOKE UPDATE ON change_objects FROM CURRENT_USER',
    ])
      await secondConnection.rows(statement);
    const path = `/v1/network-devices/${String(device.id)}?at=${String(device['created_at'])}`;
    expect(await body(admin, path)).toEqual({ ...device, os_version: null });
  });

  it('finds a label that was created after the transaction that refers to it began', async () => {
    const admin = await app.project();
    const region = await admin.region();
    const lock = lockRows('regions', admin.projectId, region.id);
    const release = await secondConnection.acquire(lock);
    const waiting = admin.host({ region_id: region.id, labels: ['late'] });
    await secondConnection.waiting(1);
    await admin.label({ label: 'late', variables: { key: 'of the label' } });
    await release();
    const host = await waiting;
    expect(host).toMatchObject({ labels: 'late', variables: { key: 'of the label' } });
    expect(await body(admin, `/v1/hosts/${String(host.id)}?at=${String(host['created_at'])}`)).toEqual(host);
  });
});
