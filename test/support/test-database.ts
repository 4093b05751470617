import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

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
 * Clones the migrated template, in about a tenth of a second.
 * @param template another database to clone, without connections
 */
export async function createTestDatabase(template = templateName()): Promise<TestDatabase> {
  const name = `test_${process.pid}_${randomBytes(6).toString('hex')}`;
  await asAdministrator(async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [CLONE_LOCK]);
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  });
  return {
    name,
    url: urlOf(name),
    // FORCE, because a failed test may have left connections open.
    drop: () =>
      asAdministrator(async (client) => {
        await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      }),
  };
}

/**
 * Creates the template in the global setup.
 * @param migrate migrates an empty database by its URL
 */
export async function createTemplate(migrate: (databaseUrl: string) => void): Promise<void> {
  const name = templateName();
  await asAdministrator((client) => client.query(`CREATE DATABASE ${name}`));
  migrate(urlOf(name));
  // Any connection to the template would make clones fail.
  await asAdministrator((client) => client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`));
}

/** Drops the template on a server that is not stopped after the tests. */
export async function dropTemplate(): Promise<void> {
  await asAdministrator((client) => client.query(`DROP DATABASE IF EXISTS ${templateName()}`));
}

/** Concurrent test runs on one server (TEST_DATABASE_URL) have separate templates. */
function templateName(): string {
  return process.env.TEST_PG_TEMPLATE ?? TEMPLATE;
}

async function asAdministrator(work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: process.env.TEST_DATABASE_URL ?? urlOf('postgres') });
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
