import { cleanUp } from '../embedded/processes';
import { signal } from '../../support/system-processes';
import { startServiceProcess, type ServiceProcess } from '../../support/service-process';
import { Caller } from '../../support/caller';
import { startDatabaseProxy, type DatabaseProxy } from '../../support/database-proxy';
import { ReadCounts } from '../../support/read-counts';
import {
  lockOnAllServers,
  startReplicated,
  untilReadWaits,
  type Replicated,
  type Standby,
} from '../../support/replicated';
import { until } from '../../support/until';
import { auditWrites } from './write-audit';
import { HealthWatch } from './health';
import { send } from './send';
import { Writer } from './writer';

jest.setTimeout(300_000);

const PASSWORD = 'not-a-secret';

describe('failover to a synchronous standby', () => {
  let servers: Replicated;
  let first: Standby;
  let second: Standby;
  let proxies: DatabaseProxy[];
  let service: ServiceProcess;
  let root: Caller;
  let environment: Record<string, string>;

  beforeAll(async () => {
    servers = await startReplicated(2, true);
    const [one, other] = servers.standbys;
    if (!one || !other) throw new Error('no standbys');
    [first, second] = [one, other];
    // The proxies give the servers TCP ports.
    const drop = () => Promise.resolve();
    proxies = [
      await startDatabaseProxy({ ...servers.database, drop }),
      await startDatabaseProxy({ name: 'first', url: first.server.url, drop }),
      await startDatabaseProxy({ name: 'second', url: second.server.url, drop }),
    ];
    const hosts = proxies.map(({ database }) => new URL(database.url).host).join(',');
    const of = (login: string) =>
      `postgresql://${login}@${hosts}/${servers.database.name}?target_session_attrs=read-write`;
    environment = {
      ...servers.environment,
      DATABASE_URL: of(`muster_app:${PASSWORD}`),
      DATABASE_OWNER_URL: of('postgres'),
      WORKERS: '1',
      LOG_LEVEL: 'silent',
    };
    service = startServiceProcess(environment);
    root = await service.root();
    // The first migration creates the role without LOGIN. The service's migration has set its password.
    const login =
      'SELECT rolcanlogin AS can, left(rolpassword, 14) AS password FROM pg_authid WHERE rolname =';
    expect(await servers.primary.rows(`${login} 'muster_app'`)).toEqual([
      { can: true, password: 'SCRAM-SHA-256$' },
    ]);
  });

  afterAll(async () => {
    await cleanUp();
    await Promise.all(proxies.map((proxy) => proxy.disconnect()));
    await servers.database.drop();
  });

  it('the service stops although a replica hangs', async () => {
    const other = startServiceProcess({ ...environment, SHUTDOWN_SECONDS: '1' });
    const caller = new Caller(await other.serving(), root.credentials);
    const replicas = new ReadCounts(caller.url);
    await until('both replicas are read from', 60, async () => (await replicas.used()) === 2);
    const release = await lockOnAllServers(servers, 'regions');
    const reads: Promise<unknown>[] = [];
    let hanging: number[] = [];
    try {
      hanging = await untilReadWaits(servers, () =>
        reads.push(send(caller, { method: 'GET', path: '/v1/regions' })),
      );
      // Only this backend hangs, so the service considers the server healthy.
      signal(hanging, 'SIGSTOP');
    } finally {
      await release();
    }
    try {
      other.kill('SIGTERM');
      expect(await other.ended).toBe(0);
      await Promise.all(reads);
    } finally {
      signal(hanging, 'SIGCONT');
    }
  });

  it('writes fail until the promotion, and no acknowledged write is lost', async () => {
    const replicas = new ReadCounts(root.url);
    await until('both replicas are read from', 60, async () => (await replicas.used()) === 2);
    const health = new HealthWatch(root);
    const writer = new Writer();
    await writer.start(root);
    await writer.untilAcknowledged(30);

    await servers.primary.die();
    const died = Date.now();
    await writer.untilUnavailable(1);
    const promoted = Date.now();
    await first.promote();
    await second.follow(first.server);
    await writer.untilAcknowledged(1);
    const resumed = Date.now();
    await writer.untilAcknowledged(30);
    await until('the other standby is read from', 60, async () => (await replicas.used()) === 1);
    await writer.stop();
    await health.end();
    expect(health.livenessFailures).toEqual([]);

    const { acknowledged, unknown, done } = await auditWrites(writer, root, environment);
    process.stdout.write(
      `failover: ${String(resumed - died)} ms without writes, ${String(promoted - died)} ms of them before the ` +
        `promotion; ${String(acknowledged)} writes were acknowledged and none was lost; of ${String(unknown)} without ` +
        `a response ${String(done)} were done\n`,
    );
    expect(service.running).toBe(true);
  });

  it('writes fail with 503 while the primary is read-only', async () => {
    const readOnly = async (value: 'on' | 'off') => {
      await first.server.rows(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
      await first.server.rows('SELECT pg_reload_conf()');
    };
    const write = async () => (await root.post('/v1/regions', { name: `r-${String(Math.random())}` })).status;
    const statuses = new Set<number>();
    await readOnly('on');
    await until('writes are refused', 60, async () => {
      const status = await write();
      statuses.add(status);
      return status === 503;
    });
    await readOnly('off');
    await until('writes succeed', 60, async () => {
      const status = await write();
      statuses.add(status);
      return status === 201;
    });
    expect([...statuses].filter((status) => status !== 201 && status !== 503)).toEqual([]);
  });

  it('the service switches from a hanging primary to the promoted standby', async () => {
    const statuses = new Set<number>();
    const writes = async () => {
      const { status } = await root.post('/v1/regions', { name: `s-${String(Math.random())}` });
      statuses.add(status);
      return status === 201;
    };
    await until('the other standby has followed', 60, async () => {
      const rows = await first.server.rows(`SELECT FROM pg_stat_replication WHERE state = 'streaming'`);
      return rows.length === 1;
    });
    const resume = first.server.suspend();
    try {
      await second.promote();
      await until('writes succeed', 90, writes);
    } finally {
      resume();
    }
    await root.post('/v1/labels', { label: 'resumed' }).expect(201);
    expect(await second.server.rows(`SELECT label FROM labels WHERE label = 'resumed'`)).toHaveLength(1);
    expect([...statuses].filter((status) => status !== 201 && status !== 503)).toEqual([]);
  });

  it('new connections stay on the promoted server when the former primary comes back', async () => {
    await servers.primary.startAgain();
    expect(await servers.primary.rows('SELECT pg_is_in_recovery() AS standby')).toEqual([{ standby: false }]);
    const connections = `FROM pg_stat_activity WHERE application_name = 'muster' AND state = 'idle'`;
    await second.server.rows(`SELECT pg_terminate_backend(pid, 60000) ${connections}`);
    await until('a label is written on a new connection', 60, async () => {
      const { status } = await root.post('/v1/labels', { label: 'after-the-return' });
      return status === 201;
    });
    const label = `SELECT label FROM labels WHERE label = 'after-the-return'`;
    expect(await second.server.rows(label)).toHaveLength(1);
  });
});
