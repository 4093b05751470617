import type { Response } from 'supertest';
import { startService, type OwnService } from '../support/service';
import { aName, type Caller, type Resource } from '../support/caller';

const MAX_BYTES = 65_536;

/** A user cannot fill the database with answers: those stored within 24 hours are bounded in number and size. */
describe('the answers stored for a user', () => {
  let app: OwnService;
  let admin: Caller;
  beforeAll(async () => {
    app = await startService({ IDEMPOTENCY_MAX_ANSWERS: '3', IDEMPOTENCY_MAX_BYTES: String(MAX_BYTES) });
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    admin = await app.project();
  });

  const isReplay = ({ headers }: Response): boolean => headers['idempotency-replayed'] === 'true';
  const create = (caller: Caller, key: string, members: object = {}) =>
    caller.post('/v1/regions', { name: key, ...members }, { 'Idempotency-Key': key });
  const regionNames = async (): Promise<string[]> =>
    ((await admin.get('/v1/regions').expect(200)).body as Resource[]).map(({ name }) => name);

  function expectRefused(answer: Response): void {
    expect(answer.status).toBe(429);
    expect(answer.body).toMatchObject({
      code: 'too_many_requests',
      details: [{ field: 'Idempotency-Key', message: expect.any(String) }],
    });
    const seconds = Number(answer.headers['retry-after']);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(86_400);
  }

  it('are limited in number: a further request with a new key is refused and writes nothing', async () => {
    const first = await create(admin, 'a').expect(201);
    for (const key of ['b', 'c']) await create(admin, key).expect(201);
    expectRefused(await create(admin, 'd'));
    // The key of a refused request is not taken.
    expectRefused(await create(admin, 'd', { note: 'another body' }));
    expect(await regionNames()).toEqual(['a', 'b', 'c']);
    // What was answered before is still answered.
    const again = await create(admin, 'a').expect(201);
    expect([again.text, isReplay(again)]).toEqual([first.text, true]);
    await create(admin, 'a', { note: 'another body' }).expect(409);
  });

  it('do not hold up requests that store none, or those of other users', async () => {
    for (const key of ['a', 'b', 'c']) await create(admin, key).expect(201);
    expectRefused(await create(admin, 'd'));
    await admin.post('/v1/regions', { name: 'without a key' }).expect(201);
    const key = { 'Idempotency-Key': 'd' };
    await admin.post('/v1/regions?dry_run=true', { name: 'd' }, key).expect(200);
    const audit = await admin.audit();
    await admin.post(`/v1/audits/${String(audit.id)}/run`, {}, key).expect(200);
    const other = await admin.user({ is_admin: true });
    await create(other, 'd').expect(201);
  });

  it('are limited in bytes', async () => {
    const variables = { large: 'x'.repeat(MAX_BYTES / 2) };
    await create(admin, 'a', { variables }).expect(201);
    await create(admin, 'b', { variables }).expect(201);
    expectRefused(await create(admin, 'c'));
    expect(await regionNames()).toEqual(['a', 'b']);
  });

  it('are not made by runs of audits, dry runs, or writes without a key', async () => {
    const audit = await admin.audit();
    for (let round = 0; round < 5; round++) {
      const key = { 'Idempotency-Key': aName('key') };
      await admin.post(`/v1/audits/${String(audit.id)}/run`, {}, key).expect(200);
      await admin.post('/v1/regions?dry_run=true', { name: 'r' }, key).expect(200);
      await admin.post('/v1/regions', { name: aName('region') }).expect(201);
    }
    await create(admin, 'a').expect(201);
  });
});
