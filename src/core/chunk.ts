/** Splits a list into consecutive parts of at most `size` items. */
export function* chunk<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
