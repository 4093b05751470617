import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The text columns that lists are sorted by, and that had the collation of the database. */
const COLUMNS = [
  ['clouds', 'note'],
  ['regions', 'note'],
  ['cells', 'note'],
  ['devices', 'note'],
  ['variable_definitions', 'description'],
  ['audits', 'description'],
  ['audits', 'vars'],
  ['changes', 'request_id'],
];

/**
 * Sorts lists by code points in every database, as other columns are. It rewrites no table; of the indexes, only the one of
 * request ids is built again.
 */
export class Collations1764930000000 implements MigrationInterface {
  readonly name = 'Collations1764930000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const [table = '', column = ''] of COLUMNS)
      await runner.query(`ALTER TABLE ${table} ALTER COLUMN ${column} TYPE text COLLATE "C"`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table = '', column = ''] of COLUMNS)
      await runner.query(`ALTER TABLE ${table} ALTER COLUMN ${column} TYPE text COLLATE "default"`);
  }
}
