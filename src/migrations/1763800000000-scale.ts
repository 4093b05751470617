import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * For fleets of a million devices: records of changes that are written in batches, and an index that finds documents in
 * id order.
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
 * The index of documents includes blocks of ids. So matches are found block by block in id order, when there would be
 * too many to sort. It replaces the index without blocks and is not larger; a server without btree_gin keeps the
 * latter. The pending list is read for every block, so it is short.
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
  // The impact of a change in several batches is known only after its record was written, and records cannot be
  // updated.
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
  // Append-only, like change records.
  `DO $$ BEGIN
     IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'muster_app') THEN
       GRANT SELECT, INSERT ON change_impacts TO muster_app;
       REVOKE UPDATE, DELETE, TRUNCATE ON change_impacts FROM muster_app;
     END IF;
     REVOKE UPDATE, DELETE, TRUNCATE ON change_impacts FROM PUBLIC, CURRENT_USER;
   END $$`,
  // Creating many resources with one statement allocates their ids first, because they can refer to each other.
  `DO $$ BEGIN
     IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'muster_app') THEN
       GRANT USAGE ON SEQUENCE ${SEQUENCES} TO muster_app;
     END IF;
   END $$`,
  // A correlation is written by the statement that writes its record, and records are never deleted, so the foreign
  // key cannot fail. `muster-admin verify` checks the same. The lookup for each variable took an eighth of the time to
  // write a device with ten variables.
  `ALTER TABLE variable_correlations DROP CONSTRAINT ${CORRELATED_CHANGE}`,
];
