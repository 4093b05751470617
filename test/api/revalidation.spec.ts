import { sharedPeer, sharedService } from '../support/service';
import { authHeaders, sendRaw } from '../support/http-exchange';
import { inOneProject, makeOne, someCollections } from '../support/collections';
import type { Caller, Resource } from '../support/caller';

/** Paths with an entity tag below a device. */
const BELOW_DEVICE = [
  '',
  '?resolved-values=false',
  '/variables',
  '/variables?resolved-values=true',
  '/labels',
];

describe('If-None-Match', () => {
  const app = sharedService();
  const shared = inOneProject(app);

  const tagOf = async (caller: Caller, path: string) => {
    const { headers } = await caller.get(path).expect(200);
    const { etag } = headers as { etag?: string };
    if (etag === undefined) throw new Error(`${path} has no ETag`);
    return etag;
  };
  const statusOf = async (caller: Caller, path: string, tag: string) =>
    (await caller.get(path, { 'If-None-Match': tag })).status;

  it.each(someCollections)('%s: a read with the tag of an unchanged body is 304', async (_, one) => {
    const { caller, path } = await makeOne(shared, one);
    const tag = await tagOf(caller, path);
    const response = await caller.get(path, { 'If-None-Match': tag }).expect(304);
    expect(response.text).toBe('');
    expect(response.headers).toMatchObject({ etag: tag, 'x-request-id': expect.any(String) });
    expect(response.headers).not.toHaveProperty('content-type');
    await caller.put(path, one.change()).expect(200);
    expect(await statusOf(caller, path, tag)).toBe(200);
    expect(await statusOf(caller, path, await tagOf(caller, path))).toBe(304);
  });

  it.each(someCollections.filter(([, one]) => one.carriesVariables))(
    '%s: of its variables',
    async (_, one) => {
      const { caller, path } = await makeOne(shared, one);
      await caller.put(`${path}/variables`, { a: 1 }).expect(200);
      const paths = ['', '?resolved-values=true', '/a'].map((rest) => `${path}/variables${rest}`);
      const tags = [];
      for (const at of paths) {
        tags.push(await tagOf(caller, at));
        expect(await statusOf(caller, at, tags.at(-1) ?? '')).toBe(304);
      }
      await caller.put(`${path}/variables`, { a: 2 }).expect(200);
      for (const [i, at] of paths.entries())
        expect([at, await statusOf(caller, at, tags[i] ?? '')]).toEqual([at, 200]);
    },
  );

  describe('as a header value', () => {
    let admin: Caller;
    let path: string;
    let tag: string;
    beforeAll(async () => {
      admin = await app.project();
      path = `/v1/regions/${String((await admin.region()).id)}`;
      tag = await tagOf(admin, path);
    });

    it.each([
      ['the tag', (current: string) => current],
      ['a list with the tag', (current: string) => `"a", ${current} ,"1"`],
      ['the weak tag, as a proxy that compresses sends it', (current: string) => `W/${current}`],
      ['the tag of the compressed body', (current: string) => current.replace(/"$/, '-gzip"')],
      ['*', () => '*'],
    ])('matches: %s', async (_, header) => {
      await admin.get(path, { 'If-None-Match': header(tag) }).expect(304);
      const head = await admin.send('head', path, undefined, { 'If-None-Match': header(tag) });
      expect(head.status).toBe(304);
    });

    it.each([
      ['the version alone', () => '"1"'],
      ['another version', (current: string) => current.replace('"1-', '"2-')],
      ['another digest', (current: string) => current.replace(/.{2}"$/, 'zz"')],
      ['another coding', (current: string) => current.replace(/"$/, '-zstd"')],
      ['a malformed header', (current: string) => current.slice(1)],
      ['an empty header', () => ''],
    ])('does not match: %s', async (_, header) => {
      await admin.get(path, { 'If-None-Match': header(tag) }).expect(200);
    });

    it('never turns an error or a list into 304', async () => {
      for (const at of ['/v1/regions', '/v1/devices', '/healthz'])
        await admin.get(at, { 'If-None-Match': '*' }).expect(200);
      await admin.get('/v1/regions/987654321', { 'If-None-Match': '*' }).expect(404);
    });

    it('has an effect only if the client sends it', async () => {
      await admin.get(path, { 'If-Modified-Since': new Date().toUTCString() }).expect(200);
    });
  });

  describe('of a body that changes without a new version', () => {
    let admin: Caller;
    let region: Resource;
    let cell: Resource;
    let host: Resource;
    let path: string;
    beforeEach(async () => {
      admin = await app.project();
      region = await admin.region({ variables: { a: 1, secret_a: 1 } });
      cell = await admin.cell({ region_id: region.id, variables: { b: 1 } });
      host = await admin.host({ region_id: region.id, cell_id: cell.id, labels: ['l'], variables: { c: 1 } });
      path = `/v1/hosts/${String(host.id)}`;
    });

    const tagsOf = async (caller: Caller, paths: readonly string[]) => {
      const tags = new Map<string, string>();
      for (const at of paths) tags.set(at, await tagOf(caller, at));
      return tags;
    };
    /** The paths whose response is another one than that with the tags. */
    const changed = async (caller: Caller, tags: ReadonlyMap<string, string>) => {
      const statuses = new Map<string, number>();
      for (const [at, tag] of tags) statuses.set(at, await statusOf(caller, at, tag));
      expect([...new Set(statuses.values())].every((status) => status === 200 || status === 304)).toBe(true);
      return [...statuses].filter(([, status]) => status === 200).map(([at]) => at.slice(path.length));
    };

    it.each(['region', 'cell', 'label'] as const)('of a host, by a variable of its %s', async (level) => {
      const [label] = (await admin.get('/v1/labels?label=l').expect(200)).body as [Resource];
      const levels = { region: `regions/${String(region.id)}`, cell: `cells/${String(cell.id)}` };
      const at = level === 'label' ? `labels/${String(label.id)}` : levels[level];
      const tags = await tagsOf(
        admin,
        BELOW_DEVICE.map((rest) => path + rest),
      );
      expect(await changed(admin, tags)).toEqual([]);
      await admin.put(`/v1/${at}/variables`, { inherited: 2 }).expect(200);
      expect(await changed(admin, tags)).toEqual(['', '/variables?resolved-values=true']);
      // For writes, the host has not changed.
      await admin.put(path, { note: 'n' }, { 'If-Match': tags.get(path) ?? '' }).expect(200);
    });

    it('of a host, by the name of its label', async () => {
      const [label] = (await admin.get('/v1/labels?label=l').expect(200)).body as [Resource];
      const tags = await tagsOf(admin, [path, `${path}/labels`]);
      await admin.put(`/v1/labels/${String(label.id)}`, { label: 'renamed' }).expect(200);
      expect(await changed(admin, tags)).toEqual(['', '/labels']);
    });

    it('of a region, by the name of its cell', async () => {
      const at = `/v1/regions/${String(region.id)}`;
      const tag = await tagOf(admin, at);
      await admin.put(`/v1/cells/${String(cell.id)}`, { name: 'renamed' }).expect(200);
      expect(await statusOf(admin, at, tag)).toBe(200);
    });

    it('because the caller may see other variables, or fewer', async () => {
      const user = await admin.user();
      const seen = await tagsOf(
        user,
        BELOW_DEVICE.map((rest) => path + rest),
      );
      const tag = await tagOf(admin, path);
      await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: ['secret_*'] }).expect(200);
      expect(await changed(user, seen)).toEqual(['', '/variables?resolved-values=true']);
      expect(await statusOf(admin, path, tag)).toBe(304);
      // The tag of what another user sees is that of another body.
      expect(await tagOf(user, path)).not.toBe(tag);
      expect(await statusOf(user, path, tag)).toBe(200);
    });

    it('because its links have another base', async () => {
      const tag = await tagOf(admin, path);
      const headers = { ...authHeaders(admin.credentials), 'If-None-Match': tag };
      expect((await sendRaw(`${app.url}${path}`, { headers })).status).toBe(304);
      const { status, text } = await sendRaw(`${sharedPeer().url}${path}`, { headers });
      expect([status, text]).toEqual([200, expect.stringContaining('https://muster.example/fleet/')]);
    });

    it('is not possible for the past, which has no tag', async () => {
      const at = `${path}?at=${new Date().toISOString().slice(0, -1)}`;
      const { headers } = await admin.get(at, { 'If-None-Match': await tagOf(admin, path) }).expect(200);
      expect(headers).not.toHaveProperty('etag');
    });
  });

  it.each(['/openapi.json', '/openapi.yaml'])('of the API description at %s', async (path) => {
    const { status, headers, text } = await sendRaw(`${app.url}${path}`);
    expect([status, text.length > 100_000]).toEqual([200, true]);
    const { etag = '' } = headers;
    expect(headers).toMatchObject({ 'cache-control': 'no-cache', vary: 'Accept-Encoding' });
    const again = await sendRaw(`${app.url}${path}`, { headers: { 'If-None-Match': etag } });
    expect([again.status, again.text, again.headers['etag']]).toEqual([304, '', etag]);
    expect((await sendRaw(`${app.url}${path}`, { headers: { 'If-None-Match': '"1"' } })).status).toBe(200);
  });
});
