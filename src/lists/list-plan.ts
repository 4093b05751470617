import type { ProjectScope } from '../core/context/request-context';
import type { PlanMode } from '../database/database';
import type { ListedProjects } from '../database/deleted-resources';
import type { ResourceMapping } from '../database/resource-mapping';
import { and, sql, type Sql } from '../database/sql';
import type { SelectedColumns, SortOrder } from './keyset';
import type { Marker } from './marker';
import {
  type AccessPath,
  type FilteredSelection,
  isJoinedWhole,
  type RangeSource,
  type Selection,
  type Source,
  WHOLE_TABLE,
} from './selection';
import {
  FIRST_BLOCKS,
  FIRST_RECHECKED_BLOCKS,
  INITIAL_SCAN_ROWS,
  LONG_SCAN_ROWS,
  SHORT_SCAN_ROWS,
  MAX_BLOCKS,
  MIN_MATCH_RATIO,
  SCAN_GROWTH,
  SHORT_SCAN_GROWTH,
  MAX_PAGE_BY_VALUES,
} from './tuning';

/** How change records tell whether a marker is the id of an item that was deleted. */
export interface DeletedItems {
  /** The kinds of the items, as in change records. */
  readonly kinds: readonly string[];
  /** A condition over the record `t` of `deletionOf` for the items that the caller could see. */
  readonly readable: Sql;
}

/** The rows of a list in one project, or in every project. */
interface SelectionInScope {
  readonly scope: ProjectScope;
  readonly selection: Selection;
}

/** What to list. */
export interface List {
  readonly mapping: ResourceMapping;
  /** One, except for a list of every project in a distributed database: it has one for each project. */
  readonly selections: readonly SelectionInScope[];
  readonly order: SortOrder;
  readonly limit: number;
  /** Undefined: the first page. */
  readonly marker: Marker | undefined;
  /** A condition over `t` for the rows that the caller may read; it applies to the marker. */
  readonly readable: Sql;
  /** Undefined: items are never deleted. */
  readonly deleted: DeletedItems | undefined;
  readonly select: SelectedColumns;
}

/** Rows that are read in the order of a list: those of several sources that meet conditions. */
export interface SourceUnion {
  readonly mapping: ResourceMapping;
  readonly scope: ProjectScope;
  readonly sources: readonly Source[];
  readonly conditions: readonly Sql[];
}

/**
 * How a page is read:
 * - `direct`: one statement reads the rows and finds the previous page. Indexes have the rows in the order of the list, or
 *   the list has no cheaper way.
 * - `query`: a query computes the whole list; its rows are sorted.
 * - `stepwise`: the next rows in the order of the list are checked first. If they are too few, the indexes of the sources
 *   are read, in steps.
 * - `merged`: the positions of each project are read and merged.
 */
export type ListPlan = DirectPlan | QueryPlan | StepwisePlan | MergedPlan;

interface AnyPlan {
  readonly list: List;
}

export interface DirectPlan extends AnyPlan {
  readonly kind: 'direct';
  readonly rows: SourceUnion;
  readonly mode: PlanMode;
  /** Undefined: the rows are always complete. */
  readonly fallback: Fallback | undefined;
}

/** What is read if a statement finds that its rows are not complete. */
export interface Fallback {
  /** Whether they are not, as an expression. */
  readonly isIncomplete: Sql;
  readonly plan: ListPlan;
}

export interface QueryPlan extends AnyPlan {
  readonly kind: 'query';
  readonly query: Sql;
  readonly conditions: readonly Sql[];
}

export interface StepwisePlan extends AnyPlan {
  readonly kind: 'stepwise';
  readonly scope: ProjectScope;
  /** Whether a row is in the list. */
  readonly matches: Sql;
  /** What is read before the first scan, and in most cases instead of it. */
  readonly leadingCandidates: CandidatesStep | undefined;
  /** How many rows the first scan reads in addition to a page. */
  readonly scanRows: number;
  /** What the statement of the first scan reads behind it, if it does not fill the page. */
  readonly behindScan: BlocksStep | undefined;
  /**
   * The steps between the first scan and the choice of a path. `candidates` comes before the others; but if the first scan found
   * frequent matches, or if there are probably too many candidates, it comes after the first step of the chosen path.
   */
  readonly steps: readonly Step[];
  /** If there are several, a sample of the next rows decides which is followed. */
  readonly paths: readonly [StepwisePath, ...StepwisePath[]];
}

export interface MergedPlan extends AnyPlan {
  readonly kind: 'merged';
  readonly projects: readonly SourceUnion[];
}

/** An access path of a list, as its steps. */
export interface StepwisePath {
  /** Whether a row `t` is found through this path. */
  readonly match: Sql;
  readonly steps: readonly Step[];
}

/** Reads the sources in the next blocks of ids: see `Step`. */
export interface BlocksStep {
  readonly kind: 'blocks';
  readonly rows: SourceUnion;
  /** The minimum number of blocks. */
  readonly min: number;
}

/** Reads all remaining matches among the rows that can meet the conditions, unless these are too many: see `Step`. */
interface CandidatesStep {
  readonly kind: 'candidates';
  /** A query for `id`: see `Candidates`. */
  readonly query: Sql;
  /** Whether they are probably too many. */
  readonly areMany: boolean;
}

/**
 * A step continues where the one before it ended. No step costs much more than a page, except the last one.
 * - `scan`: checks the next rows, `growth` times as many as the first scan, if it is likely that they fill the page.
 * - `scan as far as range`: checks ever more of the next rows, until they are more than those of a range.
 * - `candidates`: reads all remaining matches among candidates and ends the list, unless there are too many candidates.
 * - `blocks`: reads the sources in the next blocks of ids: as many as should fill the page, but at least `min`.
 * - `few matches`: reads all remaining matches and ends the list, unless they are too many to sort.
 * - `all matches`: reads all remaining matches and ends the list.
 */
export type Step =
  | { readonly kind: 'scan'; readonly growth: number }
  | { readonly kind: 'scan as far as range'; readonly range: RangeSource }
  | CandidatesStep
  | BlocksStep
  | { readonly kind: 'few matches'; readonly rows: SourceUnion }
  | { readonly kind: 'all matches'; readonly rows: SourceUnion };

/** Plans how a page is read. */
export function planList(list: List): ListPlan {
  const [first, ...others] = list.selections;
  if (!first || others.length > 0) return planMerged(list);
  const { scope, selection } = first;
  switch (selection.kind) {
    case 'table':
      return planTable(list, scope, selection.conditions);
    case 'sources':
      return planDirect(list, unionOf(list, scope, selection), 'generic');
    case 'filtered':
      return planFiltered(list, scope, selection);
    case 'query':
      return { ...selection, list };
  }
}

/** The projects of a list. */
export function listedProjects({ selections }: List): ListedProjects {
  const [first, ...others] = selections;
  if (first && others.length === 0) return first.scope;
  return selections.flatMap(({ scope }) => (scope === 'every project' ? [] : [scope.project]));
}

function planTable(list: List, scope: ProjectScope, conditions: readonly Sql[]): ListPlan {
  // In id order, the index of a condition has the rows in order.
  if (conditions.length > 0 && list.order.keys.length > 1 && canScan(list, scope))
    return planSteps(list, scope, {
      conditions,
      paths: [{ sources: [WHOLE_TABLE], match: sql`true` }],
      byValues: undefined,
      candidates: undefined,
    });
  return planDirect(list, unionOf(list, scope, { sources: [WHOLE_TABLE], conditions }), 'generic');
}

function planFiltered(list: List, scope: ProjectScope, selection: FilteredSelection): ListPlan {
  const { conditions, paths, inIdOrder, planning } = selection;
  if (inIdOrder && list.order.keys.length === 1) {
    const [isIncomplete] = inIdOrder.flatMap((source) =>
      source.kind === 'look up' ? (source.isIncomplete ?? []) : [],
    );
    const plan = planDirect(list, unionOf(list, scope, { sources: inIdOrder, conditions }), 'generic');
    if (!isIncomplete) return plan;
    const otherwise = planFiltered(list, scope, { ...selection, inIdOrder: undefined });
    return { ...plan, fallback: { isIncomplete, plan: otherwise } };
  }
  const [{ sources }] = paths;
  if (canScan(list, scope) && !isReadInOrderOfRange(list, selection))
    return planSteps(list, scope, selection);
  return planDirect(list, unionOf(list, scope, { sources, conditions }), planning);
}

/** Whether an index has the rows of a project in the order of the list, so that the next rows can be checked. */
function canScan({ mapping, order }: List, scope: ProjectScope): boolean {
  const [first, second] = order.keys.map(({ column }) => column);
  const { sort, naturalSort } = mapping.fields[mapping.nameField] ?? {};
  const isByName = first === sort?.column || first === naturalSort?.column;
  const isIndexOrder = second === undefined || (isByName && second === 't.id');
  return scope !== 'every project' && mapping.idType === 'bigint' && isIndexOrder;
}

/** A range without other conditions is read through its own index, in the order of that index. */
function isReadInOrderOfRange({ order }: List, { conditions, paths: [path] }: FilteredSelection): boolean {
  const range = rangeOf(path);
  return range !== undefined && conditions.length === 1 && range.column === order.keys[0]?.column;
}

/** The only source of a path, if it is a range. */
function rangeOf({ sources: [source, ...others] }: AccessPath) {
  return source?.kind === 'range' && others.length === 0 ? source : undefined;
}

const unionOf = (
  { mapping }: List,
  scope: ProjectScope,
  { sources, conditions }: Pick<SourceUnion, 'sources' | 'conditions'>,
): SourceUnion => ({ mapping, scope, sources, conditions });

const planDirect = (list: List, rows: SourceUnion, mode: PlanMode): DirectPlan => ({
  kind: 'direct',
  list,
  rows,
  mode,
  fallback: undefined,
});

function planSteps(
  list: List,
  scope: ProjectScope,
  selection: Pick<FilteredSelection, 'conditions' | 'paths' | 'byValues' | 'candidates'>,
): StepwisePlan {
  const { conditions, paths, byValues, candidates } = selection;
  const [first, ...others] = paths;
  const isById = list.order.keys.length === 1;
  const toPath = (path: AccessPath, more: readonly Sql[]): StepwisePath => {
    const rows = unionOf(list, scope, { sources: path.sources, conditions: [...conditions, ...more] });
    return { match: path.match, steps: stepsOf(list, path, rows) };
  };
  const readCandidates =
    candidates &&
    ({ kind: 'candidates', query: candidates.query, areMany: candidates.size === 'many' } as const);
  // In the order of ids, their look-ups end with the page, so they cost less than the scan even if many of them match.
  const beginsWithCandidates = isById && candidates?.size === 'few';
  const path = toPath(first, []);
  const [behindScan, ...rest] = path.steps;
  const matches = and([...conditions, first.match]);
  // The only path needs no sample, so the statement of the scan can begin to follow it.
  if (
    behindScan?.kind === 'blocks' &&
    others.length === 0 &&
    !candidates &&
    !byValues &&
    !behindScan.rows.sources.some(isJoinedWhole)
  )
    return {
      ...{ kind: 'stepwise', list, scope, matches, leadingCandidates: undefined, behindScan, steps: [] },
      scanRows: behindScan.rows.sources.every(({ kind }) => kind === 'blocks')
        ? SHORT_SCAN_ROWS
        : LONG_SCAN_ROWS,
      paths: [{ ...path, steps: rest }],
    };
  return {
    kind: 'stepwise',
    list,
    scope,
    matches,
    leadingCandidates: beginsWithCandidates ? readCandidates : undefined,
    scanRows: INITIAL_SCAN_ROWS,
    behindScan: undefined,
    steps: [
      ...(isById ? [{ kind: 'scan', growth: SHORT_SCAN_GROWTH } as const] : []),
      ...(readCandidates && !beginsWithCandidates ? [readCandidates] : []),
      // In another order, all rows with these values would be read and sorted.
      ...(byValues && isById && list.limit <= MAX_PAGE_BY_VALUES
        ? [{ kind: 'few matches', rows: unionOf(list, scope, { sources: byValues, conditions }) } as const]
        : []),
    ],
    paths: [path, ...others.map((path) => toPath(path, [first.match]))],
  };
}

/**
 * The steps of an access path. Frequent matches are found fastest by scanning the next rows in order, because an index
 * would return hundreds of thousands of rows to sort. Rare matches are found fastest through the indexes of the sources.
 * How frequent they are is unknown in advance, and the planner's statistics on JSON documents are guesses.
 */
function stepsOf({ order }: List, path: AccessPath, rows: SourceUnion): readonly Step[] {
  const all: Step = { kind: 'all matches', rows };
  const range = rangeOf(path);
  // Neither the list nor the range is read much further than the other.
  if (range) return [{ kind: 'scan as far as range', range }, all];
  if (order.keys.length > 1) return [{ kind: 'scan', growth: SCAN_GROWTH }, all];
  return rows.sources.every(hasBlocks) ? stepsInBlocks(rows, all) : [all];
}

function stepsInBlocks(rows: SourceUnion, all: Step): readonly Step[] {
  const isRechecked = rows.sources.some(({ kind }) => kind === 'rechecked blocks');
  const min = isRechecked ? FIRST_RECHECKED_BLOCKS : FIRST_BLOCKS;
  const first: readonly Step[] = [
    { kind: 'blocks', rows, min },
    { kind: 'few matches', rows },
  ];
  const alternatives = rows.sources.map((source) =>
    source.kind === 'rechecked blocks' ? source.alternative : source,
  );
  if (isRechecked) return [...first, { kind: 'all matches', rows: { ...rows, sources: alternatives } }];
  // Frequent matches that begin later in the list are found block by block, too.
  return [...first, { kind: 'blocks', rows, min: MAX_BLOCKS }, all];
}

/**
 * The path that finds the fewest of the rows of a sample.
 * @param found how many each path finds
 */
export function choosePath(
  paths: readonly [StepwisePath, ...StepwisePath[]],
  found: readonly number[],
): StepwisePath {
  const [first] = paths;
  const fewest = Math.min(...found);
  // A few matches prove nothing: rows that inherit the same value come in clusters.
  const isFewer = (found[0] ?? 0) >= MIN_MATCH_RATIO * Math.max(fewest, 2);
  return isFewer ? (paths[found.indexOf(fewest)] ?? first) : first;
}

/** Whether a source can be read in a range of ids without reading all of its rows. */
const hasBlocks = ({ kind }: Source): boolean => kind !== 'unordered' && kind !== 'range';

function planMerged(list: List): MergedPlan {
  const projects = list.selections.map(({ scope, selection }): SourceUnion => {
    switch (selection.kind) {
      case 'table':
        return unionOf(list, scope, { ...selection, sources: [WHOLE_TABLE] });
      case 'sources':
        return unionOf(list, scope, selection);
      case 'filtered':
        return unionOf(list, scope, { ...selection, sources: selection.paths[0].sources });
      case 'query': {
        const isMember = sql`t.id IN (SELECT m.id FROM (${selection.query}) m)`;
        const conditions = [...selection.conditions, isMember];
        return unionOf(list, scope, { sources: [WHOLE_TABLE], conditions });
      }
    }
  });
  return { kind: 'merged', list, projects };
}
