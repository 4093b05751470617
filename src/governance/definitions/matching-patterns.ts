/**
 * Finds the patterns that match each key. A pattern is a key, or a prefix followed by `*`. The cost depends on the
 * number of keys and of distinct prefix lengths, not on the number of patterns.
 * @returns the matching patterns of each key that has any, shortest prefix first
 */
export function matchingPatterns(
  patterns: readonly string[],
  keys: Iterable<string>,
): ReadonlyMap<string, readonly string[]> {
  const patternSet = new Set(patterns);
  const lengths = [
    ...new Set(patterns.filter((pattern) => pattern.endsWith('*')).map(({ length }) => length - 1)),
  ].sort((a, b) => a - b);
  const matching = new Map<string, readonly string[]>();
  for (const key of keys) {
    const prefixes = lengths
      .filter((length) => length <= key.length)
      .map((length) => `${key.slice(0, length)}*`);
    const found = [...prefixes, key].filter((pattern) => patternSet.has(pattern));
    if (found.length > 0) matching.set(key, found);
  }
  return matching;
}
