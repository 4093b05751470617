import { startService, type OwnService } from '../support/service';
import type { Caller, Resource } from '../support/caller';
import { samplesOf, type Samples } from '../support/samples';

describe('the metrics', () => {
  let app: OwnService;
  let admin: Caller;
  let region: Resource;
  beforeAll(async () => {
    app = await startService({ DATABASE_POOL_SIZE: '7' });
    admin = await app.project();
    region = await admin.region({ variables: { ntp: 'a' } });
  });
  afterAll(() => app.stop());

  const now = async (): Promise<Samples> => samplesOf((await app.root.get('/metrics').expect(200)).text);

  /** What some requests have added. */
  async function added(act: () => Promise<unknown>): Promise<(name: string) => number> {
    const before = await now();
    await act();
    const after = await now();
    return (name) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
  }

  const requests = (method: string, route: string, status: number) =>
    `muster_http_request_duration_seconds_count{method="${method}",route="${route}",status="${String(status)}"}`;

  it('count requests by the pattern of their route, and by status', async () => {
    const path = `/v1/regions/${String(region.id)}`;
    const grown = await added(async () => {
      await admin.get(path).expect(200);
      await admin.get(path).expect(200);
      await admin.get(`${path}/variables/ntp`).expect(200);
      await admin.get('/v1/regions/987654321').expect(404);
    });
    expect(grown(requests('GET', '/v1/regions/{id}', 200))).toBe(2);
    expect(grown(requests('GET', '/v1/regions/{id}', 404))).toBe(1);
    expect(grown(requests('GET', '/v1/regions/{id}/variables/{key}', 200))).toBe(1);
  });

  it('have one label for all paths that there are not, whatever is asked for', async () => {
    const grown = await added(async () => {
      for (const path of ['/', '/v1/nothing/1', '/v1/nothing/2', '/wp-admin/x.php', '/v1/regions/1/2/3'])
        await admin.get(path).expect(404);
    });
    expect(grown(requests('GET', 'none', 404))).toBe(5);
    expect([...(await now()).keys()].filter((name) => /nothing|php/.test(name))).toEqual([]);
  });

  it('count what is resolved, and which documents had to be read for it', async () => {
    await admin.host({ region_id: region.id });
    await admin.host({ region_id: region.id });
    const first = await added(() => admin.get('/v1/hosts').expect(200));
    expect(first('muster_resolver_resources_total')).toBe(2);
    expect(first('muster_resolver_duration_seconds_count')).toBe(1);
    const again = await added(() => admin.get('/v1/hosts').expect(200));
    expect(again('muster_resolver_levels_total{document="known"}')).toBe(1);
    expect(again('muster_resolver_levels_total{document="read"}')).toBe(0);
    await admin.put(`/v1/regions/${String(region.id)}/variables`, { ntp: 'b' }).expect(200);
    const changed = await added(() => admin.get('/v1/hosts').expect(200));
    expect(changed('muster_resolver_levels_total{document="read"}')).toBe(1);
  });

  it('count what filters begin from, and how pages are found', async () => {
    const filtered = async (vars: string) => {
      const grown = await added(() => admin.get(`/v1/hosts?vars=${encodeURIComponent(vars)}`).expect(200));
      const starts = ['nothing', 'own', 'inherited', 'own and inherited'];
      return starts.filter((start) => grown(`muster_filter_plans_total{begins_from="${start}"}`) === 1);
    };
    await admin.host({ region_id: region.id, variables: { own: 1, ntp: 'c' } });
    expect(await filtered('unknown:1')).toEqual(['nothing']);
    expect(await filtered('own:1')).toEqual(['own']);
    expect(await filtered('ntp:"b"')).toEqual(['own and inherited']);
    const pages = await added(() => admin.get('/v1/hosts').expect(200));
    expect(pages('muster_list_page_duration_seconds_count{way="order"}')).toBe(1);
  });

  it('are the same for a filter by a private variable and by one that is not set', async () => {
    const secret = { variables: { metrics_secret: 'x' } };
    const own = await app.project();
    const place = await own.region(secret);
    await own.host({ region_id: place.id, ...secret });
    await own.host({ region_id: place.id });
    await app.root.put(`/v1/projects/${own.projectId}/settings`, { private: ['metrics_secret'] }).expect(200);
    const reader = await own.user();
    /** The names and growths of the counters that a filter moves. */
    const counted = async (path: string, vars: string) => {
      const grown = await added(async () => {
        const { body } = await reader.get(`${path}vars=${encodeURIComponent(vars)}`).expect(200);
        expect(body).toEqual([]);
      });
      const names = [...(await now()).keys()].filter((name) =>
        /^muster_(filter|list)_.*(_count|_total\{)/.test(name),
      );
      return names.map((name) => [name, grown(name)]).filter(([, growth]) => growth !== 0);
    };
    for (const path of ['/v1/regions?', '/v1/cells?', '/v1/hosts?', '/v1/hosts?descendants=true&'])
      for (const rest of [':"x"', '.*:"x"', '[0].a:1']) {
        const ofUnset = await counted(path, `never_set${rest}`);
        expect(ofUnset).not.toEqual([]);
        expect({ path, rest, counted: await counted(path, `metrics_secret${rest}`) }).toEqual({
          path,
          rest,
          counted: ofUnset,
        });
      }
  });

  it('count committed changes and the resources that they touched, and none that failed or was only tried', async () => {
    const grown = await added(async () => {
      const { id } = await admin.label();
      await admin.put(`/v1/labels/${String(id)}/variables`, { a: 1 }).expect(200);
      await admin.put(`/v1/labels/${String(id)}/variables?dry_run=true`, { a: 2 }).expect(200);
      await admin.put(`/v1/labels/${String(id)}/variables`, { a: 2 }, { 'If-Match': '"99"' }).expect(412);
      await admin.post('/v1/regions', { name: region.name }).expect(409);
      await admin.delete(`/v1/labels/${String(id)}`).expect(204);
      const two = [{ label: 'one-of-two' }, { label: 'two-of-two' }];
      await admin.post('/v1/labels', two, { 'Idempotency-Key': 'k' }).expect(201);
      // Answered out of what is kept.
      await admin.post('/v1/labels', two, { 'Idempotency-Key': 'k' }).expect(201);
      const lines = JSON.stringify({ kind: 'label', label: 'imported' });
      await admin
        .post('/v1/import', undefined, { 'Content-Type': 'application/x-ndjson' })
        .send(lines)
        .expect(200);
    });
    expect(grown('muster_change_records_total')).toBe(5);
    expect(grown('muster_changed_resources_total{kind="label",action="create"}')).toBe(4);
    expect(grown('muster_changed_resources_total{kind="label",action="update"}')).toBe(1);
    expect(grown('muster_changed_resources_total{kind="label",action="delete"}')).toBe(1);
  });

  it('count who is not let in, without the reasons: everybody can read them here', async () => {
    const { credentials } = await admin.user();
    const grown = await added(async () => {
      await admin
        .as({ ...credentials, user: 'somebody' })
        .get('/v1/regions')
        .expect(401);
      await fetch(`${app.url}/v1/regions`);
      await admin.as(credentials).get('/v1/access-secrets').expect(403);
    });
    expect(grown('muster_authentication_refusals_total')).toBe(2);
    expect(grown('muster_authorisation_refusals_total')).toBe(1);
    const labelled = [...(await now()).keys()].filter((name) => /authentication_refusals.*\{/.test(name));
    expect(labelled).toEqual([]);
  });

  it('show the pool, the event loop and the collection of garbage', async () => {
    const samples = await now();
    expect(samples.get('muster_database_connections_max')).toBe(7);
    const used = samples.get('muster_database_connections{state="used"}') ?? -1;
    const idle = samples.get('muster_database_connections{state="idle"}') ?? -1;
    expect(used + idle).toBeGreaterThan(0);
    expect(used + idle).toBeLessThanOrEqual(7);
    expect(samples.get('muster_database_waiting')).toBe(0);
    const busy = samples.get('muster_event_loop_utilisation') ?? -1;
    expect(busy).toBeGreaterThan(0);
    expect(busy).toBeLessThanOrEqual(1);
    for (const name of [
      'nodejs_eventloop_lag_p99_seconds',
      'nodejs_heap_size_used_bytes',
      'process_cpu_seconds_total',
    ])
      expect(samples.has(name)).toBe(true);
  });
});
