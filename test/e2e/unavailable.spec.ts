import { startApp, type TestApp } from '../support/app';
import type { Caller } from '../support/caller';
import { gateBefore, type DatabaseGate } from '../support/database-gate';
import { exchange } from '../support/exchange';
import { createTestDatabase } from '../support/test-database';

describe('while the database is away', () => {
  let app: TestApp;
  let gate: DatabaseGate;
  let admin: Caller;
  beforeAll(async () => {
    gate = await gateBefore(await createTestDatabase());
    app = await startApp({}, gate.database);
    admin = await app.project();
  });
  afterAll(() => app.close());
  beforeEach(() => gate.shut());
  afterEach(() => gate.open());

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
    expect(await exchange(`${app.url}/healthz`)).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect(await exchange(`${app.url}/readyz`)).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  });

  it('nothing is kept of it: once it is back, all is well', async () => {
    await admin.post('/v1/regions', { name: 'lost' }).expect(503);
    await gate.open();
    await admin.post('/v1/regions', { name: 'kept' }).expect(201);
    expect((await admin.get('/v1/regions?fields=name').expect(200)).body).toEqual([{ name: 'kept' }]);
    expect(await exchange(`${app.url}/readyz`)).toMatchObject({ status: 200, body: { status: 'ok' } });
  });
});
