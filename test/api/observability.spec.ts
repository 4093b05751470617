import { startService, type OwnService } from '../support/service';
import { lockRegionName, SecondConnection } from '../support/second-connection';
import { keyIdOf, aName, type Caller, type Credentials, type Resource } from '../support/caller';
import { expireKey } from '../support/database';
import { sendRaw } from '../support/http-exchange';
import { samplesOf, type Samples } from '../support/prometheus-text';
import { until } from '../support/until';

const POOL = 7;

let app: OwnService;
let secondConnection: SecondConnection;
beforeAll(async () => {
  app = await startService({
    DATABASE_POOL_SIZE: String(POOL),
    LOG_LEVEL: 'info',
    TRUST_PROXY: '1',
    WRONG_CREDENTIALS_LIMIT: '30',
  });
  secondConnection = await SecondConnection.connect(app.databaseUrl);
});
afterAll(async () => {
  await secondConnection.close();
  await app.stop();
});

describe('the metrics', () => {
  let admin: Caller;
  let region: Resource;
  beforeAll(async () => {
    admin = await app.project();
    region = await admin.region({ variables: { ntp: 'a' } });
  });

  const now = async (): Promise<Samples> => samplesOf((await app.root.get('/metrics').expect(200)).text);

  /** How much the given requests increase a sample. */
  async function added(act: () => Promise<unknown>): Promise<(name: string) => number> {
    const before = await now();
    await act();
    const after = await now();
    return (name) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
  }

  const requests = (method: string, route: string, status: number) =>
    `muster_http_request_duration_seconds_count{method="${method}",route="${route}",status="${String(status)}"}`;

  it('count requests by route pattern and by status', async () => {
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

  it('use one label for all unknown paths', async () => {
    const grown = await added(async () => {
      for (const path of [
        '/nothing',
        '/v1/nothing/1',
        '/v1/nothing/2',
        '/wp-admin/x.php',
        '/v1/regions/1/2/3',
      ])
        await admin.get(path).expect(404);
    });
    expect(grown(requests('GET', 'none', 404))).toBe(5);
    expect([...(await now()).keys()].filter((name) => /nothing|php/.test(name))).toEqual([]);
  });

  it('count resolved resources, and the levels that were read or cached', async () => {
    await admin.host({ region_id: region.id });
    await admin.host({ region_id: region.id });
    const first = await added(() => admin.get('/v1/hosts').expect(200));
    expect(first('muster_resolver_resources_total')).toBe(2);
    expect(first('muster_resolver_duration_seconds_count')).toBe(1);
    const again = await added(() => admin.get('/v1/hosts').expect(200));
    expect(again('muster_resolver_levels_total{result="hit"}')).toBe(1);
    expect(again('muster_resolver_levels_total{result="miss"}')).toBe(0);
    await admin.put(`/v1/regions/${String(region.id)}/variables`, { ntp: 'b' }).expect(200);
    const changed = await added(() => admin.get('/v1/hosts').expect(200));
    expect(changed('muster_resolver_levels_total{result="miss"}')).toBe(1);
  });

  it('count the start of filter plans, and how pages are found', async () => {
    const filtered = async (vars: string) => {
      const grown = await added(() => admin.get(`/v1/hosts?vars=${encodeURIComponent(vars)}`).expect(200));
      const starts = ['nothing', 'own', 'inherited', 'own and inherited'];
      return starts.filter((start) => grown(`muster_filter_plans_total{starts_from="${start}"}`) === 1);
    };
    await admin.host({ region_id: region.id, variables: { own: 1, ntp: 'c' } });
    expect(await filtered('unknown:1')).toEqual(['nothing']);
    expect(await filtered('own:1')).toEqual(['own']);
    expect(await filtered('ntp:"b"')).toEqual(['own and inherited']);
    const pages = await added(() => admin.get('/v1/hosts').expect(200));
    expect(pages('muster_list_page_duration_seconds_count{access_path="order"}')).toBe(1);
  });

  it('are the same for a filter by a private variable and by an unset one', async () => {
    const secret = { variables: { metrics_secret: 'x' } };
    const own = await app.project();
    const region = await own.region(secret);
    await own.host({ region_id: region.id, ...secret });
    await own.host({ region_id: region.id });
    await app.root.put(`/v1/projects/${own.projectId}/settings`, { private: ['metrics_secret'] }).expect(200);
    const reader = await own.user();
    /** The names and increases of the counters that a filter changes. */
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

  it('count committed changes and the resources they changed, but no failed changes and no dry runs', async () => {
    const grown = await added(async () => {
      const { id } = await admin.label();
      await admin.put(`/v1/labels/${String(id)}/variables`, { a: 1 }).expect(200);
      await admin.put(`/v1/labels/${String(id)}/variables?dry_run=true`, { a: 2 }).expect(200);
      await admin.put(`/v1/labels/${String(id)}/variables`, { a: 2 }, { 'If-Match': '"99"' }).expect(412);
      await admin.post('/v1/regions', { name: region.name }).expect(409);
      await admin.delete(`/v1/labels/${String(id)}`).expect(204);
      const two = [{ label: 'one-of-two' }, { label: 'two-of-two' }];
      await admin.post('/v1/labels', two, { 'Idempotency-Key': 'k' }).expect(201);
      // Served from the idempotency store.
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

  it('count rejected requests without the reasons, because anyone can read the metrics', async () => {
    const { credentials } = await admin.user();
    const grown = await added(async () => {
      await admin
        .as({ ...credentials, user: 'somebody' })
        .get('/v1/regions')
        .expect(401);
      await fetch(`${app.url}/v1/regions`);
      await admin.as(credentials).get('/v1/access-secrets').expect(403);
    });
    expect(grown('muster_authentication_failures_total')).toBe(2);
    expect(grown('muster_authorization_failures_total')).toBe(1);
    const labelled = [...(await now()).keys()].filter((name) => /authentication_refusals.*\{/.test(name));
    expect(labelled).toEqual([]);
  });

  it('show the connection pool, the event loop and garbage collection', async () => {
    const samples = await now();
    expect(samples.get('muster_database_connections_max')).toBe(POOL);
    const used = samples.get('muster_database_connections{state="used"}') ?? -1;
    const idle = samples.get('muster_database_connections{state="idle"}') ?? -1;
    expect(used + idle).toBeGreaterThan(0);
    expect(used + idle).toBeLessThanOrEqual(POOL);
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

describe('the log', () => {
  let admin: Caller;
  beforeAll(async () => {
    admin = await app.project();
  });

  /** Waits until a later request is logged, and returns all log lines. */
  async function logged(): Promise<string> {
    const id = aName('later');
    await admin.get('/v1/regions?limit=1', { 'X-Request-Id': id }).expect(200);
    await app.logLineOf(id);
    return app.program.lines.join('\n');
  }

  /** The log lines of one request. */
  const linesOf = async (requestId: string): Promise<string[]> =>
    (await logged()).split('\n').filter((line) => line.includes(`"${requestId}"`));

  const secretPartOf = (key: string): string => key.split('_').slice(2).join('_');

  it('contains the caller, the request and the response of every request', async () => {
    const region = await admin.region();
    const path = `/v1/regions/${String(region.id)}`;
    await admin.get(`${path}?resolved-values=false`, { 'X-Request-Id': 'logged' }).expect(200);
    const lines = (await linesOf('logged')).map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      time: expect.any(Number),
      req: {
        method: 'GET',
        path,
        route: '/v1/regions/{id}',
        address: expect.stringMatching(/127\.0\.0\.1$/),
      },
      res: { status: 200 },
      responseTime: expect.any(Number),
      user: admin.credentials.user,
      project: admin.projectId,
    });
  });

  it('never contains a key', async () => {
    const user = await admin.user();
    const { token } = user.credentials;
    await user.get('/v1/regions').expect(200);
    await user
      .as({ ...user.credentials, user: 'somebody' })
      .get('/v1/regions')
      .expect(401);
    await sendRaw(`${app.url}/v1/regions`, { headers: { Authorization: `Bearer ${token}` } });
    await sendRaw(`${app.url}/v1/regions?key=${token}`, { headers: { Authorization: `Bearer ${token}` } });
    await user.post('/v1/regions', { name: token }).expect(403);
    await admin.post('/v1/regions', `{"name": "${token}"`).expect(400);
    const found = (await admin.get(`/v1/users?username=${user.credentials.user}`)).body as Resource[];
    const renewed = await user.post(`/v1/users/${String(found[0]?.id)}/api-key`).expect(201);
    for (const key of [token, encodeURIComponent(token).replaceAll('_', '%5F'), token.slice(0, -1)]) {
      const path = `/v1/users/${String(found[0]?.id)}/api-keys/${key}`;
      const { text } = await admin.delete(path).expect(404);
      expect(text).not.toContain(secretPartOf(token).slice(0, -1));
    }
    const written = await logged();
    expect(written).toContain('api-keys/mst_…');
    expect(written).not.toContain(secretPartOf(token).slice(0, -1));
    // Root's key is printed once, when it is created.
    const lines = written
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .join('\n');
    for (const key of [token, String(renewed.body.api_key), app.root.credentials.token])
      expect(lines).not.toContain(secretPartOf(key));
  });

  it('contains no certificate, body, query or reason', async () => {
    const secret = await admin.secret({ cert: 'CERT-that-is-kept' });
    const path = `/v1/access-secrets/${String(secret.id)}`;
    expect((await admin.get(path).expect(200)).body.cert).toBe('CERT-that-is-kept');
    await admin
      .put(path, { cert: 'CERT-that-is-kept-too' }, { 'X-Change-Reason': 'REASON-that-is-kept' })
      .expect(200);
    await admin.put(path, { cert: 'CERT-that-is-wrong', unknown: 1 }).expect(400);
    await admin.region({ variables: { password: 'VALUE-that-is-kept' }, note: 'NOTE-that-is-kept' });
    await admin.get('/v1/regions?vars=password:"VALUE-that-is-kept"').expect(200);
    const written = await logged();
    expect(written).toContain(path);
    expect(written).not.toContain('that-is-');
  });

  it('contains the cause of an internal error, but nothing of the request body', async () => {
    const name = aName('region');
    // Another transaction is about to take the name, so the request waits in the middle of its transaction.
    const release = await secondConnection.acquire(lockRegionName(admin.projectId, name));
    const body = { name, note: 'NOTE-that-is-lost', variables: { password: 'VALUE-that-is-lost' } };
    const headers = { 'X-Request-Id': 'cut-off', 'X-Change-Reason': 'REASON-that-is-lost' };
    const sent = Promise.all([admin.post('/v1/regions', body, headers)]);
    await secondConnection.waiting(1);
    // The request loses its connection while it waits.
    await secondConnection.terminate(await secondConnection.blockedPids());
    const [response] = await sent;
    await release();
    expect(response.status).toBe(503);
    expect(response.body).toEqual({
      code: 'unavailable',
      message: 'The database is not available.',
      details: [],
      request_id: 'cut-off',
    });
    const lines = await linesOf('cut-off');
    expect(lines.join('\n')).toContain('terminating connection due to administrator command');
    expect(lines.join('\n')).toContain('57P01');
    expect(await logged()).not.toContain('that-is-lost');
    // The service continues to work.
    await admin.post('/v1/regions', { name }).expect(201);
  });
});

describe('a rejected request', () => {
  let admin: Caller;
  let reader: Caller;
  beforeAll(async () => {
    admin = await app.project();
    reader = await admin.user();
  });

  let requestCount = 0;
  const nextRequestId = () => `refused-${String(++requestCount)}`;
  const secretOf = ({ token }: Credentials) => token.split('_').slice(2).join('_');

  /** Waits until a later request is logged, and returns all log lines. */
  async function logged(): Promise<string[]> {
    const id = nextRequestId();
    await reader.get('/v1/access-secrets', { 'X-Request-Id': id }).expect(403);
    await app.logLineOf(id);
    return app.program.lines;
  }

  /** The lines about a request, except the `info` line that every request has. */
  const linesOf = async (requestId: string): Promise<string[]> =>
    (await logged()).filter((line) => line.includes(`"${requestId}"`) && !line.includes('"level":30'));

  /** The only line about a request. */
  async function lineOf(requestId: string): Promise<Record<string, unknown>> {
    const lines = await linesOf(requestId);
    expect(lines).toHaveLength(1);
    return JSON.parse(lines[0] ?? '') as Record<string, unknown>;
  }

  /** Sends a request that is rejected. @returns the log line, and the response body without the request id */
  async function rejectedWith(headers: Record<string, string>) {
    const id = nextRequestId();
    const url = `${app.url}/v1/hosts/7?name=QUERY-of-somebody`;
    const response = await fetch(url, { headers: { ...headers, 'X-Request-Id': id } });
    const { request_id, ...body } = (await response.json()) as Record<string, unknown>;
    expect([response.status, request_id]).toEqual([401, id]);
    return { line: await lineOf(id), body };
  }

  const headersOf = (credentials: Partial<Credentials>) => ({
    ...(credentials.token === undefined ? {} : { 'X-Auth-Token': credentials.token }),
    ...(credentials.user === undefined ? {} : { 'X-Auth-User': credentials.user }),
    ...(credentials.project === undefined ? {} : { 'X-Auth-Project': credentials.project }),
  });

  it('with bad credentials logs the reason and the claimed user, and gets a uniform response', async () => {
    const all = reader.credentials;
    const [{ id } = { id: 0 }] = (await admin.get(`/v1/users?username=${all.user}`)).body as Resource[];
    const keys = `/v1/users/${String(id)}/api-keys`;
    const another = async () => String((await admin.post(keys, {}).expect(201)).body.api_key);
    const revoked = { ...all, token: await another() };
    await admin.delete(`${keys}/${keyIdOf(revoked)}`).expect(204);
    const expired = { ...all, token: await another() };
    await expireKey(app, expired);
    const wrong = { ...all, token: `${all.token.slice(0, -1)}${all.token.endsWith('A') ? 'B' : 'A'}` };
    const unknown = { ...all, token: `mst_0123456789abcdef_${secretOf(all)}` };
    const other = (await app.project()).projectId;
    const cases: [string, Partial<Credentials>][] = [
      ['no credentials', { user: all.user, project: all.project }],
      ['malformed credentials', { ...all, token: 'a password' }],
      ['unknown key', unknown],
      ['wrong secret', wrong],
      ['revoked key', revoked],
      ['expired key', expired],
      ['user does not match', { ...all, user: 'somebody' }],
      ['user does not match', { token: all.token, project: all.project }],
      ['project does not match', { ...all, project: other }],
      ['project does not match', { ...all, project: 'no project' }],
    ];
    const bodies = new Set<string>();
    for (const [reason, credentials] of cases) {
      const { line, body } = await rejectedWith(headersOf(credentials));
      bodies.add(JSON.stringify(body));
      expect(line).toMatchObject({
        level: 40,
        event: 'authentication refused',
        reason,
        method: 'GET',
        route: '/v1/hosts/{id}',
        address: expect.stringMatching(/127\.0\.0\.1$/),
      });
      expect(line['claimed']).toEqual({
        ...(credentials.user === undefined ? {} : { user: credentials.user }),
        ...(credentials.project === undefined ? {} : { project: credentials.project }),
        ...(credentials.token?.startsWith('mst_') ? { key_id: credentials.token.split('_')[1] } : {}),
      });
    }
    expect([...bodies]).toEqual([
      expect.stringContaining('a valid token in X-Auth-Token or Authorization: Bearer.'),
    ]);
    const written = (await logged()).join('\n');
    for (const credentials of [all, wrong, revoked, expired])
      expect(written).not.toContain(secretOf(credentials).slice(0, -1));
    expect(written).not.toMatch(/a password|QUERY-of-somebody/);
  });

  it('is logged in one line of bounded length, whatever the credentials contain', async () => {
    const { token } = reader.credentials;
    const { line } = await rejectedWith({
      'X-Auth-Token': 'no key',
      'X-Auth-User': token,
      'X-Auth-Project': 'p'.repeat(5_000),
    });
    expect(line['claimed']).toEqual({ user: 'mst_…', project: 'p'.repeat(100) });
    const forwarded = await rejectedWith({ 'X-Forwarded-For': '192.0.2.7' });
    expect(forwarded.line['address']).toBe('192.0.2.7');
    const ignored = await rejectedWith({ 'X-Forwarded-For': 'not-an-ip' });
    expect(ignored.line['address']).toMatch(/127\.0\.0\.1$/);
    const escaped = await rejectedWith({ 'X-Auth-User': '"}\t{"event": "nothing' });
    expect(escaped.line['claimed']).toEqual({ user: '"}\t{"event": "nothing' });
  });

  it('without permission logs the caller, the route and the missing permission', async () => {
    const cases: [
      caller: Caller,
      method: 'get' | 'post' | 'put',
      path: string,
      body: unknown,
      needed: string,
      route: string,
    ][] = [
      [reader, 'post', '/v1/regions', { name: 'x' }, 'regions:write', '/v1/regions'],
      [
        reader,
        'put',
        '/v1/hosts/7/variables',
        { a: 1 },
        'hosts:write, or a role for the variable',
        '/v1/hosts/{id}/variables',
      ],
      [reader, 'get', '/v1/access-secrets', undefined, 'admin', '/v1/access-secrets'],
      [admin, 'get', '/v1/projects', undefined, 'root', '/v1/projects'],
      [
        admin,
        'post',
        '/v1/users',
        { username: 'x', is_root: true },
        'Only a root user can create, change or delete a root user.',
        '/v1/users',
      ],
    ];
    for (const [caller, method, path, body, needed, route] of cases) {
      const id = nextRequestId();
      await caller.send(method, path, body, { 'X-Request-Id': id }).expect(403);
      expect(await lineOf(id)).toMatchObject({
        level: 40,
        event: 'authorisation refused',
        needed,
        user: caller.credentials.user,
        project: caller.projectId,
        method: method.toUpperCase(),
        route,
        address: expect.stringMatching(/127\.0\.0\.1$/),
      });
    }
  });

  it('with several rejected import lines has one log line for all of them', async () => {
    const writer = await admin.user({ roles: ['labels:write'] });
    const lines = [
      { kind: 'label', label: 'allowed' },
      { kind: 'region', name: 'refused-1' },
      { kind: 'region', name: 'refused-2' },
    ];
    const id = nextRequestId();
    const response = await writer
      .post('/v1/import?mode=partial', undefined, {
        'X-Request-Id': id,
        'Content-Type': 'application/x-ndjson',
      })
      .send(lines.map((line) => JSON.stringify(line)).join('\n'));
    expect(response.body).toMatchObject({ created: 1, failed: 2 });
    expect(await lineOf(id)).toMatchObject({
      event: 'authorisation refused',
      needed: 'Writing regions needs the role regions:write.',
      parts: 2,
      user: writer.credentials.user,
    });
  });

  it('is not logged for resources that do not exist', async () => {
    const id = nextRequestId();
    await reader.get('/v1/hosts/987654321', { 'X-Request-Id': id }).expect(404);
    const region = await (await app.project()).region();
    await reader.get(`/v1/regions/${String(region.id)}`, { 'X-Request-Id': id }).expect(404);
    expect(await linesOf(id)).toEqual([]);
  });

  it('is logged once a second for clients that exceed the limit of wrong credentials', async () => {
    const headers = headersOf({ ...reader.credentials, user: 'guesser' });
    const throttledLines = () =>
      app.program.lines
        .filter((line) => line.includes('"too many"'))
        .map((line) => JSON.parse(line) as { suppressed: number; claimed: object; request_id: string });
    const tooMany: (string | null)[] = [];
    // The first is logged immediately, the next after a second, with the number left out in between.
    await until('a second line is logged', 60, async () => {
      const response = await fetch(`${app.url}/v1/hosts`, { headers });
      if (response.status === 429) tooMany.push(response.headers.get('x-request-id'));
      return throttledLines().length >= 2;
    });
    const [first, second] = throttledLines();
    expect(first).toMatchObject({ suppressed: 0, claimed: { user: 'guesser' }, request_id: tooMany[0] });
    expect(second?.suppressed).toBe(tooMany.indexOf(second?.request_id ?? '') - 1);
  });
});
