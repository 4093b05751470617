import type { QueryRunner } from 'typeorm';

/**
 * Records the id up to which change records were written in another database cluster and restored into this one. No
 * transaction of this cluster can have a transaction id beyond the snapshot, so a record with such an id was restored,
 * and with it all existing records. See ADR 14.
 */
export async function recordRestoreOnPostgres(runner: QueryRunner): Promise<void> {
  await runner.query(`
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
}
