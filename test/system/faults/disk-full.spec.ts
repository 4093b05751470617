import { spawnSync } from 'node:child_process';
import { chmodSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanUp, eventually, temporaryFolder } from '../embedded/processes';
import { processesOn } from '../../support/system-processes';
import { startServiceProcess } from '../../support/service-process';
import { agreement } from './account';
import { HealthWatch } from './health';
import { send } from './send';
import { Writer } from './writer';

jest.setTimeout(300_000);

/** Room for a new database, and for little more. */
const MEGABYTES = 160;

/** A small file system of one's own; undefined where nobody may mount one. */
function smallFileSystem(): string | undefined {
  const folder = temporaryFolder();
  const size = `size=${String(MEGABYTES)}m,mode=0755`;
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', folder]);
  return status === 0 ? folder : undefined;
}

const mounted = new Set<string>();
afterEach(async () => {
  for (const folder of mounted) {
    // Whoever works in it goes first.
    for (const pid of processesOn(folder)) process.kill(pid, 'SIGKILL');
    await eventually(() => spawnSync('umount', [folder]).status === 0, 'the file system to be unmounted');
    mounted.delete(folder);
  }
  await cleanUp();
});

const trial = smallFileSystem();
if (trial !== undefined) mounted.add(trial);
// Only root may mount, and not in every container.
const itOnItsOwn = trial === undefined ? it.skip : it;

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
    const tally = await agreement(writer, caller, environment);
    expect(tally.unknown).toBeGreaterThan(0);
    service.kill('SIGTERM');
    expect(await service.ended).toBe(0);
  },
);
