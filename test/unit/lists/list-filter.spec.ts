import {
  addressFilter,
  labelFilter,
  type ListFilter,
  prefixFilter,
  textFilter,
} from '../../../src/lists/list-filter';
import { filterSource } from '../../../src/lists/list-query';
import { inlined, project } from './a-list';

const text = textFilter('name', 'The exact name.', 'a');
const prefix = prefixFilter('name_prefix', 'A prefix of the name.', 'a', 't.name');
const address = addressFilter('ip', 't.ip');
const label = labelFilter('box_labels', 'box_id');

const sourceOf = (...filters: (readonly [ListFilter, string])[]) => filterSource({ filters }, project);

describe('the source of the filters of a list', () => {
  it.each([
    ['none without filters', [], undefined],
    ['none for a text', [[text, 'a']], undefined],
    ['none for an address', [[address, '10.0.0.1']], undefined],
    ['an index without an order for a network', [[address, '10.0.0.0/24']], 'unordered'],
    ['a range for a prefix', [[prefix, 'a']], 'range'],
    ['the assignments of a label', [[label, 'red']], 'join'],
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
