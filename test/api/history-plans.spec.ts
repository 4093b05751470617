import { describeOnOneServer } from '../support/citus';
import type { Caller, Resource } from '../support/caller';
import { FEED_TIMEOUT, FeedReader, type FeedAnswer } from '../support/feed-reader';
import { RecordedService } from '../support/recorded-service';
import { lastChange } from '../support/reverts';
import { until } from '../support/until';

// A test of the feed may wait for it several times (see FEED_TIMEOUT).
jest.setTimeout(240_000);

let service: RecordedService;
let admin: Caller;
beforeAll(async () => {
  service = await RecordedService.start();
});
afterAll(() => service.stop());

const CHANGES = 30_000;
/** The rows of one page, the lookups for each of them, and an index scan over a few hundred objects. */
const MAX_ROWS_PER_PAGE = 1_500;

/** Adds $2 changes to the project $1, each of one of 5000 clouds. */
const FILL_CLOUDS = `
  WITH change AS (
    INSERT INTO changes (project_id, created_at, actor_username, request_id)
    SELECT $1, now(), 'loader', 'loading' FROM generate_series(1, $2::integer) RETURNING id
  )
  INSERT INTO change_objects (project_id, change_id, ordinal, kind, object_id, name, action, after)
  SELECT $1, id, 0, 'cloud', 1000000 + id % 5000, 'c', 'update', '{}' FROM change`;

/** Hosts that were deleted, with ids between those of the present ones. */
const DELETED_HOSTS = 30_000;
/** Per response, and fewer than there are records. */
const MAX_ROWS_PER_RESPONSE = 20_000;

/** One record for each device, before or after the requested change. */
const FILL_HOSTS = `
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

describeOnOneServer('it counts the rows that one server reads')('in a long history', () => {
  let cloud: Resource;
  beforeAll(async () => {
    admin = await service.app.project();
    cloud = await admin.cloud();
    await service.client.query(FILL_CLOUDS, [admin.projectId, CHANGES]);
    await admin.put(`/v1/clouds/${String(cloud.id)}`, { note: 'n' }).expect(200);
    await service.client.query('ANALYZE');
    await until('no transaction is older than the changes', FEED_TIMEOUT, areChangesDelivered);
  });

  /** Until then, the feed reads every change of the filling transaction: see FEED_TIMEOUT. */
  async function areChangesDelivered(): Promise<boolean> {
    const { rows } = await service.client.query<{ delivered: boolean }>(
      'SELECT max(transaction_id) < pg_snapshot_xmin(pg_current_snapshot()) AS delivered FROM changes WHERE project_id = $1',
      [admin.projectId],
    );
    return rows[0]?.delivered === true;
  }

  const expectOnePageRead = (work: () => Promise<unknown>): Promise<void> =>
    service.expectReads(/change/, MAX_ROWS_PER_PAGE, work);

  it.each(['?limit=1', '?limit=10', '?limit=10&sort_dir=desc', '?limit=10&key=a', '?limit=10&actor=nobody'])(
    'the changes of one resource are found by its own index: %s',
    async (query) => {
      const path = `/v1/clouds/${String(cloud.id)}/changes${query}`;
      await expectOnePageRead(() => admin.get(path).expect(200));
      await expectOnePageRead(() => service.app.root.get(path).expect(200));
    },
  );

  it('the changes of one resource among all changes, too', async () => {
    const id = String(cloud.id);
    for (const filter of [`resource=clouds/${id}`, `kind=cloud&object_id=${id}`])
      for (const caller of [admin, service.app.root]) {
        const path = `/v1/changes?${filter}&limit=10`;
        expect((await caller.get(path).expect(200)).body).toHaveLength(2);
        await expectOnePageRead(() => caller.get(path).expect(200));
      }
  });

  it('the changes of one resource are counted by its own index', async () => {
    const path = `/v1/changes/counts?resource=clouds/${String(cloud.id)}`;
    expect((await admin.get(path).expect(200)).body).toMatchObject({ changes: 2 });
    await expectOnePageRead(() => admin.get(path).expect(200));
  });

  it('the feed reads one page from its start, its middle and its end', async () => {
    for (const caller of [admin, service.app.root]) {
      const reader = new FeedReader(caller);
      await expectOnePageRead(() => reader.next());
      await expectOnePageRead(() => reader.on(100));
      const latest = new FeedReader(caller, 'latest');
      await expectOnePageRead(() => latest.on());
      await admin.cloud();
      await latest.next();
      await expectOnePageRead(() => latest.on());
    }
  });
});

describeOnOneServer('it counts the rows that one server reads')('the impact of an old change', () => {
  /** The feed cursor before the change. */
  let before: string;
  let change: number;
  let moved: Resource[];
  let stayed: Resource;
  beforeAll(async () => {
    admin = await service.app.project();
    const [region, elsewhere] = [await admin.region(), await admin.region()];
    const first = await admin.host({ region_id: region.id });
    await service.client.query(FILL_HOSTS, [admin.projectId, first.id, DELETED_HOSTS]);
    await service.client.query(`SELECT setval(pg_get_serial_sequence('devices', 'id'), $1)`, [
      first.id + DELETED_HOSTS,
    ]);
    ({ cursor: before } = (await admin.get('/v1/changes/feed?after=latest').expect(200)).body as FeedAnswer);
    const last = await admin.host({ region_id: region.id });
    stayed = await admin.host({ region_id: region.id });
    await admin.put(`/v1/regions/${String(region.id)}/variables`, { a: 1 }).expect(200);
    change = (await lastChange(admin)).id;
    moved = [first, last];
    for (const { id } of moved)
      await admin.put(`/v1/hosts/${String(id)}`, { region_id: elsewhere.id }).expect(200);
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

  async function expectAllDevices(): Promise<void> {
    const items = [...moved, stayed].map(
      ({ id }) => expect.objectContaining({ id, changes: { a: { after: 1 } } }) as unknown,
    );
    for (const limit of [1, 100]) expect((await pages(limit)).flatMap((page) => page.items)).toEqual(items);
  }

  it('is complete after a few later changes', async () => {
    await expectAllDevices();
  });

  describe('before many later changes', () => {
    beforeAll(async () => {
      await service.client.query(FILL_HOSTS, [admin.projectId, moved[0]?.id, DELETED_HOSTS]);
      await service.client.query('ANALYZE');
    });

    it('is complete, and each response reads a limited number of rows', async () => {
      await expectAllDevices();
      await service.expectReads(/change_objects/, MAX_ROWS_PER_RESPONSE, () =>
        admin.get(`/v1/changes/${String(change)}/impact`).expect(200),
      );
    });

    it('limits the number of changes per feed page to what one response can read', async () => {
      const feed = async (query: string) => {
        const { body } = await admin.get(`/v1/changes/feed?limit=1000&after=${before}${query}`).expect(200);
        return (body as FeedAnswer).changes.length;
      };
      await until('the feed delivers a full page', FEED_TIMEOUT, async () => (await feed('')) === 1_000);
      const resolved = await feed('&resolved=true');
      expect(resolved).toBeGreaterThan(0);
      expect(resolved).toBeLessThan(1_000);
    });
  });
});
