import type { Queryable } from '../database/database';
import { blocksToRead, endOf, isIn, nextRanges } from './id-ranges';
import {
  type KeysetRead,
  keysOfColumns,
  type KeyValues,
  type PositionRow,
  type RowPosition,
  toPositions,
} from './keyset';
import type { Statement } from './list-statements';
import { type ScannedRow, scanStatement } from './scan-statement';
import { type Step, type StepwisePlan, stepsAfterScan } from './step-plan';
import {
  allMatchesStatement,
  blocksStatement,
  candidatesStatement,
  type FewMatchesRow,
  fewMatchesStatement,
  rangeLengthStatement,
} from './step-statements';
import { SCAN_GROWTH } from './tuning';

/** What a step has read. */
interface StepResult {
  readonly positions: readonly RowPosition[];
  /** The position after which the list continues; undefined at the end of the list. */
  readonly readTo: KeyValues | undefined;
}

/** A scan of the next rows of a list, with what the same statement found after them. */
interface Scan extends StepResult {
  /** The number of scanned rows. */
  readonly width: number;
  /** The id of the last row of all in the order of the read; undefined if the page is full. */
  readonly lastId: string | undefined;
  /** How many of the next rows each path finds; empty if the page is full, or if the plan has one path. */
  readonly sample: readonly number[];
}

/** A read of a list whose first scan did not fill the page. */
interface SteppedRead {
  readonly plan: StepwisePlan;
  readonly firstScan: Scan;
  readonly on: Queryable;
}

/**
 * Finds the positions of the next items: see `Step`. Each step continues where the previous one ended, until the page is
 * full or the list ends.
 */
export async function findStepwise(
  plan: StepwisePlan,
  read: KeysetRead,
  on: Queryable,
): Promise<RowPosition[]> {
  if (plan.first === 'scan' && plan.candidates?.when === 'first') {
    const matches = await readFewMatches(
      read,
      on,
      candidatesStatement(plan, read, plan.candidates.step.query),
    );
    if (matches) return [...matches.positions];
  }
  const firstScan = await scanRows(plan, read, plan.scanRows + read.limit, on, { isFirst: true });
  const found = [...firstScan.positions];
  let { readTo } = firstScan;
  const { width, sample } = firstScan;
  for (const step of stepsAfterScan(plan, { found: found.length, width, sample })) {
    if (readTo === undefined || found.length === read.limit) break;
    const rest = { ...read, marker: readTo, limit: read.limit - found.length };
    const result = await readStep({ plan, firstScan, on }, step, rest);
    if (!result) continue;
    found.push(...result.positions);
    readTo = result.readTo;
  }
  return found;
}

/** Runs one step. @returns undefined if it is not worth it, or could not be completed */
function readStep(read: SteppedRead, step: Step, rest: KeysetRead): Promise<StepResult | undefined> {
  switch (step.kind) {
    case 'scan':
      return readScan(read, step, rest);
    case 'scan as far as range':
      return readScansOfRange(read, step, rest);
    case 'candidates':
      return readCandidates(read, step, rest);
    case 'blocks':
      return readBlocks(read, step, rest);
    case 'few matches':
      return readFewMatches(rest, read.on, fewMatchesStatement(step.rows, rest));
    case 'all matches':
      return readAllMatches(read, step, rest);
  }
}

type StepOf<K extends Step['kind']> = Extract<Step, { kind: K }>;

async function readScan(
  { plan, firstScan, on }: SteppedRead,
  { growth }: StepOf<'scan'>,
  rest: KeysetRead,
): Promise<StepResult | undefined> {
  const found = firstScan.positions.length;
  return found * growth >= found + rest.limit
    ? scanRows(plan, rest, firstScan.width * growth, on)
    : undefined;
}

async function readScansOfRange(
  { plan, firstScan, on }: SteppedRead,
  { range }: StepOf<'scan as far as range'>,
  rest: KeysetRead,
): Promise<StepResult> {
  const positions: RowPosition[] = [];
  let { marker: readTo } = rest;
  let width = firstScan.width * SCAN_GROWTH;
  while ((await on.rows(...rangeLengthStatement(plan, range, width))).length > 0) {
    const next = { ...rest, marker: readTo, limit: rest.limit - positions.length };
    const scan = await scanRows(plan, next, width, on);
    positions.push(...scan.positions);
    readTo = scan.readTo;
    if (readTo === undefined || positions.length === rest.limit) break;
    width *= SCAN_GROWTH;
  }
  return { positions, readTo };
}

/**
 * Reads as many blocks as should fill the page, by the frequency of matches in the first scan. After a `scan and blocks`, the known
 * matches include those of its blocks, among which more rows are than `width`; but later blocks have the maximum as their minimum.
 */
async function readBlocks(
  { firstScan: { positions: known, width, lastId }, on }: SteppedRead,
  { rows, min }: StepOf<'blocks'>,
  rest: KeysetRead,
): Promise<StepResult | undefined> {
  if (lastId === undefined) return undefined;
  const ranges = nextRanges(rest, lastId, blocksToRead(min, known.length, width, rest.limit));
  const positions = await readPositions(rest, on, blocksStatement(rows, rest, ranges));
  const last = ranges.at(-1);
  const isEnd = last === undefined || isIn(last, Number(lastId));
  return { positions, readTo: isEnd ? undefined : [String(endOf(last, rest.order.descending))] };
}

function readCandidates(
  { plan, on }: SteppedRead,
  { query }: StepOf<'candidates'>,
  rest: KeysetRead,
): Promise<StepResult | undefined> {
  return readFewMatches(rest, on, candidatesStatement(plan, rest, query));
}

/** Reads all remaining matches. @returns undefined if the statement finds that they are too many */
async function readFewMatches(
  rest: KeysetRead,
  on: Queryable,
  statement: Statement,
): Promise<StepResult | undefined> {
  const found = await on.rows<FewMatchesRow>(...statement);
  return found.some((row) => row.is_incomplete)
    ? undefined
    : { positions: toPositions(rest, found), readTo: undefined };
}

async function readAllMatches(
  { on }: SteppedRead,
  { rows }: StepOf<'all matches'>,
  rest: KeysetRead,
): Promise<StepResult> {
  return { positions: await readPositions(rest, on, allMatchesStatement(rows, rest)), readTo: undefined };
}

async function scanRows(
  plan: StepwisePlan,
  read: KeysetRead,
  width: number,
  on: Queryable,
  options?: { readonly isFirst: boolean },
): Promise<Scan> {
  const rows = await on.rows<ScannedRow>(...scanStatement(plan, read, width, options));
  const rowsOf = (kind: ScannedRow['row_kind']) => rows.filter((row) => row.row_kind === kind);
  const positions = toPositions(read, rowsOf('item'));
  if (positions.length === read.limit)
    return { positions, width, readTo: positions.at(-1)?.keys, lastId: undefined, sample: [] };
  const [scanned] = rowsOf('scanned');
  const [last] = rowsOf('last');
  const [sample] = rowsOf('sample');
  return {
    positions,
    width,
    readTo: scanned && keysOfColumns(read.order, scanned),
    lastId: last?.list_id,
    sample: sample?.sample ?? [],
  };
}

const readPositions = async (read: KeysetRead, on: Queryable, statement: Statement): Promise<RowPosition[]> =>
  toPositions(read, await on.rows<PositionRow>(...statement));
