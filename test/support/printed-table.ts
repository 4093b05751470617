/** The cells of a printed table, whose columns are at least two spaces apart. */
export const cells = (table: string): string[][] =>
  table
    .trimEnd()
    .split('\n')
    .map((line) => line.trimEnd().split(/ {2,}/));
