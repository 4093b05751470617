import { NO_VALUE_HASH, valueHash } from './resource-sql';
import { arrayParameter, raw, sql, type Sql } from './sql';
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
 * time can both insert a value. It waits for `deleteUnusedValues`. Each value is looked up in the index, whatever the planner knows of the table.
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

/** The hash of a value of a key. Different values can have the same hash. */
export interface HashedValue {
  readonly project_id: string;
  readonly key: string;
  /** As text: JavaScript has no such large numbers. */
  readonly value_hash: string;
}

/** Whether no resource of these kinds has a value with the hash of `v`. Each is looked up in the index. */
const isUnused = (kinds: readonly string[]): Sql => sql`NOT EXISTS (SELECT FROM variable_correlations c
  WHERE c.project_id = v.project_id AND c.object_type = ANY(${arrayParameter(kinds)}::text[])
    AND c.value_hash = v.value_hash AND c.value_hash <> ${NO_VALUE_HASH} AND c.key = v.key OFFSET 0)`;

/**
 * A query for the next hashes in the order of an index, each once, and whether their values are unused.
 * @param kinds the kinds of resources with variables
 * @param after the last hash that was read
 */
export const hashesAfter = (
  kinds: readonly string[],
  { project_id, key, value_hash }: HashedValue,
  limit: number,
): Sql => sql`
  SELECT v.project_id, v.key, v.value_hash::text, ${isUnused(kinds)} AS is_unused FROM (
    SELECT DISTINCT w.project_id, w.key, w.value_hash FROM variable_values w
    WHERE (w.project_id, w.key, w.value_hash) > (${project_id}::uuid, ${key}::text, ${value_hash}::bigint)
    ORDER BY w.project_id, w.key, w.value_hash LIMIT ${limit}
  ) v ORDER BY v.project_id, v.key, v.value_hash`;

/** Less than any hash. */
export const FIRST_HASH: HashedValue = {
  project_id: '00000000-0000-0000-0000-000000000000',
  key: '',
  value_hash: '0',
};

/**
 * Statements that delete those of the values that are unused, in this order in one transaction.
 *
 * A change that sets a value inserts it only if it does not find it, so it must not find one that is deleted. The lock waits
 * for all changes that have looked for values, and keeps others from looking: PostgreSQL locks the table of an `INSERT`
 * before it takes the snapshot of the statement. Readers do not wait. Changes do, behind a lock that waits, too: hence the
 * timeout, which is shorter than `deadlock_timeout`, so that no autovacuum is canceled.
 */
export const deleteUnusedValues = (
  kinds: readonly string[],
  values: readonly HashedValue[],
): readonly [timeout: Sql, lock: Sql, deletion: Sql] => [
  sql`SELECT set_config('lock_timeout', '200ms', true)`,
  sql`LOCK TABLE variable_values IN SHARE ROW EXCLUSIVE MODE`,
  sql`DELETE FROM variable_values v USING unnest(
      ${arrayParameter(values.map(({ project_id }) => project_id))}::uuid[],
      ${arrayParameter(values.map(({ key }) => key))}::text[],
      ${arrayParameter(values.map(({ value_hash }) => value_hash))}::bigint[]) AS u (project_id, key, value_hash)
    WHERE v.project_id = u.project_id AND v.key = u.key AND v.value_hash = u.value_hash AND ${isUnused(kinds)}`,
];

/** The types of the values that resources have in a variable. */
export interface TypesOfKey {
  readonly [column: string]: unknown;
  readonly key: string;
  readonly has_texts: boolean;
  readonly has_numbers: boolean;
  readonly has_booleans: boolean;
  /** Whether some are lists or objects. */
  readonly has_arrays_or_objects: boolean;
}

/** How many values of a type are looked at: unused ones stay in the table until they are deleted, and there can be any number of them. */
const MAX_LOOKED_AT = raw('1000');

/**
 * A query for the types of the values that resources of these kinds have in variables, without reading the resources. Texts and
 * numbers of more than 256 characters do not count, and of each type only the first 1,000 values do. They are read in the order of
 * their index: without it, the planner chooses a sequential scan, which reads the values of all keys if a key has none of a type.
 */
export const typesOfKeys = (projectId: string, kinds: readonly string[], keys: readonly string[]): Sql => {
  const isUsed = (hash: Sql) => sql`EXISTS (SELECT FROM variable_correlations c
    WHERE c.project_id = ${projectId} AND c.object_type = ANY(${arrayParameter(kinds)}::text[])
      AND c.value_hash = ${hash} AND c.value_hash <> ${NO_VALUE_HASH} AND c.key = k.key OFFSET 0)`;
  const has = (column: string) => sql`EXISTS (SELECT FROM (
      SELECT w.value_hash FROM variable_values w
      WHERE w.project_id = ${projectId} AND w.key = k.key AND ${raw(column)} IS NOT NULL
      ORDER BY ${raw(column)} LIMIT ${MAX_LOOKED_AT}) v
    WHERE ${isUsed(sql`v.value_hash`)})`;
  const isSet = (value: string) => isUsed(valueHash(sql`k.key`, sql`${value}::jsonb`));
  return sql`SELECT k.key, ${has('w.text')} AS has_texts, ${has('w.number')} AS has_numbers,
      ${isSet('true')} OR ${isSet('false')} AS has_booleans,
      EXISTS (SELECT FROM variable_correlations c WHERE c.project_id = ${projectId} AND c.key = k.key
        AND c.object_type = ANY(${arrayParameter(kinds)}::text[]) AND c.value_hash = ${NO_VALUE_HASH} OFFSET 0) AS has_arrays_or_objects
    FROM unnest(${arrayParameter(keys)}::text[]) AS k (key)`;
};
