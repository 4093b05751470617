import { sql, type Sql } from '../../src/database/sql';
import { matchConditionByLevels } from '../../src/variables/filter/match-condition';
import {
  byKind,
  comparePrecedence,
  keyLevels,
  keysOf,
  lastLabelValue,
  narrowest,
  narrowestValue,
  noNarrowerSets,
  type KeyLevel,
  type LevelKind,
} from '../../src/variables/key-levels';

/** SQL in one line, with its parameters in place. */
const textOf = (statement: Sql): string =>
  statement.text
    .replaceAll(/\$(\d+)/g, (_, n) => JSON.stringify(statement.values[Number(n) - 1]))
    .replaceAll(/\s+/g, ' ')
    .trim();

const level = <V>(kind: LevelKind, id: number, value: V, name = ''): KeyLevel<V> => ({
  ...{ kind, id, name, value },
  project_id: 'p',
  region_id: null,
});

describe('the precedence of levels', () => {
  it.each<[string, [LevelKind, string][]]>([
    [
      'kinds',
      [
        ['region', 'z'],
        ['cell', 'y'],
        ['label', 'a'],
      ],
    ],
    [
      'labels by name',
      [
        ['cell', 'z'],
        ['label', 'a'],
        ['label', 'b'],
        ['label', 'ba'],
      ],
    ],
    [
      'upper case before lower case',
      [
        ['label', 'Z'],
        ['label', '_'],
        ['label', 'a'],
        ['label', 'é'],
      ],
    ],
    [
      'code points instead of UTF-16 units',
      [
        ['label', '\uff5e'],
        ['label', '\u{1f600}'],
        ['label', '\u{1f601}'],
      ],
    ],
  ])('orders %s', (_, broadestFirst) => {
    const levels = broadestFirst.map(([kind, name], i) => level(kind, i, undefined, name));
    const ids = (of: readonly KeyLevel<unknown>[]) => of.map(({ id }) => id);
    expect(ids([...levels].reverse().sort(comparePrecedence))).toEqual(ids(levels));
    expect(ids([...levels.slice(1), ...levels.slice(0, 1)].sort(comparePrecedence))).toEqual(ids(levels));
  });

  it('does not order levels of which a resource has only one', () => {
    expect(comparePrecedence(level('cell', 1, 1, 'a'), level('cell', 2, 2, 'b'))).toBe(0);
  });

  it.each<[string, KeyLevel<string | undefined>[], string | undefined]>([
    ['nothing', [], undefined],
    ['a region', [level('region', 1, 'r')], 'r'],
    ['the cell before its region', [level('cell', 1, 'c'), level('region', 1, 'r')], 'c'],
    [
      'the region of a cell that does not set it',
      [level('cell', 1, undefined), level('region', 1, 'r')],
      'r',
    ],
    ['a label before the cell', [level('label', 1, 'l', 'a'), level('cell', 1, 'c')], 'l'],
    ['the last label', [level('label', 1, 'last', 'b'), level('label', 2, 'first', 'a')], 'last'],
    [
      'the last label that sets it',
      [level('label', 1, undefined, 'b'), level('label', 2, 'first', 'a')],
      'first',
    ],
  ])('takes the value of %s', (_, levels, value) => {
    expect(narrowest(levels)).toBe(value);
  });
});

describe('the precedence of levels in SQL', () => {
  const value = (name: string) => ({ value: sql([name]) });
  const flagged = (name: string) => ({ ...value(name), isSet: sql([`has_${name}`]) });

  it.each<[string, Parameters<typeof narrowestValue>[0], string]>([
    ['no level', {}, 'NULL'],
    ['one level, which may be unset', { cell: flagged('c') }, 'c'],
    ['values that are NULL if unset', { region: value('r'), cell: value('c') }, 'COALESCE(c, r)'],
    [
      'values that can be NULL',
      { region: flagged('r'), cell: flagged('c') },
      'CASE WHEN has_c THEN c ELSE r END',
    ],
    [
      'all levels, however they are listed',
      { own: flagged('o'), region: value('r'), label: value('l'), cell: value('c') },
      'CASE WHEN has_o THEN o ELSE COALESCE(l, COALESCE(c, r)) END',
    ],
    ['levels that are absent', { region: undefined, label: value('l'), own: value('o') }, 'COALESCE(o, l)'],
  ])('takes the narrowest of %s', (_, layers, text) => {
    expect(textOf(narrowestValue(layers))).toBe(text);
  });

  it.each<[LevelKind, string[]]>([
    ['region', ['no own', 'no label', 'no cell']],
    ['cell', ['no own', 'no label']],
    ['label', ['no own']],
  ])('lets a %s determine the value if no narrower level does', (kind, conditions) => {
    const isUnset = { cell: sql`no cell`, own: sql`no own`, region: sql`no region`, label: sql`no label` };
    expect(noNarrowerSets(kind, isUnset).map(textOf)).toEqual(conditions);
    expect(noNarrowerSets(kind, {})).toEqual([]);
  });

  it('takes the value of the last label', () => {
    const text = textOf(lastLabelValue(sql`k.key`, { table: 'device_labels', owner: 'device_id' }));
    expect(text).toContain(
      'WHERE a.project_id = t.project_id AND a.device_id = t.id AND l.variables ? k.key',
    );
    expect(text).toMatch(/ORDER BY l\.label DESC LIMIT 1\)$/);
  });
});

describe('the condition that a resolved value matches', () => {
  const inheritance = {
    region: 't.region_id',
    cell: 't.cell_id',
    labels: { table: 'device_labels', owner: 'device_id' },
  };
  const [region, cell] = [
    (id: number, matches: boolean) => level('region', id, matches),
    (id: number, matches: boolean) => level('cell', id, matches),
  ];
  const lastOf = (ids: string, matches: string) =>
    `(SELECT (${matches}::integer[])[max(array_position(${ids}::bigint[], b.label_id))] = 1 FROM (SELECT b.label_id FROM device_labels b WHERE b.project_id = t.project_id AND b.device_id = t.id OFFSET 0) b)`;
  const cellOf = (ids: string) => `(t.cell_id IS NOT NULL AND t.cell_id = ANY(${ids}::bigint[]))`;

  it.each<[string, KeyLevel<boolean>[], boolean, string]>([
    ['own values only', [], true, 'own'],
    ['levels that do not match', [region(1, false), cell(2, false), level('label', 3, false)], true, 'own'],
    ['a region', [region(1, true), region(2, false)], false, '(t.region_id = ANY([1]::bigint[]))'],
    ['a cell, and regions that do not match', [region(1, false), cell(2, true)], false, `(${cellOf('[2]')})`],
    [
      'a region, and a cell that does not match',
      [region(1, true), cell(2, false)],
      false,
      `(CASE WHEN t.cell_id = ANY([2]::bigint[]) THEN ${cellOf('[]')} ELSE t.region_id = ANY([1]::bigint[]) END)`,
    ],
    [
      'labels, in their order',
      [level('label', 4, false), level('label', 3, true)],
      false,
      `(${lastOf('[4,3]', '[0,1]')})`,
    ],
    [
      'all levels',
      [region(1, true), cell(2, true), cell(5, false), level('label', 3, true)],
      true,
      `(CASE WHEN t.variables ? "a" THEN own ELSE COALESCE(${lastOf('[3]', '[1]')}, CASE WHEN t.cell_id = ANY([2,5]::bigint[]) THEN ${cellOf('[2]')} ELSE t.region_id = ANY([1]::bigint[]) END) END)`,
    ],
    [
      'labels that do not match last',
      [region(1, true), level('label', 3, false)],
      false,
      '((t.region_id = ANY([1]::bigint[])) AND NOT EXISTS (SELECT FROM (SELECT b.label_id FROM device_labels b WHERE b.project_id = t.project_id AND b.device_id = t.id OFFSET 0) b WHERE b.label_id = ANY([3]::bigint[]) OFFSET 0))',
    ],
  ])('looks at %s', (_, levels, hasOwn, text) => {
    const found = { ...byKind(levels), own: hasOwn ? ['p'] : [] };
    expect(textOf(matchConditionByLevels(found, 'a', sql`own`, inheritance))).toBe(text);
  });
});

describe('the query for the levels that set keys', () => {
  const keys = keysOf('p', ['a', 'b']);
  const value = sql`t.variables -> k.key`;
  /** The kinds of levels, and the tables whose rows are joined, looked up, or read only if the correlation does not tell. */
  const readIn = (statement: Sql) => {
    const text = textOf(statement);
    const found = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name);
    return {
      kinds: [...new Set(found(/v\.object_type = '(\w+)'/g))],
      joined: found(/JOIN (\w+) t ON/g),
      lookedUp: found(/\(SELECT t\.\* FROM (\w+) t/g),
      ifNeeded: found(
        /OVER \(PARTITION BY k\.n, k\.project_id, v\.value_hash\), \(SELECT t\.variables FROM (\w+) t/g,
      ),
    };
  };
  const NONE = { joined: [], lookedUp: [], ifNeeded: [] };
  const ALL = ['region', 'cell', 'label'];

  it.each<[string, Parameters<typeof keyLevels>[0], ReturnType<typeof readIn>]>([
    ['of no table if no value is wanted', { keys }, { ...NONE, kinds: ALL }],
    ['of each level', { keys, value }, { ...NONE, kinds: ALL, joined: ['regions', 'cells', 'labels'] }],
    [
      'of labels, for their names, and of others if the correlation does not tell',
      {
        keys,
        test: {
          known: sql`v.value_hash <> 1`,
          hash: sql`k.hash`,
          stored: sql`v.stored`,
          meets: (one) => sql`${one} @? k.path`,
          keepsFalseOf: sql`'{}'`,
        },
      },
      { ...NONE, kinds: ALL, lookedUp: ['labels'], ifNeeded: ['regions', 'cells'] },
    ],
    [
      'of the wanted kinds',
      { keys, value, kinds: ['region', 'label'] },
      { ...NONE, kinds: ['region', 'label'], joined: ['regions', 'labels'] },
    ],
    [
      'of no level, but own values',
      { keys, kinds: [], own: { value: sql`to_json(1)`, joined: sql`` } },
      { ...NONE, kinds: [] },
    ],
  ])('reads the rows %s', (_, query, expected) => {
    expect(readIn(keyLevels(query))).toEqual(expected);
  });

  it.each<[string, readonly LevelKind[], readonly string[]]>([
    ['of any region', ['region'], ['k.n = ANY(never)']],
    [
      'of a cell behind which no region has a true one',
      ['region', 'cell'],
      ['k.n = ANY(never)', '(k.n = ANY(never) OR k.n IN (SELECT r.n FROM tested_regions r WHERE r.value))'],
    ],
    ['of a cell without regions', ['cell'], ['k.n = ANY(never)']],
    ['of no label, which hides others', ['label'], []],
  ])('does not read known false values %s', (_, kinds, conditions) => {
    const test = {
      ...{ known: sql`known`, hash: sql`hash`, stored: sql`NULL` },
      ...{ meets: () => sql`meets`, keepsFalseOf: sql`never` },
    };
    const text = textOf(keyLevels({ keys, kinds, test }));
    const found = [...text.matchAll(/ AND (\(hash IS NULL OR .+?\)) UNION ALL /g)].map(([, all = '']) => all);
    expect(found).toEqual(conditions.map((condition) => `(hash IS NULL OR ${condition})`));
    for (const all of found) {
      expect(text).toContain(`AND v.value_hash <> 0 AND v.value_hash = hash AND NOT ${all} UNION ALL `);
      expect(text).toContain(`AND v.value_hash = 0 AND NOT ${all} OFFSET 0) v`);
    }
  });

  it('names the keys of a project, and a single one so that the planner sees it', () => {
    expect(textOf(keys)).toContain('FROM unnest(["a","b"]::text[]) WITH ORDINALITY AS u (key, n)) k');
    expect(textOf(keysOf('p', ['a']))).toBe(
      '(SELECT 1::bigint AS n, "a"::text AS key, "p"::uuid AS project_id) k',
    );
  });

  it('orders labels by precedence, and has own values', () => {
    const own = { value: sql`to_json(d.kind)`, joined: sql`CROSS JOIN d` };
    const text = textOf(keyLevels({ keys, value, own }));
    expect(text).toMatch(/ORDER BY name, id$/);
    expect(text).toContain(
      "SELECT k.n, 'label'::text AS kind, k.project_id, v.object_id AS id, t.label AS name,",
    );
    expect(text).toContain(
      `UNION ALL SELECT k.n, 'own', NULL, NULL, NULL, NULL, NULL, to_json(d.kind) FROM ${textOf(keys)} CROSS JOIN d`,
    );
  });
});
