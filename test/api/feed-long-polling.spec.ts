import { startService, type OwnService } from '../support/service';
import { StatementRecorder } from '../support/statement-recorder';
import { SecondConnection } from '../support/second-connection';
import { Caller } from '../support/caller';
import { authHeaders } from '../support/http-exchange';
import { FEED_TIMEOUT, FeedReader } from '../support/feed-reader';
import { OpenTransaction } from '../support/open-transaction';
import type { ChangeRecord } from '../support/reverts';
import { until } from '../support/until';

jest.setTimeout(240_000);

/** Whoever waits for the feed, waits for as long as one may, unless something comes. */
const LONG = 60;

describe('those who wait for the feed', () => {
  let recorder: StatementRecorder;
  let app: OwnService;
  let secondConnection: SecondConnection;
  let admin: Caller;
  beforeAll(async () => {
    recorder = await StatementRecorder.create();
    app = await startService({}, recorder.database);
    secondConnection = await SecondConnection.connect(app.databaseUrl);
  });
  beforeEach(async () => {
    admin = await app.project();
  });
  afterAll(async () => {
    await secondConnection.close();
    await app.stop();
  });

  /** How often the service has read the feed: each read begins with this statement. */
  const looks = (): number =>
    recorder.sent.filter(({ text }) => text.includes('pg_current_snapshot()')).length;

  const untilLooked = async (): Promise<void> => {
    const before = looks();
    await until('it looks again and again', 60, async () => Promise.resolve(looks() >= before + 3));
  };

  /** A reader who has read all that there is, so that the next thing is what comes. */
  async function upToDate(caller: Caller): Promise<FeedReader> {
    const { body } = await caller.get('/v1/changes?limit=10000').expect(200);
    const reader = new FeedReader(caller);
    await until('all changes are read', FEED_TIMEOUT, async () => {
      await reader.on(1000);
      return reader.read.length >= (body as ChangeRecord[]).length;
    });
    return reader;
  }

  const pathOf = (reader: FeedReader, wait: number): string =>
    `/v1/changes/feed?wait=${String(wait)}&after=${reader.cursors.at(-1)?.cursor ?? ''}`;

  /** The user's path, as an admin sees it. */
  async function pathOfUser(by: Caller, user: Caller): Promise<string> {
    const { body } = await by.get(`/v1/users?username=${user.credentials.user}`).expect(200);
    return `/v1/users/${String((body as { id: number }[])[0]?.id)}`;
  }

  describe('as soon as they may not any more', () => {
    const ends: Record<string, (user: string) => Promise<unknown>> = {
      'whose key was replaced': (user) => admin.post(`${user}/api-key`).expect(201),
      'who were deleted': (user) => admin.delete(user).expect(204),
      'whose key was revoked by another process': (user) =>
        secondConnection.rows('UPDATE api_keys SET revoked_at = now() WHERE user_id = $1', [
          Number(user.split('/').at(-1)),
        ]),
    };

    it.each(Object.keys(ends))('refuses those %s', async (who) => {
      const user = await admin.user();
      const path = await pathOfUser(admin, user);
      const reader = await upToDate(user);
      const answer = (async () => user.get(pathOf(reader, LONG)))();
      await untilLooked();
      await ends[who]?.(path);
      expect((await answer).status).toBe(401);
    });

    it('answers those with nothing who saw other projects', async () => {
      const stranger = await app.project();
      const root = await app.root.user({ is_root: true });
      const path = await pathOfUser(app.root, root);
      const reader = await upToDate(root);
      // Holds the feed up, so that what comes and who sees it change at once.
      const open = await OpenTransaction.begin(app, admin.projectId);
      const waiting = reader.on(100, LONG);
      await untilLooked();
      await app.root.put(path, { is_root: false }).expect(200);
      await stranger.cloud();
      await open.end('ROLLBACK');
      expect(await waiting).toBe(0);
      await root.get(pathOf(reader, 0)).expect(400);
    });
  });

  describe('what became private meanwhile', () => {
    const settings = (hidden: readonly string[]) =>
      admin.put(`/v1/projects/${admin.projectId}/settings`, { private: hidden }).expect(200);

    async function expectHidden(user: Caller, hide: () => Promise<unknown>): Promise<void> {
      const reader = await upToDate(user);
      const before = reader.read.length;
      const open = await OpenTransaction.begin(app, admin.projectId);
      const waiting = reader.on(100, LONG);
      await untilLooked();
      await hide();
      await admin.host({ variables: { secret: 'sesame', open: 'door' } });
      await open.end('ROLLBACK');
      expect(await waiting).toBeGreaterThan(0);
      const { body } = await user.get('/v1/changes').expect(200);
      const all = body as ChangeRecord[];
      await until('the last is read', FEED_TIMEOUT, async () => {
        await reader.on();
        return reader.read.length >= all.length;
      });
      expect(reader.read.slice(before)).toEqual(all.slice(before));
      expect(JSON.stringify(reader.read)).toContain('door');
      expect(JSON.stringify(reader.read)).not.toContain('sesame');
    }

    it('is hidden from them', async () => {
      await expectHidden(await admin.user(), () => settings(['secret']));
    });

    it('is hidden from those whose role for it was withdrawn', async () => {
      await settings(['secret']);
      const user = await admin.user({ roles: ['secret'] });
      const path = await pathOfUser(admin, user);
      await expectHidden(user, () => admin.put(path, { roles: [] }).expect(200));
    });
  });

  it('look together, and each for itself only if there is something', async () => {
    const readers = 20;
    const seconds = 2;
    const reader = await upToDate(admin);
    const before = looks();
    const answers = await Promise.all(
      Array.from({ length: readers }, () => admin.get(pathOf(reader, seconds)).expect(200)),
    );
    for (const { body } of answers) expect((body as { changes: unknown[] }).changes).toEqual([]);
    // Each when it comes, when it begins to wait, and at the end; and one of all, five times a second.
    expect(looks() - before).toBeLessThanOrEqual(3 * readers + 5 * seconds + 2);
  });

  it('are all told of what comes, each from where it was', async () => {
    const first = await upToDate(admin);
    await admin.cloud();
    const second = await upToDate(admin);
    expect(await first.on()).toBe(1);
    const readers = [first, second, await upToDate(app.root)];
    const waiting = readers.map((reader) => reader.on(100, LONG));
    await untilLooked();
    await admin.cloud();
    expect(await Promise.all(waiting)).toEqual([1, 1, 1]);
    for (const reader of readers) expect(reader.ids.at(-1)).toBe(first.ids.at(-1));
  });

  describe('and have left', () => {
    /** Whether the service reads this project's changes: it does, again and again, while somebody waits for them. */
    const isLookedAt = (since = 0): boolean =>
      recorder.sent
        .slice(since)
        .some(({ values }) => values.some((value) => value?.includes(admin.projectId) === true));

    const untilForgotten = () =>
      until('nobody looks any more', 60, async () => {
        const elsewhere = await app.project();
        const reader = await upToDate(elsewhere);
        const before = recorder.sent.length;
        await reader.on(100, 1);
        return !isLookedAt(before);
      });

    const leaving = () => {
      const gone = new AbortController();
      const url = `${app.url}/v1/changes/feed?after=latest&wait=${String(LONG)}&project_id=${admin.projectId}`;
      const answer = fetch(url, { headers: authHeaders(app.root.credentials), signal: gone.signal });
      return async () => {
        gone.abort();
        await expect(answer).rejects.toThrow();
      };
    };

    it('are not waited for', async () => {
      const before = recorder.sent.length;
      const leave = leaving();
      await until('somebody waits', 60, async () => Promise.resolve(isLookedAt(before)));
      await leave();
      await untilForgotten();
    });

    it('are not waited for, though they left before they waited', async () => {
      const over = async (): Promise<number> => {
        const { text } = await app.root.get('/metrics').expect(200);
        const counted = text.matchAll(/_seconds_count\{[^}]*"\/v1\/changes\/feed"[^}]*\} (\d+)/g);
        return [...counted].reduce((sum, [, count]) => sum + Number(count), 0);
      };
      // Who knows the projects looks for them in the records.
      const release = await secondConnection.acquire({ text: 'LOCK TABLE changes', values: [] });
      const before = await over();
      const leave = leaving();
      await secondConnection.waiting(1);
      await leave();
      await until('the service has noticed', 60, async () => (await over()) > before);
      await release();
      await untilForgotten();
    });
  });

  it('are no more than may wait, and get an empty answer when the service ends', async () => {
    const instance = await app.startPeer({ FEED_WAITERS: '3' });
    const there = new Caller(instance.url, admin.credentials);
    const reader = await upToDate(there);
    const gone = new AbortController();
    const follow = () =>
      // The request below takes the last place now and then: whoever is refused retries.
      until('it waits', 60, async () => {
        const answer = await fetch(`${instance.url}${pathOf(reader, LONG)}`, {
          headers: authHeaders(admin.credentials),
          signal: gone.signal,
        });
        await answer.text();
        return answer.status !== 503;
      });
    const ended = Promise.allSettled(Array.from({ length: 3 }, follow));
    await until('no more may wait', 60, async () => {
      const { status, headers } = await there.get(pathOf(reader, 1));
      if (status === 503) expect(headers['retry-after']).toMatch(/^\d+$/);
      return status === 503;
    });
    // Whoever does not wait is answered as ever, and so is he for whom there is something.
    expect(await reader.on()).toBe(0);
    expect(await new FeedReader(there).on(100, LONG)).toBe(reader.read.length);
    gone.abort();
    await ended;
    await until('others may', 60, async () => (await there.get(pathOf(reader, 1))).status === 200);
    const waiting = reader.on(100, LONG);
    await untilLooked();
    await instance.stop();
    expect(await waiting).toBe(0);
  });
});
