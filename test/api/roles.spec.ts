import { sharedService } from '../support/service';
import { aName, type Caller, type Resource } from '../support/caller';

const COLLECTIONS = ['regions', 'cells', 'labels', 'hosts', 'network-devices', 'users'] as const;
type Owned = (typeof COLLECTIONS)[number];

const app = sharedService();

/** All writes of variables share their code, so only one inventory collection and the users try all bodies. */
const someFor = <T>(collection: Owned, bodies: readonly T[]): readonly T[] =>
  ['hosts', 'users'].includes(collection) ? bodies : bodies.slice(0, 2);

describe('roles', () => {
  let admin: Caller;
  beforeAll(async () => {
    admin = await app.project();
  });

  const withRoles = (...roles: string[]): Promise<Caller> => admin.user({ roles });

  const byName = async (caller: Caller, name: string): Promise<Resource> => {
    const { body } = await caller.get(`/v1/users?username=${name}`).expect(200);
    return (body as Resource[])[0]!;
  };

  /** Creates a resource with variables and returns its path. */
  async function owner(collection: Owned): Promise<string> {
    const make: Record<Owned, () => Promise<Resource>> = {
      regions: () => admin.region(),
      cells: () => admin.cell(),
      labels: () => admin.label(),
      hosts: () => admin.host(),
      'network-devices': () => admin.networkDevice(),
      users: async () => byName(admin, (await admin.user()).credentials.user),
    };
    const { id } = await make[collection]();
    await admin
      .put(`/v1/${collection}/${String(id)}/variables`, { ntp_servers: ['old'], other: 1 })
      .expect(200);
    return `/v1/${collection}/${String(id)}`;
  }

  const variablesOf = async (path: string): Promise<unknown> =>
    (await admin.get(`${path}/variables`).expect(200)).body.variables;

  describe.each(COLLECTIONS)('for variables, on %s', (collection) => {
    it('allow setting and deleting that key only', async () => {
      const user = await withRoles('ntp_servers');
      const path = `${await owner(collection)}/variables`;
      await user.put(path, { ntp_servers: ['new'] }).expect(200);
      await user.put(path, { key: 'ntp_servers', value: ['pair'] }).expect(200);
      for (const body of someFor<object>(collection, [
        { other: 2 },
        { ntp_servers: [], other: 2 },
        { key: 'other', value: 2 },
        { ntp_servers2: 1 },
        { ntp: 1 },
        { Ntp_servers: 1 },
        {},
      ]))
        expect([body, (await user.put(path, body)).status]).toEqual([body, 403]);
      for (const body of someFor<object>(collection, [
        { key: 'other' },
        ['ntp_servers', 'other'],
        ['other'],
        { ntp_servers: 1, other: 1 },
        [],
      ]))
        expect([body, (await user.delete(path, body)).status]).toEqual([body, 403]);
      const response = await admin.get(path);
      expect(response.body.variables).toEqual({ ntp_servers: ['pair'], other: 1 });
      await user.delete(path, { key: 'ntp_servers', value: 'anything' }).expect(204);
      await user.delete(path, ['ntp_servers']).expect(204);
      expect((await admin.get(path)).body.variables).toEqual({ other: 1 });
    });

    it('with a prefix allow setting matching keys only', async () => {
      const user = await withRoles('hw_*', 'exact');
      const path = `${await owner(collection)}/variables`;
      await user.put(path, { hw_serial: 1, hw_: 2, exact: 3 }).expect(200);
      for (const key of someFor(collection, ['hw', 'exact_', 'xhw_serial', 'HW_serial', '__proto__']))
        expect([key, (await user.put(path, `{${JSON.stringify(key)}: 1}`)).status]).toEqual([key, 403]);
      await user.delete(path, ['hw_serial', 'exact']).expect(204);
      await user.delete(path, ['hw_serial', 'other']).expect(403);
      expect((await admin.get(path)).body.variables).toEqual({ ntp_servers: ['old'], other: 1, hw_: 2 });
    });
  });

  describe.each(['regions', 'cells', 'labels', 'hosts', 'network-devices'] as const)(
    'for variables, in a PUT of one of %s',
    (collection) => {
      it('allow changing variables, but no other field', async () => {
        const user = await withRoles('ntp_*');
        const path = await owner(collection);
        await user.put(path, { variables: { ntp_servers: ['new'] } }).expect(200);
        const name = collection === 'labels' ? 'label' : 'name';
        const before: unknown = (await admin.get(path)).body;
        for (const body of someFor<object>(collection, [
          { variables: { ntp_servers: [] }, [name]: aName('taken') },
          { variables: { ntp_servers: [], other: 2 } },
          { variables: {} },
          {},
          { variables: { ntp_servers: [] }, note: 'mine' },
          { variables: { ntp_servers: [] }, note: null },
          { variables: { ntp_servers: [] }, labels: [] },
        ]))
          expect([body, (await user.put(path, body)).status]).toEqual([body, 403]);
        expect((await admin.get(path)).body).toEqual(before);
      });
    },
  );

  it('for variables do not allow creating or deleting resources', async () => {
    const user = await withRoles('*', 'ntp_*');
    const region = await admin.region();
    const body = { name: aName('new'), variables: { ntp_servers: [] } };
    expect((await user.post('/v1/regions', body)).status).toBe(403);
    expect((await user.post('/v1/cells', { ...body, region_id: region.id })).status).toBe(403);
    expect((await user.post('/v1/labels', { label: aName('new'), variables: {} })).status).toBe(403);
    expect((await user.delete(`/v1/regions/${String(region.id)}`)).status).toBe(403);
    await user.put(`/v1/regions/${String(region.id)}/variables`, { anything: 1 }).expect(200);
  });

  it.each<[string, (user: Caller, region: Resource) => ReturnType<Caller['post']>]>([
    ['This needs the role hosts:write.', (user) => user.post('/v1/hosts', {})],
    [
      'This needs the role cells:write, or a role for the variable.',
      (user) => user.put(`/v1/cells/1/variables`, { a: 1 }),
    ],
    ['This needs the role regions:write.', (user, { id }) => user.delete(`/v1/regions/${String(id)}`)],
    [
      'Only admins, and users with a role for the variable, can write users.',
      (user) => user.put('/v1/users/1/variables', { a: 1 }),
    ],
    ['Only an admin of the project can do this.', (user) => user.post('/v1/users', { username: 'friend' })],
    ['Only a root user can do this.', (user) => user.post('/v1/projects', { name: 'new' })],
    [
      'An import needs a role: *:write, that of a collection such as hosts:write, or one for a variable.',
      (user) => user.post('/v1/import', ''),
    ],
  ])('are named by the refusal: %s', async (message, send) => {
    const { status, body } = await send(await withRoles(), await admin.region());
    expect([status, body.message]).toEqual([403, message]);
  });

  it('for a collection allow writing its resources and their variables, and no other collection', async () => {
    const user = await withRoles('hosts:write');
    const region = await admin.region();
    const body = { name: aName('host'), region_id: region.id, ip_address: '10.0.0.1', device_type: 'server' };
    const made = await user.post('/v1/hosts', { ...body, labels: 'new', variables: { a: 1 } }).expect(201);
    const path = `/v1/hosts/${String(made.body.id)}`;
    await user.put(path, { active: false, variables: { b: 2 } }).expect(200);
    await user.put(`${path}/variables`, { c: 3 }).expect(200);
    await user.delete(`${path}/variables`, ['a', 'b']).expect(204);
    await user.put(`${path}/labels`, { labels: ['newer'] }).expect(200);
    await user.delete(`${path}/labels`, { labels: ['new'] }).expect(204);
    expect(await variablesOf(path)).toEqual({ c: 3 });
    const others = [
      await user.post('/v1/network-devices', { ...body, name: aName('device') }),
      await user.put(`/v1/regions/${String(region.id)}`, { name: aName('region') }),
      await user.put(`/v1/regions/${String(region.id)}/variables`, { c: 3 }),
      await user.post('/v1/labels', { label: aName('label') }),
    ];
    expect(others.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    await user.delete(path).expect(204);
  });

  it('for regions do not allow moving cells', async () => {
    const cell = await admin.cell();
    const region = await admin.region();
    const path = `/v1/regions/${String(region.id)}`;
    const user = await withRoles('regions:write');
    expect((await user.put(path, { cells: [cell.id] })).status).toBe(403);
    expect((await admin.get(`/v1/cells/${String(cell.id)}`)).body.region_id).toBe(cell['region_id']);
    await (await withRoles('regions:write', 'cells:write')).put(path, { cells: [cell.id] }).expect(200);
  });

  it.each(['*:write', 'users:write', 'access-secrets:write', 'projects:write', '*'])(
    'never give access to users, secrets and projects: %s',
    async (role) => {
      const user = await withRoles(role);
      const me = await byName(admin, user.credentials.user);
      const secret = await admin.secret({ cert: 'kept from users' });
      const attempts = [
        await user.post('/v1/users', { username: aName('made') }),
        await user.put(`/v1/users/${String(me.id)}`, { is_admin: true }),
        await user.put(`/v1/users/${String(me.id)}`, { roles: ['*:write'] }),
        await user.delete(`/v1/users/${String(me.id)}`),
        await user.get('/v1/access-secrets'),
        await user.get(`/v1/access-secrets/${String(secret.id)}`),
        await user.post('/v1/access-secrets', { cert: 'mine' }),
        await user.put(`/v1/access-secrets/${String(secret.id)}`, { cert: 'mine' }),
        await user.delete(`/v1/access-secrets/${String(secret.id)}`),
        await user.get('/v1/projects'),
        await user.get(`/v1/projects/${admin.projectId}`),
        await user.post('/v1/projects', { name: aName('project') }),
        await user.put(`/v1/projects/${admin.projectId}`, { name: aName('project') }),
        await user.delete(`/v1/projects/${admin.projectId}`),
      ];
      expect(attempts.map(({ status }) => status)).toEqual(attempts.map(() => 403));
      for (const { body } of attempts) expect(body.code).toBe('forbidden');
      // The variables of users need a role for the variable.
      const variables = await user.put(`/v1/users/${String(me.id)}/variables`, { shell: 'zsh' });
      expect(variables.status).toBe(role === '*' ? 200 : 403);
    },
  );

  it('are not needed for reading', async () => {
    const user = await withRoles();
    const host = await admin.host({ variables: { a: 1 } });
    const paths = [
      'regions',
      'cells',
      'labels',
      'hosts',
      'network-devices',
      'clouds',
      'users',
      'devices',
      'changes',
    ];
    for (const path of [...paths, `hosts/${String(host.id)}`, `hosts/${String(host.id)}/variables`])
      await user.get(`/v1/${path}`).expect(200);
  });
});

describe('admins and root', () => {
  /** A root user in root's own project, where an admin is closest to root. */
  let rootUser: Caller;
  let homeAdmin: Caller;
  let rootPath: string;
  beforeAll(async () => {
    rootUser = await app.root.user({ is_root: true });
    homeAdmin = await app.root.user({ is_admin: true });
    const { body } = await homeAdmin.get(`/v1/users?username=${rootUser.credentials.user}`).expect(200);
    rootPath = `/v1/users/${String((body as Resource[])[0]?.id)}`;
  });

  it('only root can create, change, delete or issue keys for root users', async () => {
    const before: unknown = (await homeAdmin.get(rootPath).expect(200)).body;
    const plain = await homeAdmin.user();
    const { body } = await homeAdmin.get(`/v1/users?username=${plain.credentials.user}`);
    const plainPath = `/v1/users/${String((body as Resource[])[0]?.id)}`;
    const attempts = [
      await homeAdmin.post('/v1/users', { username: aName('root'), is_root: true }),
      await homeAdmin.put(plainPath, { is_root: true }),
      await homeAdmin.put(rootPath, { is_root: false }),
      await homeAdmin.put(rootPath, { is_admin: false }),
      await homeAdmin.put(rootPath, { username: aName('toor') }),
      await homeAdmin.put(rootPath, { roles: [] }),
      await homeAdmin.put(rootPath, {}),
      await homeAdmin.delete(rootPath),
      await homeAdmin.post(`${rootPath}/api-key`),
      await plain.post(`${rootPath}/api-key`),
    ];
    expect(attempts.map(({ status }) => status)).toEqual(attempts.map(() => 403));
    for (const { text } of attempts) expect(text).not.toContain('mst_');
    expect((await homeAdmin.get(rootPath)).body).toEqual(before);
    expect((await homeAdmin.get(plainPath)).body.is_root).toBe(false);
    // Root can do all of it.
    const other = await rootUser.user({ is_root: true });
    const made = (await homeAdmin.get(`/v1/users?username=${other.credentials.user}`)).body as Resource[];
    const otherPath = `/v1/users/${String(made[0]?.id)}`;
    await rootUser.put(otherPath, { username: aName('toor') }).expect(200);
    await rootUser.post(`${otherPath}/api-key`).expect(201);
    await rootUser.delete(otherPath).expect(204);
  });

  it('an admin can do everything in their own project, and nothing elsewhere', async () => {
    const [admin, other] = [await app.project(), await app.project()];
    const second = await admin.user({ is_admin: true });
    await second.user({ roles: ['*:write'] });
    await second.secret();
    await second.host({ labels: 'new' });
    const region = await other.region();
    expect((await second.get(`/v1/regions/${String(region.id)}`)).status).toBe(404);
    expect((await second.in(other.projectId).get('/v1/regions')).status).toBe(401);
    expect((await second.get('/v1/projects')).status).toBe(403);
  });

  it('root reads every project, filters by project_id, and writes to the project in the header', async () => {
    const [left, right] = [await app.project(), await app.project()];
    const name = aName('same');
    const regions = [await left.region({ name }), await right.region({ name })];
    const { root } = app;
    const found = (await root.get(`/v1/regions?name=${name}`).expect(200)).body as Resource[];
    expect(found.map(({ project_id }) => project_id)).toEqual([left.projectId, right.projectId]);
    for (const caller of [root, root.in(left.projectId)]) {
      const narrowed = await caller.get(`/v1/regions?name=${name}&project_id=${right.projectId}`).expect(200);
      expect(narrowed.body).toMatchObject([{ id: regions[1]?.id }]);
    }
    expect((await root.get('/v1/regions?project_id=00000000-0000-4000-8000-000000000000')).status).toBe(404);
    expect((await left.get(`/v1/regions?project_id=${left.projectId}&name=${name}`)).body).toHaveLength(1);
    // Writes go to the project in the header.
    const inLeft = root.in(left.projectId);
    expect((await inLeft.region()).project_id).toBe(left.projectId);
    expect((await inLeft.user()).projectId).toBe(left.projectId);
    // Root can access single resources of every project. They stay in their project.
    const path = `/v1/regions/${String(regions[1]?.id)}`;
    const changed = await inLeft.put(path, { labels: 'by-root', note: 'by root' }).expect(200);
    expect(changed.body).toMatchObject({ project_id: right.projectId, labels: 'by-root' });
    expect((await right.get('/v1/labels?name=by-root')).body).toHaveLength(1);
    expect((await left.get('/v1/labels?name=by-root')).body).toHaveLength(0);
    const records = (await right.get(`/v1/changes?kind=region&object_id=${String(regions[1]?.id)}`))
      .body as Resource[];
    expect(records.at(-1)).toMatchObject({
      actor: { username: 'root' },
      reason: 'by root',
      project_id: right.projectId,
    });
    await inLeft.delete(path).expect(204);
    // References stay within one project, even for root.
    const body = { name: aName('cell'), region_id: regions[0]?.id };
    expect((await root.in(right.projectId).post('/v1/cells', body)).status).toBe(405);
  });
});
