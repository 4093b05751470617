import { sql } from '../../../src/database/sql';
import type { KeysetRead } from '../../../src/lists/keyset';
import {
  infrequentStatement,
  rangesStatement,
  rareStatement,
  singleScan,
  unionStatement,
} from '../../../src/lists/source-statements';
import { aUnion, inlined, orders, project, sources } from './a-list';

const id = `"${project.project}"`;
const inScope = `t.project_id = ${id} AND t.kind = 'box'`;
const read = (order: keyof typeof orders, marker?: readonly (string | null)[]): KeysetRead => ({
  order: orders[order],
  marker,
  limit: 5,
});
const ofSource = (source: keyof typeof sources) => aUnion({ sources: [sources[source]] });

/** What the statement of one source selects, without the union around it. */
const part = (text: string): string =>
  /^SELECT u\.\* FROM \((\(.*\))\) u ORDER BY [^()]* LIMIT 5$/.exec(text)?.[1] ?? text;

const first = (rows: string, order = 'ORDER BY t.id', keys = 't.id AS k0') =>
  `SELECT p.* FROM (SELECT t.project_id, t.id, ${keys} ${rows} ${order} LIMIT 5) p LIMIT 8`;
const inOrder = (rows: string) => `(${first(rows)})`;
const sorted = (rows: string, order = 'ORDER BY t.id', keys?: string) =>
  `(${first(`FROM (SELECT t.* ${rows} OFFSET 0) t`, order, keys)})`;

const own = `FROM boxes t WHERE ${inScope} AND matches(t) AND true`;
const joined = `FROM boxes t JOIN marks m ON m.project_id = t.project_id AND m.box_id = t.id AND m.color = "red" WHERE ${inScope} AND matches(t) AND true`;
const lookedUp =
  'FROM marks m CROSS JOIN LATERAL (SELECT t.* FROM boxes t WHERE t.project_id = m.project_id AND t.id = m.box_id ' +
  `AND t.kind = 'box' AND true OFFSET 0) t WHERE ${inScope} AND m.color = "red" AND matches(t) AND true`;
const forLevels = (rows: string) =>
  `(SELECT a.* FROM levels AS s CROSS JOIN LATERAL (${first(`${rows} AND t.project_id = s.project_id`)}) a)`;
const valuesInOrder = `(SELECT a.* FROM levels AS s CROSS JOIN LATERAL (${first(`${lookedUp} AND t.project_id = s.project_id`, 'ORDER BY m.box_id ASC')}) a)`;

describe('the rows of a source in the order of ids', () => {
  it.each([
    ['table', inOrder(own)],
    ['levels', forLevels(own)],
    ['join', inOrder(joined)],
    ['join for levels', forLevels(joined)],
    ['look up', `(${first(lookedUp, 'ORDER BY m.box_id ASC')})`],
    ['values', valuesInOrder],
    ['range', inOrder(own)],
    ['unordered', inOrder(own)],
    ['blocks', inOrder(own)],
    ['rechecked blocks', inOrder(`${own} AND rechecked(t)`)],
  ] as const)('are left to the planner: %s', (source, expected) => {
    expect(part(inlined(unionStatement(ofSource(source), read('id'))))).toBe(expected);
  });

  it.each([
    ['table', inOrder(own)],
    ['levels', forLevels(own)],
    ['join', inOrder(joined)],
    ['join for levels', forLevels(joined)],
    ['range', sorted(own)],
    ['unordered', sorted(own)],
    ['blocks', sorted(own)],
    ['rechecked blocks', sorted(`${own} AND rechecked(t)`)],
  ] as const)(
    'are sorted if an index has them in no order and they are infrequent: %s',
    (source, expected) => {
      expect(part(inlined(infrequentStatement(ofSource(source), read('id'))))).toBe(expected);
    },
  );
});

describe('infrequent rows in another order', () => {
  it.each([
    ['table', own],
    ['join', joined],
    ['unordered', own],
  ] as const)('are sorted: %s', (source, rows) => {
    expect(part(inlined(infrequentStatement(ofSource(source), read('name'))))).toBe(
      sorted(rows, 'ORDER BY t.name, t.id', 't.name AS k0, t.id AS k1'),
    );
  });
});

describe('rows that are probably rare', () => {
  const rare = (source: keyof typeof sources) => inlined(rareStatement(ofSource(source), read('id')));

  it.each(['table', 'levels', 'join', 'join for levels'] as const)(
    'are complete if they are in order: %s',
    (source) => {
      expect(rare(source)).toContain('(SELECT a.*, false AS is_truncated FROM (SELECT ');
      expect(rare(source)).not.toContain('MATERIALIZED');
    },
  );

  it.each([
    ['unordered', 4097, 'true AS is_match'],
    ['blocks', 4097, 'true AS is_match'],
    ['rechecked blocks', 1025, 'rechecked(t) AS is_match'],
  ] as const)('are counted up to a limit if they are in no order: %s', (source, limit, isMatch) => {
    expect(rare(source)).toContain(
      `(WITH found AS MATERIALIZED (SELECT t.project_id, t.id, t.id AS k0, ${isMatch} ${own}), ` +
        `first_found AS MATERIALIZED (SELECT f.* FROM found f LIMIT ${String(limit)}), ` +
        `size AS MATERIALIZED (SELECT count(*) > ${String(limit - 1)} AS is_truncated FROM first_found)`,
    );
  });

  it('are incomplete if a source has too many values', () => {
    expect(rare('values')).toContain(
      `(SELECT a.*, false AS is_truncated FROM ${valuesInOrder} a) UNION ALL SELECT NULL, NULL, NULL, true WHERE too_many(s)`,
    );
  });

  it('are incomplete if those of any source are', () => {
    expect(rare('blocks')).toMatch(
      /^SELECT u\.\*, bool_or\(u\.is_truncated\) OVER \(\) AS is_incomplete FROM/,
    );
  });
});

describe('the rows in ranges of ids', () => {
  const ranges = [
    { low: 0, high: 4095 },
    { low: 4096, high: 12_287 },
  ];
  const inRanges = (source: keyof typeof sources, order: keyof typeof orders = 'id') =>
    inlined(rangesStatement(ofSource(source), read(order, ['7']), ranges));

  it('are read range by range, each in order', () => {
    expect(inRanges('table')).toMatch(
      /^SELECT r\.\* FROM \(SELECT p\.\* FROM unnest\(\(SELECT \[0,4096\]::bigint\[\]\), \(SELECT \[4095,12287\]::bigint\[\]\)\) AS range \(low, high\) CROSS JOIN LATERAL \(SELECT u.*\) p LIMIT 5\) r ORDER BY r\.k0$/,
    );
  });

  it.each([
    ['table', 't.id BETWEEN range.low AND range.high', /m\.box_id BETWEEN|generate_series/],
    [
      'join',
      't.id BETWEEN range.low AND range.high AND m.box_id BETWEEN range.low AND range.high',
      /generate_series/,
    ],
    [
      'join for levels',
      `FROM marks m CROSS JOIN LATERAL (SELECT t.* FROM boxes t WHERE t.project_id = m.project_id AND t.id = m.box_id AND t.kind = 'box' AND true OFFSET 0) t`,
      /JOIN marks|generate_series/,
    ],
    [
      'blocks',
      'FROM generate_series(range.low / 4096, range.high / 4096) AS block (number) CROSS JOIN LATERAL',
      /BETWEEN/,
    ],
    ['rechecked blocks', 'rechecked(t) AND t.id / 4096 = block.number OFFSET 0', /BETWEEN/],
  ] as const)('are bounded by their ids or blocks: %s', (source, expected, unexpected) => {
    expect(inRanges(source)).toContain(expected);
    expect(inRanges(source)).not.toMatch(unexpected);
    expect(inRanges(source)).toContain('(t.id) > ("7"::bigint)');
  });

  it('are read in blocks backwards', () => {
    expect(inRanges('blocks', 'id, backwards')).toContain(
      'generate_series(range.high / 4096, range.low / 4096, -1)',
    );
  });
});

describe('a union', () => {
  it('has a part for each source and each run of rows after the marker', () => {
    const union = aUnion({ sources: [sources.table, sources.levels] });
    const statement = inlined(unionStatement(union, read('size', ['4', '7'])));
    expect(statement.split(' UNION ALL ')).toHaveLength(6);
    expect(statement).toContain(`AND t.size = "4"::integer AND t.id > "7"::bigint ORDER BY`);
  });

  it('has no rows without sources', () => {
    const union = aUnion({ sources: [] });
    const expected = `SELECT t.project_id, t.id, t.id AS k0 FROM boxes t WHERE ${inScope} AND false`;
    for (const statementOf of [unionStatement, infrequentStatement])
      expect(inlined(statementOf(union, read('id')))).toBe(expected);
  });

  it('has the conditions of the list in each part', () => {
    const union = aUnion({ sources: [sources.table, sources.join], conditions: [sql`t.active`] });
    expect(inlined(unionStatement(union, read('id'))).match(/t\.active AND/g)).toHaveLength(2);
  });

  it('reads each project of a list of every project', () => {
    const union = aUnion({ scope: 'every project' });
    expect(part(inlined(unionStatement(union, read('id'))))).toBe(
      '(SELECT a.* FROM (SELECT id AS project_id FROM projects) AS s CROSS JOIN LATERAL (' +
        `${first("FROM boxes t WHERE t.kind = 'box' AND matches(t) AND true AND t.project_id = s.project_id")}) a)`,
    );
  });

  it.each([
    ['join', 'm.box_id > "7"::bigint'],
    ['look up', 'm.box_id > "7"::bigint'],
  ] as const)('bounds the ids of both tables in the order of ids: %s', (source, bound) => {
    expect(inlined(unionStatement(ofSource(source), read('id', ['7'])))).toContain(bound);
    expect(inlined(unionStatement(ofSource(source), read('name', ['a', '7'])))).not.toContain(bound);
  });
});

describe('a single scan', () => {
  it('reads one source without driving rows', () => {
    const scan = singleScan(ofSource('table'), read('id'));
    expect(scan && inlined(scan)).toBe(`${own} ORDER BY t.id`);
  });

  it.each([
    ['driving rows', ofSource('levels'), read('id')],
    ['several sources', aUnion({ sources: [sources.table, sources.join] }), read('id')],
    ['several runs of rows after the marker', ofSource('table'), read('size', ['4', '7'])],
    ['every project', aUnion({ scope: 'every project' }), read('id')],
    ['no source', aUnion({ sources: [] }), read('id')],
  ])('is not possible with %s', (_, union, keysetRead) => {
    expect(singleScan(union, keysetRead)).toBeUndefined();
  });
});
