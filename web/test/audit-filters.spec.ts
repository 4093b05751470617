import { isCountable } from '../src/components/fleet-map/audit-filters';

const vars = (count: number) => Array.from({ length: count }, (_, i) => `a.b${i}:"x"`).join(',');
const where = (count: number) => Array.from({ length: count }, (_, i) => `a in [${i}, 1]`);

it.each([
  ['no filters of devices', { vars: null, where: null, expectation: { vars: vars(16) } }, true],
  [
    'as many filters as a request may have',
    { vars: vars(8), where: where(15), expectation: { vars: vars(8), where: where(1) } },
    true,
  ],
  ['more filters', { vars: vars(16), where: null, expectation: { vars: vars(1) } }, false],
  ['more conditions', { vars: null, where: where(8), expectation: { where: where(9) } }, false],
  ['a JSON Schema', { vars: null, where: null, expectation: { key: 'a', schema: true } }, false],
])('one request counts the devices of an audit with %s', (_, audit, isOne) => {
  expect(isCountable(audit)).toBe(isOne);
});
