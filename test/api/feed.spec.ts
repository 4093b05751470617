import { admin as runAdmin, printed } from '../support/admin';
import { startService, type OwnService } from '../support/service';
import type { Caller } from '../support/caller';
import { query } from '../support/database';
import { FEED_TIMEOUT, FeedReader, type FeedAnswer } from '../support/feed-reader';
import { inParallel } from '../support/fleet';
import { OpenTransaction } from '../support/open-transaction';
import { Dice } from '../support/random-changes';
import { RandomInventory } from '../support/random-inventory';
import type { ChangeRecord } from '../support/reverts';
import { until } from '../support/until';

jest.setTimeout(240_000);

describe('the change feed', () => {
  let app: OwnService;
  beforeAll(async () => {
    // One of the tests restores a backup, which the feeds of all projects notice.
    app = await startService();
  });
  afterAll(() => app.stop());
  let admin: Caller;
  beforeEach(async () => {
    admin = await app.project();
  });
  /** Transactions of other databases on the same server also block the feed, so reading may need retries. */
  const readUntil = (reader: FeedReader, count: number, limit?: number): Promise<void> =>
    until(`${String(count)} changes are read`, FEED_TIMEOUT, async () => {
      await reader.on(limit);
      return reader.read.length >= count;
    });

  const idsInOrder = async (caller: Caller): Promise<number[]> => {
    const { body } = await caller.get(`/v1/changes?project_id=${caller.projectId}&limit=10000`).expect(200);
    return (body as ChangeRecord[]).map(({ id }) => id);
  };

  it('returns every change in order, like the list of changes', async () => {
    const { id } = await admin.host({ variables: { a: 1 }, labels: 'x' });
    await admin.put(`/v1/hosts/${String(id)}`, { note: 'n' }).expect(200);
    const reader = new FeedReader(admin);
    const { body } = await admin.get('/v1/changes').expect(200);
    await readUntil(reader, (body as unknown[]).length);
    expect(reader.read).toEqual(body);
    expect(await reader.on()).toBe(0);
    const response = await admin.get('/v1/changes/feed').expect(200);
    expect(response.headers['etag']).toBeUndefined();
  });

  it('continues from every cursor, page by page', async () => {
    for (let i = 0; i < 7; i++) await admin.cloud();
    const ids = await idsInOrder(admin);
    const reader = new FeedReader(admin);
    await readUntil(reader, ids.length, 2);
    expect(reader.ids).toEqual(ids);
    for (const { cursor, read } of reader.cursors) {
      const another = new FeedReader(admin, cursor);
      await readUntil(another, ids.length - read, 3);
      expect(another.ids).toEqual(ids.slice(read));
    }
  });

  it('starts at the present with after=latest', async () => {
    await admin.cloud();
    await readUntil(new FeedReader(admin), (await idsInOrder(admin)).length);
    const reader = new FeedReader(admin, 'latest');
    await reader.on();
    expect(reader.ids).toEqual([]);
    await admin.cloud();
    await readUntil(reader, 1);
    expect(reader.ids).toEqual((await idsInOrder(admin)).slice(-1));
  });

  describe('without new changes', () => {
    it('waits for the next change', async () => {
      // The feed may deliver a change slightly later than the list does.
      await readUntil(new FeedReader(admin), (await idsInOrder(admin)).length);
      const reader = new FeedReader(admin, 'latest');
      await reader.on();
      const waiting = reader.on(100, 60);
      await admin.cloud();
      expect(await waiting).toBe(1);
    });

    it('returns an empty page after the timeout', async () => {
      await readUntil(new FeedReader(admin), (await idsInOrder(admin)).length);
      const reader = new FeedReader(admin, 'latest');
      await reader.on();
      expect(await reader.on(100, 1)).toBe(0);
    });
  });

  describe('if transactions commit in another order than that of their ids', () => {
    it('holds back a change while an earlier one may still commit', async () => {
      const reader = new FeedReader(admin);
      await readUntil(reader, (await idsInOrder(admin)).length);
      const before = reader.read.length;
      const slow = await OpenTransaction.begin(app, admin.projectId);
      const fast = await OpenTransaction.begin(app, admin.projectId);
      const [first, second] = [await slow.record(), await fast.record()];
      await fast.end();
      await reader.on();
      expect(reader.read).toHaveLength(before);
      await slow.end();
      await readUntil(reader, before + 2);
      expect(reader.ids.slice(before)).toEqual([first, second]);
    });

    it('delivers a late change once, although its id is lower', async () => {
      const reader = new FeedReader(admin);
      const before = (await idsInOrder(admin)).length;
      await readUntil(reader, before);
      const old = await OpenTransaction.begin(app, admin.projectId);
      const young = await OpenTransaction.begin(app, admin.projectId);
      const [lesser, greater] = [await young.record(), await old.record()];
      await old.end();
      // All transactions older than this one have ended, so its record is final.
      await readUntil(reader, before + 1);
      expect(reader.ids.slice(before)).toEqual([greater]);
      await young.end();
      await readUntil(reader, before + 2);
      expect(reader.ids.slice(before)).toEqual([greater, lesser]);
      expect(await reader.on()).toBe(0);
      for (const { cursor, read } of reader.cursors) {
        const another = new FeedReader(admin, cursor);
        await readUntil(another, before + 2 - read);
        expect([...reader.ids.slice(0, read), ...another.ids].sort()).toEqual([...reader.ids].sort());
      }
    });

    it('delivers no change before one that it may depend on', async () => {
      const reader = new FeedReader(admin);
      const before = (await idsInOrder(admin)).length;
      await readUntil(reader, before);
      const early = await OpenTransaction.begin(app, admin.projectId);
      const open = await OpenTransaction.begin(app, admin.projectId);
      const late = await OpenTransaction.begin(app, admin.projectId);
      const cause = await late.record();
      await late.end();
      // Began first, but drew its change id later, as if it had waited for the other transaction.
      const effect = await early.record();
      await early.end();
      await reader.on();
      expect(reader.read).toHaveLength(before);
      await open.end('ROLLBACK');
      await readUntil(reader, before + 2);
      expect(reader.ids.slice(before)).toEqual([cause, effect]);
    });

    it('never delivers changes that were rolled back', async () => {
      const reader = new FeedReader(admin);
      const before = (await idsInOrder(admin)).length;
      const writer = await OpenTransaction.begin(app, admin.projectId);
      const never = await writer.record();
      await writer.end('ROLLBACK');
      await admin.cloud();
      await readUntil(reader, before + 1);
      expect(reader.ids).toHaveLength(before + 1);
      expect(reader.ids).not.toContain(never);
    });
  });

  it('delivers every change once to readers that pause and resume during random writes', async () => {
    const inventory = new RandomInventory(admin);
    await inventory.grow();
    let writing = true;
    const services = [1, 2, 3].map(async (i) => {
      const random = new RandomInventory(admin, inventory.seed + i);
      for (let round = 0; round < 8; round++) await random.change();
    });
    const others = [1, 2, 3].map(async (n) => {
      const dice = new Dice(inventory.seed + 10 + n);
      for (let round = 0; round < 5; round++) {
        const writers = await Promise.all([1, 2, 3].map(() => OpenTransaction.begin(app, admin.projectId)));
        await inParallel(writers, async (writer) => {
          const count = dice.below(3);
          for (let i = 0; i <= count; i++) await writer.record();
          await writer.end(dice.below(10) < 8 ? 'COMMIT' : 'ROLLBACK');
        });
      }
    });
    const ofProject = `&project_id=${admin.projectId}`;
    const readers = [
      new FeedReader(admin),
      new FeedReader(admin),
      new FeedReader(app.root, undefined, ofProject),
    ];
    const reading = readers.map(async (reader, n) => {
      const dice = new Dice(inventory.seed + 20 + n);
      while (writing) await reader.on(1 + dice.below(20));
    });
    await Promise.all([...services, ...others]);
    writing = false;
    await Promise.all(reading);
    const ids = await idsInOrder(admin);
    for (const reader of readers) {
      await readUntil(reader, ids.length);
      expect(await reader.on()).toBe(0);
      expect(reader.ids.toSorted((a, b) => a - b)).toEqual(ids);
      expectOrderOfObjects(reader.read);
      for (const { cursor, read } of reader.cursors.filter((_, i) => i % 10 === 0)) {
        const another = new FeedReader(admin, cursor);
        await readUntil(another, ids.length - read, 50);
        const whole = [...reader.read.slice(0, read), ...another.read];
        expect(whole.map(({ id }) => id).sort((a, b) => a - b)).toEqual(ids);
        expectOrderOfObjects(whole);
      }
    }
  });

  /** Checks that changes of one resource are in version order. Records without a version are skipped. */
  function expectOrderOfObjects(records: readonly ChangeRecord[]): void {
    const versions = new Map<string, number>();
    for (const { objects } of records)
      for (const { kind, id, before, after } of objects) {
        const version = Number((after ?? before)?.['version'] ?? Number.NaN);
        if (Number.isNaN(version)) continue;
        const resource = `${kind} ${String(id)}`;
        expect(version).toBeGreaterThanOrEqual(versions.get(resource) ?? 0);
        versions.set(resource, version);
      }
  }

  describe('after a restore into another cluster', () => {
    const AHEAD = 7_000_000_000n;

    /** Simulates records of a cluster whose transaction ids are far ahead of this one. */
    const restore = () =>
      query(
        app,
        `UPDATE changes SET transaction_id = (transaction_id::text::bigint + $2)::text::xid8 WHERE project_id = $1`,
        [admin.projectId, String(AHEAD)],
      );

    const migrate = () => printed(runAdmin(['migrate'], { DATABASE_URL: app.databaseUrl }));

    /** The cursor as that cluster would have issued it. */
    function cursorOfCluster(cursor: string): string {
      const parts = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
      const ofCluster = parts.map((part, i) =>
        [3, 6].includes(i) && part !== '0' ? String(BigInt(String(part)) + AHEAD) : part,
      );
      return Buffer.from(JSON.stringify(ofCluster)).toString('base64url');
    }

    it('resumes at its cursors, including late changes', async () => {
      for (let i = 0; i < 4; i++) await admin.cloud();
      const reader = new FeedReader(admin);
      const before = (await idsInOrder(admin)).length;
      await readUntil(reader, before, 3);
      const old = await OpenTransaction.begin(app, admin.projectId);
      const young = await OpenTransaction.begin(app, admin.projectId);
      await young.record();
      await old.record();
      await old.end();
      await readUntil(reader, before + 1);
      await young.end();
      await restore();
      // On this cluster, such transaction ids are in the future.
      expect(await new FeedReader(admin).on()).toBe(0);
      await migrate();
      await admin.cloud();
      const ids = await idsInOrder(admin);
      for (const { cursor, read } of [{ cursor: undefined, read: 0 }, ...reader.cursors]) {
        const another = new FeedReader(admin, cursor === undefined ? cursor : cursorOfCluster(cursor));
        await readUntil(another, ids.length - read, 2);
        const whole = [...reader.ids.slice(0, read), ...another.ids];
        expect(whole.toSorted((one, other) => one - other)).toEqual(ids);
        expect(await another.on()).toBe(0);
        for (const later of another.cursors) {
          const rest = new FeedReader(admin, later.cursor);
          await readUntil(rest, another.read.length - later.read);
          expect([...another.ids.slice(0, later.read), ...rest.ids].toSorted()).toEqual(
            another.ids.toSorted(),
          );
        }
      }
      // A restore is recorded only once.
      await migrate();
      expect(await query(app, 'SELECT FROM feed_restorations')).toHaveLength(1);
    });
  });

  it('covers one project, or all projects for root', async () => {
    const stranger = await app.project();
    await stranger.cloud();
    await admin.cloud();
    const ids = await idsInOrder(admin);
    const reader = new FeedReader(admin);
    await readUntil(reader, ids.length);
    expect(reader.ids).toEqual(ids);
    const theirs = await idsInOrder(stranger);
    const root = new FeedReader(app.root);
    await until('both are read', FEED_TIMEOUT, async () => {
      await root.on(1000);
      return [...ids, ...theirs].every((id) => root.ids.includes(id));
    });
    const narrowed = new FeedReader(app.root, undefined, `&project_id=${stranger.projectId}`);
    await readUntil(narrowed, theirs.length);
    expect(narrowed.ids).toEqual(theirs);
    await admin.get(`/v1/changes/feed?project_id=${admin.projectId}`).expect(200);
    await admin.get(`/v1/changes/feed?project_id=${stranger.projectId}`).expect(404);
    for (const { cursor } of [...root.cursors, ...narrowed.cursors])
      await admin.get(`/v1/changes/feed?after=${cursor}`).expect(400);
  });

  it('contains no private variables', async () => {
    await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: ['secret'] }).expect(200);
    await admin.host({ variables: { secret: 'sesame', open: 1 } });
    const user = await admin.user();
    const reader = new FeedReader(user);
    await readUntil(reader, (await idsInOrder(user)).length);
    expect(reader.read).toEqual((await user.get('/v1/changes').expect(200)).body);
    expect(JSON.stringify(reader.read)).not.toContain('sesame');
    expect(JSON.stringify(reader.read)).toContain('open');
  });

  it.each([
    'after=none',
    'after=',
    `after=${Buffer.from('[1,"x"]').toString('base64url')}`,
    'wait=61',
    'wait=-1',
    'wait=1.5',
    'wait=',
    'limit=0',
    'limit=1001',
    'resolved=yes',
    'project_id=none',
    'wait=1&wait=2',
    'marker=1',
  ])('refuses %s', async (parameters) => {
    const response = await admin.get(`/v1/changes/feed?${parameters}`).expect(400);
    expect((response.body as FeedAnswer & { code: string }).code).toBe('invalid_request');
  });
});
