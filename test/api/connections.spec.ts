import { startService, type OwnService } from '../support/service';
import { SecondConnection } from '../support/second-connection';
import { aName, type Caller } from '../support/caller';
import { authHeaders } from '../support/http-exchange';
import { until } from '../support/until';

/** So few that the first that is lost is missed. */
const POOL = 2;

describe('connections to the database', () => {
  let app: OwnService;
  let secondConnection: SecondConnection;
  let admin: Caller;
  beforeAll(async () => {
    app = await startService({ DATABASE_POOL_SIZE: String(POOL) });
    secondConnection = await SecondConnection.connect(app.databaseUrl);
    admin = await app.project();
  });
  afterAll(async () => {
    await secondConnection.close();
    await app.stop();
  });

  /** Both are there, at the same time, and neither is left in a transaction. */
  async function expectAllBack(): Promise<void> {
    await until('no transaction is left open', 60, async () => {
      const rows = await secondConnection.rows(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
           AND (state LIKE 'idle in transaction%' OR wait_event_type = 'Lock')`,
      );
      return rows.length === 0;
    });
    const region = await admin.region();
    const lock = { text: 'SELECT FROM regions WHERE id = $1 FOR UPDATE', values: [region.id] };
    const answers = await secondConnection.whileHolding(
      lock,
      () =>
        Promise.all(
          Array.from({ length: POOL }, (_, i) =>
            admin.put(`/v1/regions/${String(region.id)}`, { note: String(i) }),
          ),
        ),
      POOL,
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  }

  it('come back from every kind of failure', async () => {
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

  it('come back from requests whose clients have gone', async () => {
    const region = await admin.region();
    const url = `${app.url}/v1/regions/${String(region.id)}`;
    const release = await secondConnection.acquire({
      text: 'SELECT FROM regions WHERE id = $1 FOR UPDATE',
      values: [region.id],
    });
    const abort = new AbortController();
    const headers = { ...authHeaders(admin.credentials), 'Content-Type': 'application/json' };
    const gone = Array.from({ length: POOL }, () =>
      fetch(url, { method: 'PUT', headers, body: '{"note": "gone"}', signal: abort.signal }),
    );
    await secondConnection.waiting(POOL);
    abort.abort();
    const outcomes = await Promise.allSettled(gone);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await release();
    await expectAllBack();
  });

  it('take a role without rights of its own, whoever logs in', async () => {
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

  it('are replaced when the server has cut them, in a transaction or at rest', async () => {
    const name = aName('region');
    for (let round = 0; round < 2 * POOL; round++) {
      const release = await secondConnection.acquire({
        text: 'INSERT INTO regions (project_id, name) VALUES ($1, $2)',
        values: [admin.projectId, name],
      });
      const sent = Promise.all([admin.post('/v1/regions', { name })]);
      await secondConnection.waiting(1);
      // All of the service's, whatever they do: it works as a role, but logs in as the secondConnection does.
      await secondConnection.rows(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'muster'`,
      );
      const [answer] = await sent;
      await release();
      expect(answer.status).toBe(503);
      expect(answer.headers['retry-after']).toMatch(/^\d+$/);
      await until('the service is ready again', 60, async () => (await admin.get('/readyz')).status === 200);
    }
    await expectAllBack();
  });

  it('are left alone while a request waits for a lock, and nobody can see whether the database is migrated', async () => {
    // As a restoration does, and whoever migrates.
    const release = await secondConnection.acquire({
      text: 'LOCK TABLE migrations, regions IN ACCESS EXCLUSIVE MODE',
      values: [],
    });
    const sent = Promise.all([admin.post('/v1/regions', { name: aName('region') })]);
    await secondConnection.waiting(1);
    const said = new Set<string>();
    // The request may wait for a lock for longer than a database may be silent.
    let isAnswered = false;
    void sent.then(() => (isAnswered = true));
    await until('the request is answered', 60, async () => {
      const { status, body } = await admin.get('/readyz');
      said.add(`${String(status)} ${(body as { message: string }).message}`);
      return isAnswered;
    });
    const [answer] = await sent;
    expect(answer.status).toBe(503);
    expect(answer.headers['retry-after']).toMatch(/^\d+$/);
    expect(answer.body).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('waiting for a lock'),
    });
    await release();
    expect([...said]).toEqual(['503 The database is busy.']);
    await admin.get('/readyz').expect(200);
    await expectAllBack();
  });

  it('come back from long answers that are not read to their end', async () => {
    const region = await admin.region({ variables: { large: 'x'.repeat(200_000) } });
    for (let i = 0; i < 12; i++) await admin.host({ region_id: region.id });
    for (let round = 0; round < 3 * POOL; round++) {
      const abort = new AbortController();
      const answer = await fetch(`${app.url}/v1/hosts`, {
        headers: authHeaders(admin.credentials),
        signal: abort.signal,
      });
      expect(answer.status).toBe(200);
      const reader = answer.body!.getReader();
      expect((await reader.read()).value?.length).toBeGreaterThan(0);
      abort.abort();
    }
    await expectAllBack();
  });
});
