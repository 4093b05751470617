/**
 * Which patterns match keys: each is a key, or a prefix followed by `*`. The work grows with the keys and with the
 * lengths of prefixes, and not with how many patterns there are.
 * @returns for each key that any matches, those that do, the broadest first
 */
export function matchingPatterns(
  patterns: readonly string[],
  keys: Iterable<string>,
): ReadonlyMap<string, readonly string[]> {
  const known = new Set(patterns);
  const lengths = [
    ...new Set(patterns.filter((pattern) => pattern.endsWith('*')).map(({ length }) => length - 1)),
  ].sort((a, b) => a - b);
  const matching = new Map<string, readonly string[]>();
  for (const key of keys) {
    const prefixes = lengths
      .filter((length) => length <= key.length)
      .map((length) => `${key.slice(0, length)}*`);
    const found = [...prefixes, key].filter((pattern) => known.has(pattern));
    if (found.length > 0) matching.set(key, found);
  }
  return matching;
}
