import { sendRaw } from '../support/http-exchange';
import { startPrefixProxy, type PrefixProxy } from '../support/prefix-proxy';
import { sharedPeer, sharedService } from '../support/service';

const app = sharedService();
const HTML = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

const get = (path: string, headers: Readonly<Record<string, string>> = {}, url = app.root.url) =>
  sendRaw(`${url}${path}`, { method: 'GET', headers });

/** The hashed files that the page names. */
const assetsOf = (html: string) =>
  [...html.matchAll(/(?:src|href)="\.(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);

describe('the browser application', () => {
  it.each(['/', '/devices', '/devices/hosts/17', '/no/such/page?q=1'])(
    'is served at %s without credentials',
    async (path) => {
      const { status, headers, text } = await get(path, HTML);
      expect(status).toBe(200);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(headers['cache-control']).toBe('no-cache');
      expect(headers['vary']).toContain('Accept');
      expect(text).toContain('<base href="/"');
    },
  );

  it('runs no inline script, and loads nothing from elsewhere', async () => {
    const { headers, text } = await get('/', HTML);
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    const nonce = /style-src 'self' 'nonce-([^']+)'/.exec(policy)?.[1] ?? 'none';
    expect(text).toContain(`name="csp-nonce" content="${nonce}"`);
    expect(text).toContain(`<style nonce="${nonce}">`);
    expect((await get('/', HTML)).text).not.toContain(nonce);
    expect(text).not.toMatch(/<script(?![^>]* src="\.\/assets\/)/);
    expect(text).not.toMatch(/(src|href)="(https?:)?\/\//);
  });

  it('is cached by the hashes in the names of its files, which are compressed', async () => {
    const files = assetsOf((await get('/', HTML)).text);
    expect(files.length).toBeGreaterThan(2);
    for (const file of files.filter((name) => name.endsWith('.js'))) {
      const { status, headers } = await get(file, { 'Accept-Encoding': 'gzip, br' });
      expect([file, status]).toEqual([file, 200]);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(headers['content-type']).toMatch(/^text\/javascript/);
      expect(Number(headers['content-length']) < 1_400 || headers['content-encoding'] === 'br').toBe(true);
    }
  });

  it('does not answer for files and methods that it does not have', async () => {
    expect((await get('/assets/no-such-file.js')).status).toBe(404);
    expect((await get('/assets/no-such-file.js', { Accept: '*/*' })).headers['content-type']).toContain(
      'json',
    );
    for (const path of [
      '/assets/..%2findex.html',
      '/assets/..%2f..%2f..%2fpackage.json',
      '/.vite/manifest.json',
    ])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    expect((await sendRaw(`${app.root.url}/devices`, { method: 'POST', headers: HTML })).status).toBe(404);
  });

  it.each(['/v1/hosts', '/v1/nothing', '/healthz', '/readyz', '/metrics', '/openapi.json', '/docs/'])(
    'leaves %s to the API, also in a browser',
    async (path) => {
      const { text } = await get(path, HTML);
      expect(text).not.toContain('csp-nonce');
    },
  );

  it('leaves / to programs that do not prefer HTML', async () => {
    for (const headers of [{}, { Accept: '*/*' }, { Accept: 'application/json' }]) {
      const response = await get('/', headers);
      expect(response.headers['content-type']).toContain('application/json');
      expect(JSON.parse(response.text)).toMatchObject({ name: 'Muster' });
    }
  });
});

describe('behind a path prefix', () => {
  let proxy: PrefixProxy;
  beforeAll(async () => {
    proxy = await startPrefixProxy();
    proxy.forwardTo(sharedPeer().url);
  });
  afterAll(() => {
    proxy.close();
  });

  it('the page names the prefix, and its files are found', async () => {
    const { publicUrl } = proxy;
    const { text } = await get('/devices/hosts/1', HTML, publicUrl);
    expect(text).toContain('<base href="/fleet/"');
    for (const file of assetsOf(text))
      expect([file, (await get(file, {}, publicUrl)).status]).toEqual([file, 200]);
  });
});
