import type { Queryable } from '../database/database';
import { sql, type Sql } from '../database/sql';

/** One advisory lock for each project. A transaction holds it until it ends. */
const lockOf = (projectId: string): Sql => sql`hashtextextended(${`change records of ${projectId}`}, 0)`;

/**
 * Every change takes the lock in shared mode before its record id is assigned, except changes written in parts (ADR 17).
 * See `lockRecordOrder`.
 * @returns an expression
 */
export const sharedRecordLock = (projectId: string): Sql =>
  sql`pg_advisory_xact_lock_shared(${lockOf(projectId)})`;

/**
 * Makes an impact that is counted from now on agree with the ids of records: the transaction sees every change with a
 * smaller id, except changes written in parts (ADR 17), which do not take the lock. All other changes assign the id while
 * they hold the lock in shared mode, and hold it until they commit. A holder of the exclusive lock has therefore waited
 * for all changes that have an id, and no other change gets one before it commits. A holder of the shared lock has waited
 * for every holder of the exclusive lock.
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
