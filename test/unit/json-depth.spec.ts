import fc from '../support/property-testing';
import { isDeeperThan, isTextDeeperThan } from '../../src/core/json/json-text';

describe('the depth of a JSON text', () => {
  const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

  it.each([
    ['', 0],
    ['1', 0],
    ['"[[[{{{"', 0],
    ['{}', 1],
    ['[[],[],{}]', 2],
    ['{"a":{"b":[1]},"c":[]}', 3],
    ['{"[[[":"]]]{{{"}', 1],
    ['["\\"[[["]', 1],
    ['["\\\\",["\\\\\\"["]]', 2],
    ['{"a":"\\\\"}', 1],
    [nested(100), 100],
  ])('%j has %d levels', (text, levels) => {
    expect(isTextDeeperThan(levels, text)).toBe(false);
    if (levels > 0) expect(isTextDeeperThan(levels - 1, text)).toBe(true);
  });

  it('is computed for invalid JSON without an error', () => {
    expect(isTextDeeperThan(2, '[[[')).toBe(true);
    expect(isTextDeeperThan(2, ']]]]]]]]')).toBe(false);
    expect(isTextDeeperThan(2, '["[[[[')).toBe(false);
    expect(isTextDeeperThan(2, '"\\')).toBe(false);
    // Surplus closing brackets do not offset later opening ones.
    expect(isTextDeeperThan(2, ']]]]]][[[')).toBe(true);
  });

  it('equals the depth of the parsed value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(7), (value, levels) => {
        for (const text of [JSON.stringify(value), JSON.stringify(value, null, 2)])
          expect(isTextDeeperThan(levels, text)).toBe(isDeeperThan(levels, value));
      }),
      { numRuns: 300 },
    );
  });
});
