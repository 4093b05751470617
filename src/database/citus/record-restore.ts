import type { QueryRunner } from 'typeorm';
import { connectionErrorMessage, isDatabaseUnavailable } from '../errors/postgres-error';
import { recordRestoreOnPostgres } from '../restore-epoch';
import { citusError } from './citus-errors';
import { isDistributed, rowsOf } from './is-distributed';

/** See `recordRestoreOnPostgres`. */
export async function recordRestore(runner: QueryRunner): Promise<void> {
  if (!(await isDistributed(runner))) return recordRestoreOnPostgres(runner);
  try {
    await recordRestoreOnCitus(runner);
  } catch (thrown) {
    const error = citusError(thrown);
    if (!isDatabaseUnavailable(error)) throw error;
    // The service must be able to start for the projects on the other nodes.
    // Imported here, because commands that use no other part of Nest load this file.
    const { Logger } = await import('@nestjs/common');
    new Logger('Database').warn(
      `Restored change records were not searched: ${connectionErrorMessage(error)}. If projects were restored, start again when all nodes can be reached.`,
    );
  }
}

/** The same with queries that Citus supports: no recursive query, but a scan of all records. */
async function recordRestoreOnCitus(runner: QueryRunner): Promise<void> {
  const [known] = await rowsOf<{ next: string; noted: string }>(
    runner,
    `SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next, COALESCE(max(last_change_id), 0) AS noted
    FROM feed_restorations`,
  );
  const foreign = await rowsOf(
    runner,
    `SELECT c.id FROM changes c WHERE c.transaction_id >= $1::xid8 AND c.id > $2 LIMIT 1`,
    [known?.next, known?.noted],
  );
  if (foreign.length === 0) return;
  const [newest] = await rowsOf<{ id: string }>(runner, 'SELECT max(id) AS id FROM changes');
  await runner.query('INSERT INTO feed_restorations (last_change_id) VALUES ($1)', [newest?.id]);
}
