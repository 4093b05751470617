import type { ProjectScope } from '../core/context/request-context';
import { and, type Sql } from '../database/sql';
import { type List, type Plan, type SourceUnion, unionOf } from './list';
import {
  type AccessPath,
  type FilteredSelection,
  isJoinedWhole,
  type RangeSource,
  type Source,
} from './selection';
import {
  FIRST_BLOCKS,
  FIRST_RECHECKED_BLOCKS,
  INITIAL_SCAN_ROWS,
  LONG_SCAN_ROWS,
  MAX_BLOCKS,
  MAX_PAGE_BY_VALUES,
  MIN_MATCH_RATIO,
  SCAN_GROWTH,
  SHORT_SCAN_GROWTH,
  SHORT_SCAN_ROWS,
} from './tuning';

/** A plan that reads a page in steps. */
export interface StepwisePlan extends Plan {
  readonly kind: 'stepwise';
  readonly scope: ProjectScope;
  /** Whether a row is in the list. */
  readonly matches: Sql;
  /** What is read before the first scan, and in most cases instead of it. */
  readonly leadingCandidates: CandidatesStep | undefined;
  /** How many rows the first scan reads in addition to a page. */
  readonly scanRows: number;
  /** What the statement of the first scan reads behind it, if it does not fill the page. */
  readonly behindScan: BehindScan | undefined;
  /**
   * The steps between the first scan and the choice of a path. `candidates` comes before the others; but if the first scan found
   * frequent matches, or if there are probably too many candidates, it comes after the first step of the chosen path.
   */
  readonly steps: readonly Step[];
  /** If there are several, a sample of the next rows decides which is followed. */
  readonly paths: readonly [StepwisePath, ...StepwisePath[]];
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

/** What follows a scan in the same statement. */
export interface BehindScan {
  readonly blocks: BlocksStep;
  /** The sources of all matches behind the blocks, which are read unless they are too many to sort. Undefined: none are read. */
  readonly rest: SourceUnion | undefined;
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

/** Plans the steps of a list in one project. */
export function planSteps(
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
  const [blocks, few, ...rest] = path.steps;
  const matches = and([...conditions, first.match]);
  // The only path needs no sample, so the statement of the scan can begin to follow it.
  if (
    blocks?.kind === 'blocks' &&
    few?.kind === 'few matches' &&
    others.length === 0 &&
    !candidates &&
    !byValues &&
    !blocks.rows.sources.some(isJoinedWhole)
  ) {
    const readsRest = isOfAnyValue(few.rows);
    return {
      ...{ kind: 'stepwise', list, scope, matches, leadingCandidates: undefined, steps: [] },
      behindScan: { blocks, rest: readsRest ? few.rows : undefined },
      scanRows: blocks.rows.sources.every(({ kind }) => kind === 'blocks') ? SHORT_SCAN_ROWS : LONG_SCAN_ROWS,
      paths: [{ ...path, steps: readsRest ? rest : [few, ...rest] }],
    };
  }
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

/** The only source of a path, if it is a range. */
export function rangeOf({ sources: [source, ...others] }: AccessPath) {
  return source?.kind === 'range' && others.length === 0 ? source : undefined;
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

/** Whether the planner sees no value in the conditions of a union. Otherwise, it would plan the statement for each value. */
const isOfAnyValue = ({ sources, conditions }: SourceUnion): boolean =>
  conditions.length === 0 &&
  sources.every((source) => source.kind === 'blocks' && source.ofAnyValue !== undefined);
