import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { FORMAT, type Manifest } from '../../../src/admin/backup/archive/archive-format';
import type { Archive } from '../../../src/admin/backup/archive/archive-reader';
import { ArchiveWriter } from '../../../src/admin/backup/archive/archive-writer';
import { withArchive } from '../../../src/admin/backup/files/backup-source';
import { migrations } from '../../../src/migrations';
import { cleanUp, temporaryFolder } from '../embedded/processes';
import { runMigrations } from '../../support/built-modules';
import { startService, type OwnService } from '../../support/service';
import { Caller } from '../../support/caller';
import { FeedReader } from '../../support/feed-reader';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { until } from '../../support/until';
import { ADMIN, admin, printed, refusal, startAdmin, type Ended } from '../../support/admin';
import { contentOf, schemaOf, tablesOf, withClient } from './stored';

// The machine may be busy.
jest.setTimeout(180_000);

const databases: TestDatabase[] = [];

/** A service has filled it; tests work on clones. */
let inventory: TestDatabase;
beforeAll(async () => {
  inventory = await createTestDatabase();
  const app = await startService({}, inventory);
  await fill(app);
  await app.exit();
});
afterAll(() => inventory.drop());

/** A database for one test: with an inventory, with the schema alone, or with nothing at all. */
async function aDatabase(content: 'inventory' | 'schema' | 'nothing'): Promise<TestDatabase> {
  const template = { inventory: inventory.name, schema: undefined, nothing: 'template1' }[content];
  const database = await createTestDatabase(template);
  databases.push(database);
  return database;
}

afterEach(async () => {
  await cleanUp();
  for (const database of databases.splice(0)) await database.drop();
});

const never = new AbortController().signal;

/** The key of the services that make the inventories. */
const SECRETS_KEY = 'A'.repeat(43) + '=';
const OTHER_SECRETS_KEY = 'B'.repeat(43) + '=';

/** Backs a database up. @returns how many rows of each table */
async function backUpTo(url: string, file: string): Promise<Record<string, number>> {
  const report = await printed(admin(['backup', file, '--json'], { DATABASE_URL: url }));
  return (JSON.parse(report) as { tables: Record<string, number> }).tables;
}

const restoring = (file: string, url: string, ...options: string[]): Promise<Ended> =>
  admin(['restore', file, '--json', ...options], { DATABASE_URL: url, SECRETS_KEY });

const restoreFrom = (file: string, url: string, ...options: string[]): Promise<string> =>
  printed(restoring(file, url, ...options));

/** What no ordinary value is: whatever a way through text could lose. */
const ODDITIES = {
  long: '@9007199254740993.00000000000000000000000001',
  tiny: '@1e-300',
  text: 'tab\t, line\n, back\\slash, \\N, \\., "quotes", \u0001, \u{1F680}, e\u0301',
  __proto__x: null,
  deep: { list: [[], {}, [null, false, '']] },
  empty: '',
};

/** Fills as many tables as one request each can fill. */
async function fill(app: OwnService): Promise<void> {
  const caller = await app.project();
  const cloud = await caller.cloud();
  const region = await caller.region({ cloud_id: cloud.id, labels: ['a'], note: 'tab\tand \\N' });
  const cell = await caller.cell({ region_id: region.id, labels: ['a', 'b'] });
  const text = JSON.stringify(ODDITIES).replaceAll(/"@([^"]*)"/g, '$1');
  await caller.put(`/v1/cells/${String(cell.id)}/variables`, text).expect(200);
  const secret = (await caller.post('/v1/access-secrets', { cert: 'PEM' }).expect(201)).body as {
    id: number;
  };
  const members = { region_id: region.id, cell_id: cell.id, access_secret_id: secret.id, labels: ['b', 'c'] };
  const above = await caller.networkDevice({ region_id: region.id, vlans: { '1': 'one' } });
  await caller.host({ ...members, parent_id: above.id, variables: { a: 1 } });
  await caller.post('/v1/variable-definitions', { key: 'a', schema: { type: 'number' } }).expect(201);
  const expectation = { a: { type: 'number' } };
  await caller.post('/v1/audits', { name: 'numbers', expectation });
  await caller.put(`/v1/projects/${caller.projectId}/settings`, { private: ['hidden_*'] }).expect(200);
  await caller.post('/v1/labels', { label: 'once' }, { 'idempotency-key': 'once' }).expect(201);
}

describe('a backup', () => {
  it('has every row of every table, to the last digit, and makes the same schema', async () => {
    const database = await aDatabase('inventory');
    const plain = await schemaOf(database.url);
    const reader = await readerOf(database);
    const file = join(temporaryFolder(), 'backup');
    const rows = await backUpTo(database.url, file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const tables = await withClient(database.url, tablesOf);
    expect(Object.keys(rows).toSorted()).toEqual(tables.filter((name) => name !== 'migrations'));
    const filled = Object.keys(rows).filter((name) => (rows[name] ?? 0) > 0);
    expect(filled.length).toBeGreaterThan(15);

    const before = { ...(await contentOf(database.url)), feed_restorations: 'noted' };
    for (const empty of [await aDatabase('nothing'), await aDatabase('schema')]) {
      await restoreFrom(file, empty.url);
      expect({ ...(await contentOf(empty.url)), feed_restorations: 'noted' }).toEqual(before);
      expect(await schemaOf(empty.url)).toEqual(plain);
    }
    // What is there is never taken for nothing; and if it is to be replaced, others keep the rights they were given.
    // Whoever reads has not to end for that: nothing is locked beforehand.
    await withClient(database.url, async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT FROM projects');
      expect(await refusal(restoring(file, database.url))).toMatch(/is not empty/);
    });
    const schema = await schemaOf(database.url);
    expect(schema.some((line) => line.includes(reader))).toBe(true);
    await restoreFrom(file, database.url, '--replace');
    expect({ ...(await contentOf(database.url)), feed_restorations: 'noted' }).toEqual(before);
    expect(await schemaOf(database.url)).toEqual(schema);
    await withClient(database.url, (client) => client.query(`DROP OWNED BY ${reader}; DROP ROLE ${reader}`));
  });

  it('of an older Muster is brought up to the schema of this one; of a newer one, refused', async () => {
    const [old, empty, migrated] = [
      await aDatabase('nothing'),
      await aDatabase('nothing'),
      await aDatabase('schema'),
    ];
    await runMigrations(old.url, { count: 2 });
    await withClient(old.url, (client) =>
      client.query(`INSERT INTO projects (name) VALUES ('old');
        INSERT INTO users (project_id, username) SELECT id, 'somebody' FROM projects;
        CREATE TABLE of_somebody_else (id int)`),
    );
    const file = join(temporaryFolder(), 'backup');
    await backUpTo(old.url, file);
    const { code, stdout, stderr } = await restoring(file, empty.url);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^.*of_somebody_else.*\n$/) });
    expect((JSON.parse(stdout) as { migrated: string[] }).migrated).toEqual(
      migrations.slice(2).map(({ name }) => name),
    );
    expect(await schemaOf(empty.url)).toEqual(await schemaOf(migrated.url));
    const users = await withClient(empty.url, (client) => client.query('SELECT username FROM users'));
    expect(users.rows).toEqual([{ username: 'somebody' }]);
    // Of those who share the database nothing is removed.
    expect(await restoring(file, old.url, '--replace')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/not Muster's \(of_somebody_else\)/),
    });

    const newer = await written(join(temporaryFolder(), 'newer'), {
      migrations: ['Inventory1763600000000', 'Later1'],
    });
    expect(await refusal(admin(['restore', newer], { DATABASE_URL: migrated.url }))).toMatch(
      /made by a newer Muster \(0\.1\.0\): its schema has Later1/,
    );
  });
});

/** Lets somebody read a table, as for reports. @returns who */
async function readerOf({ url, name }: TestDatabase): Promise<string> {
  const reader = `reader_of_${name}`;
  await withClient(url, (client) =>
    client.query(
      `CREATE ROLE ${reader}; GRANT SELECT ON devices TO ${reader} WITH GRANT OPTION;
      GRANT SELECT ON regions TO PUBLIC; GRANT SELECT (id, username) ON users TO ${reader}`,
    ),
  );
  return reader;
}

/** A whole archive without rows. */
async function written(file: string, members: Partial<Manifest> = {}, projects = 0): Promise<string> {
  const sink = createWriteStream(file);
  const writer = new ArchiveWriter(sink, never);
  await writer.begin({
    format: FORMAT,
    muster: '0.1.0',
    created_at: '2030-01-01T00:00:00.000000Z',
    postgresql: '18',
    migrations: migrations.map(({ name }) => name),
    tables: [{ name: 'projects', columns: ['id', 'name'] }],
    ...members,
  });
  await writer.end({ rows: { projects }, sequences: {} });
  return file;
}

/** A sum over all the rows of a backup that is whole. */
async function sumOf(archive: Archive): Promise<string> {
  await archive.check();
  const hash = createHash('sha256');
  for await (const { table, content } of archive.pieces()) {
    hash.update(table);
    for await (const chunk of content) hash.update(chunk);
  }
  return hash.digest('hex');
}

it('refuses what is no whole backup before it writes anything', async () => {
  const folder = temporaryFolder();
  const database = await aDatabase('inventory');
  const whole = join(folder, 'whole');
  await backUpTo(database.url, whole);
  const bytes = readFileSync(whole);
  const flipped = (at: number) => {
    const copy = Buffer.from(bytes);
    copy[at]! ^= 0x10;
    return copy;
  };
  const inside = Array.from({ length: 24 }, (_, i) => 10 + Math.floor(((bytes.length - 10) * i) / 24));
  const file = join(folder, 'damaged');
  const readingOf = (content: Buffer): Promise<string> => {
    writeFileSync(file, content);
    return withArchive(file, sumOf).catch((error: unknown) => (error as Error).message);
  };
  const refused = expect.stringContaining('is not a whole backup of Muster');
  const sum = await readingOf(bytes);
  const altered: string[] = [];
  for (const at of inside) altered.push(await readingOf(flipped(at)));
  // Some bits of what is compressed mean nothing, or name the same bytes at another place: they alter nothing.
  const noticed = altered.filter((reading) => reading !== sum);
  expect(noticed.length).toBeGreaterThan(inside.length / 2);
  expect(noticed).toEqual(noticed.map(() => refused));
  for (const other of ['', 'no backup at all', bytes.subarray(0, 1)])
    expect(await readingOf(Buffer.from(other))).toEqual(refused);
  for (const length of [...inside, bytes.length - 9])
    expect([length, await readingOf(bytes.subarray(0, length))]).toEqual([length, refused]);
  const dataDir = join(folder, 'data');
  expect(await refusal(admin(['restore', file], { DATA_DIR: dataDir }))).toMatch(/is not a whole backup/);
  expect(await refusal(admin(['restore', join(folder, 'none')], { DATA_DIR: dataDir }))).toMatch(
    /none cannot be read: no such file or directory/,
  );
  expect(existsSync(dataDir)).toBe(false);

  // Made up: what would tell that no migration is needed, and rows that are said to be there, and are not.
  const { url } = await aDatabase('nothing');
  const tables = [{ name: 'migrations', columns: ['id'] }];
  expect(await refusal(restoring(await written(file, { tables }), url))).toMatch(/is not a whole backup/);
  // Not an expected failure: it is printed with its stack.
  expect(await restoring(await written(file, {}, 5), url)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/of the table projects other rows/),
  });
  expect(await withClient(url, tablesOf)).toEqual([]);
});

it('makes nobody the owner of tables who is not', async () => {
  const { url, name } = await aDatabase('schema');
  const owner = `owner_of_${name}`;
  const file = await written(join(temporaryFolder(), 'backup'));
  await withClient(url, (client) =>
    client.query(`CREATE ROLE ${owner}; ALTER TABLE regions OWNER TO ${owner}`),
  );
  expect(await refusal(restoring(file, url, '--replace'))).toMatch(
    new RegExp(`regions belongs to "${owner}".*DATABASE_OWNER_URL`),
  );
  await withClient(url, (client) =>
    client.query(`REASSIGN OWNED BY ${owner} TO CURRENT_USER; DROP ROLE ${owner}`),
  );
});

/** A session that keeps everybody from a table, for as long as it is there. */
async function keeping(url: string, table: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('BEGIN');
  await client.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  return client;
}

const someoneWaits = (client: Client) =>
  until('somebody waits for a lock', 90, async () => {
    const { rowCount } = await client.query(
      'SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database WHERE NOT l.granted AND d.datname = current_database()',
    );
    return (rowCount ?? 0) > 0;
  });

const othersOn = (client: Client) =>
  client.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = 'muster'`,
  );

function start(args: readonly string[], url: string) {
  const child = startAdmin(args, { DATABASE_URL: url });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  return { child, closed: once(child, 'close'), said: () => errors };
}

it('leaves what was there, or nothing, when the restore is killed with everything but its end done', async () => {
  const [full, empty] = [await aDatabase('inventory'), await aDatabase('nothing')];
  const file = join(temporaryFolder(), 'backup');
  await backUpTo(full.url, file);
  await withClient(full.url, (client) => client.query(`UPDATE regions SET note = 'later'`));
  for (const { url } of [full, empty]) {
    const before = await contentOf(url);
    // What was filled is looked at last, and that is noted there.
    const keeper = await keeping(url, 'pg_catalog.pg_statistic');
    const { child, closed } = start(['restore', '--replace', file], url);
    await someoneWaits(keeper);
    child.kill('SIGKILL');
    await closed;
    await keeper.query('ROLLBACK');
    await until('the server has noticed', 90, async () => (await othersOn(keeper)).rowCount === 0);
    await keeper.end();
    expect(await contentOf(url)).toEqual(before);
  }
  // And it can be done afterwards. Its secrets take the key that they were sealed with.
  const environment = { DATABASE_URL: empty.url, SECRETS_KEY: OTHER_SECRETS_KEY };
  const { code, stdout, stderr } = await admin(['restore', file], environment);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^restored: \d+ rows of/) });
  expect(stderr).toMatch(
    /^muster-admin: Access secrets that cannot be opened: 1, for .* SECRETS_KEY\. To open them, set SECRETS_KEY,/,
  );
});

it('bears no name before it is whole, and leaves nothing when it is interrupted or cannot be written', async () => {
  const database = await aDatabase('inventory');
  const folder = temporaryFolder();
  const file = join(folder, 'backup');
  writeFileSync(file, 'an older one');
  for (const [signal, code, left] of [
    ['SIGKILL', null, 1],
    ['SIGTERM', 1, 0],
  ] as const) {
    const keeper = await keeping(database.url, 'devices');
    const { child, closed, said } = start(['backup', file], database.url);
    await someoneWaits(keeper);
    expect(readdirSync(folder)).toHaveLength(2);
    child.kill(signal);
    expect((await closed)[0]).toBe(code);
    if (signal === 'SIGTERM')
      expect(said()).toBe('muster-admin: The backup was interrupted: there is none.\n');
    // Or it would be the one who waits in the next round.
    await keeper.query('ROLLBACK');
    await until('the server has noticed', 90, async () => (await othersOn(keeper)).rowCount === 0);
    await keeper.end();
    // The one that was killed is cleared away by the next.
    expect(readdirSync(folder)).toHaveLength(1 + left);
    expect(readFileSync(file, 'utf8')).toBe('an older one');
  }
  const nowhere = join(folder, 'no', 'backup');
  const environment = { DATABASE_URL: database.url };
  expect(await refusal(admin(['backup', nowhere], environment))).toMatch(
    /cannot be written to .*backup: no such file or directory. There is none/,
  );
  expect(await refusal(admin(['backup', folder], environment))).toMatch(/is not a file/);
  const full = spawn('/bin/sh', ['-c', '"$0" "$@" backup - > /dev/full', process.execPath, ADMIN], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  full.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  expect((await once(full, 'close'))[0]).toBe(1);
  expect(said).toMatch(
    /cannot be written to the standard output: no space left on device. There is none.\n$/,
  );

  expect(await admin(['backup', file], environment)).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^backed up: \d+ rows of \d+ tables/),
    stderr: expect.stringMatching(/^muster-admin: Access secrets are in it as they are sealed: keep .*\n$/),
  });
  expect(readdirSync(folder)).toHaveLength(1);
  // By the standard input it is checked as a whole, too.
  const target = await aDatabase('nothing');
  const piped = spawn(
    '/bin/sh',
    ['-c', '"$0" "$@" backup - | "$0" "$@" restore - --json', process.execPath, ADMIN],
    {
      env: { PATH: process.env.PATH, DATABASE_URL: database.url },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let answer = '';
  piped.stderr.setEncoding('utf8').on('data', (text: string) => (answer += text));
  expect((await once(piped, 'close'))[0]).toBe(1);
  expect(answer).toMatch(/backed up: .*to the standard output\n/);
  expect(answer).toMatch(/The database is not empty/);
  await restoreFrom(file, target.url);
});

/** Reads on until so many changes were told, and no more: the feed is behind whatever is written on the whole server. */
async function told(reader: FeedReader, count: number): Promise<void> {
  await until(`${String(count)} changes are told`, 60, async () => {
    await reader.on();
    return reader.read.length >= count;
  });
  expect(reader.read).toHaveLength(count);
}

it('lets readers of the feed go on, whatever they had read, and however often it is restored', async () => {
  const database = await aDatabase('schema');
  const app = await startService({}, database);
  const region = await app.root.region();
  const slow = new FeedReader(app.root);
  await told(slow, 2);
  await app.root.region();
  const file = join(temporaryFolder(), 'backup');
  await backUpTo(database.url, file);
  await app.root.region({ name: 'lost' });
  const ahead = new FeedReader(app.root);
  await told(ahead, 4);
  await app.exit();

  const elsewhere = await aDatabase('nothing');
  let at = ahead.cursors.at(-1)!.cursor;
  for (const { url } of [elsewhere, database, elsewhere]) {
    await restoreFrom(file, url, '--replace');
    const instance = await app.startPeer({ DATABASE_URL: url });
    const caller = new Caller(instance.url, app.root.credentials);
    const path = `/v1/regions/${String(region.id)}`;
    await caller.put(path, { note: url }).expect(200);
    // As many as were lost: their ids must not be taken for those.
    await caller.put(path, { note: 'again' }).expect(200);
    const reader = new FeedReader(caller, at);
    await told(reader, 2);
    at = reader.cursors.at(-1)!.cursor;
    const late = new FeedReader(caller, slow.cursors.at(-1)!.cursor);
    await told(late, 3);
    await instance.exit();
  }
});
