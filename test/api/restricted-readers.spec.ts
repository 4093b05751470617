import { sharedService } from '../support/service';
import type { Caller, Resource } from '../support/caller';
import { lastChange, revert } from '../support/reverts';

const app = sharedService();
let admin: Caller;
let reader: Caller;
let writer: Caller;
let host: Resource;

const restrict = (restricts_readers: boolean) =>
  admin.put(`/v1/projects/${admin.projectId}/settings`, { restricts_readers }).expect(200);
const idOf = async (caller: Caller): Promise<number> =>
  ((await caller.get('/v1/whoami').expect(200)).body as { user_id: number }).user_id;
const usernames = async (caller: Caller): Promise<unknown[]> =>
  ((await caller.get('/v1/users').expect(200)).body as Resource[]).map(({ username }) => username);
const messageOf = ({ body }: { readonly body: unknown }): string => (body as { message: string }).message;

beforeAll(async () => {
  admin = await app.project();
  reader = await admin.user({ username: 'reader' });
  writer = await admin.user({ username: 'writer', roles: ['no_such_key'] });
  const region = await admin.region({ variables: { kernel: '6.8' } });
  host = await admin.host({ region_id: region.id, variables: { serial: 7 } });
});
beforeEach(() => restrict(true));

/** The paths of the API that read change records of kinds that every user reads. */
async function historyPaths(): Promise<string[]> {
  const { paths } = (await app.root.get('/openapi.json').expect(200)).body as {
    paths: Record<string, object>;
  };
  return Object.entries(paths).flatMap(([path, operations]) =>
    'get' in operations &&
    /^\/v1\/(changes\b.*|[^/]+\/\{id\}\/changes(\/resolved)?)$/.test(path) &&
    !/^\/v1\/(projects|access-secrets)\//.test(path)
      ? [path.replace('{id}', '1')]
      : [],
  );
}

it('denies all change records to users without roles', async () => {
  const paths = await historyPaths();
  const some = ['/v1/changes', '/v1/changes/feed', '/v1/changes/1/impact', '/v1/hosts/1/changes'];
  expect(paths).toEqual(expect.arrayContaining(some));
  expect(paths.length).toBeGreaterThanOrEqual(13);
  for (const path of paths) {
    const denied = await reader.get(path);
    expect([path, denied.status, messageOf(denied)]).toEqual([
      path,
      403,
      'This project restricts users without roles (restricts_readers). They cannot read change records.',
    ]);
    for (const caller of [writer, admin, app.root])
      expect([path, (await caller.get(path)).status]).not.toEqual([path, 403]);
  }
  const { id } = await lastChange(admin);
  expect(messageOf(await revert(reader, id))).toContain('restricts_readers');
});

it('shows users without roles only themselves', async () => {
  expect(await usernames(reader)).toEqual(['reader']);
  expect(await usernames(writer)).toEqual(['admin', 'reader', 'writer']);
  expect((await reader.get('/v1/users?name=writer').expect(200)).body).toEqual([]);
  const [own, other] = [await idOf(reader), await idOf(writer)];
  await reader.get(`/v1/users?marker=${String(other)}`).expect(400);
  const { created_at } = (await writer.get(`/v1/users/${String(other)}`).expect(200)).body as Resource;
  for (const path of ['', '/variables', '/variables/a', `?at=${String(created_at)}`]) {
    const denied = await reader.get(`/v1/users/${String(other)}${path}`);
    expect([path, denied.status, messageOf(denied)]).toEqual([
      path,
      404,
      `There is no user ${String(other)}.`,
    ]);
  }
  for (const path of ['', '/variables', '/api-keys'])
    await reader.get(`/v1/users/${String(own)}${path}`).expect(200);
  await reader.get('/v1/users/x').expect(400);
});

it('does not list violations by other users', async () => {
  const path = `/v1/users/${String(await idOf(writer))}/variables`;
  await admin.put(path, { shell: 'fish' }).expect(200);
  const { id } = await admin.definition({ key: 'shell', schema: false });
  const violations = `/v1/variable-definitions/${String(id)}/violations`;
  expect((await writer.get(violations).expect(200)).body).toHaveLength(1);
  expect((await reader.get(violations).expect(200)).body).toEqual([]);
});

it('denies new keys to users without roles, also for themselves', async () => {
  for (const path of ['api-key', 'api-keys']) {
    const create = async (of: Caller, by = of) =>
      by.post(`/v1/users/${String(await idOf(of))}/${path}?dry_run=true`);
    const denied = await create(reader);
    expect([denied.status, messageOf(denied)]).toEqual([
      403,
      expect.stringContaining('They cannot create API keys.'),
    ]);
    expect((await create(writer)).status).toBe(200);
    expect((await create(reader, admin)).status).toBe(200);
  }
});

it('shows values without who set them and why', async () => {
  const explain = `/v1/hosts/${String(host.id)}/variables/explain?key=kernel`;
  for (const path of [explain, '/v1/hosts?explain=kernel', '/v1/variables?key=kernel']) {
    const { text } = await reader.get(path).expect(200);
    expect([path, text]).toEqual([path, expect.stringMatching(/"set_by":null,.*"change_id":null/)]);
    expect(text).not.toMatch(/"set_by":"|"change_id":\d/);
    expect((await writer.get(path).expect(200)).text).toMatch(/"set_by":"admin".*"change_id":\d/);
  }
});

it('leaves the inventory and its past readable', async () => {
  const past = `/v1/hosts/${String(host.id)}?at=${String(host['created_at'])}`;
  for (const path of ['/v1/hosts', past, '/v1/audits', '/v1/export']) await reader.get(path).expect(200);
});

it('restricts nobody by default', async () => {
  await restrict(false);
  await reader.get('/v1/changes').expect(200);
  expect(await usernames(reader)).toEqual(['admin', 'reader', 'writer']);
  await reader.post(`/v1/users/${String(await idOf(reader))}/api-keys?dry_run=true`).expect(200);
});
