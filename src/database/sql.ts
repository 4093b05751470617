import { createHash } from 'node:crypto';
import sql, { join, raw, type Sql, type Value } from 'sql-template-tag';

/**
 * SQL is composed from tagged templates only: what is interpolated becomes a parameter, never text.
 * `raw` is for the project's own constants (table and column names from its shapes).
 */
export { sql, join, raw, type Sql };

/** All hold. */
export const and = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? sql`true` : join([...conditions], ' AND ');

/** An array as one parameter: `= ANY(${list(ids)}::bigint[])` is one statement, however many ids there are. */
export const list = (values: readonly (string | number | null)[]): Value => values;

/** Up to this length, arrays are not padded. */
const MAX_EXACT_LENGTH = 8;

/**
 * An array of ids, for `= ANY(…)`. Of a few the planner is told how many there are: of an array that is one parameter
 * it would not know, and then it plans the statement anew each time. Their number is rounded up by naming the last one
 * again, so that there are few statements.
 */
export function ids(values: readonly number[]): Sql {
  const last = values.at(-1);
  if (last === undefined || values.length > MAX_EXACT_LENGTH) return sql`${list(values)}::bigint[]`;
  const length = 2 ** Math.ceil(Math.log2(values.length));
  const padded = Array.from({ length }, (_, place) => values[place] ?? last);
  return sql`ARRAY[${join(padded)}]::bigint[]`;
}

const NAMES = new Map<string, string>();
const MAX_STATEMENT_NAMES = 500;

/**
 * The name under which a statement is prepared once per connection. Statements are few, because lists are passed
 * as arrays; past a bound (somebody tries every combination of `fields`) they go unprepared, so that no memory grows.
 */
export function statementName(text: string): string | undefined {
  let name = NAMES.get(text);
  if (name === undefined && NAMES.size < MAX_STATEMENT_NAMES) {
    name = createHash('sha1').update(text).digest('hex');
    NAMES.set(text, name);
  }
  return name;
}
