import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Indexes for the search. `devices_by_trigrams` finds devices by a part of their name, and takes 37 MB for a million
 * devices. Like the index of their documents, it includes blocks of ids. Without the extension `pg_trgm`, names are found
 * by their beginning only. Without `btree_gin`, the search reads the documents of all regions, cells and labels.
 */
export class Search1764400000000 implements MigrationInterface {
  readonly name = 'Search1764400000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [documents, names]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    const levels = LEVELS.map((table) => `${table}_by_variables`).join(', ');
    await runner.query(`DROP INDEX IF EXISTS devices_by_trigrams, ${levels}`);
  }
}

const LEVELS = ['regions', 'cells', 'labels'];

const onLevel = (table: string) => `CREATE INDEX ${table}_by_variables ON ${table}
  USING gin (project_id, variables jsonb_path_ops) WITH (gin_pending_list_limit = 256);`;

const documents = `
  DO $$ BEGIN
    IF EXISTS (SELECT FROM pg_extension WHERE extname = 'btree_gin') THEN ${LEVELS.map(onLevel).join('')} END IF;
  END $$`;

const names = `
  DO $$ BEGIN
    IF EXISTS (SELECT FROM pg_extension WHERE extname = 'btree_gin') THEN
      CREATE EXTENSION IF NOT EXISTS pg_trgm;
      CREATE INDEX devices_by_trigrams ON devices USING gin (project_id, (id / 4096), name gin_trgm_ops)
        WITH (gin_pending_list_limit = 256);
    END IF;
  -- The last one: the extension is in a schema that is not searched.
  EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN NULL;
  END $$`;
