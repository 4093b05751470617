import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import {
  cleanUp,
  eventually,
  postmasterOf,
  query,
  temporaryFolder,
} from '../../../test/system/embedded/processes';
import { childrenOf, isAlive, processesOn } from '../../../test/support/system-processes';
import { folderWithCluster, startHolder, type Holder } from './holder';

// Tests run concurrently, each on its own folder: they mostly wait for processes.
afterAll(cleanUp);

async function endsEverythingOn(dataDir: string): Promise<void> {
  await eventually(() => processesOn(dataDir).length === 0, 'the end of every process of the database');
}

describe('when node is killed', () => {
  it.concurrent('during initdb, no process remains and the next start creates the cluster', async () => {
    const dataDir = join(temporaryFolder(), 'data');
    const first = startHolder({ dataDir });
    await eventually(() => existsSync(dataDir) && readdirSync(dataDir).some(isUnfinished), 'initdb');
    first.kill('SIGKILL');
    await first.ended;
    await endsEverythingOn(dataDir);
    expect(readdirSync(dataDir)).not.toContain('postgres');
    // What a killed initdb may leave.
    const remains = join(dataDir, 'postgres.new-4711-abcdef');
    mkdirSync(remains);
    writeFileSync(join(remains, 'PG_VERSION'), '18\n');

    const host = await startHolder({ dataDir }).ready();
    expect(await query(host, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(readdirSync(dataDir).filter(isUnfinished)).toEqual([]);
  });

  it.concurrent('between initdb and the server start, the next start uses the new cluster', async () => {
    const dataDir = join(temporaryFolder(), 'data');
    const first = startHolder({ dataDir });
    await eventually(() => existsSync(join(dataDir, 'postgres')), 'the finished cluster');
    first.kill('SIGKILL');
    await first.ended;
    await startHolder({ dataDir }).ready();
  });

  it.concurrent('at any time during the first start, no process remains and the next start works', async () => {
    const dataDir = join(temporaryFolder(), 'data');
    for (let attempt = 0; attempt < 4; attempt++) {
      const victim = startHolder({ dataDir });
      await after(attempt * 300);
      victim.kill('SIGKILL');
      await victim.ended;
    }
    const next = startHolder({ dataDir });
    await query(await next.ready(), 'SELECT 1');
    next.kill('SIGKILL');
    await next.ended;
    await endsEverythingOn(dataDir);
  });

  it.concurrent('at any time during a later start, no process remains and the next start works', async () => {
    const dataDir = await folderWithCluster();
    for (let attempt = 0; attempt < 4; attempt++) {
      const victim = startHolder({ dataDir });
      // The server is up less than 0.1 s after the process has claimed the folder.
      await eventually(() => existsSync(join(dataDir, 'run', `owner.${attempt + 1}`)), 'the claim');
      await after(attempt * 25);
      victim.kill('SIGKILL');
      await victim.ended;
    }
    const next = startHolder({ dataDir });
    await query(await next.ready(), 'SELECT 1');
    next.kill('SIGKILL');
    await next.ended;
    await endsEverythingOn(dataDir);
  });

  it.concurrent('while it runs, no acknowledged row is lost and the watchdog exits', async () => {
    const dataDir = await folderWithCluster();
    const first = startHolder({ dataDir, durable: true });
    const host = await first.ready();
    await query(host, 'CREATE TABLE written (n int PRIMARY KEY)');
    const launched = childrenOf(first.pid);
    expect(launched.length).toBeGreaterThanOrEqual(2);

    const client = new Client({ host, port: 5432, user: 'postgres', database: 'postgres' });
    await client.connect();
    client.on('error', () => undefined);
    let acknowledged = 0;
    const writing = (async () => {
      for (let n = 1; ; n++) {
        await client.query('INSERT INTO written VALUES ($1)', [n]);
        acknowledged = n;
      }
    })();
    await eventually(() => acknowledged >= 20, 'some rows');
    first.kill('SIGKILL');
    await expect(writing).rejects.toThrow();

    const next = startHolder({ dataDir });
    const rows = await query<{ n: number }>(await next.ready(), 'SELECT count(*)::int AS n FROM written');
    // One more row may exist: committed, but not acknowledged.
    expect([acknowledged, acknowledged + 1]).toContain(rows[0]?.n);
    await eventually(() => !launched.some(isAlive), 'the end of the server and the watchdog');
  });

  it.concurrent('during shutdown, no process remains and the next start works', async () => {
    const dataDir = await folderWithCluster();
    const first = startHolder({ dataDir });
    await first.ready();
    first.kill('SIGINT');
    await first.event('stopping');
    first.kill('SIGKILL');
    await first.ended;
    await startHolder({ dataDir }).ready();
  });

  it.concurrent('together with its watchdog, the next start stops the orphaned server and replaces it', async () => {
    const dataDir = await folderWithCluster();
    const first = startHolder({ dataDir });
    await first.ready();
    const orphan = postmasterOf(dataDir);
    // SIGSTOP first, so that it cannot start a new watchdog.
    process.kill(first.pid, 'SIGSTOP');
    for (const watchdog of childrenOf(first.pid).filter((pid) => pid !== orphan))
      process.kill(watchdog, 'SIGKILL');
    first.kill('SIGKILL');
    await first.ended;

    await startHolder({ dataDir }).ready();
    expect(postmasterOf(dataDir)).not.toBe(orphan);
    expect(isAlive(orphan)).toBe(false);
  });
});

describe('when a terminal sends Ctrl-C to the process group', () => {
  it.concurrent('the program stops its server and exits', async () => {
    const dataDir = await folderWithCluster();
    const holder = startHolder({ dataDir });
    const host = await holder.ready();
    // A session that is idle in a transaction must not delay the shutdown.
    const client = new Client({ host, port: 5432, user: 'postgres', database: 'postgres' });
    client.on('error', () => undefined);
    await client.connect();
    await client.query('BEGIN');
    process.kill(-holder.pid, 'SIGINT');
    expect(await holder.ended).toBe(0);
    await holder.event('stopped');
    expect(processesOn(dataDir)).toEqual([]);
    await client.end();
  });
});

describe('when PostgreSQL is killed', () => {
  async function serverDies(dataDir: string, holder: Holder, host: string): Promise<void> {
    const victim = postmasterOf(dataDir);
    process.kill(victim, 'SIGKILL');
    await eventually(async () => {
      // The new server removes the file, and writes another one.
      const present = await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8').catch(() => '');
      if (present === '' || Number.parseInt(present, 10) === victim) return false;
      return query(host, 'SELECT 1').then(
        () => true,
        () => false,
      );
    }, 'the server to restart');
    expect((await holder.event('exit')).sentence).toMatch(/ended unexpectedly \(SIGKILL\)/);
  }

  it.concurrent('it restarts with all rows, reports the exit and the restart, and stops when node is killed', async () => {
    const dataDir = await folderWithCluster();
    const holder = startHolder({ dataDir, durable: true });
    const host = await holder.ready();
    await query(host, 'CREATE TABLE committed AS SELECT 7 AS n');
    await serverDies(dataDir, holder, host);
    await holder.line((line) => (line.includes('PostgreSQL runs again.') ? line : undefined), 'the restart');
    expect(await query(host, 'SELECT n FROM committed')).toEqual([{ n: 7 }]);
    holder.kill('SIGKILL');
    await holder.ended;
    await endsEverythingOn(dataDir);
  });

  it.concurrent('a stop during its restart succeeds', async () => {
    const dataDir = await folderWithCluster();
    for (const pause of [0, 105, 140]) {
      const holder = startHolder({ dataDir });
      await holder.ready();
      process.kill(postmasterOf(dataDir), 'SIGKILL');
      await after(pause);
      holder.kill('SIGINT');
      expect(await holder.ended).toBe(0);
      await endsEverythingOn(dataDir);
    }
  });

  it.concurrent('a server whose watchdog was killed and replaced also stops when node is killed', async () => {
    const dataDir = await folderWithCluster();
    const holder = startHolder({ dataDir });
    await holder.ready();
    const before = childrenOf(holder.pid);
    const watchdog = before.find((pid) => pid !== postmasterOf(dataDir));
    if (watchdog === undefined) throw new Error('there is no watchdog');
    process.kill(watchdog, 'SIGKILL');
    await eventually(() => childrenOf(holder.pid).some((pid) => !before.includes(pid)), 'another watchdog');
    holder.kill('SIGKILL');
    await holder.ended;
    await endsEverythingOn(dataDir);
  });
});

function after(milliseconds: number): Promise<void> {
  return new Promise((settle) => setTimeout(settle, milliseconds));
}

function isUnfinished(name: string): boolean {
  return name.startsWith('postgres.new-');
}
