import { startService, type OwnService } from '../support/service';
import { Bystander } from '../support/bystander';
import { aName, type Caller, type Resource } from '../support/caller';
import { exchange } from '../support/exchange';

describe('the log', () => {
  let app: OwnService;
  let bystander: Bystander;
  let admin: Caller;
  beforeAll(async () => {
    app = await startService({ LOG_LEVEL: 'info' });
    bystander = await Bystander.on(app.databaseUrl);
    admin = await app.project();
  });
  afterAll(async () => {
    await bystander.close();
    await app.stop();
  });

  /** All log lines that are written by the time that a later request has its line. */
  async function logged(): Promise<string> {
    const id = aName('later');
    await admin.get('/v1/regions?limit=1', { 'X-Request-Id': id }).expect(200);
    await app.logLineOf(id);
    return app.program.lines.join('\n');
  }

  /** What the log says of one request, a line each. */
  const linesOf = async (requestId: string): Promise<string[]> =>
    (await logged()).split('\n').filter((line) => line.includes(`"${requestId}"`));

  const secretPartOf = (key: string): string => key.split('_').slice(2).join('_');

  it('tells of every request who asked for what, and how it ended', async () => {
    const region = await admin.region();
    const path = `/v1/regions/${String(region.id)}`;
    await admin.get(`${path}?resolved-values=false`, { 'X-Request-Id': 'told' }).expect(200);
    const lines = (await linesOf('told')).map((line) => JSON.parse(line) as Record<string, unknown>);
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

  it('holds no key, whatever is done with it', async () => {
    const user = await admin.user();
    const { token } = user.credentials;
    await user.get('/v1/regions').expect(200);
    await user
      .as({ ...user.credentials, user: 'somebody' })
      .get('/v1/regions')
      .expect(401);
    await exchange(`${app.url}/v1/regions`, { headers: { Authorization: `Bearer ${token}` } });
    await exchange(`${app.url}/v1/regions?key=${token}`, { headers: { Authorization: `Bearer ${token}` } });
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
    // Root's is printed once, when it is created.
    const lines = written
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .join('\n');
    for (const key of [token, String(renewed.body.api_key), app.root.credentials.token])
      expect(lines).not.toContain(secretPartOf(key));
  });

  it('holds no certificate, no body, no query and no reason', async () => {
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

  it('tells why a request failed inside, and holds nothing of its body even then', async () => {
    const name = aName('region');
    // Somebody else is about to take the name: the request waits for that in the middle of its transaction …
    const letGo = await bystander.hold({
      text: 'INSERT INTO regions (project_id, name) VALUES ($1, $2)',
      values: [admin.projectId, name],
    });
    const body = { name, note: 'NOTE-that-is-lost', variables: { password: 'VALUE-that-is-lost' } };
    const headers = { 'X-Request-Id': 'cut-off', 'X-Change-Reason': 'REASON-that-is-lost' };
    const sent = Promise.all([admin.post('/v1/regions', body, headers)]);
    await bystander.waiting(1);
    // … and loses its connection there.
    await bystander.rows(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    const [answer] = await sent;
    await letGo();
    expect(answer.status).toBe(503);
    expect(answer.body).toEqual({
      code: 'unavailable',
      message: 'The database is not available.',
      details: [],
      request_id: 'cut-off',
    });
    const lines = await linesOf('cut-off');
    expect(lines.join('\n')).toContain('terminating connection due to administrator command');
    expect(lines.join('\n')).toContain('57P01');
    expect(await logged()).not.toContain('that-is-lost');
    // The service goes on.
    await admin.post('/v1/regions', { name }).expect(201);
  });
});
