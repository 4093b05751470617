/** The number of code points. `length` counts UTF-16 units, of which a character can have two. */
export const characterCount = (text: string): number => Array.from(text).length;

/** Compares by code points, as the database does. JavaScript compares UTF-16 units. */
export const compareCodePoints = (a: string, b: string): number =>
  Buffer.compare(Buffer.from(a), Buffer.from(b));

/**
 * The number of inserted, deleted, replaced and swapped adjacent letters between two texts (optimal string alignment
 * distance).
 */
export function editDistance(a: string, b: string): number {
  const rows: number[][] = [];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Infinity;
  for (let i = 0; i <= a.length; i++) {
    const row: number[] = [];
    rows.push(row);
    for (let j = 0; j <= b.length; j++) {
      if (i === 0 || j === 0) {
        row.push(i + j);
        continue;
      }
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      const isSwap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          at(i - 1, j) + 1,
          at(i, j - 1) + 1,
          at(i - 1, j - 1) + cost,
          isSwap ? at(i - 2, j - 2) + 1 : Infinity,
        ),
      );
    }
  }
  return at(a.length, b.length);
}
