import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the sessions of browsers, and the subjects of users that come from an OpenID provider. */
export class Sessions1764500000000 implements MigrationInterface {
  readonly name = 'Sessions1764500000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users DROP COLUMN oidc_subject');
    await runner.query('DROP TABLE sessions');
  }
}

const statements = [
  // Without foreign keys, as a table that is not distributed yet cannot refer to distributed ones. A session is valid
  // only together with its user and its key.
  `CREATE TABLE sessions (
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
  )`,
  `CREATE INDEX sessions_by_user ON sessions (project_id, user_id)`,
  `CREATE INDEX sessions_by_expiry ON sessions (project_id, expires_at)`,
  // In two statements, as Citus adds constraints to distributed tables by statements of their own only.
  `ALTER TABLE users ADD COLUMN oidc_subject text COLLATE "C"`,
  `ALTER TABLE users ADD CONSTRAINT users_by_oidc_subject UNIQUE (project_id, oidc_subject)`,
];
