import { startService, type OwnService } from '../support/service';
import { Bystander } from '../support/bystander';
import type { Caller, Credentials, Resource } from '../support/caller';
import { until } from '../support/until';

describe('a refusal', () => {
  let app: OwnService;
  let admin: Caller;
  let reader: Caller;
  let bystander: Bystander;
  beforeAll(async () => {
    app = await startService({ TRUST_PROXY: '1', WRONG_CREDENTIALS_LIMIT: '20' });
    bystander = await Bystander.on(app.databaseUrl);
    admin = await app.project();
    reader = await admin.user();
  });
  afterAll(async () => {
    await bystander.close();
    await app.stop();
  });

  let asked = 0;
  const anId = () => `refused-${String(++asked)}`;
  const keyIdOf = ({ token }: Credentials) => token.split('_')[1];
  const secretOf = ({ token }: Credentials) => token.split('_').slice(2).join('_');

  /** All log lines that are written by the time that a later request has its line. */
  async function logged(): Promise<string[]> {
    const id = anId();
    await reader.get('/v1/access-secrets', { 'X-Request-Id': id }).expect(403);
    await app.logLineOf(id);
    return app.program.lines;
  }

  const linesOf = async (requestId: string): Promise<string[]> =>
    (await logged()).filter((line) => line.includes(`"${requestId}"`));

  /** The one line about a request. */
  async function lineOf(requestId: string): Promise<Record<string, unknown>> {
    const lines = await linesOf(requestId);
    expect(lines).toHaveLength(1);
    return JSON.parse(lines[0] ?? '') as Record<string, unknown>;
  }

  /** Asks as somebody who is not let in. @returns what the log says, and the answer but for its id */
  async function refusedAs(headers: Record<string, string>) {
    const id = anId();
    const url = `${app.url}/v1/hosts/7?name=QUERY-of-somebody`;
    const answer = await fetch(url, { headers: { ...headers, 'X-Request-Id': id } });
    const { request_id, ...body } = (await answer.json()) as Record<string, unknown>;
    expect([answer.status, request_id]).toEqual([401, id]);
    return { line: await lineOf(id), body };
  }

  const headersOf = (credentials: Partial<Credentials>) => ({
    ...(credentials.token === undefined ? {} : { 'X-Auth-Token': credentials.token }),
    ...(credentials.user === undefined ? {} : { 'X-Auth-User': credentials.user }),
    ...(credentials.project === undefined ? {} : { 'X-Auth-Project': credentials.project }),
  });

  it('of authentication has a line that says why, who was claimed and from where, and one answer for all', async () => {
    const all = reader.credentials;
    const [{ id } = { id: 0 }] = (await admin.get(`/v1/users?username=${all.user}`)).body as Resource[];
    const keys = `/v1/users/${String(id)}/api-keys`;
    const another = async () => String((await admin.post(keys, {}).expect(201)).body.api_key);
    const revoked = { ...all, token: await another() };
    await admin.delete(`${keys}/${String(keyIdOf(revoked))}`).expect(204);
    const expired = { ...all, token: await another() };
    await bystander.rows(
      `UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE key_id = '${String(keyIdOf(expired))}'`,
    );
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
      const { line, body } = await refusedAs(headersOf(credentials));
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
      expect.stringContaining('a valid token, in X-Auth-Token or as Authorization: Bearer.'),
    ]);
    const written = (await logged()).join('\n');
    for (const credentials of [all, wrong, revoked, expired])
      expect(written).not.toContain(secretOf(credentials).slice(0, -1));
    expect(written).not.toMatch(/a password|QUERY-of-somebody/);
  });

  it('is told in one line of bounded length, whatever somebody says of himself', async () => {
    const { token } = reader.credentials;
    const { line } = await refusedAs({
      'X-Auth-Token': 'no key',
      'X-Auth-User': token,
      'X-Auth-Project': 'p'.repeat(5_000),
    });
    expect(line['claimed']).toEqual({ user: 'mst_…', project: 'p'.repeat(100) });
    const told = await refusedAs({ 'X-Forwarded-For': '192.0.2.7' });
    expect(told.line['address']).toBe('192.0.2.7');
    const untold = await refusedAs({ 'X-Forwarded-For': 'not-an-ip' });
    expect(untold.line['address']).toMatch(/127\.0\.0\.1$/);
    const escaped = await refusedAs({ 'X-Auth-User': '"}\t{"event": "nothing' });
    expect(escaped.line['claimed']).toEqual({ user: '"}\t{"event": "nothing' });
  });

  it('of authorisation has a line that says who asked for what, and what would have been needed', async () => {
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
        'hosts:write, or a role for a variable',
        '/v1/hosts/{id}/variables',
      ],
      [reader, 'get', '/v1/access-secrets', undefined, 'admin', '/v1/access-secrets'],
      [admin, 'get', '/v1/projects', undefined, 'root', '/v1/projects'],
      [
        admin,
        'post',
        '/v1/users',
        { username: 'x', is_root: true },
        'Only a root user makes, changes or deletes a root user.',
        '/v1/users',
      ],
    ];
    for (const [caller, method, path, body, needed, route] of cases) {
      const id = anId();
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

  it('of some lines of an import has a line for all of them', async () => {
    const writer = await admin.user({ roles: ['labels:write'] });
    const lines = [
      { kind: 'label', label: 'allowed' },
      { kind: 'region', name: 'refused-1' },
      { kind: 'region', name: 'refused-2' },
    ];
    const id = anId();
    const answer = await writer
      .post('/v1/import?mode=partial', undefined, {
        'X-Request-Id': id,
        'Content-Type': 'application/x-ndjson',
      })
      .send(lines.map((line) => JSON.stringify(line)).join('\n'));
    expect(answer.body).toMatchObject({ created: 1, failed: 2 });
    expect(await lineOf(id)).toMatchObject({
      event: 'authorisation refused',
      needed: 'Writing regions needs the role regions:write.',
      parts: 2,
      user: writer.credentials.user,
    });
  });

  it('is not what anybody is told who asks for what is not there', async () => {
    const id = anId();
    await reader.get('/v1/hosts/987654321', { 'X-Request-Id': id }).expect(404);
    const region = await (await app.project()).region();
    await reader.get(`/v1/regions/${String(region.id)}`, { 'X-Request-Id': id }).expect(404);
    expect(await linesOf(id)).toEqual([]);
  });

  it('is told once a second of those who are answered that they were wrong too often', async () => {
    const headers = headersOf({ ...reader.credentials, user: 'guesser' });
    const told = () =>
      app.program.lines
        .filter((line) => line.includes('"too many"'))
        .map((line) => JSON.parse(line) as { left_out: number; claimed: object; request_id: string });
    const tooMany: (string | null)[] = [];
    // The first one is logged at once, the next one after a second, with how many came between.
    await until('a second line is logged', 60, async () => {
      const answer = await fetch(`${app.url}/v1/hosts`, { headers });
      if (answer.status === 429) tooMany.push(answer.headers.get('x-request-id'));
      return told().length === 2;
    });
    const [first, second] = told();
    expect(first).toMatchObject({ left_out: 0, claimed: { user: 'guesser' }, request_id: tooMany[0] });
    expect(second?.left_out).toBe(tooMany.indexOf(second?.request_id ?? '') - 1);
  });
});
