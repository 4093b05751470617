import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from './database';
import { sql } from './sql';

/** In milliseconds. */
const LOOK_EVERY = 200;

/**
 * Waits until every transaction has ended that is open by now, whether it has written or not yet.
 *
 * Each holds a lock on a number of its own, which everybody may see (as `CREATE INDEX CONCURRENTLY` waits for them, too):
 * https://www.postgresql.org/docs/current/view-pg-locks.html. They are those of all databases of the server.
 * @param timeoutMs how long to wait
 * @returns whether all have
 */
export async function earlierTransactionsEnded(database: Database, timeoutMs: number): Promise<boolean> {
  const until = performance.now() + timeoutMs;
  let open = await openTransactions(database);
  while (open.size > 0 && performance.now() < until) {
    await delay(LOOK_EVERY);
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
