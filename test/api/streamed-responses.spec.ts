import { startService, type OwnService } from '../support/service';
import { SecondConnection } from '../support/second-connection';
import { aName, type Caller, type Resource } from '../support/caller';
import { exportLines, PausingReader, type ExportedLine } from '../support/export-reader';
import { until } from '../support/until';

jest.setTimeout(120_000);

/** So many hosts, with so many characters each, are more than lies between the service and a client that reads nothing. */
const HOSTS = 40;
const LONG = 600_000;

/** Enough for two answers of each sort at a time. */
const POOL = '10';

describe('an answer that is sent for long', () => {
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

  /** The database connections of such answers: each keeps a snapshot, also between its statements. */
  const backendsSending = async (): Promise<number[]> =>
    (
      await secondConnection.rows<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'
           AND backend_xmin IS NOT NULL AND pid <> pg_backend_pid()`,
      )
    ).map(({ pid }) => pid);
  const untilSent = (count: number) =>
    until(
      `${String(count)} answers are being sent`,
      30,
      async () => (await backendsSending()).length === count,
    );

  afterEach(() => untilSent(0));

  /** A project whose hosts inherit a long value from one region. */
  async function longProject(): Promise<{ admin: Caller; region: Resource; hosts: readonly Resource[] }> {
    const admin = await app.project();
    const region = await admin.region({ name: 'region', variables: { long: 'x'.repeat(LONG) } });
    const wanted = Array.from({ length: HOSTS }, () => ({
      name: aName('host'),
      region_id: region.id,
      ip_address: '10.0.0.1',
      device_type: 'server',
      labels: ['label'],
    }));
    const hosts = (await admin.post('/v1/hosts', wanted).expect(201)).body as Resource[];
    return { admin, region, hosts };
  }

  describe('as an export', () => {
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

    it('is of one state, whatever is written meanwhile', async () => {
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

    it('lets go of the database when its client is gone', async () => {
      const reader = await PausingReader.of(admin, LARGE);
      await untilSent(1);
      reader.leave();
      await untilSent(0);
      await exportLines(admin, LARGE);
    });

    it('is cut off, and never looks complete, where it cannot go on', async () => {
      const reader = await PausingReader.of(admin, LARGE);
      await untilSent(1);
      for (const pid of await backendsSending())
        await secondConnection.rows('SELECT pg_terminate_backend($1)', [pid]);
      await expect(reader.rest()).rejects.toMatchObject({ code: 'ECONNRESET' });
    });

    it('is one of few at a time; whoever comes then is told to come again', async () => {
      const readers = [await PausingReader.of(admin, LARGE), await PausingReader.of(admin, LARGE)];
      const refused = await admin.get('/v1/export').expect(503);
      expect(refused.body).toMatchObject({ code: 'unavailable' });
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect(refused.headers['content-type']).toContain('json');
      expect(refused.headers['content-disposition']).toBeUndefined();
      // All others are served meanwhile.
      await Promise.all(Array.from({ length: 20 }, () => admin.get('/v1/hosts?fields=id').expect(200)));
      readers[0]?.leave();
      await untilSent(1);
      await exportLines(admin, '?kind=region');
      expect(linesOf((await readers[1]?.rest()) ?? '')).toHaveLength(HOSTS + 3);
    });
  });

  describe('as an Ansible inventory', () => {
    const PATH = '/v1/ansible-inventory';
    let admin: Caller;
    let region: Resource;
    beforeAll(async () => {
      ({ admin, region } = await longProject());
    });

    const begin = () => PausingReader.of(admin, '', PATH);

    it('is of one state, whatever is written meanwhile', async () => {
      const before: unknown = (await admin.get(PATH).expect(200)).body;
      const reader = await begin();
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

    it('lets others wait in line, and serves them in their turn', async () => {
      const readers = [await begin(), await begin()];
      let answered = 0;
      const others = Array.from({ length: 4 }, async () => {
        await admin.get(`${PATH}?name=none`).expect(200);
        answered++;
      });
      // All others are served meanwhile.
      await Promise.all(Array.from({ length: 20 }, () => admin.get('/v1/hosts?fields=id').expect(200)));
      expect(answered).toBe(0);
      readers[0]?.leave();
      await Promise.all(others);
      expect(JSON.parse((await readers[1]?.rest()) ?? '')).toHaveProperty('all');
    });

    it('is read by the rights of when it is read, not of when it was asked for', async () => {
      const [user, revoked] = [await admin.user(), await admin.user()];
      const secret = await admin.host({ region_id: region.id, variables: { secret: 'hidden' } });
      const readers = [await begin(), await begin()];
      const path = `${PATH}?host=${secret.name}`;
      const waiting = Promise.all([user.get(path), revoked.get(path)]);
      // They have come when others, who came later, are served.
      await Promise.all(Array.from({ length: 20 }, () => admin.get('/v1/hosts?fields=id').expect(200)));
      await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: ['secret'] }).expect(200);
      const name = revoked.credentials.user;
      const [found] = (await admin.get(`/v1/users?username=${name}`).expect(200)).body as Resource[];
      await admin.delete(`/v1/users/${String(found?.id)}`).expect(204);
      for (const reader of readers) reader.leave();
      const [served, refused] = await waiting;
      expect(served.status).toBe(200);
      expect(served.text).not.toContain('hidden');
      expect(refused.status).toBe(401);
    });
  });
});
