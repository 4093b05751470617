import { gzipSync } from 'node:zlib';
import { startApp, startInstance, type Instance, type TestApp } from '../support/app';
import type { Caller } from '../support/caller';
import { authHeaders, exchange } from '../support/exchange';

/** What clients of the original interface, and strangers with the contract in hand, rely on. */
describe('conformance', () => {
  let app: TestApp;
  /** Another instance on the same database, with another key for secrets. */
  let another: Instance;
  let admin: Caller;
  beforeAll(async () => {
    app = await startApp();
    another = await startInstance(app.databaseUrl);
  });
  afterAll(async () => {
    await another.close();
    await app.close();
  });
  beforeEach(async () => {
    admin = await app.project();
  });

  it.each([
    ['gzip', Buffer.from('{"name":"r"}')],
    ['gzip', gzipSync('{"name":"r"}').subarray(0, 20)],
    ['deflate', Buffer.from('{"name":"r"}')],
    ['br', Buffer.from('{"name":"r"}')],
  ])('400 invalid_request: a body that is not the %s that its header says', async (encoding, body) => {
    const answer = await exchange(`${app.url}/v1/regions`, {
      method: 'POST',
      headers: {
        ...authHeaders(admin.credentials),
        'Content-Type': 'application/json',
        'Content-Encoding': encoding,
      },
      body,
    });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', message: expect.stringContaining('Content-Encoding') },
    });
  });

  it('503 says when to try again also where a secret does not open', async () => {
    const { id } = await admin.secret({ cert: 'sealed with one key' });
    const answer = await exchange(`${another.url}/v1/access-secrets/${String(id)}`, {
      headers: authHeaders(admin.credentials),
    });
    expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });
});
