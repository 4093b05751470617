import { Client, type QueryResultRow } from 'pg';
import { until } from './until';

/** A statement that takes locks. */
interface Lock {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * Makes a name one that somebody else is about to take: whoever inserts a region of this name waits until the lock is
 * released, and nobody in other projects does.
 */
export const lockRegionName = (projectId: string, ...names: readonly string[]): Lock => ({
  text: 'INSERT INTO regions (project_id, name) SELECT $1, unnest($2::text[])',
  values: [projectId, names],
});

/** Stops every change of a project where it is about to write its record. */
export const lockRecordsOf = (projectId: string): Lock => ({
  text: "SELECT pg_advisory_xact_lock(hashtextextended('change records of ' || $1, 0))",
  values: [projectId],
});

/**
 * Somebody beside the service on its database, with all rights: holds locks that make requests wait for each other
 * just so, and looks at what the service does not show.
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
    // A server that goes away is for the next statement to tell.
    for (const client of [holder, watcher]) client.on('error', () => undefined);
    await Promise.all([holder.connect(), watcher.connect()]);
    const { rows } = await holder.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return new SecondConnection(holder, watcher, rows[0]!.pid);
  }

  /** Runs a statement, outside of what `while holding` holds. */
  async rows<T extends QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<T[]> {
    return (await this.watcher.query<T>(text, [...values])).rows;
  }

  /** Takes locks with a statement, and answers what lets go of them. */
  async acquire(lock: Lock): Promise<() => Promise<void>> {
    await this.holder.query('BEGIN');
    await this.holder.query(lock.text, [...lock.values]);
    return async () => {
      await this.holder.query('ROLLBACK');
    };
  }

  /**
   * Takes locks with a statement, lets `act` send requests that run into them, waits until so many do, and lets go.
   * @returns what `act` answers once all is done
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
   * Waits until so many connections wait for the locks that `hold` holds, directly or behind one another. Connections that
   * wait for somebody else do not count: other test files use the same database.
   */
  async waiting(count: number): Promise<void> {
    await until(`${String(count)} connections wait for the lock`, 60, async () => {
      const [row] = await this.rows<{ waiting: string }>(
        `WITH RECURSIVE blocked (pid) AS (
           SELECT $1::integer
           UNION
           SELECT a.pid FROM pg_stat_activity a JOIN blocked b ON b.pid = ANY (pg_blocking_pids(a.pid))
           WHERE a.wait_event_type = 'Lock'
         ) SELECT count(*) - 1 AS waiting FROM blocked`,
        [this.holderPid],
      );
      return Number(row?.waiting) >= count;
    });
  }

  /** The connections that wait for the locks that `hold` holds, without those that wait behind them. */
  async blockedPids(): Promise<number[]> {
    const rows = await this.rows<{ pid: number }>(
      'SELECT pid FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))',
      [this.holderPid],
    );
    return rows.map(({ pid }) => pid);
  }

  /** How often the database has ended a ring of waiting transactions. A connection tells when it is idle again. */
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
