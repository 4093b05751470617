import { sql } from '../../../src/database/sql';
import type { KeysetRead } from '../../../src/lists/keyset';
import type { List } from '../../../src/lists/list';
import { planList, type ListPlan } from '../../../src/lists/list-plan';
import {
  itemWithId,
  pageStatement,
  previousPageStatement,
  projectStatement,
  queryStatement,
  rowsStatement,
  sortStatement,
  type Statement,
} from '../../../src/lists/list-statements';
import { scanStatement } from '../../../src/lists/scan-statement';
import {
  allMatchesStatement,
  blocksStatement,
  candidatesStatement,
  fewMatchesStatement,
  rangeLengthStatement,
} from '../../../src/lists/step-statements';
import type { Selection } from '../../../src/lists/selection';
import { aList, aUnion, filtered, inlined, mapping, orders, otherProject, project, sources } from './a-list';

const id = `"${project.project}"`;
const inScope = `t.project_id = ${id} AND t.kind = 'box'`;
const read = (order: keyof typeof orders, marker?: readonly (string | null)[]): KeysetRead => ({
  order: orders[order],
  marker,
  limit: 11,
});
const [textOf, modeOf] = [([text]: Statement) => inlined(text), ([, mode]: Statement) => mode];

function planned<K extends ListPlan['kind']>(
  kind: K,
  selection: Selection,
  list: Partial<List> = {},
): Extract<ListPlan, { kind: K }> {
  const plan = planList(aList({ ...list, selections: [{ scope: project, selection }] }));
  if (plan.kind !== kind) throw new Error(plan.kind);
  return plan as Extract<ListPlan, { kind: K }>;
}

describe('the statement of a page', () => {
  const table: Selection = { kind: 'table', conditions: [] };
  const selected = 'SELECT t.id::text AS list_id, t.version, json(t) AS body';

  it('is one scan in the order of an index', () => {
    const statement = pageStatement(planned('direct', table), read('id'), undefined);
    expect(textOf(statement)).toBe(
      `${selected}, NULL::text[] AS previous_keys, true AS marker_visible FROM (SELECT t.* FROM (SELECT t.* FROM boxes t ` +
        `WHERE ${inScope} AND true AND true ORDER BY t.id LIMIT 16) t LIMIT 11) t JOIN owners o ON o.id = t.owner ORDER BY t.id`,
    );
    expect(modeOf(statement)).toBe('generic');
  });

  it('has the sort keys unless they are the id', () => {
    const plan = planned('direct', table, { order: orders.name });
    expect(textOf(pageStatement(plan, read('name'), undefined))).toContain(
      `${selected}, t.name::text AS k0, t.id::text AS k1, NULL`,
    );
  });

  it('finds the previous page, and whether the caller can see the marker', () => {
    const plan = planned('direct', table, { marker: { kind: 'item', id: '7' } });
    const text = textOf(
      pageStatement(plan, read('id', ['7']), { ...read('id, backwards', ['7']), limit: 10 }),
    );
    expect(text).toContain('(SELECT ARRAY[n.k0::text] FROM (SELECT u.* FROM (');
    expect(text).toContain('n OFFSET 9 LIMIT 1) AS previous_keys');
    expect(text).toContain(
      `EXISTS (SELECT FROM boxes t WHERE ${inScope} AND readable(t) AND t.id = "7"::bigint) AS marker_visible`,
    );
  });

  it('joins the rows of a union', () => {
    const plan = planned('direct', { kind: 'sources', conditions: [], sources: [sources.levels] });
    expect(textOf(pageStatement(plan, read('id'), undefined))).toMatch(
      / FROM \(SELECT u\.\* .* LIMIT 11\) k JOIN boxes t ON t\.project_id = k\.project_id AND t\.id = k\.id JOIN owners o ON o\.id = t\.owner ORDER BY t\.id$/,
    );
  });

  it('tells whether the rows are complete, if another plan could be needed', () => {
    const hash = { ...sources['look up'], isIncomplete: sql`has_arrays()` };
    const plan = planned('direct', filtered([[sources.blocks]], [], hash));
    const text = textOf(pageStatement(plan, read('id'), undefined));
    expect(text).toMatch(
      /^SELECT c\.is_incomplete, p\.\* FROM \(SELECT has_arrays\(\) AS is_incomplete\) c LEFT JOIN LATERAL \(SELECT .* LIMIT 11\) t .*\) p ON NOT c\.is_incomplete$/,
    );
  });

  it('has the mode of its plan, and so has that of an empty page', () => {
    const plan = planned('direct', filtered([[sources.unordered]]), { order: orders.size });
    expect(modeOf(pageStatement(plan, read('size'), undefined))).toBe('custom');
    const previous = previousPageStatement(plan, read('size'));
    expect(modeOf(previous)).toBe('custom');
    expect(textOf(previous)).toMatch(/^SELECT \(SELECT ARRAY\[.* OFFSET 10 LIMIT 1\) AS keys$/);
  });
});

describe('the statement of an item', () => {
  it.each([
    ['one project', project, inScope],
    [
      'every project',
      'every project',
      "t.project_id IN (SELECT id AS project_id FROM projects) AND t.kind = 'box'",
    ],
    ['given projects', [project.project], `t.project_id = ANY([${id}]::uuid[]) AND t.kind = 'box'`],
  ] as const)('is in %s', (_, projects, expected) => {
    expect(inlined(itemWithId(aList({}), '7', projects))).toBe(
      `FROM boxes t WHERE ${expected} AND readable(t) AND t.id = "7"::bigint`,
    );
  });
});

describe('the statement of rows at positions', () => {
  const at = (projectId: string, rowId: string) => ({ projectId, id: rowId, keys: [rowId] });

  it('reads them in their order', () => {
    const text = textOf(rowsStatement(aList({}), [at(project.project, '9'), at(project.project, '7')]));
    expect(text).toContain(
      `FROM unnest((SELECT [${id},${id}]::uuid[]), (SELECT ["9","7"]::bigint[])) WITH ORDINALITY`,
    );
    expect(text).toMatch(new RegExp(`WHERE t\\.project_id = ${id}::uuid ORDER BY k\\.n$`));
  });

  it('names no project if they are in several', () => {
    const positions = [at(project.project, '9'), at(otherProject.project, '7')];
    expect(textOf(rowsStatement(aList({}), positions))).toMatch(/WHERE true ORDER BY k\.n$/);
  });
});

describe('the statement of a list that a query computes', () => {
  const plan = planned('query', { kind: 'query', conditions: [sql`t.active`], query: sql`SELECT 1` });
  const lookedUp = (order: string) =>
    `m CROSS JOIN LATERAL (SELECT t.* FROM boxes t WHERE t.project_id = m.project_id AND t.id = m.id AND t.kind = 'box' AND t.active OFFSET 0) t ${order}`;

  it('computes it once for several reads, and looks up rows in the order of ids', () => {
    const text = textOf(queryStatement(plan, [read('id', ['7']), read('id, backwards', ['7'])]));
    expect(text).toContain('WITH computed AS MATERIALIZED (SELECT 1) (SELECT "0"::text AS read_number');
    expect(text).toContain(
      `(SELECT t.* FROM computed t WHERE ((t.id) > ("7"::bigint)) ORDER BY t.id) ${lookedUp('ORDER BY m.id ASC')} LIMIT 11)`,
    );
    expect(text).toContain(lookedUp('ORDER BY m.id DESC'));
  });

  it('sorts its rows in other orders', () => {
    expect(textOf(queryStatement(plan, [read('name')]))).toContain(
      `FROM computed ${lookedUp('WHERE true ORDER BY t.name, t.id')} LIMIT 11)`,
    );
  });
});

describe('the statements of a stepwise read', () => {
  const plan = planned('stepwise', filtered([[sources.blocks], [sources.levels]], [sql`t.active`]));
  const { range, table, levels, join, blocks } = sources;

  it('scan the next rows, and find the end of the scan and of the list', () => {
    const text = textOf(scanStatement(plan, read('id', ['7']), 523));
    const next = `FROM boxes t WHERE ${inScope} AND (t.id) > ("7"::bigint) ORDER BY t.id LIMIT 1024`;
    expect(text).toContain(
      `FROM (SELECT t.* FROM (SELECT t.* ${next}) t ORDER BY t.id LIMIT 523) t WHERE t.active AND 0 = 0 ORDER BY t.id LIMIT 11)`,
    );
    expect(text).toContain(
      `FROM (SELECT t.* FROM (SELECT t.project_id, t.id, t.id AS k0 ${next}) t LIMIT 1 OFFSET 522) n`,
    );
    expect(text).toContain(`FROM boxes t WHERE ${inScope} ORDER BY t.id DESC LIMIT 1) n`);
  });

  it('count the rows of a sample that each path finds, if the scan does not fill the page', () => {
    const text = textOf(scanStatement(plan, read('id'), 523, { isFirst: true }));
    expect(text).toContain(
      `UNION ALL SELECT NULL, NULL, NULL, 'sample', s.counts FROM (SELECT ARRAY[count(*) FILTER (WHERE 0 = 0),count(*) FILTER (WHERE 1 = 0)]::integer[] AS counts ` +
        `FROM (SELECT t.* FROM boxes t WHERE ${inScope} ORDER BY t.id LIMIT 128) t) s WHERE (SELECT count(*) FROM scan_matches) < 11`,
    );
    expect(textOf(scanStatement(plan, read('id'), 523))).not.toContain('sample');
    const onePath = planned('stepwise', filtered([[sources.unordered]]));
    expect(textOf(scanStatement(onePath, read('id'), 523, { isFirst: true }))).not.toContain('sample');
  });

  it.each([
    ['id', '<', 'max(high)'],
    ['id, backwards', '>', 'min(low)'],
  ] as const)(
    'search the blocks after the scanned rows, if these do not fill the page, by %s',
    (order, before, end) => {
      const onePath = planned('stepwise', filtered([[blocks, levels]], [sql`t.active`]));
      const text = textOf(scanStatement(onePath, read(order), 523, { isFirst: true }));
      expect(text).toContain(`t.active AND (SELECT scan_end.id FROM scan_end) ${before} t.id AND matches(t)`);
      expect(text).toContain(`blocks_end AS MATERIALIZED (SELECT ${end} AS id FROM id_ranges)`);
      expect(text).toContain(`AND blocks_end.id ${before} last_row.id`);
      expect(text).not.toContain('remaining');
      expect(textOf(scanStatement(onePath, read(order), 523))).not.toContain('block');
    },
  );

  it('read what remains after the blocks, unless it is too much', () => {
    const onePath = planned('stepwise', filtered([[{ ...blocks, whereForGenericPlan: sql`any(t)` }]]));
    const text = textOf(scanStatement(onePath, read('id'), 523, { isFirst: true }));
    const found = '(SELECT count(*) FROM scan_matches) + (SELECT count(*) FROM block_matches)';
    expect(text).toContain(
      `WHERE ${inScope} AND (SELECT blocks_end.id FROM blocks_end) < t.id AND ${found} < 11 AND any(t) AND true`,
    );
    expect(text).toContain(
      `UNION ALL (SELECT r.project_id, r.id, r.k0, 'item' FROM remaining_matches r WHERE NOT r.is_incomplete LIMIT 11 - (${found}))`,
    );
    expect(text).toContain(
      `WHERE ${found} < 11 AND blocks_end.id < last_row.id AND EXISTS (SELECT FROM remaining_matches WHERE is_incomplete)`,
    );
  });

  it('look up candidates in the order of ids, and tell if there are too many', () => {
    const text = textOf(candidatesStatement(plan, read('id, backwards', ['7']), sql`SELECT 5 AS id`));
    expect(text).toContain('WITH candidate AS MATERIALIZED (SELECT 5 AS id)');
    expect(text).toContain(
      `FROM (SELECT ${id}::uuid AS project_id, c.id FROM candidate c ORDER BY c.id DESC) c CROSS JOIN LATERAL (`,
    );
    expect(text).toContain(
      `AND (t.id) < ("7"::bigint) AND t.active AND 0 = 0 OFFSET 0) t ORDER BY c.id DESC LIMIT 16) f LIMIT 11)`,
    );
    expect(text).toContain('UNION ALL SELECT NULL, NULL, NULL, true FROM candidate c WHERE c.id IS NULL');
    expect(textOf(candidatesStatement(plan, read('name'), sql`SELECT 5 AS id`))).toContain(
      'ORDER BY t.name, t.id LIMIT 16) f LIMIT 11)',
    );
  });

  it('ask whether a range is longer, whatever the conditions are', () => {
    expect(
      rangeLengthStatement(plan, range, 4000).map((part) =>
        typeof part === 'string' ? part : inlined(part),
      ),
    ).toEqual([
      `SELECT FROM boxes t WHERE ${inScope} AND matches(t) ORDER BY t.name OFFSET 4000 LIMIT 1`,
      'custom',
    ]);
  });

  it.each([
    [
      'sources with one range of an index each',
      [levels, sources['join for levels']],
      'generic',
      'generic',
      'generic',
    ],
    ['the whole table', [table], 'custom', 'custom', 'generic'],
    ['an index in blocks', [levels, blocks], 'custom', 'custom', 'generic'],
    [
      'an index in blocks, of any value',
      [{ ...blocks, whereForGenericPlan: sql`any(t)` }],
      'custom',
      'generic',
      'generic',
    ],
    ['an index in no order', [levels, sources.unordered], 'custom', 'custom', 'generic'],
    ['all rows of a joined table', [levels, join], 'custom', 'custom', 'custom'],
    ['no source', [], 'generic', 'generic', 'generic'],
  ] as const)('are planned by what they read: %s', (_, found, all, few, inBlocks) => {
    const union = aUnion({ sources: found });
    expect(modeOf(allMatchesStatement(union, read('id')))).toBe(all);
    expect(modeOf(blocksStatement(union, read('id', ['7']), []))).toBe(inBlocks);
    if (found.length > 0) expect(modeOf(fewMatchesStatement(union, read('id')))).toBe(few);
  });

  it('read few matches by a condition whose value the planner does not see', () => {
    const union = aUnion({ sources: [{ ...blocks, whereForGenericPlan: sql`any(t)` }] });
    expect(textOf(fewMatchesStatement(union, read('id')))).toContain('any(t)');
    expect(textOf(fewMatchesStatement(union, read('id')))).not.toContain('matches(t)');
    expect(textOf(allMatchesStatement(union, read('id')))).toContain('matches(t)');
  });

  it('select positions', () => {
    const union = aUnion({});
    const positions = 'SELECT f.project_id, f.id::text AS list_id, f.k0::text AS k0';
    expect(textOf(allMatchesStatement(union, read('id')))).toMatch(`${positions} FROM (SELECT u.*`);
    expect(textOf(fewMatchesStatement(union, read('id')))).toMatch(
      `${positions}, f.is_incomplete FROM (SELECT u.*`,
    );
    expect(textOf(blocksStatement(union, read('id', ['7']), []))).toMatch(`${positions} FROM (SELECT r.*`);
  });
});

describe('a stepwise read that selects rows', () => {
  const { select } = aList({});
  const plan = planned('stepwise', filtered([[sources.blocks]]));
  const selected = (isItem: string) =>
    `LEFT JOIN LATERAL (SELECT t.* FROM boxes t WHERE t.project_id = f.project_id AND t.id = f.id AND t.kind = 'box' AND ${isItem} OFFSET 0) t ON true JOIN owners o ON o.id = t.owner`;
  const columns = 'SELECT t.version, json(t) AS body, f.project_id, f.id::text AS list_id, f.k0::text AS k0';

  it.each<[string, (of: KeysetRead) => Statement, string, string]>([
    ['a scan', (of) => scanStatement(plan, of, 523), ', f.row_kind', "f.row_kind = 'item'"],
    ['candidates', (of) => candidatesStatement(plan, of, sql`SELECT 5`), ', f.is_incomplete', 'true'],
    ['blocks', (of) => blocksStatement(aUnion({}), of, []), '', 'true'],
    [
      'a few matches',
      (of) => fewMatchesStatement(aUnion({ sources: [sources.levels] }), of),
      ', f.is_incomplete',
      'NOT f.is_incomplete',
    ],
    ['all matches', (of) => allMatchesStatement(aUnion({ sources: [sources.levels] }), of), '', 'true'],
  ])('reads them with their positions: %s', (_, statementOf, more, isItem) => {
    const text = textOf(statementOf({ ...read('id', ['7']), select }));
    expect(text.startsWith(`${columns}${more} FROM (`)).toBe(true);
    expect(text.endsWith(selected(isItem))).toBe(true);
    expect(textOf(statementOf(read('id', ['7'])))).not.toContain('json(t)');
  });

  it('reads only positions by a statement that is planned for each execution', () => {
    const statement = allMatchesStatement(aUnion({}), { ...read('id'), select });
    expect(modeOf(statement)).toBe('custom');
    expect(textOf(statement)).not.toContain('json(t)');
  });
});

describe('the statements of a merged page', () => {
  it('find the positions of several reads in a project', () => {
    const text = textOf(projectStatement(aUnion({}), [read('id'), read('name')]));
    expect(text).toMatch(
      /^SELECT "0"::text AS read_number, f\.project_id, .* UNION ALL SELECT "1"::text AS read_number, /,
    );
  });

  it('sort positions of several projects as the database sorts the columns', () => {
    const at = (name: string, rowId: string) => ({
      projectId: project.project,
      id: rowId,
      keys: [name, rowId],
    });
    expect(textOf(sortStatement(aUnion({ mapping }), read('name'), [at('b', '1'), at('a', '2')]))).toBe(
      `SELECT m.n FROM ( SELECT t.name AS k0, t.id AS k1, 0::bigint AS n FROM boxes t WHERE ${inScope} AND false ` +
        `UNION ALL SELECT * FROM unnest(["b","a"]::text[],["1","2"]::bigint[]) WITH ORDINALITY ) m ORDER BY m.k0, m.k1 LIMIT 11`,
    );
  });
});
