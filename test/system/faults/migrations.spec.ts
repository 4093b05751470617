import { Client } from 'pg';
import { childrenOf, signal } from '../../support/system-processes';
import { undoMigrations } from '../../support/built-modules';
import { admin, printed, refusal } from '../../support/admin';
import { cleanUp } from '../embedded/processes';
import { startServiceProcess } from '../../support/service-process';
import { Caller } from '../../support/caller';
import { until } from '../../support/until';
import { agreement } from './account';
import { ownServer, type OwnServer } from './own-server';
import { Writer } from './writer';

jest.setTimeout(300_000);

/** The last table that the first of the undone migrations alters: whoever holds it stops the migration in its middle. */
const LAST_TABLE = 'audits';
/** How many migrations are undone. */
const UNDONE = 2;

let own: OwnServer;
let credentials: Caller['credentials'];
const writer = new Writer();
/** What stands in the schema when all is migrated. */
let whole: string[];

const environment = () => ({ DATABASE_URL: own.url, WORKERS: '1', LOG_LEVEL: 'silent' });

beforeAll(async () => {
  own = await ownServer();
  const service = startServiceProcess(environment());
  const root = await service.root();
  credentials = root.credentials;
  await writer.start(root);
  await writer.acknowledges(60);
  await writer.rest();
  service.kill('SIGTERM');
  expect(await service.ended).toBe(0);
  whole = await schema();
});

afterEach(cleanUp);
afterAll(() => own.end());

/** Columns, constraints, indexes, and what is said to have been migrated. */
async function schema(): Promise<string[]> {
  const rows = await own.server.rows<{ what: string }>(`
    SELECT table_name || '.' || column_name || ' ' || data_type AS what FROM information_schema.columns WHERE table_schema = 'public'
    UNION ALL SELECT conrelid::regclass || ' ' || conname FROM pg_constraint WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT 'migrated: ' || name FROM migrations
    ORDER BY what`);
  return rows.map(({ what }) => what);
}

/** Brings the schema back to what it was some migrations ago, with all that stands in it. */
async function undo(): Promise<string[]> {
  await undoMigrations(own.url, UNDONE);
  const older = await schema();
  expect(older.length).toBeLessThan(whole.length - UNDONE);
  return older;
}

/** Keeps whoever migrates from the last table. */
async function obstacle(): Promise<Client> {
  const client = new Client({ connectionString: own.url });
  // It may be ended together with all others.
  client.on('error', () => undefined);
  await client.connect();
  await client.query('BEGIN');
  await client.query(`LOCK TABLE ${LAST_TABLE} IN ACCESS SHARE MODE`);
  return client;
}

/** Waits until a migration has altered tables, and cannot go on. @returns the process of PostgreSQL that does it */
async function inTheMiddle(): Promise<number> {
  let pid = 0;
  await until('a migration is in its middle', 60, async () => {
    const rows = await own.server.rows<{ pid: number }>(`
      SELECT w.pid FROM pg_locks w JOIN pg_locks h ON h.pid = w.pid AND h.granted AND h.mode = 'AccessExclusiveLock'
      WHERE NOT w.granted AND w.relation = '${LAST_TABLE}'::regclass AND h.relation = 'users'::regclass`);
    pid = rows[0]?.pid ?? 0;
    return rows.length > 0;
  });
  return pid;
}

/** Asks until the server is there again. */
async function schemaAfterwards(): Promise<string[]> {
  let found: string[] = [];
  await until('the database is there', 60, async () => {
    found = await schema().catch(() => []);
    return found.length > 0;
  });
  return found;
}

it('a migration that is killed leaves nothing, and is done as a whole by the next start', async () => {
  const older = await undo();

  let holder = await obstacle();
  const killed = startServiceProcess(environment());
  const orphan = await inTheMiddle();
  killed.kill('SIGKILL');
  await killed.ended;
  // PostgreSQL does not know yet that nobody waits for it.
  expect(await own.server.rows(`SELECT FROM pg_stat_activity WHERE pid = ${String(orphan)}`)).toHaveLength(1);
  expect(await schema()).toEqual(older);

  const bereft = startServiceProcess(environment());
  await holder.end();
  holder = await obstacle();
  signal([await inTheMiddle()], 'SIGKILL');
  // The server ends all others then, and recovers.
  expect(await bereft.refusal()).toMatch(
    /^muster: The database was lost while it was migrated: .*: start again\.$/,
  );
  expect(await schemaAfterwards()).toEqual(older);
  await holder.end();

  const service = startServiceProcess(environment());
  const root = new Caller(await service.serving(), credentials);
  expect(await schema()).toEqual(whole);
  await agreement(writer, root, environment());
  // As a superuser, it could do more than it should, and says so once.
  expect(service.errorLines.filter((line) => line.includes('DATABASE_OWNER_URL'))).toHaveLength(1);
});

it('of programs that migrate at once, one does it; nobody is kept from the tables for long', async () => {
  await undo();
  const holder = await obstacle();
  const programs = [
    startServiceProcess({ ...environment(), WORKERS: '2' }),
    startServiceProcess(environment()),
  ];
  const command = printed(admin(['migrate'], environment()));
  await inTheMiddle();
  await until('the others wait', 60, async () => {
    const rows = await own.server.rows(`SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`);
    return rows.length === programs.length;
  });
  // It stands behind the migration, which stands behind the obstacle, until the migration lets others by.
  expect(await own.server.rows(`SELECT FROM ${LAST_TABLE}`)).toEqual([]);
  await holder.end();

  const [several, alone] = await Promise.all(programs.map((program) => program.serving()));
  expect(await command).toMatch(/^(The schema is up to date\.|(migrated: \w+\s){2})\n?$/);
  expect(await schema()).toEqual(whole);
  for (const url of [several, alone])
    await new Caller(url ?? '', credentials).post('/v1/regions', { name: `by ${String(url)}` }).expect(201);

  await own.server.rows(
    `INSERT INTO migrations (timestamp, name) VALUES (9999999999999, 'Later9999999999999')`,
  );
  const newer =
    /^[^.\n]*schema is newer than this program: it has Later9999999999999\. Start a newer Muster\.$/;
  expect(await startServiceProcess(environment()).refusal()).toMatch(newer);
  for (const args of [['migrate'], ['user', 'list']])
    expect(await refusal(admin(args, environment()))).toMatch(newer);
  // Workers that serve go on. One that exits is not replaced by this program.
  const [first] = programs;
  const [worker = 0] = childrenOf(first?.pid ?? 0);
  process.kill(worker, 'SIGKILL');
  await first?.said(/Worker \d+ exited: .*schema is newer than this program/);
  await new Caller(several ?? '', credentials).get('/v1/regions').expect(200);
});
