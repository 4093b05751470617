import type { MigrationInterface, QueryRunner } from 'typeorm';
import { MAY_SET_ROLE } from '../database/connection/connection';

/**
 * The schema of the first release, table by table.
 *
 * - `project_id` is the first column of every key and index, with documented exceptions. So foreign keys cannot cross
 *   projects, and the tables can be distributed by project: see ADR 2. Unique columns have a UNIQUE constraint, because
 *   Citus does not distribute plain unique indexes.
 * - Every resource has an id, a UUID for clients, timestamps and a version.
 * - Texts that lists sort by have the collation "C", so that every database orders them by code points.
 * - Sizes of indexes are those for a million devices.
 *
 * Before the first release, sixteen migrations made the same schema without `variable_values` and the column `where` of
 * audits. The columns keep the order that they had, because `muster-admin restore` copies rows of that schema into this one:
 * see ADR 39.
 */
export class InitialSchema1765000000000 implements MigrationInterface {
  readonly name = 'InitialSchema1765000000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statements of [
      nameSkeleton,
      comparisons,
      tables,
      optionalIndexes,
      functions,
      serviceRole,
      privileges,
    ])
      await runner.query(statements);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION analyze_table;
      DROP TABLE feed_restorations, idempotency_keys, own_views, views, audit_runs, audits, variable_definitions, variable_values, variable_correlations,
        change_impacts, change_objects, changes, device_labels, devices, access_secrets, cell_labels, cells, region_labels, regions, labels,
        clouds, sessions, api_keys, users, project_settings, projects;
      DROP FUNCTION name_skeleton, fold_case;
      DROP COLLATION natural_order;
    `);
  }
}

/**
 * The lower-case letters, digits and signs that look like another one, in lower or upper case. Every character is in one class,
 * so of the Greek nu, only the small one is found beside the letter that it looks like.
 */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  a: 'аαɑ',
  b: 'вβ',
  c: 'с',
  d: 'ԁ',
  e: 'еε',
  g: 'ɡ',
  h: 'нһη',
  i: 'іι',
  j: 'јϳ',
  k: 'кκ',
  l: '1ӏ',
  m: 'мμ',
  n: 'п',
  o: '0оο',
  p: 'рρ',
  q: 'ԛ',
  r: 'г',
  s: 'ѕ',
  t: 'тτ',
  v: 'ѵν',
  w: 'ԝ',
  x: 'хχ',
  y: 'уүυγ',
  z: 'ζ',
  ë: 'ё',
  ï: 'ї',
  σ: 'ς',
  '-': '‐‑‒–—−',
  "'": '’‘ʼ',
  '/': '⁄∕',
  ':': '∶',
};
const LIKE = Object.values(LOOK_ALIKES).join('');
const LOOKED_LIKE = Object.entries(LOOK_ALIKES)
  .map(([character, others]) => character.repeat(others.length))
  .join('');
/** Upper-case I with a dot has it as a character of its own in lower case. */
const REMOVED = '\u0307';

/**
 * Names that people take for each other have the same skeleton: without regard to case, to the composition of accents and
 * compatibility forms, and to `LOOK_ALIKES`. The upper case is taken first, because some letters share it, or become two in
 * it: ß is SS. ICU knows the case of all letters, whatever the locale of the database. Names of ASCII characters, which need
 * little of that, take a tenth of the time.
 */
const nameSkeleton = `
  CREATE FUNCTION name_skeleton(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN octet_length(name) = char_length(name) THEN translate(lower(name COLLATE "C"), '01', 'ol')
    ELSE translate(
      normalize(lower(upper(normalize(name, NFKC) COLLATE "und-x-icu") COLLATE "und-x-icu"), NFKC),
      '${(LIKE + REMOVED).replaceAll("'", "''")}', '${LOOKED_LIKE.replaceAll("'", "''")}') COLLATE "C" END;
`;

/**
 * How texts are compared, wherever case or numbers in them matter.
 *
 * - `natural_order` sorts texts as people do: digits in a row by the number that they are, letters by the rules of Unicode
 *   (CLDR root). Texts that are equal by these rules, such as 1 and 01, are in the order of their code points.
 * - `fold_case` of two texts is equal if they differ in case only, in any script. The upper case is taken first, because some
 *   letters share it, or become two in it: ß is SS. The small sigma has another form at the end of a word. The fold of two
 *   texts together is that of the first and then that of the second. ASCII texts take a quarter of the time.
 *
 * After an upgrade of ICU to a version with another order, the owner reindexes `variable_values`: see docs/operations.md.
 */
const comparisons = `
  CREATE COLLATION natural_order (provider = icu, locale = 'und-u-kn-true');
  CREATE FUNCTION fold_case(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN octet_length(value) = char_length(value) THEN lower(value COLLATE "C")
    ELSE replace(lower(upper(value COLLATE "und-x-icu") COLLATE "und-x-icu"), 'ς', 'σ') COLLATE "C" END;
`;

const tables = `
  CREATE TABLE projects (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    -- A project belongs to itself, so that queries for resources also work for projects.
    project_id uuid NOT NULL GENERATED ALWAYS AS (id) STORED,
    uuid uuid NOT NULL GENERATED ALWAYS AS (id) STORED,
    name text COLLATE "C" NOT NULL UNIQUE,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz,
    version bigint NOT NULL DEFAULT 1
  );
  COMMENT ON TABLE projects IS 'The tenants: every other row belongs to one project.';

  CREATE TABLE project_settings (
    project_id uuid PRIMARY KEY REFERENCES projects (id),
    id uuid NOT NULL GENERATED ALWAYS AS (project_id) STORED,
    -- Whether changes need a reason, and its pattern.
    change_reason jsonb CHECK (jsonb_typeof(change_reason) = 'object'),
    -- The keys of private variables, or prefixes of keys followed by an asterisk.
    private jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(private) = 'array'),
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz,
    version bigint NOT NULL DEFAULT 1,
    -- Whether every device of the project has an address of its own.
    unique_addresses boolean NOT NULL DEFAULT false,
    -- Whether users and change records are hidden from users without roles.
    restricts_readers boolean NOT NULL DEFAULT false,
    -- The rules for which writes need approvals.
    approvals jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(approvals) = 'array')
  );
  COMMENT ON TABLE project_settings IS 'The settings of projects: one row for each project whose settings were written.';

  CREATE TABLE users (
    project_id uuid NOT NULL REFERENCES projects (id),
    id bigint GENERATED ALWAYS AS IDENTITY,
    uuid uuid NOT NULL DEFAULT gen_random_uuid(),
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz,
    version bigint NOT NULL DEFAULT 1,
    username text COLLATE "C" NOT NULL,
    is_admin boolean NOT NULL DEFAULT false,
    is_root boolean NOT NULL DEFAULT false,
    roles jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(roles) = 'array'),
    variables jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(variables) = 'object'),
    -- Identifies users from Keystone, because names can be reused. The constraint lets only one of several processes
    -- register a new user.
    keystone_id text COLLATE "C",
    -- Identifies users from an OpenID provider in the same way.
    oidc_subject text COLLATE "C",
    PRIMARY KEY (project_id, id),
    UNIQUE (project_id, username),
    CONSTRAINT users_by_uuid UNIQUE (project_id, uuid),
    CONSTRAINT users_by_keystone_id UNIQUE (project_id, keystone_id),
    CONSTRAINT users_by_oidc_subject UNIQUE (project_id, oidc_subject)
  );
  COMMENT ON TABLE users IS 'The users of projects, with their roles.';
  CREATE INDEX users_by_skeleton ON users (project_id, name_skeleton(username));

  CREATE TABLE api_keys (
    project_id uuid NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    user_id bigint NOT NULL,
    key_id text COLLATE "C" NOT NULL,
    secret_hash bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz,
    revoked_at timestamptz,
    note text COLLATE "C",
    PRIMARY KEY (project_id, id),
    UNIQUE (project_id, key_id),
    FOREIGN KEY (project_id, user_id) REFERENCES users (project_id, id)
  );
  COMMENT ON TABLE api_keys IS 'The keys with which users authenticate.';
  -- Does not begin with the project, because the key identifies a request before its project is known.
  CREATE INDEX api_keys_by_key_id ON api_keys (key_id);
  CREATE INDEX api_keys_by_user ON api_keys (project_id, user_id);

  -- Without foreign keys: the query that finds a session joins its user and its key.
  CREATE TABLE sessions (
    project_id uuid NOT NULL,
    -- SHA-256 of the secret in the cookie. The cookie also names the project, so one node finds the session.
    token_hash bytea NOT NULL,
    user_id bigint NOT NULL,
    -- Root users can enter other projects than their own.
    entered_project_id uuid NOT NULL,
    -- The API key with which the session was started. NULL for a sign-in with OpenID Connect.
    key_id text COLLATE "C",
    -- What the provider asserted at a sign-in with OpenID Connect: subject, names, and roles by project.
    oidc jsonb CHECK (jsonb_typeof(oidc) = 'object'),
    created_at timestamptz NOT NULL DEFAULT now(),
    used_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (project_id, token_hash),
    CONSTRAINT sessions_origin CHECK ((key_id IS NULL) = (oidc IS NOT NULL))
  );
  COMMENT ON TABLE sessions IS 'The sessions of browsers. Backups do not contain them.';
  CREATE INDEX sessions_by_user ON sessions (project_id, user_id);
  CREATE INDEX sessions_by_expiry ON sessions (project_id, expires_at);

  CREATE TABLE clouds (
    project_id uuid NOT NULL REFERENCES projects (id),
    id bigint GENERATED ALWAYS AS IDENTITY,
    uuid uuid NOT NULL DEFAULT gen_random_uuid(),
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz,
    version bigint NOT NULL DEFAULT 1,
    name text COLLATE "C" NOT NULL,
    note text COLLATE "C",
    PRIMARY KEY (project_id, id),
    UNIQUE (project_id, name),
    CONSTRAINT clouds_by_uuid UNIQUE (project_id, uuid)
  );
  COMMENT ON TABLE clouds IS 'Groups of regions.';
  CREATE INDEX clouds_by_skeleton ON clouds (project_id, name_skeleton(name));
  CREATE INDEX clouds_by_natural_name ON clouds (project_id, (name COLLATE natural_order), id);

  CREATE TABLE labels (
    project_id uuid NOT NULL REFERENCES projects (id),
    id bigint GENERATED ALWAYS AS IDENTITY,
    uuid uuid NOT NULL DEFAULT gen_random_uuid(),
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz,
    version bigint NOT NULL DEFAULT 1,
    label text COLLATE "C" NOT NULL,
    variables jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(variables) = 'object'),
    PRIMARY KEY (project_id, id),
    UNIQUE (project_id, label),
    CONSTRAINT labels_by_uuid UNIQUE (project_id, uuid)
  );
  COMMENT ON TABLE labels IS 'Labels of regions, cells and devices. Labelled devices inherit their variables.';
  CREATE INDEX labels_by_skeleton ON labels (project_id, name_skeleton(label));
  CREATE INDEX labels_by_natural_name ON labels (project_id, (label COLLATE natural_order), id);

  CREATE TABLE regions (
    project_id uuid NOT NULL REFERENCES projects (id),
    id bigint GENERATED ALWAYS AS IDENTITY,
    uuid uuid NOT NULL DEFAULT gen_random_uuid(),
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz,
    version bigint NOT NULL DEFAULT 1,
    name text COLLATE "C" NOT NULL,
    cloud_id bigint,
    note text COLLATE "C",
    variables jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(variables) = 'object'),
    PRIMARY KEY (project_id, id),
    UNIQUE (project_id, name),
    CONSTRAINT regions_by_uuid UNIQUE (project_id, uuid),
    FOREIGN KEY (project_id, cloud_id) REFERENCES clouds (project_id, id)
  );
  COMMENT ON TABLE regions IS 'Regions: every device is in one. Devices inherit the variables of their region.';
  CREATE INDEX regions_by_skeleton ON regions (project_id, name_skeleton(name));
  CREATE INDEX regions_by_natural_name ON regions (project_id, (name COLLATE natural_order), id);
  CREATE INDEX regions_by_cloud ON regions (project_id, cloud_id, id);

  CREATE TABLE region_labels (
    project_id uuid NOT NULL,
    region_id bigint NOT NULL,
    label_id bigint NOT NULL,
    PRIMARY KEY (project_id, region_id, label_id),
    FOREIGN KEY (project_id, region_id) REFERENCES regions (project_id, id),
    FOREIGN KEY (project_id, label_id) REFERENCES labels (project_id, id)
  );
  COMMENT ON TABLE region_labels IS 'The labels of regions.';
  CREATE INDEX region_labels_by_label ON region_labels (project_id, label_id, region_id);

  CREATE TABLE cells (
    project_id uuid NOT NULL REFERENCES projects (id),
    id bigint GENERATED ALWAYS AS IDENTITY,
    uuid uuid NOT NULL DEFAULT gen_random_uuid(),
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz,
    version bigint NOT NULL DEFAULT 1,
    region_id bigint NOT NULL,
    name text COLLATE "C" NOT NULL,
    note text COLLATE "C",
    variables jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(variables) = 'object'),
    PRIMARY KEY (project_id, id),
    UNIQUE (project_id, region_id, name),
    -- So that a device's foreign key can name its cell together with its region.
    UNIQUE (project_id, region_id, id),
    CONSTRAINT cells_by_uuid UNIQUE (project_id, uuid),
    FOREIGN KEY (project_id, region_id) REFERENCES regions (project_id, id)
  );
  COMMENT ON TABLE cells IS 'Parts of regions. Devices inherit the variables of their cell.';
  CREATE INDEX cells_by_skeleton ON cells (project_id, region_id, name_skeleton(name));
  CREATE INDEX cells_by_name ON cells (project_id, name, id);
  CREATE INDEX cells_by_natural_name ON cells (project_id, (name COLLATE natural_order), id);

  CREATE TABLE cell_labels (
    project_id uuid NOT NULL,
    cell_id bigint NOT NULL,
    label_id bigint NOT NULL,
    PRIMARY KEY (project_id, cell_id, label_id),
    FOREIGN KEY (project_id, cell_id) REFERENCES cells (project_id, id),
    FOREIGN KEY (project_id, label_id) REFERENCES labels (project_id, id)
  );
  COMMENT ON TABLE cell_labels IS 'The labels of cells.';
  CREATE INDEX cell_labels_by_label ON cell_labels (project_id, label_id, cell_id);

  CREATE TABLE access_secrets (
    project_id uuid NOT NULL REFERENCES projects (id),
    id bigint GENERATED ALWAYS AS IDENTITY,
    uuid uuid NOT NULL DEFAULT gen_random_uuid(),
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz,
    version bigint NOT NULL DEFAULT 1,
    -- Of the key that encrypts the secret.
    key_fingerprint text NOT NULL,
    initialisation_vector bytea NOT NULL,
    authentication_tag bytea NOT NULL,
    encrypted_cert bytea NOT NULL,
    PRIMARY KEY (project_id, id),
    CONSTRAINT access_secrets_by_uuid UNIQUE (project_id, uuid)
  );
  COMMENT ON TABLE access_secrets IS 'Encrypted secrets for the access to devices.';

  -- A kind adds its own nullable columns, and a CHECK that reserves them for the kind.
  CREATE TABLE devices (
    -- Without a foreign key to projects, because that of the region implies it: each check costs as much as an index entry.
    project_id uuid NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    uuid uuid NOT NULL DEFAULT gen_random_uuid(),
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz,
    version bigint NOT NULL DEFAULT 1,
    kind text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    region_id bigint NOT NULL,
    cell_id bigint,
    parent_id bigint CHECK (parent_id <> id),
    ip_address inet NOT NULL,
    device_type text COLLATE "C" NOT NULL,
    active boolean NOT NULL DEFAULT true,
    note text COLLATE "C",
    access_secret_id bigint,
    variables jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(variables) = 'object'),
    model_name text COLLATE "C",
    os_version text COLLATE "C",
    -- Lists contain it, so its size is limited.
    vlans jsonb CONSTRAINT devices_vlans_size CHECK (octet_length(vlans::text) <= 65536),
    PRIMARY KEY (project_id, id),
    UNIQUE (project_id, name),
    CONSTRAINT devices_by_uuid UNIQUE (project_id, uuid),
    FOREIGN KEY (project_id, region_id) REFERENCES regions (project_id, id),
    FOREIGN KEY (project_id, region_id, cell_id) REFERENCES cells (project_id, region_id, id),
    FOREIGN KEY (project_id, parent_id) REFERENCES devices (project_id, id),
    FOREIGN KEY (project_id, access_secret_id) REFERENCES access_secrets (project_id, id),
    CONSTRAINT devices_network_device_columns CHECK (
      kind = 'network-device' OR (model_name IS NULL AND os_version IS NULL AND vlans IS NULL))
  );
  COMMENT ON TABLE devices IS 'Devices of all kinds. Columns that only one kind has are NULL for the others.';
  -- For lists in natural order.
  CREATE INDEX devices_by_natural_name ON devices (project_id, (name COLLATE natural_order), id);
  -- 83 MB with names such as host-123456.
  CREATE INDEX devices_by_skeleton ON devices (project_id, name_skeleton(name));
  CREATE INDEX devices_by_kind ON devices (project_id, kind, id);
  CREATE INDEX devices_by_region ON devices (project_id, region_id, id);
  CREATE INDEX devices_by_cell ON devices (project_id, cell_id, id);
  CREATE INDEX devices_by_parent ON devices (project_id, parent_id, id);
  CREATE INDEX devices_by_address ON devices (project_id, ip_address, id);
  CREATE INDEX devices_by_type ON devices (project_id, device_type, id);
  CREATE INDEX devices_by_secret ON devices (project_id, access_secret_id) WHERE access_secret_id IS NOT NULL;
  -- Counts devices by their properties without reading rows. It has few distinct entries, which PostgreSQL stores once
  -- with all of their rows: 8 MB.
  CREATE INDEX devices_by_properties ON devices (project_id, region_id, cell_id, kind, device_type, active);
  -- The region and the cell of each device in the order of ids: 39 MB. Statistics merge it with devices of certain
  -- labels, which have the same order. The primary key does not include them: among many small projects, the planner would
  -- take a smaller index without the id for foreign keys.
  CREATE INDEX devices_by_location ON devices (project_id, id) INCLUDE (region_id, cell_id);

  CREATE TABLE device_labels (
    project_id uuid NOT NULL,
    device_id bigint NOT NULL,
    label_id bigint NOT NULL,
    PRIMARY KEY (project_id, device_id, label_id),
    FOREIGN KEY (project_id, device_id) REFERENCES devices (project_id, id),
    FOREIGN KEY (project_id, label_id) REFERENCES labels (project_id, id)
  );
  COMMENT ON TABLE device_labels IS 'The labels of devices.';
  CREATE INDEX device_labels_by_label ON device_labels (project_id, label_id, device_id);

  -- Records outlive the resources, including the project, so they have no foreign keys to these.
  CREATE TABLE changes (
    project_id uuid NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    created_at timestamptz NOT NULL,
    actor_id bigint,
    actor_username text NOT NULL,
    request_id text COLLATE "C" NOT NULL,
    reason text,
    -- The number of affected devices, the number affected by variables that all callers see, and the keys that were
    -- hidden at that time. NULL for a change in several batches: see change_impacts.
    impact_devices bigint,
    impact_public bigint,
    impact_hiding text[],
    -- Ids become visible in the order of commits, not in their own order. No earlier record can appear once all
    -- transactions that could have written one have ended.
    transaction_id xid8 NOT NULL DEFAULT pg_current_xact_id(),
    -- Why an admin passed the rules for approvals.
    override text,
    -- The proposal that the change applied: its id and revision, its author, and who had approved it.
    proposal jsonb CHECK (jsonb_typeof(proposal) = 'object'),
    -- The changes that it reverted; NULL if it is no revert.
    reverts bigint[],
    PRIMARY KEY (project_id, id)
  );
  COMMENT ON TABLE changes IS 'The record of each change: time, user, reason and impact. Append-only.';
  CREATE INDEX changes_by_time ON changes (project_id, created_at, id);
  CREATE INDEX changes_by_actor ON changes (project_id, actor_username, id);
  CREATE INDEX changes_by_actor_id ON changes (project_id, actor_id, created_at);
  CREATE INDEX changes_by_transaction ON changes (project_id, transaction_id, id);
  CREATE INDEX changes_by_request ON changes (project_id, request_id);
  CREATE INDEX changes_by_override ON changes (project_id, id) WHERE override IS NOT NULL;
  -- Without the project, for which GIN needs an extension: ids of changes are unique in the database.
  CREATE INDEX changes_reverts ON changes USING gin (reverts) WHERE reverts IS NOT NULL;

  -- Without a foreign key to changes, as variable_correlations: the transaction that writes an object has written its record,
  -- and records are never deleted. "muster-admin verify" checks the same.
  CREATE TABLE change_objects (
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
    -- The ids of labels. Recorded members contain names, which can change.
    labels_before bigint[],
    labels_after bigint[],
    PRIMARY KEY (project_id, change_id, ordinal)
  );
  COMMENT ON TABLE change_objects IS 'The resources of each change, before and after it. Append-only.';
  CREATE INDEX change_objects_by_object ON change_objects (project_id, kind, object_id, change_id);
  -- A GIN index of an array: it does not begin with the project, which would need an extension.
  CREATE INDEX change_objects_by_key ON change_objects USING gin (keys) WHERE keys <> '{}';
  -- Finds the cells that were ever in a region, for point-in-time reads.
  CREATE INDEX change_objects_by_region ON change_objects (project_id, (after ->> 'region_id'), object_id)
    WHERE kind = 'cell';

  CREATE TABLE change_impacts (
    project_id uuid NOT NULL,
    change_id bigint NOT NULL,
    -- As impact_devices, impact_public and impact_hiding of changes.
    devices bigint NOT NULL,
    public bigint NOT NULL,
    hiding text[] NOT NULL,
    -- The resources that the change touched.
    objects bigint NOT NULL,
    PRIMARY KEY (project_id, change_id),
    FOREIGN KEY (project_id, change_id) REFERENCES changes (project_id, id)
  );
  COMMENT ON TABLE change_impacts IS 'The impact of changes in several batches, which is known only after their record was written. Append-only.';

  -- Without a foreign key to changes: a correlation is written by the statement that writes its record, and records are
  -- never deleted. "muster-admin verify" checks the same. The lookup for each variable took an eighth of the time to
  -- write a device with ten variables.
  CREATE TABLE variable_correlations (
    project_id uuid NOT NULL,
    object_type text COLLATE "C" NOT NULL,
    object_id bigint NOT NULL,
    key text COLLATE "C" NOT NULL,
    change_id bigint NOT NULL,
    -- A hash of the key and a scalar value; 0 for arrays and objects, whose elements no hash finds.
    value_hash bigint NOT NULL,
    -- The key is first, because each lookup has one: also those of a resource, whose row has its keys.
    PRIMARY KEY (project_id, key, object_type, object_id)
  );
  COMMENT ON TABLE variable_correlations IS 'The keys of the variables of each resource, with the change that set them. The values are in the rows of the resources.';
  -- Finds the devices, regions or cells with a value, in the order of ids: 0.45 GB with ten variables for each device.
  CREATE INDEX variable_correlations_by_value
    ON variable_correlations (project_id, object_type, value_hash, object_id) WHERE value_hash <> 0;
  CREATE INDEX variable_correlations_without_hash
    ON variable_correlations (project_id, key, object_type) WHERE value_hash = 0;

  -- Filters that compare read it: a comparison is true of some values, whose hashes find the resources in
  -- variable_correlations. Without a primary key: two changes can each insert the same value, and neither waits for the
  -- other. Rows are kept when no resource has their value any more.
  CREATE TABLE variable_values (
    project_id uuid NOT NULL,
    -- As in variable_correlations. Arrays and objects have no row.
    value_hash bigint NOT NULL,
    key text COLLATE "C" NOT NULL,
    -- A number or text of more than 256 characters is in no column: it is too long for the indexes.
    is_long boolean NOT NULL,
    number numeric,
    text text COLLATE natural_order,
    folded text COLLATE "C" GENERATED ALWAYS AS (fold_case(text)) STORED
  );
  COMMENT ON TABLE variable_values IS 'The distinct values that variables have or had, of all resources together. Arrays and objects are not among them.';
  CREATE INDEX variable_values_by_hash ON variable_values (project_id, key, value_hash);
  CREATE INDEX variable_values_by_text ON variable_values (project_id, key, text) WHERE text IS NOT NULL;
  -- Finds texts by their beginning, and is read without the rows for those that contain a part.
  CREATE INDEX variable_values_by_folded ON variable_values (project_id, key, folded) INCLUDE (value_hash)
    WHERE folded IS NOT NULL;
  CREATE INDEX variable_values_by_number ON variable_values (project_id, key, number) WHERE number IS NOT NULL;
  CREATE INDEX variable_values_long ON variable_values (project_id, key) WHERE is_long;

  CREATE TABLE variable_definitions (
    project_id uuid NOT NULL REFERENCES projects (id),
    id bigint GENERATED ALWAYS AS IDENTITY,
    uuid uuid NOT NULL DEFAULT gen_random_uuid(),
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz,
    version bigint NOT NULL DEFAULT 1,
    -- A key, or a prefix of keys followed by an asterisk.
    key text COLLATE "C" NOT NULL,
    description text COLLATE "C",
    schema jsonb NOT NULL CHECK (jsonb_typeof(schema) IN ('object', 'boolean')),
    PRIMARY KEY (project_id, id),
    UNIQUE (project_id, key),
    CONSTRAINT variable_definitions_by_uuid UNIQUE (project_id, uuid)
  );
  COMMENT ON TABLE variable_definitions IS 'Descriptions and JSON Schemas of variables, by key.';

  CREATE TABLE audits (
    project_id uuid NOT NULL REFERENCES projects (id),
    id bigint GENERATED ALWAYS AS IDENTITY,
    uuid uuid NOT NULL DEFAULT gen_random_uuid(),
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz,
    version bigint NOT NULL DEFAULT 1,
    name text COLLATE "C" NOT NULL,
    description text COLLATE "C",
    -- The kind of device that it targets; NULL: all kinds.
    kind text COLLATE "C",
    -- The devices that it targets, as a filter by variables; NULL: all devices.
    vars text COLLATE "C",
    -- Further conditions on these devices; NULL: none.
    "where" text[],
    -- The condition that the devices must meet.
    expectation jsonb NOT NULL CHECK (jsonb_typeof(expectation) = 'object'),
    -- The keys of variables in both.
    keys text[] NOT NULL,
    PRIMARY KEY (project_id, id),
    UNIQUE (project_id, name),
    CONSTRAINT audits_by_uuid UNIQUE (project_id, uuid)
  );
  COMMENT ON TABLE audits IS 'Saved conditions that devices must meet.';

  CREATE TABLE audit_runs (
    project_id uuid NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    created_at timestamptz NOT NULL DEFAULT now(),
    audit_id bigint NOT NULL,
    -- The hash of what the audit checked, because runs of another definition cannot be compared.
    definition text COLLATE "C" NOT NULL,
    -- Without a foreign key, as the actors of changes.
    user_id bigint NOT NULL,
    username text COLLATE "C" NOT NULL,
    devices bigint NOT NULL,
    failed bigint NOT NULL,
    -- The regions and the cells with the most failing devices, and how many devices each has.
    regions jsonb NOT NULL CHECK (jsonb_typeof(regions) = 'array'),
    cells jsonb NOT NULL CHECK (jsonb_typeof(cells) = 'array'),
    PRIMARY KEY (project_id, id),
    FOREIGN KEY (project_id, audit_id) REFERENCES audits (project_id, id) ON DELETE CASCADE
  );
  COMMENT ON TABLE audit_runs IS 'The results of the last runs of audits, as counts.';
  CREATE INDEX audit_runs_by_audit ON audit_runs (project_id, audit_id, id);

  CREATE TABLE views (
    project_id uuid NOT NULL REFERENCES projects (id),
    id bigint GENERATED ALWAYS AS IDENTITY,
    uuid uuid NOT NULL DEFAULT gen_random_uuid(),
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz,
    version bigint NOT NULL DEFAULT 1,
    name text COLLATE "C" NOT NULL,
    description text COLLATE "C",
    -- The path and the query of a page of the explorer, without the project.
    address text COLLATE "C" NOT NULL CHECK (address LIKE '/%'),
    PRIMARY KEY (project_id, id),
    UNIQUE (project_id, name),
    CONSTRAINT views_by_uuid UNIQUE (project_id, uuid)
  );
  COMMENT ON TABLE views IS 'Lists of the explorer with filters, columns and order, under names that users share.';

  CREATE TABLE own_views (
    project_id uuid NOT NULL REFERENCES projects (id),
    -- Without a foreign key: a root user has views in other projects, too.
    user_id bigint NOT NULL,
    -- Objects with name and address, in the order of the user.
    views jsonb NOT NULL CHECK (jsonb_typeof(views) = 'array'),
    -- How often they were written.
    version integer NOT NULL DEFAULT 0,
    PRIMARY KEY (project_id, user_id)
  );
  COMMENT ON TABLE own_views IS 'The views that users saved for themselves, in each project.';

  CREATE TABLE proposals (
    project_id uuid NOT NULL REFERENCES projects (id),
    id bigint GENERATED ALWAYS AS IDENTITY,
    uuid uuid NOT NULL DEFAULT gen_random_uuid(),
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz,
    version bigint NOT NULL DEFAULT 1,
    title text COLLATE "C" NOT NULL,
    description text COLLATE "C",
    state text COLLATE "C" NOT NULL CHECK (state IN ('open', 'approved', 'applied', 'rejected', 'withdrawn')),
    revision integer NOT NULL,
    reason text COLLATE "C",
    -- Without a foreign key, as the actors of changes.
    author_id bigint NOT NULL,
    author_username text COLLATE "C" NOT NULL,
    -- Up to 100 resources and all variables that the present revision writes, and how many approvals it needed when it
    -- was made. Lists show and filter them without computing an impact.
    resources jsonb NOT NULL,
    keys text[] NOT NULL,
    operations_total integer NOT NULL,
    approvals_required integer NOT NULL,
    -- The latest reviews of the present revision that approve it.
    approvals_given integer NOT NULL DEFAULT 0,
    comments_total integer NOT NULL DEFAULT 0,
    -- The change that applied it. No part of its record, which is written with the change.
    change_id bigint,
    -- Of the operations of all revisions.
    bytes bigint NOT NULL,
    -- The key of its impact digests. Never part of a response.
    secret bytea NOT NULL,
    PRIMARY KEY (project_id, id),
    CONSTRAINT proposals_by_uuid UNIQUE (project_id, uuid)
  );
  COMMENT ON TABLE proposals IS 'Writes that wait for approval, with their state.';
  CREATE INDEX proposals_by_state ON proposals (project_id, state, id);
  CREATE INDEX proposals_by_author ON proposals (project_id, author_id, id);

  CREATE TABLE proposal_revisions (
    project_id uuid NOT NULL,
    proposal_id bigint NOT NULL,
    revision integer NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- The array of operations as it was sent: jsonb would lose the spelling of numbers and the order of members.
    operations text COLLATE "C" NOT NULL,
    operations_total integer NOT NULL,
    -- What later operations call the resources that earlier ones create, with the ids that are reserved for them.
    new_ids jsonb NOT NULL,
    -- When the operations were last compared with the inventory: changes since then can conflict.
    base_at timestamptz NOT NULL,
    -- The roles of the author for variables; NULL: the author sees all variables.
    author_sees text[],
    PRIMARY KEY (project_id, proposal_id, revision),
    FOREIGN KEY (project_id, proposal_id) REFERENCES proposals (project_id, id)
  );
  COMMENT ON TABLE proposal_revisions IS 'The operations of each revision of a proposal.';

  CREATE TABLE proposal_reviews (
    project_id uuid NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    proposal_id bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    revision integer NOT NULL,
    reviewer_id bigint NOT NULL,
    reviewer_username text COLLATE "C" NOT NULL,
    -- The project of the reviewer, who can be root, and what the reviewer was allowed: an approval ends with it.
    reviewer_project uuid NOT NULL,
    reviewer_rights text[] NOT NULL,
    verdict text COLLATE "C" NOT NULL CHECK (verdict IN ('approve', 'reject')),
    note text COLLATE "C",
    -- The digest that the reviewer saw, and that of the whole impact.
    shown_digest text COLLATE "C",
    impact_digest text COLLATE "C",
    -- The approved impact, to show what is different later; NULL if it is large.
    effects text COLLATE "C",
    PRIMARY KEY (project_id, id),
    FOREIGN KEY (project_id, proposal_id) REFERENCES proposals (project_id, id)
  );
  COMMENT ON TABLE proposal_reviews IS 'Approvals and rejections of revisions of proposals.';
  CREATE INDEX proposal_reviews_by_proposal ON proposal_reviews (project_id, proposal_id, revision, reviewer_id, id);

  CREATE TABLE proposal_comments (
    project_id uuid NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    proposal_id bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    author_id bigint NOT NULL,
    author_username text COLLATE "C" NOT NULL,
    text text COLLATE "C" NOT NULL,
    PRIMARY KEY (project_id, id),
    FOREIGN KEY (project_id, proposal_id) REFERENCES proposals (project_id, id)
  );
  COMMENT ON TABLE proposal_comments IS 'The discussion of proposals.';
  CREATE INDEX proposal_comments_by_proposal ON proposal_comments (project_id, proposal_id, id);

  CREATE TABLE idempotency_keys (
    project_id uuid NOT NULL,
    user_id bigint NOT NULL,
    key text COLLATE "C" NOT NULL,
    -- Encrypted, because some responses contain API keys, which are shown once. NULL only within the transaction that
    -- writes it.
    answer bytea,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (project_id, user_id, key)
  );
  COMMENT ON TABLE idempotency_keys IS 'Stored responses for retried requests.';
  CREATE INDEX idempotency_keys_by_time ON idempotency_keys (project_id, created_at);

  -- Records that were restored from another database cluster have that cluster's transaction ids, which are meaningless
  -- here.
  CREATE TABLE feed_restorations (
    -- Up to this id, all records are complete.
    last_change_id bigint PRIMARY KEY,
    noticed_at timestamptz NOT NULL DEFAULT now()
  );
  COMMENT ON TABLE feed_restorations IS 'When restored change records were noticed, and the last of them. For the change feed.';
`;

/**
 * Indexes that need extensions, which not every server has and not every owner may create.
 *
 * A GIN index spans projects. With `btree_gin`, it includes the project, so that the rows of a small project are found
 * fast beside a large one, and blocks of ids, so that matches are found block by block in id order, when there would be
 * too many to sort. The pending list is read for every block, so it is short. Without the extension, one index works
 * without both.
 */
const optionalIndexes = `
  DO $$ BEGIN
    CREATE EXTENSION IF NOT EXISTS btree_gin;
    CREATE INDEX devices_by_block ON devices USING gin (project_id, (id / 4096), variables jsonb_path_ops)
      WITH (gin_pending_list_limit = 256);
  EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported THEN
    CREATE INDEX devices_by_variables ON devices USING gin (variables jsonb_path_ops);
  END $$;

  -- Finds devices by a part of their name: 37 MB. Without pg_trgm, names are found by their beginning only.
  DO $$ BEGIN
    IF to_regclass('devices_by_block') IS NOT NULL THEN
      CREATE EXTENSION IF NOT EXISTS pg_trgm;
      CREATE INDEX devices_by_trigrams ON devices USING gin (project_id, (id / 4096), fold_case(name) gin_trgm_ops)
        WITH (gin_pending_list_limit = 256);
    END IF;
  -- The last one: the extension is in a schema that is not searched.
  EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN NULL;
  END $$;

  -- The scalars in arrays and objects of each document, whatever their keys are: 290 MB with eight of them for each
  -- device. It answers filters with wildcards, which the index of whole paths cannot.
  DO $$ BEGIN
    IF to_regclass('devices_by_block') IS NOT NULL THEN
      CREATE INDEX devices_by_nested_value ON devices USING gin (project_id, (id / 4096),
        jsonb_path_query_array(variables, 'strict $.*.**{1 to last} ? (@.type() != "object" && @.type() != "array")', '{}', true)
        jsonb_path_ops) WITH (gin_pending_list_limit = 256);
    END IF;
  END $$;
`;

/**
 * With `analyze_table`, the service updates the planner's statistics: before PostgreSQL 17, only the owner of a table can.
 * It covers the tables that imports fill, and not the append-only ones, so that the service cannot lock those. With
 * `quickly`, it omits documents, whose statistics take most of the time. If another session analyzes or vacuums the table,
 * it does nothing and returns false: a long import holds the lock until its end. Without `quickly`, it waits for three
 * seconds before, in which an autovacuum gives way.
 */
const functions = `
  CREATE FUNCTION analyze_table(name text, quickly boolean) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    IF name <> ALL (ARRAY['clouds', 'labels', 'regions', 'region_labels', 'cells', 'cell_labels', 'devices', 'device_labels',
        'variable_correlations', 'variable_values']) THEN
      RAISE insufficient_privilege USING MESSAGE = format('the table %s cannot be analyzed', name);
    END IF;
    BEGIN
      IF NOT quickly THEN
        PERFORM set_config('lock_timeout', '3s', true);
      END IF;
      EXECUTE format('LOCK TABLE public.%I IN SHARE UPDATE EXCLUSIVE MODE %s', name, CASE WHEN quickly THEN 'NOWAIT' END);
    EXCEPTION WHEN lock_not_available THEN
      RETURN false;
    END;
    IF quickly THEN
      EXECUTE format('ANALYZE public.%I (%s)', name, (
        SELECT string_agg(quote_ident(attname), ', ') FROM pg_attribute
        WHERE attrelid = format('public.%I', name)::regclass AND attnum > 0 AND NOT attisdropped AND atttypid <> 'jsonb'::regtype));
    ELSE
      EXECUTE format('ANALYZE public.%I', name);
    END IF;
    RETURN true;
  END $$;
`;

/** The role of the service. If the migrating user may not create roles, the service uses that user's login. */
const serviceRole = `
  DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'muster_app') THEN CREATE ROLE muster_app NOLOGIN; END IF;
    IF NOT pg_has_role(CURRENT_USER, 'muster_app', ${MAY_SET_ROLE}) THEN
      GRANT muster_app TO CURRENT_USER;
    END IF;
  EXCEPTION WHEN insufficient_privilege OR duplicate_object OR unique_violation THEN NULL;
  END $$;
`;

/**
 * The service may only insert and read change records, so the database itself enforces that they are append-only. The
 * owner revokes its own privileges, too, for a service that uses the owner's login.
 */
const privileges = `
  DO $$ BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'muster_app') THEN
      GRANT USAGE ON SCHEMA public TO muster_app;
      -- By name: the owner may have other tables in this schema. A later migration grants its own tables.
      GRANT SELECT, INSERT, UPDATE, DELETE ON projects, project_settings, users, api_keys, sessions, clouds, labels, regions,
        region_labels, cells, cell_labels, access_secrets, devices, device_labels, changes, change_objects, change_impacts,
        variable_correlations, variable_values, variable_definitions, audits, audit_runs, views, own_views, proposals,
        proposal_revisions, proposal_reviews, proposal_comments, idempotency_keys, feed_restorations, migrations TO muster_app;
      REVOKE UPDATE, DELETE, TRUNCATE ON changes, change_objects, change_impacts FROM muster_app;
      -- TypeORM's table of migrations, which the service only reads.
      REVOKE INSERT, UPDATE, DELETE ON migrations FROM muster_app;
      -- Creating many resources with one statement allocates their ids first, because they can refer to each other.
      GRANT USAGE ON SEQUENCE clouds_id_seq, labels_id_seq, regions_id_seq, cells_id_seq, devices_id_seq TO muster_app;
      -- Since PostgreSQL 17, the service can update the statistics of the tables of analyze_table by itself.
      IF current_setting('server_version_num')::integer >= 170000 THEN
        GRANT MAINTAIN ON clouds, labels, regions, region_labels, cells, cell_labels, devices, device_labels,
          variable_correlations, variable_values TO muster_app;
      END IF;
    END IF;
    REVOKE UPDATE, DELETE, TRUNCATE ON changes, change_objects, change_impacts FROM PUBLIC, CURRENT_USER;
    -- Checking foreign keys locks the referenced records as the table's owner, which requires the privilege to update
    -- a column. This column cannot be updated, because the objects of a record refer to it.
    GRANT UPDATE (project_id) ON changes TO CURRENT_USER;
    REVOKE EXECUTE ON FUNCTION analyze_table FROM PUBLIC;
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'muster_app') THEN
      GRANT EXECUTE ON FUNCTION analyze_table, name_skeleton, fold_case TO muster_app;
    END IF;
  END $$;
`;
