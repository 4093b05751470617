import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '@muster/embedded-postgres';
import { Client } from 'pg';
import type { Environment } from '../../config/environment';
import { StartupError } from '../../core/errors';
import {
  connectionTo,
  EMBEDDED_DATABASE,
  embeddedConnection,
  findDataDir,
  toStartupError,
  type Connection,
} from './connection';
import { MAX_SESSIONS } from '../session';
import { verifyDatabase } from './verify-database';

/** A database that is ready for use. */
export interface OpenDatabase {
  readonly connection: Connection;
  /** The folder for data outside of the database. */
  readonly dataDir: string;
  /** Announces that `close` will follow. */
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
  /** Whether to create the embedded database if it does not exist. */
  readonly create: boolean;
  /** Called with messages for the operator. */
  readonly log: (sentence: string) => void;
}

/**
 * Opens the database of DATABASE_URL, and verifies it. Without that setting, starts the embedded database.
 * @throws StartupError if the database cannot be reached or used, or the embedded database cannot be started
 */
export async function openDatabase({
  environment,
  role,
  create,
  log: note,
}: OpenOptions): Promise<OpenDatabase> {
  const folder = findDataDir(environment.DATA_DIR);
  const { dataDir } = folder;
  if (environment.DATABASE_URL !== undefined) {
    const connection = connectionTo(environment.DATABASE_URL, environment.DATABASE_OWNER_URL);
    await verifyDatabase(connection);
    return { connection, dataDir, announceStop: () => undefined, close: () => Promise.resolve() };
  }
  if (folder.note !== undefined) note(folder.note);
  if (!create && !existsSync(join(dataDir, 'postgres')))
    throw new StartupError(
      `There is no database of Muster in ${dataDir}: set DATA_DIR or DATABASE_URL, or create one with "muster-admin bootstrap".`,
    );
  const server = await startEmbeddedPostgres({
    dataDir,
    role,
    onExit: note,
    programFiles: KEY_FILES,
    settings: { max_connections: String(maxConnections(environment)) },
  }).catch((error: unknown) => {
    throw toStartupError(error);
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

/** The file with the encryption keys, and unfinished ones: see access-secrets/key-source.ts. */
const KEY_FILES = /^secrets\.key(\..*)?$/;

/**
 * The pools of all workers, the probe and the sessions of each worker, and a reserve for migrations, commands and operators.
 */
const maxConnections = ({ WORKERS, DATABASE_POOL_SIZE }: OpenOptions['environment']): number =>
  Math.max(100, WORKERS * (DATABASE_POOL_SIZE + 1 + MAX_SESSIONS) + 20);

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
