import type { Queryable } from '../shared/persistence/database';
import { sql, type Sql } from '../shared/persistence/sql';

/** One advisory lock for each project. A transaction holds it until it ends. */
const lockOf = (projectId: string): Sql => sql`hashtextextended(${`change records of ${projectId}`}, 0)`;

/**
 * A change takes the lock, shared, before the id of its record is drawn. See `lockRecordOrder`.
 * @returns an expression
 */
export const sharedRecordLock = (projectId: string): Sql =>
  sql`pg_advisory_xact_lock_shared(${lockOf(projectId)})`;

/**
 * Makes an impact that is counted from now on agree with the ids of records: the transaction sees every change with a
 * smaller id. An id is drawn under the shared lock, and the lock is held until the commit. So a holder of the exclusive
 * lock has waited for all changes that have drawn an id, and no other change draws one before it commits. A holder of
 * the shared lock has waited for every holder of the exclusive lock.
 * @param mode exclusive for a change that alters what devices inherit
 */
export async function lockRecordOrder(
  on: Queryable,
  projectId: string,
  mode: 'shared' | 'exclusive',
): Promise<void> {
  await on.rows(
    mode === 'shared'
      ? sql`SELECT ${sharedRecordLock(projectId)}`
      : sql`SELECT pg_advisory_xact_lock(${lockOf(projectId)})`,
  );
}
