import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the setting that every device of a project has an address of its own. */
export class UniqueAddresses1764100000000 implements MigrationInterface {
  readonly name = 'UniqueAddresses1764100000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE project_settings ADD COLUMN unique_addresses boolean NOT NULL DEFAULT false',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE project_settings DROP COLUMN unique_addresses');
  }
}
