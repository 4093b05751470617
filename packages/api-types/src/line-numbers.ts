/** The maximum number of ranges in a text. */
const MAX_RANGES = 5;

/** The numbers of lines as a text: `2`, `2 to 13`, `2, 5 to 9, 12`. */
export function lineNumbers(lines: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const line of lines.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && line === last[1] + 1) last[1] = line;
    else ranges.push([line, line]);
  }
  const texts = ranges.slice(0, MAX_RANGES).map(([first, last]) => {
    if (first === last) return String(first);
    return `${String(first)}${last === first + 1 ? ',' : ' to'} ${String(last)}`;
  });
  return [...texts, ...(ranges.length > MAX_RANGES ? ['…'] : [])].join(', ');
}
