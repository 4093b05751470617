import { gzipSync } from 'node:zlib';
import { sharedService } from '../support/service';
import type { Caller } from '../support/caller';
import { eachCollection, inOneProject } from '../support/collections';
import { authHeaders, sendRaw } from '../support/http-exchange';

/** What clients of the original interface and of the published contract rely on. */
describe('conformance', () => {
  const app = sharedService();
  const shared = inOneProject(app);
  let admin: Caller;
  beforeAll(async () => {
    admin = await shared.project();
  });

  // Clients of the original interface compare it with the URL that they posted to.
  it.each(eachCollection)('%s: Location is the URL of the collection and the id', async (_, one) => {
    const caller = await one.caller(shared);
    const collection = `${app.url}/v1/${one.collection}`;
    const response = await sendRaw(collection, {
      method: 'POST',
      headers: { ...authHeaders(caller.credentials), 'Content-Type': 'application/json' },
      body: JSON.stringify(await one.body(caller)),
    });
    const { id } = response.body as { id: number | string };
    expect(response.headers['location']).toBe(`${collection}/${String(id)}`);
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
});
