import type { Queryable } from '../../../src/database/database';
import { sql, type Sql } from '../../../src/database/sql';
import { planList } from '../../../src/lists/list-plan';
import { findStepwise } from '../../../src/lists/read-steps';
import type { Selection } from '../../../src/lists/selection';
import { aList, filtered, orders, project, sources } from './a-list';

const PATTERNS = {
  scan: /WITH scan_matches/,
  candidates: /WITH candidate/,
  few: /is_incomplete/,
  blocks: /SELECT r\.\*/,
  range: /^SELECT FROM/,
  all: /SELECT u\.\*/,
};
type Kind = keyof typeof PATTERNS;

const kindOf = ({ text }: Sql): Kind => {
  const [kind] = Object.entries(PATTERNS).find(([, pattern]) => pattern.test(text)) ?? [];
  if (kind === undefined) throw new Error(text);
  return kind as Kind;
};

/** The rows that a statement of a step returns. */
const positions = (...ids: number[]) =>
  ids.map((id) => ({ ...position(id), row_kind: 'item', is_incomplete: false }));
const position = (id: number) => ({
  project_id: project.project,
  list_id: String(id),
  k0: String(id),
  k1: String(id),
});
const scanned = (to: number, ...ids: number[]) => [
  ...positions(...ids),
  { ...position(to), row_kind: 'scanned' },
  { ...position(10_000_000), row_kind: 'last' },
];
/** The rows of a scan with the sample of its paths. */
const sampled = (sample: readonly number[], ...rows: readonly object[]) => [
  ...rows,
  { ...position(0), row_kind: 'sample', sample },
];
const tooMany = [{ ...position(1), is_incomplete: true }];

const blocks = filtered([[sources.blocks, sources.levels]]);
const wildcard = filtered([[sources['rechecked blocks']]]);
const range = filtered([[sources.range]], [sql`true`, sql`true`]);
const twoPaths = filtered([[sources.blocks], [sources.levels]]);
const candidatesOf = (size: 'few' | 'unknown' | 'many') =>
  ({ ...twoPaths, candidates: { query: sql`SELECT 7 AS id`, size } }) as Selection;
const withCandidates = candidatesOf('unknown');

type Answer = readonly [Kind, readonly object[]];
type Row = readonly [string, Selection, keyof typeof orders, readonly Answer[], readonly number[]];

describe('a stepwise read of three items', () => {
  it.each<Row>([
    ['ends with a scan that fills the page', blocks, 'id', [['scan', scanned(9, 1, 2, 3)]], [1, 2, 3]],
    ['ends with a scan to the end of the list', blocks, 'id', [['scan', positions(1)]], [1]],
    [
      'ends with the remaining matches, if they are few',
      blocks,
      'id',
      [
        ['scan', scanned(9, 1)],
        ['few', positions(90_000)],
      ],
      [1, 90_000],
    ],
    [
      'searches more blocks, if they are many, and then reads all matches',
      blocks,
      'id',
      [
        ['scan', scanned(9)],
        ['few', tooMany],
        ['blocks', positions(60_000)],
        ['all', positions(9_000_000)],
      ],
      [60_000, 9_000_000],
    ],
    [
      'searches blocks by a statement of its own, if it is planned for each execution',
      filtered([[sources.join]]),
      'id',
      [
        ['scan', scanned(9, 1)],
        ['blocks', positions(20, 30)],
      ],
      [1, 20, 30],
    ],
    [
      'reads the alternative of an index that finds too many rows',
      wildcard,
      'id',
      [
        ['scan', scanned(9)],
        ['few', tooMany],
        ['all', positions(60_000)],
      ],
      [60_000],
    ],
    [
      'scans further in the order of names, if that should fill the page',
      blocks,
      'name',
      [
        ['scan', scanned(9, 1)],
        ['scan', scanned(99, 20)],
        ['all', positions(100)],
      ],
      [1, 20, 100],
    ],
    [
      'reads all matches in the order of names, if the scan found none',
      blocks,
      'name',
      [
        ['scan', scanned(9)],
        ['all', positions(100)],
      ],
      [100],
    ],
    [
      'scans as far as a range is long, and then reads the range',
      range,
      'name',
      [
        ['scan', scanned(9)],
        ['range', [{}]],
        ['scan', scanned(99, 20)],
        ['range', []],
        ['all', positions(100)],
      ],
      [20, 100],
    ],
    [
      'follows the path that finds the fewest rows of a sample',
      twoPaths,
      'id',
      [
        ['scan', sampled([100, 1], ...scanned(9))],
        ['blocks', positions(20, 30, 40)],
      ],
      [20, 30, 40],
    ],
    [
      'reads candidates before it follows a path',
      withCandidates,
      'id',
      [
        ['scan', scanned(9)],
        ['candidates', positions(50)],
      ],
      [50],
    ],
    [
      'reads few candidates in place of a scan',
      candidatesOf('few'),
      'id',
      [['candidates', positions(50)]],
      [50],
    ],
    [
      'scans and follows a path, if there are too many candidates after all',
      candidatesOf('few'),
      'id',
      [
        ['candidates', tooMany],
        ['scan', sampled([1, 1], ...scanned(9, 1))],
        ['blocks', positions(20, 30)],
      ],
      [1, 20, 30],
    ],
    [
      'follows a path, if there are too many candidates',
      withCandidates,
      'id',
      [
        ['scan', sampled([1, 1], ...scanned(9))],
        ['candidates', tooMany],
        ['blocks', positions(20, 30, 40)],
      ],
      [20, 30, 40],
    ],
    [
      'reads the next blocks before candidates that are probably too many',
      candidatesOf('many'),
      'id',
      [
        ['scan', sampled([1, 1], ...scanned(9))],
        ['blocks', positions(20)],
        ['candidates', positions(50)],
      ],
      [20, 50],
    ],
    [
      'reads candidates, if the scan found few matches: the rest can be rare',
      withCandidates,
      'id',
      [
        ['scan', scanned(9, 1)],
        ['candidates', positions(9_000_000)],
      ],
      [1, 9_000_000],
    ],
  ])('%s', (_, selection, order, answers, expected) => expectRead(3, selection, order, answers, expected));
});

describe('a stepwise read of which the scan found a match in 200 rows', () => {
  it.each<Row>([
    [
      'scans further before the blocks and candidates, if that should fill the page',
      withCandidates,
      'id',
      [
        ['scan', scanned(9, 1, 2, 3, 4)],
        ['scan', scanned(99, 10, 11, 12)],
      ],
      [1, 2, 3, 4, 10, 11, 12],
    ],
    [
      'reads the next blocks, if the second scan did not fill the page',
      withCandidates,
      'id',
      [
        ['scan', sampled([1, 1], ...scanned(9, 1, 2, 3, 4))],
        ['scan', scanned(99, 10)],
        ['blocks', positions(120, 130)],
      ],
      [1, 2, 3, 4, 10, 120, 130],
    ],
    [
      'reads the next blocks before the candidates',
      withCandidates,
      'id',
      [
        ['scan', sampled([1, 1], ...scanned(9, 1, 2, 3))],
        ['blocks', positions(20, 30, 40, 50)],
      ],
      [1, 2, 3, 20, 30, 40, 50],
    ],
    [
      'reads the candidates, if the next blocks have no more matches',
      withCandidates,
      'id',
      [
        ['scan', sampled([1, 1], ...scanned(9, 1, 2, 3))],
        ['blocks', []],
        ['candidates', positions(9_000_000)],
      ],
      [1, 2, 3, 9_000_000],
    ],
  ])('%s', (_, selection, order, answers, expected) => expectRead(7, selection, order, answers, expected));
});

/** Reads a page, and expects these statements, which are answered in turn, and these ids. */
async function expectRead(
  limit: number,
  selection: Selection,
  order: keyof typeof orders,
  answers: readonly Answer[],
  expected: readonly number[],
): Promise<void> {
  const plan = planList(aList({ selections: [{ scope: project, selection }], order: orders[order] }));
  if (plan.kind !== 'stepwise') throw new Error(plan.kind);
  const sent: Kind[] = [];
  const on: Queryable = {
    rows: (statement) => {
      const answer = answers[sent.length];
      sent.push(kindOf(statement));
      return Promise.resolve([...(answer?.[1] ?? [])] as never);
    },
  };
  const found = await findStepwise(plan, { order: orders[order], marker: undefined, limit }, on);
  expect(sent).toEqual(answers.map(([kind]) => kind));
  expect(found.map(({ id }) => Number(id))).toEqual(expected);
}
