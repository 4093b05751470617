import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a fleet of a million devices needs: records of changes that are written part by part, and an index that finds
 * documents in the order of ids.
 */
export class Scale1763800000000 implements MigrationInterface {
  readonly name = 'Scale1763800000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...tables, ...inBlocks]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [...asAWhole, ...undone]) await runner.query(statement);
  }
}

const SEQUENCES = 'clouds_id_seq, labels_id_seq, regions_id_seq, cells_id_seq, devices_id_seq';

const CORRELATED_CHANGE = 'variable_correlations_project_id_change_id_fkey';

/**
 * The index of documents knows blocks of ids, too: so it finds what matches a block at a time, in the order of ids, where
 * all that matches would be too much to sort. It takes no more room than the one without, which it replaces; a server
 * that has no btree_gin keeps that. Its list of what is not yet in order is read for every block: so it is kept short.
 */
const inBlocks = [
  `DO $$ BEGIN
     IF EXISTS (SELECT FROM pg_extension WHERE extname = 'btree_gin') THEN
       CREATE INDEX devices_by_block ON devices USING gin (project_id, (id / 4096), variables jsonb_path_ops)
         WITH (gin_pending_list_limit = 256);
       DROP INDEX devices_by_variables;
     END IF;
   END $$`,
];

const asAWhole = [
  `DO $$ BEGIN
     IF to_regclass('devices_by_block') IS NOT NULL THEN
       CREATE INDEX devices_by_variables ON devices USING gin (project_id, variables jsonb_path_ops);
       DROP INDEX devices_by_block;
     END IF;
   END $$`,
];

const undone = [
  `ALTER TABLE variable_correlations ADD CONSTRAINT ${CORRELATED_CHANGE}
    FOREIGN KEY (project_id, change_id) REFERENCES changes (project_id, id)`,
  `DO $$ BEGIN
     IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'muster_app') THEN
       REVOKE USAGE ON SEQUENCE ${SEQUENCES} FROM muster_app;
     END IF;
   END $$`,
  `DROP TABLE change_impacts`,
];

const tables = [
  // The impact of a change that is too large for one statement is known when its record stands already, and a record
  // cannot be altered.
  `CREATE TABLE change_impacts (
    project_id uuid NOT NULL,
    change_id bigint NOT NULL,
    devices bigint NOT NULL,
    public bigint NOT NULL,
    hiding text[] NOT NULL,
    -- The resources that the change touched.
    objects bigint NOT NULL,
    PRIMARY KEY (project_id, change_id),
    FOREIGN KEY (project_id, change_id) REFERENCES changes (project_id, id)
  )`,
  // As append-only as the records that it belongs to.
  `DO $$ BEGIN
     IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'muster_app') THEN
       GRANT SELECT, INSERT ON change_impacts TO muster_app;
       REVOKE UPDATE, DELETE, TRUNCATE ON change_impacts FROM muster_app;
     END IF;
     REVOKE UPDATE, DELETE, TRUNCATE ON change_impacts FROM PUBLIC, CURRENT_USER;
   END $$`,
  // Whoever makes many resources with one statement draws their ids first: they may refer to each other.
  `DO $$ BEGIN
     IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'muster_app') THEN
       GRANT USAGE ON SEQUENCE ${SEQUENCES} TO muster_app;
     END IF;
   END $$`,
  // A correlation is written by the statement that writes its record, and records are never deleted, so there is nothing
  // that the key could refuse; `muster-admin verify` proves what it said, and more. It was looked up for each variable
  // that is set: of what the database does to write a device with ten, that was an eighth.
  `ALTER TABLE variable_correlations DROP CONSTRAINT ${CORRELATED_CHANGE}`,
];
