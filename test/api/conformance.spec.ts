import { gzipSync } from 'node:zlib';
import { sharedService } from '../support/service';
import type { Caller } from '../support/caller';
import { authHeaders, sendRaw } from '../support/http-exchange';

/** What clients of the original interface and of the published contract rely on. */
describe('conformance', () => {
  const app = sharedService();
  let admin: Caller;
  beforeAll(async () => {
    admin = await app.project();
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
