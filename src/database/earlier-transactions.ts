import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from './database';
import { sql } from './sql';

const POLL_INTERVAL_MS = 200;

/**
 * Waits until all transactions that are open now have ended, whether they have written or not.
 *
 * Each transaction holds a lock on its virtual transaction id, for which `CREATE INDEX CONCURRENTLY` waits, too:
 * https://www.postgresql.org/docs/current/view-pg-locks.html. This includes all databases of the server.
 * @param timeoutMs how long to wait
 * @returns whether all have ended
 */
export async function earlierTransactionsEnded(database: Database, timeoutMs: number): Promise<boolean> {
  const until = performance.now() + timeoutMs;
  let open = await openTransactions(database);
  while (open.size > 0 && performance.now() < until) {
    await delay(POLL_INTERVAL_MS);
    const still = await openTransactions(database);
    open = new Set([...open].filter((one) => still.has(one)));
  }
  return open.size === 0;
}

async function openTransactions(database: Database): Promise<ReadonlySet<string>> {
  const rows = await database.rows<{ virtualxid: string }>(sql`
    SELECT virtualxid FROM pg_locks
    WHERE locktype = 'virtualxid' AND mode = 'ExclusiveLock' AND granted AND pid <> pg_backend_pid()`);
  return new Set(rows.map(({ virtualxid }) => virtualxid));
}
