import type { OwnService } from '../../support/service';
import { Caller, type Resource } from '../../support/caller';
import { CONSISTENCY_TOKEN, ReadCounts, tokenOf } from '../../support/read-counts';
import type { Replicated, Standby } from '../../support/replicated';
import { until } from '../../support/until';

/** The documented limit (s) for revocations to take effect. */
const SECONDS = 5;

/**
 * Tests of reads with a token from a replica whose replay is paused.
 * @param cluster the servers. The first standby is used
 * @param instance an instance on them
 */
export function testReadYourWrites(cluster: () => Replicated, instance: () => OwnService): void {
  describe('read-your-writes with a paused replica', () => {
    let servers: Replicated;
    let standby: Standby;
    let app: OwnService;
    let admin: Caller;
    /** Another instance on the same servers. It starts while the first tests run. */
    let peer: Promise<OwnService>;

    beforeAll(async () => {
      servers = cluster();
      const [first] = servers.standbys;
      if (!first) throw new Error('no replica');
      standby = first;
      const environment = {
        ...servers.environment,
        DATABASE_REPLICA_URLS: first.server.url,
        // The replica is used however far it lags, so that tests see which server a read used.
        DATABASE_REPLICA_LAG_SECONDS: '3600',
      };
      app = await instance().startPeer(environment);
      admin = await app.project();
      await new ReadCounts(app.url).replicasAreUsed(1);
      peer = app.startPeer(environment);
      // A failure to start it is reported where it is used.
      peer.catch(() => undefined);
    });
    afterAll(async () => {
      await (await peer).stop();
      await app.stop();
    });
    beforeEach(() => standby.catchUp());
    afterEach(() => standby.resume());

    /** The header of a read after the write with this token. */
    const after = (token: string) => ({ [CONSISTENCY_TOKEN]: token });

    const bodyOf = async (caller: Caller, path: string, token = ''): Promise<string> => {
      const { status, text } = await caller.get(path, token === '' ? {} : after(token));
      return `${String(status)} ${text.replace(/"request_id":"[^"]*"/, '')}`;
    };

    it('a read returns stale data from the replica, and with a token the write', async () => {
      const region = await admin.region({ variables: { a: 'old' } });
      await standby.catchUp();
      await standby.pause();
      const path = `/v1/regions/${String(region.id)}`;
      const token = tokenOf(await admin.put(path, { variables: { a: 'new' } }).expect(200));
      expect((await admin.get(path).expect(200)).body).toMatchObject({ variables: { a: 'old' } });
      expect((await admin.get(path, after(token)).expect(200)).body).toMatchObject({
        variables: { a: 'new' },
      });
      await standby.resume();
      await until('the replica returns the write', 60, async () => {
        const { body } = await admin.get(path).expect(200);
        return (body as Resource).variables['a'] === 'new';
      });
    });

    it('own views and the runs of an audit are complete without a token, because their writes give none', async () => {
      const path = `/v1/audits/${String((await admin.audit()).id)}/run`;
      await standby.catchUp();
      await standby.pause();
      await admin.post(path).expect(200);
      expect((await admin.get(`${path}s`).expect(200)).body).toMatchObject({ items: [{ failed: 0 }] });
      const views = [{ name: 'mine', address: '/devices' }];
      await admin.put('/v1/session/views', { views }).expect(200);
      expect((await admin.get('/v1/session/views').expect(200)).body).toEqual({ views });
    });

    it('every endpoint returns the write with its token', async () => {
      const region = await admin.region();
      const host = await admin.host({ region_id: region.id, labels: 'old', variables: { k: 'old' } });
      const definition = await admin.definition({ key: 'other', schema: true });
      const audit = await admin.audit();
      const id = String(host.id);
      await standby.catchUp();
      await standby.pause();
      const name = 'renamed';
      await admin.put(`/v1/regions/${String(region.id)}`, { name, variables: { inherited: 1, other: 2 } });
      await admin.put(`/v1/variable-definitions/${String(definition.id)}`, { schema: { type: 'string' } });
      await admin.put(`/v1/audits/${String(audit.id)}`, { name });
      const cell = await admin.cell({ region_id: region.id });
      const settings = `/v1/projects/${admin.projectId}/settings`;
      await admin.put(settings, { private: ['hidden'] }).expect(200);
      const body = { name, labels: 'new', variables: { k: 'new' } };
      const written = await admin.put(`/v1/hosts/${id}`, body).expect(200);
      const token = tokenOf(written);
      const { updated_at: moment } = written.body as { updated_at: string };
      const [record] = (await admin.get('/v1/changes?sort_dir=desc&limit=1', after(token)))
        .body as Resource[];
      const paths = [
        '/v1/hosts',
        `/v1/hosts?name=${name}`,
        '/v1/hosts?explain=k',
        '/v1/hosts?vars=k:"new"',
        '/v1/hosts?label=new',
        '/v1/hosts?vars=inherited:1',
        `/v1/hosts?cell_id=${String(cell.id)}`,
        `/v1/hosts/${id}`,
        `/v1/hosts/${id}?at=${moment}`,
        `/v1/hosts/${id}/variables`,
        `/v1/hosts/${id}/variables?resolved-values=true`,
        `/v1/hosts/${id}/variables/k`,
        `/v1/hosts/${id}/variables/explain`,
        `/v1/hosts/${id}/variables/explain?at=${moment}`,
        `/v1/hosts/${id}/labels`,
        `/v1/hosts/${id}/changes`,
        '/v1/devices',
        '/v1/regions',
        `/v1/cells/${String(cell.id)}`,
        `/v1/cells/${String(cell.id)}/changes`,
        '/v1/labels',
        '/v1/variables?key=inherited',
        '/v1/variable-keys',
        '/v1/changes',
        `/v1/changes/${String(record?.id)}`,
        `/v1/changes/${String(record?.id)}/impact`,
        `/v1/changes/${String(record?.id)}/objects`,
        `/v1/variable-definitions/${String(definition.id)}/violations`,
        `/v1/audits/${String(audit.id)}`,
        settings,
      ];
      for (const path of paths) {
        const stale = await bodyOf(admin, path);
        const fresh = await bodyOf(admin, path, token);
        expect([path, fresh]).toEqual([path, expect.stringMatching(/^200 /)]);
        // Without a difference, the test would prove nothing.
        expect([path, fresh]).not.toEqual([path, stale]);
      }
      await standby.resume();
      await standby.catchUp();
      for (const path of paths) {
        const now = await bodyOf(admin, path);
        expect([path, now]).toEqual([path, await bodyOf(admin, path, token)]);
      }
    });

    it('an audit runs on the replica, and with a token on the newest state', async () => {
      const project = await app.project();
      const host = await project.host({ variables: { a: 2 } });
      const audit = await project.audit({ expectation: { vars: 'a:1' } });
      await standby.catchUp();
      await standby.pause();
      const token = tokenOf(
        await project.put(`/v1/hosts/${String(host.id)}/variables`, { a: 1 }).expect(200),
      );
      const run = `/v1/audits/${String(audit.id)}/run`;
      expect((await project.post(run).expect(200)).body).toMatchObject({ failed: 1 });
      expect((await project.post(run, undefined, after(token)).expect(200)).body).toMatchObject({
        failed: 0,
      });
    });

    it('every write returns a token, and other requests do not', async () => {
      const key = { 'Idempotency-Key': 'once' };
      const made = await admin.post('/v1/regions', { name: 'tokens' }, key).expect(201);
      const path = `/v1/regions/${String((made.body as Resource).id)}`;
      const responses = [
        made,
        await admin.post('/v1/regions', { name: 'tokens' }, key).expect(201),
        await admin.put(path, { name: 'tokens' }).expect(200),
        await admin.put(`${path}/variables`, { a: 1 }).expect(200),
        await admin.delete(`${path}/variables`, { key: 'a' }).expect(204),
        await admin.delete(path).expect(204),
      ];
      const tokens = responses.map(tokenOf);
      expect([...tokens].sort()).toEqual(tokens);
      for (const response of [
        await admin.get('/v1/regions').expect(200),
        await admin.post('/v1/regions?dry_run=true', { name: 'dry' }).expect(200),
        await admin.post('/v1/regions', { name: '' }).expect(400),
        await admin.delete(path).expect(404),
      ])
        expect(response.headers).not.toHaveProperty(CONSISTENCY_TOKEN.toLowerCase());
    });

    it('a read with a token never hangs, and invalid tokens are rejected', async () => {
      await standby.pause();
      const region = await admin.region();
      const token = tokenOf(await admin.put(`/v1/regions/${String(region.id)}`, { name: 'unseen' }));
      const path = `/v1/regions/${String(region.id)}`;
      const [cluster = '', timeline = '', at = ''] = token.split('-');
      for (const other of [
        token,
        // A future position.
        [cluster, timeline, 'f'.repeat(16)].join('-'),
        // Another timeline and another cluster, whose positions cannot be compared.
        [cluster, '000000ff', '0'.repeat(16)].join('-'),
        ['0'.repeat(16), timeline, '0'.repeat(16)].join('-'),
      ]) {
        const { body } = await admin.get(path, after(other)).expect(200);
        expect([other, body]).toMatchObject([other, { name: 'unseen' }]);
      }
      for (const wrong of ['x', at, `${token}0`, `${token}, ${token}`, token.toUpperCase().replace('-', '_')])
        expect((await admin.get(path, after(wrong)).expect(400)).body).toMatchObject({
          code: 'invalid_request',
          details: [{ field: CONSISTENCY_TOKEN }],
        });
      await admin.get('/v1/regions', after('')).expect(200);
      expect((await admin.post('/v1/regions', { name: 'and a write' }, after('x'))).status).toBe(400);
      expect((await admin.post('/v1/regions', { name: 'and a write' }, after(token))).status).toBe(201);
    });

    it('If-Match and the change feed use the primary, and the feed returns a token', async () => {
      const region = await admin.region();
      await standby.catchUp();
      const { cursor } = (await admin.get('/v1/changes/feed?after=latest').expect(200)).body as {
        cursor: string;
      };
      await standby.pause();
      const path = `/v1/regions/${String(region.id)}`;
      await admin.put(path, { name: 'fed' }, { 'If-Match': '"1"' }).expect(200);
      await admin.put(path, { name: 'late' }, { 'If-Match': '"1"' }).expect(412);
      // Another open transaction, such as one of autovacuum, delays the change.
      const next = await admin
        .get(`/v1/changes/feed?wait=60&after=${encodeURIComponent(cursor)}`)
        .expect(200);
      expect(next.body).toMatchObject({ changes: [{}] });
      const { body: seen } = await admin.get(path, after(tokenOf(next))).expect(200);
      expect(seen).toMatchObject({ name: 'fed' });
      expect((await admin.get(path).expect(200)).body).not.toMatchObject({ name: 'fed' });
    });

    it('another instance applies revoked keys, roles and private variables within the limit', async () => {
      const project = await app.project();
      const second = await peer;
      const newUser = async () => {
        const { credentials } = await project.user({ roles: ['regions:write'] });
        await standby.catchUp();
        const [found] = (await project.get(`/v1/users?username=${credentials.user}`)).body as Resource[];
        return { path: `/v1/users/${String(found?.id)}`, there: new Caller(second.url, credentials) };
      };
      const [demoted, deleted] = [await newUser(), await newUser()];
      const region = await project.region({ variables: { secret: 1 } });
      const path = `/v1/regions/${String(region.id)}`;
      await new ReadCounts(second.url).replicasAreUsed(1);
      for (const { there } of [demoted, deleted]) await there.put(path, { note: 'may' }).expect(200);
      await standby.catchUp();
      await standby.pause();
      await project.put(`/v1/projects/${project.projectId}/settings`, { private: ['secret'] }).expect(200);
      await project.put(demoted.path, { roles: [] }).expect(200);
      await project.delete(deleted.path).expect(204);
      await Promise.all([
        until('the variable is private', SECONDS, async () => {
          const { body } = await demoted.there.get(`${path}/variables`).expect(200);
          return JSON.stringify(body) === '{"variables":{}}';
        }),
        until('the role is removed', SECONDS, async () => {
          const { status } = await demoted.there.put(path, { note: 'n' });
          return status === 403;
        }),
        until('the key is rejected', SECONDS, async () => (await deleted.there.get(path)).status === 401),
      ]);
    });

    it('a read with a token returns an asynchronous commit', async () => {
      const { primary } = servers;
      await primary.rows('ALTER DATABASE replicated SET synchronous_commit = off');
      // The setting applies to new connections.
      await primary.rows(
        `SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE application_name = 'muster'`,
      );
      let region: Resource | undefined;
      await until('the service has connected again', 60, async () => {
        const { status, body } = await admin.post('/v1/regions', { name: 'asynchronous' });
        if (status === 201) region = body as Resource;
        return status === 201;
      });
      const path = `/v1/regions/${String(region?.id)}`;
      for (let i = 0; i < 6; i++) {
        const token = tokenOf(await admin.put(path, { note: String(i) }).expect(200));
        expect((await admin.get(path, after(token)).expect(200)).body).toMatchObject({ note: String(i) });
      }
    });
  });
}
