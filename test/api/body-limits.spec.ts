import type { Response } from 'supertest';
import { sharedService } from '../support/service';
import type { Caller, Resource } from '../support/caller';

const LIMIT = 64 * 1024;

interface ErrorBody {
  readonly message: string;
  readonly details: readonly unknown[];
}

function errorOf(response: Response, status: number, code: string): ErrorBody {
  expect([response.status, response.body.code]).toEqual([status, code]);
  return response.body as ErrorBody;
}

describe('a request body', () => {
  const app = sharedService();
  let admin: Caller;
  let region: Resource;
  beforeAll(async () => {
    admin = await app.project();
    region = await admin.region();
  });

  describe('is rejected before parsing', () => {
    it.each([101, 1_000_000])('if it is nested %d levels deep', async (levels) => {
      const deep = '['.repeat(levels) + ']'.repeat(levels);
      const path = `/v1/regions/${String(region.id)}`;
      // The second text is invalid JSON, which only the parser would detect.
      for (const text of [deep, '['.repeat(levels), `{"note":${deep.slice(1, -1)},"variables":{}}`])
        for (const response of [
          await admin.put(path, `{"note":${text}}`),
          await admin.put(`${path}/variables`, `{"deep":${text}}`),
          await admin.delete(`${path}/variables`, `{"deep":${text}}`),
          await admin.post('/v1/regions', `[${text}]`),
        ]) {
          const { message, details } = errorOf(response, 400, 'invalid_request');
          const text = 'The body is nested more than 100 levels deep.';
          expect([message, details]).toEqual([text, [{ field: 'body', code: 'too_deep', message: text }]]);
        }
      const { body } = await admin.get(path).expect(200);
      expect(body.version).toBe(1);
    });

    it('if a line of an import is nested too deep', async () => {
      const deep = '['.repeat(1_000_000) + ']'.repeat(1_000_000);
      const response = await admin
        .send('post', '/v1/import?mode=partial', undefined, { 'Content-Type': 'application/x-ndjson' })
        .send(`{"kind":"region","name":"deep","note":${deep}}\n`)
        .expect(200);
      expect(response.body).toMatchObject({
        failed: 1,
        errors: [
          { line: 1, code: 'invalid_request', message: 'The line is nested more than 100 levels deep.' },
        ],
      });
    });
  });

  describe('of more than 64 KiB is refused with 413', () => {
    /** JSON padded to the given number of bytes. */
    const padded = (body: object, bytes: number): string => JSON.stringify(body).padEnd(bytes, ' ');

    it('by reverts, new API keys and audit runs', async () => {
      const cloud = await admin.cloud();
      const audit = await admin.audit();
      const [change] = (await admin.get('/v1/changes?kind=cloud').expect(200)).body as Resource[];
      const [user] = (await admin.get('/v1/users').expect(200)).body as Resource[];
      for (const [method, path, body] of [
        ['post', `/v1/audits/${String(audit.id)}/run`, {}],
        ['post', `/v1/changes/${String(change?.id)}/revert?dry_run=true`, { note: 'why' }],
        ['put', `/v1/clouds/${String(cloud.id)}`, {}],
        ['post', `/v1/users/${String(user?.id)}/api-keys?dry_run=true`, {}],
        ['post', `/v1/users/${String(user?.id)}/api-key?dry_run=true`, {}],
      ] as const) {
        const response = await admin.send(method, path, padded(body, LIMIT + 1));
        const { message } = errorOf(response, 413, 'payload_too_large');
        expect(message).toBe('The body is larger than the limit of 65536 bytes.');
        const { status } = await admin.send(method, path, padded(body, LIMIT));
        expect([method, path, Math.floor(status / 100)]).toEqual([method, path, 2]);
      }
    });

    it('but accepted by endpoints for variables and for several resources', async () => {
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
