import type { MigrationInterface, QueryRunner } from 'typeorm';
import { MAY_SET_ROLE } from '../database/connection/connection';

/**
 * The inventory. `project_id` is the first column of every key and index, with documented exceptions. So foreign keys
 * cannot cross projects, and the same schema can be distributed by project.
 * Names have the collation "C", so they are ordered by code points in all indexes.
 */
export class Inventory1763600000000 implements MigrationInterface {
  readonly name = 'Inventory1763600000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...tables, ...serviceRole]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE variable_correlations, change_objects, changes, device_labels, devices, access_secrets,
      cell_labels, cells, region_labels, regions, labels, clouds, api_keys, users, projects`);
  }
}

/** The columns of every resource: its id, a UUID for clients, timestamps and the version. */
const common = `
  project_id uuid NOT NULL REFERENCES projects (id),
  id bigint GENERATED ALWAYS AS IDENTITY,
  uuid uuid NOT NULL DEFAULT gen_random_uuid(),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz,
  version bigint NOT NULL DEFAULT 1,
  PRIMARY KEY (project_id, id)`;

const variables = `variables jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(variables) = 'object')`;

const labelled = (table: string, owner: string) => `
  CREATE TABLE ${table} (
    project_id uuid NOT NULL,
    ${owner}_id bigint NOT NULL,
    label_id bigint NOT NULL,
    PRIMARY KEY (project_id, ${owner}_id, label_id),
    FOREIGN KEY (project_id, ${owner}_id) REFERENCES ${owner}s (project_id, id),
    FOREIGN KEY (project_id, label_id) REFERENCES labels (project_id, id)
  )`;

const tables = [
  `CREATE TABLE projects (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    -- A project belongs to itself, so that queries for resources also work for projects.
    project_id uuid NOT NULL GENERATED ALWAYS AS (id) STORED,
    uuid uuid NOT NULL GENERATED ALWAYS AS (id) STORED,
    name text COLLATE "C" NOT NULL UNIQUE,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz,
    version bigint NOT NULL DEFAULT 1
  )`,
  `CREATE TABLE users (${common},
    username text COLLATE "C" NOT NULL,
    is_admin boolean NOT NULL DEFAULT false,
    is_root boolean NOT NULL DEFAULT false,
    roles jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(roles) = 'array'),
    ${variables},
    UNIQUE (project_id, username)
  )`,
  `CREATE TABLE api_keys (
    project_id uuid NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    user_id bigint NOT NULL,
    key_id text COLLATE "C" NOT NULL,
    secret_hash bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz,
    revoked_at timestamptz,
    PRIMARY KEY (project_id, id),
    UNIQUE (project_id, key_id),
    FOREIGN KEY (project_id, user_id) REFERENCES users (project_id, id)
  )`,
  // Does not begin with the project, because the key identifies a request before its project is known.
  `CREATE INDEX api_keys_by_key_id ON api_keys (key_id)`,
  `CREATE INDEX api_keys_by_user ON api_keys (project_id, user_id)`,
  `CREATE TABLE clouds (${common},
    name text COLLATE "C" NOT NULL,
    note text,
    UNIQUE (project_id, name)
  )`,
  `CREATE TABLE labels (${common},
    label text COLLATE "C" NOT NULL,
    ${variables},
    UNIQUE (project_id, label)
  )`,
  `CREATE TABLE regions (${common},
    name text COLLATE "C" NOT NULL,
    cloud_id bigint,
    note text,
    ${variables},
    UNIQUE (project_id, name),
    FOREIGN KEY (project_id, cloud_id) REFERENCES clouds (project_id, id)
  )`,
  `CREATE INDEX regions_by_cloud ON regions (project_id, cloud_id, id)`,
  labelled('region_labels', 'region'),
  `CREATE INDEX region_labels_by_label ON region_labels (project_id, label_id, region_id)`,
  `CREATE TABLE cells (${common},
    region_id bigint NOT NULL,
    name text COLLATE "C" NOT NULL,
    note text,
    ${variables},
    UNIQUE (project_id, region_id, name),
    -- So that a device's foreign key can name its cell together with its region.
    UNIQUE (project_id, region_id, id),
    FOREIGN KEY (project_id, region_id) REFERENCES regions (project_id, id)
  )`,
  `CREATE INDEX cells_by_name ON cells (project_id, name, id)`,
  labelled('cell_labels', 'cell'),
  `CREATE INDEX cell_labels_by_label ON cell_labels (project_id, label_id, cell_id)`,
  `CREATE TABLE access_secrets (${common},
    key_fingerprint text NOT NULL,
    initialisation_vector bytea NOT NULL,
    authentication_tag bytea NOT NULL,
    encrypted_cert bytea NOT NULL
  )`,
  // One table for all kinds of devices. A kind adds its own nullable columns, and a CHECK that reserves them for the
  // kind.
  `CREATE TABLE devices (${common},
    kind text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    region_id bigint NOT NULL,
    cell_id bigint,
    parent_id bigint CHECK (parent_id <> id),
    ip_address inet NOT NULL,
    device_type text COLLATE "C" NOT NULL,
    active boolean NOT NULL DEFAULT true,
    note text,
    access_secret_id bigint,
    ${variables},
    model_name text COLLATE "C",
    os_version text COLLATE "C",
    -- Lists contain it, so its size is limited.
    vlans jsonb CONSTRAINT devices_vlans_size CHECK (octet_length(vlans::text) <= 65536),
    UNIQUE (project_id, name),
    FOREIGN KEY (project_id, region_id) REFERENCES regions (project_id, id),
    FOREIGN KEY (project_id, region_id, cell_id) REFERENCES cells (project_id, region_id, id),
    FOREIGN KEY (project_id, parent_id) REFERENCES devices (project_id, id),
    FOREIGN KEY (project_id, access_secret_id) REFERENCES access_secrets (project_id, id),
    CONSTRAINT devices_network_device_columns CHECK (
      kind = 'network-device' OR (model_name IS NULL AND os_version IS NULL AND vlans IS NULL))
  )`,
  `CREATE INDEX devices_by_kind ON devices (project_id, kind, id)`,
  `CREATE INDEX devices_by_region ON devices (project_id, region_id, id)`,
  `CREATE INDEX devices_by_cell ON devices (project_id, cell_id, id)`,
  `CREATE INDEX devices_by_parent ON devices (project_id, parent_id, id)`,
  `CREATE INDEX devices_by_address ON devices (project_id, ip_address, id)`,
  `CREATE INDEX devices_by_type ON devices (project_id, device_type, id)`,
  `CREATE INDEX devices_by_secret ON devices (project_id, access_secret_id) WHERE access_secret_id IS NOT NULL`,
  // A GIN index spans projects. With btree_gin, it includes the project, so that the rows of a small project are found
  // fast beside a large one. Without the extension, the index works without the project.
  `DO $$ BEGIN
     CREATE EXTENSION IF NOT EXISTS btree_gin;
     CREATE INDEX devices_by_variables ON devices USING gin (project_id, variables jsonb_path_ops);
   EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported THEN
     CREATE INDEX devices_by_variables ON devices USING gin (variables jsonb_path_ops);
   END $$`,
  labelled('device_labels', 'device'),
  `CREATE INDEX device_labels_by_label ON device_labels (project_id, label_id, device_id)`,
  // Change records outlive the resources, including the project, so they only have foreign keys to each other.
  `CREATE TABLE changes (
    project_id uuid NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    created_at timestamptz NOT NULL,
    actor_id bigint,
    actor_username text NOT NULL,
    request_id text NOT NULL,
    reason text,
    PRIMARY KEY (project_id, id)
  )`,
  `CREATE INDEX changes_by_time ON changes (project_id, created_at, id)`,
  `CREATE INDEX changes_by_request ON changes (project_id, request_id)`,
  `CREATE INDEX changes_by_actor ON changes (project_id, actor_username, id)`,
  `CREATE TABLE change_objects (
    project_id uuid NOT NULL,
    change_id bigint NOT NULL,
    ordinal integer NOT NULL,
    kind text COLLATE "C" NOT NULL,
    -- NULL for a project, whose id is the project_id.
    object_id bigint,
    name text NOT NULL,
    action text NOT NULL CHECK (action IN ('create', 'update', 'delete')),
    before jsonb,
    after jsonb,
    variables jsonb NOT NULL DEFAULT '{}',
    keys text[] NOT NULL DEFAULT '{}',
    PRIMARY KEY (project_id, change_id, ordinal),
    FOREIGN KEY (project_id, change_id) REFERENCES changes (project_id, id)
  )`,
  `CREATE INDEX change_objects_by_object ON change_objects (project_id, kind, object_id, change_id)`,
  `CREATE INDEX change_objects_by_key ON change_objects USING gin (keys) WHERE keys <> '{}'`,
  // The change record that set a key of a resource. The documents are in the rows of their resources.
  `CREATE TABLE variable_correlations (
    project_id uuid NOT NULL,
    object_type text COLLATE "C" NOT NULL,
    object_id bigint NOT NULL,
    key text COLLATE "C" NOT NULL,
    change_id bigint NOT NULL,
    PRIMARY KEY (project_id, object_type, object_id, key),
    FOREIGN KEY (project_id, change_id) REFERENCES changes (project_id, id)
  )`,
  `CREATE INDEX variable_correlations_by_key ON variable_correlations (project_id, key, object_type, object_id)`,
];

/**
 * The service uses the role `muster_app`, which may only insert and read change records, so the database itself
 * enforces that they are append-only. If the migrating user may not create roles, it revokes its own privileges.
 */
const serviceRole = [
  `DO $$ BEGIN
     IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'muster_app') THEN CREATE ROLE muster_app NOLOGIN; END IF;
     IF NOT pg_has_role(CURRENT_USER, 'muster_app', ${MAY_SET_ROLE}) THEN
       GRANT muster_app TO CURRENT_USER;
     END IF;
   EXCEPTION WHEN insufficient_privilege OR duplicate_object OR unique_violation THEN NULL;
   END $$`,
  `DO $$ BEGIN
     IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'muster_app') THEN
       GRANT USAGE ON SCHEMA public TO muster_app;
       GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO muster_app;
       ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO muster_app;
       REVOKE UPDATE, DELETE, TRUNCATE ON changes, change_objects FROM muster_app;
       -- TypeORM's table of migrations, which the service only reads.
       REVOKE INSERT, UPDATE, DELETE ON migrations FROM muster_app;
     END IF;
     REVOKE UPDATE, DELETE, TRUNCATE ON changes, change_objects FROM PUBLIC, CURRENT_USER;
     -- Checking foreign keys locks the referenced records as the table's owner, which requires the privilege to update
     -- a column. This column cannot be updated, because the objects of a record refer to it.
     GRANT UPDATE (project_id) ON changes TO CURRENT_USER;
   END $$`,
];
