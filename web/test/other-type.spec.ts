import { differingValues, withOtherType } from '../src/components/other-type';
import { variableFiltersOf } from '../src/components/variable-filters';

it.each([
  [{ where: ['kernel < 6.12'] }, 'kernel < "6.12"'],
  [{ where: ['kernel<6.12'] }, 'kernel < "6.12"'],
  [{ where: ['rack.row >= "4"'] }, 'rack.row >= 4'],
  [{ where: ['"bgp-asn" in [64512, "x"]'] }, '"bgp-asn" in ["64512", "x"]'],
  [{ where: ['kernel < "6.12.1"'] }, undefined],
  [{ where: ['kernel exists'] }, undefined],
  [{ where: ['kernel missing'] }, undefined],
  [{ vars: 'rack.row:4' }, 'rack.row = "4"'],
  [{ vars: '"bgp-asn" : 64512' }, '"bgp-asn" = "64512"'],
  [{ vars: 'is_edge:"true"' }, 'is_edge = true'],
  [{ vars: 'site:"north"' }, undefined],
])('the filter %j with the other type is %s', (search, text) => {
  const expected = text === undefined ? undefined : { parameter: 'where', text };
  expect(variableFiltersOf(search).map(withOtherType)).toEqual([expected]);
});

it.each([
  ['kernel < "6.12"', 'the text "6.12" and the number 6.12'],
  ['kernel = 6.12', 'the number 6.12 and the text "6.12"'],
  // The first that has another type.
  ['kernel in ["6.8.0-45", "6.9"]', 'the text "6.9" and the number 6.9'],
  ['edge = "true"', 'the text "true" and the boolean true'],
  ['owner = null', 'null and the text "null"'],
])('of %s and its other form, %s differ', (text, expected) => {
  const filter = { parameter: 'where', text } as const;
  const other = withOtherType(filter);
  expect(other && differingValues(filter, other)).toBe(expected);
});
