import { Client } from 'pg';
import type { EntityManager } from 'typeorm';
import { postgresError } from '../errors/postgres-error';
import { StartupError } from '../../core/errors';
import { withOwnerConnection, withConnection } from '../connection/owner-connection';
import {
  MAY_SET_ROLE,
  SERVICE_ROLE,
  type Connection,
  type ServiceConnectionRole,
} from '../connection/connection';
import { assertSameDatabase } from '../connection/verify-database';
import { MIGRATION_LOCK } from '../migrate';
import { sequenceOfIds, TABLES_WITH_SEQUENCE } from '../reserve-ids';
import { PROJECT_TABLES } from '../tables';
import { missingIndexes, missingIndexesWarning } from '../missing-indexes';
import { newerVersionWarning } from '../connection/server-version';
import { scramVerifier } from './scram-verifier';
import { parseServers } from '../../config/database-urls';

/** The verified login of the service. */
export interface ServiceLogin {
  /** Whether its connections use the service's role, or only the login. */
  readonly as: ServiceConnectionRole;
  /** A warning about privileges that the service should not have; undefined if there are none. */
  readonly privilegeWarning: string | undefined;
  /** A warning about a server that is newer than the tested ones. */
  readonly versionWarning: string | undefined;
  /** A warning about indexes that the database does not have. */
  readonly indexWarning: string | undefined;
}

const SEE_DOCUMENTATION = 'See "Roles of the database" in docs/operations.md.';

/**
 * The append-only tables: the first migration revokes updates and deletions from the service. Add tables that later
 * migrations protect.
 */
const RECORDS = ['changes', 'change_objects', 'change_impacts'];

/**
 * Verifies the login of the service. With a separate login for the schema owner, it first grants the privileges that
 * the service needs.
 * @throws StartupError if the login cannot be used, or, with a separate login for the owner, if it could alter the
 *   schema or change records
 */
export async function verifyServiceLogin(connection: Connection): Promise<ServiceLogin> {
  const { owner } = connection;
  await prepareServiceLogin(connection);
  await assertSameDatabase(connection);
  return withConnection('login', connection, async (dataSource) => {
    const [found] = await dataSource.query<Privileges[]>(PRIVILEGES, [SERVICE_ROLE, RECORDS]);
    if (!found) throw new Error('the query for privileges returned no row');
    if (!found.stagesImports)
      throw new StartupError(
        `The service may not create temporary tables, which imports need: run GRANT TEMPORARY ON DATABASE ${quoted(found.database)} TO ${quoted(found.takesRole ? SERVICE_ROLE : found.login)}. ${SEE_DOCUMENTATION}`,
      );
    const excess = excessPrivileges(found);
    const as = found.takesRole ? 'service' : 'login';
    const warnings = {
      versionWarning: newerVersionWarning(dataSource.driver.version ?? ''),
      indexWarning: missingIndexesWarning(await missingIndexes(dataSource)),
    };
    if (excess.length === 0) return { as, privilegeWarning: undefined, ...warnings };
    const sentence = `The service's login "${found.login}" has more privileges than the service should have: it ${excess.join(', and it ')}.`;
    if (owner) throw new StartupError(`${sentence} ${SEE_DOCUMENTATION}`);
    return {
      as,
      ...warnings,
      privilegeWarning: `${sentence} Set DATABASE_OWNER_URL to the owner's login, and use a separate login for the service. ${SEE_DOCUMENTATION}`,
    };
  });
}

/**
 * Enables the login of the service, and grants what it needs, as the owner. It does nothing without a separate login for the
 * schema owner. The service needs no owner's login at its start after that.
 * @throws StartupError if the owner may not do that
 */
export async function prepareServiceLogin(connection: Connection): Promise<void> {
  if (!connection.owner) return;
  await withOwnerConnection(connection, (dataSource) =>
    dataSource.transaction((tx) => grantPrivileges(tx, connection)),
  );
}

/**
 * The privileges of a login and of all roles that it can SET. The service must have none of them but `takesRole` and
 * `stagesImports`.
 */
interface Privileges {
  readonly login: string;
  readonly database: string;
  /** Whether its connections may create temporary tables. */
  readonly stagesImports: boolean;
  /** Whether it can SET the service's role. */
  readonly takesRole: boolean;
  readonly isSuperuser: boolean;
  readonly makesRoles: boolean;
  readonly ownsTables: boolean;
  readonly createsObjects: boolean;
  readonly createsSchemas: boolean;
  readonly altersRecords: boolean;
  readonly reachesFiles: boolean;
}

/** Includes all roles that the login can SET, because any statement could be a SET ROLE or RESET ROLE. */
const PRIVILEGES = `
  WITH reached AS (
    SELECT oid, rolname, rolsuper, rolcreaterole FROM pg_roles WHERE pg_has_role(session_user, oid, 'MEMBER')
  ), records AS (
    SELECT to_regclass('public.' || name) AS oid FROM unnest($2::text[]) AS t (name)
  )
  SELECT session_user AS login, current_database() AS database,
    CASE WHEN EXISTS (SELECT FROM pg_roles WHERE rolname = $1 AND pg_has_role(session_user, oid, ${MAY_SET_ROLE}))
      THEN has_database_privilege($1, current_database(), 'TEMPORARY')
      ELSE has_database_privilege(session_user, current_database(), 'TEMPORARY') END AS "stagesImports",
    EXISTS (SELECT FROM pg_roles WHERE rolname = $1 AND pg_has_role(session_user, oid, ${MAY_SET_ROLE})) AS "takesRole",
    EXISTS (SELECT FROM reached WHERE rolsuper) AS "isSuperuser",
    EXISTS (SELECT FROM reached WHERE rolcreaterole) AS "makesRoles",
    EXISTS (SELECT FROM reached WHERE rolname IN ('pg_execute_server_program', 'pg_write_server_files')) AS "reachesFiles",
    EXISTS (
      SELECT FROM pg_class c JOIN reached r ON r.oid = c.relowner WHERE c.relnamespace = 'public'::regnamespace
    ) AS "ownsTables",
    EXISTS (SELECT FROM reached r WHERE has_schema_privilege(r.oid, 'public', 'CREATE')) AS "createsObjects",
    EXISTS (SELECT FROM reached r WHERE has_database_privilege(r.oid, current_database(), 'CREATE')) AS "createsSchemas",
    EXISTS (
      SELECT FROM reached r, records t WHERE t.oid IS NOT NULL AND (
        has_table_privilege(r.oid, t.oid, 'UPDATE, DELETE, TRUNCATE') OR has_any_column_privilege(r.oid, t.oid, 'UPDATE'))
    ) AS "altersRecords"`;

function excessPrivileges(found: Privileges): string[] {
  if (found.isSuperuser) return ['is a superuser, or can become one'];
  const privileges: [boolean, string][] = [
    [found.ownsTables, 'owns tables, or can take the role of their owner'],
    [found.altersRecords, 'may change or delete change records'],
    [found.createsObjects, 'may create objects in the schema public'],
    [found.createsSchemas, 'may create schemas'],
    [found.makesRoles, 'may create roles'],
    [found.reachesFiles, "may reach the server's files and programs"],
  ];
  return privileges.flatMap(([has, sentence]) => (has ? [sentence] : []));
}

/**
 * Grants missing privileges to the service's role, and the role to the service's login. It runs as the owner, in a
 * transaction with a lock, because several processes can start together.
 */
async function grantPrivileges(tx: EntityManager, connection: Connection): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
  const login = clientOf(connection).user ?? '';
  await assertNotSwapped(tx, login);
  const roles = await tx.query<{ name: string; canLogIn: boolean; isMember: boolean }[]>(
    `SELECT rolname AS name, rolcanlogin AS "canLogIn", pg_has_role(rolname, $1, 'MEMBER') AS "isMember"
      FROM pg_roles WHERE rolname = $2 AND EXISTS (SELECT FROM pg_roles WHERE rolname = $1)`,
    [SERVICE_ROLE, login],
  );
  const [role] = roles;
  if (!role)
    throw new StartupError(
      `There is no role ${SERVICE_ROLE}, or no login "${login}", in the database: create them. ${SEE_DOCUMENTATION}`,
    );
  if (login === SERVICE_ROLE && !role.canLogIn) await enableLogin(tx, connection);
  if (await lacksPrivileges(tx)) await grantTablePrivileges(tx);
  if (!role.isMember) await makeMember(tx, login);
}

/** Detects swapped settings. Otherwise, the error would be about missing privileges, and misleading. */
async function assertNotSwapped(tx: EntityManager, login: string): Promise<void> {
  const [found] = await tx.query<{ isOwner: boolean; other: string; otherIsOwner: boolean }[]>(
    `SELECT pg_get_userbyid(c.relowner) = $1 AS "isOwner", CURRENT_USER::text AS other,
        pg_has_role(c.relowner, 'USAGE') AS "otherIsOwner"
      FROM pg_class c WHERE c.oid = to_regclass('public.projects')`,
    [login],
  );
  if (found?.isOwner === true && !found.otherIsOwner)
    throw new StartupError(
      `DATABASE_URL and DATABASE_OWNER_URL look swapped: "${login}", the login of DATABASE_URL, owns the tables, and "${found.other}", the login of DATABASE_OWNER_URL, does not. ${SEE_DOCUMENTATION}`,
    );
}

/**
 * The first migration creates the role without LOGIN. The embedded server needs no password: its folder protects it.
 */
async function enableLogin(tx: EntityManager, connection: Connection): Promise<void> {
  const { password } = clientOf(connection);
  const statement = `ALTER ROLE ${SERVICE_ROLE} LOGIN`;
  try {
    await tx.query(password ? `${statement} PASSWORD '${scramVerifier(password)}'` : statement);
  } catch (error) {
    throw new StartupError(
      `${SERVICE_ROLE}, the login of DATABASE_URL, cannot log in, and the login of DATABASE_OWNER_URL may not change that: ` +
        `have a superuser run ${statement} PASSWORD '…'. ${SEE_DOCUMENTATION}`,
      { cause: postgresError(error)?.code },
    );
  }
}

async function makeMember(tx: EntityManager, login: string): Promise<void> {
  const grant = `GRANT ${SERVICE_ROLE} TO ${quoted(login)}`;
  try {
    await tx.query(grant);
  } catch (error) {
    throw new StartupError(
      `The login of DATABASE_URL cannot SET ROLE ${SERVICE_ROLE}, and the login of DATABASE_OWNER_URL may not grant it: ` +
        `have a superuser run ${grant}. ${SEE_DOCUMENTATION}`,
      { cause: error },
    );
  }
}

/** The tables of Muster. The owner may have others in the same schema, which are none of the service's business. */
const TABLES = ['projects', ...PROJECT_TABLES, 'feed_restorations', 'migrations'];

/** Whether the service's role was created after the tables. */
async function lacksPrivileges(tx: EntityManager): Promise<boolean> {
  const [found] = await tx.query<{ lacks: boolean }[]>(
    `SELECT NOT has_schema_privilege($1, 'public', 'USAGE') OR EXISTS (
      SELECT FROM unnest($2::text[]) AS t (name) WHERE NOT has_table_privilege($1, 'public.' || name, 'SELECT')
    ) OR NOT has_table_privilege($1, 'public.projects', 'INSERT') AS lacks`,
    [SERVICE_ROLE, TABLES],
  );
  return found?.lacks === true;
}

async function grantTablePrivileges(tx: EntityManager): Promise<void> {
  try {
    for (const statement of TABLE_GRANTS) await tx.query(statement);
  } catch (error) {
    throw new StartupError(
      `${SERVICE_ROLE} lacks privileges on tables, and the login of DATABASE_OWNER_URL cannot grant them: ` +
        `${postgresError(error)?.message ?? String(error)}. Use the login of the owner of the tables. ${SEE_DOCUMENTATION}`,
      { cause: error },
    );
  }
}

/** The grants of the migrations, for a role that was created later. A test compares the two. */
const TABLE_GRANTS: readonly string[] = [
  `GRANT USAGE ON SCHEMA public TO ${SERVICE_ROLE}`,
  `GRANT SELECT, INSERT, UPDATE, DELETE ON ${TABLES.join(', ')} TO ${SERVICE_ROLE}`,
  `REVOKE UPDATE, DELETE, TRUNCATE ON ${RECORDS.join(', ')} FROM ${SERVICE_ROLE}`,
  `REVOKE INSERT, UPDATE, DELETE ON migrations FROM ${SERVICE_ROLE}`,
  `GRANT USAGE ON SEQUENCE ${TABLES_WITH_SEQUENCE.map(sequenceOfIds).join(', ')} TO ${SERVICE_ROLE}`,
  `DO $$ BEGIN IF current_setting('server_version_num')::integer >= 170000 THEN
     GRANT MAINTAIN ON clouds, labels, regions, region_labels, cells, cell_labels, devices, device_labels,
       variable_correlations, variable_values TO ${SERVICE_ROLE};
   END IF; END $$`,
  `GRANT EXECUTE ON FUNCTION analyze_table, name_skeleton, fold_case TO ${SERVICE_ROLE}`,
];

/** A client that is never connected: the driver parses user and password. */
const clientOf = ({ url, user }: Connection): Client =>
  new Client(url === undefined ? { user } : { connectionString: parseServers(url).urls[0] });

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
