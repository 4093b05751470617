import { NO_VALUE_HASH, valueHash } from '../../database/resource-sql';
import { sql, type Sql } from '../../database/sql';
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
 * Whether all own values of a key are scalars, as an expression. With `=`, the planner would drop ORDER BY as redundant, and could
 * choose a sequential scan in the hope of an early match. BETWEEN keeps it.
 */
export const hasScalarsOnly = (key: string | Sql, { project, kind }: Owners): Sql =>
  sql`(SELECT true FROM variable_correlations v WHERE v.project_id = ${project} AND v.key = ${key}
      AND v.object_type BETWEEN ${constant(kind)} AND ${constant(kind)} AND v.value_hash = ${NO_VALUE_HASH}
      ORDER BY v.object_type LIMIT 1) IS NULL`;
