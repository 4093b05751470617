import { startService, type OwnService } from '../support/service';
import { Bystander } from '../support/bystander';
import type { Caller, Resource } from '../support/caller';
import { HesitantReader } from '../support/exported';
import { until } from '../support/until';

jest.setTimeout(120_000);

const PATH = '/v1/ansible-inventory';
/** So many hosts, with so many characters each, are more than lies between the service and a client that reads nothing. */
const HOSTS = 100;
const LONG = 600_000;

describe('an inventory that is sent for long', () => {
  let app: OwnService;
  let bystander: Bystander;
  let admin: Caller;
  let region: Resource;
  beforeAll(async () => {
    app = await startService({ DATABASE_POOL_SIZE: '10' });
    bystander = await Bystander.on(app.databaseUrl);
    admin = await app.project();
    region = await admin.region({ name: 'region', variables: { long: 'x'.repeat(LONG) } });
    for (let i = 0; i < HOSTS; i++) await admin.host({ region_id: region.id, labels: ['label'] });
  });
  afterAll(async () => {
    await bystander.close();
    await app.stop();
  });

  /** How many are being made: each keeps looking at one state of the database. */
  const madeNow = async (): Promise<number> =>
    (
      await bystander.rows(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'
           AND backend_xmin IS NOT NULL AND pid <> pg_backend_pid()`,
      )
    ).length;
  const untilMade = (count: number) =>
    until(`${String(count)} inventories are being made`, 30, async () => (await madeNow()) === count);

  afterEach(() => untilMade(0));

  const begin = () => HesitantReader.of(admin, '', PATH);

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
