import { and, join, raw, sql, type Sql } from '../database/sql';
import type { SortColumn } from '../database/resource-shape';

/** The order of a list. The last key is always the id, so that no two rows compare equal. */
export interface SortOrder {
  readonly keys: readonly SortColumn[];
  readonly descending: boolean;
}

/** The sort keys of one row, as texts that the database reads back; null where the column is. */
export type KeyValues = readonly (string | null)[];

/** `ORDER BY` over columns of `t`. Nulls stand where PostgreSQL puts them: last ascending, first descending. */
export function orderBy(order: SortOrder): Sql {
  const direction = order.descending ? ' DESC' : '';
  return raw(`ORDER BY ${order.keys.map((key) => key.column + direction).join(', ')}`);
}

/** The same over the columns `k0`, `k1`, … of a subquery. */
export function orderByKeys(order: SortOrder, alias: string): Sql {
  const direction = order.descending ? ' DESC' : '';
  return raw(`ORDER BY ${order.keys.map((_, i) => `${alias}.k${String(i)}${direction}`).join(', ')}`);
}

/** The sort keys of `t` as columns `k0`, `k1`, …; as text where they are to come back as a marker. */
export function keyColumns(order: SortOrder, as: 'value' | 'text'): Sql {
  const cast = as === 'text' ? '::text' : '';
  return raw(order.keys.map((key, i) => `${key.column}${cast} AS k${String(i)}`).join(', '));
}

export const reversed = (order: SortOrder): SortOrder => ({
  keys: order.keys,
  descending: !order.descending,
});

const value = (key: SortColumn, text: string): Sql => sql`${text}::${raw(key.type)}`;

/**
 * Conditions for the rows after a marker, in this order, without overlap. One row comparison where no key can be
 * null; else one condition for each run of rows that an index can be entered at, because `(a, b) > (x, y) OR …`
 * would be read from the list's beginning, and a late page would cost more than an early one.
 */
export function after(order: SortOrder, marker: KeyValues): Sql[] {
  const { keys, descending } = order;
  const beyond = raw(descending ? '<' : '>');
  if (keys.every((key) => !key.nullable)) {
    const columns = raw(keys.map((key) => key.column).join(', '));
    const values = join(keys.map((key, i) => value(key, marker[i] ?? '')));
    return [sql`(${columns}) ${beyond} (${values})`];
  }
  const runs: Sql[] = [];
  for (let i = keys.length - 1; i >= 0; i--) {
    const equal = keys.slice(0, i).map((key, j) => equals(key, marker[j] ?? null));
    for (const further of furtherAlong(keys[i] as SortColumn, marker[i] ?? null, descending))
      runs.push(and([...equal, further]));
  }
  return runs;
}

function equals(key: SortColumn, marker: string | null): Sql {
  const column = raw(key.column);
  return marker === null ? sql`${column} IS NULL` : sql`${column} = ${value(key, marker)}`;
}

function furtherAlong(key: SortColumn, marker: string | null, descending: boolean): Sql[] {
  const column = raw(key.column);
  if (descending)
    return [marker === null ? sql`${column} IS NOT NULL` : sql`${column} < ${value(key, marker)}`];
  if (marker === null) return [];
  const greater = sql`${column} > ${value(key, marker)}`;
  return key.nullable ? [greater, sql`${column} IS NULL`] : [greater];
}
