import type { Response } from 'supertest';
import { sharedService } from '../support/service';
import type { Caller, Resource } from '../support/caller';

const LIMIT = 64 * 1024;

interface ErrorBody {
  readonly message: string;
  readonly details: readonly unknown[];
}

function errorOf(answer: Response, status: number, code: string): ErrorBody {
  expect([answer.status, answer.body.code]).toEqual([status, code]);
  return answer.body as ErrorBody;
}

describe('a body', () => {
  const app = sharedService();
  let admin: Caller;
  let region: Resource;
  beforeEach(async () => {
    admin = await app.project();
    region = await admin.region();
  });

  describe('is refused before it is parsed', () => {
    it.each([101, 1_000_000])('where it is nested %d levels', async (levels) => {
      const deep = '['.repeat(levels) + ']'.repeat(levels);
      const path = `/v1/regions/${String(region.id)}`;
      // The second text is no JSON, which only the parser would find.
      for (const text of [deep, '['.repeat(levels), `{"note":${deep.slice(1, -1)},"variables":{}}`])
        for (const answer of [
          await admin.put(path, `{"note":${text}}`),
          await admin.put(`${path}/variables`, `{"deep":${text}}`),
          await admin.delete(`${path}/variables`, `{"deep":${text}}`),
          await admin.post('/v1/regions', `[${text}]`),
        ]) {
          const { message, details } = errorOf(answer, 400, 'invalid_request');
          expect([message, details]).toEqual(['The body is nested more than 100 levels deep.', []]);
        }
      const { body } = await admin.get(path).expect(200);
      expect(body.version).toBe(1);
    });

    it('where a line of an import is', async () => {
      const deep = '['.repeat(1_000_000) + ']'.repeat(1_000_000);
      const answer = await admin
        .send('post', '/v1/import?mode=partial', undefined, { 'Content-Type': 'application/x-ndjson' })
        .send(`{"kind":"region","name":"deep","note":${deep}}\n`)
        .expect(200);
      expect(answer.body).toMatchObject({
        failed: 1,
        errors: [
          { line: 1, code: 'invalid_request', message: 'The line is nested more than 100 levels deep.' },
        ],
      });
    });
  });

  describe('of more than 64 KiB is refused with 413', () => {
    /** JSON of so many bytes. */
    const padded = (body: object, bytes: number): string => JSON.stringify(body).padEnd(bytes, ' ');

    it('by deletes, reverts, new keys, runs of audits', async () => {
      const cloud = await admin.cloud();
      const audit = await admin.audit();
      const [change] = (await admin.get('/v1/changes?kind=cloud').expect(200)).body as Resource[];
      const [user] = (await admin.get('/v1/users').expect(200)).body as Resource[];
      const host = await admin.host({ variables: { a: 1 } });
      for (const [method, path, body] of [
        ['post', `/v1/audits/${String(audit.id)}/run`, {}],
        ['delete', `/v1/hosts/${String(host.id)}/variables/a`, {}],
        ['delete', `/v1/hosts/${String(host.id)}`, { note: 'why' }],
        ['post', `/v1/changes/${String(change?.id)}/revert?dry_run=true`, { note: 'why' }],
        ['put', `/v1/clouds/${String(cloud.id)}`, {}],
        ['post', `/v1/users/${String(user?.id)}/api-keys?dry_run=true`, {}],
        ['post', `/v1/users/${String(user?.id)}/api-key?dry_run=true`, {}],
      ] as const) {
        const answer = await admin.send(method, path, padded(body, LIMIT + 1));
        const { message } = errorOf(answer, 413, 'payload_too_large');
        expect(message).toBe('The body is larger than the limit of 65536 bytes.');
        const { status } = await admin.send(method, path, padded(body, LIMIT));
        expect([method, path, Math.floor(status / 100)]).toEqual([method, path, 2]);
      }
    });

    it('but not where variables or several resources are taken', async () => {
      const region = await admin.region();
      const path = `/v1/regions/${String(region.id)}`;
      const note = 'y'.repeat(LIMIT);
      await admin.put(path, { variables: { note } }).expect(200);
      await admin.put(`${path}/variables`, { note }).expect(200);
      await admin.put(`${path}/variables/note`, { value: note }).expect(200);
      await admin.put('/v1/regions/variables', { ids: [region.id], variables: { note } }).expect(200);
      await admin.delete(`${path}/variables`, { note }).expect(204);
      await admin.post('/v1/regions', [{ name: 'large', variables: { note } }]).expect(201);
    });
  });
});
