import { NO_VALUE_HASH, valueHash } from './resource-sql';
import { raw, sql, type Sql } from './sql';
import type { Transaction } from './transaction';

/** A longer text or number is not stored: an entry of an index has at most 2,704 bytes, with the key. */
const MAX_CHARACTERS = raw('256');

/**
 * The scalars in documents, as rows of `project_id`, `key` and `scalar`.
 * @param documents a query for `project_id` and `variables`
 */
export const scalarsIn = (documents: Sql): Sql => sql`
  SELECT d.project_id, e.key, e.value AS scalar FROM (${documents}) d CROSS JOIN LATERAL jsonb_each(d.variables) e
  WHERE jsonb_typeof(e.value) NOT IN ('array', 'object')`;

/** Scalars as distinct rows of `variable_values`. @param scalars a query for `project_id`, `key` and `scalar` as `jsonb` */
export const valueRows = (scalars: Sql): Sql => sql`
  SELECT s.project_id, s.value_hash, s.key, s.is_long,
    CASE WHEN s.type = 'number' AND NOT s.is_long THEN s.value::numeric END AS number,
    CASE WHEN s.type = 'string' AND NOT s.is_long THEN s.value END AS text
  FROM (
    SELECT d.project_id, d.key COLLATE "C" AS key, ${valueHash(sql`d.key`, sql`d.scalar`)} AS value_hash,
      jsonb_typeof(d.scalar) AS type, d.scalar #>> '{}' AS value,
      COALESCE(char_length(d.scalar #>> '{}') > ${MAX_CHARACTERS}, false) AS is_long
    FROM (SELECT DISTINCT v.project_id, v.key, v.scalar FROM (${scalars}) v) d
  ) s WHERE s.value_hash <> ${NO_VALUE_HASH}`;

/**
 * A statement that inserts the values that `variable_values` lacks. It waits for no other change: two that run at the same
 * time can both insert a value. Each value is looked up in the index, whatever the planner knows of the table.
 * @param scalars a query for `project_id`, `key` and `scalar` as `jsonb`
 * @param project the project of the rows, if all have the same
 */
export const insertValues = (scalars: Sql, project = sql`n.project_id`): Sql => sql`
  INSERT INTO variable_values (project_id, value_hash, key, is_long, number, text)
  SELECT n.* FROM (${valueRows(scalars)}) n
  WHERE NOT EXISTS (SELECT FROM variable_values v
    WHERE v.project_id = ${project} AND v.key = n.key AND v.value_hash = n.value_hash AND v.is_long = n.is_long
      -- Different values can have the same hash.
      AND v.number IS NOT DISTINCT FROM n.number AND v.text IS NOT DISTINCT FROM n.text
    OFFSET 0)
  -- Entries that follow each other in the indexes are inserted in a third less time.
  ORDER BY n.key, n.text COLLATE "C", n.number`;

/** Deletes the values of a project that is deleted. */
export async function deleteValues(tx: Transaction, projectId: string): Promise<void> {
  await tx.execute(sql`DELETE FROM variable_values WHERE project_id = ${projectId}`);
}
