import { join } from 'node:path';
import { Client } from 'pg';
import { projectDir } from '../../src/database/connection/connection';
import { prepareFolders, resolveDataDir } from '../../src/database/embedded/data-folders';
import { startEmbeddedPostgres } from '../../src/database/embedded/embedded-postgres';
import { currentOwner, isHeld } from '../../src/database/embedded/ownership';
import { runningPostmaster } from '../../src/database/embedded/postmaster-pid';
import { serverUser } from '../../src/database/embedded/server-user';

/** The PostgreSQL that stores the fleets between runs. */
export interface BenchServer {
  /** The process ID of the postmaster. */
  readonly postmaster: number;
  readonly version: string;
  /** The URL of a database, as the superuser. */
  urlOf(database: string): string;
  close(): Promise<void>;
}

/** The folder of the fleets: BENCH_DATA_DIR, or a folder next to the one of `npm start`. */
function dataFolder(): string {
  const explicit = process.env['BENCH_DATA_DIR'];
  if (explicit !== undefined && explicit !== '') return explicit;
  return `${resolveDataDir({ explicit: undefined, projectDir: projectDir() }).dataDir}-bench`;
}

/**
 * Starts the embedded PostgreSQL with the settings of `npm start`, or uses the one that another run has started.
 */
export async function openServer(dataDir = dataFolder()): Promise<BenchServer> {
  const { run, cluster } = prepareFolders(dataDir, serverUser(dataDir));
  const owner = currentOwner(run);
  const isOwned = owner !== undefined && isHeld(owner) && owner.role === 'service';
  const server = await startEmbeddedPostgres({ dataDir, role: isOwned ? 'command' : 'service' });
  const postmaster = runningPostmaster(cluster);
  if (postmaster === undefined) throw new Error(`no PostgreSQL runs in ${join(cluster)}`);
  const { host, port, user } = server;
  const urlOf = (database: string) =>
    `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(host)}&port=${String(port)}`;
  const version = await withClient(urlOf('postgres'), async (client) => {
    const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
    return rows[0]?.server_version ?? '';
  });
  return { postmaster, version, urlOf, close: () => server.stop() };
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
