import { sql, type Sql } from '../../../src/database/sql';
import {
  restrict,
  restrictMatching,
  selectByConditions,
  type Selection,
  selectionStatement,
  selectsAll,
  type Source,
} from '../../../src/lists/selection';
import { filtered, inlined, mapping, project, sources } from './a-list';

const { table, levels, join, range, unordered, blocks } = sources;
const active = sql`t.active`;
const named = sql`t.name = ${'a'}`;
const id = `"${project.project}"`;

describe('the statement of all rows of a selection', () => {
  const ofSource = (source: Source): Selection => ({
    kind: 'sources',
    conditions: [active],
    sources: [source],
  });
  const own = `FROM boxes t WHERE t.project_id = ${id} AND t.kind = 'box' AND t.active AND matches(t)`;
  const lookedUp = `CROSS JOIN LATERAL (SELECT t.* FROM boxes t WHERE t.project_id = m.project_id AND t.id = m.box_id
    AND t.kind = 'box' AND t.active AND matches(t) OFFSET 0) t WHERE m.project_id = ${id} AND m.color = "red"`;

  it.each<readonly [string, Selection, string]>([
    [
      'the table',
      { kind: 'table', conditions: [active] },
      `FROM boxes t WHERE t.project_id = ${id} AND t.kind = 'box' AND t.active AND true`,
    ],
    ['rows of the table', ofSource(table), own],
    ['a range', ofSource(range), own],
    ['an index without an order', ofSource(unordered), own],
    ['an index of blocks', ofSource(blocks), own],
    ['an index that finds more', ofSource(sources['rechecked blocks']), `${own} AND rechecked(t)`],
    [
      'levels',
      ofSource(levels),
      `FROM levels AS s JOIN boxes t ON t.project_id = s.project_id
        WHERE t.project_id = ${id} AND t.kind = 'box' AND t.active AND matches(t)`,
    ],
    ['a join', ofSource(join), `FROM marks m ${lookedUp}`],
    ['rows that are looked up', ofSource(sources['look up']), `FROM marks m ${lookedUp}`],
    [
      'a join for levels',
      ofSource(sources['join for levels']),
      `FROM levels AS s JOIN marks m ON m.project_id = s.project_id ${lookedUp}`,
    ],
    [
      'no source',
      { kind: 'sources', conditions: [], sources: [] },
      `FROM boxes t WHERE t.project_id = ${id} AND t.kind = 'box' AND false`,
    ],
    ['the first path of filters', filtered([[table], [range]], [active], join), own],
    [
      'a query',
      { kind: 'query', conditions: [active], query: sql`SELECT 1` },
      `FROM (SELECT 1) m CROSS JOIN LATERAL (SELECT t.* FROM boxes t WHERE t.project_id = m.project_id AND t.id = m.id
        AND t.kind = 'box' AND t.active OFFSET 0) t`,
    ],
  ])('reads %s', (_, selection, expected) => {
    expect(inlined(selectionStatement(mapping, project, selection, sql`t.size`))).toBe(
      `SELECT t.size ${expected.replaceAll(/\s+/g, ' ')}`,
    );
  });

  it('is the union of several sources', () => {
    const selection: Selection = { kind: 'sources', conditions: [], sources: [table, levels] };
    expect(inlined(selectionStatement(mapping, project, selection)).split(' UNION ALL ')).toHaveLength(2);
  });

  it('names all projects in a list of every project', () => {
    expect(
      inlined(selectionStatement(mapping, 'every project', { kind: 'table', conditions: [] })),
    ).toContain('t.project_id IN (SELECT id AS project_id FROM projects)');
    expect(inlined(selectionStatement(mapping, 'every project', ofSource(join)))).toContain('WHERE true AND');
  });
});

describe('a selection', () => {
  it('has all rows only of a table without conditions', () => {
    expect(selectsAll({ kind: 'table', conditions: [] })).toBe(true);
    expect(selectsAll({ kind: 'table', conditions: [active] })).toBe(false);
    expect(selectsAll({ kind: 'sources', conditions: [], sources: [] })).toBe(false);
    expect(selectsAll(filtered([[table]]))).toBe(false);
  });

  const texts = (conditions: readonly Sql[]) => conditions.map(inlined);

  it('meets further conditions, whatever its kind is', () => {
    for (const selection of [
      { kind: 'table', conditions: [active] },
      { kind: 'sources', conditions: [active], sources: [table] },
      { kind: 'query', conditions: [active], query: sql`SELECT 1` },
      filtered([[table]], [active]),
    ] satisfies Selection[]) {
      const restricted = restrict(selection, [named]);
      expect(texts(restricted.conditions)).toEqual(['t.active', 't.name = "a"']);
      expect(restricted).toMatchObject({ ...selection, conditions: expect.anything() });
    }
  });

  it.each([
    [
      'reads a join in the order of ids, with one plan for all values',
      join,
      { inIdOrder: [join], planning: 'generic' },
    ],
    [
      'reads one range of an index for each value in the order of ids',
      levels,
      { inIdOrder: [levels], planning: 'generic' },
    ],
    ['plans a range for each value', range, { inIdOrder: undefined, planning: 'custom' }],
    [
      'plans an index without an order for each value',
      unordered,
      { inIdOrder: undefined, planning: 'custom' },
    ],
  ])('%s', (_, source, expected) => {
    expect(selectByConditions([active], [{ sources: [source], match: active }])).toMatchObject({
      kind: 'filtered',
      conditions: [active],
      paths: [{ sources: [source], match: sql`true` }],
      ...expected,
    });
  });

  it('has all paths if a part of a text is one of the filters, which a sample chooses from', () => {
    const paths = [
      { sources: [join], match: active },
      { sources: [blocks], match: named },
    ];
    expect(selectByConditions([active, named], paths)).toMatchObject({ paths, inIdOrder: undefined });
  });

  it('is of the table if no condition has sources', () => {
    expect(selectByConditions([active], [])).toEqual({ kind: 'table', conditions: [active] });
  });
});

describe('a selection by variables', () => {
  const byVariable = filtered([[blocks]], [named], sources['look up']);

  it('is unchanged without conditions', () => {
    expect(restrictMatching(byVariable, [], [])).toEqual(byVariable);
  });

  it('is not read in the order of ids with conditions: few rows may meet them', () => {
    expect(restrictMatching(byVariable, [active], [])).toEqual({
      ...byVariable,
      conditions: [active, named],
      inIdOrder: undefined,
    });
  });

  it('has the source of a condition as another access path', () => {
    const restricted = restrictMatching(byVariable, [active], [{ sources: [join], match: named }]);
    expect(restricted).toMatchObject({ paths: [{ sources: [blocks] }, { sources: [join] }] });
    expect(restricted.kind === 'filtered' && restricted.paths.map(({ match }) => inlined(match))).toEqual([
      '0 = 0',
      't.active',
    ]);
  });

  it('stays empty', () => {
    const nothing: Selection = { kind: 'sources', conditions: [], sources: [] };
    expect(restrictMatching(nothing, [active], [{ sources: [join], match: named }])).toEqual({
      ...nothing,
      conditions: [active],
    });
  });
});
