import { withOtherType } from '../src/components/other-type';

it.each([
  ['where', 'kernel < 6.12', 'kernel < "6.12"'],
  ['where', 'kernel<6.12', 'kernel < "6.12"'],
  ['where', 'rack.row >= "4"', 'rack.row >= 4'],
  ['where', '"bgp-asn" in [64512, "x"]', '"bgp-asn" in ["64512", "x"]'],
  ['where', 'kernel < "6.12.1"', undefined],
  ['where', 'kernel exists', undefined],
  ['where', 'kernel missing', undefined],
  ['vars', 'rack.row:4', 'rack.row:"4"'],
  ['vars', 'is_edge:"true"', 'is_edge:true'],
  ['vars', 'site:north', undefined],
] as const)('a filter of %s %s with the other type is %s', (parameter, text, other) => {
  expect(withOtherType({ parameter, text })).toEqual(
    other === undefined ? undefined : { parameter, text: other },
  );
});
