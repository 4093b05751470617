import { startService, type OwnService } from '../support/service';
import { Bystander } from '../support/bystander';
import type { Caller, Resource } from '../support/caller';
import { exportLines, HesitantReader, type ExportedLine } from '../support/exported';
import { until } from '../support/until';

jest.setTimeout(120_000);

/** So many hosts, with so many characters each, are more than lies between the service and a client that reads nothing. */
const HOSTS = 100;
const LONG = 600_000;

/** The connections on which an export is being made: each keeps looking at one state, also between its statements. */
const exportsOn = async (bystander: Bystander): Promise<number[]> =>
  (
    await bystander.rows<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'
         AND backend_xmin IS NOT NULL AND pid <> pg_backend_pid()`,
    )
  ).map(({ pid }) => pid);

describe('an export', () => {
  let app: OwnService;
  let impatient: OwnService;
  let bystander: Bystander;
  let admin: Caller;
  let region: Resource;
  let host: Resource;
  beforeAll(async () => {
    app = await startService({ DATABASE_POOL_SIZE: '8' });
    bystander = await Bystander.on(app.databaseUrl);
    admin = await app.project();
    region = await admin.region({ name: 'region', variables: { long: 'x'.repeat(LONG) } });
    host = await admin.host({ name: 'host', region_id: region.id });
    for (let i = 1; i < HOSTS; i++) await admin.host({ region_id: region.id });
  });
  afterAll(async () => {
    await bystander.close();
    await app.stop();
  });

  const LARGE = '?resolved-values=true';

  const exportsMade = () => exportsOn(bystander);
  const untilMade = (count: number) =>
    until(`${String(count)} exports are being made`, 30, async () => (await exportsMade()).length === count);

  const linesOf = (text: string) =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as ExportedLine);

  afterEach(() => untilMade(0));

  it('is of one state, whatever is written meanwhile', async () => {
    const before = await exportLines(admin, LARGE);
    const reader = await HesitantReader.of(admin, LARGE);
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
    const reader = await HesitantReader.of(admin, LARGE);
    await untilMade(1);
    reader.leave();
    await untilMade(0);
    await exportLines(admin, LARGE);
  });

  it('is cut off, and never looks complete, where it cannot go on', async () => {
    const reader = await HesitantReader.of(admin, LARGE);
    await untilMade(1);
    for (const pid of await exportsMade()) await bystander.rows('SELECT pg_terminate_backend($1)', [pid]);
    await expect(reader.rest()).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('is one of few at a time; whoever comes then is told to come again', async () => {
    const readers = [await HesitantReader.of(admin, LARGE), await HesitantReader.of(admin, LARGE)];
    const refused = await admin.get('/v1/export').expect(503);
    expect(refused.body).toMatchObject({ code: 'unavailable' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.headers['content-type']).toContain('json');
    expect(refused.headers['content-disposition']).toBeUndefined();
    // All others are served meanwhile.
    await Promise.all(Array.from({ length: 20 }, () => admin.get('/v1/hosts?fields=id').expect(200)));
    readers[0]?.leave();
    await untilMade(1);
    await exportLines(admin, '?kind=region');
    expect(linesOf((await readers[1]?.rest()) ?? '')).toHaveLength(HOSTS + 2);
  });

  describe('whose client takes nothing', () => {
    beforeAll(async () => {
      impatient = await startService({ EXPORT_STALL_SECONDS: '1' });
    });
    afterAll(() => impatient.close());

    it('is cut off after a while, and lets go of the database', async () => {
      const watcher = await Bystander.on(impatient.databaseUrl);
      const owner = await impatient.project();
      const { id } = await owner.region({ variables: { long: 'x'.repeat(LONG) } });
      for (let i = 0; i < HOSTS; i++) await owner.host({ region_id: id });
      const reader = await HesitantReader.of(owner, LARGE);
      await until('the connection is free again', 30, async () => (await exportsOn(watcher)).length === 0);
      await expect(reader.rest()).rejects.toMatchObject({ code: 'ECONNRESET' });
      await watcher.close();
    });
  });
});
