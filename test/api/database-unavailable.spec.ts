import { Client } from 'pg';
import { itOnOneServer } from '../support/citus';
import { startService, type OwnService } from '../support/service';
import type { Caller } from '../support/caller';
import { query } from '../support/database';
import { startDatabaseProxy, type DatabaseProxy } from '../support/database-proxy';
import { sendRaw } from '../support/http-exchange';
import { sendImport } from '../support/importing';
import { createTestDatabase } from '../support/test-database';
import { until } from '../support/until';

let app: OwnService;
let proxy: DatabaseProxy;
let admin: Caller;
/** A connection to another database, so that the tested database can be renamed. */
let operator: Client;
beforeAll(async () => {
  const database = await createTestDatabase();
  operator = new Client({ connectionString: database.url.replace(database.name, 'postgres') });
  await operator.connect();
  proxy = await startDatabaseProxy(database);
  app = await startService({ LOG_LEVEL: 'info' }, proxy.database);
  admin = await app.project();
});
afterAll(async () => {
  await operator.end();
  await app.stop();
});

it('an outage has one line when it begins and one when it ends, a metric, and one line without a stack per request', async () => {
  const [start, firstLine] = [app.logLines().length, app.program.lines.length];
  const linesSince = () => app.logLines().slice(start);
  const up = async () =>
    /^muster_database_up (\d)$/m.exec((await app.root.get('/metrics').expect(200)).text)?.[1];
  const messages = () =>
    linesSince()
      .map(({ msg }) => String(msg))
      .filter((msg) => msg.startsWith('The database'));
  expect(await up()).toBe('1');
  await proxy.disconnect();
  // Without any request.
  await until('the outage is reported', 30, () => Promise.resolve(messages().length > 0));
  expect(await up()).toBe('0');
  for (let i = 0; i < 3; i++) await app.root.get('/v1/regions').expect(503);
  await proxy.reconnect();
  await until('the database is available', 30, async () => (await up()) === '1');
  const { headers } = await app.root.get('/v1/regions').expect(200);
  await app.logLineOf(String(headers['x-request-id']));
  expect(messages()).toEqual([
    expect.stringMatching(/^The database is unavailable: .+\.$/),
    expect.stringMatching(/^The database is available again, after \d+ seconds\.$/),
  ]);
  const failed = linesSince().filter(({ res }) => (res as { status: number } | undefined)?.status === 503);
  expect(failed).toHaveLength(3);
  for (const { request_id: id, error } of failed) {
    expect(error).toEqual(expect.stringMatching(/\S/));
    expect(linesSince().filter(({ request_id: other }) => other === id)).toHaveLength(1);
  }
  expect(app.program.lines.slice(firstLine).filter((line) => line.includes('"stack"'))).toEqual([]);
});

itOnOneServer('functions also have a name on the nodes')(
  'an invalid header of a table remains a 400 if the read that could explain it fails',
  async () => {
    await query(app, 'ALTER FUNCTION name_skeleton RENAME TO another_name');
    try {
      for (const parameters of ['', '?propose=Hosts']) {
        const headers = { 'Content-Type': 'text/csv' };
        const { body } = await sendImport(admin, 'name,Kernel\nh1,6.8\n', parameters, headers).expect(400);
        expect(body).toMatchObject({
          details: [
            {
              field: 'columns',
              message: '"Kernel" is not a column (for a variable, use "variables.Kernel")',
            },
          ],
        });
        expect(body).not.toHaveProperty('similar_keys');
        const { request_id: id } = body as { request_id: string };
        expect(await app.logLineOf(id)).toMatchObject({
          level: 40,
          error: expect.stringContaining('name_skeleton') as string,
        });
      }
    } finally {
      await query(app, 'ALTER FUNCTION another_name RENAME TO name_skeleton');
    }
  },
);

describe('while the database is unreachable', () => {
  beforeEach(() => proxy.disconnect());
  afterEach(() => proxy.reconnect());

  it('every endpoint that needs it returns 503 with Retry-After', async () => {
    // One cached API key, and one that the service would have to look up.
    const unknown = admin.as({ ...admin.credentials, token: `mst_0000000000000000_${'A'.repeat(43)}` });
    for (const call of [
      admin.get('/v1/regions'),
      admin.get('/v1/regions/1'),
      admin.post('/v1/regions', { name: 'r' }),
      admin.put('/v1/regions/1/variables', { a: 1 }),
      admin.delete('/v1/regions/1'),
      admin.get('/v1/devices'),
      unknown.get('/v1/regions'),
    ]) {
      const { status, body, headers } = await call;
      expect({ status, body }).toEqual({
        status: 503,
        body: {
          code: 'unavailable',
          message: expect.any(String),
          details: [],
          request_id: headers['x-request-id'],
        },
      });
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
  });

  it('the process is alive, but not ready', async () => {
    expect(await sendRaw(`${app.url}/healthz`)).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect(await sendRaw(`${app.url}/readyz`)).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  });

  it('a connection lost during COMMIT returns 503 without Retry-After, because the commit may have succeeded', async () => {
    await proxy.reconnect();
    const key = { 'Idempotency-Key': 'cut-while-committing' };
    proxy.dropResponseTo('COMMIT');
    const { status, body, headers } = await admin.post('/v1/regions', { name: 'cut' }, key);
    expect({ status, body }).toMatchObject({
      status: 503,
      body: { code: 'unavailable', message: expect.stringContaining('it may have been done') },
    });
    expect(headers).not.toHaveProperty('retry-after');
    const again = await admin.post('/v1/regions', { name: 'cut' }, key).expect(201);
    expect(again.headers['idempotency-replayed']).toBe('true');
    await admin.delete(`/v1/regions/${String((again.body as { id: number }).id)}`).expect(204);
    // A read changes nothing, so it can always be retried.
    proxy.dropResponseTo('COMMIT');
    const read = await admin.get('/v1/variable-keys');
    expect([read.status, Number(read.headers['retry-after'])]).toEqual([503, 2]);
  });

  it('the service recovers once it is reachable again', async () => {
    await admin.post('/v1/regions', { name: 'lost' }).expect(503);
    await proxy.reconnect();
    await admin.post('/v1/regions', { name: 'kept' }).expect(201);
    expect((await admin.get('/v1/regions?fields=name').expect(200)).body).toEqual([{ name: 'kept' }]);
    expect(await sendRaw(`${app.url}/readyz`)).toMatchObject({ status: 200, body: { status: 'ok' } });
  });

  itOnOneServer('the nodes stay connected to the database')(
    'a renamed database is unavailable, too',
    async () => {
      const { name } = proxy.database;
      await operator.query(`ALTER DATABASE "${name}" RENAME TO "${name}_old"`);
      await proxy.reconnect();
      const { status, headers } = await admin.get('/v1/regions');
      const ready = await sendRaw(`${app.url}/readyz`);
      await proxy.disconnect();
      await operator.query(`ALTER DATABASE "${name}_old" RENAME TO "${name}"`);
      expect([status, Number(headers['retry-after'])]).toEqual([503, 2]);
      expect(ready).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    },
  );

  it('a read-only database whose connection fails at ROLLBACK returns 503', async () => {
    const { name } = proxy.database;
    await operator.query(`ALTER DATABASE "${name}" SET default_transaction_read_only = on`);
    await proxy.reconnect();
    proxy.resetAt('ROLLBACK');
    const { status, body } = await admin.post('/v1/regions', { name: 'lost' });
    await operator.query(`ALTER DATABASE "${name}" RESET default_transaction_read_only`);
    expect({ status, body }).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  });
});
