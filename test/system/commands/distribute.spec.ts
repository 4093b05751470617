import { Client } from 'pg';
import { CITUS_TABLES } from '../../../src/database/citus/distribute-tables';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { admin, printed, refusal } from '../../support/admin';
import { standInForCitus } from './citus-stand-in';

// The machine may be busy.
jest.setTimeout(120_000);

let database: TestDatabase;
let client: Client;

beforeEach(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterEach(async () => {
  // Roles belong to the whole server.
  await client.query('ALTER ROLE muster_app NOLOGIN');
  await client.end();
  await database.drop();
});

const run = (...args: string[]) => admin(args, { DATABASE_URL: database.url, DATA_DIR: '/nowhere' });

const names = async (statement: string): Promise<string[]> =>
  (await client.query<{ name: string }>(statement)).rows.map(({ name }) => name);

const calls = () => names('SELECT call AS name FROM citus.calls ORDER BY ordinal');

const foreignKeys = () =>
  names(`SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated) AS name
    FROM pg_constraint WHERE contype = 'f' ORDER BY 1`);

const { distributed, reference, local } = CITUS_TABLES;
/** The expected calls of Citus functions. */
const EVERYTHING = [
  ...reference.map((table) => `reference ${table}`),
  ...distributed.map(
    (table, i) => `distributed ${table} by project_id with ${i === 0 ? 'none' : distributed[0]}`,
  ),
];

it('CITUS_TABLES lists each table of the schema once', async () => {
  const tables = await names(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
  );
  expect([...distributed, ...reference, ...local].toSorted()).toEqual(tables);
});

it('distributed tables have the project in every key, and bigint IDs, as Citus requires', async () => {
  const keys = await client.query<{ name: string; columns: string[] }>(
    `SELECT format('%s of %s', c.conname, c.conrelid::regclass) AS name, ARRAY(
        SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = c.conrelid AND a.attnum = ANY(c.conkey)) AS columns
      FROM pg_constraint c WHERE c.contype IN ('p', 'u', 'x', 'f') AND c.conrelid = ANY($1::text[]::regclass[])`,
    [distributed],
  );
  expect(keys.rows.length).toBeGreaterThan(distributed.length);
  expect(keys.rows.filter(({ columns }) => !columns.includes('project_id'))).toEqual([]);
  const unique = await names(`SELECT indexrelid::regclass::text AS name FROM pg_index i
    WHERE indisunique AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid)
      AND indrelid::regclass::text = ANY('{${distributed.join(',')}}')`);
  expect(unique).toEqual([]);
  const identities = await names(`SELECT DISTINCT atttypid::regtype::text AS name FROM pg_attribute
    WHERE attidentity <> '' AND attrelid::regclass::text = ANY('{${distributed.join(',')}}')`);
  expect(identities).toEqual(['bigint']);
  const generated = await names(`SELECT attrelid::regclass::text AS name FROM pg_attribute
    WHERE attgenerated <> '' AND attname = 'project_id' AND attrelid::regclass::text = ANY('{${distributed.join(',')}}')`);
  expect(generated).toEqual([]);
  const withoutSupport = await names(`SELECT conname AS name FROM pg_constraint WHERE contype = 'f'
    AND (confdeltype IN ('n', 'd') OR confupdtype IN ('n', 'd', 'c'))
    UNION ALL SELECT tgname FROM pg_trigger WHERE NOT tgisinternal`);
  expect(withoutSupport).toEqual([]);
});

describe('distribute on Citus', () => {
  beforeEach(() => standInForCitus(client));

  it('drops foreign keys, distributes every table, and restores the foreign keys', async () => {
    const before = await foreignKeys();
    expect(before.length).toBeGreaterThan(20);
    const output = await printed(run('distribute'));
    expect(await calls()).toEqual(EVERYTHING);
    expect(await names('SELECT DISTINCT foreign_keys::text AS name FROM citus.calls')).toEqual(['0']);
    expect(await names('SELECT DISTINCT mode AS name FROM citus.calls')).toEqual(['sequential']);
    expect(await foreignKeys()).toEqual(before);
    expect(output.split('\n').slice(0, 2)).toEqual(['on every node: projects', 'by project: users']);
    expect(
      await names(`SELECT rolname AS name FROM pg_roles WHERE rolname = 'muster_app' AND rolcanlogin`),
    ).toEqual(['muster_app']);
    expect(
      await names(`SELECT grantee AS name FROM information_schema.column_privileges
        WHERE table_name = 'changes' AND column_name = 'project_id' AND privilege_type = 'UPDATE'`),
    ).toEqual([new URL(database.url).username || 'postgres']);
  });

  it('does nothing the second time', async () => {
    await printed(run('distribute'));
    const { tables } = JSON.parse(await printed(run('distribute', '--json'))) as {
      tables: { wasBefore: boolean }[];
    };
    expect(tables.filter(({ wasBefore }) => wasBefore)).toHaveLength(EVERYTHING.length);
    expect(await calls()).toEqual(EVERYTHING);
  });

  it('completes a partial distribution', async () => {
    await client.query(`INSERT INTO citus.pg_dist_partition VALUES
      ('projects', 'n', NULL, 't'), ('users', 'h', 'project_id', 's'), ('devices', 'h', 'project_id', 's')`);
    const before = await foreignKeys();
    await printed(run('distribute'));
    expect(await calls()).toEqual(EVERYTHING.filter((call) => !/^\w+ (projects|users|devices)\b/.test(call)));
    expect(await foreignKeys()).toEqual(before);
  });

  it('changes nothing if one table cannot be distributed', async () => {
    const before = await foreignKeys();
    await client.query(`ALTER TABLE citus.pg_dist_partition ADD CHECK (logicalrelid <> 'audits'::regclass)`);
    expect(await refusal(run('distribute'))).toMatch(
      /^Nothing was changed, because the database reported an error: .*check constraint/,
    );
    expect([await calls(), await foreignKeys()]).toEqual([[], before]);
  });

  it('refuses a table that is distributed differently', async () => {
    await client.query(`INSERT INTO citus.pg_dist_partition VALUES ('devices', 'h', 'region_id', 's')`);
    expect(await refusal(run('distribute'))).toMatch(
      /^Citus already has the table devices, but not distributed by project/,
    );
    await client.query(`UPDATE citus.pg_dist_partition SET partmethod = 'n', partkey = NULL`);
    expect(await refusal(run('distribute'))).toMatch(/^Citus already has the table devices/);
    expect(await calls()).toEqual([]);
  });

  it('refuses to work on a node that is not the coordinator', async () => {
    await client.query('UPDATE citus.pg_dist_local_group SET groupid = 3');
    expect(await refusal(run('distribute'))).toMatch(/is a worker of Citus/);
  });

  it('migrate still detects records restored from another cluster', async () => {
    await printed(run('bootstrap'));
    await printed(run('distribute'));
    await printed(run('migrate'));
    const restorations = () => names('SELECT last_change_id::text AS name FROM feed_restorations');
    expect(await restorations()).toEqual([]);
    await client.query(`INSERT INTO changes (project_id, created_at, actor_username, request_id, transaction_id)
      SELECT id, now(), 'somebody', 'elsewhere', '4000000000000' FROM projects`);
    await printed(run('migrate'));
    expect(await restorations()).toEqual(await names('SELECT max(id)::text AS name FROM changes'));
    await printed(run('migrate'));
    expect(await restorations()).toHaveLength(1);
  });
});

describe('distribute reports in one sentence', () => {
  it('that the database is not a Citus database', async () => {
    expect(await refusal(run('distribute'))).toBe(
      'Citus is not installed on the database server: only the tables of a Citus database can be distributed.',
    );
    expect(await refusal(admin(['distribute'], { DATA_DIR: '/nowhere' }))).toBe(
      'The embedded database does not support Citus: set DATABASE_URL.',
    );
  });

  it('that the database has no schema', async () => {
    await client.query('DROP TABLE migrations');
    expect(await refusal(run('distribute'))).toMatch(/^The database has no schema yet/);
  });
});
