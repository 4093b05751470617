import { sharedService } from '../support/service';
import type { Caller } from '../support/caller';

/** A number that takes six bytes in a request and a hundred thousand in every answer. */
const LONG_NUMBER = '1e99999';

describe('the limits of what a request can do', () => {
  const app = sharedService();
  let admin: Caller;
  beforeEach(async () => {
    admin = await app.project();
  });

  it('keep short texts from becoming long documents', async () => {
    const { id } = await admin.region();
    const path = `/v1/regions/${String(id)}/variables`;
    const numbers = Array.from({ length: 4_000 }, () => LONG_NUMBER).join(',');
    const answer = await admin.put(path, `{"a": [${numbers}]}`).expect(400);
    expect(answer.body).toMatchObject({ code: 'invalid_request' });
    expect((await admin.get(path).expect(200)).text).toBe('{"variables":{}}');
  });

  it('leave one long number, and text that only looks like one, alone', async () => {
    const { id } = await admin.region();
    const path = `/v1/regions/${String(id)}/variables`;
    const text = JSON.stringify(`"e9999999\\"1e9999999`);
    await admin.put(path, `{"a": ${LONG_NUMBER}, "b": ${text}, "c": 2.5E-3}`).expect(200);
    const { text: answer } = await admin.get(path).expect(200);
    expect(answer).toBe(`{"variables":{"a": 1${'0'.repeat(99_999)}, "b": ${text}, "c": 0.0025}}`);
  });

  it('keep vlans small, which every list shows', async () => {
    const { id: region_id } = await admin.region();
    const device = { name: 'sw', region_id, ip_address: '10.0.0.1', device_type: 'switch' };
    const refused = await admin
      .post('/v1/network-devices', { ...device, vlans: 'x'.repeat(70_000) })
      .expect(400);
    expect(refused.body.details).toEqual([{ field: 'vlans', message: 'takes at most 64 KiB' }]);
    await admin.post('/v1/network-devices', { ...device, vlans: 'x'.repeat(60_000) }).expect(201);
  });

  it('have nothing parsed for nobody', async () => {
    const nobody = admin.as({ token: '', user: '', project: '' });
    await nobody.post('/v1/regions', '{broken').expect(401);
    await nobody.send('post', '/v1/regions', '{}', { 'Content-Encoding': 'none' }).expect(401);
  });

  it('end paths with their queries', async () => {
    const longest = `/healthz?a=${'x'.repeat(8_192 - '/healthz?a='.length)}`;
    await admin.get(longest).expect(200);
    const refused = await admin.get(`${longest}x`).expect(400);
    expect(refused.body).toMatchObject({ code: 'invalid_request', details: [] });
    expect((refused.body as { message: string }).message).toContain('URL_LIMIT_BYTES');
  });

  it('take paths letter by letter', async () => {
    await admin.post('/V1/regions?dry_run=true', { name: 'never' }).expect(404);
    expect((await admin.get('/v1/regions').expect(200)).body).toEqual([]);
  });

  it('end names at 255 characters, also those that take two units of JavaScript', async () => {
    await admin.post('/v1/regions', { name: '𝒜'.repeat(255) }).expect(201);
    await admin.post('/v1/regions', { name: '𝒜'.repeat(256) }).expect(400);
  });
});
