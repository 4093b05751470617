import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Finds resources by their UUIDs. These are constraints, because Citus does not distribute plain unique indexes. The
 * UUID of a project is its id.
 */
export class Addresses1763900000000 implements MigrationInterface {
  readonly name = 'Addresses1763900000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES)
      await runner.query(`ALTER TABLE ${table} ADD CONSTRAINT ${table}_by_uuid UNIQUE (project_id, uuid)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`ALTER TABLE ${table} DROP CONSTRAINT ${table}_by_uuid`);
  }
}

const TABLES = [
  'users',
  'clouds',
  'labels',
  'regions',
  'cells',
  'devices',
  'access_secrets',
  'variable_definitions',
  'audits',
];
