import fc from '../../support/property-testing';
import { Client } from 'pg';
import { rowsAfter, orderBy, reverseOrder, type SortOrder } from '../../../src/lists/keyset';
import { join, sql, type Sql } from '../../../src/database/sql';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { documentOf, membersOf } from '../../../src/core/json/json-text';
import { documents } from '../../support/jsonb-documents';
import { jsonbText } from '../../support/jsonb-text';

const texts = fc.option(fc.constantFrom('a', 'B', 'b', 'é', '\uff5e', '\u{1f600}', ''));
const numbers = fc.option(fc.integer({ min: -2, max: 2 }));

/** Rows with many equal keys and many nulls. */
const rows = fc.array(fc.tuple(texts, numbers), { minLength: 1, maxLength: 12 });

const columns = {
  name: { column: 't.name', type: 'text', nullable: true },
  size: { column: 't.size', type: 'bigint', nullable: true },
  id: { column: 't.id', type: 'bigint', nullable: false },
} as const;

const orders = fc.record({
  keys: fc.constantFrom(
    [columns.id],
    [columns.name, columns.id],
    [columns.size, columns.id],
    [columns.size, columns.name, columns.id],
  ),
  descending: fc.boolean(),
});

describe('composed SQL', () => {
  let database: TestDatabase;
  let client: Client;
  beforeAll(async () => {
    database = await createTestDatabase();
    client = new Client({ connectionString: database.url });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  const ids = async (statement: Sql) =>
    (await client.query<{ id: string }>(statement.text, statement.values)).rows.map(({ id }) => Number(id));

  it('returns each row after a marker by exactly one condition', async () => {
    await fc.assert(
      fc.asyncProperty(rows, orders, async (made, chosen) => {
        const table = sql`(VALUES ${join(
          made.map(([name, size], id) => sql`(${name}::text COLLATE "C", ${size}::bigint, ${id}::bigint)`),
        )}) AS t (name, size, id)`;
        for (const order of [chosen, reverseOrder(chosen)]) await expectCover(table, made, order);
      }),
      { numRuns: 60 },
    );
  }, 60_000);

  async function expectCover(
    table: Sql,
    made: readonly (readonly [string | null, number | null])[],
    order: SortOrder,
  ) {
    const inOrder = await ids(sql`SELECT t.id FROM ${table} ${orderBy(order)}`);
    for (const [place, id] of inOrder.entries()) {
      const [name = null, size = null] = made[id] ?? [];
      const values = { 't.name': name, 't.size': size === null ? null : String(size), 't.id': String(id) };
      const marker = order.keys.map(({ column }) => values[column as keyof typeof values]);
      const found: number[] = [];
      for (const run of rowsAfter(order, marker))
        found.push(...(await ids(sql`SELECT t.id FROM ${table} WHERE ${run}`)));
      expect(found.sort((a, b) => a - b)).toEqual(inOrder.slice(place + 1).sort((a, b) => a - b));
    }
  }

  it('membersOf splits documents as PostgreSQL prints them', async () => {
    await fc.assert(
      fc.asyncProperty(documents, async (document) => {
        const { rows: printed } = await client.query<{ text: string }>('SELECT $1::jsonb::text AS text', [
          jsonbText(document),
        ]);
        const text = printed[0]?.text ?? '';
        const members = membersOf(text);
        expect(documentOf(members)).toBe(text);
        const parsed = JSON.parse(text) as Record<string, unknown>;
        expect(new Map([...members].map(([key, value]) => [JSON.parse(key), JSON.parse(value)]))).toEqual(
          new Map(Object.entries(parsed)),
        );
      }),
      { numRuns: 300 },
    );
  });
});
