import { sharedService, type OwnService } from '../support/service';
import type { Caller } from '../support/caller';
import { authHeaders, sendRaw } from '../support/http-exchange';

const PAGE = 'https://fleet.example.com';
const FORWARDED = {
  'X-Forwarded-Proto': 'https',
  'X-Forwarded-Host': 'muster.example.com:8443',
  'X-Forwarded-For': '203.0.113.9',
};

describe('HTTP transport', () => {
  const app = sharedService();
  let proxied: OwnService;
  let open: OwnService;
  let admin: Caller;
  beforeAll(async () => {
    proxied = await app.startPeer({
      TRUST_PROXY: 'loopback',
      CORS_ORIGINS: `${PAGE}, http://x:81`,
    });
    open = await app.startPeer({ TRUST_PROXY: '192.0.2.0/24', CORS_ORIGINS: '*' });
    admin = await app.project();
  });
  afterAll(async () => {
    await proxied.stop();
    await open.stop();
  });

  const get = (url: string, path: string, headers: Record<string, string> = {}) =>
    sendRaw(`${url}${path}`, { headers: { ...authHeaders(admin.credentials), ...headers } });
  const preflight = (url: string, path: string, origin: string, method = 'GET') =>
    sendRaw(`${url}${path}`, {
      method: 'OPTIONS',
      headers: { Origin: origin, 'Access-Control-Request-Method': method },
    });

  it('keeps connections open for longer than the 60 seconds of common load balancers', async () => {
    const { headers } = await sendRaw(`${app.url}/healthz`);
    expect(headers['keep-alive']).toBe('timeout=75');
  });

  describe('security headers', () => {
    it('forbid browsers to use a response and caches to store it', async () => {
      for (const path of ['/v1/regions', '/v1/nothing', '/openapi.json', '/healthz']) {
        const { headers } = await get(app.url, path);
        expect(headers).toMatchObject({
          'content-security-policy': "default-src 'none';frame-ancestors 'none'",
          'cache-control': path === '/openapi.json' ? 'no-cache' : 'no-store',
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

    it('allow the /docs page to run its own scripts, but not to be framed', async () => {
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

  describe('CORS', () => {
    it('is off by default', async () => {
      const preflighted = await preflight(app.url, '/v1/regions', PAGE);
      expect(preflighted.status).not.toBe(204);
      const { headers } = await get(app.url, '/v1/regions', { Origin: PAGE });
      expect(
        [preflighted.headers, headers].flatMap(Object.keys).filter((name) => /^access-control/.test(name)),
      ).toEqual([]);
    });

    it('allows the configured origins every method and header, without authentication', async () => {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
        const { status, headers } = await preflight(proxied.url, '/v1/regions/1/variables', PAGE, method);
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

    it('exposes the headers of responses and errors', async () => {
      const shown = await get(proxied.url, '/v1/regions', { Origin: PAGE });
      const rejected = await sendRaw(`${proxied.url}/v1/regions`, { headers: { Origin: PAGE } });
      expect([shown.status, rejected.status]).toEqual([200, 401]);
      for (const { headers } of [shown, rejected]) {
        expect(headers['access-control-allow-origin']).toBe(PAGE);
        const exposed = headers['access-control-expose-headers']?.toLowerCase().split(',');
        for (const name of [
          'link',
          'etag',
          'location',
          'x-request-id',
          'retry-after',
          'idempotency-replayed',
          'deprecation',
          'sunset',
          'allow',
        ])
          expect(exposed).toContain(name);
      }
      // Otherwise a cache could serve the response to another origin.
      expect(shown.headers['vary']).toBe('Prefer, Origin, Accept');
    });

    it('does not allow credentials, so browsers do not use the cookie of a session', async () => {
      for (const { url } of [proxied, open]) {
        const { status, headers } = await get(url, '/v1/regions', { Origin: PAGE, Cookie: 'muster=a' });
        expect([status, headers['access-control-allow-credentials']]).toEqual([200, undefined]);
      }
    });

    it('lets a page revalidate its copy', async () => {
      const path = `/v1/regions/${String((await admin.region()).id)}`;
      const { etag = '' } = (await get(proxied.url, path, { Origin: PAGE })).headers;
      const again = await get(proxied.url, path, { Origin: PAGE, 'If-None-Match': etag });
      expect(again).toMatchObject({ status: 304, headers: { 'access-control-allow-origin': PAGE } });
    });

    it('rejects other origins', async () => {
      for (const origin of [
        'https://evil.example.com',
        `${PAGE}.evil.example.com`,
        'http://fleet.example.com',
        'null',
      ]) {
        const preflighted = await preflight(proxied.url, '/v1/regions', origin);
        const { headers } = await get(proxied.url, '/v1/regions', { Origin: origin });
        expect(preflighted.headers['access-control-allow-origin']).toBeUndefined();
        expect(headers['access-control-allow-origin']).toBeUndefined();
      }
    });

    it('can allow every origin', async () => {
      const { headers } = await get(open.url, '/v1/regions', { Origin: 'https://anything.example.com' });
      expect(headers['access-control-allow-origin']).toBe('*');
    });
  });

  describe('a method that a path does not support', () => {
    /** All of these have the code of one class. */
    const COLLECTIONS = ['labels', 'hosts'];

    it.each(COLLECTIONS)('%s: variables of many resources are only written', async (collection) => {
      const path = `/v1/${collection}/variables`;
      for (const method of ['get', 'head', 'delete'] as const) {
        const { status, headers, body } = await admin.send(method, path);
        expect([method, status, headers['allow']]).toEqual([method, 405, 'PUT']);
        if (method !== 'head') expect(body).toMatchObject({ code: 'method_not_allowed' });
      }
      // Paths with other words are those of ids.
      await admin.get(`/v1/${collection}/variable`).expect(400);
    });

    it('is PATCH: the error says what PUT does', async () => {
      const path = `/v1/regions/${String((await admin.region()).id)}`;
      const { headers, body } = await admin.send('patch', path, { note: 'n' }).expect(405);
      expect(headers['allow']).toBe('DELETE, GET, HEAD, PUT');
      expect(body).toMatchObject({
        code: 'method_not_allowed',
        message: expect.stringContaining('PUT changes only the members that the body names'),
      });
      const list = await admin.send('patch', '/v1/regions', []).expect(405);
      expect((list.body as { message: string }).message).not.toContain('PUT');
    });
  });

  describe('the body of a DELETE', () => {
    it('is rejected where nothing is read from it, and nothing is deleted', async () => {
      const { id } = await admin.region({ variables: { a: 1 } });
      const path = `/v1/regions/${String(id)}`;
      for (const at of [path, `${path}/variables/a`])
        for (const body of ['{}', '{"note":"n"}', '["a"]', 'a']) {
          const response = await admin.delete(at, body).expect(400);
          expect(response.body).toMatchObject({
            code: 'invalid_request',
            message: expect.stringContaining('X-Change-Reason'),
          });
        }
      expect((await admin.get(`${path}/variables`).expect(200)).body).toEqual({ variables: { a: 1 } });
      await admin.delete(path).expect(204);
    });

    it('is read where it says what is deleted', async () => {
      const { id } = await admin.host({ variables: { a: 1 }, labels: ['l'] });
      const path = `/v1/hosts/${String(id)}`;
      await admin.delete(`${path}/variables`, ['a']).expect(204);
      await admin.delete(`${path}/labels`, { labels: ['l'] }).expect(204);
      expect((await admin.get(path).expect(200)).body).toMatchObject({ labels: '', variables: {} });
    });
  });

  describe('behind a proxy', () => {
    const linkOf = async (url: string, headers: Record<string, string>) =>
      (await get(url, '/v1/regions', headers)).headers['link'];

    it('forwarded headers of an untrusted proxy are ignored', async () => {
      expect(await linkOf(app.url, FORWARDED)).toContain(`<${app.url}/v1/regions>`);
      // This instance trusts another network than the client's.
      expect(await linkOf(open.url, FORWARDED)).toContain(`<${open.url}/v1/regions>`);
    });

    it('links use the forwarded headers of a trusted proxy', async () => {
      expect(await linkOf(proxied.url, FORWARDED)).toContain('<https://muster.example.com:8443/v1/regions>');
      expect(await linkOf(proxied.url, {})).toContain(`<${proxied.url}/v1/regions>`);
    });
  });
});
