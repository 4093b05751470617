import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import type { Response } from 'supertest';
import { itOnOneServer } from '../support/citus';
import { startService, type OwnService } from '../support/service';
import { aName, type Caller, type Resource } from '../support/caller';
import { query } from '../support/database';
import { authHeaders } from '../support/http-exchange';
import { asLines, sendImport } from '../support/importing';
import { samplesOf } from '../support/prometheus-text';
import { expectStatus, type ProposalBody } from '../support/proposals';
import { until } from '../support/until';

const MAX_BYTES = 65_536;

let app: OwnService;
let admin: Caller;
beforeAll(async () => {
  app = await startService({
    IDEMPOTENCY_MAX_ANSWERS: '3',
    IDEMPOTENCY_MAX_BYTES: String(MAX_BYTES),
    IMPORT_LIMIT_BYTES: String(6 * 1024 * 1024),
    PROPOSALS_PER_USER: '3',
  });
});
afterAll(() => app.stop());
beforeEach(async () => {
  admin = await app.project();
});

/**
 * A user cannot fill the database with stored responses: their number and size within 24 hours are limited. Two tests
 * alter the database.
 */
describe('the stored responses of a user', () => {
  const isReplay = ({ headers }: Response): boolean => headers['idempotency-replayed'] === 'true';
  const create = (caller: Caller, key: string, members: object = {}) =>
    caller.post('/v1/regions', { name: key, ...members }, { 'Idempotency-Key': key });
  const regionNames = async (): Promise<string[]> =>
    ((await admin.get('/v1/regions').expect(200)).body as Resource[]).map(({ name }) => name);

  function expectRefused(response: Response): void {
    expect(response.status).toBe(429);
    expect(response.body).toMatchObject({
      code: 'too_many_requests',
      details: [{ field: 'Idempotency-Key', code: 'limit_exceeded', message: expect.any(String) }],
    });
    const seconds = Number(response.headers['retry-after']);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(86_400);
  }

  it('are limited in number: a further request with a new key is refused and writes nothing', async () => {
    const first = await create(admin, 'a').expect(201);
    for (const key of ['b', 'c']) await create(admin, key).expect(201);
    expectRefused(await create(admin, 'd'));
    // A rejected request does not use up its key.
    expectRefused(await create(admin, 'd', { note: 'another body' }));
    expect(await regionNames()).toEqual(['a', 'b', 'c']);
    // Stored responses are still replayed.
    const again = await create(admin, 'a').expect(201);
    expect([again.text, isReplay(again)]).toEqual([first.text, true]);
    await create(admin, 'a', { note: 'another body' }).expect(409);
  });

  it('do not limit requests that store none, or other users', async () => {
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

  it('are not created by audit runs, dry runs, or writes without a key', async () => {
    const audit = await admin.audit();
    for (let round = 0; round < 5; round++) {
      const key = { 'Idempotency-Key': aName('key') };
      await admin.post(`/v1/audits/${String(audit.id)}/run`, {}, key).expect(200);
      await admin.post('/v1/regions?dry_run=true', { name: 'r' }, key).expect(200);
      await admin.post('/v1/regions', { name: aName('region') }).expect(201);
    }
    await create(admin, 'a').expect(201);
  });

  itOnOneServer('it adds a trigger')('are stored by a transaction that is retried', async () => {
    await query(
      app,
      `CREATE SEQUENCE tries;
       CREATE FUNCTION lose_once() RETURNS trigger SECURITY DEFINER LANGUAGE plpgsql AS $$ BEGIN
         IF NEW.name = 'lost once' AND nextval('tries') = 1 THEN RAISE SQLSTATE '40001'; END IF;
         RETURN NEW; END $$;
       CREATE TRIGGER lose_once BEFORE INSERT ON regions FOR EACH ROW EXECUTE FUNCTION lose_once()`,
    );
    const retries = async () =>
      samplesOf((await admin.get('/metrics').expect(200)).text).get('muster_transaction_retries_total') ?? 0;
    const before = await retries();
    const first = await create(admin, 'lost once').expect(201);
    expect(isReplay(first)).toBe(false);
    expect(await retries()).toBe(before + 1);
    const again = await create(admin, 'lost once').expect(201);
    expect([again.text, isReplay(again)]).toEqual([first.text, true]);
  });

  it('are kept for 24 hours, and then deleted by later requests', async () => {
    // No request lists stored responses, or sets their times.
    const stored = async () =>
      (
        await query<{ key: string }>(
          app,
          'SELECT key FROM idempotency_keys WHERE project_id = $1 ORDER BY key',
          [admin.projectId],
        )
      ).map(({ key }) => key);
    for (const key of ['a', 'b', 'c']) await create(admin, key).expect(201);
    await query(
      app,
      `UPDATE idempotency_keys SET created_at = now() - interval '24 hours 1 second' WHERE project_id = $1`,
      [admin.projectId],
    );
    await create(admin, 'd').expect(201);
    expect(await stored()).toEqual(['d']);
    await query(
      app,
      `INSERT INTO idempotency_keys SELECT project_id, user_id, 'old' || n, answer, now() - interval '2 days'
         FROM idempotency_keys, generate_series(1, 25) AS n WHERE project_id = $1`,
      [admin.projectId],
    );
    // The result must not depend on the query plan: force a nested loop.
    await query(
      app,
      `DO $$ BEGIN EXECUTE (SELECT string_agg(format('ALTER DATABASE %I SET %s = off', current_database(), name), ';')
         FROM pg_settings WHERE name IN ('enable_hashjoin', 'enable_mergejoin', 'enable_hashagg', 'enable_sort',
           'enable_material', 'enable_memoize', 'enable_indexscan', 'enable_bitmapscan', 'enable_indexonlyscan')); END $$`,
    );
    await reconnect();
    await create(admin, 'e').expect(201);
    // Each request deletes only a few old rows.
    expect(await stored()).toHaveLength(7);
    await create(admin, 'f').expect(201);
    expect(await stored()).toEqual(['d', 'e', 'f']);
    await query(app, `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I RESET ALL', current_database()); END $$`);
    await reconnect();
  });

  /** Reconnects the service, because only new connections read the settings of a database. */
  async function reconnect(): Promise<void> {
    await query(
      app,
      `SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'muster'`,
    );
    await until('the service responds', 60, async () => (await admin.get('/v1/regions')).status === 200);
  }
});

describe('the body of an import', () => {
  const region = { kind: 'region', name: 'r1' };

  it('is rejected if a line or the whole body is too long', async () => {
    const note = 'x'.repeat(4 * 1024 * 1024);
    const response = await sendImport(
      admin,
      asLines([region, { ...region, note }, { ...region, name: 'r2' }]),
      '?mode=partial',
    ).expect(200);
    expect(response.body).toMatchObject({ created: 2, errors: [{ line: 2, code: 'payload_too_large' }] });
    const tooLong = await sendImport(
      admin,
      asLines([
        { ...region, note },
        { ...region, note },
      ]),
    ).expect(413);
    expect(tooLong.body).toMatchObject({
      code: 'payload_too_large',
      message: 'The body is larger than the maximum of 6291456 bytes (IMPORT_LIMIT_BYTES).',
      created: 0,
      failed: 0,
    });
    await sendImport(admin, gzipSync('\n'.repeat(7 * 1024 * 1024)), '', {
      'Content-Encoding': 'gzip',
    }).expect(413);
  });

  it('needs temporary space of twice its largest size at most', async () => {
    const variables = { long: 'x'.repeat(900_000) };
    const names = Array.from({ length: 8 }, (_, i) => `r${String(i)}`);
    for (const name of names) await admin.region({ name, variables });
    const lines = asLines(names.map((name) => ({ ...region, name, note: 'changed' })));
    // Both sides of all regions have 14.4 MB.
    const { body } = await sendImport(admin, lines, '?changes=true', {
      Accept: 'application/x-ndjson',
    }).expect(413);
    expect(body).toMatchObject({
      code: 'payload_too_large',
      message: expect.stringContaining('12582912 bytes of temporary space'),
    });
    const { body: regions } = await admin.get('/v1/regions?fields=note').expect(200);
    expect(regions).toEqual(names.map(() => ({ note: null })));
    await sendImport(admin, lines).expect(200);
  });

  it('is rejected when the stream exceeds the limit, and the client receives the response', async () => {
    const line = asLines([{ ...region, note: 'x'.repeat(9_000) }]);
    const response = await fetch(`${app.url}/v1/import`, {
      method: 'POST',
      headers: { ...authHeaders(admin.credentials), 'content-type': 'application/x-ndjson' },
      body: Readable.toWeb(Readable.from(Array.from({ length: 1_500 }, () => Buffer.from(line)))),
      duplex: 'half',
    });
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ code: 'payload_too_large' });
  });
});

it('a user has at most PROPOSALS_PER_USER proposals, also if they are made at the same time, or withdrawn', async () => {
  await admin.cloud({ name: 'west' });
  const send = (i: number) => admin.post(`/v1/labels?propose=${String(i)}`, { label: `l-${String(i)}` });
  const responses = await Promise.all(Array.from({ length: 8 }, (_, i) => send(i)));
  const made = responses.filter(({ status }) => status === 202);
  const refused = responses.filter(({ status }) => status === 409);
  expect([made.length, refused.length]).toEqual([3, 5]);
  expect(refused[0]?.body).toMatchObject({ details: [{ code: 'limit_exceeded' }] });
  const { id } = made[0]!.body as ProposalBody;
  await admin.post(`/v1/proposals/${String(id)}/withdraw`).expect(200);
  await send(9).expect(409);
});

it('a user without roles changes proposals twice as often within 24 hours, and makes none above 16 MiB together', async () => {
  const region = await admin.region({ name: 'north' });
  const [author, writer] = [await admin.user(), await admin.user({ roles: ['cells:write'] })];
  const operation = (motd: string) => ({
    method: 'PUT',
    path: `/v1/regions/${String(region.id)}/variables`,
    body: { motd },
  });
  const send = async (caller: Caller, length = 1_000_000) =>
    caller.post('/v1/batch?propose=large', {
      operations: ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((letter) => operation(letter.repeat(length))),
    });
  expectStatus(await send(author), 202);
  expectStatus(await send(author), 202);
  const { body: refused } = expectStatus(await send(author), 409);
  expect(refused).toMatchObject({ details: [{ field: 'operations', code: 'limit_exceeded' }] });
  const { id } = (await send(writer, 1)).body as ProposalBody;
  const pathOf = async ({ credentials: { user } }: Caller) =>
    `/v1/users/${String(((await admin.get(`/v1/users?username=${user}`).expect(200)).body as Resource[])[0]?.id)}`;
  const comment = (caller: Caller) =>
    caller.post(`/v1/proposals/${String(id)}/comments`, { text: 'Looks right.' });
  for (let i = 0; i < 4; i++) await comment(author).expect(201);
  const refuse = async (caller: Caller) => {
    const { body } = await comment(caller).expect(409);
    expect(body).toMatchObject({ code: 'conflict', details: [{ code: 'limit_exceeded' }] });
  };
  await refuse(author);
  const rename = aName('renamed');
  await admin.put(await pathOf(author), { username: rename }).expect(200);
  await refuse(author.as({ ...author.credentials, user: rename }));
  for (let i = 0; i < 6; i++) await comment(writer).expect(201);
  // What a user wrote with a role does not count.
  const former = await admin.user({ roles: ['clouds:write'] });
  for (let i = 0; i < 6; i++) await former.cloud();
  await admin.put(await pathOf(former), { roles: [] }).expect(200);
  await comment(former).expect(201);
});
