import { Client } from 'pg';
import { startService, type OwnService } from '../support/service';
import { StatementRecorder } from '../support/statement-recorder';
import type { Caller, Resource } from '../support/caller';
import { lastChange } from '../support/reverts';
import { tuplesRead } from '../support/tuples-read';

jest.setTimeout(120_000);

/** Devices that were once, between those that are. */
const GONE = 30_000;
/** What is read for as many devices as are gone through at a time; less than there are records. */
const A_STRETCH = 20_000;

/** As many records of devices, each of one; before or after the change of which is asked. */
const FILL = `
  WITH change AS (
    INSERT INTO changes (project_id, created_at, actor_username, request_id)
    SELECT $1, now(), 'loader', 'loading' FROM generate_series(1, $3::integer) RETURNING id
  )
  INSERT INTO change_objects (project_id, change_id, ordinal, kind, object_id, name, action, after)
  SELECT $1, id, 0, 'host', $2 + row_number() OVER (ORDER BY id), 'h', 'update', '{"region_id": 0}' FROM change`;

interface Page {
  readonly items: readonly { readonly id: number; readonly changes: unknown }[];
  readonly links: readonly { readonly href: string }[];
}

describe('what a change did long ago', () => {
  let recorder: StatementRecorder;
  let app: OwnService;
  beforeAll(async () => {
    recorder = await StatementRecorder.create();
    app = await startService({}, recorder.database);
  });
  let client: Client;
  let admin: Caller;
  let change: number;
  let moved: Resource[];
  let stayed: Resource;
  beforeAll(async () => {
    client = new Client({ connectionString: app.databaseUrl });
    await client.connect();
    admin = await app.project();
    const [region, elsewhere] = [await admin.region(), await admin.region()];
    const first = await admin.host({ region_id: region.id });
    await client.query(FILL, [admin.projectId, first.id, GONE]);
    await client.query(`ALTER TABLE devices ALTER COLUMN id RESTART WITH ${String(first.id + GONE + 1)}`);
    const last = await admin.host({ region_id: region.id });
    stayed = await admin.host({ region_id: region.id });
    await admin.put(`/v1/regions/${String(region.id)}/variables`, { a: 1 }).expect(200);
    change = (await lastChange(admin)).id;
    moved = [first, last];
    for (const { id } of moved)
      await admin.put(`/v1/hosts/${String(id)}`, { region_id: elsewhere.id }).expect(200);
  });
  afterAll(async () => {
    await client.end();
    await app.stop();
  });

  async function pages(limit: number): Promise<Page[]> {
    const found: Page[] = [];
    let path: string | undefined = `/v1/changes/${String(change)}/impact?limit=${String(limit)}`;
    while (path !== undefined) {
      const page = (await admin.get(path).expect(200)).body as Page;
      found.push(page);
      path = page.links[0]?.href.replace(admin.url, '');
    }
    return found;
  }

  async function expectThemAll(): Promise<void> {
    const items = [...moved, stayed].map(
      ({ id }) => expect.objectContaining({ id, changes: { a: { after: 1 } } }) as unknown,
    );
    for (const limit of [1, 100]) expect((await pages(limit)).flatMap((page) => page.items)).toEqual(items);
  }

  it('is told where little happened since', async () => {
    await expectThemAll();
  });

  it('is told where very much happened since, and each answer looks at no more than so much', async () => {
    await client.query(FILL, [admin.projectId, moved[0]?.id, GONE]);
    await client.query('ANALYZE');
    await expectThemAll();
    const asked = await recorder.during(admin.projectId, () =>
      admin.get(`/v1/changes/${String(change)}/impact`).expect(200),
    );
    for (const statement of asked.filter(({ text }) => text.includes('change_objects'))) {
      const read = await tuplesRead(client, statement);
      expect([statement.text, read < A_STRETCH ? 'a stretch' : read]).toEqual([statement.text, 'a stretch']);
    }
  });

  it('is not told of more changes at once than an answer can look at', async () => {
    const { body } = await admin.get('/v1/changes/feed?resolved=true&limit=1000').expect(200);
    const { changes } = body as { changes: readonly unknown[] };
    expect(changes.length).toBeGreaterThan(0);
    expect(changes.length).toBeLessThan(1000);
  });
});
