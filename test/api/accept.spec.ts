import { sharedPeer, sharedService } from '../support/service';
import type { Caller } from '../support/caller';

const JSON_TYPE = 'application/json';
const PAGE_TYPE = 'application/vnd.muster.page+json';
const ARRAY_TYPE = 'application/vnd.muster.array+json';
const NDJSON_TYPE = 'application/x-ndjson';
const CSV_TYPE = 'text/csv';

/** The media type of a response, without parameters. */
const typeOf = (headers: Readonly<Record<string, string>>): string =>
  headers['content-type']?.split(';')[0] ?? '';

describe('Accept', () => {
  const app = sharedService();
  let admin: Caller;
  beforeAll(async () => {
    admin = await app.project();
    await admin.host();
  });

  const answered = async (path: string, Accept: string, caller = admin) =>
    typeOf((await caller.get(path, { Accept }).expect(200)).headers);

  describe('of a list', () => {
    it.each([
      ['', JSON_TYPE],
      ['*/*', JSON_TYPE],
      ['application/*', JSON_TYPE],
      [`${JSON_TYPE}, ${PAGE_TYPE}`, JSON_TYPE],
      [`${PAGE_TYPE}, ${JSON_TYPE}`, PAGE_TYPE],
      [`${ARRAY_TYPE}, ${JSON_TYPE};q=0.9`, ARRAY_TYPE],
      [`${ARRAY_TYPE};q=0.1, ${PAGE_TYPE};q=0.2`, PAGE_TYPE],
      [`${ARRAY_TYPE};q=0.5, ${JSON_TYPE}`, JSON_TYPE],
      // The most specific range that matches a type decides.
      [`*/*, ${PAGE_TYPE}`, PAGE_TYPE],
      [`*/*;q=0.9, ${PAGE_TYPE};q=0.8`, JSON_TYPE],
      [`${PAGE_TYPE};q=0, */*`, JSON_TYPE],
      [`${JSON_TYPE};q=0, */*`, PAGE_TYPE],
      [`${JSON_TYPE};q=0.2, ${PAGE_TYPE};q=0.3`, PAGE_TYPE],
      [`${PAGE_TYPE};q=0.5, ${JSON_TYPE};q=0.50001`, JSON_TYPE],
      ['text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8', JSON_TYPE],
      // Parameters do not select a type.
      [`${JSON_TYPE}; charset=utf-8`, JSON_TYPE],
      [`${PAGE_TYPE}; v=1;q=0.7, ${JSON_TYPE};q=0.6`, PAGE_TYPE],
    ])('%j selects %s', async (Accept, type) => {
      expect(await answered('/v1/hosts', Accept)).toBe(type);
    });

    it('without a preference for a type selects what LIST_BODY says', async () => {
      const caller = await sharedPeer().project();
      for (const Accept of ['*/*', JSON_TYPE]) {
        const { headers, body } = await caller.get('/v1/hosts', { Accept }).expect(200);
        expect([typeOf(headers), Object.keys(body)]).toEqual([JSON_TYPE, ['items', 'links']]);
      }
      for (const type of [PAGE_TYPE, ARRAY_TYPE])
        expect(await answered('/v1/hosts', type, caller)).toBe(type);
    });
  });

  it.each([
    ['*/*', NDJSON_TYPE],
    [`${CSV_TYPE};q=0.9, ${NDJSON_TYPE}`, NDJSON_TYPE],
    [`${NDJSON_TYPE};q=0.1, ${CSV_TYPE};q=0.2`, CSV_TYPE],
    ['text/*', CSV_TYPE],
    [`${CSV_TYPE};header=present`, CSV_TYPE],
  ])('of an export: %j selects %s', async (Accept, type) => {
    expect(await answered('/v1/export?kind=host', Accept)).toBe(type);
  });

  it('of an export does not matter if the query has the format', async () => {
    expect(await answered('/v1/export?format=csv', JSON_TYPE)).toBe(CSV_TYPE);
  });

  describe('that includes no type of the path', () => {
    const expectRejected = ({ status, body }: { status: number; body: unknown }, type: string) => {
      expect([status, body]).toMatchObject([
        406,
        {
          code: 'not_acceptable',
          message: expect.stringContaining(type),
          details: [{ field: 'Accept', message: expect.any(String) }],
        },
      ]);
    };

    it.each(['text/html', `${PAGE_TYPE}x`, 'json', `${JSON_TYPE};q=0`, 'text/*, image/png', '*/*;q=0'])(
      '%j is 406',
      async (Accept) => {
        for (const path of ['/v1/hosts', '/v1/hosts/987654321', '/v1/whoami'])
          expectRejected(await admin.get(path, { Accept }), `${JSON_TYPE} or ${PAGE_TYPE} or ${ARRAY_TYPE}`);
      },
    );

    it('is 406 before anything is written or read', async () => {
      const Accept = 'text/html';
      const name = 'not-created';
      expectRejected(await admin.post('/v1/regions', { name }, { Accept }), JSON_TYPE);
      const lines = `${JSON.stringify({ kind: 'region', name })}\n`;
      const headers = { Accept, 'Content-Type': NDJSON_TYPE };
      expectRejected(await admin.post('/v1/import', lines, headers), NDJSON_TYPE);
      expect((await admin.get(`/v1/regions?name=${name}`).expect(200)).body).toEqual([]);
    });

    it('of an export is 406', async () => {
      expectRejected(await admin.get('/v1/export', { Accept: JSON_TYPE }), `${NDJSON_TYPE} or ${CSV_TYPE}`);
    });

    it('says where CSV is', async () => {
      expectRejected(await admin.get('/v1/hosts', { Accept: CSV_TYPE }), 'GET /v1/export?format=csv');
    });

    it('is 401 without credentials', async () => {
      const nobody = admin.as({ token: '', user: '', project: '' });
      await nobody.get('/v1/hosts', { Accept: 'text/html' }).expect(401);
    });
  });

  it.each([PAGE_TYPE, ARRAY_TYPE])(
    '%s is accepted by every path: a client can always send it',
    async (type) => {
      const { id } = await admin.region();
      for (const path of [`/v1/regions/${String(id)}`, '/v1/devices', '/v1/whoami'])
        expect(await answered(path, type)).toBe(JSON_TYPE);
    },
  );

  it('does not matter outside of the API', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics', '/openapi.json'])
      await admin.get(path, { Accept: 'image/png' }).expect(200);
  });
});
