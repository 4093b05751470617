import { randomBytes } from 'node:crypto';
import { itOnOneServer } from '../support/citus';
import { startService, type OwnService } from '../support/service';
import { lockRegionName, SecondConnection } from '../support/second-connection';
import { aName, type Caller, type Resource } from '../support/caller';
import { authHeaders } from '../support/http-exchange';
import { readTrafficMetrics } from '../support/traffic-metrics';
import { until } from '../support/until';

/** Small, so that a single leaked connection fails the test. */
const POOL = 2;

describe('connections to the database', () => {
  let app: OwnService;
  let secondConnection: SecondConnection;
  let admin: Caller;
  /** Users of different projects, because one of them cannot use all connections. */
  let admins: readonly Caller[];
  beforeAll(async () => {
    app = await startService({ DATABASE_POOL_SIZE: String(POOL) });
    secondConnection = await SecondConnection.connect(app.databaseUrl);
    admin = await app.project();
    admins = [admin, await app.project()];
  });
  afterAll(async () => {
    await secondConnection.close();
    await app.stop();
  });

  const regionsOfAll = () => Promise.all(admins.map((caller) => caller.region()));
  const pathOf = (region: Resource | undefined) => `/v1/regions/${String(region?.id)}`;
  const lockRegions = (regions: readonly Resource[]) => ({
    // Of several projects: on Citus, one statement can update rows on several nodes, but not lock them otherwise.
    text: 'UPDATE regions SET note = note WHERE id = ANY($1)',
    values: [regions.map(({ id }) => id)],
  });

  /** Checks that all connections work at the same time, and that none is left in a transaction. */
  async function expectAllBack(): Promise<void> {
    await secondConnection.untilIdle();
    const regions = await regionsOfAll();
    const responses = await secondConnection.whileHolding(
      lockRegions(regions),
      () => Promise.all(admins.map((caller, i) => caller.put(pathOf(regions[i]), { note: 'all back' }))),
      POOL,
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
  }

  it('are returned to the pool after every kind of failure', async () => {
    const region = await admin.region();
    const cell = await admin.cell({ region_id: region.id });
    const path = `/v1/regions/${String(region.id)}`;
    for (let round = 0; round < 3 * POOL; round++) {
      const statuses = [
        await admin.post('/v1/regions', { name: region.name }),
        await admin.delete(path),
        await admin.put(path, { cloud_id: 987654321 }),
        await admin.put(path, { note: 'late' }, { 'If-Match': '"99"' }),
        await admin.put('/v1/regions/987654321', { note: 'nowhere' }),
        await admin.put(`${path}/variables`, { text: 'a\u0000b' }),
        await admin.put(`${path}/variables`, { large: 'x'.repeat(1_100_000) }),
        await admin.put(`/v1/cells/${String(cell.id)}`, { region_id: 987654321 }),
        await admin.get('/v1/hosts?marker=987654321'),
      ].map(({ status }) => status);
      expect(statuses).toEqual([409, 409, 405, 412, 404, 400, 400, 405, 400]);
    }
    await expectAllBack();
  });

  it('are returned to the pool after clients disconnect', async () => {
    const regions = await regionsOfAll();
    const release = await secondConnection.acquire(lockRegions(regions));
    const abort = new AbortController();
    const aborted = admins.map(({ credentials }, i) => {
      const headers = { ...authHeaders(credentials), 'Content-Type': 'application/json' };
      const request = { method: 'PUT', headers, body: '{"note": "gone"}', signal: abort.signal };
      return fetch(app.url + pathOf(regions[i]), request);
    });
    await secondConnection.waiting(POOL);
    abort.abort();
    const outcomes = await Promise.allSettled(aborted);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await release();
    await expectAllBack();
  });

  itOnOneServer('it locks a table')('serve writes while reads wait for half of them', async () => {
    const READS = 2 * POOL;
    const lock = { text: 'LOCK TABLE devices IN ACCESS EXCLUSIVE MODE', values: [] };
    const release = await secondConnection.acquire(lock);
    const reads = Promise.all(Array.from({ length: READS }, () => admin.get('/v1/hosts')));
    await until('all reads but one wait for a connection', 60, async () => {
      const metrics = await (await fetch(`${app.url}/metrics`, { headers: { Connection: 'close' } })).text();
      return new RegExp(`^muster_database_waiting ${String(READS - POOL / 2)}$`, 'm').test(metrics);
    });
    await admin.region();
    await release();
    expect((await reads).map(({ status }) => status)).toEqual(Array(READS).fill(200));
  });

  itOnOneServer('it adds a trigger')('set the role muster_app, regardless of the login role', async () => {
    // No response shows the role of a connection.
    await secondConnection.rows(
      `CREATE FUNCTION tell_role() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN NEW.note := session_user || ' as ' || current_user; RETURN NEW; END $$`,
    );
    await secondConnection.rows(
      'CREATE TRIGGER tell_role BEFORE INSERT ON regions FOR EACH ROW EXECUTE FUNCTION tell_role()',
    );
    const [login] = await secondConnection.rows<{ name: string }>('SELECT session_user AS name');
    const region = await admin.region();
    await secondConnection.rows('DROP TRIGGER tell_role ON regions');
    expect(region['note']).toBe(`${String(login?.name)} as muster_app`);
  });

  it('are replaced after the server terminates them, in a transaction or idle', async () => {
    const name = aName('region');
    for (let round = 0; round < 2 * POOL; round++) {
      const release = await secondConnection.acquire(lockRegionName(admin.projectId, name));
      const pending = Promise.all([admin.post('/v1/regions', { name })]);
      await secondConnection.waiting(1);
      await secondConnection.terminate(await secondConnection.servicePids('all'));
      const [response] = await pending;
      await release();
      expect(response.status).toBe(503);
      expect(response.headers['retry-after']).toMatch(/^\d+$/);
      await until('the service is ready again', 60, async () => (await admin.get('/readyz')).status === 200);
    }
    await expectAllBack();
  });

  it('stay open while a request waits for a lock, and readiness cannot check the migrations', async () => {
    // A restore and a migration take such locks.
    const release = await secondConnection.acquire({
      text: 'LOCK TABLE migrations, regions IN ACCESS EXCLUSIVE MODE',
      values: [],
    });
    const pending = Promise.all([admin.post('/v1/regions', { name: aName('region') })]);
    await secondConnection.waiting(1);
    const readiness: string[] = [];
    // The request may wait for a lock for longer than the timeout of the database watchdog.
    let hasResponse = false;
    void pending.then(() => (hasResponse = true));
    await until('the request has a response', 60, async () => {
      const { status, body } = await admin.get('/readyz');
      readiness.push(`${String(status)} ${(body as { message: string }).message}`);
      return hasResponse;
    });
    const [response] = await pending;
    expect(response.status).toBe(503);
    expect(response.headers['retry-after']).toMatch(/^\d+$/);
    expect(response.body).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('waiting for a lock'),
    });
    await release();
    // A busy machine may sometimes need longer than the check waits to learn that its query was cancelled.
    const [silent, busy] = ['503 The database does not respond.', '503 The database is busy.'];
    expect(readiness.filter((one) => one !== silent && one !== busy)).toEqual([]);
    const count = (response: string) => readiness.filter((one) => one === response).length;
    expect(count(busy)).toBeGreaterThan(count(silent));
    await admin.get('/readyz').expect(200);
    await expectAllBack();
  });

  it('are left for others by requests with unknown keys: they share one, however many there are', async () => {
    const ATTEMPTS = 60;
    const key = () => `mst_${randomBytes(8).toString('hex')}_${randomBytes(32).toString('base64url')}`;
    const release = await secondConnection.acquire({
      text: 'LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE',
      values: [],
    });
    const responses = Promise.all(
      Array.from({ length: ATTEMPTS }, () =>
        admin.as({ ...admin.credentials, token: key() }).get('/v1/hosts'),
      ),
    );
    await until(
      'all requests are active',
      60,
      async () => (await readTrafficMetrics(app)).inFlight === ATTEMPTS,
    );
    // The last of them is active, and the first one has reached the lock.
    await secondConnection.waiting(1);
    expect(await secondConnection.blockedPids()).toHaveLength(1);
    await release();
    expect(new Set((await responses).map(({ status }) => status))).toEqual(new Set([401]));
  });

  it('are returned to the pool after clients abort long responses', async () => {
    const region = await admin.region({ variables: { large: 'x'.repeat(200_000) } });
    for (let i = 0; i < 12; i++) await admin.host({ region_id: region.id });
    for (let round = 0; round < 3 * POOL; round++) {
      const abort = new AbortController();
      const response = await fetch(`${app.url}/v1/hosts`, {
        headers: authHeaders(admin.credentials),
        signal: abort.signal,
      });
      expect(response.status).toBe(200);
      const reader = response.body!.getReader();
      expect((await reader.read()).value?.length).toBeGreaterThan(0);
      abort.abort();
    }
    await expectAllBack();
  });
});
