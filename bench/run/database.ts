import { join } from 'node:path';
import { Client } from 'pg';
import { projectDir } from '../../src/database/connection/connection';
import { prepareFolders, resolveDataDir } from '../../src/database/embedded/data-folders';
import { startEmbeddedPostgres } from '../../src/database/embedded/embedded-postgres';
import { currentOwner, isHeld } from '../../src/database/embedded/ownership';
import { runningPostmaster } from '../../src/database/embedded/postmaster-pid';
import { serverUser } from '../../src/database/embedded/server-user';

/** The PostgreSQL that keeps the fleets between runs. */
export interface BenchServer {
  /** The process that all its others belong to. */
  readonly postmaster: number;
  readonly version: string;
  /** What connects to a database of it, as its superuser. */
  urlOf(database: string): string;
  close(): Promise<void>;
}

/** The folder of the fleets, beside the one of `npm start`: BENCH_DATA_DIR names another. */
function dataFolder(): string {
  const explicit = process.env['BENCH_DATA_DIR'];
  if (explicit !== undefined && explicit !== '') return explicit;
  return `${resolveDataDir({ explicit: undefined, projectDir: projectDir() }).dataDir}-bench`;
}

/**
 * Starts the embedded PostgreSQL with the settings that `npm start` gives it; one that another run has started is
 * used, too.
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

/** Does the work with one connection. */
export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
