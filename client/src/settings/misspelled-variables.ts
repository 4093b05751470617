/** Edits that still leave the name of a variable recognizable. */
const MAX_EDITS = 2;

/**
 * Warns of environment variables whose names differ from a known one by a typing error. It takes and prints names only,
 * because values may be secret.
 */
export function misspellingWarnings(names: readonly string[], known: readonly string[]): string[] {
  return names
    .filter((name) => /^\w+$/.test(name) && !known.includes(name))
    .flatMap((name) => {
      const [closest] = known
        .map((variable) => ({ variable, edits: editDistance(name, variable) }))
        .filter(({ edits }) => edits <= MAX_EDITS)
        .sort((a, b) => a.edits - b.edits);
      return closest
        ? [`The environment variable ${name} is unknown and ignored. Did you mean ${closest.variable}?`]
        : [];
    });
}

/** Counts inserted, deleted, replaced and swapped adjacent letters (optimal string alignment distance). */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Infinity;
  for (let i = 0; i <= a.length; i++) {
    const row: number[] = [];
    rows.push(row);
    for (let j = 0; j <= b.length; j++) {
      const isSwap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        i === 0 || j === 0
          ? i + j
          : Math.min(
              at(i - 1, j) + 1,
              at(i, j - 1) + 1,
              at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
              isSwap ? at(i - 2, j - 2) + 1 : Infinity,
            ),
      );
    }
  }
  return at(a.length, b.length);
}
