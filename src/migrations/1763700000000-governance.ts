import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What change records need so that every moment can be told again, and followed as it comes: the impact, the labels
 * by their ids, and the transaction; and where a project's settings, definitions, audits and repeated requests stand.
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
 * Which label was called what, by which change: a name means the label that had it last. In a table of its own, because
 * every record asks for each of its names, and there may be millions of them.
 */
const nameLabels = [
  `CREATE TEMPORARY TABLE label_names AS
    SELECT r.project_id, named.label COLLATE "C" AS label, r.change_id, r.object_id AS label_id
    FROM change_objects r CROSS JOIN LATERAL (SELECT r.after ->> 'label' UNION SELECT r.before ->> 'label') named (label)
    WHERE r.kind = 'label' AND named.label IS NOT NULL`,
  `CREATE INDEX label_names_by_name ON label_names (project_id, label, change_id)`,
  `ANALYZE label_names`,
];

/** The ids of the labels of these names as they were named when a change was made. */
const labelsNamed = (side: string) => `
  CASE WHEN o.${side} ? 'labels' AND o.kind <> 'label' THEN ARRAY(
    SELECT (SELECT n.label_id FROM label_names n WHERE n.project_id = o.project_id
      AND n.label = named.label COLLATE "C" AND n.change_id <= o.change_id
      ORDER BY n.change_id DESC LIMIT 1) AS label_id
    FROM unnest(string_to_array(NULLIF(o.${side} ->> 'labels', ''), ',')) AS named (label) ORDER BY label_id) END`;

const records = [
  // Which devices a change altered: for how many, and for how many by variables that are hidden from nobody; and what
  // was hidden then. Records from before this migration do not know.
  `ALTER TABLE changes ADD COLUMN impact_devices bigint, ADD COLUMN impact_public bigint,
    ADD COLUMN impact_hiding text[]`,
  // Ids become visible in the order of commits, which is not theirs: what tells a reader that nothing earlier can come
  // any more is that no transaction is open which could bring it.
  `ALTER TABLE changes ADD COLUMN transaction_id xid8 NOT NULL DEFAULT pg_current_xact_id()`,
  `CREATE INDEX changes_by_transaction ON changes (project_id, transaction_id, id)`,
  // Labels by id: members tell their names as they were, and names can be changed.
  `ALTER TABLE change_objects ADD COLUMN labels_before bigint[], ADD COLUMN labels_after bigint[]`,
  ...nameLabels,
  // Nobody may update records, their owner included; it takes the right for this statement alone.
  `GRANT UPDATE ON change_objects TO CURRENT_USER`,
  `UPDATE change_objects o SET labels_before = ${labelsNamed('before')}, labels_after = ${labelsNamed('after')}
    WHERE o.before ? 'labels' OR o.after ? 'labels'`,
  `REVOKE UPDATE ON change_objects FROM CURRENT_USER`,
  `DROP TABLE label_names`,
  // Which cells were ever in a region, so that a region of the past finds its own.
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
  // One row for a project whose settings were ever written.
  `CREATE TABLE project_settings (
    project_id uuid PRIMARY KEY REFERENCES projects (id),
    id uuid NOT NULL GENERATED ALWAYS AS (project_id) STORED,
    change_reason jsonb CHECK (jsonb_typeof(change_reason) = 'object'),
    private jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(private) = 'array'),
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz,
    version bigint NOT NULL DEFAULT 1
  )`,
  // Records that were restored into another database cluster have its predecessor's transaction ids, which mean
  // nothing here: up to this id, every record is there that ever will be.
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
    -- The kind of device that it is about; NULL: every kind.
    kind text COLLATE "C",
    -- The population, as a filter by variables; NULL: every device.
    vars text,
    -- What must hold of it.
    expectation jsonb NOT NULL CHECK (jsonb_typeof(expectation) = 'object'),
    -- The keys of variables that the two name.
    keys text[] NOT NULL,
    UNIQUE (project_id, name)
  )`,
  // Answers to requests that their clients may send again. Sealed: some hold what is shown once. An answer is NULL only
  // within the transaction that makes it.
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
