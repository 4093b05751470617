import { cleanUp } from '../embedded/processes';
import { aName, type Caller } from '../../support/caller';
import { until } from '../../support/until';
import { twoWorkers, type StickyConnection } from './sticky-connection';
import { startServiceProcess, type ServiceProcess } from '../../support/service-process';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

/** The documented limit (s) for other processes to apply a change. */
const SECONDS = 5;

// Transactions of other test files delay the feed.
jest.setTimeout(120_000);

describe('two workers of one service', () => {
  let database: TestDatabase;
  let service: ServiceProcess;
  let root: Caller;
  /** Connections to the two workers. */
  let here: StickyConnection;
  let there: StickyConnection;
  beforeAll(async () => {
    database = await createTestDatabase();
    service = startServiceProcess({ DATABASE_URL: database.url, WORKERS: '2' });
    root = await service.root();
  });
  beforeEach(async () => {
    [here, there] = await twoWorkers(service, root);
  });
  afterEach(() => {
    here.close();
    there.close();
  });
  afterAll(async () => {
    await cleanUp();
    await database.drop();
  });

  const pathOf = async (user: Caller): Promise<string> => {
    const [found] = (await here.get(root, `/v1/users?username=${user.credentials.user}`)) as { id: number }[];
    return `/v1/users/${String(found?.id)}`;
  };

  const status = async (connection: StickyConnection, caller: Caller): Promise<number> =>
    (await connection.send(caller, 'GET', '/v1/regions')).status;

  /** 403 without the role, and 404 with it. The request has no body, because a rejection closes the connection then. */
  const remove = async (connection: StickyConnection, caller: Caller): Promise<number> =>
    (await connection.send(caller, 'DELETE', '/v1/regions/999999')).status;

  const ofDevice = async (connection: StickyConnection, caller: Caller, path: string): Promise<unknown> =>
    ((await connection.get(caller, path)) as { variables: unknown }).variables;

  it('apply a revoked key, a role and a private variable at once in one, and within five seconds in the other', async () => {
    const revokeKey = async () => {
      const user = await root.user();
      expect([await status(here, user), await status(there, user)]).toEqual([200, 200]);
      expect(await here.send(root, 'POST', `${await pathOf(user)}/api-key`)).toMatchObject({ status: 201 });
      expect(await status(here, user)).toBe(401);
      await until(
        'the other worker rejects the key',
        SECONDS,
        async () => (await status(there, user)) === 401,
      );
    };
    const changeRole = async () => {
      const user = await root.user();
      expect([await remove(here, user), await remove(there, user)]).toEqual([403, 403]);
      const changed = await here.send(root, 'PUT', await pathOf(user), { roles: ['regions:write'] });
      expect(changed).toMatchObject({ status: 200 });
      expect(await remove(here, user)).toBe(404);
      await until(
        'the other worker applies the role',
        SECONDS,
        async () => (await remove(there, user)) === 404,
      );
    };
    const makePrivate = async () => {
      const user = await root.user();
      const { id } = await root.host({ variables: { secret: 'sesame' } });
      const path = `/v1/hosts/${String(id)}`;
      for (const connection of [here, there])
        expect(await ofDevice(connection, user, path)).toEqual({ secret: 'sesame' });
      const settings = `/v1/projects/${root.projectId}/settings`;
      expect(await here.send(root, 'PUT', settings, { private: ['secret'] })).toMatchObject({ status: 200 });
      expect(await ofDevice(here, user, path)).toEqual({});
      await until('the other worker hides the variable', SECONDS, async () =>
        ((variables) => JSON.stringify(variables) === '{}')(await ofDevice(there, user, path)),
      );
    };
    // Concurrently, because each waits for a cache to expire.
    await Promise.all([revokeKey(), changeRole(), makePrivate()]);
  });

  it("apply a region's variable, a label and a definition at once in both", async () => {
    const region = await root.region({ variables: { ntp: 0 } });
    const host = await root.host({ region_id: region.id, labels: ['shared'] });
    const path = `/v1/hosts/${String(host.id)}`;
    const [label] = (await here.get(root, '/v1/labels?label=shared')) as { id: number }[];
    for (let round = 1; round <= 4; round++) {
      const [writer, reader] = round % 2 === 0 ? [here, there] : [there, here];
      const write = async (target: string, body: unknown): Promise<void> => {
        expect(await writer.send(root, 'PUT', target, body)).toMatchObject({ status: 200 });
      };
      await write(`/v1/regions/${String(region.id)}/variables`, { ntp: round });
      expect(await ofDevice(reader, root, path)).toMatchObject({ ntp: round });
      await write(`/v1/labels/${String(label?.id)}/variables`, { tier: round });
      expect(await ofDevice(reader, root, path)).toMatchObject({ tier: round });
      expect(
        await reader.get(root, `/v1/hosts?vars=ntp:${String(round)},tier:${String(round)}`),
      ).toMatchObject([{ id: host.id }]);
    }
    const { id } = await root.definition({ key: 'tier', schema: { type: 'integer' } });
    const variables = `${path}/variables`;
    for (const connection of [here, there])
      expect(await connection.send(root, 'PUT', variables, { tier: 'x' })).toMatchObject({ status: 400 });
    const definition = `/v1/variable-definitions/${String(id)}`;
    expect(await here.send(root, 'PUT', definition, { schema: true })).toMatchObject({ status: 200 });
    expect(await there.send(root, 'PUT', variables, { tier: 'x' })).toMatchObject({ status: 200 });
  });

  it('wake clients that wait for changes in one when the other writes', async () => {
    const name = aName('region');
    type FeedPage = { readonly changes: readonly unknown[]; readonly cursor: string };
    const { cursor: latest } = (await there.get(root, '/v1/changes/feed?after=latest')) as FeedPage;
    /** Skips earlier changes, which other open transactions may have delayed. */
    const nextChanges = async (cursor: string): Promise<readonly unknown[]> => {
      const page = (await there.get(root, `/v1/changes/feed?wait=50&after=${cursor}`)) as FeedPage;
      return page.changes.length === 0 || JSON.stringify(page).includes(name)
        ? page.changes
        : nextChanges(page.cursor);
    };
    const waiting = nextChanges(latest);
    await here.send(root, 'POST', '/v1/regions', { name });
    expect((await waiting).at(-1)).toMatchObject({ objects: [{ kind: 'region', name }] });
  });

  it('share idempotency keys and the keys of secrets', async () => {
    const headers = { 'Idempotency-Key': aName('key') };
    const body = { name: aName('region') };
    const first = await here.send(root, 'POST', '/v1/regions', body, headers);
    const second = await there.send(root, 'POST', '/v1/regions', body, headers);
    expect([first.status, second.status, second.body]).toEqual([201, 201, first.body]);
    // Both workers use the same key for secrets.
    const { id } = await root.secret({ cert: 'a certificate' });
    for (const connection of [here, there])
      expect(await connection.get(root, `/v1/access-secrets/${String(id)}`)).toMatchObject({
        cert: 'a certificate',
      });
  });
});
