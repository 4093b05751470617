import type { PlanMode } from '../database/database';
import type { ListedProjects } from '../database/deleted-resources';
import { from, inSameProject, inScope, lookUp, ofKind } from '../database/resource-sql';
import { and, arrayParameter, join, opaqueArray, raw, sql, type Sql } from '../database/sql';
import {
  constantLimit,
  type KeysetRead,
  keyColumns,
  keyTexts,
  type KeyValues,
  orderBy,
  orderByKeys,
  positionColumns,
  type PositionRow,
  type RowPosition,
  rowsAfter,
} from './keyset';
import type { List } from './list';
import type { DirectPlan, QueryPlan } from './list-plan';
import { singleScan, unionStatement } from './source-statements';
import type { SourceUnion } from './source-union';

/** A statement, and how it is planned: the arguments of `Queryable.rows`. */
export type Statement = readonly [statement: Sql, planning: PlanMode];

/** The columns of each row of a page that describe the page. */
export interface PageColumns {
  /** The position before the previous page. */
  readonly previous_keys: KeyValues | null;
  /** Whether the marker of the page is an item that the caller may see. Other markers than ids need no item. */
  readonly marker_visible: boolean;
  /** Whether the rows are not complete. Only of plans with a fallback. */
  readonly is_incomplete?: boolean;
}

/**
 * The selected columns of the items of a read, `PageColumns`, and `KeyColumns` unless the id is the only key. With a fallback,
 * an empty page has one row with nulls, and so has one that is incomplete.
 * @param previous the backward read that ends before the previous page
 */
export function pageStatement(
  { list, rows, mode, fallback }: DirectPlan,
  read: KeysetRead,
  previous: KeysetRead | undefined,
): Statement {
  const { mapping, select } = list;
  const columns = sql`${selectedColumns(list)}${pageColumns(list, rows, previous)}`;
  const scan = singleScan(rows, read);
  const text = scan
    ? // The columns can have windows, which must see the rows of the page only.
      sql`SELECT ${columns} FROM (SELECT t.* FROM (SELECT t.* ${scan}
      ${constantLimit(read.limit)}) t LIMIT ${read.limit}) t ${select.joins} ${orderBy(read.order)}`
    : sql`SELECT ${columns} FROM (${unionStatement(rows, read)}) k
    JOIN ${raw(mapping.table)} t ON t.project_id = k.project_id AND t.id = k.id ${select.joins} ${orderBy(read.order)}`;
  if (!fallback) return [text, mode];
  // The same statement reads both: a change between two could make the rows incomplete.
  const checked = sql`SELECT c.is_incomplete, p.* FROM (SELECT ${fallback.isIncomplete} AS is_incomplete) c
    LEFT JOIN LATERAL (${text}) p ON NOT c.is_incomplete`;
  return [checked, mode];
}

/**
 * `PageColumns`, and `KeyColumns` unless the id is the only key. PostgreSQL computes each of the former once for a page,
 * because they do not refer to its rows.
 */
function pageColumns(list: List, rows: SourceUnion, previous: KeysetRead | undefined): Sql {
  const { marker, order } = list;
  const isOrderedById = order.keys.length === 1;
  const isVisible =
    isOrderedById && marker?.kind === 'item'
      ? sql`EXISTS (SELECT ${itemWithId(list, marker.id, rows.scope)})`
      : sql`true`;
  return sql`${isOrderedById ? sql`` : sql`, ${keyColumns(order, 'text')}`},
    ${previous ? keysAtEnd(rows, previous) : sql`NULL::text[]`} AS previous_keys,
    ${isVisible} AS marker_visible`;
}

/** The row `t` of the item with an id, if the caller may see it, as the clauses of a query. */
export function itemWithId(
  { mapping, readable }: Pick<List, 'mapping' | 'readable'>,
  id: string,
  projects: ListedProjects,
): Sql {
  const inProjects =
    projects === 'every project' || 'project' in projects
      ? inScope(mapping, projects)
      : sql`t.project_id = ANY(${arrayParameter(projects)}::uuid[]) AND ${ofKind(mapping)}`;
  return sql`${from(mapping)} WHERE ${inProjects} AND ${readable} AND t.id = ${id}::${raw(mapping.idType)}`;
}

/** The sort keys of the last of `read.limit` items as an array of texts, or null if there are fewer. */
function keysAtEnd(rows: SourceUnion, read: KeysetRead): Sql {
  const keys = raw(keyTexts(read.order, 'n').join(', '));
  return sql`(SELECT ARRAY[${keys}] FROM (${unionStatement(rows, read)}) n OFFSET ${read.limit - 1} LIMIT 1)`;
}

/** A query for the position of the previous page, as `keys`. */
export const previousPageStatement = ({ rows, mode }: DirectPlan, previous: KeysetRead): Statement => [
  sql`SELECT ${keysAtEnd(rows, previous)} AS keys`,
  mode,
];

/** The rows at known positions, in their order. */
export function rowsStatement(list: List, positions: readonly RowPosition[]): Statement {
  const projectIds = positions.map(({ projectId }) => projectId);
  const ids = opaqueArray(
    positions.map(({ id }) => id),
    'bigint',
  );
  const text = sql`SELECT ${selectedColumns(list)} FROM unnest(${opaqueArray(projectIds, 'uuid')}, ${ids})
      WITH ORDINALITY AS k (project_id, id, n)
    ${lookUp(list.mapping, sql`k.project_id`, sql`k.id`)} ${list.select.joins}
    WHERE ${inSameProject('t.project_id', projectIds)} ORDER BY k.n`;
  return [text, 'generic'];
}

const selectedColumns = ({ select: { body, columns } }: List): Sql =>
  sql`t.id::text AS list_id, ${columns}, ${body} AS body`;

/**
 * The positions for several reads of a list that a query computes: once, for all reads.
 * @returns rows of `ReadPositionRow`, in the order of each read
 */
export function queryStatement(
  { list, query, conditions }: QueryPlan,
  reads: readonly KeysetRead[],
): Statement {
  // In id order, the lookups end with the page.
  const rows = lookUp(list.mapping, sql`m.project_id`, sql`m.id`, and(conditions));
  const parts = reads.map(({ order, marker, limit }, number) => {
    const ranges = marker === undefined ? [] : rowsAfter(order, marker);
    const isAfterMarker = ranges.length === 0 ? sql`true` : sql`(${join(ranges, ' OR ')})`;
    const found =
      order.keys.length === 1
        ? sql`(SELECT t.* FROM computed t WHERE ${isAfterMarker} ${orderBy(order)}) m ${rows}
            ORDER BY m.id ${raw(order.descending ? 'DESC' : 'ASC')}`
        : sql`computed m ${rows} WHERE ${isAfterMarker} ${orderBy(order)}`;
    return sql`(SELECT ${String(number)}::text AS read_number, t.project_id, t.id::text AS list_id, ${keyColumns(order, 'text')} FROM ${found} LIMIT ${limit})`;
  });
  return [sql`WITH computed AS MATERIALIZED (${query}) ${join(parts, ' UNION ALL ')}`, 'custom'];
}

/** A position that belongs to one of several reads. */
export type ReadPositionRow = PositionRow & { readonly read_number: string };

/** The positions for several reads of the rows of one project. @returns rows of `ReadPositionRow`, in no order */
export const projectStatement = (rows: SourceUnion, reads: readonly KeysetRead[]): Statement => [
  join(
    reads.map(
      (read, number) =>
        sql`SELECT ${String(number)}::text AS read_number, ${positionColumns(read)} FROM (${unionStatement(rows, read)}) f`,
    ),
    ' UNION ALL ',
  ),
  'custom',
];

/** The ordinals of the first `limit` of given positions, from 1, in the order of a read: as PostgreSQL sorts them. */
export function sortStatement(
  { mapping, scope }: SourceUnion,
  { order, limit }: KeysetRead,
  positions: readonly RowPosition[],
): Statement {
  const keys = order.keys.map(
    ({ type }, i) =>
      sql`${arrayParameter(positions.map((position) => position.keys[i] ?? null))}::${raw(type)}[]`,
  );
  // The first SELECT has no rows. It gives the keys the collations of their columns.
  const text = sql`SELECT m.n FROM (
      SELECT ${keyColumns(order, 'value')}, 0::bigint AS n ${from(mapping)} WHERE ${inScope(mapping, scope)} AND false
      UNION ALL SELECT * FROM unnest(${join(keys)}) WITH ORDINALITY
    ) m ${orderByKeys(order, 'm')} LIMIT ${limit}`;
  return [text, 'generic'];
}

/**
 * The positions of a query `f`, and the rows at them if the read selects them: except by statements that are planned for each
 * execution, because planning their columns would take longer than another statement.
 *
 * The rows are in the order of `f`, without an ORDER BY: it would sort the rows of a scan, which are those of a UNION ALL, with their
 * texts. PostgreSQL returns the parts of a UNION ALL one after the other (`Append`), and each join refers to
 * columns of what precedes it, so that it can only be a nested loop from there.
 * @param more further columns of `f`
 * @param isItem whether a row of `f` is the position of an item
 */
export function positionsStatement(
  { mapping }: Pick<SourceUnion, 'mapping'>,
  read: KeysetRead,
  { found, mode, more = sql``, isItem = sql`true` }: PositionsQuery,
): Statement {
  const { select } = read;
  const positions = sql`${positionColumns(read)}${more} FROM (${found}) f`;
  if (!select || mode === 'custom') return [sql`SELECT ${positions}`, mode];
  const rows = sql`SELECT t.* ${from(mapping)} WHERE t.project_id = f.project_id AND t.id = f.id
    AND ${ofKind(mapping)} AND ${isItem} OFFSET 0`;
  // The position comes last: its columns are not null, even if there is no row.
  const text = sql`SELECT ${select.columns}, ${select.body} AS body, ${positions} LEFT JOIN LATERAL (${rows}) t ON true ${select.joins}`;
  return [text, mode];
}

interface PositionsQuery {
  readonly found: Sql;
  readonly mode: PlanMode;
  readonly more?: Sql;
  readonly isItem?: Sql;
}
