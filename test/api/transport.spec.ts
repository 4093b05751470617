import { sharedService, type OwnService } from '../support/service';
import type { Caller } from '../support/caller';
import { authHeaders, sendRaw } from '../support/http-exchange';

const PAGE = 'https://fleet.example.com';
const FORWARDED = {
  'X-Forwarded-Proto': 'https',
  'X-Forwarded-Host': 'muster.example.com:8443',
  'X-Forwarded-For': '203.0.113.9',
};

describe('how the service is reached', () => {
  const app = sharedService();
  let behind: OwnService;
  let open: OwnService;
  let admin: Caller;
  beforeAll(async () => {
    behind = await app.startPeer({
      TRUST_PROXY: 'loopback',
      CORS_ORIGINS: `${PAGE}, http://x:81`,
    });
    open = await app.startPeer({ TRUST_PROXY: '192.0.2.0/24', CORS_ORIGINS: '*' });
    admin = await app.project();
  });
  afterAll(async () => {
    await behind.stop();
    await open.stop();
  });

  const get = (url: string, path: string, headers: Record<string, string> = {}) =>
    sendRaw(`${url}${path}`, { headers: { ...authHeaders(admin.credentials), ...headers } });
  const preflight = (url: string, path: string, origin: string, method = 'GET') =>
    sendRaw(`${url}${path}`, {
      method: 'OPTIONS',
      headers: { Origin: origin, 'Access-Control-Request-Method': method },
    });

  describe('by headers', () => {
    it('lets no browser do anything with an answer, and no cache keep it', async () => {
      for (const path of ['/v1/regions', '/v1/nothing', '/openapi.json', '/healthz']) {
        const { headers } = await get(app.url, path);
        expect(headers).toMatchObject({
          'content-security-policy': "default-src 'none';frame-ancestors 'none'",
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
          'x-frame-options': 'DENY',
          'referrer-policy': 'no-referrer',
          'cross-origin-resource-policy': 'same-origin',
          'cross-origin-opener-policy': 'same-origin',
        });
        expect(Object.keys(headers)).not.toEqual(
          expect.arrayContaining([
            expect.stringMatching(/^(strict-transport|x-powered|server|access-control)/),
          ]),
        );
      }
    });

    it('lets the page of /docs run its own scripts, and be framed by nobody', async () => {
      const { status, headers } = await sendRaw(`${app.url}/docs`);
      expect(status).toBe(200);
      const policy = headers['content-security-policy'];
      expect(policy).toContain("script-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect((await get(app.url, '/docs-of-nothing')).headers['content-security-policy']).not.toContain(
        'script',
      );
    });
  });

  describe('from pages of other origins', () => {
    it('is closed, unless it is configured', async () => {
      const asked = await preflight(app.url, '/v1/regions', PAGE);
      expect(asked.status).not.toBe(204);
      const { headers } = await get(app.url, '/v1/regions', { Origin: PAGE });
      expect(
        [asked.headers, headers].flatMap(Object.keys).filter((name) => /^access-control/.test(name)),
      ).toEqual([]);
    });

    it('is open to those that are named, for every method and header, without authentication', async () => {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
        const { status, headers } = await preflight(behind.url, '/v1/regions/1/variables', PAGE, method);
        expect(status).toBe(204);
        expect(headers['access-control-allow-origin']).toBe(PAGE);
        expect(headers['access-control-allow-methods']?.split(',')).toContain(method);
        const allowed = headers['access-control-allow-headers']?.toLowerCase().split(',');
        for (const name of [
          ...Object.keys(authHeaders(admin.credentials)),
          ...[
            'authorization',
            'if-match',
            'idempotency-key',
            'x-change-reason',
            'x-request-id',
            'content-type',
          ],
          ...['x-consistency-token', 'accept'],
        ])
          expect(allowed).toContain(name.toLowerCase());
        expect(headers['access-control-allow-credentials']).toBeUndefined();
      }
    });

    it('shows them the headers of answers and of refusals', async () => {
      const shown = await get(behind.url, '/v1/regions', { Origin: PAGE });
      const refused = await sendRaw(`${behind.url}/v1/regions`, { headers: { Origin: PAGE } });
      expect([shown.status, refused.status]).toEqual([200, 401]);
      for (const { headers } of [shown, refused]) {
        expect(headers['access-control-allow-origin']).toBe(PAGE);
        const exposed = headers['access-control-expose-headers']?.toLowerCase().split(',');
        for (const name of [
          'link',
          'etag',
          'location',
          'x-request-id',
          'retry-after',
          'idempotency-replayed',
        ])
          expect(exposed).toContain(name);
      }
      // A cache that gave the answer to another origin would take it from that one.
      expect(shown.headers['vary']).toBe('Origin, Accept');
    });

    it('stays closed to all others', async () => {
      for (const origin of [
        'https://evil.example.com',
        `${PAGE}.evil.example.com`,
        'http://fleet.example.com',
        'null',
      ]) {
        const asked = await preflight(behind.url, '/v1/regions', origin);
        const { headers } = await get(behind.url, '/v1/regions', { Origin: origin });
        expect(asked.headers['access-control-allow-origin']).toBeUndefined();
        expect(headers['access-control-allow-origin']).toBeUndefined();
      }
    });

    it('can be open to all', async () => {
      const { headers } = await get(open.url, '/v1/regions', { Origin: 'https://anything.example.com' });
      expect(headers['access-control-allow-origin']).toBe('*');
    });
  });

  describe('through proxies', () => {
    const linkOf = async (url: string, headers: Record<string, string>) =>
      (await get(url, '/v1/regions', headers)).headers['link'];

    it('believes none that is not trusted', async () => {
      expect(await linkOf(app.url, FORWARDED)).toContain(`<${app.url}/v1/regions>`);
      // This one trusts others than who has asked.
      expect(await linkOf(open.url, FORWARDED)).toContain(`<${open.url}/v1/regions>`);
    });

    it('links to where the client has asked, by the word of one that is trusted', async () => {
      expect(await linkOf(behind.url, FORWARDED)).toContain('<https://muster.example.com:8443/v1/regions>');
      expect(await linkOf(behind.url, {})).toContain(`<${behind.url}/v1/regions>`);
    });
  });
});
