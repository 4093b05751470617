import { gzipSync } from 'node:zlib';
import { sharedService, type OwnService } from '../support/service';
import { aName, Caller } from '../support/caller';
import { eachCollection } from '../support/collections';
import { authHeaders, sendRaw } from '../support/http-exchange';
import { until } from '../support/until';

/** What clients of the original interface and of the published contract rely on. */
describe('conformance', () => {
  const app = sharedService();
  /** Another instance on the same database, with another key for secrets. */
  let published: OwnService;
  let admin: Caller;
  beforeAll(async () => {
    published = await app.startPeer({
      PUBLIC_URL: 'https://muster.example/fleet/',
      // Not the key of the shared service.
      SECRETS_KEY: `${'B'.repeat(43)}=`,
    });
  });
  afterAll(async () => {
    await published.stop();
  });
  beforeEach(async () => {
    admin = await app.project();
  });

  // Clients of the original interface compare it with the URL that they posted to.
  it.each(eachCollection)('%s: Location is the URL of the collection and the id', async (_, one) => {
    const caller = await one.caller(app);
    const collection = `${app.url}/v1/${one.collection}`;
    const response = await sendRaw(collection, {
      method: 'POST',
      headers: { ...authHeaders(caller.credentials), 'Content-Type': 'application/json' },
      body: JSON.stringify(await one.body(caller)),
    });
    const { id } = response.body as { id: number | string };
    expect(response.headers['location']).toBe(`${collection}/${String(id)}`);
  });

  it('Location begins with PUBLIC_URL if it is set', async () => {
    const response = await sendRaw(`${published.url}/v1/regions`, {
      method: 'POST',
      headers: { ...authHeaders(admin.credentials), 'Content-Type': 'application/json' },
      body: '{"name":"eqiad"}',
    });
    const { id } = response.body as { id: number };
    expect(response.headers['location']).toBe(`https://muster.example/fleet/v1/regions/${String(id)}`);
  });

  it.each([
    ['gzip', Buffer.from('{"name":"r"}')],
    ['gzip', gzipSync('{"name":"r"}').subarray(0, 20)],
    ['deflate', Buffer.from('{"name":"r"}')],
    ['br', Buffer.from('{"name":"r"}')],
  ])('400 invalid_request: a body that is not %s as its header declares', async (encoding, body) => {
    const response = await sendRaw(`${app.url}/v1/regions`, {
      method: 'POST',
      headers: {
        ...authHeaders(admin.credentials),
        'Content-Type': 'application/json',
        'Content-Encoding': encoding,
      },
      body,
    });
    expect(response).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', message: expect.stringContaining('Content-Encoding') },
    });
  });

  it('503 has Retry-After also if a secret cannot be decrypted', async () => {
    const { id } = await admin.secret({ cert: 'sealed with one key' });
    const response = await sendRaw(`${published.url}/v1/access-secrets/${String(id)}`, {
      headers: authHeaders(admin.credentials),
    });
    expect(response).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
  });

  it("a project's settings apply at once in the process that sets them, and soon in every other", async () => {
    const set = (keys: readonly string[]) =>
      admin.put(`/v1/projects/${admin.projectId}/settings`, { private: keys });
    const user = await admin.user();
    const { id } = await admin.host({ variables: { db_password: 'hidden', kernel: '6.8' } });
    const path = `/v1/hosts/${String(id)}/variables`;
    const elsewhere = new Caller(published.url, user.credentials);
    const all = { db_password: 'hidden', kernel: '6.8' };
    expect((await elsewhere.get(path)).body).toEqual({ variables: all });
    expect((await user.get(path)).body).toEqual({ variables: all });
    await set(['db_*']).expect(200);
    expect((await user.get(path)).body).toEqual({ variables: { kernel: '6.8' } });
    await until('the other process hides it, too', 50, async () => {
      return !(await elsewhere.get(path)).text.includes('db_password');
    });
    await set([aName('other').replace('-', '_')]).expect(200);
    expect((await user.get(path)).body).toEqual({ variables: all });
  });
});
