/** The maximum number of edits that leave a long name recognizable. */
const MAX_EDITS = 2;
/** In characters, per edit. Fewer leave another word: `note` is two edits from `name`, and `ntp` from `dns`. */
const MIN_LENGTH_PER_EDIT = 3;

/** The known name that a misspelled one is most similar to; undefined if none is similar. */
export function findClosest(name: string, known: readonly string[]): string | undefined {
  const [closest] = known
    .map((candidate) => ({ candidate, edits: editDistance(name, candidate) }))
    .filter(({ candidate, edits }) => edits <= Math.min(MAX_EDITS, candidate.length / MIN_LENGTH_PER_EDIT))
    .sort((a, b) => a.edits - b.edits);
  return closest?.candidate;
}

/** The known name that a misspelled one is most similar to, as a question after a sentence; empty if none is similar. */
export function didYouMean(name: string, known: readonly string[]): string {
  const closest = findClosest(name, known);
  return closest === undefined ? '' : ` Did you mean ${closest}?`;
}

/** The error message for a value that is none of the choices, as commander words it. @param what as in `Invalid sort key "nmae"` */
export const describeInvalidChoice = (what: string, value: string, choices: readonly string[]): string =>
  `Invalid ${what} ${JSON.stringify(value)}.${didYouMean(value, choices)} Allowed choices are ${choices.join(', ')}.`;

/** The number of inserted, deleted and replaced letters, and of swapped neighbours, between two texts (Damerau-Levenshtein distance). */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwapped ? (before[j - 2] ?? 0) + 1 : Infinity;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, replaced, swapped));
    }
    [before, row] = [row, next];
  }
  return row.at(-1) ?? 0;
}

/**
 * Compares by code points, as Python and the service do. JavaScript compares UTF-16 code units. Without `Buffer.compare`: the explorer, in
 * a browser, imports this file, too.
 */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const [x, y] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (x !== y) return rankOf(x) - rankOf(y);
  }
  return a.length - b.length;
}

/** Surrogates are parts of code points beyond all others. */
const rankOf = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

/** Compiles a pattern with `*` for any text and `?` for any character. */
export const globToRegExp = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .trim()
      .replaceAll(/[\\^$.+()[\]{}|]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
    's',
  );

/** `1 device`, `2 devices`. */
export const pluralize = (count: number, word: string): string =>
  `${String(count)} ${word}${count === 1 ? '' : 's'}`;

/** A word of a command line without the value of an assignment, which may be a secret. */
export const maskAssignment = (word: string): string => word.replace(/=.*$/s, '=...');
