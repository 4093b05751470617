import { join } from 'node:path';
import { cleanUp, temporaryFolder } from '../embedded/processes';
import { signal } from '../../support/system-processes';
import { startServiceProcess } from '../../support/service-process';
import { agreement } from './account';
import { HealthWatch } from './health';
import { postgresOn } from './own-server';
import { send } from './send';
import { Writer } from './writer';

jest.setTimeout(300_000);

const stopped = new Set<number>();
afterEach(async () => {
  signal([...stopped], 'SIGCONT');
  await cleanUp();
});

it('a PostgreSQL that stands still keeps nobody waiting for it', async () => {
  const dataDir = join(temporaryFolder(), 'data');
  const environment = { DATA_DIR: dataDir, WORKERS: '1', LOG_LEVEL: 'silent' };
  const service = startServiceProcess(environment);
  const caller = await service.root();
  const watch = new HealthWatch(caller);
  const writer = new Writer();
  await writer.start(caller);
  await writer.acknowledges(50);

  for (const pid of postgresOn(dataDir)) stopped.add(pid);
  signal([...stopped], 'SIGSTOP');
  await watch.says(false);
  // Each lane was answered, and again: who waits, and who comes later, is refused while it stands still.
  await writer.isRefused(60);
  const read = await send(caller, { method: 'GET', path: '/v1/regions' });
  expect(read?.status).toBe(503);
  expect(Number(read?.headers['retry-after'])).toBeGreaterThan(0);
  const ready = await send(caller, { method: 'GET', path: '/readyz' });
  expect(ready).toMatchObject({ status: 503 });
  expect(JSON.parse(ready?.text ?? '')).toMatchObject({ message: 'The database does not answer.' });
  signal([...stopped], 'SIGCONT');
  stopped.clear();

  await writer.acknowledges(50);
  await watch.says(true);
  await writer.rest();
  await watch.end();
  expect(watch.deaths).toEqual([]);
  await agreement(writer, caller, environment);
  service.kill('SIGTERM');
  expect(await service.ended).toBe(0);
});
