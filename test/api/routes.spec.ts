import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sendBatch, type Operation } from '../support/batches';
import { MAIN_WITH_TEST_ROUTES, PROJECT, sharedService, type OwnService } from '../support/service';
import type { Caller } from '../support/caller';
import { accessWords, routesOf, type DeclaredRoute, type Route, type RouteAccess } from '../support/routes';

const SNAPSHOT = join(__dirname, 'routes.snapshot');
const nameOf = ({ method, path }: Route): string => `${method} ${path}`;
/** A library serves the OpenAPI description, and declares no access. */
const isDescription = ({ path }: Route): boolean => /^\/(docs|openapi)/.test(path);

/** Rights, and whether they pass the guard of a route. Deliberately independent of the implementation. */
const rights: Record<string, (access: RouteAccess) => boolean> = {
  none: ({ needs }) => needs === 'read' || needs === 'self or admin',
  '*:write': (access) =>
    access.needs === 'read' ||
    access.needs === 'self or admin' ||
    (access.needs === 'write' && access.collection !== 'users' && access.collection !== 'access-secrets'),
  'hosts:write': (access) =>
    access.needs === 'read' ||
    access.needs === 'self or admin' ||
    (access.needs === 'write' && access.collection === 'hosts'),
  'ntp_*': (access) =>
    access.needs === 'read' ||
    access.needs === 'self or admin' ||
    (access.needs === 'write' && access.orVariables),
  admin: ({ needs }) => needs !== 'root',
  root: () => true,
};

const ABSENT = '987654321';
const ABSENT_PROJECT = '00000000-0000-4000-8000-000000000000';

/** The paths that the documentation names as those that a batch cannot write. */
function pathsOutsideBatches(): RegExp[] {
  const page = readFileSync(join(PROJECT, 'docs/api/batch.md'), 'utf8');
  const [, list = ''] = /An operation with one of these paths is `400`[^\n]*\n\n([^]*?)\n\n/.exec(page) ?? [];
  const paths = [...list.matchAll(/`(\/v1\/[^`]+)`/g)].map(([, path = '']) => path);
  expect(paths.length).toBeGreaterThan(5);
  return paths.map((path) => new RegExp(`^${path.replaceAll('{id}', ':id')}(/|$)`));
}

const toOperation = ({ method, path }: Route): Operation => ({
  method: method as Operation['method'],
  path: path.replace('/projects/:id', `/projects/${ABSENT_PROJECT}`).replace(/:\w+/g, ABSENT),
  ...(method === 'DELETE' ? {} : { body: {} }),
});

/** The paths of a list in the documentation. */
function documentedPaths(page: string, before: string): string[] {
  const text = readFileSync(join(PROJECT, 'docs/api', page), 'utf8').replace(/\s*\n(?!\n|-)\s*/g, ' ');
  const [, list = ''] = text.split(before);
  return [...(list.split('\n\n')[1] ?? list).matchAll(/`(\/v1\/[^`]+)`/g)].map(([, path = '']) => path);
}

const propose = (caller: Caller, { method, path }: Route) =>
  caller.send(
    method.toLowerCase() as 'post',
    `${path.replace('/projects/:id', `/projects/${ABSENT_PROJECT}`).replace(/:\w+/g, ABSENT)}?propose=title`,
    method === 'DELETE' ? undefined : {},
  );

describe('every route', () => {
  let app: OwnService;
  let routes: DeclaredRoute[];
  let served: string[];
  /** The collections of devices that the list of all devices has. */
  let deviceCollections: string[];
  beforeAll(async () => {
    app = await sharedService().startPeer({}, MAIN_WITH_TEST_ROUTES);
    const all = await routesOf(app);
    routes = all.declared;
    served = all.served.filter((route) => !isDescription(route)).map(nameOf);
    const { devices } = (await app.root.get('/v1/devices').expect(200)).body as { devices: object };
    deviceCollections = Object.keys(devices);
  });
  afterAll(() => app.stop());

  it('is served and declared', () => {
    expect(routes.map(nameOf).sort()).toEqual(served.sort());
  });

  it('is described, and no other route is', async () => {
    const { paths } = (await app.root.get('/openapi.json').expect(200)).body as { paths: object };
    const described = Object.entries(paths).flatMap(([path, operations]) =>
      Object.keys(operations as object)
        .map((method) => `${method.toUpperCase()} ${path}`)
        .filter((route) => !route.includes(' /test/')),
    );
    expect(served.length).toBeGreaterThan(60);
    expect(described.sort()).toEqual(served.map((route) => route.replace(/:(\w+)/g, '{$1}')).sort());
  });

  it('requires the access in the checked-in snapshot', () => {
    const lines = routes.map((route) => `${nameOf(route)}: ${accessWords(route.access)}`);
    const expected = readFileSync(SNAPSHOT, 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .flatMap((line) =>
        line.includes('{kind}')
          ? deviceCollections.map((collection) => line.replaceAll('{kind}', collection))
          : [line],
      );
    expect(lines.sort()).toEqual(expected.sort());
  });

  it('returns 403 to everyone if it declares no access', async () => {
    const admin = await app.project();
    const path = '/test/undeclared';
    for (const method of ['get', 'post'] as const) {
      expect((await admin.as({ token: '', user: '', project: '' }).send(method, path)).status).toBe(401);
      for (const caller of [admin, app.root]) {
        const response = await caller.send(method, path);
        expect(response.status).toBe(403);
        expect(response.text).not.toContain('secret');
        expect(await app.logLineOf(String(response.headers['x-request-id']))).toMatchObject({
          event: 'authorisation refused',
          needed: 'the route declares no access',
          user: caller.credentials.user,
          route: path,
        });
      }
    }
  });

  it('under /v1 returns 401 without valid credentials, before any other check', async () => {
    const { token, user, project } = app.root.credentials;
    const unauthenticated = [
      { token: '', user: '', project: '' },
      { token: `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`, user, project },
    ].map((credentials) => app.root.as(credentials));
    const closed = routes.filter(({ access }) => access?.needs !== 'nothing');
    expect(closed.length).toBeGreaterThan(60);
    for (const [i, { method, path }] of closed.entries()) {
      expect(path.startsWith('/v1/')).toBe(true);
      // Id and parameter are malformed. The response must not reveal that.
      const response = await send(
        unauthenticated[i % unauthenticated.length]!,
        method,
        `${path.replace(':id', 'none')}?unknown=1`,
      );
      expect([method, path, response.status]).toEqual([method, path, 401]);
      expect(response.body.code).toBe('unauthenticated');
      expect(response.headers['www-authenticate']).toBe('Bearer realm="muster"');
    }
  });

  it.each(Object.keys(rights))('accepts exactly the allowed callers: with the right %s', async (right) => {
    const admin = await app.project();
    const caller = await callerWith(admin, right);
    const ordinal = Object.keys(rights).indexOf(right);
    const counts = new Map<string, number>();
    for (const { method, path, access } of routes) {
      if (!access || access.needs === 'nothing') continue;
      // All routes share one guard. Each route is requested with every third right, routes of root always
      // with those of an admin, and each declaration with all rights.
      const declaration = accessWords(access);
      const count = counts.get(declaration) ?? 0;
      counts.set(declaration, count + 1);
      const alike = routes.filter((one) => accessWords(one.access) === declaration);
      const isNearest = right === 'admin' && access.needs === 'root';
      if (alike.length > 2 && !isNearest && (count + ordinal) % 3 > 0) continue;
      const id = path.includes('/projects/') ? '00000000-0000-4000-8000-000000000000' : '987654321';
      // The request is malformed, so a caller who passes the guard gets 400 and changes nothing.
      const response = await send(caller, method, `${path.replace(':id', id)}?unknown=1`);
      const expected = rights[right]?.(access) === true ? 400 : 403;
      expect([method, path, response.status]).toEqual([method, path, expected]);
    }
  });

  async function callerWith(admin: Caller, right: string): Promise<Caller> {
    if (right === 'root') return app.root;
    if (right === 'admin') return admin;
    return admin.user({ roles: right === 'none' ? [] : [right] });
  }

  it('that writes is part of batches, or is named in the documentation as one that is not', async () => {
    const documented = pathsOutsideBatches();
    const writes = routes.filter(({ method }) => method !== 'GET');
    expect(writes.length).toBeGreaterThan(50);
    const root = app.root.in((await app.project()).projectId);
    for (const route of writes) {
      const { status, body } = await sendBatch(root, [toOperation(route)]);
      const [detail] = (body as { details: { field: string; code: string }[] }).details;
      const isRejected = detail?.code === 'unsupported' && detail.field === 'operations[0].path';
      expect([route, isRejected]).toEqual([route, documented.some((path) => path.test(route.path))]);
      expect([route, status >= 400 && status < 500]).toEqual([route, true]);
      // A handler that runs its write itself would run it outside of the change of the batch.
      if (!isRejected) expect([route, route.isPrepared]).toEqual([route, true]);
    }
  });

  it('that writes can be proposed, or is named in the documentation as one that cannot', async () => {
    const documented = documentedPaths('proposals.md', 'The writes that cannot be proposed are:');
    expect(documented.length).toBeGreaterThan(5);
    const isDocumented = (path: string) =>
      !path.endsWith('/settings') &&
      documented.some((one) => new RegExp(`^${one.replaceAll('{id}', ':id')}(/|$)`).test(path));
    const root = app.root.in((await app.project()).projectId);
    const writes = routes.filter(({ method }) => method !== 'GET');
    expect(writes.length).toBeGreaterThan(50);
    for (const route of writes) {
      const { status, body } = await propose(root, route);
      const details = (body as { details?: { field: string; code: string }[] }).details ?? [];
      const isRejected = details.some(
        ({ field, code }) => field === 'propose' && (code === 'unsupported' || code === 'unknown_parameter'),
      );
      expect([route, isRejected]).toEqual([route, isDocumented(route.path)]);
      expect([route, status >= 400 && status < 500]).toEqual([route, true]);
    }
    expect((await root.get(`/v1/proposals?project_id=${root.projectId}`).expect(200)).body).toEqual([]);
  });
});

const send = (caller: Caller, method: DeclaredRoute['method'], path: string) =>
  caller.send(method.toLowerCase() as 'get' | 'post' | 'put' | 'delete', path);
