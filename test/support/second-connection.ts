import { Client, type QueryResultRow } from 'pg';
import { isOnCitus } from './test-database';
import { until } from './until';

/** A statement that takes locks. */
interface Lock {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * Blocks inserts of regions with these names in one project until the lock is released, as a concurrent insert of the
 * same name does.
 */
export const lockRegionName = (projectId: string, ...names: readonly string[]): Lock => ({
  text: 'INSERT INTO regions (project_id, name) SELECT $1, unnest($2::text[])',
  values: [projectId, names],
});

/** Blocks changes of rows, and references to them. Citus locks rows only on the node of a project. */
export const lockRows = (
  table: 'devices' | 'regions',
  projectId: string,
  ...ids: readonly number[]
): Lock => ({
  text: `SELECT FROM ${table} WHERE project_id = $1 AND id = ANY($2) ORDER BY id FOR UPDATE`,
  values: [projectId, ids],
});

/** Blocks every import of a project before it writes. */
export const lockProjectOf = (projectId: string): Lock => ({
  text: "SELECT pg_advisory_xact_lock(hashtextextended('project ' || $1, 0))",
  values: [projectId],
});

/** Blocks every change of a project before it writes its change record. */
export const lockRecordsOf = (projectId: string): Lock => ({
  text: "SELECT pg_advisory_xact_lock(hashtextextended('change records of ' || $1, 0))",
  values: [projectId],
});

/** The states of connections to look for, as conditions on `pg_stat_activity`. */
const STATES = {
  /** In any state. */
  all: 'true',
  /** With a statement, or in a transaction. The watchdog of the service asks all the time. */
  busy: "(state <> 'idle' OR backend_xmin IS NOT NULL) AND query <> 'SELECT 1 AS one'",
  /** With a snapshot: a streamed response has one between its statements, too. */
  streaming: 'backend_xmin IS NOT NULL',
} as const;

/**
 * A privileged connection to the service's database. It holds locks that block requests, and reads data that the API
 * does not show.
 */
export class SecondConnection {
  private constructor(
    private readonly holder: Client,
    private readonly watcher: Client,
    private readonly holderPid: number,
  ) {}

  static async connect(databaseUrl: string): Promise<SecondConnection> {
    const [holder, watcher] = [0, 1].map(() => new Client({ connectionString: databaseUrl })) as [
      Client,
      Client,
    ];
    // The next statement reports a lost connection.
    for (const client of [holder, watcher]) client.on('error', () => undefined);
    await Promise.all([holder.connect(), watcher.connect()]);
    const { rows } = await holder.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return new SecondConnection(holder, watcher, rows[0]!.pid);
  }

  /** Runs a statement outside the transaction that holds the locks. */
  async rows<T extends QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<T[]> {
    return (await this.watcher.query<T>(text, [...values])).rows;
  }

  /** Acquires locks with a statement. @returns a function that releases them */
  async acquire(lock: Lock): Promise<() => Promise<void>> {
    await this.holder.query('BEGIN');
    await this.holder.query(lock.text, [...lock.values]);
    return async () => {
      await this.holder.query('ROLLBACK');
    };
  }

  /**
   * Acquires locks with a statement, runs `act`, waits until `untilWaiting` connections wait for the locks, and
   * releases them. @returns the result of `act`
   */
  async whileHolding<T>(lock: Lock, act: () => Promise<T>, untilWaiting: number): Promise<T> {
    const release = await this.acquire(lock);
    const done = act();
    try {
      await this.waiting(untilWaiting);
    } finally {
      await release();
    }
    return done;
  }

  /**
   * Waits until `count` connections wait for the acquired locks, directly or behind one another. Other lock waiters
   * do not count, because other test files use the same database.
   */
  async waiting(count: number): Promise<void> {
    await this.waitingFor(this.holderPid, count);
  }

  /** The same for the locks of another connection. */
  async waitingFor(holderPid: number, count: number): Promise<void> {
    await until(`${String(count)} connections wait for the lock`, 60, async () => {
      const [row] = await this.rows<{ waiting: string }>(
        `WITH RECURSIVE waits AS MATERIALIZED (${lockWaits()}), blocked (pid) AS (
           SELECT $1::integer
           UNION
           SELECT w.pid FROM waits w JOIN blocked b ON b.pid = w.blocking_pid
         ) SELECT count(*) - 1 AS waiting FROM blocked`,
        [holderPid],
      );
      return Number(row?.waiting) >= count;
    });
  }

  /** The connections that wait directly for the acquired locks. */
  async blockedPids(): Promise<number[]> {
    const rows = await this.rows<{ pid: number }>(
      `SELECT DISTINCT pid FROM (${lockWaits()}) AS waits WHERE blocking_pid = $1`,
      [this.holderPid],
    );
    return rows.map(({ pid }) => pid);
  }

  /** The connections of the service to its database. No request shows them: a metric shows what the service believes. */
  async servicePids(state: keyof typeof STATES): Promise<number[]> {
    const rows = await this.rows<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'
         AND pid NOT IN (pg_backend_pid(), $1) AND ${STATES[state]}`,
      [this.holderPid],
    );
    return rows.map(({ pid }) => pid);
  }

  /** Waits until no connection of the service has a statement or a transaction. */
  async untilIdle(): Promise<void> {
    await until(
      'no database session is active',
      60,
      async () => (await this.servicePids('busy')).length === 0,
    );
  }

  /** Terminates connections, as an administrator does, and waits until they have ended. */
  async terminate(pids: readonly number[]): Promise<void> {
    await this.rows('SELECT pg_terminate_backend(pid, 60000) FROM unnest($1::integer[]) AS pid', [pids]);
  }

  /** The number of deadlocks in the database. A connection reports them when it is idle again. */
  async deadlocks(): Promise<number> {
    const [row] = await this.rows<{ deadlocks: string }>(
      'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
    );
    return Number(row?.deadlocks);
  }

  async close(): Promise<void> {
    await Promise.all([this.holder.end(), this.watcher.end()]);
  }
}

/**
 * A query for the connections to this server that wait for locks, and those that they wait for. On Citus, they wait on
 * any node, and the global id of a connection is its process id plus the number of its node, times 10 billion.
 */
const lockWaits = (): string =>
  isOnCitus()
    ? `SELECT (waiting_gpid % 10000000000)::integer AS pid, (blocking_gpid % 10000000000)::integer AS blocking_pid
       FROM citus_lock_waits`
    : `SELECT a.pid, unnest(pg_blocking_pids(a.pid)) AS blocking_pid FROM pg_stat_activity a WHERE a.wait_event_type = 'Lock'`;
