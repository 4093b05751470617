import { startService, type OwnService } from '../../support/service';
import { Caller, type Resource } from '../../support/caller';
import { sendRaw } from '../../support/http-exchange';
import { CONSISTENCY_TOKEN, ReadCounts, tokenOf } from '../../support/read-counts';
import {
  lockOnAllServers,
  startForeignStandby,
  startReplicated,
  untilReadWaits,
  type Replicated,
  type Standby,
} from '../../support/replicated';
import { signal } from '../../support/system-processes';
import type { TestDatabase } from '../../support/test-database';
import { until } from '../../support/until';
import { testReadYourWrites } from './read-your-writes';

// Servers are suspended, ended and started, and the machine may be busy.
jest.setTimeout(180_000);

let servers: Replicated;
/** An instance that reads from both replicas. */
let app: OwnService;

beforeAll(async () => {
  servers = await startReplicated(2);
  app = await startService({ ...servers.environment, DATABASE_REPLICA_LAG_SECONDS: '2' }, servers.database);
});
afterAll(() => app.stop());

describe('replicas', () => {
  /** A standby of another cluster. It starts while the first tests run. */
  let foreign: Promise<TestDatabase>;
  /** An instance whose replicas are the primary, the foreign standby and `second`. */
  let misconfigured: Promise<OwnService>;
  /** The statuses of reads on connections that do not respond. Their timeout passes while the first tests run. */
  let silentReads: Promise<number[]>;
  let first: Standby;
  let second: Standby;
  let counts: ReadCounts;
  let admin: Caller;
  let region: Resource;
  let path: string;

  beforeAll(async () => {
    const [one, other] = servers.standbys;
    if (!one || !other) throw new Error('no replicas');
    [first, second] = [one, other];
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
      let pids: number[] = [];
      // Two reads share a connection if one ends before the other begins.
      await until('both reads have used a connection of their own', 30, async () => {
        await read();
        const idle = await second.server.rows<{ pid: number }>(
          `SELECT pid FROM pg_stat_activity
           WHERE application_name = '${name}' AND state = 'idle' AND query NOT LIKE '%pg_is_in_recovery%'`,
        );
        pids = idle.map(({ pid }) => pid);
        return pids.length > 1;
      });
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

  /** Reads until a condition holds, and expects every read to succeed. */
  const readUntil = async (what: string, isTrue: () => Promise<boolean>): Promise<void> => {
    await until(what, 60, async () => {
      await Promise.all(Array.from({ length: 4 }, () => admin.get(path).expect(200)));
      return isTrue();
    });
  };

  const used = (count: number) => async () => (await counts.used()) === count;

  it('share the reads', async () => {
    const before = await counts.each();
    expect(before.size).toBe(3);
    await until('each has been read from', 60, async () => {
      await admin.get('/v1/regions').expect(200);
      const after = await counts.each();
      return [...after].every(([server, count]) => server === 'primary' || count > (before.get(server) ?? 0));
    });
  });

  it('that lag get no reads until they have caught up', async () => {
    await first.pause();
    // Without this write, the paused replica would not lag.
    await admin.put(path, { note: 'written' }).expect(200);
    await readUntil('the lagging replica gets no reads', used(1));
    await first.resume();
    await readUntil('the replica gets reads', used(2));
  });

  it('that all lag leave reads to the primary, so that reads are never older than the limit', async () => {
    for (const standby of [first, second]) {
      await standby.catchUp();
      await standby.pause();
    }
    await admin.put(path, { note: 'for all to see' }).expect(200);
    await until('reads return the change', 60, async () => {
      const { body } = await admin.get(path).expect(200);
      return (body as { note: string }).note === 'for all to see';
    });
    await until('no replica is used', 60, used(0));
    expect(await sendRaw(`${app.url}/readyz`)).toMatchObject({ status: 200 });
    for (const standby of [first, second]) await standby.resume();
  });

  it('serve a read with a token after a short wait for the write', async () => {
    for (const standby of [first, second]) await standby.delay('50ms');
    try {
      await until('a replica has served the read', 60, async () => {
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

  it('that stop get no reads until they run again, and no read fails', async () => {
    const stopped = first.server.stop();
    await readUntil('the stopped replica gets no reads', used(1));
    await stopped;
    await first.server.startAgain();
    await readUntil('the restarted replica gets reads', used(2));
  });

  it('that close their connections fail no read', async () => {
    for (let i = 0; i < 4; i++)
      await Promise.all([
        ...Array.from({ length: 10 }, () => admin.get(`${path}/variables?resolved-values=true`).expect(200)),
        ...Array.from({ length: 10 }, () => admin.get('/v1/regions?limit=1').expect(200)),
        first.server.rows(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'muster'`,
        ),
      ]);
  });

  it('that hang get no reads, and reads wait only for a short time', async () => {
    const resume = first.server.suspend();
    try {
      await readUntil('the hanging replica gets no reads', used(1));
    } finally {
      resume();
    }
    await readUntil('the replica gets reads', used(2));
  });

  it('that are unreachable do not delay the start, and serve reads until the shutdown completes', async () => {
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
      const release = await lockOnAllServers(servers, 'devices');
      const statuses: Promise<number>[] = [];
      try {
        await untilReadWaits(servers, () =>
          statuses.push(caller.get('/v1/hosts').then(({ status }) => status)),
        );
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
      expect(new Set(await Promise.all(statuses))).toEqual(new Set([200]));
    } finally {
      await (closed ?? late.stop());
    }
  });

  it('that respond only on new connections do not block reads', async () => {
    expect(await silentReads).toEqual([200, 200]);
  });

  it('exclude servers of another cluster and promoted servers', async () => {
    const instance = await misconfigured;
    const counted = new ReadCounts(instance.url);
    await counted.replicasAreUsed(1);
    await until('the foreign standby is rejected', 60, () =>
      Promise.resolve(/another cluster/.test(JSON.stringify(instance.logLines()))),
    );
    await second.server.rows('SELECT pg_promote()');
    await readUntil('the promoted server gets no reads', used(1));
    await counted.replicasAreUsed(0);
    await admin.put(path, { note: 'on the primary' }).expect(200);
    const { body } = await new Caller(instance.url, admin.credentials).get(path).expect(200);
    expect(body).toMatchObject({ note: 'on the primary' });
  });
});

// They begin with one standby: the tests above have promoted the other one.
testReadYourWrites(
  () => servers,
  () => app,
);
