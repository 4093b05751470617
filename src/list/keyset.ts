import { and, join, raw, sql, type Sql } from '../database/sql';
import type { SortColumn } from '../database/resource-shape';
import type { KeyValues, SortOrder } from './list-request';

/** `ORDER BY` over the columns of `t`. PostgreSQL sorts nulls last in ascending order and first in descending order. */
export function orderBy(order: SortOrder): Sql {
  const direction = order.descending ? ' DESC' : '';
  return raw(`ORDER BY ${order.keys.map((key) => key.column + direction).join(', ')}`);
}

/** `ORDER BY` over the columns `k0`, `k1`, … of a subquery. */
export function orderByKeys(order: SortOrder, alias: string): Sql {
  const direction = order.descending ? ' DESC' : '';
  return raw(`ORDER BY ${order.keys.map((_, i) => `${alias}.k${String(i)}${direction}`).join(', ')}`);
}

/** The sort keys of `t` as columns `k0`, `k1`, …; as text if they are read back to serve as a marker. */
export function keyColumns(order: SortOrder, as: 'value' | 'text'): Sql {
  const cast = as === 'text' ? '::text' : '';
  return raw(order.keys.map((key, i) => `${key.column}${cast} AS k${String(i)}`).join(', '));
}

export const reversed = (order: SortOrder): SortOrder => ({
  keys: order.keys,
  descending: !order.descending,
});

const keyParameter = (key: SortColumn, text: string): Sql => sql`${text}::${raw(key.type)}`;

/**
 * Disjoint conditions for the rows after a marker. If no key is nullable, this is one row comparison. Otherwise there
 * is one condition for each run of rows at which an index scan can start. A single `(a, b) > (x, y) OR …` would be read
 * from the start of the list, and a late page would cost more than an early one.
 */
export function after(order: SortOrder, marker: KeyValues): Sql[] {
  const { keys, descending } = order;
  const operator = raw(descending ? '<' : '>');
  if (keys.every((key) => !key.nullable)) {
    const columns = raw(keys.map((key) => key.column).join(', '));
    const values = join(keys.map((key, i) => keyParameter(key, marker[i] ?? '')));
    return [sql`(${columns}) ${operator} (${values})`];
  }
  const runs: Sql[] = [];
  for (let i = keys.length - 1; i >= 0; i--) {
    const equal = keys.slice(0, i).map((key, j) => keyEquals(key, marker[j] ?? null));
    for (const following of keyFollows(keys[i] as SortColumn, marker[i] ?? null, descending))
      runs.push(and([...equal, following]));
  }
  return runs;
}

function keyEquals(key: SortColumn, marker: string | null): Sql {
  const column = raw(key.column);
  return marker === null ? sql`${column} IS NULL` : sql`${column} = ${keyParameter(key, marker)}`;
}

/** Conditions for a key after the marker's, one for each run of rows. */
function keyFollows(key: SortColumn, marker: string | null, descending: boolean): Sql[] {
  const column = raw(key.column);
  if (descending)
    return [marker === null ? sql`${column} IS NOT NULL` : sql`${column} < ${keyParameter(key, marker)}`];
  if (marker === null) return [];
  const greater = sql`${column} > ${keyParameter(key, marker)}`;
  return key.nullable ? [greater, sql`${column} IS NULL`] : [greater];
}
