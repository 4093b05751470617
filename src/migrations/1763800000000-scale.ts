import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a fleet of a million devices needs: records of changes that are written part by part. */
export class Scale1763800000000 implements MigrationInterface {
  readonly name = 'Scale1763800000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of tables) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of undone) await runner.query(statement);
  }
}

const SEQUENCES = 'clouds_id_seq, labels_id_seq, regions_id_seq, cells_id_seq, devices_id_seq';

const undone = [
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
];
