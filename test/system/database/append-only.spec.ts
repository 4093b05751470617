import { Client, DatabaseError } from 'pg';
import { isOnCitus } from '../../support/test-database';
import { sharedService } from '../../support/service';
import type { Caller } from '../../support/caller';

const INSUFFICIENT_PRIVILEGE = '42501';
const RECORDS = ['changes', 'change_objects'];

describe('change records in the database', () => {
  const app = sharedService();
  let service: Client;
  let admin: Caller;
  beforeAll(async () => {
    admin = await app.project();
    await admin.region();
    // Use the role of the service.
    service = new Client({ connectionString: app.databaseUrl, options: '-c role=muster_app' });
    await service.connect();
  });
  afterAll(async () => {
    await service.end();
  });

  /** The SQLSTATE with which the database rejects the statement, or undefined if it succeeds. */
  const sqlStateOf = async (statement: string): Promise<string | undefined> => {
    try {
      await service.query(statement);
      return undefined;
    } catch (error) {
      if (error instanceof DatabaseError) return error.code;
      throw error;
    }
  };

  it.each(
    RECORDS.flatMap((table) => [
      [`UPDATE ${table} SET project_id = project_id`],
      [`DELETE FROM ${table}`],
      [`DELETE FROM ${table} WHERE false`],
      [`TRUNCATE ${table} CASCADE`],
      // Citus rejects it as well, with an error of its own.
      ...(isOnCitus()
        ? []
        : ([[`MERGE INTO ${table} t USING (SELECT 1) s ON true WHEN MATCHED THEN DELETE`]] as const)),
      [`ALTER TABLE ${table} DISABLE TRIGGER ALL`],
      [`DROP TABLE ${table} CASCADE`],
    ]),
  )('are protected against: %s', async (statement) => {
    const before = await counts();
    expect(before.every((count) => count > 0)).toBe(true);
    expect(await sqlStateOf(statement)).toBe(INSUFFICIENT_PRIVILEGE);
    expect(await counts()).toEqual(before);
  });

  it('stay read-only if the service grants itself privileges', async () => {
    // PostgreSQL only warns if a role grants a privilege without grant option.
    await service.query('GRANT UPDATE, DELETE ON changes, change_objects TO muster_app');
    const { rows } = await service.query<{ may: boolean }>(
      `SELECT has_table_privilege(name, 'UPDATE, DELETE, TRUNCATE') AS may FROM unnest($1::text[]) AS t (name)`,
      [RECORDS],
    );
    expect(rows).toEqual([{ may: false }, { may: false }]);
  });

  it('cannot be overwritten by an upsert', async () => {
    const { rows } = await service.query<{ project_id: string; id: string }>(
      'SELECT project_id, id FROM changes LIMIT 1',
    );
    expect(
      await sqlStateOf(`INSERT INTO changes (project_id, id, created_at, actor_username, request_id)
        OVERRIDING SYSTEM VALUE VALUES ('${String(rows[0]?.project_id)}', ${String(rows[0]?.id)}, now(), 'x', 'x')
        ON CONFLICT (project_id, id) DO UPDATE SET actor_username = 'somebody else'`),
    ).toBe(INSUFFICIENT_PRIVILEGE);
  });

  it.each([
    ['CREATE TABLE mine (id int)'],
    ['CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$'],
    ['CREATE SCHEMA mine'],
    ['CREATE EXTENSION IF NOT EXISTS pgcrypto'],
    ['ALTER TABLE regions ADD COLUMN mine int'],
    ['ALTER TABLE regions DISABLE ROW LEVEL SECURITY'],
    ['CREATE INDEX mine ON regions (id)'],
    ['DROP INDEX regions_by_cloud'],
    ['CREATE TRIGGER mine BEFORE UPDATE ON regions EXECUTE FUNCTION suppress_redundant_updates_trigger()'],
    ['SET session_replication_role = replica'],
    ['TRUNCATE regions CASCADE'],
    ['CREATE ROLE mine'],
    [`COPY regions TO PROGRAM 'cat'`],
  ])('belong to a schema that the service cannot alter: %s', async (statement) => {
    expect(await sqlStateOf(statement)).toBe(INSUFFICIENT_PRIVILEGE);
  });

  it.each([
    ["UPDATE migrations SET name = 'another'"],
    ['DELETE FROM migrations'],
    ["INSERT INTO migrations (timestamp, name) VALUES (1, 'newer')"],
  ])('belong to a schema whose version the service cannot change: %s', async (statement) => {
    expect(await sqlStateOf(statement)).toBe(INSUFFICIENT_PRIVILEGE);
  });

  it('cannot be changed over HTTP', async () => {
    const [record] = (await admin.get('/v1/changes').expect(200)).body as { id: number }[];
    const path = `/v1/changes/${String(record?.id)}`;
    for (const caller of [admin, app.root])
      for (const method of ['put', 'post', 'delete', 'patch'] as const)
        for (const at of [path, '/v1/changes'])
          expect((await caller.send(method, at, method === 'delete' ? undefined : {})).status).toBe(405);
    expect((await admin.get(path).expect(200)).body).toEqual(record);
  });

  /** Of the test's own project only, because other tests write concurrently. */
  async function counts(): Promise<number[]> {
    const { rows } = await service.query<{ changes: string; objects: string }>(
      `SELECT (SELECT count(*) FROM changes WHERE project_id = $1) AS changes,
         (SELECT count(*) FROM change_objects WHERE project_id = $1) AS objects`,
      [admin.projectId],
    );
    return rows.flatMap(({ changes, objects }) => [Number(changes), Number(objects)]);
  }
});
