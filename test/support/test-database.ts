import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { Client } from 'pg';

/** A migrated database for one test. */
export interface TestDatabase {
  /** For DATABASE_URL. */
  readonly url: string;
  readonly name: string;
  drop(): Promise<void>;
}

/** The migrated database that test databases are cloned from. */
const TEMPLATE = 'muster_template';
/** An arbitrary advisory lock key. Clones are serialized, because a template in use cannot be cloned. */
const CLONE_LOCK = 7_780_001;
/**
 * The test server copies the files of the template: by default, PostgreSQL writes all their blocks to the log as well, which takes
 * half as much CPU time again. The copy begins and ends with a checkpoint, which is cheap only on a server that does not sync.
 */
const STRATEGY = process.env.TEST_DATABASE_URL === undefined ? 'STRATEGY file_copy' : '';

/**
 * Clones the migrated template, in about a tenth of a second.
 * @param template another database to clone, without connections
 */
export async function createTestDatabase(template = templateName()): Promise<TestDatabase> {
  const name = `test_${process.pid}_${randomBytes(6).toString('hex')}`;
  await onEachServer(async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [CLONE_LOCK]);
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template} ${STRATEGY}`);
  });
  return {
    name,
    url: urlOf(name),
    // FORCE, because a failed test may have left connections open.
    drop: () => onEachServer((client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
  };
}

/**
 * Creates an empty database, which has no schema.
 * @param options of CREATE DATABASE, such as its encoding and locale
 */
export async function createEmptyDatabase(options = ''): Promise<TestDatabase> {
  const name = `test_${process.pid}_${randomBytes(6).toString('hex')}`;
  await asAdministrator((client) => client.query(`CREATE DATABASE ${name} TEMPLATE template0 ${options}`));
  return {
    name,
    url: urlOf(name),
    drop: () => asAdministrator((client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
  };
}

/** Whether the tests run on Citus: TEST_DATABASE_URL names the coordinator of a cluster. */
export const isOnCitus = (): boolean => process.env.TEST_CITUS !== undefined;

interface CitusNode {
  readonly host: string;
  readonly port: number;
}

/** The nodes of the cluster, the coordinator first. */
async function citusNodes(): Promise<CitusNode[]> {
  let nodes: CitusNode[] = [];
  await asAdministrator(async (client) => {
    const { rows } = await client.query<CitusNode>(
      'SELECT nodename AS host, nodeport AS port FROM pg_dist_node ORDER BY groupid',
    );
    nodes = rows;
  });
  return nodes;
}

function onNode({ host, port }: CitusNode, database: string): string {
  const url = new URL(urlOf(database));
  url.hostname = host;
  url.port = String(port);
  return url.href;
}

/** Runs `muster-admin` as an operator does. */
function runAdmin(command: 'migrate' | 'distribute', databaseUrl: string): void {
  const args = [join(resolve(__dirname, '../..'), 'dist/src/cli.js'), command];
  const env = { PATH: process.env.PATH, DATABASE_URL: databaseUrl };
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`muster-admin ${command} failed: ${stderr}`);
}

/** Creates the template in the global setup. On Citus, it is distributed. */
export async function createTemplate(): Promise<void> {
  const name = templateName();
  await onEachServer((client) => client.query(`CREATE DATABASE ${name}`));
  if (isOnCitus()) await addNodes(name);
  runAdmin('migrate', urlOf(name));
  if (isOnCitus()) runAdmin('distribute', urlOf(name));
  // Any connection to the template would make clones fail. Citus has one of its own in each database.
  await onEachServer(async (client) => {
    await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await client.query('SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = $1', [
      name,
    ]);
  });
}

/** Makes an empty database on all servers of a Citus cluster a database of Citus. */
async function addNodes(name: string): Promise<void> {
  await onEachServer((client) => client.query('CREATE EXTENSION citus'), name);
  const [coordinator, ...workers] = await citusNodes();
  if (coordinator === undefined) throw new Error('pg_dist_node lists no coordinator');
  await withClient(urlOf(name), async (client) => {
    await client.query('SELECT citus_set_coordinator_host($1, $2)', [coordinator.host, coordinator.port]);
    for (const { host, port } of workers) await client.query('SELECT citus_add_node($1, $2)', [host, port]);
    // Each table has as many parts, which takes time to create and to clone.
    await client.query(`ALTER DATABASE ${name} SET citus.shard_count = 8`);
  });
}

/** Drops the template on a server that is not stopped after the tests. */
export const dropTemplate = (): Promise<void> =>
  onEachServer((client) => client.query(`DROP DATABASE IF EXISTS ${templateName()} WITH (FORCE)`));

/** Concurrent test runs on one server (TEST_DATABASE_URL) have separate templates. */
function templateName(): string {
  return process.env.TEST_PG_TEMPLATE ?? TEMPLATE;
}

const asAdministrator = (work: (client: Client) => Promise<unknown>): Promise<void> =>
  withClient(process.env.TEST_DATABASE_URL ?? urlOf('postgres'), work);

/** Connects to the server, or on Citus to all servers of the cluster, one after the other. */
async function onEachServer(
  work: (client: Client) => Promise<unknown>,
  database = 'postgres',
): Promise<void> {
  if (!isOnCitus()) return asAdministrator(work);
  for (const node of await citusNodes()) await withClient(onNode(node, database), work);
}

async function withClient(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  // Most test files have no database of their own, and do not load the package.
  const pg = await import('pg');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function urlOf(name: string): string {
  if (process.env.TEST_DATABASE_URL !== undefined) {
    const url = new URL(process.env.TEST_DATABASE_URL);
    url.pathname = `/${name}`;
    return url.href;
  }
  const { TEST_PG_HOST: host, TEST_PG_USER: user } = process.env;
  if (host === undefined || user === undefined) throw new Error('global-setup.ts has started no test server');
  // The query's `host` and `port` take effect. The hostname only makes the URL valid.
  return `postgresql://${user}@localhost/${name}?host=${encodeURIComponent(host)}&port=5432`;
}
