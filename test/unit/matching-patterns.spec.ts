import fc from '../support/property-testing';
import { matchingPatterns } from '../../src/core/context/variable-keys';

describe('matchingPatterns', () => {
  const key = fc.string({ unit: fc.constantFrom('a', 'b', '_', 'ß', '𝒳'), minLength: 1, maxLength: 5 });
  const pattern = fc.oneof(
    key,
    fc.constantFrom('', 'a', 'ab', 'ß𝒳', 'b_').map((prefix) => `${prefix}*`),
  );

  it('returns the same patterns as a check of each pattern', () => {
    fc.assert(
      fc.property(fc.uniqueArray(pattern), fc.uniqueArray(key), (patterns, keys) => {
        const matching = matchingPatterns(patterns, keys);
        for (const one of keys) {
          const expected = patterns.filter((each) =>
            each.endsWith('*') ? one.startsWith(each.slice(0, -1)) : one === each,
          );
          expect([...(matching.get(one) ?? [])].sort()).toEqual(expected.sort());
        }
      }),
    );
  });

  it('returns the broadest pattern first', () => {
    expect(matchingPatterns(['abc', 'ab*', '*', 'abc*', 'b'], ['abc'])).toEqual(
      new Map([['abc', ['*', 'ab*', 'abc*', 'abc']]]),
    );
  });
});
