import { spawnSync } from 'node:child_process';
import { chmodSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanUp, eventually, postmasterOf, temporaryFolder } from '../embedded/processes';
import { processesOn, signal, suspendPostgres } from '../../support/system-processes';
import { startServiceProcess } from '../../support/service-process';
import { until } from '../../support/until';
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

/** The processes to kill. */
const victims: [string, (dataDir: string) => number[]][] = [
  ['all of PostgreSQL', postgresOn],
  ['the postmaster', (dataDir) => [postmasterOf(dataDir)]],
  // The postmaster then ends all other backends, and recovers.
  ['one backend', (dataDir) => postgresOn(dataDir).filter(isOfClient).slice(-1)],
];

/** Whether a process serves a connection. The newest one may be a worker of autovacuum, which may have ended before it is killed. */
const isOfClient = (pid: number): boolean =>
  spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout.includes('[local]');

it.concurrent('the service recovers after any PostgreSQL process is killed during writes', async () => {
  const dataDir = join(temporaryFolder(), 'data');
  const environment = { DATA_DIR: dataDir, WORKERS: '1', LOG_LEVEL: 'silent' };
  const service = startServiceProcess(environment);
  const caller = await service.root();
  const watch = new HealthWatch(caller);
  const writer = new Writer();
  await writer.start(caller);
  for (const [, pids] of victims) {
    await writer.untilAcknowledged(20);
    const before = watch.unready;
    signal(pids(dataDir), 'SIGKILL');
    await writer.untilUnavailable(1);
    await writer.untilAcknowledged(20);
    await watch.untilReady(true);
    // The response of a poll during the outage may still be on its way.
    if (pids === postgresOn)
      await until('the outage was noticed', 60, () => Promise.resolve(watch.unready > before));
  }
  await writer.stop();
  await watch.end();
  expect(watch.livenessFailures).toEqual([]);
  expect(service.errorOutput).toContain('PostgreSQL has ended unexpectedly');
  const tally = await auditWrites(writer, caller, environment);
  expect(tally.unknown).toBeGreaterThan(0);
  service.kill('SIGTERM');
  expect(await service.ended).toBe(0);
});

it.concurrent('requests fail with 503 while PostgreSQL hangs', async () => {
  const dataDir = join(temporaryFolder(), 'data');
  const environment = { DATA_DIR: dataDir, WORKERS: '1', LOG_LEVEL: 'silent' };
  const service = startServiceProcess(environment);
  const caller = await service.root();
  const watch = new HealthWatch(caller);
  const writer = new Writer();
  await writer.start(caller);
  await writer.untilAcknowledged(50);

  for (const pid of suspendPostgres(postmasterOf(dataDir), () => postgresOn(dataDir))) stopped.add(pid);
  await watch.untilReady(false);
  // Waiting requests and later requests are refused while PostgreSQL is stopped.
  await writer.untilUnavailable(60);
  const read = await send(caller, { method: 'GET', path: '/v1/regions' });
  expect(read?.status).toBe(503);
  expect(Number(read?.headers['retry-after'])).toBeGreaterThan(0);
  const ready = await send(caller, { method: 'GET', path: '/readyz' });
  expect(ready).toMatchObject({ status: 503 });
  expect(JSON.parse(ready?.text ?? '')).toMatchObject({ message: 'The database does not respond.' });
  signal([...stopped], 'SIGCONT');
  stopped.clear();

  await writer.untilAcknowledged(50);
  await watch.untilReady(true);
  await writer.stop();
  await watch.end();
  expect(watch.livenessFailures).toEqual([]);
  await auditWrites(writer, caller, environment);
  service.kill('SIGTERM');
  expect(await service.ended).toBe(0);
});

/** Space for a new database, and little more. */
const MEGABYTES = 160;

/** Mounts a small file system. @returns undefined if mounting is not permitted */
function smallFileSystem(): string | undefined {
  const folder = temporaryFolder();
  const size = `size=${String(MEGABYTES)}m,mode=0755`;
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', folder]);
  return status === 0 ? folder : undefined;
}

const trial = smallFileSystem();
if (trial !== undefined) mounted.add(trial);
// Only root can mount, and not in every container.
const itWithMount = trial === undefined ? it.skip : it.concurrent;

/** Fills the file system completely. @returns a function that frees the space */
function fill(folder: string): () => void {
  const ballast = join(folder, 'ballast');
  const { bavail, bsize } = statfsSync(folder);
  for (let left = bavail * bsize; left > 0; left = freeBytes(folder))
    try {
      writeFileSync(ballast, Buffer.alloc(left), { flag: 'a' });
    } catch (error) {
      if (!String(error).includes('ENOSPC')) throw error;
    }
  return () => {
    rmSync(ballast);
  };
}

const freeBytes = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};

itWithMount('the service recovers when a full disk has space again (needs permission to mount)', async () => {
  const folder = smallFileSystem();
  if (folder === undefined) throw new Error('the file system cannot be mounted');
  mounted.add(folder);
  chmodSync(folder, 0o755);
  const environment = { DATA_DIR: join(folder, 'data'), WORKERS: '1', LOG_LEVEL: 'silent' };
  const service = startServiceProcess(environment);
  const caller = await service.root();
  const watch = new HealthWatch(caller);
  const writer = new Writer();
  await writer.start(caller);
  for (let round = 0; round < 2; round++) {
    await writer.untilAcknowledged(50);
    const freeSpace = fill(folder);
    // Some writes may succeed in files that PostgreSQL has allocated already.
    await writer.untilUnavailable(12);
    const read = await send(caller, { method: 'GET', path: '/v1/regions' });
    // PostgreSQL may have stopped, depending on which write failed.
    expect([200, 503]).toContain(read?.status);
    freeSpace();
    await writer.untilAcknowledged(50);
    const count = (sentence: string) => service.errorLines.filter((line) => line.includes(sentence)).length;
    await watch.untilReady(true);
    await eventually(
      () => count('PostgreSQL runs again.') === count('ended unexpectedly'),
      'the message that PostgreSQL runs again',
    );
  }
  await writer.stop();
  await watch.end();
  expect(watch.livenessFailures).toEqual([]);
  const tally = await auditWrites(writer, caller, environment);
  expect(tally.unknown).toBeGreaterThan(0);
  service.kill('SIGTERM');
  expect(await service.ended).toBe(0);
});
