import { withOtherType } from '../src/components/other-type';
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
