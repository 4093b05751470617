import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds to change records what point-in-time reads and the feed need: the impact, the ids of labels, and the transaction
 * id. Adds tables for project settings, variable definitions, audits and idempotency keys.
 */
export class Governance1763700000000 implements MigrationInterface {
  readonly name = 'Governance1763700000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...records, ...tables]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `DROP TABLE idempotency_keys, audits, variable_definitions, feed_restorations, project_settings`,
    );
    await runner.query(`DROP INDEX change_objects_by_region`);
    await runner.query(`ALTER TABLE change_objects DROP COLUMN labels_before, DROP COLUMN labels_after`);
    await runner.query(
      `ALTER TABLE changes DROP COLUMN impact_devices, DROP COLUMN impact_public, DROP COLUMN impact_hiding,
        DROP COLUMN transaction_id`,
    );
  }
}

/**
 * The names of labels by change: a name means the label that had it last. It is a temporary table, because every record
 * looks up each of its names, and there can be millions of records.
 */
const nameLabels = [
  `CREATE TEMPORARY TABLE label_names AS
    SELECT r.project_id, named.label COLLATE "C" AS label, r.change_id, r.object_id AS label_id
    FROM change_objects r CROSS JOIN LATERAL (SELECT r.after ->> 'label' UNION SELECT r.before ->> 'label') named (label)
    WHERE r.kind = 'label' AND named.label IS NOT NULL`,
  `CREATE INDEX label_names_by_name ON label_names (project_id, label, change_id)`,
  `ANALYZE label_names`,
];

/** The ids of the labels with these names at the time of a change. */
const labelsNamed = (side: string) => `
  CASE WHEN o.${side} ? 'labels' AND o.kind <> 'label' THEN ARRAY(
    SELECT (SELECT n.label_id FROM label_names n WHERE n.project_id = o.project_id
      AND n.label = named.label COLLATE "C" AND n.change_id <= o.change_id
      ORDER BY n.change_id DESC LIMIT 1) AS label_id
    FROM unnest(string_to_array(NULLIF(o.${side} ->> 'labels', ''), ',')) AS named (label) ORDER BY label_id) END`;

const records = [
  // The number of affected devices, the number affected by variables that all callers see, and the keys that were
  // hidden at that time. NULL for records from before this migration.
  `ALTER TABLE changes ADD COLUMN impact_devices bigint, ADD COLUMN impact_public bigint,
    ADD COLUMN impact_hiding text[]`,
  // Ids become visible in the order of commits, not in their own order. No earlier record can appear once all
  // transactions that could have written one have ended.
  `ALTER TABLE changes ADD COLUMN transaction_id xid8 NOT NULL DEFAULT pg_current_xact_id()`,
  `CREATE INDEX changes_by_transaction ON changes (project_id, transaction_id, id)`,
  // The ids of labels. Recorded members contain names, which can change.
  `ALTER TABLE change_objects ADD COLUMN labels_before bigint[], ADD COLUMN labels_after bigint[]`,
  ...nameLabels,
  // No role may update records, not even their owner, who is granted the privilege for this statement only.
  `GRANT UPDATE ON change_objects TO CURRENT_USER`,
  `UPDATE change_objects o SET labels_before = ${labelsNamed('before')}, labels_after = ${labelsNamed('after')}
    WHERE o.before ? 'labels' OR o.after ? 'labels'`,
  `REVOKE UPDATE ON change_objects FROM CURRENT_USER`,
  `DROP TABLE label_names`,
  // Finds the cells that were ever in a region, for point-in-time reads.
  `CREATE INDEX change_objects_by_region ON change_objects (project_id, (after ->> 'region_id'), object_id)
    WHERE kind = 'cell'`,
];

const common = `
  project_id uuid NOT NULL REFERENCES projects (id),
  id bigint GENERATED ALWAYS AS IDENTITY,
  uuid uuid NOT NULL DEFAULT gen_random_uuid(),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz,
  version bigint NOT NULL DEFAULT 1,
  PRIMARY KEY (project_id, id)`;

const tables = [
  // One row for each project whose settings were written.
  `CREATE TABLE project_settings (
    project_id uuid PRIMARY KEY REFERENCES projects (id),
    id uuid NOT NULL GENERATED ALWAYS AS (project_id) STORED,
    change_reason jsonb CHECK (jsonb_typeof(change_reason) = 'object'),
    private jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(private) = 'array'),
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz,
    version bigint NOT NULL DEFAULT 1
  )`,
  // Records that were restored from another database cluster have that cluster's transaction ids, which are meaningless
  // here. Up to this id, all records are complete.
  `CREATE TABLE feed_restorations (
    last_change_id bigint PRIMARY KEY,
    noticed_at timestamptz NOT NULL DEFAULT now()
  )`,
  `CREATE TABLE variable_definitions (${common},
    -- A key, or a prefix of keys followed by an asterisk.
    key text COLLATE "C" NOT NULL,
    description text,
    schema jsonb NOT NULL CHECK (jsonb_typeof(schema) IN ('object', 'boolean')),
    UNIQUE (project_id, key)
  )`,
  `CREATE TABLE audits (${common},
    name text COLLATE "C" NOT NULL,
    description text,
    -- The kind of device that it targets; NULL: all kinds.
    kind text COLLATE "C",
    -- The devices that it targets, as a filter by variables; NULL: all devices.
    vars text,
    -- The condition that the devices must meet.
    expectation jsonb NOT NULL CHECK (jsonb_typeof(expectation) = 'object'),
    -- The keys of variables in both.
    keys text[] NOT NULL,
    UNIQUE (project_id, name)
  )`,
  // Stored responses for retried requests. Encrypted, because some contain API keys, which are shown once. A response
  // is NULL only within the transaction that writes it.
  `CREATE TABLE idempotency_keys (
    project_id uuid NOT NULL,
    user_id bigint NOT NULL,
    key text COLLATE "C" NOT NULL,
    answer bytea,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (project_id, user_id, key)
  )`,
  `CREATE INDEX idempotency_keys_by_time ON idempotency_keys (project_id, created_at)`,
];
