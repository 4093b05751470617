/** Faults that are the same, of several lines. */
export interface EqualFaults<T> {
  readonly message: string;
  /** Those of each line, in order. */
  readonly faults: readonly [T, ...T[]];
}

/**
 * Groups the faults of the lines of an import that are the same: a missing rack is one fault, however many lines name it. The groups
 * are in the order of their first lines.
 * @param scopeOf faults are the same only if this is the same, such as their file
 */
export function groupEqualFaults<T extends { readonly message: string }>(
  faults: readonly T[],
  scopeOf: (fault: T) => string = () => '',
): readonly EqualFaults<T>[] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const fault of faults) {
    const key = JSON.stringify([scopeOf(fault), fault.message]);
    const group = groups.get(key);
    if (group) group.push(fault);
    else groups.set(key, [fault]);
  }
  return [...groups.values()].map((group) => ({ message: group[0].message, faults: group }));
}

/** How many ranges of numbers a text has. */
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
