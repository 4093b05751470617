import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EmbeddedPostgresError, resolveDataDir, socketFolderOf } from '@muster/embedded-postgres';
import { readSettingTexts } from '../../config/setting-files';
import { StartupError } from '../../core/errors';

/** The address of a PostgreSQL server: a URL, or the socket folder, user and database of the embedded server. */
export interface Connection {
  readonly url?: string;
  readonly host?: string;
  readonly port?: number;
  readonly user?: string;
  readonly database?: string;
  /** The connection of the schema owner. Without it, the login above is the owner. */
  readonly owner?: Omit<Connection, 'owner'>;
}

/**
 * The role of the service's connections. `service`: the role that can alter neither the schema nor change records.
 * `login`: the service's login, if the server does not have that role.
 */
export type ServiceConnectionRole = 'service' | 'login';

/** The role of a connection: that of the service, or the schema owner, who migrates. */
export type ConnectionRole = ServiceConnectionRole | 'owner';

/** The role of the service, if the server has it. It can also be the login. See the first migration and ADR 33. */
export const SERVICE_ROLE = 'muster_app';

/**
 * SQL for the privilege to SET a role. Since PostgreSQL 16 a member can lack it: a user who creates a role and is not a
 * superuser may grant the role, but not SET it.
 */
export const MAY_SET_ROLE = `CASE WHEN current_setting('server_version_num')::int >= 160000 THEN 'SET' ELSE 'MEMBER' END`;

/** The database in the embedded cluster. */
export const EMBEDDED_DATABASE = 'muster';

/** The folder of the package, for the sources and for the build. */
export function projectDir(): string {
  let folder = __dirname;
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

/**
 * The data folder: DATA_DIR, else `.muster` in the project, with a note for the operator if it is elsewhere.
 * @throws StartupError
 */
export function findDataDir(explicit: string | undefined): { dataDir: string; note?: string } {
  try {
    return resolveDataDir({ program: 'muster', explicit, projectDir: projectDir() });
  } catch (error) {
    throw toStartupError(error);
  }
}

/** An expected failure of the embedded server is a reason why Muster cannot start. */
export const toStartupError = (error: unknown): unknown =>
  error instanceof EmbeddedPostgresError ? new StartupError(error.message, { cause: error.cause }) : error;

/** The database of a URL. @param owner a URL with the owner's login, if it differs */
export const connectionTo = (url: string, owner: string | undefined): Connection => ({
  url,
  ...(owner === undefined ? {} : { owner: { url: owner } }),
});

/** The connection without the owner's login, for processes that only serve. */
export function asService(connection: Connection): Omit<Connection, 'owner'> {
  const service: Omit<Connection, 'owner'> & { owner?: unknown } = { ...connection };
  delete service.owner;
  return service;
}

/** The embedded database of a server. */
export function embeddedConnection(server: { host: string; port: number; user: string }): Connection {
  const { host, port, user } = server;
  const database = EMBEDDED_DATABASE;
  return { host, port, user: SERVICE_ROLE, database, owner: { host, port, user, database } };
}

/**
 * The database of the environment, whether it runs or not: DATABASE_URL, else the embedded one in DATA_DIR.
 * @throws StartupError if a file with a setting cannot be read
 */
export function configuredConnection(environment: NodeJS.ProcessEnv): Connection {
  const { texts, faults } = readSettingTexts(environment, ['DATABASE_URL', 'DATABASE_OWNER_URL', 'DATA_DIR']);
  if (faults.length > 0) throw new StartupError(`${faults.join('; ')}.`);
  const url = texts['DATABASE_URL'];
  if (url !== undefined) return connectionTo(url, texts['DATABASE_OWNER_URL']);
  const { dataDir } = findDataDir(texts['DATA_DIR']);
  return embeddedConnection({ host: socketFolderOf(dataDir), port: 5432, user: 'postgres' });
}
