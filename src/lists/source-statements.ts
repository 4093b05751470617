import { from, inScope, lookUp, ofKind, projectsOf } from '../database/resource-sql';
import { and, join, opaqueArray, raw, sql, type Sql } from '../database/sql';
import type { IdRange } from './id-ranges';
import { constantLimit, type KeysetRead, keyColumns, orderBy, orderByKeys, rowsAfter } from './keyset';
import type { SourceUnion } from './source-union';
import type { LookUpSource, Source, ValuesSource } from './selection';
import { IDS_PER_BLOCK, MAX_RECHECKED_ROWS, MAX_SORTED_ROWS } from './tuning';

/** The rows of one source in one range of the rows after the marker: see `rowsAfter`. */
interface Part {
  readonly source: Source;
  /** The rows `t`, as a `FROM` clause. */
  readonly from: Sql;
  /** A condition over `t` and the driving row. */
  readonly where: Sql;
}

/**
 * Project, id and sort keys of the items of a read, in its order, through all sources. The planner has to guess how frequent
 * matches are.
 */
export const unionStatement = (union: SourceUnion, read: KeysetRead): Sql =>
  statementOf(union, read, partsOf(union, read, markerBounds), (part) =>
    forEachDrivingRow(union, part, (more) => firstRows(read, part, more)),
  );

/** The same for matches that are not frequent, as a scan has shown. */
export const infrequentStatement = (union: SourceUnion, read: KeysetRead): Sql =>
  statementOf(union, read, partsOf(union, read, markerBounds), (part) => infrequentRows(union, read, part));

/**
 * The same for matches that are probably rare. Those of an index without an order are read only up to a limit; of more,
 * the column `is_incomplete` is true.
 */
export function rareStatement(union: SourceUnion, read: KeysetRead): Sql {
  const genericUnion = { ...union, sources: union.sources.map(forGenericPlan) };
  const parts = partsOf(genericUnion, read, markerBounds).map((part) => {
    if (isUnordered(part.source)) return countedRows(read, part);
    const rows = sql`(SELECT a.*, false AS is_truncated FROM ${infrequentRows(genericUnion, read, part)} a)`;
    return part.source.kind === 'values'
      ? sql`${rows} UNION ALL SELECT NULL, NULL, ${raw(read.order.keys.map(() => 'NULL').join(', '))}, true WHERE ${part.source.isIncomplete}`
      : rows;
  });
  // Before the limit is applied: other sources could fill the page.
  return sql`SELECT u.*, bool_or(u.is_truncated) OVER () AS is_incomplete FROM (${join(parts, ' UNION ALL ')}) u
    ${orderByKeys(read.order, 'u')} LIMIT ${read.limit}`;
}

const forGenericPlan = (source: Source): Source =>
  source.kind === 'blocks' ? { ...source, where: source.whereForGenericPlan ?? source.where } : source;

/**
 * As `infrequentStatement`, but only in ranges of ids. They are read one after the other, each in order, until the limit is
 * reached. So the last ranges cost nothing if the first ones have enough matches.
 * @param read in the order of ids
 * @param ranges in the order of the read
 */
export function rangesStatement(union: SourceUnion, read: KeysetRead, ranges: readonly IdRange[]): Sql {
  const ends = (name: keyof IdRange) =>
    opaqueArray(
      ranges.map((range) => range[name]),
      'bigint',
    );
  return rowsInRanges(
    union,
    read,
    sql`unnest(${ends('low')}, ${ends('high')}) AS range (low, high)`,
    sql`${read.limit}`,
  );
}

/**
 * The same of ranges that a query computes.
 * @param ranges rows `range (low, high)`
 * @param limit the number of rows, at most that of the read
 */
export function rowsInRanges(union: SourceUnion, read: KeysetRead, ranges: Sql, limit: Sql): Sql {
  const lookUpUnion = { ...union, sources: union.sources.map(asLookUp) };
  const inRange = statementOf(lookUpUnion, read, partsOf(lookUpUnion, read, rangeBounds), (part) =>
    isInBlocks(part.source) ? rowsInBlocks(read, part) : infrequentRows(lookUpUnion, read, part),
  );
  return sql`SELECT r.* FROM (SELECT p.* FROM ${ranges}
    CROSS JOIN LATERAL (${inRange}) p LIMIT ${limit}) r ${orderByKeys(read.order, 'r')}`;
}

/**
 * A range of ids has few rows of the other table, whatever the conditions of the list are. With a join for each driving row, the
 * planner could read all rows of the list in the range that meet them, again for each driving row.
 */
const asLookUp = (source: Source): Source =>
  source.kind === 'join' && source.drivingRows
    ? { ...source, kind: 'look up', isIncomplete: undefined }
    : source;

/** The only index scan that reads a union, as the clauses of a query for rows `t`; undefined if it has several parts. */
export function singleScan(union: SourceUnion, read: KeysetRead): Sql | undefined {
  const [part, ...others] = partsOf(union, read, markerBounds);
  if (!part || others.length > 0 || union.scope === 'every project' || part.source.drivingRows)
    return undefined;
  return sql`${foundRows(part)} ${orderOf(part.source, read)}`;
}

function statementOf(
  { mapping, scope }: SourceUnion,
  read: KeysetRead,
  parts: readonly Part[],
  select: (part: Part) => Sql,
): Sql {
  if (parts.length === 0)
    return sql`SELECT ${selectedKeys(read)} ${from(mapping)} WHERE ${inScope(mapping, scope)} AND false`;
  return sql`SELECT u.* FROM (${join(parts.map(select), ' UNION ALL ')}) u ${orderByKeys(read.order, 'u')} LIMIT ${read.limit}`;
}

/** One part for each source and each range of the rows after the marker. @param boundsOf bounds of the ids of a source */
function partsOf(
  { mapping, scope, sources, conditions }: SourceUnion,
  read: KeysetRead,
  boundsOf: (source: Source, read: KeysetRead) => readonly Sql[],
): Part[] {
  const ranges = read.marker === undefined ? [sql`true`] : rowsAfter(read.order, read.marker);
  // In a list of all projects, the driving rows supply the project.
  const scoped = scope === 'every project' ? ofKind(mapping) : inScope(mapping, scope);
  return sources.flatMap((source) =>
    ranges.map((range) => ({
      source,
      from: fromSource(mapping, source),
      where: and([scoped, ...conditions, ...conditionsOf(source), range, ...boundsOf(source, read)]),
    })),
  );
}

/**
 * The rows `t` of a source, as a `FROM` clause. With a join, the planner could read all rows of the project in order, in the
 * hope of early matches, so rows that are found in order are looked up.
 */
function fromSource(mapping: SourceUnion['mapping'], source: Source): Sql {
  if (!('joined' in source)) return from(mapping);
  const { table, projectColumn, idColumn, where } = source.joined;
  return isLookedUp(source)
    ? sql`FROM ${table} ${lookUp(mapping, projectColumn, idColumn)}`
    : sql`${from(mapping)} JOIN ${table} ON ${projectColumn} = t.project_id AND ${idColumn} = t.id AND ${where}`;
}

const conditionsOf = (source: Source): readonly Sql[] =>
  isLookedUp(source) ? [source.joined.where, source.where] : [source.where];

/** Whether the rows of another table are read in the order of ids, and those of the list's table are looked up. */
const isLookedUp = (source: Source): source is LookUpSource | ValuesSource =>
  source.kind === 'look up' || source.kind === 'values';

/** The columns that equal the id. PostgreSQL does not derive bounds of the second one, so they are repeated for it. */
const idColumnsOf = (source: Source): readonly Sql[] => ('joined' in source ? [source.joined.idColumn] : []);

/** The bounds of the ids after the marker of a read in id order. */
function markerBounds(source: Source, { order, marker }: KeysetRead): readonly Sql[] {
  const [id] = marker ?? [];
  if (id === undefined || id === null || order.keys.length > 1) return [];
  return idColumnsOf(source).map(
    (column) => sql`${column} ${raw(order.descending ? '<' : '>')} ${id}::bigint`,
  );
}

/** The bounds of the ids in a driving row `range (low, high)`. */
const rangeBounds = (source: Source): readonly Sql[] =>
  // The number of the block is the better condition: with both, the planner could read all rows of the range.
  isInBlocks(source)
    ? []
    : [sql`t.id`, ...idColumnsOf(source)].map((column) => sql`${column} BETWEEN range.low AND range.high`);

/** Whether the index of a source has its rows in blocks of ids, and in no order within a block. */
const isInBlocks = ({ kind }: Source): boolean => kind === 'blocks' || kind === 'rechecked blocks';

/** Whether the index of a source has its rows in no order, or in that of another column. */
const isUnordered = (source: Source): boolean =>
  source.kind === 'unordered' || source.kind === 'range' || isInBlocks(source);

const selectedKeys = ({ order }: KeysetRead): Sql => sql`t.project_id, t.id, ${keyColumns(order, 'value')}`;

/** Reads the rows of a part for each driving row, or for each project. @param rows the rows that meet further conditions */
function forEachDrivingRow(
  { mapping, scope }: SourceUnion,
  { source: { drivingRows } }: Part,
  rows: (more: readonly Sql[]) => Sql,
): Sql {
  if (drivingRows === undefined && scope !== 'every project') return sql`(${rows([])})`;
  return sql`(SELECT a.* FROM ${drivingRows ?? sql`(${projectsOf(mapping)}) AS s`}
      CROSS JOIN LATERAL (${rows([sql`t.project_id = s.project_id`])}) a)`;
}

const infrequentRows = (union: SourceUnion, read: KeysetRead, part: Part): Sql =>
  forEachDrivingRow(union, part, (more) =>
    isUnordered(part.source) || read.order.keys.length > 1
      ? firstSortedRows(read, part, more)
      : firstRows(read, part, more),
  );

const foundRows = ({ source, from: rows, where }: Part, more: readonly Sql[] = []): Sql =>
  sql`${rows} WHERE ${and([where, ...(source.kind === 'rechecked blocks' ? [source.recheck] : []), ...more])}`;

/** The first rows of a part. The planner can read an index in order until there are enough. */
const firstRows = (read: KeysetRead, part: Part, more: readonly Sql[]): Sql =>
  first(read, foundRows(part, more), orderOf(part.source, read));

/**
 * The first rows of a part, of which all are read and sorted. OFFSET 0 keeps the planner from scanning in order until the
 * limit is reached. For rare matches, that scan would read all rows.
 */
const firstSortedRows = (read: KeysetRead, part: Part, more: readonly Sql[]): Sql =>
  first(read, sql`FROM (SELECT t.* ${foundRows(part, more)} OFFSET 0) t`, orderBy(read.order));

const first = (read: KeysetRead, rows: Sql, order: Sql): Sql =>
  sql`SELECT p.* FROM (SELECT ${selectedKeys(read)} ${rows} ${order} LIMIT ${read.limit}) p ${constantLimit(read.limit)}`;

/** The order of a read, by the id column of a table that is read in this order, so that its index supplies the order. */
const orderOf = (source: Source, { order }: KeysetRead): Sql =>
  isLookedUp(source) && order.keys.length === 1
    ? sql`ORDER BY ${source.joined.idColumn} ${raw(order.descending ? 'DESC' : 'ASC')}`
    : orderBy(order);

/** The first rows of a part, block by block in a range, each block in order, until the limit is reached. */
function rowsInBlocks(read: KeysetRead, part: Part): Sql {
  const size = raw(String(IDS_PER_BLOCK));
  const series = read.order.descending
    ? sql`generate_series(range.high / ${size}, range.low / ${size}, -1)`
    : sql`generate_series(range.low / ${size}, range.high / ${size})`;
  const found = sql`SELECT a.* FROM ${series} AS block (number)
    CROSS JOIN LATERAL (${firstSortedRows(read, part, [sql`t.id / ${size} = block.number`])}) a`;
  return sql`(SELECT p.* FROM (${found} ${constantLimit(read.limit)}) p LIMIT ${read.limit})`;
}

/**
 * The rows of a part, of which all are read and sorted up to a limit. A materialized query is planned for all of its rows,
 * and read up to the limit. With a plain LIMIT, the planner could scan in order. Of too many rows, some are returned whether
 * they match or not, to show that there are more.
 */
function countedRows(read: KeysetRead, { source, from: rows, where }: Part): Sql {
  const { order, limit } = read;
  const [recheck, maxRows] =
    source.kind === 'rechecked blocks' ? [source.recheck, MAX_RECHECKED_ROWS] : [sql`true`, MAX_SORTED_ROWS];
  const sortKeys = raw(order.keys.map((_, i) => `f.k${String(i)}`).join(', '));
  return sql`(WITH found AS MATERIALIZED (SELECT ${selectedKeys(read)}, ${recheck} AS is_match ${rows} WHERE ${where}),
      first_found AS MATERIALIZED (SELECT f.* FROM found f LIMIT ${maxRows + 1}),
      size AS MATERIALIZED (SELECT count(*) > ${maxRows} AS is_truncated FROM first_found)
      SELECT f.project_id, f.id, ${sortKeys}, size.is_truncated FROM first_found f CROSS JOIN size
      WHERE f.is_match OR size.is_truncated ${orderByKeys(order, 'f')} LIMIT ${limit})`;
}
