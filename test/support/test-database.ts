import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** A migrated database of a test's own. */
export interface TestDatabase {
  /** For DATABASE_URL. */
  readonly url: string;
  readonly name: string;
  drop(): Promise<void>;
}

/** The migrated database that every test's is cloned from. */
const TEMPLATE = 'muster_template';
/** Any number will do: it queues those who clone, for a template that is in use cannot be cloned. */
const CLONE_LOCK = 7_780_001;

/**
 * Clones the migrated template under a name of its own; it takes about a tenth of a second.
 * @param template another database to clone, which nobody is connected to
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
    // Forced: a test that failed may have left its connections open.
    drop: () =>
      asAdministrator(async (client) => {
        await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      }),
  };
}

/**
 * Creates the template by migrating an empty database; for the set-up before all tests.
 * @param migrate takes the URL of an empty database
 */
export async function createTemplate(migrate: (databaseUrl: string) => void): Promise<void> {
  const name = templateName();
  await asAdministrator((client) => client.query(`CREATE DATABASE ${name}`));
  migrate(urlOf(name));
  // A connection to it, be it a forgotten one, would make every clone fail.
  await asAdministrator((client) => client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`));
}

/** Drops the template, on a server that outlives the tests. */
export async function dropTemplate(): Promise<void> {
  await asAdministrator((client) => client.query(`DROP DATABASE IF EXISTS ${templateName()}`));
}

/** Tests on a server of one's own (TEST_DATABASE_URL) may run twice at a time, each run with its template. */
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
  // `host` and `port` of the query count; the name before the path is there for those who read it as a URL.
  return `postgresql://${user}@localhost/${name}?host=${encodeURIComponent(host)}&port=5432`;
}
