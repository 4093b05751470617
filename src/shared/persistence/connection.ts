import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { resolveDataDir, socketFolderOf } from './embedded/data-folders';

/** Where a PostgreSQL server is: a URL, or the socket folder, user and database of the embedded one. */
export interface Connection {
  readonly url?: string;
  readonly host?: string;
  readonly port?: number;
  readonly user?: string;
  readonly database?: string;
}

/** The role that the service works as, where the server has it. See the first migration. */
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

/** The database that the environment names, running or not: DATABASE_URL, else the embedded one of DATA_DIR. */
export function configuredConnection(environment: NodeJS.ProcessEnv): Connection {
  const url = environment['DATABASE_URL'];
  if (url !== undefined && url !== '') return { url };
  const { dataDir } = resolveDataDir({ explicit: environment['DATA_DIR'], projectDir: projectDir() });
  return { host: socketFolderOf(dataDir), port: 5432, user: 'postgres', database: EMBEDDED_DATABASE };
}
