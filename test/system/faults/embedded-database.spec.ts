import { spawnSync } from 'node:child_process';
import { chmodSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanUp, eventually, postmasterOf, temporaryFolder } from '../embedded/processes';
import { processesOn, signal } from '../../support/system-processes';
import { startServiceProcess } from '../../support/service-process';
import { auditWrites } from './write-audit';
import { HealthWatch } from './health';
import { postgresOn } from './own-server';
import { send } from './send';
import { Writer } from './writer';

// The tests run concurrently. Each has an embedded database of its own.
jest.setTimeout(300_000);

/** The processes that a test has stopped. */
const stopped = new Set<number>();
/** The file systems that a test has mounted. */
const mounted = new Set<string>();

afterAll(async () => {
  signal([...stopped], 'SIGCONT');
  for (const folder of mounted) {
    // A file system in use cannot be unmounted.
    for (const pid of processesOn(folder)) process.kill(pid, 'SIGKILL');
    await eventually(() => spawnSync('umount', [folder]).status === 0, 'the file system to be unmounted');
  }
  await cleanUp();
});

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

it.concurrent('goes on when PostgreSQL is killed while it writes, in whatever part', async () => {
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
  const tally = await auditWrites(writer, caller, environment);
  expect(tally.unknown).toBeGreaterThan(0);
  service.kill('SIGTERM');
  expect(await service.ended).toBe(0);
});

it.concurrent('a PostgreSQL that stands still keeps nobody waiting for it', async () => {
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
  expect(JSON.parse(ready?.text ?? '')).toMatchObject({ message: 'The database does not respond.' });
  signal([...stopped], 'SIGCONT');
  stopped.clear();

  await writer.acknowledges(50);
  await watch.says(true);
  await writer.rest();
  await watch.end();
  expect(watch.deaths).toEqual([]);
  await auditWrites(writer, caller, environment);
  service.kill('SIGTERM');
  expect(await service.ended).toBe(0);
});

/** Room for a new database, and for little more. */
const MEGABYTES = 160;

/** A small file system of one's own; undefined where nobody may mount one. */
function smallFileSystem(): string | undefined {
  const folder = temporaryFolder();
  const size = `size=${String(MEGABYTES)}m,mode=0755`;
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', folder]);
  return status === 0 ? folder : undefined;
}

const trial = smallFileSystem();
if (trial !== undefined) mounted.add(trial);
// Only root may mount, and not in every container.
const itOnItsOwn = trial === undefined ? it.skip : it.concurrent;

/** Leaves no room: not a byte. @returns what makes room again */
function fill(folder: string): () => void {
  const ballast = join(folder, 'ballast');
  const { bavail, bsize } = statfsSync(folder);
  for (let left = bavail * bsize; left > 0; left = roomIn(folder))
    try {
      writeFileSync(ballast, Buffer.alloc(left), { flag: 'a' });
    } catch (error) {
      if (!String(error).includes('ENOSPC')) throw error;
    }
  return () => {
    rmSync(ballast);
  };
}

const roomIn = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};

itOnItsOwn(
  'goes on when there is room again on a disk that was full (needs the right to mount)',
  async () => {
    const folder = smallFileSystem();
    if (folder === undefined) throw new Error('it could be mounted before');
    mounted.add(folder);
    chmodSync(folder, 0o755);
    const environment = { DATA_DIR: join(folder, 'data'), WORKERS: '1', LOG_LEVEL: 'silent' };
    const service = startServiceProcess(environment);
    const caller = await service.root();
    const watch = new HealthWatch(caller);
    const writer = new Writer();
    await writer.start(caller);
    for (let round = 0; round < 2; round++) {
      await writer.acknowledges(50);
      const makeRoom = fill(folder);
      // There may be room left in what PostgreSQL has set aside.
      await writer.isRefused(12);
      const read = await send(caller, { method: 'GET', path: '/v1/regions' });
      // Whether it can still be read depends on what PostgreSQL could not write.
      expect([200, 503]).toContain(read?.status);
      makeRoom();
      await writer.acknowledges(50);
      await watch.says(true);
    }
    await writer.rest();
    await watch.end();
    expect(watch.deaths).toEqual([]);
    const tally = await auditWrites(writer, caller, environment);
    expect(tally.unknown).toBeGreaterThan(0);
    service.kill('SIGTERM');
    expect(await service.ended).toBe(0);
  },
);
