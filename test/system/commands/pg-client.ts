import { createHash } from 'node:crypto';
import { Client } from 'pg';

/** How to reach a database: by URL, or by the driver's options. */
export type Reached = string | { host: string; port: number; user: string; database: string };

/** Runs `work` on a new connection. */
export async function withClient<T>(to: Reached, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(typeof to === 'string' ? { connectionString: to } : to);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The names of the tables in the database. */
export const tablesOf = async (client: Client): Promise<string[]> =>
  (
    await client.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
    )
  ).rows.map(({ name }) => name);

/** The row count and a hash of all rows, for each table. */
export async function contentOf(to: Reached): Promise<Record<string, string>> {
  return withClient(to, async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    const content: Record<string, string> = {};
    for (const table of await tablesOf(client)) {
      if (table === 'migrations') continue;
      const { rows } = await client.query<{ row: string }>(
        `SELECT t::text AS row FROM ${table} t ORDER BY t::text COLLATE "C"`,
      );
      const hash = createHash('sha256');
      for (const { row } of rows) hash.update(`${row}\n`);
      content[table] = `${String(rows.length)} rows, ${hash.digest('hex')}`;
    }
    return content;
  });
}

/** Columns, constraints, indexes and privileges. */
export const schemaOf = (to: Reached): Promise<string[]> =>
  withClient(to, async (client) => {
    const { rows } = await client.query<{ line: string }>(`
      SELECT format('column %s.%s %s %s %s %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
        a.attidentity::text || a.attgenerated::text, pg_get_expr(d.adbin, d.adrelid)) AS line
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
      UNION ALL SELECT format('constraint %s.%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated)
      FROM pg_constraint WHERE connamespace = 'public'::regnamespace
      UNION ALL SELECT format('index %s %s', pg_get_indexdef(indexrelid), indisvalid)
      FROM pg_index JOIN pg_class i ON i.oid = indexrelid WHERE i.relnamespace = 'public'::regnamespace
      UNION ALL SELECT format('rights %s %s', c.relname, (
        SELECT string_agg(format('%s:%s:%s', a.grantee::regrole, a.privilege_type, a.is_grantable), ',' ORDER BY 1)
        FROM aclexplode(c.relacl) a))
      FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'S')
      UNION ALL SELECT format('rights %s.%s %s', c.relname, t.attname, t.attacl)
      FROM pg_class c JOIN pg_attribute t ON t.attrelid = c.oid
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND t.attacl IS NOT NULL
    `);
    return rows.map(({ line }) => line).toSorted();
  });
