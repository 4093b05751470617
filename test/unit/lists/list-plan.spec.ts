import { sql, type Sql } from '../../../src/database/sql';
import { listedProjects, type List } from '../../../src/lists/list';
import { planList, type ListPlan } from '../../../src/lists/list-plan';
import { choosePath, type Step, type StepwisePlan, stepsAfterScan } from '../../../src/lists/step-plan';
import type { FilteredSelection, Selection, Source } from '../../../src/lists/selection';
import { aList, filtered, inlined, mapping, orders, otherProject, project, sources } from './a-list';

const { table, levels, join, range, unordered, blocks, 'rechecked blocks': rechecked } = sources;
const hash = sources['look up'];
const condition = sql`t.active`;

const planned = (selection: Selection, list: Partial<List> = {}): ListPlan =>
  planList(aList({ ...list, selections: [{ scope: project, selection }] }));

const kindsOf = (found: readonly Source[]) => found.map(({ kind }) => kind).join(', ');

function describeStep(step: Step): string {
  switch (step.kind) {
    case 'scan':
      return `scan ×${String(step.growth)}`;
    case 'scan as far as range':
      return `scan as far as ${step.range.column}`;
    case 'candidates':
      return 'candidates';
    case 'blocks':
      return `≥ ${String(step.min)} blocks of ${kindsOf(step.rows.sources)}`;
    case 'few matches':
    case 'all matches':
      return `${step.kind} of ${kindsOf(step.rows.sources)}`;
  }
}

const describeSteps = (steps: readonly Step[]) => steps.map(describeStep).join('; ');

function describeFirst(plan: StepwisePlan): readonly string[] {
  if (plan.first === 'scan') return plan.candidates ? [`candidates ${plan.candidates.when}`] : [];
  const { scanRows, blocks: searched, remaining } = plan;
  return [`${String(scanRows)} rows and ${describeStep(searched)}${remaining ? ' and what remains' : ''}`];
}

/** A plan in words: what it is read through, and how its statements are planned. */
function describePlan(plan: ListPlan): string {
  switch (plan.kind) {
    case 'direct':
      return `direct, ${plan.mode}: ${kindsOf(plan.rows.sources)}`;
    case 'query':
      return 'query';
    case 'stepwise':
      return [
        ...describeFirst(plan),
        ...plan.steps.map(describeStep),
        ...(plan.first === 'scan' ? [plan.paths.map(({ steps }) => describeSteps(steps)).join(' | ')] : []),
      ].join(', then ');
    case 'merged':
      return `merged: ${plan.projects.map(({ sources: found }) => kindsOf(found)).join(' | ')}`;
  }
}

type Row = readonly [name: string, selection: Selection, order: keyof typeof orders, plan: string];

describe('the plan of a list of one project', () => {
  const whole: Selection = { kind: 'table', conditions: [] };
  const active: Selection = { kind: 'table', conditions: [condition] };
  const comparison = {
    ...filtered([[table]]),
    ...{ candidates: { query: sql`SELECT 7 AS id`, size: 'unknown' }, byValues: [sources.values] },
  } as Selection;
  const rare = {
    ...filtered([[blocks], [levels]]),
    candidates: { query: sql`SELECT 7 AS id`, size: 'few' },
  } as Selection;
  const inOrderOfIds =
    '≥ 3 blocks of table; few matches of table; ≥ 1024 blocks of table; all matches of table';
  const byLabel: Selection = { ...filtered([[join]], [condition], join), planning: 'generic' } as Selection;

  it.each<Row>([
    ['the whole table in the order of ids', whole, 'id', 'direct, generic: table'],
    ['the whole table backwards', whole, 'id, backwards', 'direct, generic: table'],
    ['the whole table in the order of names', whole, 'name', 'direct, generic: table'],
    ['the whole table in an order without an index', whole, 'size', 'direct, generic: table'],
    ['a condition in the order of ids', active, 'id', 'direct, generic: table'],
    ['a condition in the order of names', active, 'name', 'scan ×8; all matches of table'],
    ['a condition in an order without an index', active, 'size', 'direct, generic: table'],
    [
      'rows of a source in the order of names: no condition tells which these are',
      { kind: 'sources', conditions: [condition], sources: [join] },
      'name',
      'direct, generic: join',
    ],
    ['no rows', { kind: 'sources', conditions: [], sources: [] }, 'id', 'direct, generic: '],
    ['a query', { kind: 'query', conditions: [], query: sql`SELECT` }, 'name', 'query'],
    ['a label in the order of ids', byLabel, 'id', 'direct, generic: join'],
    ['a label in the order of names', byLabel, 'name', 'scan ×8; all matches of join'],
    ['a label in an order without an index', byLabel, 'size', 'direct, generic: join'],
    ['a network', filtered([[unordered]], [condition]), 'id', 'scan ×2, then all matches of unordered'],
    [
      'a network in the order of names',
      filtered([[unordered]], [condition]),
      'name',
      'scan ×8; all matches of unordered',
    ],
    [
      'a prefix in the order of ids',
      filtered([[range]], [condition]),
      'id',
      'scan ×2, then scan as far as t.name; all matches of range',
    ],
    ['a prefix in its own order', filtered([[range]], [condition]), 'name', 'direct, custom: range'],
    [
      'a prefix in its own order, with another condition',
      filtered([[range]], [condition, condition]),
      'name',
      'scan as far as t.name; all matches of range',
    ],
    [
      'an own value that no level sets',
      filtered([[blocks]], [], hash),
      'id, backwards',
      'direct, generic: look up',
    ],
    [
      'an own value in the order of names',
      filtered([[blocks]], [], hash),
      'name',
      'scan ×8; all matches of blocks',
    ],
    [
      'an own value in an order without an index',
      filtered([[blocks]], [], hash),
      'size',
      'direct, custom: blocks',
    ],
    [
      'values of levels',
      filtered([[blocks, join, levels]]),
      'id',
      'scan ×2, then ≥ 3 blocks of blocks, join, table; few matches of blocks, join, table; ' +
        '≥ 1024 blocks of blocks, join, table; all matches of blocks, join, table',
    ],
    [
      'values of regions and own ones: the statement of the first scan goes on with blocks',
      filtered([[blocks, levels]]),
      'id',
      '1024 rows and ≥ 3 blocks of blocks, table, then few matches of blocks, table, then ' +
        '≥ 1024 blocks of blocks, table, then all matches of blocks, table',
    ],
    [
      'own values: each match in a block costs one document, and each scanned row, too',
      filtered([[blocks]]),
      'id',
      '128 rows and ≥ 3 blocks of blocks, then few matches of blocks, then ≥ 1024 blocks of blocks, then all matches of blocks',
    ],
    [
      'own values that the planner does not see: what remains is read after the blocks, too',
      filtered([[{ ...blocks, whereForGenericPlan: sql`any(t)` }]]),
      'id',
      '128 rows and ≥ 3 blocks of blocks and what remains, then ≥ 1024 blocks of blocks, then all matches of blocks',
    ],
    [
      'such own values with another condition, which the planner sees',
      filtered([[{ ...blocks, whereForGenericPlan: sql`any(t)` }]], [condition]),
      'id',
      '128 rows and ≥ 3 blocks of blocks, then few matches of blocks, then ≥ 1024 blocks of blocks, then all matches of blocks',
    ],
    [
      'values of levels, without an index of blocks',
      filtered([[unordered, levels]]),
      'id',
      'scan ×2, then all matches of unordered, table',
    ],
    [
      'a wildcard',
      filtered([[rechecked, levels]]),
      'id',
      '1024 rows and ≥ 12 blocks of rechecked blocks, table, then few matches of rechecked blocks, table, then all matches of join, table',
    ],
    [
      'two filters and a network',
      filtered([[levels], [table], [unordered]]),
      'name',
      'scan ×8; all matches of table | scan ×8; all matches of table | scan ×8; all matches of unordered',
    ],
    [
      'two filters with candidates',
      {
        ...filtered([[unordered], [table]]),
        candidates: { query: sql`SELECT 7 AS id`, size: 'unknown' },
      } as Selection,
      'id',
      'candidates after scan, then scan ×2, then all matches of unordered | ≥ 3 blocks of table; few matches of table; ' +
        '≥ 1024 blocks of table; all matches of table',
    ],
    [
      'two filters with few candidates',
      rare,
      'id',
      `candidates first, then scan ×2, then ${inOrderOfIds.replaceAll('table', 'blocks')} | ${inOrderOfIds}`,
    ],
    [
      'two filters with few candidates, in the order of names: all of them would be looked up',
      rare,
      'name',
      'candidates after scan, then scan ×8; all matches of blocks | scan ×8; all matches of table',
    ],
    [
      'a comparison',
      comparison,
      'id',
      `candidates after scan, then scan ×2, then few matches of values, then ${inOrderOfIds}`,
    ],
    [
      'a comparison in the order of names',
      comparison,
      'name',
      'candidates after scan, then scan ×8; all matches of table',
    ],
  ])('%s', (_, selection, order, plan) => {
    expect(describePlan(planned(selection, { order: orders[order] }))).toBe(plan);
  });

  it.each([
    [100, `candidates after scan, then scan ×2, then few matches of values, then ${inOrderOfIds}`],
    [101, `candidates after scan, then scan ×2, then ${inOrderOfIds}`],
  ])('reads a page of each value of a comparison for a page of %s, or not', (limit, plan) => {
    expect(describePlan(planned(comparison, { limit }))).toBe(plan);
  });

  it('reads a list with UUIDs directly: they are not in the order of insertion', () => {
    const uuids = { ...mapping, idType: 'uuid' as const };
    expect(describePlan(planned(filtered([[range]], [condition]), { mapping: uuids }))).toBe(
      'direct, custom: range',
    );
  });

  it('checks the next rows by the conditions and the first path, and other paths by the first one, too', () => {
    const plan = planned(filtered([[levels], [unordered]], [condition]));
    if (plan.kind !== 'stepwise' || plan.first !== 'scan') throw new Error(plan.kind);
    const conditionsOf = (step: Step | undefined) =>
      step && 'rows' in step ? step.rows.conditions.map((one: Sql) => inlined(one)) : [];
    expect(inlined(plan.matches)).toBe('t.active AND 0 = 0');
    expect(plan.paths.map(({ match }) => inlined(match))).toEqual(['0 = 0', '1 = 0']);
    expect(plan.paths.map(({ steps }) => conditionsOf(steps.at(-1)))).toEqual([
      ['t.active'],
      ['t.active', '0 = 0'],
    ]);
  });
});

describe('the plan of a list of several projects', () => {
  it.each<[string, Selection, keyof typeof orders, string]>([
    ['the whole table', { kind: 'table', conditions: [] }, 'name', 'direct, generic: table'],
    ['a condition', { kind: 'table', conditions: [condition] }, 'name', 'direct, generic: table'],
    ['values of levels', filtered([[blocks, levels]]), 'id', 'direct, custom: blocks, table'],
    ['an own value', filtered([[blocks]], [], hash), 'id', 'direct, generic: look up'],
    ['a query', { kind: 'query', conditions: [], query: sql`SELECT` }, 'id', 'query'],
  ])('is one for all projects: %s', (_, selection, order, plan) => {
    const list = aList({ selections: [{ scope: 'every project', selection }], order: orders[order] });
    expect(describePlan(planList(list))).toBe(plan);
    expect(listedProjects(list)).toBe('every project');
  });

  it('merges the pages of each project if there is a selection for each', () => {
    const selections = [
      { scope: project, selection: filtered([[blocks, levels], [table]]) },
      {
        scope: otherProject,
        selection: { kind: 'query' as const, conditions: [condition], query: sql`SELECT 1` },
      },
    ];
    const list = aList({ selections });
    const plan = planList(list);
    expect(describePlan(plan)).toBe('merged: blocks, table | table');
    expect(listedProjects(list)).toEqual([project.project, otherProject.project]);
    const [, queried] = plan.kind === 'merged' ? plan.projects : [];
    expect(queried?.conditions.map(inlined)).toEqual(['t.active', 't.id IN (SELECT m.id FROM (SELECT 1) m)']);
  });

  it('merges nothing without projects', () => {
    expect(describePlan(planList(aList({ selections: [] })))).toBe('merged: ');
  });
});

describe('the steps after the first scan', () => {
  const planWith = (size: 'few' | 'unknown' | 'many') => {
    const selection = filtered([[blocks], [levels]]) as FilteredSelection;
    const plan = planned({ ...selection, candidates: { query: sql`SELECT 7 AS id`, size } });
    if (plan.kind !== 'stepwise') throw new Error(plan.kind);
    return plan;
  };
  const path = (name: string) =>
    `≥ 3 blocks of ${name}; few matches of ${name}; ≥ 1024 blocks of ${name}; all matches of ${name}`;
  const later = path('blocks').replace(';', '; candidates;');

  it.each([
    [
      'candidates before the others, if matches are not frequent',
      'unknown',
      2,
      `candidates; scan ×2; ${path('blocks')}`,
    ],
    ['candidates after the first step of the path, if they are', 'unknown', 3, `scan ×2; ${later}`],
    ['candidates there, too, if they are probably too many', 'many', 0, `scan ×2; ${later}`],
    ['no candidates, if these were read first', 'few', 0, `scan ×2; ${path('blocks')}`],
  ] as const)('are %s', (_, size, found, expected) => {
    expect(describeSteps(stepsAfterScan(planWith(size), { found, width: 600, sample: [1, 1] }))).toBe(
      expected,
    );
  });

  it('are those of the path that finds the fewest rows of the sample', () => {
    const steps = stepsAfterScan(planWith('few'), { found: 0, width: 600, sample: [100, 1] });
    expect(describeSteps(steps)).toBe(`scan ×2; ${path('table')}`);
  });
});

describe('the access path after a sample', () => {
  const paths = ['a', 'b', 'c'].map((name) => ({ match: sql`${name}`, steps: [] }));
  it.each([
    ['the first, if it finds the fewest', [1, 50, 50], 'a'],
    ['another one that finds far fewer', [100, 50, 3], 'c'],
    ['the first of those that find the fewest', [100, 3, 3], 'b'],
    ['the first, if the others do not find far fewer', [100, 50, 26], 'a'],
    ['the first, if it finds a few: that proves nothing', [7, 0, 0], 'a'],
    ['another one as soon as a sample proves it', [8, 0, 0], 'b'],
  ])('is %s', (_, found, expected) => {
    const [first, ...others] = paths;
    const chosen = first && choosePath([first, ...others], found);
    expect(chosen?.match.values).toEqual([expected]);
  });
});
