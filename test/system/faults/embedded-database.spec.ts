import { spawnSync } from 'node:child_process';
import { chmodSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanUp, eventually, postmasterOf, temporaryFolder } from '../embedded/processes';
import { processesOn, signal, suspendPostgres } from '../../support/system-processes';
import { startServiceProcess, type ServiceProcess } from '../../support/service-process';
import { Caller, type Credentials } from '../../support/caller';
import { until } from '../../support/until';
import { auditWrites } from './write-audit';
import { HealthWatch } from './health';
import { postgresOn } from './own-server';
import { send } from './send';
import { Writer } from './writer';

/** How often service and database are killed together: `KILLS=90` covers more moments. */
const BOTH_KILLS = Math.ceil(Number(process.env['KILLS'] ?? 4) / 5);

jest.setTimeout(300_000 + BOTH_KILLS * 10_000);

/** The number of concurrent writers of the test that kills the service: each kill interrupts about as many writes. */
const WRITERS = 8;

/** Space for a new database and what the tests write, and little more. */
const MEGABYTES = 224;

/** The processes that a test has stopped. */
const stopped = new Set<number>();

/** Mounts a small file system. @returns undefined if mounting is not permitted */
function smallFileSystem(): string | undefined {
  const folder = temporaryFolder();
  const size = `size=${String(MEGABYTES)}m,mode=0755`;
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', folder]);
  return status === 0 ? folder : undefined;
}

/** The disk of the database. Only root can mount one, and not in every container. */
const disk = smallFileSystem();
const itWithMount = disk === undefined ? it.skip : it;

let dataDir: string;
let environment: Record<string, string>;
/** The service whose database all tests damage. Each test begins when it serves. */
let service: ServiceProcess;
let credentials: Credentials;
let caller: Caller;
let watch: HealthWatch;

beforeAll(async () => {
  if (disk !== undefined) chmodSync(disk, 0o755);
  dataDir = join(disk ?? temporaryFolder(), 'data');
  environment = { DATA_DIR: dataDir, WORKERS: '1', LOG_LEVEL: 'silent' };
  service = startServiceProcess(environment);
  caller = await service.root();
  ({ credentials } = caller);
});
beforeEach(() => {
  watch = new HealthWatch(caller);
});
afterEach(async () => {
  signal([...stopped], 'SIGCONT');
  stopped.clear();
  await watch.end();
});
afterAll(async () => {
  if (disk !== undefined) {
    // A file system in use cannot be unmounted.
    for (const pid of processesOn(disk)) process.kill(pid, 'SIGKILL');
    await eventually(() => spawnSync('umount', [disk]).status === 0, 'the file system to be unmounted');
  }
  await cleanUp();
});

/** The processes to kill. */
const victims: [string, (dataDir: string) => number[]][] = [
  ['all of PostgreSQL', postgresOn],
  ['the postmaster', (folder) => [postmasterOf(folder)]],
  // The postmaster then ends all other backends, and recovers.
  ['one backend', (folder) => postgresOn(folder).filter(isOfClient).slice(-1)],
];

/** Whether a process serves a connection. The newest one may be a worker of autovacuum, which may have ended before it is killed. */
const isOfClient = (pid: number): boolean =>
  spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout.includes('[local]');

it('the service recovers after any PostgreSQL process is killed during writes', async () => {
  const writer = new Writer();
  await writer.start(caller);
  for (const [, pids] of victims) {
    await writer.untilAcknowledged(10);
    const before = watch.unready;
    signal(pids(dataDir), 'SIGKILL');
    await writer.untilUnavailable(1);
    await writer.untilAcknowledged(10);
    await watch.untilReady(true);
    // The response of a poll during the outage may still be on its way.
    if (pids === postgresOn)
      await until('the outage was noticed', 60, () => Promise.resolve(watch.unready > before));
  }
  await writer.stop();
  expect(watch.livenessFailures).toEqual([]);
  expect(service.errorOutput).toContain('PostgreSQL has ended unexpectedly');
  const tally = await auditWrites(writer, caller, environment);
  expect(tally.unknown).toBeGreaterThan(0);
});

it('requests fail with 503 while PostgreSQL hangs', async () => {
  const writer = new Writer();
  await writer.start(caller);
  await writer.untilAcknowledged(10);

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

  await writer.untilAcknowledged(10);
  await watch.untilReady(true);
  await writer.stop();
  expect(watch.livenessFailures).toEqual([]);
  await auditWrites(writer, caller, environment);
});

/** Fills the file system completely. @returns a function that frees the space */
function fill(folder: string): () => void {
  const ballast = join(folder, 'ballast');
  for (let left = freeBytes(folder); left > 0; left = freeBytes(folder))
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
  const writer = new Writer();
  await writer.start(caller);
  for (let round = 0; round < 2; round++) {
    await writer.untilAcknowledged(20);
    const freeSpace = fill(disk ?? '');
    // Some writes may succeed in files that PostgreSQL has allocated already.
    await writer.untilUnavailable(12);
    const read = await send(caller, { method: 'GET', path: '/v1/regions' });
    // PostgreSQL may have stopped, depending on which write failed.
    expect([200, 503]).toContain(read?.status);
    freeSpace();
    await writer.untilAcknowledged(20);
    const count = (sentence: string) => service.errorLines.filter((line) => line.includes(sentence)).length;
    await watch.untilReady(true);
    await eventually(
      () => count('PostgreSQL runs again.') === count('ended unexpectedly'),
      'the message that PostgreSQL runs again',
    );
  }
  await writer.stop();
  expect(watch.livenessFailures).toEqual([]);
  const tally = await auditWrites(writer, caller, environment);
  expect(tally.unknown).toBeGreaterThan(0);
});

it(`no acknowledged write is lost when service and database are killed, ${String(BOTH_KILLS)} times`, async () => {
  await watch.end();
  for (let round = 0; round < BOTH_KILLS; round++) {
    const writer = new Writer(WRITERS, 0);
    await writer.start(caller);
    await writer.untilAcknowledged(20 + round);
    service.kill('SIGKILL');
    await service.ended;
    await writer.stop();
    expect(writer.wrong).toEqual([]);
    service = startServiceProcess(environment);
    caller = new Caller(await service.serving(), credentials);
    const tally = await auditWrites(writer, caller, environment);
    expect(tally.unknown).toBeGreaterThan(0);
  }
  service.kill('SIGTERM');
  expect(await service.ended).toBe(0);
});
