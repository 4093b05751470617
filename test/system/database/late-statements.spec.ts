import { withBuiltModules } from '../../support/built-modules';
import { createEmptyDatabase, type TestDatabase } from '../../support/test-database';

let database: TestDatabase;
beforeAll(async () => {
  database = await createEmptyDatabase();
});
afterAll(() => database.drop());

/**
 * For each case, runs two transactions on one connection. The work of the first one goes on after its end, and sends a
 * statement when the second one has begun.
 */
const TWO_TRANSACTIONS = `
  const { DataSource } = require('typeorm');
  const { Database } = load('src/database/database');
  const { sql } = load('src/database/sql');
  const { migrationOptions } = load('src/migration-options');
  const options = migrationOptions({ url: input.url }, { as: 'owner', waitsForLocks: true, poolSize: 1 });
  const source = await new DataSource(options).initialize();
  const database = new Database(source, { areConfigured: false }, {});
  await database.rows(sql\`CREATE TABLE written (by text)\`);
  const results = [];
  for (const { isRolledBack = false, fails = false } of input.cases) {
    let begin;
    const secondBegan = new Promise((resolve) => (begin = resolve));
    let sent;
    const first = await database.transaction(async (tx) => {
      sent = secondBegan.then(() => tx.execute(sql\`INSERT INTO written VALUES ('the first')\`));
      if (fails) throw new Error('the work failed');
    }, { isRolledBack }).then(() => 'done', ({ message }) => message);
    const late = await database.transaction(async (tx) => {
      await tx.execute(sql\`INSERT INTO written VALUES ('the second')\`);
      begin();
      return sent.then(() => 'done', ({ message }) => message);
    });
    const written = (await database.rows(sql\`DELETE FROM written RETURNING by\`)).map(({ by }) => by);
    results.push({ first, late, written });
  }
  await source.destroy();
  return results;`;

it('a transaction writes nothing into the next one on its connection, whether it was committed, rolled back or failed', async () => {
  const cases = [{}, { isRolledBack: true }, { fails: true }];
  const refused = { late: 'a statement came after the end of its transaction', written: ['the second'] };
  expect(await withBuiltModules(TWO_TRANSACTIONS, { url: database.url, cases })).toEqual([
    { first: 'done', ...refused },
    { first: 'done', ...refused },
    { first: 'the work failed', ...refused },
  ]);
});
