import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { admin, printed, refusal, verifyDatabase } from '../../support/admin';
import { startProgram, startService } from '../../support/service';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../support/test-database';
import { tablesOf, withClient } from '../commands/pg-client';
import { cleanUp, temporaryFolder } from '../embedded/processes';

// The machine may be busy.
jest.setTimeout(120_000);

const databases: TestDatabase[] = [];
const droppedAtTheEnd = async (database: Promise<TestDatabase>): Promise<TestDatabase> => {
  databases.push(await database);
  return database;
};
afterAll(async () => {
  for (const database of databases) await database.drop();
  await cleanUp();
});

/** The message of a service that does not start. */
async function refusalOfService(url: string, environment: Record<string, string> = {}): Promise<string> {
  const program = startProgram(url, environment);
  expect(await program.ended).toBe(1);
  return program.errorOutput;
}

describe('a database with another encoding than UTF-8', () => {
  it('is neither served nor migrated', async () => {
    const { url, name } = await droppedAtTheEnd(createEmptyDatabase(`ENCODING 'SQL_ASCII' LOCALE 'C'`));
    const message = `Muster requires a database with the encoding UTF8, but the database "${name}" on a local socket, port 5432 has SQL_ASCII.`;
    expect(await refusalOfService(url)).toContain(message);
    expect(await refusal(admin(['migrate'], { DATABASE_URL: url }))).toContain(message);
    expect(await refusal(admin(['migrate'], { DATABASE_URL: url, DATABASE_OWNER_URL: url }))).toContain(
      message,
    );
    expect(await withClient(url, tablesOf)).toEqual([]);
  });
});

describe('DATABASE_OWNER_URL with another database than DATABASE_URL', () => {
  it('is rejected by the service and by every command, before anything is read or changed', async () => {
    const { url } = await droppedAtTheEnd(createTestDatabase());
    const [other, empty] = [
      await droppedAtTheEnd(createTestDatabase()),
      await droppedAtTheEnd(createEmptyDatabase()),
    ];
    const file = join(temporaryFolder(), 'backup');
    const message = 'DATABASE_OWNER_URL names another database than DATABASE_URL: the database "';
    expect(await refusalOfService(url, { DATABASE_OWNER_URL: empty.url })).toContain(message);
    const commands = [
      ['migrate'],
      ['migrate', '--status'],
      ['verify'],
      ['backup', file],
      ['bootstrap'],
      ['user', 'list', '--project', 'default'],
      ['distribute'],
    ];
    for (const command of commands)
      for (const wrong of [other, empty])
        expect({
          command,
          sentence: await refusal(admin(command, { DATABASE_URL: url, DATABASE_OWNER_URL: wrong.url })),
        }).toEqual({ command, sentence: expect.stringContaining(message) as string });
    expect(existsSync(file)).toBe(false);
    expect(await withClient(empty.url, tablesOf)).toEqual([]);
    // The same database is accepted, also by another URL.
    const same = `${url}&application_name=owner`;
    await printed(admin(['verify', '--json'], { DATABASE_URL: url, DATABASE_OWNER_URL: same }));
  });
});

/** Settings that would alter statements or values. */
const SETTINGS = {
  timezone: 'Asia/Tokyo',
  datestyle: 'German',
  intervalstyle: 'sql_standard',
  standard_conforming_strings: 'off',
  bytea_output: 'escape',
  extra_float_digits: '-5',
  array_nulls: 'off',
  transform_null_equals: 'on',
  default_transaction_isolation: 'serializable',
  row_security: 'off',
};

it('gives the same results with any collation and settings of the database', async () => {
  const database = await droppedAtTheEnd(
    createEmptyDatabase(`ENCODING 'UTF8' LOCALE 'C' LOCALE_PROVIDER icu ICU_LOCALE 'tr-TR'`),
  );
  await withClient(database.url, async (client) => {
    for (const [name, value] of Object.entries(SETTINGS))
      await client.query(
        `ALTER DATABASE ${database.name} SET ${name} = ${Client.prototype.escapeLiteral(value)}`,
      );
  });
  const app = await startService({}, database);
  const caller = await app.project();
  const notes = ['b', 'B', 'ä', 'Z', 'ı', 'i', 'I'];
  for (const note of notes) await caller.region({ note, variables: { text: '\\', number: 1.5 } });
  const byCodePoint = notes.toSorted();
  const { body: regions } = await caller.get('/v1/regions?sort_keys=note').expect(200);
  expect((regions as { note: string }[]).map(({ note }) => note)).toEqual(byCodePoint);
  // The note is the reason, too.
  const { body: changes } = await caller.get('/v1/changes?sort_keys=reason&kind=region').expect(200);
  const given = (changes as { reason: string | null }[]).flatMap(({ reason }) => reason ?? []);
  expect(given).toEqual(byCodePoint);
  const [{ created_at: created }] = regions as [{ created_at: string }];
  expect(Math.abs(Date.parse(`${created}Z`) - Date.now())).toBeLessThan(120_000);
  const { body: found } = await caller
    .get(`/v1/regions?vars=${encodeURIComponent('text:"\\\\"')}`)
    .expect(200);
  expect(found).toHaveLength(notes.length);
  expect((await verifyDatabase(database.url)).faults).toEqual([]);
  await app.exit();
});
