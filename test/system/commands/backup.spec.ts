import { createHash } from 'node:crypto';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Client } from 'pg';
import { migrations } from '../../../src/migrations';
import { cleanUp, temporaryFolder } from '../embedded/processes';
import { LATER_MIGRATIONS, LATER_VERSION } from '../../support/later-version';
import { startService, type OwnService } from '../../support/service';
import { Caller } from '../../support/caller';
import { FEED_TIMEOUT, FeedReader } from '../../support/feed-reader';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { applyProposal, approve, expectStatus, propose } from '../../support/proposals';
import { until } from '../../support/until';
import { ADMIN, admin, builtAdmin, printed, refusal, startAdmin } from '../../support/admin';
import { contentOf, schemaOf, tablesOf, withClient } from './pg-client';

// The machine may be busy.
jest.setTimeout(180_000);

const databases: TestDatabase[] = [];

/** The template with data. Each test clones it, so no test connects to it. */
let inventory: TestDatabase;
let inventoryContent: Record<string, string>;
/** A backup of it, and its content. */
let inventoryFile: string;
let inventoryBackup: Buffer;
beforeAll(async () => {
  inventory = await createTestDatabase();
  const app = await startService({}, inventory);
  await fill(app);
  await app.exit();
  inventoryContent = await contentOf(inventory.url);
  inventoryFile = join(temporaryFolder(), 'inventory');
  await backUpTo(inventory.url, inventoryFile);
  inventoryBackup = readFileSync(inventoryFile);
});
// Tests run concurrently, each on its own databases.
afterAll(async () => {
  await cleanUp();
  for (const database of [...databases, inventory]) await database.drop();
});

/** Creates a database for one test: with an inventory, with only the schema, or empty. */
async function aDatabase(content: 'inventory' | 'schema' | 'nothing'): Promise<TestDatabase> {
  const template = { inventory: inventory.name, schema: undefined, nothing: 'template1' }[content];
  const database = await createTestDatabase(template);
  databases.push(database);
  return database;
}

/** Backs up a database. @returns the number of rows of each table */
async function backUpTo(url: string, file: string): Promise<Record<string, number>> {
  const report = await printed(admin(['backup', file, '--json'], { DATABASE_URL: url }));
  return (JSON.parse(report) as { tables: Record<string, number> }).tables;
}

const restoring = (file: string, url: string) => admin(['restore', file, '--json'], { DATABASE_URL: url });

const restoreFrom = (file: string, url: string): Promise<string> => printed(restoring(file, url));

/** Values that a text format could lose. */
const ODDITIES = {
  long: '@9007199254740993.00000000000000000000000001',
  tiny: '@1e-300',
  text: 'tab\t, line\n, back\\slash, \\N, \\., "quotes", \u0001, \u{1F680}, e\u0301',
  __proto__x: null,
  deep: { list: [[], {}, [null, false, '']] },
  empty: '',
};

/** Fills every table that a single request can fill. */
async function fill(app: OwnService): Promise<void> {
  const caller = await app.project();
  const cloud = await caller.cloud();
  const region = await caller.region({
    cloud_id: cloud.id,
    labels: ['a'],
    note: 'tab\t, form feed\f and \\N',
  });
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
  const expectation = { key: 'a', schema: { type: 'number' } };
  await caller.post('/v1/audits', { name: 'numbers', expectation }).expect(201);
  await caller.put(`/v1/projects/${caller.projectId}/settings`, { private: ['hidden_*'] }).expect(200);
  await caller.post('/v1/labels', { label: 'once' }, { 'idempotency-key': 'once' }).expect(201);
  await caller.post('/v1/session').expect(201);
  const proposal = await propose(caller, [
    { method: 'POST', path: '/v1/clouds', body: { name: 'proposed' } },
  ]);
  const comment = { text: 'line\n, tab\t, \\N' };
  await caller.post(`/v1/proposals/${String(proposal.id)}/comments`, comment).expect(201);
  await approve(await caller.user({ is_admin: true }), proposal);
  expectStatus(await applyProposal(caller, proposal), 200);
}

describe('a backup', () => {
  it.concurrent('contains every row exactly, and restores into an empty database only', async () => {
    const database = await aDatabase('inventory');
    const tables = await withClient(database.url, tablesOf);
    await withClient(database.url, (client) =>
      client.query('CREATE TABLE of_somebody_else (id serial); INSERT INTO of_somebody_else DEFAULT VALUES'),
    );
    const file = join(temporaryFolder(), 'backup');
    const rows = await backUpTo(database.url, file);
    await withClient(database.url, (client) => client.query('DROP TABLE of_somebody_else'));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const saved = tables.filter((name) => name !== 'migrations' && name !== 'sessions');
    expect(Object.keys(rows).toSorted()).toEqual(saved);
    const filled = Object.keys(rows).filter((name) => (rows[name] ?? 0) > 0);
    expect(filled.length).toBeGreaterThan(19);

    const content = await contentOf(database.url);
    expect(content['sessions']).toMatch(/^1 rows/);
    // A restore does not revive sessions.
    const before = {
      ...content,
      feed_restorations: 'noted',
      sessions: expect.stringMatching(/^0 rows/) as string,
    };
    for (const empty of [await aDatabase('nothing'), await aDatabase('schema')]) {
      await restoreFrom(file, empty.url);
      expect({ ...(await contentOf(empty.url)), feed_restorations: 'noted' }).toEqual(before);
      expect(await schemaOf(empty.url)).toEqual(await schemaOf(database.url));
      expect(await refusal(restoring(file, empty.url))).toMatch(/is not empty: projects has rows/);
      expect({ ...(await contentOf(empty.url)), feed_restorations: 'noted' }).toEqual(before);
    }
  });

  it.concurrent('is restored only by the schema version that made it', async () => {
    const [old, empty] = [await aDatabase('schema'), await aDatabase('nothing')];
    const file = join(temporaryFolder(), 'backup');
    const whole = inventoryBackup;
    const later = { ...LATER_VERSION, DATABASE_URL: old.url };
    expect(await refusal(builtAdmin(['backup', file], later))).toMatch(
      /older than this program: run .*migrate/,
    );
    writeFileSync(file, whole);
    expect(await refusal(builtAdmin(['restore', file], later))).toMatch(
      new RegExp(
        `by an older Muster \\(0\\.1\\.0\\): its schema lacks ${LATER_MIGRATIONS.join(', ')}\\. .* migrate"`,
      ),
    );
    const own = migrations.map(({ name }) => name);
    writeFileSync(file, withMigrations(whole, [...own, ...LATER_MIGRATIONS]));
    expect(await refusal(builtAdmin(['restore', file], later))).toMatch(
      /older than this program: run .*migrate/,
    );
    const status = await admin(['migrate', '--status', '--json'], { DATABASE_URL: old.url });
    expect(JSON.parse(status.stdout)).toMatchObject({ applied: own });

    expect(await refusal(restoring(file, empty.url))).toMatch(
      new RegExp(
        `by a newer Muster \\(0\\.1\\.0\\): its schema has ${LATER_MIGRATIONS.join(', ')}\\. Restore it with that version\\.$`,
      ),
    );
    expect(await withClient(empty.url, tablesOf)).toEqual([]);
  });

  it.concurrent('from before the first release is restored if it has the last schema', async () => {
    const empty = await aDatabase('nothing');
    const file = join(temporaryFolder(), 'backup');
    const whole = inventoryBackup;
    writeFileSync(file, withMigrations(whole, ['Inventory1763600000000', 'NestedValues1764800000000']));
    expect(await refusal(restoring(file, empty.url))).toMatch(
      /before the first release, and its schema lacks Collations1764930000000\. .*back it up again\.$/,
    );
    expect(await withClient(empty.url, tablesOf)).toEqual([]);
    writeFileSync(file, asBeforeRelease(whole));
    await restoreFrom(file, empty.url);
    // The values of the documents only, and not those of the past.
    expect(await printed(admin(['verify'], { DATABASE_URL: empty.url }))).toMatch(
      /^values: .*: [1-9]\d* checked, ok$/m,
    );
    const differing = {
      ...Object.fromEntries([...LATER_TABLES, 'sessions'].map((name) => [name, 'not in the backup'])),
      ...{ feed_restorations: 'noted', changes: 'without proposals' },
    };
    expect({ ...(await contentOf(empty.url)), ...differing }).toEqual({
      ...inventoryContent,
      ...differing,
    });
  });
});

/** A backup of the same rows by a program with other migrations. */
const withMigrations = (backup: Buffer, names: readonly string[]): Buffer =>
  altered(backup, /"migrations": \[[^\]]*\]/, `"migrations": ${JSON.stringify(names)}`);

/** What the last schema from before the first release lacked. */
const LATER_TABLES = [
  'variable_values',
  'proposals',
  'proposal_revisions',
  'proposal_reviews',
  'proposal_comments',
  'views',
];
const LATER_COLUMNS = [
  ['api_keys', 8, 1],
  ['audits', 10, 1],
  ['changes', 11, 3],
  ['project_settings', 8, 1],
] as const;

/** A backup of the last schema from before the first release. */
function asBeforeRelease(backup: Buffer): Buffer {
  const [head = '', ...sections] = gunzipSync(backup).toString().split('\f');
  const header = JSON.parse(head) as { tables: string[]; migrations: string[] };
  const trailer = JSON.parse(sections.at(-2) ?? '') as { rows: Record<string, number> };
  for (const [table, column, count] of LATER_COLUMNS) {
    const at = header.tables.indexOf(table);
    const rows = (sections[at] ?? '').split('\n');
    sections[at] = rows.map((row) => row.split('\t').toSpliced(column, count).join('\t')).join('\n');
  }
  for (const table of LATER_TABLES) {
    const at = header.tables.indexOf(table);
    header.tables.splice(at, 1);
    sections.splice(at, 1);
  }
  header.migrations = ['Inventory1763600000000', 'Collations1764930000000'];
  trailer.rows = Object.fromEntries(
    Object.entries(trailer.rows).filter(([name]) => !LATER_TABLES.includes(name)),
  );
  // Its trailer had no digest.
  sections.splice(-2, 1, JSON.stringify({ ...trailer, sha256: undefined }));
  return gzipSync([JSON.stringify(header, null, 2), ...sections].join('\f'));
}

/** Replaces text of a backup, and keeps the checksum of gzip valid. */
function edited(backup: Buffer, from: string | RegExp, to: string): Buffer {
  const text = gunzipSync(backup).toString();
  expect(text.search(from)).toBeGreaterThan(-1);
  return gzipSync(text.replace(from, () => to));
}

/** The same with a valid digest, as if it was made so. */
function altered(backup: Buffer, from: string | RegExp, to: string): Buffer {
  const content = gunzipSync(edited(backup, from, to)).toString();
  const [, body = '', trailer = ''] = /^([^]*\f)([^\f]*\f)$/.exec(content) ?? [];
  const sha256 = createHash('sha256').update(body).digest('hex');
  return gzipSync(body + trailer.replace(/"sha256": "[^"]*"/, `"sha256": "${sha256}"`));
}

/** Whether gzip accepts a flipped bit: some bits have no meaning. */
function isSame(gzipped: Buffer): boolean {
  try {
    gunzipSync(gzipped);
    return true;
  } catch {
    return false;
  }
}

it.concurrent('restore refuses an incomplete backup before it writes anything', async () => {
  const folder = temporaryFolder();
  const bytes = inventoryBackup;
  const flipped = (at: number) => {
    const copy = Buffer.from(bytes);
    copy[at]! ^= 0x10;
    return copy;
  };
  const inside = Array.from({ length: 8 }, (_, i) => 10 + Math.floor(((bytes.length - 10) * i) / 8));
  const corrupted = inside.map(flipped).filter((content) => !isSame(content));
  expect(corrupted.length).toBeGreaterThan(inside.length / 2);
  const damaged = [
    ...corrupted,
    ...[...inside, bytes.length - 9, bytes.length - 1].map((length) => bytes.subarray(0, length)),
    ...['', 'no backup at all', bytes.subarray(0, 1)].map((other) => Buffer.from(other)),
    gzipSync('no backup at all'),
    gzipSync('{}\n\f{}\n\f'),
    // Valid for gzip, but not complete.
    edited(bytes, /\f[^\f]*\f$/, '\f'),
    edited(bytes, /$/, 'more'),
  ];
  const [file, dataDir] = [join(folder, 'damaged'), join(folder, 'data')];
  for (const content of damaged) {
    writeFileSync(file, content);
    expect(await refusal(admin(['restore', file], { DATA_DIR: dataDir }))).toMatch(
      /damaged is not a complete backup: it is truncated or corrupted, or has another format/,
    );
  }
  writeFileSync(file, edited(bytes, '\tnumbers\t', '\tnumbers of another\t'));
  expect(await refusal(admin(['restore', file], { DATA_DIR: dataDir }))).toMatch(
    /damaged was edited after it was made: its content does not have the digest in its trailer\. Nothing was restored\.$/,
  );
  writeFileSync(file, altered(bytes, '"muster-backup-2"', '"muster-backup-1"'));
  expect(await refusal(admin(['restore', file], { DATA_DIR: dataDir }))).toMatch(
    /^The backup has the format muster-backup-1, and this version reads muster-backup-2: restore it with the version of Muster that made it \(\d+\.\d+\.\d+\)\. Nothing was restored\.$/,
  );
  expect(await refusal(admin(['restore', join(folder, 'none')], { DATA_DIR: dataDir }))).toMatch(
    /^The backup cannot be read: ENOENT: no such file or directory, .*none'\.$/,
  );
  expect(await refusal(admin(['restore', folder], { DATA_DIR: dataDir }))).toMatch(/is not a regular file/);
  expect(existsSync(dataDir)).toBe(false);
});

it.concurrent('restore leaves the database empty if PostgreSQL rejects rows or row counts differ', async () => {
  const { url } = await aDatabase('schema');
  const before = await contentOf(url);
  const bytes = inventoryBackup;
  const file = join(temporaryFolder(), 'backup');
  writeFileSync(file, altered(bytes, /"created_at": "[^"]*"/, '"created_at": "never"'));
  expect(await refusal(restoring(file, url))).toMatch(
    /^Nothing was restored: invalid input syntax for type timestamp/,
  );
  writeFileSync(file, altered(bytes, '\tnumbers\t', '\tnumbers\tand more\t'));
  expect(await refusal(restoring(file, url))).toMatch(
    /^Nothing was restored: extra data after last expected column/,
  );
  writeFileSync(file, altered(bytes, '"audits": 1', '"audits": 2'));
  // Not an expected failure: it is printed with its stack.
  expect(await restoring(file, url)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/numbers of restored rows differ/),
  });
  expect(await contentOf(url)).toEqual(before);
});

it.concurrent('backup writes to standard output, and messages to standard error', async () => {
  const [{ url }, empty] = [await aDatabase('inventory'), await aDatabase('nothing')];
  const file = join(temporaryFolder(), 'backup');
  const { child, closed } = start(['backup', '-'], url);
  let messages = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (messages += text));
  await writeFile(file, child.stdout);
  expect(await closed).toEqual([0, null]);
  expect(messages).toMatch(
    /^backed up: \d+ rows of \d+ tables as of 2.*\nmuster-admin: The backup contains .*\n$/,
  );
  await restoreFrom(file, empty.url);
  const noted = { feed_restorations: 'noted', sessions: 'omitted' };
  expect({ ...(await contentOf(empty.url)), ...noted }).toEqual({ ...(await contentOf(url)), ...noted });
});

/** A session that locks a table until it ends. */
async function lockTable(url: string, table: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('BEGIN');
  await client.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  return client;
}

const lockWaiter = (client: Client) =>
  until('a session waits for a lock', 90, async () => {
    const { rowCount } = await client.query(
      'SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database WHERE NOT l.granted AND d.datname = current_database()',
    );
    return (rowCount ?? 0) > 0;
  });

const otherSessions = (client: Client) =>
  client.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = 'muster'`,
  );

function start(args: readonly string[], url: string) {
  const child = startAdmin(args, { DATABASE_URL: url });
  return { child, closed: once(child, 'close') };
}

it.concurrent('restore leaves the database empty when it is killed just before its commit', async () => {
  const empty = await aDatabase('schema');
  const before = await contentOf(empty.url);
  // A restore analyses the tables last, and that writes to pg_statistic.
  const blocker = await lockTable(empty.url, 'pg_catalog.pg_statistic');
  const { child, closed } = start(['restore', inventoryFile], empty.url);
  await lockWaiter(blocker);
  child.kill('SIGKILL');
  await closed;
  await blocker.query('ROLLBACK');
  await until('the server closes the session', 90, async () => (await otherSessions(blocker)).rowCount === 0);
  await blocker.end();
  expect(await contentOf(empty.url)).toEqual(before);
  // A retry succeeds.
  expect(await admin(['restore', inventoryFile], { DATABASE_URL: empty.url })).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^restored: \d+ rows of \d+ tables as of 2/),
    stderr: '',
  });
});

it.concurrent('backup replaces its file only when complete, and leaves no partial file', async () => {
  const database = await aDatabase('inventory');
  const folder = temporaryFolder();
  const file = join(folder, 'backup');
  writeFileSync(file, 'an older one');
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    const blocker = await lockTable(database.url, 'devices');
    const { child, closed } = start(['backup', file], database.url);
    await lockWaiter(blocker);
    child.kill(signal);
    expect(await closed).toEqual([null, signal]);
    // Otherwise this session would be the lock waiter of the next round.
    await blocker.query('ROLLBACK');
    await until(
      'the server closes the session',
      90,
      async () => (await otherSessions(blocker)).rowCount === 0,
    );
    await blocker.end();
    expect(readFileSync(file, 'utf8')).toBe('an older one');
  }
  const environment = { DATABASE_URL: database.url };
  expect(await refusal(admin(['backup', join(folder, 'no', 'backup')], environment))).toMatch(
    /^No backup was made: ENOENT: no such file or directory, /,
  );
  expect(await refusal(admin(['backup', folder], environment))).toMatch(/is not a regular file/);
  // Instead of a full disk: the shell limits the file size to a few kilobytes.
  const limited = spawn(
    '/bin/sh',
    ['-c', `trap '' XFSZ; ulimit -f 1; exec "$0" "$@"`, process.execPath, ADMIN, 'backup', file],
    { env: { PATH: process.env.PATH, ...environment }, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let errorOutput = '';
  limited.stderr.setEncoding('utf8').on('data', (text: string) => (errorOutput += text));
  expect((await once(limited, 'close'))[0]).toBe(1);
  expect(errorOutput).toMatch(/^muster-admin: No backup was made: EFBIG: file too large, write\.\n$/);
  expect(readdirSync(folder)).toEqual(['backup']);
  expect(readFileSync(file, 'utf8')).toBe('an older one');

  // The next backup removes the partial file of a killed one.
  writeFileSync(`${file}.999999999.partial`, 'some of it');
  expect(await admin(['backup', file], environment)).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^backed up: \d+ rows of \d+ tables as of 2/),
    stderr: expect.stringMatching(
      /^muster-admin: The backup contains encrypted access secrets: keep .*secrets\.key in another place\.\n$/,
    ),
  });
  expect(readdirSync(folder)).toEqual(['backup']);
});

/** Reads until the feed has returned exactly `count` changes. The feed lags behind open transactions of the server. */
async function readChanges(reader: FeedReader, count: number): Promise<void> {
  await until(`the feed returns ${String(count)} changes`, FEED_TIMEOUT, async () => {
    await reader.on();
    return reader.read.length >= count;
  });
  expect(reader.read).toHaveLength(count);
}

it.concurrent('a restored database continues the change feed from any cursor, also after several restores', async () => {
  const database = await aDatabase('schema');
  const app = await startService({}, database);
  const region = await app.root.region();
  const slow = new FeedReader(app.root);
  await readChanges(slow, 2);
  await app.root.region();
  const file = join(temporaryFolder(), 'backup');
  await backUpTo(database.url, file);
  await app.root.region({ name: 'lost' });
  const ahead = new FeedReader(app.root);
  await readChanges(ahead, 4);
  await app.exit();

  let at = ahead.cursors.at(-1)!.cursor;
  for (const { url } of [await aDatabase('nothing'), await aDatabase('nothing')]) {
    await restoreFrom(file, url);
    const instance = await app.startPeer({ DATABASE_URL: url });
    const caller = new Caller(instance.url, app.root.credentials);
    const path = `/v1/regions/${String(region.id)}`;
    await caller.put(path, { note: url }).expect(200);
    // As many changes as were lost: they must not get the lost changes' IDs.
    await caller.put(path, { note: 'again' }).expect(200);
    const reader = new FeedReader(caller, at);
    await readChanges(reader, 2);
    at = reader.cursors.at(-1)!.cursor;
    const late = new FeedReader(caller, slow.cursors.at(-1)!.cursor);
    await readChanges(late, 3);
    await instance.exit();
  }
});
