import type { Client } from 'pg';

/** The statements that drop and re-create an index or a constraint. */
interface Removable {
  readonly drop: string;
  readonly create: string;
}

/**
 * Runs the work without the tables' indexes, and creates them afterwards: for millions of rows this is much faster than
 * updating them. It does not drop keys that foreign keys refer to.
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
