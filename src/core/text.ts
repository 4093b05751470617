/** The number of code points. `length` counts UTF-16 units, of which a character can have two. */
export const characterCount = (text: string): number =>
  text.length - (text.match(SURROGATE_PAIRS)?.length ?? 0);

const SURROGATE_PAIRS = /[\ud800-\udbff][\udc00-\udfff]/g;

/**
 * Characters that have no place in a name of one line: control characters and line separators; invisible characters, such as
 * the zero-width space; and those that change the direction of text. Names that differ only in these look the same.
 */
const NOT_VISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Why a text cannot be a name of one line; undefined if it can. */
export function oneLineError(text: string): string | undefined {
  // Fast path: most names are printable ASCII.
  if (VISIBLE_ASCII.test(text)) return undefined;
  if (/\p{Cc}/u.test(text)) return 'must not contain control characters';
  const [character] = NOT_VISIBLE.exec(text) ?? [];
  if (character !== undefined)
    return `must not contain invisible or bidirectional characters, such as ${codePointName(character)}`;
  return text === text.trim() ? undefined : 'must not begin or end with white space';
}

const VISIBLE_ASCII = /^[!-~](?:[ -~]*[!-~])?$/;

/** Removes from a name of another system what `oneLineError` rejects. */
export const toOneLine = (text: string): string => text.replaceAll(new RegExp(NOT_VISIBLE, 'gu'), '').trim();

/** `U+200B` */
const codePointName = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** The maximum number of edits that leave a long name recognizable. */
const MAX_EDITS = 2;
/** In characters, per edit. Fewer leave another word: `cpus` is no misspelled `cells`. */
const MIN_LENGTH_PER_EDIT = 3;

/**
 * The known name that a misspelled one is most similar to; undefined if none is similar.
 * @param maxEdits the number of edits that leave a known name recognizable
 */
export function findClosest(
  name: string,
  known: readonly string[],
  maxEdits = (candidate: string): number => Math.min(MAX_EDITS, candidate.length / MIN_LENGTH_PER_EDIT),
): string | undefined {
  const [closest] = known
    // The difference of lengths is the least number of edits. This leaves few names to compare.
    .filter((candidate) => Math.abs(candidate.length - name.length) <= maxEdits(candidate))
    .map((candidate) => ({ candidate, edits: editDistance(name, candidate) }))
    .filter(({ candidate, edits }) => edits <= maxEdits(candidate))
    .sort((a, b) => a.edits - b.edits);
  return closest?.candidate;
}

/**
 * The number of inserted, deleted, replaced and swapped adjacent letters between two texts (optimal string alignment
 * distance).
 */
function editDistance(a: string, b: string): number {
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
