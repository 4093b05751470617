import { Client } from 'pg';
import type { EntityManager } from 'typeorm';
import { postgresError } from '../errors/postgres-error';
import { StartupError } from '../../core/errors/startup-error';
import { withOwnerConnection, withConnection } from '../connection/admin-connection';
import { MAY_SET_ROLE, SERVICE_ROLE, type Connection, type ConnectionSource } from '../connection/connection';
import { MIGRATION_LOCK } from '../migrate';
import { scramVerifier } from './scram-verifier';
import { parseServers } from '../../config/database-urls';

/** How the service connects, and what was found of it. */
export interface ServiceLogin {
  /** Whether its connections take the service's role, or are what they are by their login. */
  readonly as: ConnectionSource;
  /** What a statement could do that must not be able to, in a sentence for a person; undefined if there is nothing. */
  readonly weakness: string | undefined;
}

const ROLES_ARE_TOLD = 'See "Roles of the database" in docs/operations.md.';

/**
 * The tables of which nothing may be altered: the migrations `inventory` and `scale` keep them from the service. A table
 * that a later one keeps from it has to be named here, too.
 */
const RECORDS = ['changes', 'change_objects', 'change_impacts'];

/**
 * Sees to it that the service can work with its login, and proves what that login can do. Where the schema's owner
 * connects otherwise, it gives the login the rights that it needs.
 * @throws StartupError if the login cannot work; and where it should be one of its own, if it could alter the schema or
 *   change records
 */
export async function verifyServiceLogin(connection: Connection): Promise<ServiceLogin> {
  const { owner } = connection;
  if (owner)
    await withOwnerConnection(connection, (dataSource) =>
      dataSource.transaction((tx) => giveRights(tx, connection)),
    );
  return withConnection('login', connection, async (dataSource) => {
    const [found] = await dataSource.query<Powers[]>(POWERS, [SERVICE_ROLE, RECORDS]);
    if (!found) throw new Error('a database says nothing of a login');
    const powers = powersOf(found);
    const as = found.takesRole ? 'service' : 'login';
    if (powers.length === 0) return { as, weakness: undefined };
    const can = `The service's login "${found.login}" could do more than the service should: it ${powers.join(', and it ')}.`;
    if (owner) throw new StartupError(`${can} ${ROLES_ARE_TOLD}`);
    return {
      as,
      weakness: `${can} Name the owner's login in DATABASE_OWNER_URL, and give the service its own. ${ROLES_ARE_TOLD}`,
    };
  });
}

/** What a login, or a role that it can take, has that the service must not have. */
interface Powers {
  readonly login: string;
  /** Whether it can take the service's role. */
  readonly takesRole: boolean;
  readonly isSuperuser: boolean;
  readonly makesRoles: boolean;
  readonly ownsTables: boolean;
  readonly createsObjects: boolean;
  readonly createsSchemas: boolean;
  readonly altersRecords: boolean;
  readonly reachesFiles: boolean;
}

/** Of all roles that the login can take: RESET ROLE and SET ROLE are statements like any other. */
const POWERS = `
  WITH reached AS (
    SELECT oid, rolname, rolsuper, rolcreaterole FROM pg_roles WHERE pg_has_role(session_user, oid, 'MEMBER')
  ), records AS (
    SELECT to_regclass('public.' || name) AS oid FROM unnest($2::text[]) AS t (name)
  )
  SELECT session_user AS login,
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

function powersOf(found: Powers): string[] {
  if (found.isSuperuser) return ['is a superuser, or can become one'];
  const powers: [boolean, string][] = [
    [found.ownsTables, 'owns tables, or can become who does'],
    [found.altersRecords, 'may change or delete change records'],
    [found.createsObjects, 'may create objects in the schema public'],
    [found.createsSchemas, 'may create schemas'],
    [found.makesRoles, 'may make roles'],
    [found.reachesFiles, "may reach the server's files and programs"],
  ];
  return powers.flatMap(([has, sentence]) => (has ? [sentence] : []));
}

/**
 * As the owner, in a transaction: gives the service's role what it needs and may lack, and the role to the service's
 * login. Of several that start together, one does.
 */
async function giveRights(tx: EntityManager, connection: Connection): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
  const login = clientOf(connection).user ?? '';
  await refuseSwapped(tx, login);
  const roles = await tx.query<{ name: string; canLogIn: boolean; isMember: boolean }[]>(
    `SELECT rolname AS name, rolcanlogin AS "canLogIn", pg_has_role(rolname, $1, 'MEMBER') AS "isMember"
      FROM pg_roles WHERE rolname = $2 AND EXISTS (SELECT FROM pg_roles WHERE rolname = $1)`,
    [SERVICE_ROLE, login],
  );
  const [role] = roles;
  if (!role)
    throw new StartupError(
      `There is no role ${SERVICE_ROLE}, or no login "${login}", in the database: make them. ${ROLES_ARE_TOLD}`,
    );
  if (login === SERVICE_ROLE && !role.canLogIn) await letLogIn(tx, connection);
  if (await lacksRights(tx)) await giveRightsOnTables(tx);
  if (!role.isMember) await makeMember(tx, login);
}

/** Whoever swaps the two settings has both logins that are needed: no advice about rights would help. */
async function refuseSwapped(tx: EntityManager, login: string): Promise<void> {
  const [found] = await tx.query<{ isOwner: boolean; other: string; otherIsOwner: boolean }[]>(
    `SELECT pg_get_userbyid(c.relowner) = $1 AS "isOwner", CURRENT_USER::text AS other,
        pg_has_role(c.relowner, 'USAGE') AS "otherIsOwner"
      FROM pg_class c WHERE c.oid = to_regclass('public.projects')`,
    [login],
  );
  if (found?.isOwner === true && !found.otherIsOwner)
    throw new StartupError(
      `DATABASE_URL and DATABASE_OWNER_URL look swapped: "${login}", the login of the first, owns the tables, and "${found.other}", that of the second, does not. ${ROLES_ARE_TOLD}`,
    );
}

/** The first migration makes the role without a login. The embedded server needs no password: a folder protects it. */
async function letLogIn(tx: EntityManager, connection: Connection): Promise<void> {
  const { password } = clientOf(connection);
  const statement = `ALTER ROLE ${SERVICE_ROLE} LOGIN`;
  try {
    await tx.query(password ? `${statement} PASSWORD '${scramVerifier(password)}'` : statement);
  } catch (error) {
    throw new StartupError(
      `${SERVICE_ROLE}, the login of DATABASE_URL, cannot log in, and that of DATABASE_OWNER_URL may not let it: ` +
        `have a superuser run ${statement} PASSWORD '…'. ${ROLES_ARE_TOLD}`,
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
      `The login of DATABASE_URL cannot work as ${SERVICE_ROLE}, and that of DATABASE_OWNER_URL may not let it: ` +
        `have a superuser run ${grant}. ${ROLES_ARE_TOLD}`,
      { cause: error },
    );
  }
}

/** Of whoever asks, or whose rights it has. What others have in the schema, and what extensions bring, is theirs. */
const TABLES_OF_OWNER = `c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
  AND pg_has_role(c.relowner, 'USAGE')
  AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.classid = 'pg_class'::regclass AND d.deptype = 'e')`;

/** Whether the service's role was made after the tables, or the tables after what was said of future ones. */
async function lacksRights(tx: EntityManager): Promise<boolean> {
  const [found] = await tx.query<{ lacks: boolean }[]>(
    `SELECT NOT has_schema_privilege($1, 'public', 'USAGE') OR EXISTS (
      SELECT FROM pg_class c WHERE ${TABLES_OF_OWNER} AND NOT has_table_privilege($1, c.oid, 'SELECT')
    ) OR NOT has_table_privilege($1, 'public.projects', 'INSERT') AS lacks`,
    [SERVICE_ROLE],
  );
  return found?.lacks === true;
}

async function giveRightsOnTables(tx: EntityManager): Promise<void> {
  const [found] = await tx.query<{ tables: string | null }[]>(
    `SELECT string_agg(c.oid::regclass::text, ', ') AS tables FROM pg_class c WHERE ${TABLES_OF_OWNER}`,
  );
  try {
    for (const statement of rightsOn(found?.tables ?? 'projects')) await tx.query(statement);
  } catch (error) {
    throw new StartupError(
      `${SERVICE_ROLE} lacks rights on tables, and the login of DATABASE_OWNER_URL cannot give them: ` +
        `${postgresError(error)?.message ?? String(error)}. Name the owner of the tables. ${ROLES_ARE_TOLD}`,
      { cause: error },
    );
  }
}

/**
 * What the migrations `inventory` and `scale` give the role, once more: they say it for the tables that there were then,
 * this for all. A test compares the two.
 */
const rightsOn = (tables: string): string[] => [
  `GRANT USAGE ON SCHEMA public TO ${SERVICE_ROLE}`,
  `GRANT SELECT, INSERT, UPDATE, DELETE ON ${tables} TO ${SERVICE_ROLE}`,
  `ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${SERVICE_ROLE}`,
  `REVOKE UPDATE, DELETE, TRUNCATE ON ${RECORDS.join(', ')} FROM ${SERVICE_ROLE}`,
  `REVOKE INSERT, UPDATE, DELETE ON migrations FROM ${SERVICE_ROLE}`,
  `GRANT USAGE ON SEQUENCE clouds_id_seq, labels_id_seq, regions_id_seq, cells_id_seq, devices_id_seq TO ${SERVICE_ROLE}`,
];

/** The user that connections log in as, and its password, as the driver reads them. */
const clientOf = ({ url, user }: Connection): Client =>
  new Client(url === undefined ? { user } : { connectionString: parseServers(url).urls[0] });

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
