import type { QueryRunner } from 'typeorm';
import { quoted, rowsOf } from './stored-tables';

/** Ends what is checked and kept for each row; the statements make it anew, of all rows at once. */
export async function setAside(runner: QueryRunner): Promise<string[]> {
  const keys = await rowsOf<{ table: string; name: string; definition: string }>(
    runner,
    `SELECT t.relname::text AS table, k.conname::text AS name, pg_get_constraintdef(k.oid) AS definition
    FROM pg_constraint k JOIN pg_class t ON t.oid = k.conrelid
    WHERE k.contype = 'f' AND t.relnamespace = current_schema()::regnamespace ORDER BY k.oid`,
  );
  // An index that a constraint is made of stays: rows that break it are to be refused where they come.
  const indexes = await rowsOf<{ name: string; definition: string }>(
    runner,
    `SELECT i.relname::text AS name, pg_get_indexdef(i.oid) AS definition
    FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
    WHERE i.relnamespace = current_schema()::regnamespace
      AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.oid AND k.contype IN ('p', 'u', 'x'))
    ORDER BY i.oid`,
  );
  for (const { table, name } of keys)
    await runner.query(`ALTER TABLE ${quoted(table)} DROP CONSTRAINT ${quoted(name)}`);
  for (const { name } of indexes) await runner.query(`DROP INDEX ${quoted(name)}`);
  return [
    ...indexes.map(({ definition }) => definition),
    ...keys.map(
      ({ table, name, definition }) =>
        `ALTER TABLE ${quoted(table)} ADD CONSTRAINT ${quoted(name)} ${definition}`,
    ),
  ];
}
