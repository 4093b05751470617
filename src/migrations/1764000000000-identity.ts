import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Identifies users from Keystone by their Keystone ids, because names can be reused. It is a constraint, because Citus
 * does not distribute plain unique indexes. It also lets only one of several processes register a new user.
 */
export class Identity1764000000000 implements MigrationInterface {
  readonly name = 'Identity1764000000000';

  async up(runner: QueryRunner): Promise<void> {
    // In two statements, as Citus adds constraints to distributed tables by statements of their own only.
    await runner.query('ALTER TABLE users ADD COLUMN keystone_id text COLLATE "C"');
    await runner.query(
      'ALTER TABLE users ADD CONSTRAINT users_by_keystone_id UNIQUE (project_id, keystone_id)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users DROP COLUMN keystone_id');
  }
}
