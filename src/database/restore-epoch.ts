import type { QueryRunner } from 'typeorm';
import { connectionErrorMessage, isDatabaseUnavailable } from './errors/postgres-error';

/**
 * Records the id up to which change records were written in another database cluster and restored into this one. No
 * transaction of this cluster can have a transaction id beyond the snapshot, so a record with such an id was restored,
 * and with it all existing records. See ADR 14.
 */
export async function recordRestore(runner: QueryRunner): Promise<void> {
  if (!(await isDistributed(runner))) {
    await recordOnPostgres(runner);
    return;
  }
  try {
    await recordOnCitus(runner);
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    // The service must be able to start for the projects on the other nodes.
    // Imported here, because commands that use no other part of Nest load this file.
    const { Logger } = await import('@nestjs/common');
    new Logger('Database').warn(
      `Restored change records were not searched: ${connectionErrorMessage(error)}. If projects were restored, start again when all nodes can be reached.`,
    );
  }
}

const recordOnPostgres = (runner: QueryRunner): Promise<unknown> =>
  runner.query(`
    WITH RECURSIVE recorded (project_id) AS (
      (SELECT project_id FROM changes ORDER BY project_id LIMIT 1)
      UNION ALL
      SELECT (SELECT c.project_id FROM changes c WHERE c.project_id > recorded.project_id ORDER BY c.project_id LIMIT 1)
      FROM recorded WHERE recorded.project_id IS NOT NULL
    ), noted (id) AS (SELECT COALESCE(max(last_change_id), 0) FROM feed_restorations)
    INSERT INTO feed_restorations (last_change_id)
    SELECT max(newest.id) FROM recorded CROSS JOIN LATERAL (
      SELECT c.id FROM changes c WHERE c.project_id = recorded.project_id ORDER BY c.id DESC LIMIT 1
    ) newest
    HAVING EXISTS (SELECT FROM recorded, noted, LATERAL (
      SELECT c.id FROM changes c WHERE c.project_id = recorded.project_id
        AND c.transaction_id >= pg_snapshot_xmax(pg_current_snapshot()) ORDER BY c.transaction_id OFFSET 0
    ) foreign_record WHERE foreign_record.id > noted.id)`);

/** Whether the records are distributed by Citus. */
export async function isDistributed(runner: QueryRunner): Promise<boolean> {
  const [citus] = (await runner.query(`SELECT to_regclass('pg_dist_partition') AS metadata`)) as {
    metadata: string | null;
  }[];
  if (!citus?.metadata) return false;
  const found = (await runner.query(
    `SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass('changes')`,
  )) as unknown[];
  return found.length > 0;
}

/** The same with queries that Citus supports: no recursive query, but a scan of all records. */
async function recordOnCitus(runner: QueryRunner): Promise<void> {
  const [known] = (await runner.query(
    `SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next, COALESCE(max(last_change_id), 0) AS noted
    FROM feed_restorations`,
  )) as { next: string; noted: string }[];
  const foreign = (await runner.query(
    `SELECT c.id FROM changes c WHERE c.transaction_id >= $1::xid8 AND c.id > $2 LIMIT 1`,
    [known?.next, known?.noted],
  )) as unknown[];
  if (foreign.length === 0) return;
  const [newest] = (await runner.query('SELECT max(id) AS id FROM changes')) as { id: string }[];
  await runner.query('INSERT INTO feed_restorations (last_change_id) VALUES ($1)', [newest?.id]);
}
