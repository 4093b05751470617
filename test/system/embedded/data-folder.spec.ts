import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { resolveDataDir } from '../../../src/database/embedded/data-folders';
import {
  AM_ROOT,
  cleanUp,
  copyOf,
  folderWithCluster,
  itAsRoot,
  itAsRootConcurrently,
  NOBODY,
  query,
  startHolder,
  temporaryFolder,
} from './processes';
import { Program } from '../../support/program';
import { isAlive } from '../../support/system-processes';

// Tests run at the same time, each on folders of its own: most of their time is waiting for processes.
afterAll(cleanUp);

/** A live process, of the user as whom PostgreSQL runs here, that has nothing to do with PostgreSQL. */
function secondConnection(dataDir: string): Program {
  const { uid, gid } = statSync(join(dataDir, 'postgres'));
  return new Program(spawn('sleep', ['300'], { ...(AM_ROOT ? { uid, gid } : {}), stdio: 'ignore' }));
}

describe('lock files of a server that was killed with the machine', () => {
  it.concurrent('do not stop a start when their number is now that of a live process', async () => {
    const dataDir = await folderWithCluster();
    const other = secondConnection(dataDir);
    const pidFile = join(dataDir, 'postgres/postmaster.pid');
    writeFileSync(pidFile, `${other.pid}\n${dataDir}/postgres\n1700000000\n5432\n\n\n  1 1\nready\n`);
    mkdirSync(join(dataDir, 'run'), { mode: 0o700 });
    writeFileSync(join(dataDir, 'run/.s.PGSQL.5432.lock'), `${other.pid}\n`);

    const host = await startHolder({ dataDir }).ready();
    expect(await query(host, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(isAlive(other.pid)).toBe(true);
  });

  it.concurrent('nor when it is that of a PostgreSQL that serves another cluster', async () => {
    const otherDir = await folderWithCluster();
    const dataDir = await copyOf(otherDir);
    await startHolder({ dataDir: otherDir }).ready();
    const pidFile = readFileSync(join(otherDir, 'postgres/postmaster.pid'));
    writeFileSync(join(dataDir, 'postgres/postmaster.pid'), pidFile);
    await startHolder({ dataDir }).ready();
    expect(isAlive(Number.parseInt(pidFile.toString(), 10))).toBe(true);
  });
});

describe('a data folder that cannot be used', () => {
  it.concurrent('holds a cluster of another major version: named, and left as it is', async () => {
    const dataDir = await folderWithCluster();
    writeFileSync(join(dataDir, 'postgres/PG_VERSION'), '13\n');
    const { message } = await startHolder({ dataDir }).said('refused');
    expect(message).toMatch(/created by PostgreSQL 13\. This Muster includes PostgreSQL \d+/);
    expect(existsSync(join(dataDir, 'postgres/base'))).toBe(true);
  });

  it.concurrent('holds something else where the cluster should be: left as it is', async () => {
    const dataDir = temporaryFolder();
    mkdirSync(join(dataDir, 'postgres'));
    writeFileSync(join(dataDir, 'postgres/letter.txt'), 'dear');
    const { message } = await startHolder({ dataDir }).said('refused');
    expect(message).toContain('is not a PostgreSQL cluster');
    expect(readFileSync(join(dataDir, 'postgres/letter.txt'), 'utf8')).toBe('dear');
  });

  it.concurrent('is a file', async () => {
    const dataDir = join(temporaryFolder(), 'file');
    writeFileSync(dataDir, '');
    expect((await startHolder({ dataDir }).said('refused')).message).toMatch(/is a file: set DATA_DIR/);
  });

  it.concurrent('lies behind a link to a disk that is not mounted', async () => {
    const link = join(temporaryFolder(), 'disk');
    symlinkSync('/nowhere/at-all', link);
    expect((await startHolder({ dataDir: join(link, 'data') }).said('refused')).message).toContain(
      `The data folder ${link}/data cannot be created`,
    );
  });

  it.concurrent('holds a server that does not start: the end of its log is shown', async () => {
    const dataDir = await folderWithCluster();
    const holder = startHolder({ dataDir, settings: { shared_buffers: 'plenty' } });
    const { message } = await holder.said('refused');
    expect(message).toContain('invalid value for parameter "shared_buffers": "plenty"');
    expect(await holder.ended).toBe(1);
  });

  itAsRootConcurrently('is not writable for the user', async () => {
    const folder = temporaryFolder();
    const { message } = await startHolder({ dataDir: join(folder, 'data') }, { user: NOBODY }).said(
      'refused',
    );
    expect(message).toContain(`The data folder ${folder}/data cannot be used by the user "nobody"`);
  });

  it.concurrent.each([
    ['its group', 0o770],
    ['everybody', 0o777],
    ['everybody, who may remove their own things', 0o1777],
  ])('may be written to by %s: refused until it is repaired as the sentence says', async (_, mode) => {
    const dataDir = await folderWithCluster();
    chmodSync(dataDir, mode);
    const refused = startHolder({ dataDir });
    expect((await refused.said('refused')).message).toBe(
      `Other users may write to the data folder ${dataDir} and replace what is in it: ` +
        `run "chmod go-w ${dataDir}", or set DATA_DIR to another folder.`,
    );
    expect(await refused.ended).toBe(1);
    expect(statSync(dataDir).mode & 0o7777).toBe(mode);
    chmodSync(dataDir, mode & ~0o022);
    await startHolder({ dataDir }).ready();
  });

  it.concurrent('lies in a folder that everybody may write to: only its own permissions count', async () => {
    const shared = temporaryFolder();
    chmodSync(shared, 0o1777);
    await startHolder({ dataDir: join(shared, 'data') }).ready();
  });

  itAsRootConcurrently('belongs to another user than the one as whom PostgreSQL runs', async () => {
    const dataDir = await folderWithCluster();
    chownSync(dataDir, 12345, 12345);
    const { message } = await startHolder({ dataDir }).said('refused');
    expect(message).toMatch(
      /^The data folder \S+ belongs to the user "12345", who may replace what is in it: run "chown \w+ \S+", or set DATA_DIR to another folder\.$/,
    );
  });

  itAsRootConcurrently("holds another user's cluster", async () => {
    const dataDir = await folderWithCluster();
    chmodSync(dataDir, 0o777);
    const { message } = await startHolder({ dataDir }, { user: NOBODY }).said('refused');
    expect(message).toMatch(/belongs to the user "postgres", and this is "nobody"/);
  });

  itAsRootConcurrently('lies under a folder that the user of PostgreSQL cannot enter', async () => {
    const closed = join(temporaryFolder(), 'closed');
    mkdirSync(closed, { mode: 0o700 });
    const { message } = await startHolder({ dataDir: join(closed, 'deep/data') }).said('refused');
    expect(message).toMatch(/the user "\w+", as which PostgreSQL runs/);
    expect(message).toContain(`cannot enter ${closed}: set DATA_DIR`);
  });

  itAsRootConcurrently('is closed and holds things of somebody else: it is not given away', async () => {
    const home = join(temporaryFolder(), 'home');
    mkdirSync(home, { mode: 0o700 });
    writeFileSync(join(home, '.profile'), '');
    const { message } = await startHolder({ dataDir: home }).said('refused');
    expect(message).toContain(`cannot enter ${home}`);
    expect(statSync(home).uid).toBe(0);
  });
});

describe('a data folder that needs some care', () => {
  itAsRootConcurrently('is a fresh closed folder of root: the user of PostgreSQL gets it', async () => {
    const dataDir = join(temporaryFolder(), 'fresh');
    mkdirSync(dataDir, { mode: 0o700 });
    await startHolder({ dataDir }).ready();
    expect(statSync(dataDir)).toMatchObject({ uid: statSync(join(dataDir, 'postgres')).uid });
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  });

  itAsRootConcurrently(
    "belongs to an ordinary user: root runs that user's cluster as that user, and leaves it theirs",
    async () => {
      const dataDir = join(temporaryFolder(NOBODY), 'data');
      const first = startHolder({ dataDir, hold: false }, { user: NOBODY });
      await first.said('stopped');
      await first.ended;
      const second = startHolder({ dataDir, hold: false });
      await second.said('stopped');
      await second.ended;
      const third = startHolder({ dataDir }, { user: NOBODY });
      expect(await query(await third.ready(), 'SELECT 1 AS one').catch(String)).toEqual([{ one: 1 }]);
    },
  );

  it.concurrent(
    'has a path too long for a socket: the socket lives elsewhere, in a folder for its user alone',
    async () => {
      const dataDir = join(temporaryFolder(), 'deep-'.repeat(30), 'data, with "blanks"');
      const first = startHolder({ dataDir });
      const host = await first.ready();
      expect(host.startsWith(dataDir)).toBe(false);
      expect(statSync(host).mode & 0o777).toBe(0o700);
      expect(await query(host, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      // A command has to find the same one.
      expect(await startHolder({ dataDir, role: 'command', hold: false }).ready()).toBe(host);
      first.kill('SIGINT');
      await first.ended;
      rmSync(host, { recursive: true });
    },
  );

  it.concurrent('has a comma and quotes in its path', async () => {
    const dataDir = join(temporaryFolder(), `it's "a", b`);
    expect(await query(await startHolder({ dataDir }).ready(), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  itAsRootConcurrently(
    'does not use a socket folder that another user has made under the name in question',
    async () => {
      const dataDir = join(temporaryFolder(NOBODY), 'deep-'.repeat(30));
      const name = `muster-${NOBODY.uid}-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`;
      const trap = join(tmpdir(), name);
      mkdirSync(trap, { mode: 0o777 });
      chownSync(trap, 12_345, 12_345);
      try {
        const { message } = await startHolder({ dataDir }, { user: NOBODY }).said('refused');
        expect(message).toContain(`${trap} must contain the database's socket`);
      } finally {
        rmSync(trap, { recursive: true });
      }
    },
  );
});

describe('the environment of the caller', () => {
  it.concurrent('does not change what is started', async () => {
    const dataDir = await folderWithCluster();
    const env = {
      PGDATA: '/nowhere',
      PGPORT: '9',
      PGOPTIONS: '-c nonsense=1',
      LC_ALL: 'de_DE.UTF-8',
      TZ: 'Asia/Tokyo',
    };
    const host = await startHolder({ dataDir }, { env }).ready();
    expect(await query(host, 'SHOW timezone')).toEqual([{ TimeZone: 'UTC' }]);
    expect(await query(host, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '' }]);
  });
});

describe('by default', () => {
  it.concurrent('what is committed is on the disk, and text is UTF-8 in byte order', async () => {
    const dataDir = join(temporaryFolder(), 'data');
    const host = await startHolder({ dataDir, durable: true }).ready();
    const settings = `SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS "commit",
      current_setting('full_page_writes') AS pages, pg_encoding_to_char(encoding) AS encoding, datcollate AS collation
      FROM pg_database WHERE datname = 'postgres'`;
    expect(await query(host, settings)).toEqual([
      { fsync: 'on', commit: 'on', pages: 'on', encoding: 'UTF8', collation: 'C' },
    ]);
  });

  it.concurrent('a log that has grown is put aside at the start', async () => {
    const dataDir = await folderWithCluster();
    writeFileSync(join(dataDir, 'postgres.log'), 'x'.repeat(2_000_000));
    await startHolder({ dataDir }).ready();
    expect(statSync(join(dataDir, 'postgres.log')).size).toBeLessThan(10_000);
    expect(statSync(join(dataDir, 'postgres.log.1')).size).toBe(2_000_000);
  });

  it('the data is kept in the project, in .muster', () => {
    const projectDir = temporaryFolder();
    expect(resolveDataDir({ explicit: undefined, projectDir })).toEqual({
      dataDir: join(projectDir, '.muster'),
    });
    expect(resolveDataDir({ explicit: '', projectDir })).toEqual({ dataDir: join(projectDir, '.muster') });
    expect(resolveDataDir({ explicit: '/some/where', projectDir })).toEqual({ dataDir: '/some/where' });
  });

  itAsRoot('the data of a project that the user of PostgreSQL cannot reach is kept in /var/lib', () => {
    const closed = temporaryFolder();
    const projectDir = join(closed, 'project');
    mkdirSync(projectDir);
    chmodSync(closed, 0o700);
    const hash = createHash('sha256').update(projectDir).digest('hex').slice(0, 8);
    const { dataDir, note } = resolveDataDir({ explicit: undefined, projectDir });
    expect(dataDir).toBe(`/var/lib/muster/${basename(projectDir)}-${hash}`);
    expect(note).toContain(`cannot enter ${closed}`);
  });
});
