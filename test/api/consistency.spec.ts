import { sharedService } from '../support/service';
import type { Caller } from '../support/caller';

const TOKEN = 'X-Consistency-Token';

/** For replicas, see test/system/faults/read-your-writes.ts. */
describe('consistency tokens without replicas', () => {
  const app = sharedService();
  let admin: Caller;
  beforeAll(async () => {
    admin = await app.project();
  });
  it('are not issued, but accepted in requests', async () => {
    const made = await admin.post('/v1/regions', { name: 'r' }).expect(201);
    expect(made.headers).not.toHaveProperty(TOKEN.toLowerCase());
    for (const token of ['', '6904e2a1b7c3d5f0-00000001-000000001a2b3c40']) {
      const { body } = await admin.get('/v1/regions?fields=name', { [TOKEN]: token }).expect(200);
      expect(body).toEqual([{ name: 'r' }]);
    }
  });

  it('must be well-formed', async () => {
    const { body } = await admin.get('/v1/regions', { [TOKEN]: 'latest' }).expect(400);
    expect(body).toMatchObject({
      code: 'invalid_request',
      details: [
        { field: TOKEN, code: 'invalid_format', message: 'must be a token from an earlier response' },
      ],
    });
  });

  it('add no replica metrics', async () => {
    const names = (await admin.get('/metrics').expect(200)).text.match(/^muster_\w+/gm) ?? [];
    expect(names).toContain('muster_http_requests_in_flight');
    expect(names.filter((name) => /replica|muster_database_reads/.test(name))).toEqual([]);
  });
});
