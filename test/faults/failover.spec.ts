import { cleanUp } from '../embedded/processes';
import { startService, type Service } from '../processes/service';
import { Caller } from '../support/caller';
import { gateBefore, type DatabaseGate } from '../support/database-gate';
import { ReadCounts } from '../support/read-counts';
import { startReplicated, type Replicated, type Standby } from '../support/replicated';
import { until } from '../support/until';
import { agreement } from './account';
import { HealthWatch } from './health';
import { Writer } from './writer';

jest.setTimeout(300_000);

describe('a primary that dies, and a synchronous standby that takes its place', () => {
  let servers: Replicated;
  let first: Standby;
  let second: Standby;
  let gates: DatabaseGate[];
  let service: Service;
  let root: Caller;
  let environment: Record<string, string>;

  beforeAll(async () => {
    servers = await startReplicated(2, true);
    const [one, other] = servers.standbys;
    if (!one || !other) throw new Error('no standbys');
    [first, second] = [one, other];
    // So that they have ports, as servers on a network do.
    const drop = () => Promise.resolve();
    gates = [
      await gateBefore({ ...servers.database, drop }),
      await gateBefore({ name: 'standby', url: first.server.url, drop }),
    ];
    const hosts = gates.map(({ database }) => new URL(database.url).host).join(',');
    const of = (login: string) =>
      `postgresql://${login}@${hosts}/${servers.database.name}?target_session_attrs=read-write`;
    await servers.primary.rows('ALTER ROLE muster_app LOGIN');
    environment = {
      ...servers.environment,
      DATABASE_URL: of('muster_app'),
      DATABASE_OWNER_URL: of('postgres'),
      WORKERS: '1',
      LOG_LEVEL: 'silent',
    };
    service = startService(environment);
    root = await service.root();
  });

  afterAll(async () => {
    await cleanUp();
    await Promise.all(gates.map((gate) => gate.shut()));
    await servers.database.drop();
  });

  it('costs a time without writes, and nothing that was acknowledged', async () => {
    const replicas = new ReadCounts(root.url);
    await until('both replicas are read from', 60, async () => (await replicas.used()) === 2);
    const health = new HealthWatch(root);
    const writer = new Writer();
    await writer.start(root);
    await writer.acknowledges(100);

    await servers.primary.die();
    const died = Date.now();
    await writer.isRefused(1);
    const promoted = Date.now();
    await first.promote();
    await second.follow(first.server);
    await writer.acknowledges(1);
    const wentOn = Date.now();
    await writer.acknowledges(100);
    await until('the other standby is read from', 60, async () => (await replicas.used()) === 1);
    await writer.rest();
    await health.end();
    expect(health.deaths).toEqual([]);

    const { acknowledged, unknown, done } = await agreement(writer, root, environment);
    process.stdout.write(
      `failover: ${String(wentOn - died)} ms without writes, ${String(promoted - died)} ms of them before the ` +
        `promotion; ${String(acknowledged)} writes were acknowledged and none was lost; of ${String(unknown)} without ` +
        `an answer ${String(done)} were done\n`,
    );
    expect(service.running).toBe(true);
  });

  it('the former primary is not written to when it comes back', async () => {
    await servers.primary.startAgain();
    // It takes connections, and does not know that it is not the primary any more.
    expect(await servers.primary.rows('SELECT pg_is_in_recovery() AS follows')).toEqual([{ follows: false }]);
    const late = startService(environment);
    const there = new Caller(await late.serving(), root.credentials);
    for (const [i, caller] of [root, there].entries()) {
      const label = `after-${String(i)}`;
      await caller.post('/v1/labels', { label }).expect(201);
      expect(await first.server.rows(`SELECT label FROM labels WHERE label = '${label}'`)).toHaveLength(1);
    }
    late.kill('SIGTERM');
    expect(await late.ended).toBe(0);
  });

  it('a primary that takes no more writes is away, and when it does, it is there', async () => {
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
    await until('they are taken again', 60, async () => {
      const status = await write();
      statuses.add(status);
      return status === 201;
    });
    expect([...statuses].filter((status) => status !== 201 && status !== 503)).toEqual([]);
  });
});
