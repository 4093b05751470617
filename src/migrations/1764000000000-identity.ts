import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Users that come from Keystone are told apart by its ids: names are given again, ids are not. As a constraint and not as
 * a mere index, for that is what Citus distributes; of processes that meet somebody at once, it lets one make the user.
 */
export class Identity1764000000000 implements MigrationInterface {
  readonly name = 'Identity1764000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE users
      ADD COLUMN keystone_id text COLLATE "C",
      ADD CONSTRAINT users_by_keystone_id UNIQUE (project_id, keystone_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users DROP COLUMN keystone_id');
  }
}
