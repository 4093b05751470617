/** A number with what it counts: `1 row`, `2 rows`. */
export const amount = (count: number, of: string): string =>
  `${String(count)} ${of}${count === 1 ? '' : 's'}`;

/** A length for people. */
export function bytesText(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  for (; value >= 1000 && unit < units.length - 1; unit++) value /= 1000;
  return `${unit === 0 ? String(value) : value.toFixed(1)} ${units[unit] ?? ''}`;
}

/** The seconds since a moment, to a tenth. */
export const secondsSince = (began: number): string => ((Date.now() - began) / 1000).toFixed(1);

export function sumOf(counts: Iterable<number>): number {
  let sum = 0;
  for (const count of counts) sum += count;
  return sum;
}
