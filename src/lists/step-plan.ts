import type { ProjectScope } from '../core/context/request-context';
import { and, type Sql } from '../database/sql';
import type { List } from './list';
import {
  type AccessPath,
  type Candidates,
  type FilteredSelection,
  isJoinedWhole,
  type RangeSource,
  type Source,
} from './selection';
import { hasGenericPlan, type SourceUnion, unionOf } from './source-union';
import {
  FIRST_BLOCKS,
  FIRST_RECHECKED_BLOCKS,
  INHERITED_SCAN_ROWS,
  INITIAL_SCAN_ROWS,
  MAX_BLOCKS,
  MAX_PAGE_BY_VALUES,
  MIN_FREQUENCY,
  MIN_MATCH_RATIO,
  OWN_SCAN_ROWS,
  SCAN_GROWTH,
  SHORT_SCAN_GROWTH,
} from './tuning';

/** A plan that reads a page in steps: first a scan of the next rows and, if that does not fill the page, further steps. */
export type StepwisePlan = ScanPlan | ScanAndBlocksPlan;

interface AnyStepwisePlan {
  readonly kind: 'stepwise';
  readonly list: List;
  readonly scope: ProjectScope;
  /** Whether a row is in the list. */
  readonly matches: Sql;
  /** How many rows the first scan reads in addition to a page. */
  readonly scanRows: number;
}

/** The first scan is a statement of its own. */
export interface ScanPlan extends AnyStepwisePlan {
  readonly first: 'scan';
  readonly candidates: PlannedCandidates | undefined;
  /** The steps between the first scan and the choice of a path. */
  readonly steps: readonly Step[];
  /** If there are several, a sample of the next rows, which the first scan takes, decides which is followed. */
  readonly paths: readonly [StepwisePath, ...StepwisePath[]];
}

/** The statement of the first scan also reads the blocks of ids after it, through the only path. */
export interface ScanAndBlocksPlan extends AnyStepwisePlan {
  readonly first: 'scan and blocks';
  readonly blocks: BlocksStep;
  /** The sources of all matches after the blocks: it reads these, too, unless they are too many to sort. Undefined: it does not. */
  readonly remaining: SourceUnion | undefined;
  /** The other steps of the path. */
  readonly steps: readonly Step[];
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
}

interface PlannedCandidates {
  readonly step: CandidatesStep;
  /**
   * - `first`: before the first scan, and in most cases in place of it.
   * - `after scan`: after the first scan; but if that found frequent matches, as below.
   * - `after first step`: after the first step of the chosen path.
   */
  readonly when: 'first' | 'after scan' | 'after first step';
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
  const path = toPath(first, []);
  const plan = { kind: 'stepwise', list, scope, matches: and([...conditions, first.match]) } as const;
  // The only path needs no sample, so the statement of the scan can begin to follow it.
  if (others.length === 0 && !candidates && !byValues) {
    const scanAndBlocks = planScanAndBlocks(path);
    if (scanAndBlocks) return { ...plan, ...scanAndBlocks };
  }
  return {
    ...plan,
    first: 'scan',
    scanRows: INITIAL_SCAN_ROWS,
    candidates: candidates && planCandidates(candidates, isById),
    steps: [
      ...(isById ? [{ kind: 'scan', growth: SHORT_SCAN_GROWTH } as const] : []),
      // In another order, all rows with these values would be read and sorted.
      ...(byValues && isById && list.limit <= MAX_PAGE_BY_VALUES
        ? [{ kind: 'few matches', rows: unionOf(list, scope, { sources: byValues, conditions }) } as const]
        : []),
    ],
    paths: [path, ...others.map((path) => toPath(path, [first.match]))],
  };
}

/** Undefined if the path does not begin with blocks, or if its blocks are read by a statement that is planned for each execution. */
function planScanAndBlocks({
  steps: [blocks, few, ...others],
}: StepwisePath):
  | (Omit<ScanAndBlocksPlan, keyof AnyStepwisePlan> & Pick<ScanAndBlocksPlan, 'scanRows'>)
  | undefined {
  if (blocks?.kind !== 'blocks' || few?.kind !== 'few matches') return undefined;
  const { sources } = blocks.rows;
  if (sources.some(isJoinedWhole)) return undefined;
  // Wildcards are no such matches: their index finds rows that must be rechecked.
  const areOwn = sources.every(({ kind }) => kind === 'blocks');
  const readsRemaining = areOwn && hasGenericPlan(few.rows);
  return {
    first: 'scan and blocks',
    scanRows: areOwn ? OWN_SCAN_ROWS : INHERITED_SCAN_ROWS,
    blocks,
    remaining: readsRemaining ? few.rows : undefined,
    steps: readsRemaining ? others : [few, ...others],
  };
}

function planCandidates({ query, size }: Candidates, isById: boolean): PlannedCandidates {
  const step = { kind: 'candidates', query } as const;
  if (size === 'many') return { step, when: 'after first step' };
  // In the order of ids, their look-ups end with the page, so they cost less than the scan even if many of them match.
  return { step, when: size === 'few' && isById ? 'first' : 'after scan' };
}

/** What a scan has found. */
export interface ScanResult {
  /** The number of matches. */
  readonly found: number;
  /** The number of rows among which they are. */
  readonly width: number;
  /** How many of the next rows each path finds; empty if the plan has one path. */
  readonly sample: readonly number[];
}

/** The steps of a plan after its first scan, in their order. */
export function stepsAfterScan(plan: StepwisePlan, { found, width, sample }: ScanResult): readonly Step[] {
  if (plan.first === 'scan and blocks') return plan.steps;
  const { candidates, steps, paths } = plan;
  const path = choosePath(paths, sample).steps;
  if (!candidates || candidates.when === 'first') return [...steps, ...path];
  const areFrequent = found * MIN_FREQUENCY >= width;
  if (candidates.when === 'after scan' && !areFrequent) return [candidates.step, ...steps, ...path];
  // Matches can be frequent at the beginning of the list only.
  return [...steps, ...path.slice(0, 1), candidates.step, ...path.slice(1)];
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
