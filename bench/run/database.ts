import { join } from 'node:path';
import {
  currentOwner,
  isHeld,
  prepareFolders,
  runningPostmaster,
  serverUser,
  startEmbeddedPostgres,
} from '@muster/embedded-postgres';
import { Client } from 'pg';
import { findDataDir } from '../../src/database/connection/connection';

/** What the statements of all databases of the server have taken so far. */
export interface StatementTimes {
  readonly statements: number;
  /** In milliseconds. */
  readonly planning: number;
  /** In milliseconds. */
  readonly execution: number;
}

/** The PostgreSQL that stores the fleets between runs. */
export interface BenchServer {
  /** The process IDs of the postmasters. */
  readonly postmasters: readonly number[];
  readonly version: string;
  /** The URL of a database, as the superuser. */
  urlOf(database: string): string;
  readStatementTimes(): Promise<StatementTimes>;
  close(): Promise<void>;
}

/** Statistics on statements, with planning. They cost every side of a case the same. */
const SETTINGS = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track_planning': 'on',
};

/** The folder of the fleets: BENCH_DATA_DIR, or a folder next to the one of `npm start`. */
function dataFolder(): string {
  const explicit = process.env['BENCH_DATA_DIR'];
  if (explicit !== undefined && explicit !== '') return explicit;
  return `${findDataDir(undefined).dataDir}-bench`;
}

/**
 * Starts the embedded PostgreSQL with the settings of `npm start`, or uses the one that another run has started.
 */
export async function openServer(dataDir = dataFolder()): Promise<BenchServer> {
  const { run, cluster } = prepareFolders(dataDir, serverUser(dataDir));
  const owner = currentOwner(run);
  const isOwned = owner !== undefined && isHeld(owner) && owner.role === 'service';
  const server = await startEmbeddedPostgres({
    dataDir,
    role: isOwned ? 'command' : 'service',
    settings: SETTINGS,
  });
  const postmaster = runningPostmaster(cluster);
  if (postmaster === undefined) throw new Error(`no PostgreSQL runs in ${join(cluster)}`);
  const { host, port, user } = server;
  const urlOf = (database: string) =>
    `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(host)}&port=${String(port)}`;
  const version = await withClient(urlOf('postgres'), async (client) => {
    const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
    await client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
    return rows[0]?.server_version ?? '';
  });
  const readStatementTimes = () => withClient(urlOf('postgres'), statementTimes);
  return { postmasters: [postmaster], version, urlOf, readStatementTimes, close: () => server.stop() };
}

async function statementTimes(client: Client): Promise<StatementTimes> {
  const { rows } = await client.query<StatementTimes>(`SELECT COALESCE(sum(calls), 0)::float8 AS statements,
      COALESCE(sum(total_plan_time), 0) AS planning, COALESCE(sum(total_exec_time), 0) AS execution
    FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid WHERE d.datname <> current_database()`);
  const [times] = rows;
  if (!times) throw new Error('pg_stat_statements returned no row');
  return times;
}

/** Runs the work with one connection. */
export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
