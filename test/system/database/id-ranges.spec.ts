import { Client } from 'pg';
import { sql } from '../../../src/database/sql';
import { blocksToRead, type IdRange, nextRanges } from '../../../src/lists/id-ranges';
import { rangesAfterScan } from '../../../src/lists/scan-statement';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { orders } from '../../unit/lists/a-list';

const BLOCK = 4096;
const [MIN, WIDTH, LIMIT] = [3, 1055, 31];

describe('the ranges of ids after a scan', () => {
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

  it.each([
    ['no match is known', 'id', 5 * BLOCK + 17, 9_000 * BLOCK, 0],
    ['matches are rare', 'id', 0, 9_000 * BLOCK, 1],
    ['the page is nearly full', 'id', BLOCK - 1, 9_000 * BLOCK, 30],
    ['the last id is near', 'id', 7 * BLOCK, 8 * BLOCK + 1, 1],
    ['the last id is in the same block', 'id', 7, 8, 0],
    ['no match is known', 'id, backwards', 9_000 * BLOCK + 17, 0, 0],
    ['matches are rare', 'id, backwards', 9_000 * BLOCK - 1, 0, 1],
    ['the last id is near', 'id, backwards', 9 * BLOCK, 8 * BLOCK + 5, 1],
  ] as const)(
    'are the same of the statement and of later reads: if %s, by %s',
    async (_, order, end, last, found) => {
      const read = { order: orders[order], marker: undefined, limit: LIMIT };
      const { text, values } = sql`WITH scan_matches AS (SELECT generate_series(1, ${found}::integer)),
        scan_end AS (SELECT ${end}::bigint AS id), last_row AS (SELECT ${last}::bigint AS id)
      SELECT low::integer, high::integer FROM (${rangesAfterScan(read, MIN, WIDTH)}) r`;
      const { rows } = await client.query<IdRange>(text, values);
      const blocks = blocksToRead(MIN, found, WIDTH, LIMIT - found);
      expect(rows).toEqual(nextRanges({ ...read, marker: [String(end)] }, String(last), blocks));
    },
  );
});
