import { Client } from 'pg';
import { startService, type OwnService } from '../support/service';
import type { Caller } from '../support/caller';
import { startDatabaseProxy, type DatabaseProxy } from '../support/database-proxy';
import { sendRaw } from '../support/http-exchange';
import { createTestDatabase } from '../support/test-database';

describe('while the database is away', () => {
  let app: OwnService;
  let gate: DatabaseProxy;
  let admin: Caller;
  /** Somebody who is no user of it. */
  let operator: Client;
  beforeAll(async () => {
    const database = await createTestDatabase();
    operator = new Client({ connectionString: database.url.replace(database.name, 'postgres') });
    await operator.connect();
    gate = await startDatabaseProxy(database);
    app = await startService({}, gate.database);
    admin = await app.project();
  });
  afterAll(async () => {
    await operator.end();
    await app.stop();
  });
  beforeEach(() => gate.disconnect());
  afterEach(() => gate.reconnect());

  it('everything that needs it is 503 and says when to try again', async () => {
    // Whom the process knows, and whom it would have to look up.
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

  it('the process lives, and is not ready', async () => {
    expect(await sendRaw(`${app.url}/healthz`)).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect(await sendRaw(`${app.url}/readyz`)).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  });

  it('whoever is cut while committing is told by no Retry-After that it may have been done', async () => {
    await gate.reconnect();
    const key = { 'Idempotency-Key': 'cut-while-committing' };
    gate.dropResponseTo('COMMIT');
    const { status, body, headers } = await admin.post('/v1/regions', { name: 'cut' }, key);
    expect({ status, body }).toMatchObject({
      status: 503,
      body: { code: 'unavailable', message: expect.stringContaining('it may have been done') },
    });
    expect(headers).not.toHaveProperty('retry-after');
    const again = await admin.post('/v1/regions', { name: 'cut' }, key).expect(201);
    expect(again.headers['idempotency-replayed']).toBe('true');
    await admin.delete(`/v1/regions/${String((again.body as { id: number }).id)}`).expect(204);
    // What only reads has done nothing, wherever it is cut.
    gate.dropResponseTo('COMMIT');
    const read = await admin.get('/v1/variable-keys');
    expect([read.status, Number(read.headers['retry-after'])]).toEqual([503, 2]);
  });

  it('nothing is kept of it: once it is back, all is well', async () => {
    await admin.post('/v1/regions', { name: 'lost' }).expect(503);
    await gate.reconnect();
    await admin.post('/v1/regions', { name: 'kept' }).expect(201);
    expect((await admin.get('/v1/regions?fields=name').expect(200)).body).toEqual([{ name: 'kept' }]);
    expect(await sendRaw(`${app.url}/readyz`)).toMatchObject({ status: 200, body: { status: 'ok' } });
  });

  it('a database that is being put in place of another is away, too', async () => {
    const { name } = gate.database;
    await operator.query(`ALTER DATABASE "${name}" RENAME TO "${name}_old"`);
    await gate.reconnect();
    const { status, headers } = await admin.get('/v1/regions');
    const ready = await sendRaw(`${app.url}/readyz`);
    await gate.disconnect();
    await operator.query(`ALTER DATABASE "${name}_old" RENAME TO "${name}"`);
    expect([status, Number(headers['retry-after'])]).toEqual([503, 2]);
    expect(ready).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  });

  it('a database that takes no writes, and dies when a transaction is to be given up, keeps nobody waiting', async () => {
    const { name } = gate.database;
    await operator.query(`ALTER DATABASE "${name}" SET default_transaction_read_only = on`);
    await gate.reconnect();
    gate.resetAt('ROLLBACK');
    const { status, body } = await admin.post('/v1/regions', { name: 'lost' });
    await operator.query(`ALTER DATABASE "${name}" RESET default_transaction_read_only`);
    expect({ status, body }).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  });
});
