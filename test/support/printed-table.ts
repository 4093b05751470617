/** The rows of a printed table, as cells: columns stand two spaces or more apart. */
export const cells = (table: string): string[][] =>
  table
    .trimEnd()
    .split('\n')
    .map((line) => line.trimEnd().split(/ {2,}/));
