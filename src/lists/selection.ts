import type { ProjectScope } from '../core/context/request-context';
import type { PlanMode } from '../database/database';
import { from, inScope, lookUp } from '../database/resource-sql';
import type { TableMapping } from '../database/resource-mapping';
import { and, join, raw, sql, type Sql } from '../database/sql';

/** A table with at most one matching row for each row of a list, and an index of its matching rows by their ids in the list. */
export interface JoinedTable {
  /** Its name and alias, for a `FROM` clause. */
  readonly table: Sql;
  /** Its column `project_id`, with the alias. */
  readonly projectColumn: Sql;
  /** Its column that equals `t.id`, with the alias. A scan of the index can start at any id. */
  readonly idColumn: Sql;
  /** Which of its rows match: a condition over them and the driving row. */
  readonly where: Sql;
}

/** What all sources have. */
interface AnySource {
  /** Rows `s (project_id, …)`; the rows of the source are read for each of them. Undefined: for each project in scope. */
  readonly drivingRows: Sql | undefined;
  /** A condition over `t` and the driving row. */
  readonly where: Sql;
}

/** Rows of the list's table. An index can have them in the order of the list. */
export interface TableSource extends AnySource {
  readonly kind: 'table';
}

/** Rows of the list's table that are joined to the matching rows of another one. */
export interface JoinSource extends AnySource {
  readonly kind: 'join';
  readonly joined: JoinedTable;
}

/** The matching rows of another table, read in the order of ids, for which those of the list's table are looked up. */
export interface LookUpSource extends AnySource {
  readonly kind: 'look up';
  readonly joined: JoinedTable;
  /** Whether the other table does not have all rows of the source any more, as an expression. Undefined: it always has them. */
  readonly isIncomplete: Sql | undefined;
}

/** The same for each of a few values, which are the driving rows. */
export interface ValuesSource extends AnySource {
  readonly kind: 'values';
  readonly joined: JoinedTable;
  /** Whether the source does not have all of its rows, for example none because the values are too many, as an expression. */
  readonly isIncomplete: Sql;
}

/** A range of an index in the order of a column, so its size can be counted, and a read in that order ends with the page. */
export interface RangeSource extends AnySource {
  readonly kind: 'range';
  readonly column: string;
}

/** Rows that an index returns in no order, so that all of them are read and sorted. */
export interface UnorderedSource extends AnySource {
  readonly kind: 'unordered';
}

/** The same with an index that can also find the rows in one block of ids, `t.id / 4096`. */
export interface BlockSource extends AnySource {
  readonly kind: 'blocks';
  /**
   * The condition `where` with a value that the planner does not see, so that it makes one plan for all values. Undefined: there
   * is no such condition.
   */
  readonly whereForGenericPlan?: Sql | undefined;
}

/** The same with an index that finds more rows than those of the source. */
export interface RecheckedBlockSource extends AnySource {
  readonly kind: 'rechecked blocks';
  /** The condition that the index cannot answer: of the rows that it finds, few may meet it. */
  readonly recheck: Sql;
  /** The same rows, to be read if the index finds too many. */
  readonly alternative: TableSource | JoinSource;
}

/**
 * A set of rows that are found through one index. A list with several sources is their union, and they must be disjoint.
 * Each is read in the order of the list, and not beyond the end of the page.
 */
export type Source =
  | TableSource
  | JoinSource
  | LookUpSource
  | ValuesSource
  | RangeSource
  | UnorderedSource
  | BlockSource
  | RecheckedBlockSource;

/** The sources of filters of lists. */
export type FilterSource = TableSource | JoinSource | RangeSource | UnorderedSource | BlockSource;

/** The sources through which all rows that one filter matches can be read, and its condition over `t`. */
export interface FilterPath {
  readonly sources: readonly FilterSource[];
  readonly match: Sql;
}

/** The sources through which all rows that meet one condition can be read. */
export interface AccessPath {
  readonly sources: readonly Source[];
  /** The same condition over `t`. It is `true` if the conditions of the selection imply it. */
  readonly match: Sql;
}

/** The rows of a list before paging. Each case has conditions over `t` that its rows must meet in addition. */
export type Selection =
  /** All rows of the table. */
  | { readonly kind: 'table'; readonly conditions: readonly Sql[] }
  /** The rows of these sources; without any, none. */
  | { readonly kind: 'sources'; readonly conditions: readonly Sql[]; readonly sources: readonly Source[] }
  | FilteredSelection
  /** The rows of a query for `project_id` and `id`, for lists that are computed as a whole. */
  | { readonly kind: 'query'; readonly conditions: readonly Sql[]; readonly query: Sql };

/** Rows to be looked up if matches are rare: all rows that match are among them. */
export interface Candidates {
  /** A query for `id`. It has a row with NULL if there are too many. */
  readonly query: Sql;
  /**
   * Whether they are probably few enough to be looked up, or too many: `unknown` if neither is known.
   */
  readonly size: 'few' | 'unknown' | 'many';
}

/** The rows that filters match. Whether many or few do is not known in advance. */
export interface FilteredSelection {
  readonly kind: 'filtered';
  readonly conditions: readonly Sql[];
  /**
   * First the path whose rows, with the conditions, are those of the list. The others lead to more rows: their matches are
   * implied by the conditions.
   */
  readonly paths: readonly [AccessPath, ...AccessPath[]];
  /** Sources with the rows of the first path in the order of ids; undefined if no index has them in that order. */
  readonly inIdOrder: readonly Source[] | undefined;
  /** Sources of the rows of the first path in the order of ids, which a read can find to be incomplete. */
  readonly byValues: readonly Source[] | undefined;
  /** Undefined: matches are found through the sources only. */
  readonly candidates: Candidates | undefined;
  /** How statements through the first path are planned: `custom` if its best index depends on the values of filters. */
  readonly planning: PlanMode;
}

/** Whether a source joins all rows of a table, so that the best join depends on their number. */
export const isJoinedWhole = ({ kind, drivingRows }: Source): boolean =>
  drivingRows === undefined && (kind === 'join' || kind === 'look up');

/** Whether a source is one range of an index, or one for each driving row, whatever their values are. */
export const isIndexRange = ({ kind, drivingRows }: Source): boolean =>
  kind === 'look up' ||
  kind === 'values' ||
  (drivingRows !== undefined && (kind === 'table' || kind === 'join'));

/** The sources of the whole table. */
export const WHOLE_TABLE: TableSource = { kind: 'table', drivingRows: undefined, where: sql`true` };

/** Whether a selection has all rows of its table. */
export const selectsAll = ({ kind, conditions }: Selection): boolean =>
  kind === 'table' && conditions.length === 0;

/** The rows of a selection that also meet further conditions. */
export const restrict = (selection: Selection, conditions: readonly Sql[]): Selection => ({
  ...selection,
  conditions: [...selection.conditions, ...conditions],
});

/**
 * The rows that meet conditions.
 * @param paths to the same rows, of those conditions that have sources
 */
export function selectByConditions(conditions: readonly Sql[], paths: readonly FilterPath[]): Selection {
  const [first, ...others] = paths;
  if (!first) return { kind: 'table', conditions };
  const filtered = { kind: 'filtered', conditions, byValues: undefined, candidates: undefined } as const;
  if (others.length > 0)
    return { ...filtered, paths: [first, ...others], inIdOrder: undefined, planning: 'custom' };
  const { sources } = first;
  const only = { ...filtered, paths: [{ sources, match: sql`true` }] } as const;
  return sources.every(({ kind }) => kind === 'join' || kind === 'table')
    ? { ...only, inIdOrder: sources, planning: 'generic' }
    : { ...only, inIdOrder: undefined, planning: 'custom' };
}

/**
 * The rows of a selection by variables that also meet conditions.
 * @param paths to the rows that meet the conditions, of those conditions that have sources: alternative access paths
 */
export function restrictMatching(
  selection: Selection,
  conditions: readonly Sql[],
  paths: readonly FilterPath[],
): Selection {
  if (selection.kind !== 'filtered' || conditions.length === 0) return restrict(selection, conditions);
  const [first, ...others] = selection.paths;
  const [only, ...more] = paths;
  // Of one path, all conditions decide how rare its matches are.
  const alternatives = only && more.length === 0 ? [{ ...only, match: and(conditions) }] : paths;
  return {
    ...selection,
    conditions: [...conditions, ...selection.conditions],
    paths: [first, ...others, ...alternatives],
    // With other conditions, few rows of a long index range may belong to the list.
    inIdOrder: undefined,
    byValues: undefined,
  };
}

/**
 * A query for all rows of a selection.
 * @param columns what to select of the rows `t`
 */
export function selectionStatement(
  mapping: TableMapping,
  scope: ProjectScope,
  selection: Selection,
  columns: Sql = sql`t.project_id, t.id`,
): Sql {
  const { conditions } = selection;
  if (selection.kind === 'query')
    return sql`SELECT ${columns} FROM (${selection.query}) m ${lookUp(mapping, sql`m.project_id`, sql`m.id`, and(conditions))}`;
  const [first, ...others] = sourcesOf(selection).map((source) =>
    sourceStatement(mapping, scope, source, conditions, columns),
  );
  if (!first) return sql`SELECT ${columns} ${from(mapping)} WHERE ${inScope(mapping, scope)} AND false`;
  return join([first, ...others], ' UNION ALL ');
}

function sourcesOf(selection: Exclude<Selection, { kind: 'query' }>): readonly Source[] {
  switch (selection.kind) {
    case 'table':
      return [WHOLE_TABLE];
    case 'sources':
      return selection.sources;
    case 'filtered':
      return selection.paths[0].sources;
  }
}

/** A query for all rows of one source. */
function sourceStatement(
  mapping: TableMapping,
  scope: ProjectScope,
  source: Source,
  conditions: readonly Sql[],
  columns: Sql,
): Sql {
  const { drivingRows, where } = source;
  const condition = and([
    ...conditions,
    where,
    ...(source.kind === 'rechecked blocks' ? [source.recheck] : []),
  ]);
  if (!('joined' in source)) {
    const driven =
      drivingRows && sql`FROM ${drivingRows} JOIN ${raw(mapping.table)} t ON t.project_id = s.project_id`;
    return sql`SELECT ${columns} ${driven ?? from(mapping)} WHERE ${inScope(mapping, scope)} AND ${condition}`;
  }
  const { table, projectColumn, idColumn, where: isJoined } = source.joined;
  const driven =
    drivingRows === undefined ? table : sql`${drivingRows} JOIN ${table} ON ${projectColumn} = s.project_id`;
  const inProject = scope === 'every project' ? sql`true` : sql`${projectColumn} = ${scope.project}`;
  return sql`SELECT ${columns} FROM ${driven} ${lookUp(mapping, projectColumn, idColumn, condition)}
    WHERE ${inProject} AND ${isJoined}`;
}
