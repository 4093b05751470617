import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the setting that hides users and change records from users without roles. */
export class RestrictedReaders1764200000000 implements MigrationInterface {
  readonly name = 'RestrictedReaders1764200000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE project_settings ADD COLUMN restricts_readers boolean NOT NULL DEFAULT false',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE project_settings DROP COLUMN restricts_readers');
  }
}
