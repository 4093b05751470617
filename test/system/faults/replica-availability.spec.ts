import { startService, type OwnService } from '../../support/service';
import { Caller, type Resource } from '../../support/caller';
import { sendRaw } from '../../support/http-exchange';
import { CONSISTENCY_TOKEN, ReadCounts, tokenOf } from '../../support/read-counts';
import {
  startForeignStandby,
  startReplicated,
  type Replicated,
  type Standby,
} from '../../support/replicated';
import { signal } from '../../support/system-processes';
import type { TestDatabase } from '../../support/test-database';
import { until } from '../../support/until';

// Servers are frozen, ended and started, and the machine may be busy.
jest.setTimeout(120_000);

describe('replicas that come and go', () => {
  let servers: Replicated;
  /** A standby of another cluster. It starts while the first tests run. */
  let foreign: Promise<TestDatabase>;
  /** An instance whose replicas are the primary, the foreign standby and `second`. */
  let misconfigured: Promise<OwnService>;
  /** The statuses of reads on connections that do not respond. Their timeout passes while the first tests run. */
  let silentReads: Promise<number[]>;
  let first: Standby;
  let second: Standby;
  let app: OwnService;
  let counts: ReadCounts;
  let admin: Caller;
  let region: Resource;
  let path: string;

  beforeAll(async () => {
    servers = await startReplicated(2);
    const [one, other] = servers.standbys;
    if (!one || !other) throw new Error('no replicas');
    [first, second] = [one, other];
    app = await startService({ ...servers.environment, DATABASE_REPLICA_LAG_SECONDS: '2' }, servers.database);
    counts = new ReadCounts(app.url);
    admin = await app.project();
    region = await admin.region();
    path = `/v1/regions/${String(region.id)}`;
    silentReads = readOnSilentConnections();
    foreign = startForeignStandby('muster_app');
    // The tests that use them report the errors.
    misconfigured = foreign.then(({ url }) =>
      app.startPeer({
        ...servers.environment,
        DATABASE_REPLICA_URLS: [servers.primary.url, url, second.server.url].join(','),
      }),
    );
    for (const started of [silentReads, misconfigured]) started.catch(() => undefined);
  });
  afterAll(async () => {
    await (await misconfigured).stop();
    await app.stop();
    await (await foreign).drop();
  });
  beforeEach(() => counts.replicasAreUsed(2));

  /** Reads from an instance whose connections to the replica are stopped, while the server responds on new ones. */
  const readOnSilentConnections = async (): Promise<number[]> => {
    const name = 'silent';
    const instance = await app.startPeer({
      ...servers.environment,
      DATABASE_REPLICA_URLS: `${second.server.url}&application_name=${name}`,
      STATEMENT_SECONDS: '1',
    });
    try {
      await new ReadCounts(instance.url).replicasAreUsed(1);
      const caller = new Caller(instance.url, admin.credentials);
      const read = () =>
        Promise.all([path, `${path}/variables?resolved-values=true`].map((one) => caller.get(one)));
      await read();
      const idle = await second.server.rows<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity
         WHERE application_name = '${name}' AND state = 'idle' AND query NOT LIKE '%pg_is_in_recovery%'`,
      );
      expect(idle.length).toBeGreaterThan(1);
      const pids = idle.map(({ pid }) => pid);
      signal(pids, 'SIGSTOP');
      try {
        return (await read()).map(({ status }) => status);
      } finally {
        signal(pids, 'SIGCONT');
      }
    } finally {
      await instance.stop();
    }
  };

  /** Reads all the while until it is so: whatever comes or goes meanwhile, every read is answered. */
  const reading = async (what: string, isSo: () => Promise<boolean>): Promise<void> => {
    await until(what, 60, async () => {
      await Promise.all(Array.from({ length: 4 }, () => admin.get(path).expect(200)));
      return isSo();
    });
  };

  const used = (count: number) => async () => (await counts.used()) === count;

  it('share what is read', async () => {
    const before = await counts.each();
    expect(before.size).toBe(3);
    await until('each has been read from', 60, async () => {
      await admin.get('/v1/regions').expect(200);
      const after = await counts.each();
      return [...after].every(([server, count]) => server === 'primary' || count > (before.get(server) ?? 0));
    });
  });

  it('that lag are left, and come back by themselves', async () => {
    await first.pause();
    // As long as nothing is written, it has all that there is.
    await admin.put(path, { note: 'written' }).expect(200);
    await reading('the one that lags is left', used(1));
    await first.resume();
    await reading('it has come back', used(2));
  });

  it('that lag, both of them, leave the primary, and nobody sees what is older than the bound', async () => {
    for (const standby of [first, second]) {
      await standby.catchUp();
      await standby.pause();
    }
    await admin.put(path, { note: 'for all to see' }).expect(200);
    await until('everybody sees it', 60, async () => {
      const { body } = await admin.get(path).expect(200);
      return (body as { note: string }).note === 'for all to see';
    });
    expect(await counts.used()).toBe(0);
    expect(await sendRaw(`${app.url}/readyz`)).toMatchObject({ status: 200 });
    for (const standby of [first, second]) await standby.resume();
  });

  it('a read with a token waits for one that is a moment behind', async () => {
    for (const standby of [first, second]) await standby.delay('50ms');
    try {
      await until('a replica has been waited for', 60, async () => {
        const [primary, replicas] = [await counts.of('primary'), await counts.of('replicas')];
        const written = await admin.put(path, { note: String(replicas) }).expect(200);
        const { body } = await admin.get(path, { [CONSISTENCY_TOKEN]: tokenOf(written) }).expect(200);
        expect(body).toMatchObject({ note: String(replicas) });
        return (await counts.of('replicas')) === replicas + 1 && (await counts.of('primary')) === primary;
      });
    } finally {
      for (const standby of [first, second]) await standby.delay('0');
    }
  });

  it('that end are left, and come back by themselves; whoever reads meanwhile is answered', async () => {
    const stopped = first.server.stop();
    await reading('the one that ended is left', used(1));
    await stopped;
    await first.server.startAgain();
    await reading('it has come back', used(2));
  });

  it('that cut their connections fail nobody', async () => {
    for (let i = 0; i < 10; i++)
      await Promise.all([
        ...Array.from({ length: 10 }, () => admin.get(`${path}/variables?resolved-values=true`).expect(200)),
        ...Array.from({ length: 10 }, () => admin.get('/v1/regions?limit=1').expect(200)),
        first.server.rows(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'muster'`,
        ),
      ]);
  });

  it('that do not answer any more are left, and nobody waits for long', async () => {
    const thaw = first.server.freeze();
    try {
      await reading('the one that is frozen is left', used(1));
    } finally {
      thaw();
    }
    await reading('it has come back', used(2));
  });

  it('that are away at the start are waited for by nobody, and are there until the last request is answered', async () => {
    await first.server.stop();
    const late = await app.startPeer(servers.environment);
    let closed: Promise<unknown> | undefined;
    try {
      const there = new ReadCounts(late.url);
      const caller = new Caller(late.url, admin.credentials);
      await caller.get(path).expect(200);
      await there.replicasAreUsed(1);
      await first.server.startAgain();
      await there.replicasAreUsed(2);

      await admin.host({ region_id: region.id });
      await caller.get('/v1/hosts').expect(200);
      // The standbys replay the lock. It blocks reads there, too.
      const release = await servers.primary.locked('devices');
      let answer: Promise<number> | undefined;
      try {
        for (const standby of [first, second]) await standby.catchUp();
        answer = caller.get('/v1/hosts').then(({ status }) => status);
        await until('a read waits on a replica', 60, async () => {
          const waiting = await Promise.all(
            [first, second].map(({ server }) =>
              server.rows(
                `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name = 'muster'`,
              ),
            ),
          );
          return waiting.flat().length > 0;
        });
        closed = late.stop();
        await until('the instance accepts no more requests', 60, async () =>
          sendRaw(`${late.url}/healthz`).then(
            () => false,
            () => true,
          ),
        );
      } finally {
        await release();
      }
      expect(await answer).toBe(200);
    } finally {
      await (closed ?? late.stop());
    }
  });

  it('that answer whether they are there, and not what is asked on old connections, are not waited for without end', async () => {
    expect(await silentReads).toEqual([200, 200]);
  });

  it('a server that is no replica is not read from: another cluster, or one that was promoted', async () => {
    const instance = await misconfigured;
    const counted = new ReadCounts(instance.url);
    await counted.replicasAreUsed(1);
    await until('the foreign standby is rejected', 60, () =>
      Promise.resolve(/another cluster/.test(JSON.stringify(instance.logLines()))),
    );
    await second.server.rows('SELECT pg_promote()');
    await reading('the one that was promoted is left', used(1));
    await counted.replicasAreUsed(0);
    await admin.put(path, { note: 'on the primary' }).expect(200);
    const { body } = await new Caller(instance.url, admin.credentials).get(path).expect(200);
    expect(body).toMatchObject({ note: 'on the primary' });
  });
});
