import { join } from 'node:path';
import { cleanUp, postmasterOf, temporaryFolder } from '../embedded/processes';
import { signal } from '../../support/system-processes';
import { startServiceProcess } from '../../support/service-process';
import { agreement } from './account';
import { HealthWatch } from './health';
import { postgresOn } from './own-server';
import { Writer } from './writer';

jest.setTimeout(300_000);

afterEach(cleanUp);

/** Whom it hits. What the others do then is PostgreSQL's own business. */
const victims: [string, (dataDir: string) => number[]][] = [
  ['all of PostgreSQL', postgresOn],
  ['the postmaster', (dataDir) => [postmasterOf(dataDir)]],
  // The postmaster then ends all others, and recovers.
  [
    'one backend',
    (dataDir) =>
      postgresOn(dataDir)
        .filter((pid) => pid !== postmasterOf(dataDir))
        .slice(-1),
  ],
];

it('goes on when PostgreSQL is killed while it writes, in whatever part', async () => {
  const dataDir = join(temporaryFolder(), 'data');
  const environment = { DATA_DIR: dataDir, WORKERS: '1', LOG_LEVEL: 'silent' };
  const service = startServiceProcess(environment);
  const caller = await service.root();
  const watch = new HealthWatch(caller);
  const writer = new Writer();
  await writer.start(caller);
  for (const [, pids] of victims) {
    await writer.acknowledges(20);
    const before = watch.unready;
    signal(pids(dataDir), 'SIGKILL');
    await writer.isRefused(1);
    await writer.acknowledges(20);
    await watch.says(true);
    if (pids === postgresOn) expect(watch.unready).toBeGreaterThan(before);
  }
  await writer.rest();
  await watch.end();
  expect(watch.deaths).toEqual([]);
  expect(service.errorOutput).toContain('PostgreSQL has ended unexpectedly');
  const tally = await agreement(writer, caller, environment);
  expect(tally.unknown).toBeGreaterThan(0);
  service.kill('SIGTERM');
  expect(await service.ended).toBe(0);
});
