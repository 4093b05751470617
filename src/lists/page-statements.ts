import { and, join, opaqueArray, raw, sql, type Sql } from '../database/sql';
import { from, inSameProject, inScope, lookUp, ofKind, projectsOf } from '../database/resource-sql';
import { timestampText, type SortColumn, type TableMapping } from '../database/resource-mapping';
import type {
  Branch,
  JoinedTable,
  KeysetRead,
  KeyValues,
  ListRequest,
  RowPosition,
  SortOrder,
} from './list-request';

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

export const reverseOrder = (order: SortOrder): SortOrder => ({
  keys: order.keys,
  descending: !order.descending,
});

const keyParameter = (key: SortColumn, text: string): Sql => sql`${text}::${raw(key.type)}`;

/**
 * Disjoint conditions for the rows after a marker. If no key is nullable, this is one row comparison. Otherwise there
 * is one condition for each run of rows at which an index scan can start. A single `(a, b) > (x, y) OR …` would be read
 * from the start of the list, and a late page would cost more than an early one.
 */
export function rowsAfter(order: SortOrder, marker: KeyValues): Sql[] {
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

/** The number of ids in a block of the block indexes; the migration that creates these indexes defines it. */
export const IDS_PER_BLOCK = 4096;

/** A range of ids, which starts and ends with a block. Both ends are included. */
export interface IdRange {
  readonly low: number;
  readonly high: number;
}

/**
 * Selects all members of a list.
 * @param columns what to select of the rows `t`
 */
export function membersStatement(
  request: Pick<ListRequest, 'scope' | 'conditions' | 'branches' | 'members'> & {
    readonly mapping: TableMapping;
  },
  columns: Sql = sql`t.project_id, t.id`,
): Sql {
  const { mapping, scope, conditions, members } = request;
  if (members)
    return sql`SELECT ${columns} FROM (${members}) m ${lookUp(mapping, sql`m.project_id`, sql`m.id`, and(conditions))}`;
  const scoped = inScope(mapping, scope);
  const arms = (request.branches ?? [{ where: sql`true` }]).map((branch: Branch) => {
    const { drivingRows, through, where, recheck = sql`true` } = branch;
    const condition = and([...conditions, where, recheck]);
    if (through === undefined) {
      const joined =
        drivingRows && sql`FROM ${drivingRows} JOIN ${raw(mapping.table)} t ON t.project_id = s.project_id`;
      return sql`SELECT ${columns} ${joined ?? from(mapping)} WHERE ${scoped} AND ${condition}`;
    }
    const { table, projectColumn, idColumn } = through;
    const source =
      drivingRows === undefined
        ? table
        : sql`${drivingRows} JOIN ${table} ON ${projectColumn} = s.project_id`;
    const inProject = scope === 'every project' ? sql`true` : sql`${projectColumn} = ${scope.project}`;
    return sql`SELECT ${columns} FROM ${source} ${lookUp(mapping, projectColumn, idColumn, condition)}
      WHERE ${inProject} AND ${through.where}`;
  });
  return arms.length === 0
    ? sql`SELECT ${columns} ${from(mapping)} WHERE ${scoped} AND false`
    : join(arms, ' UNION ALL ');
}

/**
 * The positions for several reads of a list whose members are computed as a whole. They are computed once for all
 * reads.
 * @returns rows of `read_number`, `project_id`, `list_id` and `KeyColumns`, in the order of each read
 */
export function positionsInMembersStatement(
  request: ListRequest,
  members: Sql,
  reads: readonly KeysetRead[],
): Sql {
  const { mapping, conditions } = request;
  // In id order, the lookups end with the page.
  const rows = lookUp(mapping, sql`m.project_id`, sql`m.id`, and(conditions));
  const arms = reads.map(({ order, marker, limit }, readNumber) => {
    const runs = marker === undefined ? [] : rowsAfter(order, marker);
    const isAfterMarker = runs.length === 0 ? sql`true` : sql`(${join(runs, ' OR ')})`;
    const found =
      order.keys.length === 1
        ? sql`(SELECT t.* FROM members t WHERE ${isAfterMarker} ${orderBy(order)}) m ${rows}
            ORDER BY m.id ${raw(order.descending ? 'DESC' : 'ASC')}`
        : sql`members m ${rows} WHERE ${isAfterMarker} ${orderBy(order)}`;
    return sql`(SELECT ${readNumber}::integer AS read_number, t.project_id, t.id::text AS list_id, ${keyColumns(order, 'text')} FROM ${found} LIMIT ${limit})`;
  });
  return sql`WITH members AS MATERIALIZED (${members}) ${join(arms, ' UNION ALL ')}`;
}

const shownColumns = ({ body, columns }: ListRequest, more = sql``): Sql =>
  sql`t.id::text AS list_id, ${columns}, ${body} AS body${more}`;

/** The columns of each row of a page that describe the page. */
export interface PageColumns {
  /** The position before the previous page. */
  readonly previous_keys: KeyValues | null;
  /** Whether the marker of the page is an item that the caller may see. Other markers than ids need no item. */
  readonly marker_visible: boolean;
}

/**
 * `PageColumns`, and `KeyColumns` unless the id is the only key. PostgreSQL computes each of the former once for a page,
 * because they do not refer to its rows.
 */
function pageColumns(request: ListRequest, previous: KeysetRead | undefined): Sql {
  const { mapping, scope, marker, order, readable = sql`true` } = request;
  const isOrderedById = order.keys.length === 1;
  const isVisible =
    isOrderedById && marker?.kind === 'item'
      ? sql`EXISTS (SELECT ${from(mapping)} WHERE ${inScope(mapping, scope)} AND ${readable}
          AND t.id = ${marker.id}::${raw(mapping.idType)})`
      : sql`true`;
  return sql`${isOrderedById ? sql`` : sql`, ${keyColumns(order, 'text')}`},
    ${previous ? keysAtEndStatement(request, previous) : sql`NULL::text[]`} AS previous_keys,
    ${isVisible} AS marker_visible`;
}

/**
 * A power of two that is not less than the limit, as a second `LIMIT`. PostgreSQL assumes that a `LIMIT` with a parameter
 * returns a tenth of the rows. For a large project that estimate is so high that the statement is planned again for each
 * execution, which costs more than reading a short page.
 */
export const constantLimit = (limit: number): Sql => raw(`LIMIT ${String(2 ** Math.ceil(Math.log2(limit)))}`);

/**
 * The shown columns of the items of a read, `PageColumns`, and `KeyColumns` unless the id is the only key.
 * @param previous the backward read that ends before the previous page
 */
export function pageStatement(request: ListRequest, read: KeysetRead, previous: KeysetRead | undefined): Sql {
  const { mapping, columnJoins = sql`` } = request;
  const columns = shownColumns(request, pageColumns(request, previous));
  const arms = createArms(request, read);
  if (arms.length === 1 && arms[0] && isSingleScan(request)) {
    const { source, where, order } = arms[0];
    return sql`SELECT ${columns} FROM (SELECT t.* ${source} WHERE ${where} ${order}
      ${constantLimit(read.limit)}) t ${columnJoins} ${orderBy(read.order)} LIMIT ${read.limit}`;
  }
  return sql`SELECT ${columns} FROM (${branchStatement(request, read)}) k
    JOIN ${raw(mapping.table)} t ON t.project_id = k.project_id AND t.id = k.id ${columnJoins} ${orderBy(read.order)}`;
}

/** The rows at known positions, in their order. */
export function rowsStatement(request: ListRequest, positions: readonly RowPosition[]): Sql {
  const projects = opaqueArray(
    positions.map((position) => position.projectId),
    'uuid',
  );
  const ids = opaqueArray(
    positions.map((position) => position.id),
    'bigint',
  );
  const inProject = inSameProject(
    't.project_id',
    positions.map(({ projectId }) => projectId),
  );
  return sql`SELECT ${shownColumns(request)} FROM unnest(${projects}, ${ids})
      WITH ORDINALITY AS k (project_id, id, n)
    ${lookUp(request.mapping, sql`k.project_id`, sql`k.id`)} ${request.columnJoins ?? sql``}
    WHERE ${inProject} ORDER BY k.n`;
}

/** The sort keys of the last of `read.limit` items as an array of texts, or null if there are fewer. */
export function keysAtEndStatement(request: ListRequest, read: KeysetRead): Sql {
  const keys = raw(keyTexts(read.order, 'n').join(', '));
  return sql`(SELECT ARRAY[${keys}] FROM (${branchStatement(request, read)}) n OFFSET ${read.limit - 1} LIMIT 1)`;
}

/** One `SELECT` of the union that reads a list. */
interface UnionQuery {
  readonly drivingRows: Sql | undefined;
  /** The rows `t`, as a `FROM` clause. */
  readonly source: Sql;
  readonly where: Sql;
  /** See `Branch`. */
  readonly recheck: Sql | undefined;
  /** The order of the read, as `ORDER BY`. */
  readonly order: Sql;
  readonly unordered: Branch['unordered'];
}

/** One arm for each branch and each run of rows after the marker. */
function createArms(request: ListRequest, read: KeysetRead, inRange = false): UnionQuery[] {
  const { mapping, scope, conditions } = request;
  const runs = read.marker === undefined ? [sql`true`] : rowsAfter(read.order, read.marker);
  const branches = request.branches ?? [{ where: sql`true` }];
  // In a list of all projects, the driving rows supply the project.
  const scoped = scope === 'every project' ? ofKind(mapping) : inScope(mapping, scope);
  return branches.flatMap((branch: Branch) =>
    runs.map((run) => ({
      drivingRows: branch.drivingRows,
      source: sourceOf(mapping, branch),
      where: and([scoped, ...conditions, branchCondition(branch), run, ...idBounds(branch, read, inRange)]),
      recheck: branch.recheck,
      order: orderOf(branch, read.order),
      unordered: branch.unordered,
    })),
  );
}

/** The table of a branch that is read in id order. */
const orderedTable = ({ through }: Branch): JoinedTable | undefined =>
  through?.inOrder ? through : undefined;

/**
 * The rows `t` of a branch, as a `FROM` clause. The rows of an ordered table are looked up; with a join, the planner could
 * read all rows of the project in order, in the hope of early matches.
 */
function sourceOf(mapping: TableMapping, branch: Branch): Sql {
  const { through } = branch;
  if (!through) return from(mapping);
  const { table, projectColumn, idColumn, where } = through;
  return orderedTable(branch)
    ? sql`FROM ${table} ${lookUp(mapping, projectColumn, idColumn)}`
    : sql`${from(mapping)} JOIN ${table} ON ${projectColumn} = t.project_id AND ${idColumn} = t.id AND ${where}`;
}

/** The condition of a branch over its source. */
function branchCondition(branch: Branch): Sql {
  const table = orderedTable(branch);
  return table ? and([table.where, branch.where]) : branch.where;
}

/** The order of a read, by the id column of an ordered table, so that its index supplies the order. */
const orderOf = (branch: Branch, order: SortOrder): Sql => {
  const table = order.keys.length === 1 ? orderedTable(branch) : undefined;
  return table ? sql`ORDER BY ${table.idColumn} ${raw(order.descending ? 'DESC' : 'ASC')}` : orderBy(order);
};

/**
 * Bounds of the ids. PostgreSQL does not derive them for a column that equals the id, so they are repeated for that
 * column.
 * @param inRange whether only the ids of a driving row `range (low, high)` are read
 */
function idBounds(branch: Branch, { order, marker }: KeysetRead, inRange: boolean): Sql[] {
  const idColumn = branch.through?.idColumn;
  const columns = [sql`t.id`, ...(idColumn ? [idColumn] : [])];
  // The number of the block is the better condition: with both, the planner could read all rows of the range.
  if (inRange && branch.unordered === 'in blocks') return [];
  if (inRange) return columns.map((column) => sql`${column} BETWEEN range.low AND range.high`);
  const [id] = marker ?? [];
  if (idColumn === undefined || id === undefined || id === null || order.keys.length > 1) return [];
  return [sql`${idColumn} ${raw(order.descending ? '<' : '>')} ${id}::bigint`];
}

/** Whether one index scan reads the list, without a union over driving rows. */
const isSingleScan = (request: ListRequest): boolean =>
  request.scope !== 'every project' &&
  (request.branches ?? []).every((branch) => branch.drivingRows === undefined);

/**
 * How frequent matches are, if a scan has shown that they are not frequent. If they are probably rare, the matches of an
 * index without an order are read only up to a limit; of more, the column `is_incomplete` is true.
 */
export type MatchHint = 'infrequent' | 'infrequent, in a range' | 'probably rare';

/** Up to this many matches of an index without an order are read and sorted, which takes a few milliseconds. */
const MAX_SORTED_ROWS = 4096;
/** The same for an index that finds more than the matches. They are less likely to have a page of matches. */
const MAX_RECHECKED_ROWS = 1024;

/**
 * Project, id and sort keys of the items of a read, in its order, through all branches.
 * @param hint absent: the planner has to guess how frequent matches are
 */
export function branchStatement(request: ListRequest, read: KeysetRead, hint?: MatchHint): Sql {
  const keys = sql`t.project_id, t.id, ${keyColumns(read.order, 'value')}`;
  const arms = createArms(request, read, hint === 'infrequent, in a range').map((arm) =>
    armStatement(request, read, arm, hint),
  );
  if (arms.length === 0)
    return sql`SELECT ${keys} ${from(request.mapping)} WHERE ${inScope(request.mapping, request.scope)} AND false`;
  // Before the limit is applied: other arms could fill the page.
  const flag = hint === 'probably rare' ? sql`, bool_or(u.is_truncated) OVER () AS is_incomplete` : sql``;
  return sql`SELECT u.*${flag} FROM (${join(arms, ' UNION ALL ')}) u ${orderByKeys(read.order, 'u')} LIMIT ${read.limit}`;
}

/**
 * As `branchStatement`, but only in ranges of ids. They are read one after the other, each in order, until the limit is
 * reached. So the last ranges cost nothing if the first ones have enough matches.
 * @param read in the order of ids
 * @param ranges in the order of the read
 */
export function rangesStatement(request: ListRequest, read: KeysetRead, ranges: readonly IdRange[]): Sql {
  const low = opaqueArray(
    ranges.map((range) => range.low),
    'bigint',
  );
  const high = opaqueArray(
    ranges.map((range) => range.high),
    'bigint',
  );
  const inRange = branchStatement(request, read, 'infrequent, in a range');
  return sql`SELECT r.* FROM (SELECT p.* FROM unnest(${low}, ${high}) AS range (low, high)
    CROSS JOIN LATERAL (${inRange}) p LIMIT ${read.limit}) r ${orderByKeys(read.order, 'r')}`;
}

/** As `branchStatement`, through a query for `id` of candidates. If it has a row with NULL, `is_incomplete` is true. */
export function candidatesStatement(request: ListRequest, read: KeysetRead, candidates: Sql): Sql {
  const { mapping, scope, conditions, match = sql`true` } = request;
  const { order, marker, limit } = read;
  const runs = marker === undefined ? [] : rowsAfter(order, marker);
  const project = scope === 'every project' ? sql`NULL::uuid` : sql`${scope.project}::uuid`;
  const direction = raw(order.descending ? 'DESC' : 'ASC');
  // In id order, the lookups end with the page.
  const rows = sql`(SELECT ${project} AS project_id, c.id FROM candidate c ORDER BY c.id ${direction}) c
    ${lookUp(mapping, sql`c.project_id`, sql`c.id`, and([...runs, ...conditions, match]))}`;
  const inOrder = order.keys.length === 1 ? sql`ORDER BY c.id ${direction}` : orderBy(order);
  return sql`WITH candidate AS MATERIALIZED (${candidates})
    (SELECT t.project_id, t.id, ${keyColumns(order, 'value')}, false AS is_incomplete FROM ${rows} ${inOrder} LIMIT ${limit})
    UNION ALL SELECT NULL, NULL, ${raw(order.keys.map(() => 'NULL').join(', '))}, true FROM candidate c WHERE c.id IS NULL`;
}

function armStatement(request: ListRequest, read: KeysetRead, arm: UnionQuery, hint?: MatchHint): Sql {
  const { mapping, scope } = request;
  const { where, recheck = sql`true`, unordered } = arm;
  const { order, limit } = read;
  const keys = sql`t.project_id, t.id, ${keyColumns(order, 'value')}`;
  const isFenced = hint !== undefined && (unordered !== undefined || order.keys.length > 1);
  const rows = (condition: Sql): Sql => {
    const found = sql`${arm.source} WHERE ${where} AND ${recheck} AND ${condition}`;
    // OFFSET 0 keeps the planner from scanning in order until the limit is reached. For rare matches, that scan would
    // read all rows.
    const source = isFenced ? sql`FROM (SELECT t.* ${found} OFFSET 0) t` : found;
    return sql`SELECT p.* FROM (SELECT ${keys} ${source} ${isFenced ? orderBy(order) : arm.order} LIMIT ${limit}) p ${constantLimit(limit)}`;
  };
  if (hint === 'probably rare') {
    if (unordered === undefined)
      return sql`(SELECT a.*, false AS is_truncated FROM ${armStatement(request, read, arm, 'infrequent')} a)`;
    // A materialized query is planned for all of its rows, and read up to the limit. With a plain LIMIT, the planner
    // could scan in order. Of too many rows, some are returned whether they match or not, to show that there are more.
    const maxRows = arm.recheck === undefined ? MAX_SORTED_ROWS : MAX_RECHECKED_ROWS;
    const sortKeys = raw(order.keys.map((_, i) => `f.k${String(i)}`).join(', '));
    return sql`(WITH found AS MATERIALIZED (SELECT ${keys}, ${recheck} AS is_match ${arm.source} WHERE ${where}),
      first_found AS MATERIALIZED (SELECT f.* FROM found f LIMIT ${maxRows + 1}),
      size AS MATERIALIZED (SELECT count(*) > ${maxRows} AS is_truncated FROM first_found)
      SELECT f.project_id, f.id, ${sortKeys}, size.is_truncated FROM first_found f CROSS JOIN size
      WHERE f.is_match OR size.is_truncated ${orderByKeys(order, 'f')} LIMIT ${limit})`;
  }
  if (arm.drivingRows !== undefined || scope === 'every project')
    return sql`(SELECT a.* FROM ${arm.drivingRows ?? sql`(${projectsOf(mapping)}) AS s`}
      CROSS JOIN LATERAL (${rows(sql`t.project_id = s.project_id`)}) a)`;
  if (hint !== 'infrequent, in a range' || unordered !== 'in blocks') return sql`(${rows(sql`true`)})`;
  const size = raw(String(IDS_PER_BLOCK));
  const series = order.descending
    ? sql`generate_series(range.high / ${size}, range.low / ${size}, -1)`
    : sql`generate_series(range.low / ${size}, range.high / ${size})`;
  // Blocks are read one after the other, each in order, until the limit is reached.
  return sql`(SELECT p.* FROM (SELECT a.* FROM ${series} AS block (number)
    CROSS JOIN LATERAL (${rows(sql`t.id / ${size} = block.number`)}) a ${constantLimit(limit)}) p LIMIT ${limit})`;
}
