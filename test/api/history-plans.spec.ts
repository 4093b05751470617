import { Client } from 'pg';
import { startService, type OwnService } from '../support/service';
import { StatementRecorder } from '../support/statement-recorder';
import type { Caller, Resource } from '../support/caller';
import { FeedReader } from '../support/feed-reader';
import { tuplesRead } from '../support/tuples-read';
import { until } from '../support/until';

jest.setTimeout(120_000);

const CHANGES = 30_000;
/** What a page shows, what is looked up for each of it, and the way through an index of a few hundred objects. */
const ABOUT_A_PAGE = 1_500;

/** Many changes of many clouds, as they would have come one by one. */
const FILL = `
  WITH change AS (
    INSERT INTO changes (project_id, created_at, actor_username, request_id)
    SELECT $1, now(), 'loader', 'loading' FROM generate_series(1, $2::integer) RETURNING id
  )
  INSERT INTO change_objects (project_id, change_id, ordinal, kind, object_id, name, action, after)
  SELECT $1, id, 0, 'cloud', 1000000 + id % 5000, 'c', 'update', '{}' FROM change`;

describe('in a long history', () => {
  let recorder: StatementRecorder;
  let app: OwnService;
  beforeAll(async () => {
    recorder = await StatementRecorder.create();
    app = await startService({}, recorder.database);
  });
  let client: Client;
  let admin: Caller;
  let cloud: Resource;
  beforeAll(async () => {
    client = new Client({ connectionString: app.databaseUrl });
    await client.connect();
    admin = await app.project();
    cloud = await admin.cloud();
    await client.query(FILL, [admin.projectId, CHANGES]);
    await admin.put(`/v1/clouds/${String(cloud.id)}`, { note: 'n' }).expect(200);
    await client.query('ANALYZE');
  });
  afterAll(async () => {
    await client.end();
    await app.stop();
  });

  async function expectAboutAPage(work: () => Promise<unknown>): Promise<void> {
    const reading = (await recorder.all(work)).filter(({ text }) => /change/.test(text));
    expect(reading.length).toBeGreaterThan(0);
    for (const statement of reading) {
      const read = await tuplesRead(client, statement);
      expect([statement.text, read < ABOUT_A_PAGE ? 'about a page' : read]).toEqual([
        statement.text,
        'about a page',
      ]);
    }
  }

  it.each(['?limit=1', '?limit=10', '?limit=10&sort_dir=desc', '?limit=10&key=a', '?limit=10&actor=nobody'])(
    'what touched one resource is found through its own index: %s',
    async (query) => {
      const path = `/v1/clouds/${String(cloud.id)}/changes${query}`;
      await expectAboutAPage(() => admin.get(path).expect(200));
      await expectAboutAPage(() => app.root.get(path).expect(200));
    },
  );

  it('and so it is among all changes', async () => {
    const id = String(cloud.id);
    for (const filter of [`resource=clouds/${id}`, `kind=cloud&object_id=${id}`])
      for (const caller of [admin, app.root]) {
        const path = `/v1/changes?${filter}&limit=10`;
        expect((await caller.get(path).expect(200)).body).toHaveLength(2);
        await expectAboutAPage(() => caller.get(path).expect(200));
      }
  });

  it('the feed reads a page from its beginning, from its middle and from its end', async () => {
    for (const caller of [admin, app.root]) {
      const reader = new FeedReader(caller);
      await until('something is read', 30, async () => (await reader.on(100)) > 0);
      await expectAboutAPage(() => reader.on(100));
      while ((await reader.on(1000)) > 0);
      await expectAboutAPage(() => reader.on(100));
      await admin.cloud();
      await until('the next is read', 30, async () => (await reader.on(100)) > 0);
      await expectAboutAPage(() => reader.on(100));
      const latest = new FeedReader(caller, 'latest');
      await expectAboutAPage(() => latest.on());
    }
  });
});
