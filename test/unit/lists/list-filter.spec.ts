import {
  addressFilter,
  labelFilter,
  type ListFilter,
  prefixFilter,
  textFilter,
} from '../../../src/lists/list-filter';
import { containsFilter, idsFilter } from '../../../src/lists/column-filters';
import type { RequestContext } from '../../../src/core/context/request-context';
import { filterConditions, filterPaths } from '../../../src/lists/list-query';
import { inlined, mapping, project } from './a-list';

const ctx = { principal: { isRoot: false }, projectId: project.project } as RequestContext;

const text = textFilter('name', 'The exact name.', 'a');
const prefix = prefixFilter('name_prefix', 'A prefix of the name.', 'a', 't.name');
const address = addressFilter('ip', 't.ip');
const label = labelFilter('box_labels', 'box_id');

const part = containsFilter('name_contains', 'A part of the name.', 'a', 't.name', 'by_trigrams');
const cell = idsFilter('cell_id', 'A cell.', mapping, { nullable: true });

type Given = readonly [ListFilter, string];

const pathsOf = (...filters: Given[]) => filterPaths(ctx, { filters }, project);
const sourceOf = (...filters: Given[]) => pathsOf(...filters)[0]?.sources[0];

describe('the source of the filters of a list', () => {
  it.each([
    ['none without filters', [], undefined],
    ['none for a text', [[text, 'a']], undefined],
    ['none for an address', [[address, '10.0.0.1']], undefined],
    ['an index without an order for a network', [[address, '10.0.0.0/24']], 'unordered'],
    ['a range for a prefix', [[prefix, 'a']], 'range'],
    ['the assignments of a label', [[label, 'red']], 'join'],
    ['none for one id', [[cell, '3']], undefined],
    ['none without an id', [[cell, 'null']], undefined],
    [
      'none for the same id twice',
      [
        [cell, '3'],
        [cell, '3'],
      ],
      undefined,
    ],
    [
      'a range of an index for each of several ids',
      [
        [cell, '3'],
        [cell, '4'],
      ],
      'table',
    ],
    ['an index with blocks for a part', [[part, 'abc']], 'blocks'],
    ['none for a part without a trigram', [[part, 'ab']], undefined],
    [
      'any other one rather than a range, which can be long',
      [
        [prefix, 'a'],
        [address, '10.0.0.0/24'],
      ],
      'unordered',
    ],
    [
      'the first of several',
      [
        [text, 'a'],
        [label, 'red'],
        [address, '10.0.0.0/24'],
      ],
      'join',
    ],
  ] as const)('is %s', (_, filters, kind) => {
    expect(sourceOf(...filters)?.kind).toBe(kind);
  });

  it('is another path for a part of a text, beside that of the best filter', () => {
    const kinds = pathsOf([part, 'abc'], [prefix, 'a'], [cell, '3'], [cell, '4'], [label, 'red']).map(
      ({ sources: [source] }) => source?.kind,
    );
    expect(kinds).toEqual(['join', 'blocks']);
    const missing = filterPaths(ctx, { filters: [[part, 'abc']] }, project, new Set(['by_trigrams']));
    expect(missing).toEqual([]);
  });

  it.each([
    [['3'], 't.cell_id = 3', []],
    [['null'], 't.cell_id IS NULL', []],
    [['3', '3'], 't.cell_id = 3', []],
    [['3', '4'], 't.cell_id = ANY([3,4]::bigint[])', ['t.cell_id = s.value']],
    [['3', 'null'], '(t.cell_id = 3 OR t.cell_id IS NULL)', ['t.cell_id = s.value', 't.cell_id IS NULL']],
    [
      ['null', '4', '3'],
      '(t.cell_id = ANY([4,3]::bigint[]) OR t.cell_id IS NULL)',
      ['t.cell_id = s.value', 't.cell_id IS NULL'],
    ],
  ])('has one of the ids %j', (values, condition, sources) => {
    const filters = values.map((value): Given => [cell, value]);
    expect(filterConditions(ctx, { filters }, project).map(inlined)).toEqual([condition]);
    expect(pathsOf(...filters).flatMap((path) => path.sources.map(({ where }) => inlined(where)))).toEqual(
      sources,
    );
  });

  it('accepts at most 100 ids', () => {
    const given = (count: number) => Array.from({ length: count }, (_, i): Given => [cell, String(i + 1)]);
    expect(filterConditions(ctx, { filters: given(100) }, project)).toHaveLength(1);
    expect(() => filterConditions(ctx, { filters: given(101) }, project)).toThrow(/cell_id/);
  });

  it('begins with the rarest of several labels of a project', () => {
    const rows = (...names: string[]) => {
      const { drivingRows } = sourceOf(...names.map((name) => [label, name] as const)) ?? {};
      return drivingRows && inlined(drivingRows);
    };
    expect(rows('red')).not.toContain('ORDER BY');
    expect(rows('red', 'red', 'blue')).toContain(
      'l.label = ANY(["red","blue"]::text[]) ORDER BY (SELECT count(*)',
    );
  });

  it.each([
    ['a', '(t.name >= "a" AND t.name < "b")'],
    ['a\u{10ffff}', '(t.name >= "a\u{10ffff}" AND t.name < "b")'],
    ['\ud7ff', '(t.name >= "\ud7ff" AND t.name < "\ue000")'],
    ['', 't.name >= ""'],
    ['\u{10ffff}', 't.name >= "\u{10ffff}"'],
  ])('is the range of the prefix %j', (value, expected) => {
    const source = sourceOf([prefix, value]);
    expect(source && inlined(source.where)).toBe(expected);
  });
});
