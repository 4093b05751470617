import { join } from 'node:path';
import { admin, printed } from '../../support/admin';
import { cleanUp, temporaryFolder } from '../embedded/processes';
import { startServiceProcess } from '../../support/service-process';
import { Caller } from '../../support/caller';
import { FeedReader } from '../../support/feed-reader';
import { createTestDatabase } from '../../support/test-database';
import { until } from '../../support/until';
import { Writer } from './writer';

// The test starts several processes, and the machine may be busy.
jest.setTimeout(300_000);

afterEach(cleanUp);

const SECRETS_KEY = 'A'.repeat(43) + '=';

/** A copy of the writer's items. */
const snapshotOf = (writer: Writer) =>
  writer.items.map(({ collection, id, name, now }) => ({ collection, id, name, now }));

it('a backup under concurrent writes restores all writes that were acknowledged before it', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'backup');
  const database = await createTestDatabase();
  const settings = { WORKERS: '1', LOG_LEVEL: 'silent', SECRETS_KEY };
  const environment = { ...settings, DATABASE_URL: database.url };
  const service = startServiceProcess(environment);
  const root = await service.root();
  const { id: secret } = (await root.post('/v1/access-secrets', { cert: 'PEM' }).expect(201)).body as {
    id: number;
  };
  const region = await root.region({ variables: { ntp: 'before' } });
  const device = await root.host({ region_id: region.id });
  const devicePath = `/v1/hosts/${String(device.id)}`;

  const writer = new Writer();
  await writer.start(root);
  await writer.untilAcknowledged(20);
  const known = snapshotOf(writer);
  const acknowledged = writer.acknowledged;
  expect(await admin(['backup', file], environment)).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/keep a copy of SECRETS_KEY/),
  });
  // The backup did not block writes.
  expect(writer.acknowledged).toBeGreaterThan(acknowledged);
  await writer.untilAcknowledged(10);
  await writer.stop();
  expect({ wrong: writer.wrong, unknown: writer.unknown }).toEqual({ wrong: [], unknown: 0 });
  await root.put(`/v1/regions/${String(region.id)}/variables`, { ntp: 'after' }).expect(200);
  const late = await root.user({ is_admin: true });
  const reader = new FeedReader(root);
  await reader.toEnd();

  // From a server to a new data folder.
  const elsewhere = { ...settings, DATA_DIR: join(folder, 'elsewhere') };
  await printed(admin(['restore', file], elsewhere));

  const other = startServiceProcess(elsewhere);
  const there = new Caller(await other.serving(), root.credentials);
  await printed(admin(['verify'], elsewhere));
  expect((await there.get(`/v1/access-secrets/${String(secret)}`).expect(200)).body).toMatchObject({
    cert: 'PEM',
  });
  // The backup does not contain later changes.
  expect((await there.get(devicePath).expect(200)).body).toMatchObject({ variables: { ntp: 'before' } });
  await there.as(late.credentials).get('/v1/regions').expect(401);
  for (const { collection, id, name, now } of known) {
    const { status, body } = await there.get(`/v1/${collection}/${String(id)}`);
    // The backup may contain later changes of the item.
    if (status === 200) {
      expect(body).toMatchObject({ name });
      expect((body as { version: number }).version).toBeGreaterThanOrEqual(now.version);
    } else {
      const { body: changes } = await there.get(
        `/v1/changes?kind=${collection.slice(0, -1)}&object_id=${String(id)}`,
      );
      expect({
        name,
        status,
        isDeleted: now.isDeleted || JSON.stringify(changes).includes('delete'),
      }).toMatchObject({
        status: 404,
        isDeleted: true,
      });
    }
  }
  const made = await there.region({ name: 'made elsewhere' });
  const following = new FeedReader(there, reader.cursors.at(-1)!.cursor);
  await until('the feed returns the change', 60, async () => (await following.on()) > 0);
  expect(following.read).toHaveLength(1);
  expect(JSON.stringify(following.read)).toContain(made.name);
  other.kill('SIGTERM');
  expect(await other.ended).toBe(0);

  service.kill('SIGTERM');
  expect(await service.ended).toBe(0);
  await database.drop();
});
