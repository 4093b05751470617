import { cleanUp } from '../embedded/processes';
import { signal } from '../../support/system-processes';
import { startServiceProcess } from '../../support/service-process';
import { SecondConnection } from '../../support/second-connection';
import { createTestDatabase } from '../../support/test-database';
import { startDatabaseProxy } from '../../support/database-proxy';
import { until } from '../../support/until';
import { auditWrites } from './write-audit';
import { HealthWatch } from './health';
import { ownServer, type OwnServer } from './own-server';
import { send } from './send';
import { Writer } from './writer';

jest.setTimeout(300_000);

/** The server of the test that stops one of its processes. */
let own: OwnServer | undefined;

afterAll(async () => {
  await cleanUp();
  await own?.end();
});

it.concurrent('the service reconnects at once after its connections are closed', async () => {
  const database = await createTestDatabase();
  const secondConnection = await SecondConnection.connect(database.url);
  const proxy = await startDatabaseProxy(database);
  const environment = { DATABASE_URL: proxy.database.url, WORKERS: '1', LOG_LEVEL: 'silent' };
  const service = startServiceProcess(environment);
  const caller = await service.root();
  const watch = new HealthWatch(caller);
  const writer = new Writer();
  await writer.start(caller);
  for (let round = 0; round < 2; round++) {
    await writer.untilAcknowledged(12);
    // Active and idle connections.
    await secondConnection.rows(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'muster' AND datname = current_database()`,
    );
  }
  for (let round = 0; round < 2; round++) {
    await writer.untilAcknowledged(12);
    await proxy.disconnect();
    await watch.untilReady(false);
    await writer.untilUnavailable(6);
    await proxy.reconnect();
    await watch.untilReady(true);
  }
  await writer.untilAcknowledged(12);
  await writer.stop();
  await watch.end();
  expect(watch.livenessFailures).toEqual([]);
  const tally = await auditWrites(writer, caller, environment);
  expect(tally.unknown).toBeGreaterThan(0);
  service.kill('SIGTERM');
  expect(await service.ended).toBe(0);
  await secondConnection.close();
  await proxy.database.drop();
});

it.concurrent('the service discards a connection whose backend hangs', async () => {
  own = await ownServer();
  const environment = {
    DATABASE_URL: own.url,
    WORKERS: '1',
    DATABASE_POOL_SIZE: '1',
    STATEMENT_SECONDS: '1',
  };
  const service = startServiceProcess({ ...environment, LOG_LEVEL: 'silent' });
  const caller = await service.root();
  const regions = () => send(caller, { method: 'GET', path: '/v1/regions' });
  expect(await regions()).toMatchObject({ status: 200 });
  const { server } = own;
  let pids: number[] = [];
  // The connections of the migration end a little later than the service closes them.
  await until('only the connection of the pool is left', 60, async () => {
    const rows = await server.rows<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity
       WHERE application_name = 'muster' AND state = 'idle' AND query NOT LIKE '%AS one%' AND query NOT LIKE '%is_there%'`,
    );
    pids = rows.map(({ pid }) => pid);
    return pids.length === 1;
  });
  signal(pids, 'SIGSTOP');
  try {
    // Only one backend hangs, so the service is ready.
    expect(await send(caller, { method: 'GET', path: '/readyz' })).toMatchObject({ status: 200 });
    expect(await regions()).toMatchObject({ status: 503 });
    // On a busy machine, connecting can exceed the time limit of the next request.
    const statuses: (number | undefined)[] = [];
    while (statuses.length < 3 && statuses.at(-1) !== 200) statuses.push((await regions())?.status);
    expect(statuses.filter((status) => status !== 503)).toEqual([200]);
  } finally {
    signal(pids, 'SIGCONT');
  }
  service.kill('SIGTERM');
  expect(await service.ended).toBe(0);
});
