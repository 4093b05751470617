import { sharedService } from '../support/service';
import type { Caller } from '../support/caller';

/** A number that takes six bytes in a request and a hundred thousand in every response. */
const LONG_NUMBER = '1e99999';

describe('request limits', () => {
  const app = sharedService();
  let admin: Caller;
  beforeEach(async () => {
    admin = await app.project();
  });

  it('reject short texts that expand to large documents', async () => {
    const { id } = await admin.region();
    const path = `/v1/regions/${String(id)}/variables`;
    const numbers = Array.from({ length: 4_000 }, () => LONG_NUMBER).join(',');
    const response = await admin.put(path, `{"a": [${numbers}]}`).expect(400);
    expect(response.body).toMatchObject({ code: 'invalid_request' });
    expect((await admin.get(path).expect(200)).text).toBe('{"variables":{}}');
  });

  it('accept one long number, and text that only looks like one', async () => {
    const { id } = await admin.region();
    const path = `/v1/regions/${String(id)}/variables`;
    const lookalike = JSON.stringify(`"e9999999\\"1e9999999`);
    await admin.put(path, `{"a": ${LONG_NUMBER}, "b": ${lookalike}, "c": 2.5E-3}`).expect(200);
    const { text } = await admin.get(path).expect(200);
    expect(text).toBe(`{"variables":{"a": 1${'0'.repeat(99_999)}, "b": ${lookalike}, "c": 0.0025}}`);
  });

  it('limit the size of vlans, which every list returns', async () => {
    const { id: region_id } = await admin.region();
    const device = { name: 'sw', region_id, ip_address: '10.0.0.1', device_type: 'switch' };
    const rejected = await admin
      .post('/v1/network-devices', { ...device, vlans: 'x'.repeat(70_000) })
      .expect(400);
    expect(rejected.body.details).toEqual([
      { field: 'vlans', code: 'too_long', message: 'takes at most 64 KiB' },
    ]);
    await admin.post('/v1/network-devices', { ...device, vlans: 'x'.repeat(60_000) }).expect(201);
  });

  it('apply no parsing to unauthenticated requests', async () => {
    const anonymous = admin.as({ token: '', user: '', project: '' });
    await anonymous.post('/v1/regions', '{broken').expect(401);
    await anonymous.send('post', '/v1/regions', '{}', { 'Content-Encoding': 'none' }).expect(401);
  });

  it('limit the length of a path with its query', async () => {
    const longest = `/healthz?a=${'x'.repeat(8_192 - '/healthz?a='.length)}`;
    await admin.get(longest).expect(200);
    const rejected = await admin.get(`${longest}x`).expect(400);
    expect(rejected.body).toMatchObject({ code: 'invalid_request', details: [] });
    expect((rejected.body as { message: string }).message).toContain('URL_LIMIT_BYTES');
  });

  it('match paths case-sensitively', async () => {
    await admin.post('/V1/regions?dry_run=true', { name: 'never' }).expect(404);
    expect((await admin.get('/v1/regions').expect(200)).body).toEqual([]);
  });

  it('limit names to 255 characters, counting surrogate pairs as one character', async () => {
    await admin.post('/v1/regions', { name: '𝒜'.repeat(255) }).expect(201);
    await admin.post('/v1/regions', { name: '𝒜'.repeat(256) }).expect(400);
  });
});
