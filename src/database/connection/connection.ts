import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { resolveDataDir, socketFolderOf } from '../embedded/data-folders';

/** Where a PostgreSQL server is: a URL, or the socket folder, user and database of the embedded one. */
export interface Connection {
  readonly url?: string;
  readonly host?: string;
  readonly port?: number;
  readonly user?: string;
  readonly database?: string;
  /** How the owner of the schema connects. Without it, the login above is the owner's. */
  readonly owner?: Omit<Connection, 'owner'>;
}

/**
 * How the service's connections work. `service`: as the role that can neither alter the schema nor change records.
 * `login`: as the service's login, where the server does not have that role.
 */
export type ConnectionSource = 'service' | 'login';

/** As whom a connection works: as the service, or as the one who migrates, `owner`. */
export type ConnectionRole = ConnectionSource | 'owner';

/** The role that the service works as, and may log in as, where the server has it. See the first migration and ADR 33. */
export const SERVICE_ROLE = 'muster_app';

/**
 * SQL for the right to take a role. Since PostgreSQL 16 a member may lack it: whoever makes a role without being a
 * superuser is one that may pass the role on, but not take it.
 */
export const MAY_SET_ROLE = `CASE WHEN current_setting('server_version_num')::int >= 160000 THEN 'SET' ELSE 'MEMBER' END`;

/** The database in the embedded cluster. */
export const EMBEDDED_DATABASE = 'muster';

/** The folder of the package: of the sources, and also of what was built from them. */
export function projectDir(): string {
  let folder = __dirname;
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

/** The database of a URL. @param owner a URL with the owner's login, where that is another one */
export const connectionTo = (url: string, owner: string | undefined): Connection => ({
  url,
  ...(owner === undefined ? {} : { owner: { url: owner } }),
});

/** The same without a word of its owner: for who only serves. */
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

/** The database that the environment names, running or not: DATABASE_URL, else the embedded one of DATA_DIR. */
export function configuredConnection(environment: NodeJS.ProcessEnv): Connection {
  const [url, owner] = [environment['DATABASE_URL'], environment['DATABASE_OWNER_URL']];
  if (url !== undefined && url !== '') return connectionTo(url, owner === '' ? undefined : owner);
  const { dataDir } = resolveDataDir({ explicit: environment['DATA_DIR'], projectDir: projectDir() });
  return embeddedConnection({ host: socketFolderOf(dataDir), port: 5432, user: 'postgres' });
}
