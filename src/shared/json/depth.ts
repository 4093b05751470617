const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * Whether more than `levels` arrays and objects stand within each other in a value.
 * Walks without recursion: the text may be nested a million levels deep.
 */
export function isDeeperThan(levels: number, value: unknown): boolean {
  let level = [value].filter(isNested);
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === levels) return true;
    level = level.flatMap((one) => Object.values(one).filter(isNested));
  }
  return false;
}
