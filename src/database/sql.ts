import { createHash } from 'node:crypto';
import sql, { join, raw, type Sql, type Value } from 'sql-template-tag';

/**
 * SQL is composed from tagged templates only: interpolated values become parameters, never text.
 * `raw` is for constants of the project, such as table and column names.
 */
export { sql, join, raw, type Sql };

/** The conjunction of conditions. */
export const and = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? sql`true` : join([...conditions], ' AND ');

/** An array as one parameter: `= ANY(${arrayParameter(ids)}::bigint[])` is the same statement for any number of ids. */
export const arrayParameter = (values: readonly (string | number | null)[]): Value => values;

/** PostgreSQL's identifier of the type `text`. */
const TEXT_OID = 25;

/**
 * An array of texts as one parameter of the type `text[]`, in PostgreSQL's binary format. Other arrays are sent as one text,
 * in which each quote and backslash of JSON is escaped, and parsed character by character. For large arrays.
 */
export function textArray(values: readonly (string | null)[]): Value {
  const lengths = values.map((value) => (value === null ? -1 : Buffer.byteLength(value)));
  const bytes = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + 4 + Math.max(length, 0), 20));
  let end = 0;
  const write = (number: number) => (end = bytes.writeInt32BE(number, end));
  // One dimension; whether there are nulls, which is not read; the type; the number of elements, and the index of the first.
  for (const number of [1, 1, TEXT_OID, values.length, 1]) write(number);
  for (const [i, value] of values.entries()) {
    write(lengths[i] ?? -1);
    if (value !== null) end += bytes.write(value, end);
  }
  return bytes;
}

/**
 * An array of integers as one parameter: the text of the array. Of an array such as that of `arrayParameter`, the driver makes this
 * text itself, and quotes and escapes each element. For large arrays.
 */
export const integerArray = (ids: readonly (number | null)[]): Value =>
  `{${ids.map((id) => id ?? 'NULL').join(',')}}`;

/**
 * An array as one parameter whose length the planner does not see. With `arrayParameter`, a plan for short arrays looks
 * cheaper than one for all lengths, so the statement is planned for each execution, which can cost more than to execute
 * it. For statements with the same best plan for all lengths.
 * @param type the type of its elements
 */
export const opaqueArray = (values: readonly (string | number | null)[], type: string): Sql =>
  sql`(SELECT ${arrayParameter(values)}::${raw(type)}[])`;

/** Up to this length, arrays are not padded. */
const MAX_EXACT_LENGTH = 8;

/**
 * An array of ids, for `= ANY(…)`. A short array has one parameter per id, because the planner cannot estimate the
 * length of an array parameter, and would plan the statement for each execution. The last id is repeated up to a power
 * of two, so that there are few different statements.
 */
export function ids(values: readonly number[]): Sql {
  const last = values.at(-1);
  if (last === undefined || values.length > MAX_EXACT_LENGTH) return sql`${arrayParameter(values)}::bigint[]`;
  const length = 2 ** Math.ceil(Math.log2(values.length));
  const padded = Array.from({ length }, (_, i) => values[i] ?? last);
  return sql`ARRAY[${join(padded)}]::bigint[]`;
}

/** Connections are closed at this age, and with them the statements that they have prepared. */
export const CONNECTION_LIFETIME_SECONDS = 3600;

/** The maximum number of statements that are prepared per connection in its lifetime. Each takes up to 0.1 MB of the server. */
const MAX_STATEMENT_NAMES = 500;

interface StatementName {
  readonly name: string;
  /** In milliseconds. */
  readonly usedAt: number;
}

/** The names of texts, those that were used last at the end. */
const NAMES = new Map<string, StatementName>();

/**
 * The name of the prepared statement of a connection. There are few different statements, because lists are passed as
 * arrays. Beyond the maximum, for example with many combinations of `fields`, a text replaces one that was not used for so long
 * that no connection has it any more. If all were used since, the statement is not prepared: so memory is bounded.
 */
export function statementName(text: string, now = Date.now()): string | undefined {
  const known = NAMES.get(text);
  const lifetime = CONNECTION_LIFETIME_SECONDS * 1000;
  if (known === undefined && NAMES.size >= MAX_STATEMENT_NAMES) {
    const [oldest] = NAMES;
    if (oldest === undefined || now - oldest[1].usedAt < 2 * lifetime) return undefined;
    NAMES.delete(oldest[0]);
  }
  const name = known?.name ?? createHash('sha1').update(text).digest('hex');
  // The order and the time are exact enough if they are a little late.
  if (known === undefined || now - known.usedAt > lifetime / 10) {
    NAMES.delete(text);
    NAMES.set(text, { name, usedAt: now });
  }
  return name;
}
