import type { Client } from 'pg';

/** An index or a constraint, as the statements that take it away and bring it back. */
interface Removable {
  readonly drop: string;
  readonly create: string;
}

/**
 * Does the work without the tables' indexes, and builds them afterwards: of millions of rows that is many times faster
 * than to keep them up to date. Keys that foreign keys refer to stay.
 */
export async function withoutIndexes(
  client: Client,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const { rows } = await client.query<Removable>(REMOVABLE, [tables]);
  for (const { drop } of rows) await client.query(drop);
  await work();
  for (const { create } of rows) await client.query(create);
}

const REMOVABLE = `
  SELECT CASE WHEN c.oid IS NULL THEN format('DROP INDEX %s', i.indexrelid::regclass)
      ELSE format('ALTER TABLE %s DROP CONSTRAINT %I', i.indrelid::regclass, c.conname) END AS "drop",
    CASE WHEN c.oid IS NULL THEN pg_get_indexdef(i.indexrelid)
      ELSE format('ALTER TABLE %s ADD CONSTRAINT %I %s', i.indrelid::regclass, c.conname, pg_get_constraintdef(c.oid))
      END AS "create"
  FROM pg_index i LEFT JOIN pg_constraint c ON c.conindid = i.indexrelid AND c.contype IN ('p', 'u')
  WHERE i.indrelid = ANY($1::regclass[])
    AND NOT EXISTS (SELECT FROM pg_constraint f WHERE f.contype = 'f' AND f.conindid = i.indexrelid)
  ORDER BY i.indexrelid`;
