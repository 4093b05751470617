import { startService, type OwnService } from '../support/service';
import { SecondConnection } from '../support/second-connection';
import { aName, type Caller, type Resource } from '../support/caller';
import { exportLines, PausingReader, type ExportedLine } from '../support/export-reader';
import { until } from '../support/until';

jest.setTimeout(120_000);

/** The responses exceed the buffers between the service and a client that does not read. */
const HOSTS = 40;
const VALUE_LENGTH = 600_000;

/** Enough for four streamed responses of each kind at a time: two of one user, and three of one project. */
const POOL = '20';

describe('a streamed response', () => {
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

  /** The database sessions of streamed responses. Each holds a snapshot, even between statements. */
  const streamingBackends = async (): Promise<number[]> =>
    (
      await secondConnection.rows<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'
           AND backend_xmin IS NOT NULL AND pid <> pg_backend_pid()`,
      )
    ).map(({ pid }) => pid);
  const untilStreaming = (count: number) =>
    until(
      `${String(count)} responses are being streamed`,
      30,
      async () => (await streamingBackends()).length === count,
    );

  afterEach(() => untilStreaming(0));

  /** A project whose hosts inherit a long value from one region. */
  async function longProject(): Promise<{ admin: Caller; region: Resource; hosts: readonly Resource[] }> {
    const admin = await app.project();
    const region = await admin.region({ name: 'region', variables: { long: 'x'.repeat(VALUE_LENGTH) } });
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

  describe('of an export', () => {
    const LARGE = '?resolved-values=true';
    let admin: Caller;
    let region: Resource;
    let host: Resource;
    beforeAll(async () => {
      const made = await longProject();
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
      for (const pid of await streamingBackends())
        await secondConnection.rows('SELECT pg_terminate_backend($1::integer)', [pid]);
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
      ({ admin, region } = await longProject());
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
