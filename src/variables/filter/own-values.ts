import { NO_VALUE_HASH, valueHash } from '../../database/resource-sql';
import { raw, sql, type Sql } from '../../database/sql';
import { ESTIMATE_SAMPLE_IDS } from '../../lists/tuning';
import { constant } from '../key-levels';
import { expectedWholeValue, type VariableFilter } from './variable-filter';

/** The resources of one kind in a project. */
interface Owners {
  /** Its id, or an expression for it. */
  readonly project: string | Sql;
  readonly kind: string;
}

/**
 * Whether a row of `variable_correlations v` has the value of a filter, by its hash, so that the index of hashes is read in the
 * order of ids. No condition for the key: the planner could take another index with it. The hash contains the key.
 * @returns undefined if the filter does not compare a whole value with one scalar
 */
export function hasValue(filter: VariableFilter, { project, kind }: Owners): Sql | undefined {
  const value = expectedWholeValue(filter);
  return value === undefined
    ? undefined
    : sql`v.project_id = ${project} AND v.object_type = ${constant(kind)}
    AND v.value_hash <> ${NO_VALUE_HASH} AND v.value_hash = ${valueHash(sql`${filter.key}::text`, sql`${value}::jsonb`)}`;
}

/**
 * An estimate of how many resources have an own value: the farther the first of them are from each other, compared with all ids
 * that have the key, the fewer. So values that only a range of ids has are overestimated.
 * @param key its key, as an expression
 * @param hash of the value, as an expression
 */
export function estimateOwners(key: Sql, hash: Sql, { project, kind }: Owners): Sql {
  const ofKind = sql`v.project_id = ${project} AND v.object_type = ${constant(kind)}`;
  const end = (direction: 'ASC' | 'DESC') => sql`(SELECT v.object_id FROM variable_correlations v
    WHERE ${ofKind} AND v.key = ${key} ORDER BY v.object_id ${raw(direction)} LIMIT 1)`;
  const size = raw(String(ESTIMATE_SAMPLE_IDS));
  return sql`(SELECT CASE WHEN count(*) < ${size} THEN count(*)
      ELSE ${size} * (${end('DESC')} - ${end('ASC')}) / (max(s.id) - min(s.id)) END
    FROM (SELECT v.object_id AS id FROM variable_correlations v
      WHERE ${ofKind} AND v.value_hash <> ${NO_VALUE_HASH} AND v.value_hash = ${hash} ORDER BY v.object_id LIMIT ${size}) s)`;
}

/**
 * Whether all own values of a key are scalars, as an expression. With `=`, the planner would drop ORDER BY as redundant, and could
 * choose a sequential scan in the hope of an early match. BETWEEN keeps it.
 */
export const hasScalarsOnly = (key: string | Sql, { project, kind }: Owners): Sql =>
  sql`(SELECT true FROM variable_correlations v WHERE v.project_id = ${project} AND v.key = ${key}
      AND v.object_type BETWEEN ${constant(kind)} AND ${constant(kind)} AND v.value_hash = ${NO_VALUE_HASH}
      ORDER BY v.object_type LIMIT 1) IS NULL`;
