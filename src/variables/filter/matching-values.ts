import { containsFolded, foldOnce, valueHash } from '../../database/resource-sql';
import { join, opaqueArray, raw, sql, type Sql } from '../../database/sql';
import { prefixRange } from '../../lists/list-filter';
import { isInNaturalOrder } from './document-test';
import { isWholeValue, type VariableFilter } from './variable-filter';

/**
 * The hashes of the scalar values of a key that meet a filter, and of others that were too long to be stored, as a query for
 * `value_hash`, which has a hash several times. Each index is read in its own order, so that the planner takes it, and no
 * further than the limit. Values that no resource has any more are among them. The part of a text is folded once, in a query
 * of its own, and not for each value.
 * @param project its id, as an expression
 * @returns undefined for an equality, and if the filter does not compare a whole value: it looks into values, or asks whether
 *   there is one
 */
export function matchingValues(filter: VariableFilter, project: Sql, limit: number): Sql | undefined {
  if (!isWholeValue(filter)) return undefined;
  const { key, predicate } = filter;
  // `(SELECT $1)` hides the value from the planner, so that it keeps the generic plan.
  const first = (condition: Sql, order: string) => sql`(SELECT w.value_hash FROM variable_values w
    WHERE w.project_id = ${project} AND w.key = (SELECT ${key}::text) AND ${condition} ORDER BY w.${raw(order)} LIMIT ${raw(String(limit))})`;
  const orLong = (texts: Sql) => join([texts, first(sql`w.is_long`, 'key')], ' UNION ALL ');
  const hashOf = (value: Sql) => valueHash(sql`${key}::text`, value);
  switch (predicate.operator) {
    case '=': // See `hasValue`.
    case 'exists':
    case 'missing':
      return undefined;
    case 'in':
      return sql`SELECT ${hashOf(sql`i.value`)} AS value_hash FROM unnest(${opaqueArray(predicate.values, 'jsonb')}) AS i (value)`;
    case '!=': {
      // Not all values with the hash: 5 and -5 have the same one.
      const isOther = sql`(w.value_hash <> ${hashOf(sql`${predicate.value}::jsonb`)} OR w.is_long
        OR w.number IS DISTINCT FROM ${numberOf(predicate.value)}::numeric OR w.text IS DISTINCT FROM ${storedTextOf(predicate.value)}::text)`;
      return first(isOther, 'value_hash');
    }
    case '^=': {
      const prefix = textOf(predicate.value);
      // The index is in the order of folds. Only PostgreSQL folds letters beyond ASCII.
      const [head = ''] = /^\p{ASCII}*/u.exec(prefix) ?? [];
      const range = prefixRange(sql`w.folded`, head.toLowerCase());
      return orLong(first(sql`${range} AND starts_with(w.text, ${prefix})`, 'folded'));
    }
    case '~=':
      return orLong(first(containsFolded(sql`w.folded`, foldOnce(textOf(predicate.value))), 'folded'));
    case '<':
    case '<=':
    case '>':
    case '>=': {
      const { operator, value } = predicate;
      return value.startsWith('"')
        ? orLong(first(isInNaturalOrder(sql`w.text`, operator, sql`(SELECT ${textOf(value)}::text)`), 'text'))
        : orLong(first(sql`w.number ${raw(operator)} (SELECT ${value}::numeric)`, 'number'));
    }
  }
}

const textOf = (json: string): string => JSON.parse(json) as string;

/** The number or text of a JSON scalar; null if it is of another type. */
const storedTextOf = (json: string): string | null => (json.startsWith('"') ? textOf(json) : null);
const numberOf = (json: string): string | null => (/^[-\d]/.test(json) ? json : null);
