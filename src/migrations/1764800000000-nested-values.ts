import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An index of the scalars in arrays and objects of each document, whatever their keys are: 290 MB for a million devices with
 * eight of them. It answers filters with wildcards, which the index of whole paths cannot. Like that one, it includes blocks
 * of ids, and is created only with `btree_gin`.
 */
export class NestedValues1764800000000 implements MigrationInterface {
  readonly name = 'NestedValues1764800000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DO $$ BEGIN
      IF to_regclass('devices_by_block') IS NOT NULL THEN
        CREATE INDEX devices_by_nested_value ON devices USING gin (project_id, (id / 4096),
          jsonb_path_query_array(variables, 'strict $.*.**{1 to last} ? (@.type() != "object" && @.type() != "array")', '{}', true)
          jsonb_path_ops) WITH (gin_pending_list_limit = 256);
      END IF;
    END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX IF EXISTS devices_by_nested_value');
  }
}
