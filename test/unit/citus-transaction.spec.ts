import type { QueryResult } from 'pg';
import type { EntityManager } from 'typeorm';
import { citusTransaction } from '../../src/database/citus/citus-transaction';
import { type Sql, sql } from '../../src/database/sql';
import { type JointWrites, type NewTransaction, postgresTransaction } from '../../src/database/transaction';

/** The statements that a transaction runs. Each returns one row with the id 7. */
async function statementsOf(
  begin: NewTransaction,
  work: (tx: Awaited<ReturnType<NewTransaction>>) => Promise<unknown>,
): Promise<string[]> {
  const statements: string[] = [];
  const run = (statement: Sql) => {
    statements.push(statement.text.replaceAll(/\s+/g, ' '));
    return Promise.resolve({ rows: [{ id: 7 }], rowCount: 1 } as unknown as QueryResult<never>);
  };
  await work(await begin({} as EntityManager, run));
  return statements.filter((text) => !text.includes('set_config'));
}

const row = {
  write: (returning: Sql) => sql`UPDATE cells t SET note = 'x' RETURNING ${returning}`,
  columns: sql`t.id, (SELECT 1) AS one`,
  read: (id: number) => sql`SELECT t.id, (SELECT 1) AS one FROM cells t WHERE t.id = ${id}`,
};
const joint = {
  insert: sql`INSERT INTO changes DEFAULT VALUES RETURNING id`,
  writes: (id: Sql) => [sql`INSERT INTO change_objects VALUES (${id})`, sql`DELETE FROM audits`],
  result: sql`id`,
};
const sharing: JointWrites = {
  writes: (_, materialize) => {
    const rows = materialize(sql`SELECT 1 AS id`);
    return [
      sql`INSERT INTO cells SELECT t.id FROM ${rows} AS t`,
      sql`DELETE FROM audits a USING ${rows} AS t`,
    ];
  },
  result: sql`id`,
};

describe('a transaction on PostgreSQL', () => {
  it('writes and reads a row with one statement', async () => {
    expect(await statementsOf(postgresTransaction, (tx) => tx.writeRow(row))).toEqual([
      "UPDATE cells t SET note = 'x' RETURNING t.id, (SELECT 1) AS one",
    ]);
  });

  it('makes writes that belong together with one statement', async () => {
    expect(await statementsOf(postgresTransaction, (tx) => tx.writeJointly(joint))).toEqual([
      'WITH inserted AS (INSERT INTO changes DEFAULT VALUES RETURNING id), ' +
        'part0 AS (INSERT INTO change_objects VALUES ((SELECT id FROM inserted))),' +
        'part1 AS (DELETE FROM audits) SELECT id FROM inserted',
    ]);
  });

  it('runs a query for several writes once', async () => {
    expect(await statementsOf(postgresTransaction, (tx) => tx.writeJointly(sharing))).toEqual([
      'WITH materialized0 AS MATERIALIZED (SELECT 1 AS id),' +
        'part0 AS (INSERT INTO cells SELECT t.id FROM materialized0 AS t),' +
        'part1 AS (DELETE FROM audits a USING materialized0 AS t) SELECT id',
    ]);
  });
});

describe('a transaction on Citus', () => {
  it('reads a written row with a statement of its own', async () => {
    expect(await statementsOf(citusTransaction, (tx) => tx.writeRow(row))).toEqual([
      "UPDATE cells t SET note = 'x' RETURNING t.id",
      'SELECT t.id, (SELECT 1) AS one FROM cells t WHERE t.id = $1',
    ]);
  });

  it('writes each table with a statement of its own', async () => {
    expect(await statementsOf(citusTransaction, (tx) => tx.writeJointly(joint))).toEqual([
      'INSERT INTO changes DEFAULT VALUES RETURNING id',
      'INSERT INTO change_objects VALUES ($1::bigint)',
      'DELETE FROM audits',
      'SELECT id FROM (SELECT $1::bigint AS id) inserted',
    ]);
  });

  it('runs a query for several writes in each of them', async () => {
    expect(await statementsOf(citusTransaction, (tx) => tx.writeJointly(sharing))).toEqual([
      'INSERT INTO cells SELECT t.id FROM (SELECT 1 AS id) AS t',
      'DELETE FROM audits a USING (SELECT 1 AS id) AS t',
      'SELECT id FROM (SELECT $1::bigint AS id) inserted',
    ]);
  });
});
