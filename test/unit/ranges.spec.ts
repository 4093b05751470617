import { expandRanges } from '@muster/api-types';

it('expands the name, and options in step with it', () => {
  const options = {
    ipAddress: '10.9.0.{8..10}',
    label: ['rack-{1..3}', 'web'],
    active: true,
    note: 'row {a..c}',
  };
  expect(expandRanges('web-{08..10}', options)).toEqual([
    {
      name: 'web-08',
      members: { ipAddress: '10.9.0.8', label: ['rack-1', 'web'], active: true, note: 'row a' },
    },
    {
      name: 'web-09',
      members: { ipAddress: '10.9.0.9', label: ['rack-2', 'web'], active: true, note: 'row b' },
    },
    {
      name: 'web-10',
      members: { ipAddress: '10.9.0.10', label: ['rack-3', 'web'], active: true, note: 'row c' },
    },
  ]);
});

it.each([
  ['row-{a..c}', ['row-a', 'row-b', 'row-c']],
  ['{X..Z}{1..3}', ['X1', 'Y2', 'Z3']],
  ['{q..q}', ['q']],
])('expands the letters in %s', (name, expected) => {
  expect(expandRanges(name, {})?.map((item) => item.name)).toEqual(expected);
});

it('expands nothing without a range in the name', () => {
  expect(expandRanges('web-1', { note: '{1..3}' })).toBeUndefined();
  expect(expandRanges('web-{ab..cd}', {})).toBeUndefined();
});

it.each([
  ['web-{1..3}', { note: '{1..4}' }, 'different lengths: 3 in the name, 4 in another value'],
  ['web-{1..3}-{1..2}', {}, 'different lengths'],
  ['web-{3..1}', {}, 'Invalid range {3..1}: it ends before it begins'],
  ['web-{c..a}', {}, 'Invalid range {c..a}: it ends before it begins'],
  ['web-{a..Z}', {}, 'Invalid range {a..Z}: it needs two numbers, two lower-case letters or two upper'],
  ['web-{1..c}', {}, 'Invalid range {1..c}: it needs two numbers'],
  ['web-{0..1000}', {}, 'Invalid range {0..1000}: it has more than 1000 items'],
])('rejects %s with %j', (name, options, message) => {
  expect(() => expandRanges(name, options)).toThrow(message);
});
