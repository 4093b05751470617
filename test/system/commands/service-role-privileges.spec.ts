import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cleanUp, temporaryFolder } from '../embedded/processes';
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
