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
