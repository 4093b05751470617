import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Lets the service update the planner's statistics of the tables that imports fill. Before PostgreSQL 17, only their
 * owner can, and autovacuum does it. The append-only tables are not included, so that the service cannot lock them.
 */
export class Analyze1764410000000 implements MigrationInterface {
  readonly name = 'Analyze1764410000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(forServiceRole('GRANT MAINTAIN', 'TO'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(forServiceRole('REVOKE MAINTAIN', 'FROM'));
  }
}

const forServiceRole = (privilege: string, preposition: string): string => `DO $$ BEGIN
  IF current_setting('server_version_num')::integer >= 170000
      AND EXISTS (SELECT FROM pg_roles WHERE rolname = 'muster_app') THEN
    ${privilege} ON clouds, labels, regions, region_labels, cells, cell_labels, devices, device_labels,
      variable_correlations ${preposition} muster_app;
  END IF;
END $$`;
