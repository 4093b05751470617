import { startService, type OwnService } from '../support/service';
import { lockRows, SecondConnection } from '../support/second-connection';
import { aName, Caller, type Resource } from '../support/caller';
import { PausingReader } from '../support/export-reader';
import { authHeaders } from '../support/http-exchange';
import { asLines, sendImport } from '../support/importing';
import { RawConnection, requestText } from '../support/raw-connection';
import { readTrafficMetrics } from '../support/traffic-metrics';
import { until } from '../support/until';

jest.setTimeout(120_000);

/** The responses exceed the buffers between the service and a client that does not read. */
const HOSTS = 40;
const VALUE_LENGTH = 600_000;

/** Blocks reads of the labels of devices, but not of regions. */
const LOCK_LABELS = { text: 'LOCK TABLE device_labels IN ACCESS EXCLUSIVE MODE', values: [] };

/** One process with the default of 20 connections. */
describe('the share of one user', () => {
  let app: OwnService;
  let secondConnection: SecondConnection;
  let admin: Caller;
  /** A user without roles. */
  let user: Caller;
  let colleague: Caller;
  let other: Caller;
  let region: Resource;
  beforeAll(async () => {
    app = await startService();
    secondConnection = await SecondConnection.connect(app.databaseUrl);
    admin = await app.project();
    [user, colleague, other] = [await admin.user(), await admin.user(), await app.project()];
    region = await admin.region({ variables: { long: 'x'.repeat(VALUE_LENGTH) } });
    const host = { region_id: region.id, ip_address: '10.0.0.1', device_type: 'server' };
    const hosts = Array.from({ length: HOSTS }, () => ({ ...host, name: aName('host') }));
    await admin.post('/v1/hosts', hosts).expect(201);
    await other.region();
  });
  afterAll(async () => {
    await secondConnection.close();
    await app.stop();
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
    const audit = await admin.audit({ expectation: { vars: 'k:1' } });
    return () => admin.post(`/v1/audits/${String(audit.id)}/run`);
  };
  const impactGroups = async () => {
    const { body } = await admin.get('/v1/changes?limit=1').expect(200);
    const [change] = body as Resource[];
    return () => admin.get(`/v1/changes/${String(change?.id)}/impact/groups`);
  };
  const netImpactDevices = () =>
    Promise.resolve(() => admin.get(`/v1/changes/impact/devices?since=2017-01-01&group=${'a'.repeat(16)}`));
  const netImpact = () => Promise.resolve(() => admin.get('/v1/changes/impact?since=2017-01-01'));

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
