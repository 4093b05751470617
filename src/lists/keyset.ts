import { and, join, raw, sql, type Sql } from '../database/sql';
import { timestampText, type SortColumn } from '../database/resource-mapping';

/** The order of a list. The last key is always the id, so no two rows compare equal. */
export interface SortOrder {
  readonly keys: readonly SortColumn[];
  readonly descending: boolean;
}

/** The sort keys of one row, as texts that the database can read back; null if the column is null. */
export type KeyValues = readonly (string | null)[];

/** What is selected of each row `t` of a page. */
export interface SelectedColumns {
  /** The shown members as one JSON text. Members that are not shown are not computed. */
  readonly body: Sql;
  /** Further columns that the caller needs. */
  readonly columns: Sql;
  /** Joins for the columns, as SQL that follows `FROM … t`. They have one row for each row of `t`, and for one of nulls. */
  readonly joins: Sql;
}

/** One read of a list: `limit` items in an order, after a marker. */
export interface KeysetRead {
  readonly order: SortOrder;
  readonly marker: KeyValues | undefined;
  readonly limit: number;
  /** Absent: the statement reads positions only, and `readRows` the rows. */
  readonly select?: SelectedColumns;
}

/** The position of an item in its list. */
export interface RowPosition {
  readonly projectId: string;
  readonly id: string;
  readonly keys: KeyValues;
  /** What is selected of the item, if the same statement has read it. */
  readonly row?: SelectedRow;
}

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

/** The sort keys of `t` as columns `k0`, `k1`, …; as text if they are read back as `KeyColumns`. */
export function keyColumns(order: SortOrder, as: 'value' | 'text'): Sql {
  const columns = order.keys.map((key) => (as === 'text' ? keyText(key, key.column) : key.column));
  return raw(columns.map((column, i) => `${column} AS k${String(i)}`).join(', '));
}

/** The columns `k0`, `k1`, … of a subquery as text. */
export const keyTexts = (order: SortOrder, alias: string): string[] =>
  order.keys.map((key, i) => keyText(key, `${alias}.k${String(i)}`));

/** The text of a sort key. PostgreSQL reads it back exactly, whatever the time zone of the session is. */
const keyText = ({ type }: SortColumn, value: string): string =>
  type === 'timestamptz' ? `${timestampText(value)} || 'Z'` : `${value}::text`;

/** The sort keys of a row as columns `k0`, `k1`, …. */
export type KeyColumns = Readonly<Record<`k${number}`, string | null>>;

export const keysOfColumns = (order: SortOrder, row: KeyColumns): KeyValues =>
  order.keys.map((_, i) => row[`k${i}`] ?? null);

/** A position as columns. */
export type PositionRow = KeyColumns & { readonly project_id: string; readonly list_id: string };

/** A position with `SelectedColumns` of its item. */
export type SelectedRow = PositionRow & { readonly body: string };

const isSelected = (row: PositionRow): row is SelectedRow => 'body' in row;

/** The columns of a `PositionRow` over a subquery `f`. */
export const positionColumns = ({ order }: KeysetRead): Sql =>
  raw(
    `f.project_id, f.id::text AS list_id, ${keyTexts(order, 'f')
      .map((text, i) => `${text} AS k${String(i)}`)
      .join(', ')}`,
  );

export const toPositions = (read: KeysetRead, rows: readonly PositionRow[]): RowPosition[] =>
  rows.map((row) => ({
    projectId: row.project_id,
    id: row.list_id,
    keys: keysOfColumns(read.order, row),
    ...(isSelected(row) ? { row } : {}),
  }));

export const reverseOrder = (order: SortOrder): SortOrder => ({
  keys: order.keys,
  descending: !order.descending,
});

const keyParameter = (key: SortColumn, text: string): Sql => sql`${text}::${raw(key.type)}`;

/**
 * Disjoint conditions for the rows after a marker. If no key is nullable, this is
 * one row comparison. Otherwise there is one condition for each range of an index: a scan can start at each of them. A single
 * `(a, b) > (x, y) OR …` would be read from the start of the list, and a late page would cost more than an early one.
 */
export function rowsAfter(order: SortOrder, marker: KeyValues): Sql[] {
  const { keys, descending } = order;
  const operator = raw(descending ? '<' : '>');
  if (keys.every((key) => !key.nullable)) {
    const columns = raw(keys.map((key) => key.column).join(', '));
    const values = join(keys.map((key, i) => keyParameter(key, marker[i] ?? '')));
    return [sql`(${columns}) ${operator} (${values})`];
  }
  const ranges: Sql[] = [];
  for (let i = keys.length - 1; i >= 0; i--) {
    const equal = keys.slice(0, i).map((key, j) => keyEquals(key, marker[j] ?? null));
    for (const following of keyFollows(keys[i] as SortColumn, marker[i] ?? null, descending))
      ranges.push(and([...equal, following]));
  }
  return ranges;
}

function keyEquals(key: SortColumn, marker: string | null): Sql {
  const column = raw(key.column);
  return marker === null ? sql`${column} IS NULL` : sql`${column} = ${keyParameter(key, marker)}`;
}

/** Conditions for a key after the marker's, one for each range of an index. */
function keyFollows(key: SortColumn, marker: string | null, descending: boolean): Sql[] {
  const column = raw(key.column);
  if (descending)
    return [marker === null ? sql`${column} IS NOT NULL` : sql`${column} < ${keyParameter(key, marker)}`];
  if (marker === null) return [];
  const greater = sql`${column} > ${keyParameter(key, marker)}`;
  return key.nullable ? [greater, sql`${column} IS NULL`] : [greater];
}

/**
 * A power of two that is not less than the limit, as a second `LIMIT`. PostgreSQL assumes that a `LIMIT` with a parameter
 * returns a tenth of the rows. For a large project that estimate is so high that the statement is planned again for each
 * execution, which costs more than reading a short page.
 */
export const constantLimit = (limit: number): Sql => raw(`LIMIT ${String(2 ** Math.ceil(Math.log2(limit)))}`);
