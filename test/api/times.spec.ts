import { sharedService } from '../support/service';
import { aName, type Caller, type Resource } from '../support/caller';
import { describedOperations } from '../support/description';
import { collections } from '../support/collections';
import { Browser } from '../support/browser';

const WITH_ZONE = { Prefer: 'times=rfc3339' };
/** A time that clients wrote themselves: responses do not touch it. */
const WRITTEN = '2001-02-03T04:05:06.000007';
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}/g;

/** A text in which the service's own times have the zone. */
const withZones = (text: string): string =>
  text.replace(TIME, (time) => (time === WRITTEN ? time : `${time}Z`));

describe('times in responses', () => {
  const app = sharedService();
  let admin: Caller;
  /** Root, in the same project. */
  let root: Caller;
  /** A resource of each collection, by its collection. */
  const made = new Map<string, Resource>();
  beforeAll(async () => {
    admin = await app.project();
    root = app.root.in(admin.projectId);
    const texts = { created_at: WRITTEN, updated_at: { set_at: WRITTEN } };
    for (const one of collections.filter(({ collection }) => collection !== 'projects')) {
      const body = { ...(await one.body(admin)) };
      if (one.collection === 'network-devices') body['vlans'] = texts;
      if (one.collection === 'variable-definitions') body['schema'] = { const: WRITTEN };
      const { body: created } = await admin.post(`/v1/${one.collection}`, body).expect(201);
      const { id } = created as Resource;
      if (one.carriesVariables)
        await admin.put(`/v1/${one.collection}/${String(id)}/variables`, texts).expect(200);
      const { body: updated } = await admin
        .put(`/v1/${one.collection}/${String(id)}`, one.change(), { 'X-Change-Reason': WRITTEN })
        .expect(200);
      made.set(one.collection, updated as Resource);
    }
    const project = (await root.get(`/v1/projects/${admin.projectId}`).expect(200)).body as Resource;
    made.set('projects', project);
    const change = (await admin.get('/v1/changes?limit=1&sort_dir=desc').expect(200)).body as Resource[];
    made.set('changes', change[0] as Resource);
    await admin.put(`/v1/projects/${admin.projectId}/settings`, { unique_addresses: false }).expect(200);
  });

  /** What a path needs besides its parameters. */
  const queries: Readonly<Record<string, string>> = {
    '/v1/search': 'q=node',
    '/v1/salt-pillar': 'host=node',
    '/v1/puppet-enc': 'host=node',
    '/v1/changes/feed': 'resolved=true&limit=1000',
    '/v1/projects': 'uuid=',
  };

  it('end with Z in every response, if the client prefers that, and nothing else differs', async () => {
    const operations = await describedOperations(app);
    let compared = 0;
    for (const { method, path, collection } of operations) {
      if (method !== 'get' || path.includes('session')) continue;
      const id = String(made.get(collection)?.id ?? made.get('hosts')?.id);
      const target = path.replace('{id}', id).replace('{key}', 'created_at');
      const query = queries[path] ?? '';
      const url = `${target}?${query}${query.endsWith('=') ? root.projectId : ''}`;
      // Root lists every project, in which other tests write.
      const caller = collection === 'projects' ? root : admin;
      const [plain, zoned] = [await caller.get(url), await caller.get(url, WITH_ZONE)];
      expect([url, zoned.status]).toEqual([url, plain.status]);
      const normal = (text: string) => text.replace(/"request_id":"[^"]*"/g, '');
      // Cursors of the feed are different texts for the same position.
      const [shown, expected] = [zoned.text, withZones(plain.text)].map((text) =>
        normal(text).replace(/"cursor":"[^"]*"/, ''),
      );
      expect([url, shown]).toEqual([url, expected]);
      if (plain.text !== withZones(plain.text)) compared++;
    }
    // At least each collection, its items, their histories, and explanations.
    expect(compared).toBeGreaterThan(40);
  });

  it.each([
    ['explain', 'variables/explain'],
    ['a past state', '?at=now'],
    ['the past explained', 'variables/explain?key=created_at&at=now'],
  ])('end with Z in %s', async (_, path) => {
    const host = made.get('hosts');
    const at = String(host?.['updated_at']);
    const url = `/v1/hosts/${String(host?.id)}/${path}`.replace('/?', '?').replace('now', at);
    const [plain, zoned] = [await admin.get(url).expect(200), await admin.get(url, WITH_ZONE).expect(200)];
    expect(zoned.text).toBe(withZones(plain.text));
    expect(zoned.text).not.toBe(plain.text);
    expect(zoned.text).toContain(WRITTEN);
  });

  it('end with Z in lists of both forms, sorted by time, with explanations', async () => {
    for (const query of ['sort_keys=updated_at&explain=created_at', 'limit=10&fields=created_at,name']) {
      const url = `/v1/hosts?${query}&project_id=${admin.projectId}`;
      for (const Accept of ['application/json', 'application/vnd.muster.page+json']) {
        const plain = await admin.get(url, { Accept }).expect(200);
        const zoned = await admin.get(url, { Accept, ...WITH_ZONE }).expect(200);
        expect(zoned.text).toBe(withZones(plain.text));
        expect(zoned.headers['link']).toBe(plain.headers['link']);
      }
    }
  });

  it('end with Z in responses to writes and in dry runs', async () => {
    const region = await admin.region();
    const path = `/v1/regions/${String(region.id)}`;
    const isZoned = (text: string) => {
      expect(text).toMatch(/"created_at": ?"[^"]{26}Z"/);
      expect(withZones(text.replace(/(\.\d{6})Z/g, '$1'))).toBe(text);
    };
    isZoned((await admin.post('/v1/regions', { name: aName('made') }, WITH_ZONE).expect(201)).text);
    isZoned(
      (await admin.post('/v1/clouds', [{ name: aName('a') }, { name: aName('b') }], WITH_ZONE).expect(201))
        .text,
    );
    isZoned((await admin.put(path, { note: WRITTEN }, WITH_ZONE).expect(200)).text);
    const variables = { created_at: WRITTEN };
    isZoned((await admin.put(`${path}?dry_run=true`, { note: 'x', variables }, WITH_ZONE).expect(200)).text);
    isZoned((await admin.delete(`${path}?dry_run=true`, undefined, WITH_ZONE).expect(200)).text);
    const { body: changes } = await admin.get(`${path}/changes?sort_dir=desc&limit=1`).expect(200);
    const [change] = changes as readonly Resource[];
    isZoned(
      (await admin.post(`/v1/changes/${String(change?.id)}/revert`, undefined, WITH_ZONE).expect(201)).text,
    );
  });

  it('end with Z in records of users who do not see all members', async () => {
    await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: ['secret'] }).expect(200);
    const reader = await admin.user({ roles: ['ntp'] });
    const user = await admin.user({ roles: ['secret'] });
    const url = '/v1/changes?kind=user&sort_dir=desc&limit=1';
    const [plain, zoned] = [await reader.get(url).expect(200), await reader.get(url, WITH_ZONE).expect(200)];
    expect(zoned.text).toBe(withZones(plain.text));
    expect(zoned.text).toContain(user.credentials.user);
    expect(zoned.text).not.toContain('secret');
    await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: [] }).expect(200);
  });

  it('end with Z in sessions', async () => {
    const user = await admin.user();
    const browser = new Browser(app.url);
    await browser.send('POST', '/v1/session', undefined, {
      'x-auth-token': user.credentials.token,
      'x-auth-user': user.credentials.user,
      'x-auth-project': user.projectId,
      ...WITH_ZONE,
    });
    const plain = await browser.get('/v1/session');
    const zoned = await browser.send('GET', '/v1/session', undefined, WITH_ZONE);
    expect(JSON.stringify(zoned.body)).toBe(withZones(JSON.stringify(plain.body)));
    expect(JSON.stringify(zoned.body)).toContain('Z"');
  });

  it('are announced to the client and to caches', async () => {
    const plain = await admin.get('/v1/regions').expect(200);
    expect(plain.headers['vary']).toContain('Prefer');
    expect(plain.headers).not.toHaveProperty('preference-applied');
    for (const Prefer of ['times=rfc3339', 'return=minimal, Times="rfc3339"; x=1, wait=1']) {
      const zoned = await admin.get('/v1/regions', { Prefer }).expect(200);
      expect(zoned.headers['preference-applied']).toBe('times=rfc3339');
    }
    // RFC 7240: unknown preferences and values are ignored, and of repeated ones the first counts.
    for (const Prefer of ['', 'times', 'times=iso', 'times=none, times=rfc3339', 'xtimes=rfc3339']) {
      const ignored = await admin.get('/v1/regions', { Prefer }).expect(200);
      expect(ignored.headers).not.toHaveProperty('preference-applied');
    }
  });

  it('belong to a request with an Idempotency-Key', async () => {
    const key = { 'Idempotency-Key': aName('key') };
    const body = { name: aName('cloud') };
    await admin.post('/v1/clouds', body, { ...key, ...WITH_ZONE }).expect(201);
    await admin.post('/v1/clouds', body, key).expect(409);
    const again = await admin.post('/v1/clouds', body, { ...key, ...WITH_ZONE }).expect(201);
    expect(again.text).toContain('Z"');
  });

  it('are accepted in both forms', async () => {
    const host = await admin.host();
    const created = String(host['created_at']);
    for (const time of [created, `${created}Z`]) {
      await admin.get(`/v1/hosts/${String(host.id)}?at=${time}`).expect(200);
      expect((await admin.get(`/v1/changes?since=${time}&kind=host`).expect(200)).body).not.toEqual([]);
    }
    const me = (await admin.get('/v1/whoami').expect(200)).body as { user_id: number };
    const keys = `/v1/users/${String(me.user_id)}/api-keys`;
    for (const expires_at of ['2999-01-01T00:00:00', '2999-01-01T00:00:00Z'])
      await admin.post(keys, { expires_at }).expect(201);
  });
});
