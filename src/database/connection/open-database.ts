import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import type { Environment } from '../../config/environment';
import { StartupError } from '../../core/errors/startup-error';
import {
  connectionTo,
  EMBEDDED_DATABASE,
  embeddedConnection,
  projectDir,
  type Connection,
} from './connection';
import { resolveDataDir } from '../embedded/data-folders';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../embedded/embedded-postgres';

/** A database that is there to be used, and what ends it. */
export interface OpenDatabase {
  readonly connection: Connection;
  /** Where what is kept beside the database lives. */
  readonly dataDir: string;
  /** Says that `close` will follow. */
  announceStop(): void;
  close(): Promise<void>;
}

/** How the database is opened. */
interface OpenOptions {
  readonly environment: Pick<
    Environment,
    'DATABASE_URL' | 'DATABASE_OWNER_URL' | 'DATA_DIR' | 'DATABASE_POOL_SIZE' | 'WORKERS'
  >;
  readonly role: 'service' | 'command';
  /** Whether an embedded database is made where there is none. */
  readonly create: boolean;
  /** Called with messages for the operator. */
  readonly note: (sentence: string) => void;
}

/**
 * The database of DATABASE_URL; without it the embedded one, which is started.
 * @throws StartupError if the embedded one cannot be
 */
export async function openDatabase({ environment, role, create, note }: OpenOptions): Promise<OpenDatabase> {
  const folder = resolveDataDir({ explicit: environment.DATA_DIR, projectDir: projectDir() });
  const { dataDir } = folder;
  if (environment.DATABASE_URL !== undefined) {
    const connection = connectionTo(environment.DATABASE_URL, environment.DATABASE_OWNER_URL);
    return { connection, dataDir, announceStop: () => undefined, close: () => Promise.resolve() };
  }
  if (folder.note !== undefined) note(folder.note);
  if (!create && !existsSync(join(dataDir, 'postgres')))
    throw new StartupError(
      `There is no database of Muster in ${dataDir}: set DATA_DIR or DATABASE_URL, or make one with "muster-admin bootstrap".`,
    );
  const server = await startEmbeddedPostgres({
    dataDir,
    role,
    onExit: note,
    settings: { max_connections: String(maxConnections(environment)) },
  });
  try {
    await ensureDatabase(server);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return {
    connection: embeddedConnection(server),
    dataDir,
    announceStop: () => {
      server.announceStop();
    },
    close: () => server.stop(),
  };
}

/**
 * Of the processes' pools, the one by which each sees whether the database answers, and those that are opened beside
 * them: by migrations, commands, and whoever has a look.
 */
const maxConnections = ({ WORKERS, DATABASE_POOL_SIZE }: OpenOptions['environment']): number =>
  Math.max(100, WORKERS * (DATABASE_POOL_SIZE + 1) + 20);

async function ensureDatabase({ host, port, user }: EmbeddedPostgres): Promise<void> {
  const client = new Client({ host, port, user, database: 'postgres' });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [
      EMBEDDED_DATABASE,
    ]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${EMBEDDED_DATABASE}`);
  } finally {
    await client.end();
  }
}
