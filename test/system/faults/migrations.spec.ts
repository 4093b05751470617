import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, type QueryResultRow } from 'pg';
import { childrenOf, signal } from '../../support/system-processes';
import { LATER_MIGRATIONS, LATER_VERSION } from '../../support/later-version';
import { admin, builtAdmin, linesByName, printed, refusal } from '../../support/admin';
import { cleanUp } from '../embedded/processes';
import { startServiceProcess } from '../../support/service-process';
import { Caller, type Credentials } from '../../support/caller';
import { createTestDatabase } from '../../support/test-database';
import { until } from '../../support/until';
import { auditWrites } from './write-audit';
import { ownServer, type OwnServer } from './own-server';
import { Writer } from './writer';

jest.setTimeout(300_000);

/** The table that the last migration of the later version alters. A lock on it blocks the migrations half-way. */
const LAST_TABLE = 'audits';
const LOCK_LAST_TABLE = `LOCK TABLE ${LAST_TABLE} IN ACCESS SHARE MODE`;

/** What the migrations of the later version add to the schema. */
const ADDED = [
  'users.nickname text',
  'users users_by_nickname',
  'CREATE UNIQUE INDEX users_by_nickname ON public.users USING btree (project_id, nickname)',
  'audits.severity integer',
  ...LATER_MIGRATIONS.map((name) => `migrated: ${name}`),
];

/** The server of the test that kills one of its backends. */
let own: OwnServer | undefined;

afterAll(async () => {
  await cleanUp();
  await own?.end();
});

const environmentOf = (url: string) => ({ DATABASE_URL: url, WORKERS: '1', LOG_LEVEL: 'silent' });

/** Runs one query on a new connection. */
async function query<T extends QueryResultRow>(url: string, text: string): Promise<T[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end();
  }
}

/** Makes the first user of a migrated database. */
async function bootstrap(url: string): Promise<Credentials> {
  const lines = linesByName(await printed(admin(['bootstrap'], environmentOf(url))));
  return { project: lines['project'] ?? '', user: lines['username'] ?? '', token: lines['api key'] ?? '' };
}

/** Columns, constraints, indexes, and the recorded migrations. */
async function schemaOf(url: string): Promise<string[]> {
  const rows = await query<{ what: string }>(
    url,
    `
    SELECT table_name || '.' || column_name || ' ' || data_type AS what FROM information_schema.columns WHERE table_schema = 'public'
    UNION ALL SELECT conrelid::regclass || ' ' || conname FROM pg_constraint WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT 'migrated: ' || name FROM migrations`,
  );
  return rows.map(({ what }) => what).toSorted();
}

/** Locks the last table, so that a migration waits for it. Ending the connection releases the lock. */
async function lockLastTable(url: string): Promise<Client> {
  const client = await connected(url);
  await client.query('BEGIN');
  await client.query(LOCK_LAST_TABLE);
  return client;
}

async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  // A recovery of the server ends this connection, too.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/**
 * The same while a migration may still wait for the table.
 * @returns the connection, which has requested the lock before any later migration, and the lock
 */
async function queueLockOnLastTable(url: string): Promise<{ holder: Client; locked: Promise<unknown> }> {
  const holder = await connected(url);
  await holder.query('BEGIN');
  const [own] = (await holder.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows;
  const locked = holder.query(LOCK_LAST_TABLE);
  await until('the lock is requested', 60, async () => {
    const rows = await query(
      url,
      `SELECT FROM pg_locks WHERE pid = ${String(own?.pid)} AND relation = '${LAST_TABLE}'::regclass`,
    );
    return rows.length > 0;
  });
  return { holder, locked };
}

/** Waits until a migration has altered tables and waits for the last one. @returns its backend's process ID */
async function blockedMigration(url: string): Promise<number> {
  let pid = 0;
  await until('a migration waits for the last table', 60, async () => {
    const rows = await query<{ pid: number }>(
      url,
      `
      SELECT w.pid FROM pg_locks w JOIN pg_locks h ON h.pid = w.pid AND h.granted AND h.mode = 'AccessExclusiveLock'
      WHERE NOT w.granted AND w.relation = '${LAST_TABLE}'::regclass AND h.relation = 'users'::regclass
        AND w.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    pid = rows[0]?.pid ?? 0;
    return rows.length > 0;
  });
  return pid;
}

/** The schema as soon as the server accepts connections again. */
async function schemaAfterRecovery(url: string): Promise<string[]> {
  let found: string[] = [];
  await until('the database accepts connections', 60, async () => {
    found = await schemaOf(url).catch(() => []);
    return found.length > 0;
  });
  return found;
}

it.concurrent('a killed migration is rolled back, and the next start runs it completely', async () => {
  own = await ownServer();
  const { url } = own;
  const environment = environmentOf(url);
  await printed(admin(['migrate'], environment));
  const credentials = await bootstrap(url);
  const older = await schemaOf(url);
  const first = startServiceProcess(environment);
  const writer = new Writer();
  await writer.start(new Caller(await first.serving(), credentials));
  await writer.untilAcknowledged(20);
  await writer.stop();
  first.kill('SIGTERM');
  expect(await first.ended).toBe(0);

  const later = { ...environment, ...LATER_VERSION };
  const holder = await lockLastTable(url);
  const killed = startServiceProcess(later);
  const orphan = await blockedMigration(url);
  killed.kill('SIGKILL');
  await killed.ended;
  // PostgreSQL has not yet detected that the client has disconnected.
  expect(await query(url, `SELECT FROM pg_stat_activity WHERE pid = ${String(orphan)}`)).toHaveLength(1);
  expect(await schemaOf(url)).toEqual(older);

  // Before the next migration can have the table.
  const next = await queueLockOnLastTable(url);
  const second = startServiceProcess(later);
  await holder.end();
  await next.locked;
  signal([await blockedMigration(url)], 'SIGKILL');
  // The server then ends all other connections, and recovers.
  expect(await second.refusal()).toMatch(
    /^muster: The connection was lost during the migration: .*: start again\.$/,
  );
  expect(await schemaAfterRecovery(url)).toEqual(older);
  await next.holder.end();

  const service = startServiceProcess(later);
  const root = new Caller(await service.serving(), credentials);
  expect(await schemaOf(url)).toEqual([...older, ...ADDED].toSorted());
  await auditWrites(writer, root, later);
  // The test's login is a superuser; the service warns of it once.
  expect(service.errorLines.filter((line) => line.includes('DATABASE_OWNER_URL'))).toHaveLength(1);
  service.kill('SIGTERM');
  expect(await service.ended).toBe(0);
  await own.end();
});

it.concurrent('only one of several concurrent programs migrates, and readers are not blocked for long', async () => {
  const database = await createTestDatabase();
  const { url } = database;
  const environment = environmentOf(url);
  const credentials = await bootstrap(url);
  const older = await schemaOf(url);
  const later = { ...environment, ...LATER_VERSION };
  expect(await refusal(builtAdmin(['user', 'list'], later))).toBe(
    `The database's schema is older than this program: run "muster-admin migrate" (pending: ${LATER_MIGRATIONS.join(', ')}).`,
  );
  const holder = await lockLastTable(url);
  const programs = [startServiceProcess({ ...later, WORKERS: '2' }), startServiceProcess(later)];
  const command = printed(builtAdmin(['migrate'], later));
  await blockedMigration(url);
  await until('the others wait', 60, async () => {
    const rows = await query(
      url,
      `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    return rows.length === programs.length;
  });
  // This query waits for the migration, which waits for the holder, until the migration's lock timeout.
  expect(await query(url, `SELECT FROM ${LAST_TABLE}`)).toEqual([]);
  await holder.end();

  const [several, alone] = await Promise.all(programs.map((program) => program.serving()));
  const migrated = new RegExp(
    `^(The schema is up to date\\.|${LATER_MIGRATIONS.map((name) => `migrated: ${name}`).join('\\n')})\\n$`,
  );
  expect(await command).toMatch(migrated);
  expect(await schemaOf(url)).toEqual([...older, ...ADDED].toSorted());
  for (const url of [several, alone])
    await new Caller(url ?? '', credentials).post('/v1/regions', { name: `by ${String(url)}` }).expect(201);

  await query(url, `INSERT INTO migrations (timestamp, name) VALUES (9999999999999, 'Later9999999999999')`);
  const newer =
    /^[^.\n]*schema is newer than this program: it has (\w+, )*Later9999999999999\. Start a newer Muster\.$/;
  expect(await startServiceProcess(environment).refusal()).toMatch(newer);
  for (const args of [['migrate'], ['user', 'list']])
    expect(await refusal(admin(args, environment))).toMatch(newer);
  // Running workers continue. This program does not replace one that exits.
  const [first] = programs;
  const [worker = 0] = childrenOf(first?.pid ?? 0);
  process.kill(worker, 'SIGKILL');
  await first?.untilPrinted(/Worker \d+ exited: .*schema is newer than this program/);
  await new Caller(several ?? '', credentials).get('/v1/regions').expect(200);
  for (const program of programs) program.kill('SIGTERM');
  expect(await Promise.all(programs.map((program) => program.ended))).toEqual([0, 0]);
  await database.drop();
});

it.concurrent('a database from before the first release is refused, and stays unchanged', async () => {
  const database = await createTestDatabase();
  const { url } = database;
  await query(
    url,
    `WITH released AS (DELETE FROM migrations) INSERT INTO migrations (timestamp, name)
      VALUES (1763600000000, 'Inventory1763600000000'), (1764930000000, 'Collations1764930000000')`,
  );
  const before = await schemaOf(url);
  const environment = environmentOf(url);
  const sentence =
    /schema is from before the first release and cannot be migrated: run "muster-admin migrate" and "muster-admin backup FILE" of the last version before the release, and "muster-admin restore FILE" of this version with an empty database\. See "Databases from before the first release" in docs\/operations\.md\.$/;
  expect(await startServiceProcess(environment).refusal()).toMatch(sentence);
  for (const args of [
    ['migrate'],
    ['bootstrap'],
    ['user', 'list'],
    ['backup', join(tmpdir(), 'never-written')],
  ])
    expect(await refusal(admin(args, environment))).toMatch(sentence);
  const status = await admin(['migrate', '--status'], environment);
  expect(status).toMatchObject({ code: 4, stderr: '' });
  expect(status.stdout).toContain('unknown: Inventory1763600000000\n');
  expect(await schemaOf(url)).toEqual(before);
  await database.drop();
});
