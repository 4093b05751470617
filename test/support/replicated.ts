import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '@muster/embedded-postgres';
import { Client, type QueryResultRow } from 'pg';
import { admin } from './admin';
import { processesOn, signal, suspendPostgres } from './system-processes';
import type { TestDatabase } from './test-database';
import { until } from './until';

const DATABASE = 'replicated';

/** A PostgreSQL server for one test. */
export class Server {
  private constructor(
    private readonly dataDir: string,
    private readonly settings: Readonly<Record<string, string>>,
    private postgres: EmbeddedPostgres,
  ) {}

  static async start(dataDir: string, settings: Readonly<Record<string, string>>): Promise<Server> {
    return new Server(dataDir, settings, await startPostgres(dataDir, settings));
  }

  get host(): string {
    return this.postgres.host;
  }

  get url(): string {
    return urlOf(this.postgres, DATABASE);
  }

  private get postmaster(): number {
    return Number.parseInt(readFileSync(join(this.dataDir, 'postgres/postmaster.pid'), 'utf8'), 10);
  }

  async rows<R extends QueryResultRow>(text: string, database = DATABASE): Promise<R[]> {
    const client = new Client({ connectionString: urlOf(this.postgres, database) });
    await client.connect();
    try {
      return (await client.query<R>(text)).rows;
    } finally {
      await client.end();
    }
  }

  async stop(): Promise<void> {
    await this.postgres.stop();
  }

  /** Kills the server like a power failure, without a restart. */
  async die(): Promise<void> {
    process.kill(this.postmaster, 'SIGKILL');
    // The embedded server's supervisor would restart it.
    await this.postgres.stop();
  }

  /** Suspends all its processes, so that it does not respond. @returns a function that resumes them */
  suspend(): () => void {
    const pids = suspendPostgres(this.postmaster, () => processesOn(this.dataDir));
    return () => {
      signal(pids, 'SIGCONT');
    };
  }

  async startAgain(): Promise<void> {
    this.postgres = await startPostgres(this.dataDir, this.settings);
  }
}

/** A standby whose replay can be paused. */
export class Standby {
  constructor(
    readonly server: Server,
    private readonly primary: Server,
    private readonly name: string,
  ) {}

  /** Pauses the replay. */
  async pause(): Promise<void> {
    await this.server.rows('SELECT pg_wal_replay_pause()');
    await until('the replica pauses', 60, async () => {
      const [row] = await this.server.rows<{ state: string }>(
        'SELECT pg_get_wal_replay_pause_state() AS state',
      );
      return row?.state === 'paused';
    });
  }

  async resume(): Promise<void> {
    await this.server.rows('SELECT pg_wal_replay_resume()');
  }

  /** Promotes the standby to a primary. */
  async promote(): Promise<void> {
    await this.server.rows('SELECT pg_promote()');
  }

  /** Follows another primary. */
  async follow(primary: Server): Promise<void> {
    await this.server.rows(`ALTER SYSTEM SET primary_conninfo = '${conninfoOf(primary, this.name)}'`);
    await this.server.rows('SELECT pg_reload_conf()');
  }

  /** Delays the replay of each commit. */
  async delay(time: string): Promise<void> {
    await this.server.rows(`ALTER SYSTEM SET recovery_min_apply_delay = '${time}'`);
    await this.server.rows('SELECT pg_reload_conf()');
  }

  /** Waits until it has replayed all WAL written so far. */
  async catchUp(): Promise<void> {
    const [now] = await this.primary.rows<{ at: string }>('SELECT pg_current_wal_flush_lsn() AS at');
    await until('the replica has caught up', 60, async () => {
      const [row] = await this.server.rows<{ there: boolean }>(
        `SELECT pg_last_wal_replay_lsn() >= '${now?.at ?? ''}' AS there`,
      );
      return row?.there === true;
    });
  }
}

/** A primary with a migrated database, and its standbys. */
export interface Replicated {
  readonly primary: Server;
  readonly standbys: readonly Standby[];
  /** The settings of a service that reads from all standbys. */
  readonly environment: Record<string, string>;
  /** The primary's database. Dropping it stops all servers. */
  readonly database: TestDatabase;
}

/**
 * Locks a table on the primary, and waits until each standby holds the lock too: until then it still answers reads of the table.
 * @returns a function that releases the lock
 */
export async function lockOnAllServers(
  { primary, standbys }: Replicated,
  table: string,
): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: primary.url });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    // The WAL of an open transaction is sent only with later WAL.
    await primary.rows('SELECT pg_switch_wal()');
    await Promise.all(standbys.map((standby) => standby.catchUp()));
  } catch (error) {
    await client.end();
    throw error;
  }
  return () => client.end();
}

/**
 * Sends reads until one of them waits for a lock on a standby. A busy standby may be out of use for a moment: reads then wait on the primary.
 * @returns the server processes that wait
 */
export async function untilReadWaits({ standbys }: Replicated, sendRead: () => void): Promise<number[]> {
  let waiting: number[] = [];
  await until('a read waits on a replica', 60, async () => {
    sendRead();
    const rows = standbys.map(({ server }) =>
      server.rows<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE application_name = 'muster' AND wait_event_type = 'Lock'`,
      ),
    );
    waiting = (await Promise.all(rows)).flat().map(({ pid }) => pid);
    return waiting.length > 0;
  });
  return waiting;
}

/**
 * Starts a standby of another cluster, without its primary.
 * @param role a role that the connections to it use
 */
export async function startForeignStandby(role: string): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), `muster-test-${String(process.pid)}-foreign-`));
  chmodSync(folder, 0o755);
  const dataDir = join(folder, 'server');
  const server = await Server.start(dataDir, { wal_level: 'replica', max_wal_senders: '5' });
  const drop = async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await server.rows(`CREATE DATABASE ${DATABASE}`, 'postgres');
    await server.rows(`CREATE ROLE ${role}`);
    await server.stop();
    becomeStandby(dataDir);
    await server.startAgain();
    return { url: server.url, name: DATABASE, drop };
  } catch (error) {
    await drop();
    throw error;
  }
}

/**
 * Starts servers in streaming replication.
 * @param count the number of standbys
 * @param isSynchronous whether a commit waits for the first standby
 */
export async function startReplicated(count: number, isSynchronous = false): Promise<Replicated> {
  const folder = mkdtempSync(join(tmpdir(), `muster-test-${String(process.pid)}-replicated-`));
  chmodSync(folder, 0o755);
  const of = (name: string) => join(folder, name);
  // Commits wait for the WAL as in production, but not for the disk.
  const settings = {
    wal_level: 'replica',
    max_wal_senders: '5',
    wal_keep_size: '256MB',
    // A standby reconnects to its primary at once.
    wal_retrieve_retry_interval: '100ms',
    synchronous_commit: 'on',
  };
  const running: Server[] = [];
  const stop = async () => {
    await Promise.all(running.map((server) => server.stop()));
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const primary = await Server.start(of('primary'), settings);
    running.push(primary);
    await primary.rows(`CREATE DATABASE ${DATABASE}`, 'postgres');
    const { code, stderr } = await admin(['migrate'], { DATABASE_URL: primary.url });
    if (code !== 0) throw new Error(`muster-admin migrate failed: ${stderr}`);
    // The data folder of a stopped server can be copied.
    await primary.stop();
    const names = Array.from({ length: count }, (_, standby) => nameOf(standby));
    for (const name of names) copyCluster(of('primary'), of(name));
    await primary.startAgain();
    const starts = names.map(async (name) => {
      // In the file, because a command-line setting cannot be changed while the server runs.
      setting(of(name), 'primary_conninfo', conninfoOf(primary, name));
      const server = await Server.start(of(name), settings);
      running.push(server);
      return new Standby(server, primary, name);
    });
    await Promise.allSettled(starts);
    const standbys = await Promise.all(starts);
    if (isSynchronous) {
      await primary.rows(`ALTER SYSTEM SET synchronous_standby_names = '"${nameOf(0)}"'`);
      await primary.rows('SELECT pg_reload_conf()');
      await until('commits wait for a standby', 30, async () => {
        const rows = await primary.rows(`SELECT FROM pg_stat_replication WHERE sync_state = 'sync'`);
        return rows.length === 1;
      });
    }
    const environment = {
      DATABASE_URL: primary.url,
      DATABASE_REPLICA_URLS: standbys.map(({ server }) => server.url).join(','),
    };
    const database = { url: primary.url, name: DATABASE, drop: stop };
    return { primary, standbys, environment, database };
  } catch (error) {
    await stop();
    throw error;
  }
}

const nameOf = (standby: number): string => `standby-${String(standby)}`;

const conninfoOf = ({ host }: Server, name: string): string =>
  `host=${host} port=5432 user=postgres application_name=${name}`;

function setting(dataDir: string, name: string, value: string): void {
  appendFileSync(join(dataDir, 'postgres', 'postgresql.auto.conf'), `${name} = '${value}'\n`);
}

function startPostgres(
  dataDir: string,
  settings: Readonly<Record<string, string>>,
): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ dataDir, role: 'service', durable: false, settings });
}

function urlOf({ host, port, user }: EmbeddedPostgres, database: string): string {
  return `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(host)}&port=${String(port)}`;
}

/** Copies a cluster with its owner, for a standby. */
function copyCluster(from: string, to: string): void {
  mkdirSync(to, { mode: 0o700 });
  const { uid, gid } = statSync(join(from, 'postgres'));
  chownSync(to, uid, gid);
  execFileSync('cp', ['-a', join(from, 'postgres'), join(to, 'postgres')]);
  becomeStandby(to);
}

/** Makes the server start in standby mode. */
function becomeStandby(dataDir: string): void {
  const { uid, gid } = statSync(join(dataDir, 'postgres'));
  const file = join(dataDir, 'postgres', 'standby.signal');
  appendFileSync(file, '');
  chownSync(file, uid, gid);
}
