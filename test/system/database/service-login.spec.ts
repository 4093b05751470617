import { randomBytes } from 'node:crypto';
import { Client, DatabaseError } from 'pg';
import { LoginChecks } from '../../support/login-checks';
import { migrate } from '../../support/migrate';
import { startProgram, startService } from '../../support/service';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

const RECORDS = ['changes', 'change_objects', 'change_impacts'];

/** A database owned by an ordinary user, and a service with a separate login, as on a hosted PostgreSQL. */
describe("the service's own login", () => {
  const suffix = randomBytes(6).toString('hex');
  const [ownerName, serviceName] = [`owner_${suffix}`, `service_${suffix}`];
  let cluster: TestDatabase;
  let superuser: Client;
  /** A connection with the same options as the service. */
  let service: Client;
  let logins: LoginChecks;

  const urlOf = (user: string, database = ownerName): string => {
    const url = new URL(cluster.url);
    url.username = user;
    url.pathname = `/${database}`;
    return url.href;
  };
  const connection = () => ({ url: urlOf(serviceName), owner: { url: urlOf(ownerName) } });
  const serviceOptions = () => ({
    connectionString: urlOf(serviceName),
    options: '-c search_path=public,pg_temp -c role=muster_app',
  });
  const asSuperuser = async (...statements: string[]) => {
    for (const statement of statements) await superuser.query(statement);
  };

  beforeAll(async () => {
    cluster = await createTestDatabase();
    const admin = new Client({ connectionString: cluster.url });
    await admin.connect();
    await admin.query(`CREATE ROLE ${ownerName} LOGIN`);
    await admin.query(`CREATE ROLE ${serviceName} LOGIN`);
    await admin.query(`CREATE DATABASE ${ownerName} OWNER ${ownerName}`);
    await admin.end();
    superuser = new Client({ connectionString: urlOf(new URL(cluster.url).username) });
    await superuser.connect();
    // A table of another program, on which the owner has no rights.
    await superuser.query('CREATE TABLE public.shop (id int)');
    await migrate(urlOf(serviceName), urlOf(ownerName));
    await superuser.query('DROP TABLE public.shop');
    logins = new LoginChecks();
  });

  afterAll(async () => {
    logins.stop();
    await service.end();
    await superuser.end();
    const admin = new Client({ connectionString: cluster.url });
    await admin.connect();
    await admin.query(`DROP DATABASE IF EXISTS ${ownerName} WITH (FORCE)`);
    await admin.query(`DROP ROLE IF EXISTS ${ownerName}, ${serviceName}`);
    await admin.end();
    await cluster.drop();
  });

  it("must be granted the service's role", async () => {
    const rejected = startProgram(urlOf(serviceName), { DATABASE_OWNER_URL: urlOf(ownerName) });
    expect(await rejected.ended).toBe(1);
    expect(rejected.errorOutput).toContain(`run GRANT muster_app TO "${serviceName}"`);
    await asSuperuser(`GRANT muster_app TO ${serviceName}`);
    expect(await logins.check(connection())).toEqual({ as: 'service' });
  });

  it('must be allowed to create temporary tables, which imports need', async () => {
    await asSuperuser(`REVOKE TEMPORARY ON DATABASE ${ownerName} FROM PUBLIC`);
    try {
      await expect(logins.check(connection())).rejects.toThrow(
        `run GRANT TEMPORARY ON DATABASE "${ownerName}" TO "muster_app"`,
      );
    } finally {
      await asSuperuser(`GRANT TEMPORARY ON DATABASE ${ownerName} TO PUBLIC`);
    }
    await logins.check(connection());
  });

  it("is checked for being swapped with the owner's login, and for wrong logins", async () => {
    const swapped = { url: urlOf(ownerName), owner: { url: urlOf(serviceName) } };
    await expect(logins.check(swapped)).rejects.toThrow(
      `DATABASE_URL and DATABASE_OWNER_URL look swapped: "${ownerName}", the login of DATABASE_URL, owns the tables`,
    );
    const wrong = urlOf(`nobody_${suffix}`);
    const own = urlOf(serviceName);
    await expect(logins.check({ url: own, owner: { url: wrong } })).rejects.toThrow(
      'Check DATABASE_OWNER_URL',
    );
    await expect(logins.check({ url: wrong })).rejects.toThrow('Check DATABASE_URL');
  });

  it('serves requests as a role without privileges of its own', async () => {
    // Records the session's user and role in each new region.
    await asSuperuser(
      `CREATE FUNCTION public.tell_session() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         NEW.note := session_user || ' as ' || current_user || ' in ' || current_setting('search_path');
         RETURN NEW;
       END $$`,
      `CREATE TRIGGER tell_session BEFORE INSERT ON regions
         FOR EACH ROW EXECUTE FUNCTION public.tell_session()`,
    );
    const database = { url: urlOf(serviceName), name: ownerName, drop: () => Promise.resolve() };
    const app = await startService({ DATABASE_OWNER_URL: urlOf(ownerName) }, database);
    try {
      const region = await app.root.region({ variables: { a: 1 } });
      expect(region['note']).toBe(`${serviceName} as muster_app in public,pg_temp`);
      await app.root.host({ region_id: region.id });
      await app.root.put(`/v1/regions/${String(region.id)}/variables`, { a: 2 }).expect(200);
    } finally {
      await app.stop();
      await asSuperuser('DROP TRIGGER tell_session ON regions', 'DROP FUNCTION public.tell_session()');
    }
    service = new Client(serviceOptions());
    await service.connect();
    const { rows } = await service.query(
      `SELECT current_user AS role, rolsuper AS super, rolcreaterole OR rolcreatedb AS creates
        FROM pg_roles WHERE rolname = current_user`,
    );
    expect(rows).toEqual([{ role: 'muster_app', super: false, creates: false }]);
  });

  /** Statements that fail, whatever role the session has set before. */
  const attacks = [
    ...RECORDS.flatMap((table) => [
      `UPDATE ${table} SET project_id = project_id`,
      `DELETE FROM ${table}`,
      `TRUNCATE ${table} CASCADE`,
      `DROP TABLE ${table} CASCADE`,
      `ALTER TABLE ${table} ADD COLUMN mine int`,
      `ALTER TABLE ${table} OWNER TO CURRENT_USER`,
      `LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`,
      `CREATE RULE mine AS ON INSERT TO ${table} DO INSTEAD NOTHING`,
      `CREATE TRIGGER mine BEFORE INSERT ON ${table} EXECUTE FUNCTION suppress_redundant_updates_trigger()`,
    ]),
    'CREATE TABLE mine (id int)',
    'CREATE VIEW mine AS SELECT 1',
    'CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$',
    'CREATE SCHEMA mine',
    'CREATE INDEX mine ON regions (id)',
    'ALTER TABLE regions DROP COLUMN note',
    'ALTER SEQUENCE regions_id_seq RESTART',
    'DROP SCHEMA public CASCADE',
    'CREATE ROLE mine',
    `ALTER ROLE ${ownerName} PASSWORD 'x'`,
    `GRANT ${ownerName} TO CURRENT_USER`,
    'ALTER DATABASE template1 RENAME TO mine',
    'CREATE EXTENSION dblink',
    'SET session_replication_role = replica',
    "ALTER SYSTEM SET work_mem = '1GB'",
    `COPY regions TO PROGRAM 'cat'`,
    "DELETE FROM migrations WHERE name <> ''",
  ];

  it.each([
    ['as it is', undefined],
    ['after RESET ROLE', 'RESET ROLE'],
    ['after SET SESSION AUTHORIZATION DEFAULT', 'SET SESSION AUTHORIZATION DEFAULT'],
    ['after SET ROLE NONE', 'SET ROLE NONE'],
    ['after RESET ALL', 'RESET ALL'],
    ['after DISCARD ALL', 'DISCARD ALL'],
    ["after a setting of the role's", "SELECT set_config('role', 'none', false)"],
  ])('can alter neither the schema nor change records %s', async (_, before) => {
    if (before !== undefined) await service.query(before);
    const succeeded: string[] = [];
    for (const attack of attacks) {
      await service.query('BEGIN');
      if ((await sqlStateOf(attack)) === undefined) succeeded.push(attack);
      await service.query('ROLLBACK');
    }
    expect(succeeded).toEqual([]);
  });

  it.each(['SET ROLE', 'SET SESSION AUTHORIZATION'])(
    'cannot switch to another role by %s',
    async (statement) => {
      for (const name of [ownerName, new URL(cluster.url).username, 'pg_database_owner', 'pg_write_all_data'])
        expect(await sqlStateOf(`${statement} "${name}"`)).toMatch(/^(42501|22023)$/);
    },
  );

  it.each([
    [`GRANT UPDATE (reason) ON changes TO ${serviceName}`, 'REVOKE', 'may change or delete change records'],
    [`GRANT TRUNCATE ON change_objects TO ${serviceName}`, 'REVOKE', 'may change or delete change records'],
    ['GRANT DELETE ON change_impacts TO PUBLIC', 'REVOKE', 'may change or delete change records'],
    [`GRANT CREATE ON SCHEMA public TO ${serviceName}`, 'REVOKE', 'may create objects in the schema public'],
    [`GRANT CREATE ON DATABASE ${ownerName} TO ${serviceName}`, 'REVOKE', 'may create schemas'],
    [`GRANT ${ownerName} TO ${serviceName}`, 'REVOKE', 'owns tables, or can take the role of their owner'],
    [`ALTER ROLE ${serviceName} CREATEROLE`, 'NOCREATEROLE', 'may create roles'],
    [`ALTER ROLE ${serviceName} SUPERUSER`, 'NOSUPERUSER', 'is a superuser, or can become one'],
    [`GRANT pg_execute_server_program TO ${serviceName}`, 'REVOKE', "may reach the server's files"],
  ])('is rejected at startup with excessive privileges: %s', async (grant, undo, power) => {
    await asSuperuser(grant);
    try {
      await expect(logins.check(connection())).rejects.toThrow(power);
      // Without an owner login, the service logs a warning and starts.
      expect((await logins.check({ url: urlOf(serviceName) })).privilegeWarning).toContain(power);
    } finally {
      const revoke = grant.replace('GRANT', 'REVOKE').replace(' TO ', ' FROM ');
      await asSuperuser(undo === 'REVOKE' ? revoke : `ALTER ROLE ${serviceName} ${undo}`);
    }
    expect((await logins.check(connection())).privilegeWarning).toBeUndefined();
  });

  it('gets missing privileges if the role was created after the tables', async () => {
    const migrated = await rightsOfRole();
    expect(migrated).toContain('changes INSERT');
    const { rows: tables } = await superuser.query<{ name: string }>(
      `SELECT tablename::text AS name FROM pg_tables WHERE schemaname = 'public'`,
    );
    expect(tables.length).toBeGreaterThan(20);
    for (const { name } of tables) expect(migrated).toContain(`${name} SELECT`);
    await asSuperuser(
      `REVOKE ALL ON ALL TABLES IN SCHEMA public FROM muster_app`,
      `REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM muster_app`,
      `REVOKE ALL ON FUNCTION public.analyze_table FROM muster_app`,
    );
    await service.query('SET ROLE muster_app');
    expect(await sqlStateOf('SELECT FROM regions')).toBe('42501');
    expect(await sqlStateOf("SELECT analyze_table('regions', false)")).toBe('42501');
    expect((await logins.check(connection())).privilegeWarning).toBeUndefined();
    // Exactly the privileges that the migrations grant, including what they withhold.
    expect(await rightsOfRole()).toEqual(migrated);
    expect(await sqlStateOf('UPDATE regions SET note = note')).toBeUndefined();
    expect(await sqlStateOf("SELECT nextval('regions_id_seq')")).toBeUndefined();
    expect(await sqlStateOf("SELECT analyze_table('regions', false)")).toBeUndefined();
    expect(await sqlStateOf("SELECT analyze_table('changes', false)")).toBe('42501');
    for (const attack of attacks.slice(0, 3)) expect(await sqlStateOf(attack)).toBe('42501');
  });

  it('gets the privileges once when several instances start together, and none on tables of others', async () => {
    const [stranger, table, shop] = [`stranger_${suffix}`, 'of_another_role', 'of_the_same_owner'];
    await asSuperuser(
      `CREATE ROLE ${stranger}`,
      `CREATE TABLE ${table} (id int)`,
      `ALTER TABLE ${table} OWNER TO ${stranger}`,
      `SET ROLE ${ownerName}`,
      `CREATE TABLE public.${shop} (id int)`,
      'RESET ROLE',
      'REVOKE ALL ON regions FROM muster_app',
    );
    try {
      const several = await Promise.all(Array.from({ length: 4 }, () => logins.check(connection())));
      expect(several.map(({ privilegeWarning }) => privilegeWarning)).toEqual(several.map(() => undefined));
      const rights = await rightsOfRole();
      expect(rights).toContain('regions UPDATE');
      expect(rights.filter((right) => right.startsWith(table) || right.startsWith(shop))).toEqual([]);
      // No privilege is missing, so nothing is granted.
      await logins.check(connection());
    } finally {
      await asSuperuser(`DROP TABLE ${table}, ${shop}`, `DROP ROLE ${stranger}`);
    }
  });

  it('resolves table names to its own schema before temporary tables', async () => {
    const session = new Client(serviceOptions());
    await session.connect();
    await session.query('CREATE TEMPORARY TABLE changes (LIKE public.changes)');
    const { rows } = await session.query(
      `SELECT to_regclass('changes') = to_regclass('public.changes') AS own`,
    );
    await session.end();
    expect(rows).toEqual([{ own: true }]);
  });

  it('cannot migrate, and the error names the setting to use', async () => {
    await asSuperuser(`CREATE TABLE kept AS SELECT * FROM migrations`);
    await asSuperuser('DELETE FROM migrations WHERE id = (SELECT max(id) FROM migrations)');
    try {
      await expect(migrate(urlOf(serviceName))).rejects.toThrow(
        /must be migrated, but this login is not allowed to: .*DATABASE_OWNER_URL/,
      );
    } finally {
      await asSuperuser(
        'INSERT INTO migrations SELECT * FROM kept ON CONFLICT DO NOTHING',
        'DROP TABLE kept',
      );
    }
    expect(await migrate(urlOf(serviceName))).toBe('The schema is up to date.\n');
  });

  /**
   * The owner of a hosted database may be neither a superuser nor allowed to create roles. A service with the
   * owner's login works as the owner. Change records are then protected by the privileges that the owner has
   * revoked from itself.
   */
  describe('that owns the tables', () => {
    let owner: Client;
    beforeAll(async () => {
      owner = new Client({ connectionString: urlOf(ownerName) });
      await owner.connect();
    });
    afterAll(() => owner.end());

    const records = async (): Promise<number | null> =>
      (await owner.query('SELECT FROM changes c JOIN change_objects o ON o.change_id = c.id')).rowCount;

    it("serves requests without the service's role", async () => {
      const login = await logins.check({ url: urlOf(ownerName) });
      expect(login.as).toBe('login');
      expect(login.privilegeWarning).toMatch(/it owns tables.*DATABASE_OWNER_URL/);
    });

    it.each([
      ['UPDATE changes SET reason = reason'],
      ['UPDATE changes SET project_id = gen_random_uuid()'],
      ['DELETE FROM changes'],
      ['TRUNCATE changes CASCADE'],
      ['UPDATE change_objects SET name = name'],
      ['DELETE FROM change_objects'],
    ])('cannot alter change records: %s', async (statement) => {
      const before = await records();
      expect(before).toBeGreaterThan(0);
      await expect(owner.query(statement)).rejects.toThrow(/permission denied|foreign key/);
      expect(await records()).toBe(before);
    });
  });

  /** The role's privileges on each table and sequence, without those of the owner or PUBLIC. */
  async function rightsOfRole(): Promise<string[]> {
    const { rows } = await superuser.query<{ granted: string }>(
      `SELECT c.relname || ' ' || a.privilege_type AS granted
        FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) AS a JOIN pg_roles r ON r.oid = a.grantee
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'S') AND r.rolname = 'muster_app'
        ORDER BY 1`,
    );
    return rows.map(({ granted }) => granted);
  }

  /** The SQLSTATE of a rejected statement; undefined if it succeeds. */
  async function sqlStateOf(statement: string): Promise<string | undefined> {
    try {
      await service.query(statement);
      return undefined;
    } catch (error) {
      if (error instanceof DatabaseError) return error.code;
      throw error;
    }
  }
});
