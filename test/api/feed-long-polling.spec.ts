import { startService, type OwnService } from '../support/service';
import { StatementRecorder } from '../support/statement-recorder';
import { SecondConnection } from '../support/second-connection';
import type { Caller } from '../support/caller';
import { Browser } from '../support/browser';
import { authHeaders } from '../support/http-exchange';
import { FEED_TIMEOUT, FeedReader } from '../support/feed-reader';
import { OpenTransaction } from '../support/open-transaction';
import type { ChangeRecord } from '../support/reverts';
import { until } from '../support/until';

jest.setTimeout(240_000);

/** The longest wait (s) that the feed accepts. */
const MAX_WAIT = 60;
/** The requests that may wait at the same time. */
const WAITERS = 20;

describe('clients that wait for the feed', () => {
  let recorder: StatementRecorder;
  let app: OwnService;
  let secondConnection: SecondConnection;
  let admin: Caller;
  beforeAll(async () => {
    recorder = await StatementRecorder.create();
    app = await startService({ FEED_WAITERS: String(WAITERS) }, recorder.database);
    secondConnection = await SecondConnection.connect(app.databaseUrl);
  });
  beforeEach(async () => {
    admin = await app.project();
  });
  afterAll(async () => {
    await secondConnection.close();
    await app.stop();
  });

  /** How often the service has read the feed. Each read begins with this statement. */
  const feedReads = (): number =>
    recorder.sent.filter(({ text }) => text.includes('pg_current_snapshot()')).length;

  const untilPolling = async (): Promise<void> => {
    const before = feedReads();
    await until('the service polls the feed', 60, async () => Promise.resolve(feedReads() >= before + 3));
  };

  /** Returns a reader that has read all changes, so that it waits for the next one. */
  async function readToEnd(caller: Caller): Promise<FeedReader> {
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

  /** The path of the user. */
  async function pathOfUser(by: Caller, user: Caller): Promise<string> {
    const { body } = await by.get(`/v1/users?username=${user.credentials.user}`).expect(200);
    return `/v1/users/${String((body as { id: number }[])[0]?.id)}`;
  }

  describe('that lose access while they wait', () => {
    const revocations: Record<string, (user: string) => Promise<unknown>> = {
      'after their key was replaced': (user) => admin.post(`${user}/api-key`).expect(201),
      'after they were deleted': (user) => admin.delete(user).expect(204),
      // This service has no other process, which would have to be started for this.
      'after their key was revoked by another process': (user) =>
        secondConnection.rows('UPDATE api_keys SET revoked_at = now() WHERE user_id = $1', [
          Number(user.split('/').at(-1)),
        ]),
    };

    it.each(Object.keys(revocations))('get 401 %s', async (revocation) => {
      const user = await admin.user();
      const path = await pathOfUser(admin, user);
      const reader = await readToEnd(user);
      // Blocks the feed: within the documented delay, the reader could get the change that revokes its access.
      const open = await OpenTransaction.begin(app, admin.projectId);
      const response = (async () => user.get(pathOf(reader, MAX_WAIT)))();
      await untilPolling();
      await revocations[revocation]?.(path);
      expect((await response).status).toBe(401);
      await open.end('ROLLBACK');
    });

    it('get no changes of other projects after they lose root access', async () => {
      const stranger = await app.project();
      const root = await app.root.user({ is_root: true });
      const path = await pathOfUser(app.root, root);
      const reader = await readToEnd(root);
      // Blocks the feed, so that the change and the loss of access take effect together.
      const open = await OpenTransaction.begin(app, admin.projectId);
      const waiting = reader.on(100, MAX_WAIT);
      await untilPolling();
      await app.root.put(path, { is_root: false }).expect(200);
      await stranger.cloud();
      await open.end('ROLLBACK');
      expect(await waiting).toBe(0);
      await root.get(pathOf(reader, 0)).expect(400);
    });

    it('get 409 if their session cannot enter the project of the request any more', async () => {
      const root = await app.root.user({ is_root: true });
      const path = await pathOfUser(app.root, root);
      const reader = await readToEnd(root);
      const browser = await Browser.signIn(root);
      const open = await OpenTransaction.begin(app, admin.projectId);
      const waiting = browser.get(pathOf(reader, MAX_WAIT), { 'X-Auth-Project': admin.projectId });
      await untilPolling();
      await app.root.put(path, { is_root: false }).expect(200);
      // Not the feed of the project that the session has entered.
      expect(await waiting).toMatchObject({ status: 409, body: { details: [{ field: 'X-Auth-Project' }] } });
      await open.end('ROLLBACK');
    });
  });

  describe('get no variables', () => {
    const settings = (hidden: readonly string[]) =>
      admin.put(`/v1/projects/${admin.projectId}/settings`, { private: hidden }).expect(200);

    async function expectHidden(user: Caller, hide: () => Promise<unknown>): Promise<void> {
      const reader = await readToEnd(user);
      const before = reader.read.length;
      const open = await OpenTransaction.begin(app, admin.projectId);
      const waiting = reader.on(100, MAX_WAIT);
      await untilPolling();
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

    it('that become private', async () => {
      await expectHidden(await admin.user(), () => settings(['secret']));
    });

    it('that their role no longer includes', async () => {
      await settings(['secret']);
      const user = await admin.user({ roles: ['secret'] });
      const path = await pathOfUser(admin, user);
      await expectHidden(user, () => admin.put(path, { roles: [] }).expect(200));
    });
  });

  it('share one poll, and read individually only if there are changes', async () => {
    const readers = WAITERS;
    const seconds = 2;
    const reader = await readToEnd(admin);
    const before = feedReads();
    const began = Date.now();
    const responses = await Promise.all(
      Array.from({ length: readers }, () => admin.get(pathOf(reader, seconds)).expect(200)),
    );
    for (const { body } of responses) expect((body as { changes: unknown[] }).changes).toEqual([]);
    // On a busy machine, the requests do not begin at the same time.
    const elapsed = (Date.now() - began) / 1000;
    // Three reads per request, and one shared poll five times a second.
    expect(feedReads() - before).toBeLessThanOrEqual(3 * readers + 5 * elapsed + 2);
  });

  it('all get a new change, each from its own cursor', async () => {
    const first = await readToEnd(admin);
    await admin.cloud();
    const second = await readToEnd(admin);
    expect(await first.on()).toBe(1);
    const readers = [first, second, await readToEnd(app.root)];
    const waiting = readers.map((reader) => reader.on(100, MAX_WAIT));
    await untilPolling();
    await admin.cloud();
    expect(await Promise.all(waiting)).toEqual([1, 1, 1]);
    for (const reader of readers) expect(reader.ids.at(-1)).toBe(first.ids.at(-1));
  });

  describe('that disconnect', () => {
    /** Whether the service reads this project's changes, which it polls while a client waits for them. */
    const isPolled = (since = 0): boolean =>
      recorder.sent
        .slice(since)
        .some(({ values }) => values.some((value) => value?.includes(admin.projectId) === true));

    const untilNotPolled = () =>
      until('the service stops polling', 60, async () => {
        const elsewhere = await app.project();
        const reader = await readToEnd(elsewhere);
        const before = recorder.sent.length;
        await reader.on(100, 1);
        return !isPolled(before);
      });

    const openRequest = () => {
      const controller = new AbortController();
      const url = `${app.url}/v1/changes/feed?after=latest&wait=${String(MAX_WAIT)}&project_id=${admin.projectId}`;
      const response = fetch(url, { headers: authHeaders(app.root.credentials), signal: controller.signal });
      return async () => {
        controller.abort();
        await expect(response).rejects.toThrow();
      };
    };

    it('stop the polling', async () => {
      const before = recorder.sent.length;
      const disconnect = openRequest();
      await until('the service polls', 60, async () => Promise.resolve(isPolled(before)));
      await disconnect();
      await untilNotPolled();
    });

    it('stop the polling, also if they disconnect before it starts', async () => {
      const completedRequests = async (): Promise<number> => {
        const { text } = await app.root.get('/metrics').expect(200);
        const counted = text.matchAll(/_seconds_count\{[^}]*"\/v1\/changes\/feed"[^}]*\} (\d+)/g);
        return [...counted].reduce((sum, [, count]) => sum + Number(count), 0);
      };
      // Looking up root's projects reads the change records.
      const release = await secondConnection.acquire({ text: 'LOCK TABLE changes', values: [] });
      const before = await completedRequests();
      const disconnect = openRequest();
      await secondConnection.waiting(1);
      await disconnect();
      await until('the service notices the disconnect', 60, async () => (await completedRequests()) > before);
      await release();
      await untilNotPolled();
    });
  });

  // The last test: it ends the service.
  it('have a maximum number, and get an empty response on shutdown', async () => {
    const reader = await readToEnd(admin);
    const controller = new AbortController();
    const follow = () =>
      // The request below sometimes takes the last slot, so a rejected request retries.
      until('the request waits', 60, async () => {
        const response = await fetch(`${app.url}${pathOf(reader, MAX_WAIT)}`, {
          headers: authHeaders(admin.credentials),
          signal: controller.signal,
        });
        await response.text();
        return response.status !== 503;
      });
    const ended = Promise.allSettled(Array.from({ length: WAITERS }, follow));
    await until('the limit is reached', 60, async () => {
      const { status, headers } = await admin.get(pathOf(reader, 1));
      if (status === 503) expect(headers['retry-after']).toMatch(/^\d+$/);
      return status === 503;
    });
    // A request that does not wait, or for which changes exist, is not limited.
    expect(await reader.on()).toBe(0);
    expect(await new FeedReader(admin).on(100, MAX_WAIT)).toBe(reader.read.length);
    controller.abort();
    await ended;
    await until(
      'other requests may wait',
      60,
      async () => (await admin.get(pathOf(reader, 1))).status === 200,
    );
    const waiting = reader.on(100, MAX_WAIT);
    await untilPolling();
    await app.exit();
    expect(await waiting).toBe(0);
  });
});
