import {
  keysOfRecords,
  levelsBefore,
  type LevelRecord,
  type PastLevel,
  resolvedChanges,
  resolvedChangesText,
} from '../../src/history/resolved-changes/level-history';

const level = (kind: string, id: number, name: string, members: Record<string, string>): PastLevel => ({
  ...{ kind, id, name },
  members: new Map(Object.entries(members)),
});
const record = (of: PastLevel, variables: string, before: string | null = null): LevelRecord => ({
  ...{ kind: of.kind, id: of.id, action: 'update', name_before: before, variables },
});
const seesAll = () => true;

const region = level('region', 1, 'ams1', { '"a"': '1', '"b"': '1' });
const first = level('label', 2, 'a', { '"b"': '2' });
const last = level('label', 3, 'z', { '"b"': '3', '"c"': '3' });
const own = level('host', 2, 'node1', { '"c"': '4' });
const levels = [region, first, last, own];

/** The changes of a record, as an object. */
const changesOf = (changed: LevelRecord, sees: (key: string) => boolean = seesAll): unknown => {
  const before = levelsBefore(levels, [changed], sees);
  return JSON.parse(resolvedChangesText(resolvedChanges(before, levels, keysOfRecords(levels, [changed]))));
};

it.each<[string, LevelRecord, object]>([
  [
    'a value of a level that no other overrides',
    record(region, '{"a": {"before": 0, "after": 1}}'),
    { a: { before: 0, after: 1, level: { kind: 'region', id: 1, name: 'ams1' } } },
  ],
  ['an overridden value', record(region, '{"b": {"before": 0, "after": 1}}'), {}],
  ['a label that a later one overrides', record(first, '{"b": {"after": 2}}'), {}],
  [
    'a value that overrides another one since',
    record(own, '{"c": {"after": 4}}'),
    { c: { before: 3, after: 4, level: { kind: 'host', id: 2, name: 'node1' } } },
  ],
  [
    'a removed value, with the level that it had',
    record(region, '{"d": {"before": {"n": 1.50}}}'),
    { d: { before: { n: 1.5 }, level: { kind: 'region', id: 1, name: 'ams1' } } },
  ],
  [
    'another order of the labels',
    record(first, '{}', 'zz'),
    { b: { before: 2, after: 3, level: { kind: 'label', id: 3, name: 'z' } } },
  ],
  ['what the record says of another resource', record({ ...region, id: 2 }, '{"a": {"after": 1}}'), {}],
])('the changes of resolved variables: %s', (_, changed, expected) => {
  expect(changesOf(changed)).toEqual(expected);
});

it('do not include hidden variables', () => {
  expect(changesOf(record(region, '{"d": {"before": 1}}'), (key) => key !== 'd')).toEqual({});
});

it('of a new device are all of its variables', () => {
  const keys = levels.flatMap(({ members }) => [...members.keys()]);
  expect(resolvedChanges(undefined, levels, keys).map(({ key, after }) => [key, after])).toEqual([
    ['"a"', '1'],
    ['"b"', '3'],
    ['"c"', '4'],
  ]);
});
