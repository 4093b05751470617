import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from 'pg';
import { cleanUp, temporaryFolder } from '../embedded/processes';
import { addressOf, startProgram } from '../../support/service';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { admin, printed, refusal } from '../../support/admin';
import { withClient } from './pg-client';

// The machine may be busy.
jest.setTimeout(180_000);

describe("muster-admin with the service's login", () => {
  let database: TestDatabase;
  let login: string;
  /** The URL with the service's login, which is not the schema owner. */
  let service: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    login = `service_of_${database.name}`;
    await withClient(database.url, (client) => client.query(`CREATE ROLE ${login} LOGIN IN ROLE muster_app`));
    const url = new URL(database.url);
    url.username = login;
    service = url.href;
  });
  afterAll(async () => {
    await withClient(database.url, (client) => client.query(`DROP ROLE ${login}`));
    await cleanUp();
    await database.drop();
  });

  it('refuses a backup, because the login cannot read sequences; DATABASE_OWNER_URL makes it possible', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'backup');
    const sentence = await refusal(admin(['backup', file], { DATABASE_URL: service }));
    expect(sentence).toMatch(
      new RegExp(`owner, and "${login}" may not read .*DATABASE_OWNER_URL\\. No backup was made\\.$`),
    );
    expect(readdirSync(folder)).toEqual([]);
    const whole = { DATABASE_URL: service, DATABASE_OWNER_URL: database.url };
    await printed(admin(['backup', file, '--json'], whole));
    expect(readdirSync(folder)).toEqual(['backup']);

    const restored = await refusal(admin(['restore', file], { DATABASE_URL: service }));
    expect(restored).toMatch(/DATABASE_OWNER_URL\. Nothing was restored\.$/);
    await printed(admin(['restore', file, '--json'], whole));
  });

  it('can start the service without the owner, after a migration by the owner', async () => {
    const name = `new_${login}`;
    const isMember = (client: Client) =>
      client.query(`SELECT pg_has_role('${name}', 'muster_app', 'MEMBER') AS granted`);
    await withClient(database.url, async (client) => {
      await client.query(`CREATE ROLE ${name} LOGIN`);
      expect((await isMember(client)).rows).toEqual([{ granted: false }]);
      const url = new URL(database.url);
      url.username = name;
      const both = { DATABASE_URL: url.href, DATABASE_OWNER_URL: database.url };
      expect(await printed(admin(['migrate'], both))).toBe('The schema is up to date.\n');
      expect((await isMember(client)).rows).toEqual([{ granted: true }]);
      const started = startProgram(url.href, {});
      await addressOf(started);
      // There is no warning.
      expect(started.errorOutput).toMatch(/^muster: serving on .*$/);
      started.kill('SIGTERM');
      await started.ended;
      // The owner's login need not be able to do that: a superuser can do it later.
      url.username = `nobody_${login}`;
      expect(await admin(['migrate'], { ...both, DATABASE_URL: url.href })).toEqual({
        code: 0,
        stdout: 'The schema is up to date.\n',
        stderr: expect.stringMatching(
          /^muster-admin: There is no role muster_app, or no login "nobody_.*\n$/,
        ),
      });
      await client.query(`DROP ROLE ${name}`);
    });
  });

  it('refuses to verify; DATABASE_OWNER_URL makes it possible', async () => {
    // The service's login must not read this sequence.
    await withClient(database.url, (client) => client.query(`SELECT nextval('users_id_seq')`));
    const sentence = await refusal(admin(['verify'], { DATABASE_URL: service }));
    expect(sentence).toMatch(
      new RegExp(`owner, and "${login}" may not read .*DATABASE_OWNER_URL\\. Nothing was checked\\.$`),
    );
    expect(
      await printed(admin(['verify'], { DATABASE_URL: service, DATABASE_OWNER_URL: database.url })),
    ).toMatch(/^identifiers: .* ok$/m);
  });
});
