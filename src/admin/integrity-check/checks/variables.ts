import { valueHash } from '../../../database/resource-sql';
import { sql } from '../../../database/sql';
import { scalarsIn, valueRows } from '../../../database/variable-values';
import { type Check, documents } from '../check';

/**
 * Compares, for each variable, the owner's document, the correlation with the change that set it and with the hash of a
 * scalar value, and the last change record of it. Values are compared by their digests, which need less space for sorting.
 */
export const variables: Check = {
  name: 'variables',
  invariant: 'documents, correlations and change records agree on keys, values, hashes and last changes',
  counted: sql`SELECT count(*) AS count FROM (${documents}) o, jsonb_object_keys(o.variables)`,
  faults: sql`
    WITH document AS (
      SELECT o.project_id, o.kind, o.id, e.key COLLATE "C" AS key, sha256(convert_to(e.value::text, 'UTF8')) AS value,
        ${valueHash(sql`e.key`, sql`CASE WHEN jsonb_typeof(e.value) NOT IN ('array', 'object') THEN e.value END`)} AS hash
      FROM (${documents}) o, jsonb_each(o.variables) e
    ), last_change AS (
      SELECT DISTINCT ON (c.project_id, c.kind, c.object_id, e.key COLLATE "C")
        c.project_id, c.kind, c.object_id AS id, e.key COLLATE "C" AS key, c.change_id,
        sha256(convert_to((e.value -> 'after')::text, 'UTF8')) AS value
      FROM change_objects c, jsonb_each(c.variables) e WHERE c.variables <> '{}'
      ORDER BY c.project_id, c.kind, c.object_id, e.key COLLATE "C", c.change_id DESC
    ), compared AS (
      SELECT COALESCE(d.project_id, v.project_id, l.project_id) AS project_id, COALESCE(d.kind, v.object_type, l.kind) AS kind,
        COALESCE(d.id, v.object_id, l.id) AS id, to_json(COALESCE(d.key, v.key, l.key)) AS key,
        d.key IS NOT NULL AS is_set, d.value, v.change_id AS correlated, l.change_id AS changed, l.value AS recorded,
        v.value_hash IS NOT DISTINCT FROM d.hash AS is_hashed
      FROM document d
      FULL JOIN variable_correlations v ON v.project_id = d.project_id AND v.object_type = d.kind AND v.object_id = d.id
        AND v.key = d.key
      FULL JOIN last_change l ON l.project_id = COALESCE(d.project_id, v.project_id)
        AND l.kind = COALESCE(d.kind, v.object_type) AND l.id = COALESCE(d.id, v.object_id) AND l.key = COALESCE(d.key, v.key)
    )
    SELECT project_id, kind, id, CASE
      WHEN is_set AND correlated IS NULL THEN format('the variable %s is set, but correlated with no change', key)
      WHEN is_set AND changed IS NULL THEN format('the variable %s is set, but no change record set it', key)
      WHEN is_set AND recorded IS NULL THEN format('the variable %s is set, but the change %s removed it', key, changed)
      WHEN is_set AND recorded <> value THEN format('the variable %s has another value than the change %s set', key, changed)
      WHEN is_set AND correlated <> changed
        THEN format('the variable %s is correlated with the change %s, but the change %s was the last to set it',
          key, correlated, changed)
      WHEN is_set THEN format('the variable %s is correlated with the hash of another value', key)
      WHEN correlated IS NOT NULL THEN format('the variable %s is correlated with the change %s, but not set', key, correlated)
      ELSE format('the variable %s is not set, but the change %s set it', key, changed) END AS problem
    FROM compared WHERE CASE
      WHEN is_set THEN correlated IS NULL OR changed IS NULL OR recorded IS NULL OR recorded <> value OR correlated <> changed
        OR NOT is_hashed
      ELSE correlated IS NOT NULL OR recorded IS NOT NULL END`,
};

/** The table can have values that nothing has any more, or the same value twice. */
export const values: Check = {
  name: 'values',
  invariant: 'the table of values has each scalar that a variable has',
  counted: sql`SELECT count(*) AS count FROM variable_correlations WHERE value_hash <> 0`,
  faults: sql`
    SELECT m.project_id, 'variable_values' AS kind, NULL::bigint AS id,
      format('a value of the variable %s is missing', to_json(m.key)) AS problem
    FROM (
      SELECT n.project_id, n.value_hash, n.key, n.is_long, n.number, n.text FROM (${valueRows(scalarsIn(documents))}) n
      EXCEPT SELECT v.project_id, v.value_hash, v.key, v.is_long, v.number, v.text FROM variable_values v
    ) m`,
};
