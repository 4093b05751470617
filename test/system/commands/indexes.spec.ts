import { addressOf, startProgram } from '../../support/service';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { admin, printed, refusal } from '../../support/admin';
import { schemaOf, withClient } from './pg-client';

// The machine may be busy.
jest.setTimeout(180_000);

/** What the migration makes of a server without the extensions. */
const WITHOUT_EXTENSIONS = `DROP EXTENSION pg_trgm CASCADE; DROP EXTENSION btree_gin CASCADE;
  CREATE INDEX devices_by_variables ON devices USING gin (variables jsonb_path_ops)`;

describe('indexes that need extensions', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('are created by a command as by the migration, and start and migration say what is slower without them', async () => {
    const environment = { DATABASE_URL: database.url };
    const schema = await schemaOf(database.url);
    expect(await printed(admin(['indexes'], environment))).toBe('No index is missing.\n');
    await withClient(database.url, (client) => client.query(WITHOUT_EXTENSIONS));

    const warning =
      /The database lacks indexes that need btree_gin and pg_trgm: filters by variables are slower, the search .*beginning only, .* Run "muster-admin indexes"/;
    const service = startProgram(database.url, {});
    await addressOf(service);
    expect(service.errorOutput).toMatch(warning);
    service.kill('SIGTERM');
    await service.ended;
    expect(await admin(['migrate'], environment)).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(warning) as string,
    });

    expect(await admin(['indexes', '--status'], environment)).toEqual({
      code: 3,
      stdout: expect.stringMatching(
        /^missing: devices_by_block \(needs btree_gin; filters .*\)\n(missing: .*\n){2}$/,
      ),
      stderr: '',
    });
    // As after an interrupted command: this index is not used, and replaced.
    await withClient(database.url, async (client) => {
      await client.query('CREATE EXTENSION btree_gin');
      await client.query('CREATE INDEX devices_by_block ON devices USING gin (project_id, id)');
      await client.query(
        `UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'devices_by_block'::regclass`,
      );
    });
    expect(await printed(admin(['indexes'], environment))).toBe(
      'created: devices_by_block\ncreated: devices_by_trigrams\ncreated: devices_by_nested_value\nRestart the service to use them.\n',
    );
    expect(await schemaOf(database.url)).toEqual(schema);
  });

  it('need a login that may create the extensions', async () => {
    const login = `owner_of_${database.name}`;
    await withClient(database.url, async (client) => {
      await client.query('DROP EXTENSION pg_trgm CASCADE');
      await client.query(`CREATE ROLE ${login} LOGIN`);
      await client.query(`GRANT SELECT ON migrations TO ${login}`);
      try {
        const url = new URL(database.url);
        url.username = login;
        expect(await refusal(admin(['indexes'], { DATABASE_URL: url.href }))).toMatch(
          /^The login of the owner cannot create the extension pg_trgm \(.*\): let a superuser run "CREATE EXTENSION pg_trgm"/,
        );
      } finally {
        await client.query(`DROP OWNED BY ${login}`);
        await client.query(`DROP ROLE ${login}`);
      }
    });
  });
});
