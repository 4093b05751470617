import { parseConditions, valueOfOtherType } from '@muster/api-types';

it.each([
  ['kernel:6.8', [{ path: 'kernel', key: 'kernel', value: '6.8' }]],
  [
    'rack.row:4, up:true',
    [
      { path: 'rack.row', key: 'rack', value: '4' },
      { path: 'up', key: 'up', value: 'true' },
    ],
  ],
  ['"bgp-asn":64512', [{ path: '"bgp-asn"', key: 'bgp-asn', value: '64512' }]],
  ['disks[*].size : "a b"', [{ path: 'disks[*].size', key: 'disks', value: '"a b"' }]],
])('parseConditions reads %s', (filter, conditions) => {
  expect(parseConditions(filter)).toEqual(conditions);
});

it.each([
  ['6.8', '"6.8"'],
  ['"6.8"', '6.8'],
  ['true', '"true"'],
  ['"null"', 'null'],
  ['"6.8.1"', undefined],
  ['"north"', undefined],
  ['[6.8, "a"]', '["6.8", "a"]'],
  ['["a"]', undefined],
  ['[6.10, "1, 2", "x\\"y"]', '["6.10", "1, 2", "x\\"y"]'],
])('valueOfOtherType of %s is %s', (value, other) => {
  expect(valueOfOtherType(value)).toBe(other);
});

it.each([
  ['6.8', '<', '"6.8"'],
  ['"6.8"', '>=', '6.8'],
  ['"true"', '<', undefined],
  ['"true"', '!=', 'true'],
  ['"6"', '^=', undefined],
  ['"6"', '~=', undefined],
])('valueOfOtherType of %s after %s is %s', (value, operator, other) => {
  expect(valueOfOtherType(value, operator)).toBe(other);
});
