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
import {
  AM_ROOT,
  cleanUp,
  itAsRoot,
  itAsRootConcurrently,
  NOBODY,
  query,
  temporaryFolder,
} from '../../../test/system/embedded/processes';
import { Program } from '../../../test/support/program';
import { isAlive } from '../../../test/support/system-processes';
import { requirePrivateFolder, resolveDataDir } from '../src/data-folders';
import { copyOf, folderWithCluster, startHolder } from './holder';

// Tests run concurrently, each on its own folders: they mostly wait for processes.
afterAll(cleanUp);

/** Starts a process unrelated to PostgreSQL, as the user that PostgreSQL runs as. */
function unrelatedProcess(dataDir: string): Program {
  const { uid, gid } = statSync(join(dataDir, 'postgres'));
  return new Program(spawn('sleep', ['300'], { ...(AM_ROOT ? { uid, gid } : {}), stdio: 'ignore' }));
}

describe('lock files left by a machine crash', () => {
  it.concurrent('do not prevent a start if another process now has their process ID', async () => {
    const dataDir = await folderWithCluster();
    const other = unrelatedProcess(dataDir);
    const pidFile = join(dataDir, 'postgres/postmaster.pid');
    writeFileSync(pidFile, `${other.pid}\n${dataDir}/postgres\n1700000000\n5432\n\n\n  1 1\nready\n`);
    mkdirSync(join(dataDir, 'run'), { mode: 0o700 });
    writeFileSync(join(dataDir, 'run/.s.PGSQL.5432.lock'), `${other.pid}\n`);

    const host = await startHolder({ dataDir }).ready();
    expect(await query(host, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(isAlive(other.pid)).toBe(true);
  });

  it.concurrent('do not prevent a start if a PostgreSQL of another cluster has their process ID', async () => {
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
  it.concurrent('contains a cluster of another major version: reported, and left unchanged', async () => {
    const dataDir = await folderWithCluster();
    writeFileSync(join(dataDir, 'postgres/PG_VERSION'), '13\n');
    const { message } = await startHolder({ dataDir }).event('refused');
    expect(message).toMatch(/created by PostgreSQL 13\. This version includes PostgreSQL \d+/);
    expect(existsSync(join(dataDir, 'postgres/base'))).toBe(true);
  });

  it.concurrent('contains other files instead of a cluster: left unchanged', async () => {
    const dataDir = temporaryFolder();
    mkdirSync(join(dataDir, 'postgres'));
    writeFileSync(join(dataDir, 'postgres/letter.txt'), 'dear');
    const { message } = await startHolder({ dataDir }).event('refused');
    expect(message).toContain('is not a PostgreSQL cluster');
    expect(readFileSync(join(dataDir, 'postgres/letter.txt'), 'utf8')).toBe('dear');
  });

  it.concurrent('is a file', async () => {
    const dataDir = join(temporaryFolder(), 'file');
    writeFileSync(dataDir, '');
    expect((await startHolder({ dataDir }).event('refused')).message).toMatch(/is a file: set DATA_DIR/);
  });

  it.concurrent('is behind a symbolic link to a disk that is not mounted', async () => {
    const link = join(temporaryFolder(), 'disk');
    symlinkSync('/nowhere/at-all', link);
    expect((await startHolder({ dataDir: join(link, 'data') }).event('refused')).message).toContain(
      `The data folder ${link}/data cannot be created`,
    );
  });

  it.concurrent('contains a server that does not start: reported with the end of its log', async () => {
    const dataDir = await folderWithCluster();
    const holder = startHolder({ dataDir, settings: { shared_buffers: 'plenty' } });
    const { message } = await holder.event('refused');
    expect(message).toContain('invalid value for parameter "shared_buffers": "plenty"');
    expect(await holder.ended).toBe(1);
  });

  itAsRootConcurrently('is not writable for the user', async () => {
    const folder = temporaryFolder();
    const { message } = await startHolder({ dataDir: join(folder, 'data') }, { user: NOBODY }).event(
      'refused',
    );
    expect(message).toContain(`The data folder ${folder}/data cannot be used by the user "nobody"`);
  });

  const writableByOthers = (dataDir: string) =>
    `Other users may write to the data folder ${dataDir} and replace what is in it: ` +
    `run "chmod go-w ${dataDir}", or set DATA_DIR to another folder.`;

  it.concurrent('is writable for all users: refused until repaired as the message says', async () => {
    // Only its own permissions count.
    const shared = temporaryFolder();
    chmodSync(shared, 0o1777);
    const dataDir = await folderWithCluster(shared);
    chmodSync(dataDir, 0o777);
    const refused = startHolder({ dataDir });
    expect((await refused.event('refused')).message).toBe(writableByOthers(dataDir));
    expect(await refused.ended).toBe(1);
    expect(statSync(dataDir).mode & 0o7777).toBe(0o777);
    chmodSync(dataDir, 0o755);
    await startHolder({ dataDir }).ready();
  });

  it.each([
    ['its group', 0o770],
    ['all users, with the sticky bit', 0o1777],
  ])('is writable for %s', (_, mode) => {
    const dataDir = temporaryFolder();
    chmodSync(dataDir, mode);
    expect(() => {
      requirePrivateFolder(dataDir);
    }).toThrow(writableByOthers(dataDir));
    chmodSync(dataDir, mode & ~0o022);
    requirePrivateFolder(dataDir);
  });

  itAsRootConcurrently('belongs to a user other than the one that PostgreSQL runs as', async () => {
    const dataDir = await folderWithCluster();
    chownSync(dataDir, 12345, 12345);
    const { message } = await startHolder({ dataDir }).event('refused');
    expect(message).toMatch(
      /^The data folder \S+ belongs to the user "12345", who may replace what is in it: run "chown \w+ \S+", or set DATA_DIR to another folder\.$/,
    );
  });

  itAsRootConcurrently("contains another user's cluster", async () => {
    const dataDir = await folderWithCluster();
    chmodSync(dataDir, 0o777);
    const { message } = await startHolder({ dataDir }, { user: NOBODY }).event('refused');
    expect(message).toMatch(/belongs to the user "postgres", and this is "nobody"/);
  });

  itAsRootConcurrently('is in a folder that the PostgreSQL user cannot enter', async () => {
    const closed = join(temporaryFolder(), 'closed');
    mkdirSync(closed, { mode: 0o700 });
    const { message } = await startHolder({ dataDir: join(closed, 'deep/data') }).event('refused');
    expect(message).toMatch(/the user "\w+", as which PostgreSQL runs/);
    expect(message).toContain(`cannot enter ${closed}: set DATA_DIR`);
  });

  itAsRootConcurrently('is private and contains other files: its owner is not changed', async () => {
    const home = join(temporaryFolder(), 'home');
    mkdirSync(home, { mode: 0o700 });
    writeFileSync(join(home, '.profile'), '');
    const { message } = await startHolder({ dataDir: home }).event('refused');
    expect(message).toContain(`cannot enter ${home}`);
    expect(statSync(home).uid).toBe(0);
  });
});

describe('a data folder in a special case', () => {
  itAsRootConcurrently(
    'is an empty private folder of root: the PostgreSQL user becomes its owner',
    async () => {
      const dataDir = join(temporaryFolder(), 'fresh');
      mkdirSync(dataDir, { mode: 0o700 });
      await startHolder({ dataDir }).ready();
      expect(statSync(dataDir)).toMatchObject({ uid: statSync(join(dataDir, 'postgres')).uid });
      expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    },
  );

  itAsRootConcurrently(
    "belongs to an ordinary user: root runs that user's cluster as that user",
    async () => {
      const dataDir = join(temporaryFolder(NOBODY), 'data');
      const first = startHolder({ dataDir, hold: false }, { user: NOBODY });
      await first.event('stopped');
      await first.ended;
      const second = startHolder({ dataDir, hold: false });
      await second.event('stopped');
      await second.ended;
      const third = startHolder({ dataDir }, { user: NOBODY });
      expect(await query(await third.ready(), 'SELECT 1 AS one').catch(String)).toEqual([{ one: 1 }]);
    },
  );

  it.concurrent('has a path too long for a socket: the socket is in another, private folder', async () => {
    const deep = join(temporaryFolder(), 'deep-'.repeat(30));
    mkdirSync(deep);
    const dataDir = await folderWithCluster(deep, 'data, with "blanks"');
    const first = startHolder({ dataDir });
    const host = await first.ready();
    expect(host.startsWith(dataDir)).toBe(false);
    expect(statSync(host).mode & 0o777).toBe(0o700);
    expect(await query(host, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    // A command must find the same socket.
    expect(await startHolder({ dataDir, role: 'command', hold: false }).ready()).toBe(host);
    first.kill('SIGINT');
    await first.ended;
    rmSync(host, { recursive: true });
  });

  it.concurrent('has a comma and quotes in its path', async () => {
    const dataDir = join(temporaryFolder(), `it's "a", b`);
    expect(await query(await startHolder({ dataDir }).ready(), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  itAsRootConcurrently('does not use a socket folder that another user created under its name', async () => {
    const dataDir = join(temporaryFolder(NOBODY), 'deep-'.repeat(30));
    const name = `postgres-${NOBODY.uid}-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`;
    const trap = join(tmpdir(), name);
    mkdirSync(trap, { mode: 0o777 });
    chownSync(trap, 12_345, 12_345);
    try {
      const { message } = await startHolder({ dataDir }, { user: NOBODY }).event('refused');
      expect(message).toContain(`${trap} must contain the database's socket`);
    } finally {
      rmSync(trap, { recursive: true });
    }
  });
});

describe('by default', () => {
  it.concurrent('commits are durable, text is UTF-8 in byte order, and the environment changes no setting', async () => {
    const dataDir = await folderWithCluster();
    writeFileSync(join(dataDir, 'postgres.log'), 'x'.repeat(2_000_000));
    const env = {
      PGDATA: '/nowhere',
      PGPORT: '9',
      PGOPTIONS: '-c nonsense=1',
      LC_ALL: 'de_DE.UTF-8',
      TZ: 'Asia/Tokyo',
    };
    const host = await startHolder({ dataDir, durable: true }, { env }).ready();
    const settings = `SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS "commit",
      current_setting('full_page_writes') AS pages, pg_encoding_to_char(encoding) AS encoding, datcollate AS collation,
      current_setting('timezone') AS zone, current_setting('listen_addresses') AS addresses
      FROM pg_database WHERE datname = 'postgres'`;
    expect(await query(host, settings)).toEqual([
      {
        ...{ fsync: 'on', commit: 'on', pages: 'on', encoding: 'UTF8', collation: 'C' },
        ...{ zone: 'UTC', addresses: '' },
      },
    ]);
    // The start has rotated the large log.
    expect(statSync(join(dataDir, 'postgres.log')).size).toBeLessThan(10_000);
    expect(statSync(join(dataDir, 'postgres.log.1')).size).toBe(2_000_000);
  });

  const program = 'example';

  it('the data folder is in the project, and has the name of the program', () => {
    const projectDir = temporaryFolder();
    expect(resolveDataDir({ program, explicit: undefined, projectDir })).toEqual({
      dataDir: join(projectDir, '.example'),
    });
    expect(resolveDataDir({ program, explicit: '', projectDir })).toEqual({
      dataDir: join(projectDir, '.example'),
    });
    expect(resolveDataDir({ program, explicit: '/some/where', projectDir })).toEqual({
      dataDir: '/some/where',
    });
  });

  itAsRoot('the data folder is in /var/lib if the PostgreSQL user cannot enter the project', () => {
    const closed = temporaryFolder();
    const projectDir = join(closed, 'project');
    mkdirSync(projectDir);
    chmodSync(closed, 0o700);
    const hash = createHash('sha256').update(projectDir).digest('hex').slice(0, 8);
    const { dataDir, note } = resolveDataDir({ program, explicit: undefined, projectDir });
    expect(dataDir).toBe(`/var/lib/example/${basename(projectDir)}-${hash}`);
    expect(note).toContain(`cannot enter ${closed}`);
  });
});
