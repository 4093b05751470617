import { startService, type OwnService } from '../support/service';
import { lockRows, SecondConnection } from '../support/second-connection';
import { aName, type Caller, type Resource } from '../support/caller';
import { exportLines, PausingReader, type ExportedLine } from '../support/export-reader';
import { authHeaders } from '../support/http-exchange';
import { asLines, sendImport } from '../support/importing';
import { RawConnection, requestText } from '../support/raw-connection';
import { readTrafficMetrics } from '../support/traffic-metrics';
import { until } from '../support/until';

jest.setTimeout(120_000);

/** The responses exceed the buffers between the service and a client that does not read. */
const HOSTS = 20;
const VALUE_LENGTH = 600_000;

/** The default. Enough for four streamed responses of each kind at a time: two of one user, and three of one project. */
const POOL = '20';

/** Blocks reads of the labels of devices, but not of regions. */
const LOCK_LABELS = { text: 'LOCK TABLE device_labels IN ACCESS EXCLUSIVE MODE', values: [] };

let app: OwnService;
let secondConnection: SecondConnection;
beforeAll(async () => {
  app = await startService({ DATABASE_POOL_SIZE: POOL });
  secondConnection = await SecondConnection.connect(app.databaseUrl);
});
afterAll(async () => {
  await secondConnection.close();
  await app.stop();
});

/** A project whose hosts inherit a value from one region. */
async function projectWithHosts(
  valueLength = VALUE_LENGTH,
): Promise<{ admin: Caller; region: Resource; hosts: readonly Resource[] }> {
  const admin = await app.project();
  const region = await admin.region({ name: 'region', variables: { long: 'x'.repeat(valueLength) } });
  const bodies = Array.from({ length: HOSTS }, () => ({
    name: aName('host'),
    region_id: region.id,
    ip_address: '10.0.0.1',
    device_type: 'server',
    labels: ['label'],
  }));
  const hosts = (await admin.post('/v1/hosts', bodies).expect(201)).body as Resource[];
  return { admin, region, hosts };
}

describe('a streamed response', () => {
  const untilStreaming = (count: number) =>
    until(
      `${String(count)} responses are being streamed`,
      30,
      async () => (await secondConnection.servicePids('streaming')).length === count,
    );

  afterEach(() => untilStreaming(0));

  describe('of an export', () => {
    const LARGE = '?resolved-values=true';
    let admin: Caller;
    let region: Resource;
    let host: Resource;
    beforeAll(async () => {
      const made = await projectWithHosts();
      ({ admin, region } = made);
      host = made.hosts[0]!;
    });

    const linesOf = (text: string) =>
      text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as ExportedLine);

    it('shows one state, whatever is written meanwhile', async () => {
      const before = await exportLines(admin, LARGE);
      const reader = await PausingReader.of(admin, LARGE);
      const last = before.at(-1)?.['name'] as string;
      const [{ id }] = (await admin.get(`/v1/hosts?name=${last}`).expect(200)).body as [Resource];
      const added = await admin.host({ region_id: region.id });
      await admin.put(`/v1/regions/${String(region.id)}`, { name: 'renamed' }).expect(200);
      await admin.put(`/v1/regions/${String(region.id)}/variables`, { new: 1 }).expect(200);
      await admin.put(`/v1/hosts/${String(host.id)}/labels`, { labels: ['new'] }).expect(200);
      await admin.delete(`/v1/hosts/${String(id)}`).expect(204);
      expect(linesOf(await reader.rest())).toEqual(before);
      const after = await exportLines(admin, LARGE);
      expect(after.at(-1)).toMatchObject({ name: added.name, region: 'renamed', variables: { new: 1 } });
    });

    it('releases the database session when the client disconnects', async () => {
      const reader = await PausingReader.of(admin, LARGE);
      await untilStreaming(1);
      reader.leave();
      await untilStreaming(0);
      await exportLines(admin, LARGE);
    });

    it('is reset and never looks complete when its database session is lost', async () => {
      const reader = await PausingReader.of(admin, LARGE);
      await untilStreaming(1);
      await secondConnection.terminate(await secondConnection.servicePids('streaming'));
      await expect(reader.rest()).rejects.toMatchObject({ code: 'ECONNRESET' });
    });

    it('has a concurrency limit, above which requests return 503 with Retry-After', async () => {
      const readers = [await PausingReader.of(admin, LARGE), await PausingReader.of(admin, LARGE)];
      const rejected = await admin.get('/v1/export').expect(503);
      expect(rejected.body).toMatchObject({ code: 'unavailable' });
      expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0);
      expect(rejected.headers['content-type']).toContain('json');
      expect(rejected.headers['content-disposition']).toBeUndefined();
      // Other requests are served meanwhile.
      await Promise.all(Array.from({ length: 20 }, () => admin.get('/v1/hosts?fields=id').expect(200)));
      readers[0]?.leave();
      await untilStreaming(1);
      await exportLines(admin, '?kind=region');
      expect(linesOf((await readers[1]?.rest()) ?? '')).toHaveLength(HOSTS + 3);
    });
  });

  describe('of an Ansible inventory', () => {
    const PATH = '/v1/ansible-inventory';
    let admin: Caller;
    let region: Resource;
    beforeAll(async () => {
      ({ admin, region } = await projectWithHosts());
    });

    const startReading = () => PausingReader.of(admin, '', PATH);

    it('shows one state, whatever is written meanwhile', async () => {
      const before: unknown = (await admin.get(PATH).expect(200)).body;
      const reader = await startReading();
      const added = await admin.host({ name: 'added', region_id: region.id, labels: ['new'] });
      await admin.put(`/v1/regions/${String(region.id)}`, { name: 'renamed' }).expect(200);
      await admin.put(`/v1/regions/${String(region.id)}/variables`, { new: 1 }).expect(200);
      expect(JSON.parse(await reader.rest())).toEqual(before);
      const after: unknown = (await admin.get(`${PATH}?name=added`).expect(200)).body;
      expect(after).toMatchObject({
        _meta: { hostvars: { [added.name]: { new: 1 } } },
        renamed: { hosts: ['added'] },
        new: { hosts: ['added'] },
      });
    });

    it('queues requests above the concurrency limit', async () => {
      const readers = [await startReading(), await startReading()];
      let completed = 0;
      const others = Array.from({ length: 4 }, async () => {
        await admin.get(`${PATH}?name=none`).expect(200);
        completed++;
      });
      // Other requests are served meanwhile.
      await Promise.all(Array.from({ length: 20 }, () => admin.get('/v1/hosts?fields=id').expect(200)));
      expect(completed).toBe(0);
      readers[0]?.leave();
      await Promise.all(others);
      expect(JSON.parse((await readers[1]?.rest()) ?? '')).toHaveProperty('all');
    });

    it('applies the access rights at the time of reading, not of queueing', async () => {
      const [user, revoked] = [await admin.user(), await admin.user()];
      const secret = await admin.host({ region_id: region.id, variables: { secret: 'hidden' } });
      const colleague = await PausingReader.of(await admin.user(), '', PATH);
      const readers = [await startReading(), await startReading(), colleague];
      const path = `${PATH}?host=${secret.name}`;
      const waiting = Promise.all([user.get(path), revoked.get(path)]);
      // Later requests are served, so the earlier ones have arrived.
      await Promise.all(Array.from({ length: 20 }, () => admin.get('/v1/hosts?fields=id').expect(200)));
      await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: ['secret'] }).expect(200);
      const name = revoked.credentials.user;
      const [found] = (await admin.get(`/v1/users?username=${name}`).expect(200)).body as Resource[];
      await admin.delete(`/v1/users/${String(found?.id)}`).expect(204);
      for (const reader of readers) reader.leave();
      const [served, rejected] = await waiting;
      expect(served.status).toBe(200);
      expect(served.text).not.toContain('hidden');
      expect(rejected.status).toBe(401);
    });
  });
});

describe('the share of one user', () => {
  let admin: Caller;
  /** A user without roles. */
  let user: Caller;
  let colleague: Caller;
  let other: Caller;
  /** The admin of a project with short values. */
  let adminOfShortValues: Caller;
  let region: Resource;
  beforeAll(async () => {
    ({ admin, region } = await projectWithHosts());
    adminOfShortValues = (await projectWithHosts(1)).admin;
    [user, colleague, other] = [await admin.user(), await admin.user(), await app.project()];
    await other.region();
  });

  const untilIdle = () =>
    until('no request is active', 60, async () => (await readTrafficMetrics(app)).inFlight === 0);
  afterEach(untilIdle);

  /** Lists and writes of other users. */
  const expectOthersServed = async () => {
    for (const caller of [admin, other]) {
      await caller.get('/v1/regions?fields=id').expect(200);
      await caller.region();
    }
  };

  it('of exports leaves some for others, and its error names the user', async () => {
    const slow = (caller: Caller) => PausingReader.of(caller, '?resolved-values=true');
    const readers = [await slow(user), await slow(user)];
    const { body, headers } = await user.get('/v1/export').expect(503);
    expect(body).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('The limit of one user is reached: 2 exports at a time'),
    });
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    readers.push(await slow(colleague));
    const rejected = await admin.get('/v1/export').expect(503);
    expect(rejected.body).toMatchObject({
      message: expect.stringContaining('The limit of one project is reached: 3 exports at a time'),
    });
    await other.get('/v1/export').expect(200);
    for (const reader of readers) reader.leave();
  });

  it('of inventories leaves some for others', async () => {
    const INVENTORIES = 12;
    const abort = new AbortController();
    const headers = authHeaders(user.credentials);
    const inventories = Array.from({ length: INVENTORIES }, () =>
      fetch(`${app.url}/v1/ansible-inventory`, { headers, signal: abort.signal }),
    );
    // The queued ones are not in flight.
    await until('two inventories are sent', 60, async () => (await readTrafficMetrics(app)).inFlight === 2);
    for (const caller of [admin, other]) {
      await caller.get('/v1/prometheus-sd?name=none').expect(200);
      await caller.get('/v1/ansible-inventory?name=none').expect(200);
    }
    abort.abort();
    await Promise.allSettled(inventories);
  });

  it('of imports leaves some for others', async () => {
    const writer = await admin.user({ roles: ['*:write'] });
    const headers = { ...authHeaders(writer.credentials), 'Content-Type': 'application/x-ndjson' };
    const connections = await Promise.all(Array.from({ length: 4 }, () => RawConnection.to(app.url)));
    for (const one of connections)
      one.write(requestText('POST', '/v1/import', { ...headers, 'Content-Length': '1000' }, '{"kind": '));
    await until('the imports are active', 60, async () => (await readTrafficMetrics(app)).inFlight === 4);
    const line = { kind: 'region', name: aName('region') };
    const { body } = await sendImport(writer, asLines([line])).expect(503);
    expect(body).toMatchObject({
      message: expect.stringContaining('The limit of one user is reached: 4 imports at a time'),
    });
    for (const caller of [admin, other]) await sendImport(caller, asLines([line])).expect(200);
    for (const one of connections) one.cut();
  });

  it('of imports can be used at once: they run one after the other, and one creates what all contain', async () => {
    const place = { kind: 'region', name: aName('region') };
    const hosts = Array.from({ length: 50 }, (_, n) => ({
      kind: 'host',
      name: aName('host'),
      region: place.name,
      ip_address: '10.0.0.1',
      device_type: 'server',
      labels: [`l${String(n % 5)}`],
    }));
    const lines = asLines([place, ...hosts]);
    const responses = await Promise.all(Array.from({ length: 4 }, () => sendImport(other, lines)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const created = responses.map(({ body }) => (body as { created: number }).created);
    expect(created.sort((a, b) => a - b)).toEqual([0, 0, 0, 51]);
  });

  const auditRun = async () => {
    const audit = await adminOfShortValues.audit({ expectation: { vars: 'k:1' } });
    return () => adminOfShortValues.post(`/v1/audits/${String(audit.id)}/run`);
  };
  const impactGroups = async () => {
    const { body } = await adminOfShortValues.get('/v1/changes?limit=1').expect(200);
    const [change] = body as Resource[];
    return () => adminOfShortValues.get(`/v1/changes/${String(change?.id)}/impact/groups`);
  };
  /** The time of a change of no device: the impact of the others is large. */
  const recently = async () => String((await adminOfShortValues.region())['created_at']);
  const netImpactDevices = async () => {
    const query = `since=${await recently()}&group=${'a'.repeat(16)}`;
    return () => adminOfShortValues.get(`/v1/changes/impact/devices?${query}`);
  };
  const netImpact = async () => {
    const since = await recently();
    return () => adminOfShortValues.get(`/v1/changes/impact?since=${since}`);
  };

  it.each([
    ['audit runs', 'audits', auditRun],
    ['impact groups', 'change_objects', impactGroups],
    ['net impacts', 'change_objects', netImpact],
    ['devices of net impacts', 'change_objects', netImpactDevices],
  ])('of %s: a few run, a few more wait, and the others get 503', async (_, table, prepare) => {
    const send = await prepare();
    const release = await secondConnection.acquire({ text: `LOCK TABLE ${table}`, values: [] });
    let refused = 0;
    const runs = Array.from({ length: 30 }, async () => {
      const { status, headers } = await send();
      if (status === 503 && Number(headers['retry-after']) > 0) refused++;
      return status;
    });
    await until('requests beyond the queue limit are rejected', 60, () => Promise.resolve(refused === 8));
    await release();
    const done = (await Promise.all(runs)).filter((status) => status === 200);
    expect(done).toHaveLength(22);
    await send().expect(200);
  });

  it.each(['/v1/devices/counts?group_by=label', '/v1/hosts?label=none&resolved-values=false'])(
    'of connections for %s leaves some for others',
    async (path) => {
      const release = await secondConnection.acquire(LOCK_LABELS);
      const requests = Promise.all(Array.from({ length: 20 }, () => user.get(path)));
      // Those of one user that may run wait for the lock; the others are queued.
      await secondConnection.waiting(2);
      await expectOthersServed();
      await release();
      await requests;
    },
  );

  it('of audit runs is not used up by runs whose counts cannot be stored: they are answered', async () => {
    const send = await auditRun();
    const release = await secondConnection.acquire({ text: 'LOCK TABLE audit_runs', values: [] });
    const runs = await Promise.all(Array.from({ length: 4 }, async () => (await send()).status));
    await release();
    expect(runs).toEqual([200, 200, 200, 200]);
  });

  it('of connections for writes leaves some for others', async () => {
    const writer = await admin.user({ roles: ['*:write'] });
    const release = await secondConnection.acquire(lockRows('regions', admin.projectId, region.id));
    const path = `/v1/regions/${String(region.id)}`;
    const writes = Promise.all(Array.from({ length: 30 }, (_, i) => writer.put(path, { note: String(i) })));
    await secondConnection.waiting(10);
    await expectOthersServed();
    await release();
    await writes;
  });
});

it('with LOG_LEVEL=warn, a rejected request has the only log line', async () => {
  const admin = await app.project();
  const reader = await admin.user();
  const [accepted, rejected, later] = [aName('request'), aName('request'), aName('request')];
  await reader.get('/v1/regions', { 'X-Request-Id': accepted }).expect(200);
  for (const sent of [rejected, later])
    await reader.get('/v1/access-secrets', { 'X-Request-Id': sent }).expect(403);
  await app.logLineOf(later);
  const lines = app
    .logLines()
    .filter(({ request_id: id }) => [accepted, rejected, later].includes(String(id)));
  expect(lines.map(({ level, request_id: id }) => [level, id])).toEqual([
    [40, rejected],
    [40, later],
  ]);
});
