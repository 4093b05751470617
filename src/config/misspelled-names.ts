/** An unknown name, and the known name that was probably meant. */
export interface MisspelledName {
  readonly name: string;
  readonly closest: string;
}

/** Other programs' variables that are as similar to a setting as a typing error would be. */
const WELL_KNOWN: ReadonlySet<string> = new Set(['SSL_CERT_FILE']);

/** Names with other characters are not typing errors, and could contain terminal escapes. */
const PRINTABLE = /^\w+$/;

/** Up to this length a name has many neighbours that are words of their own: `POST` and `ROOT` are near `PORT`. */
const MAX_SHORT_LENGTH = 6;
/** From this length on, two typing errors still leave a name recognizable. */
const MIN_LONG_LENGTH = 10;

/**
 * Finds environment variables whose names differ from a known name by a typing error: one edit, or two edits of a long
 * name. In a short name only two swapped letters count. It takes names only, because values may be secret.
 */
export function misspelledNames(names: readonly string[], known: readonly string[]): MisspelledName[] {
  return names
    .filter((name) => PRINTABLE.test(name) && !known.includes(name) && !WELL_KNOWN.has(name))
    .flatMap((name) => {
      const [closest] = known
        .map((setting) => ({ setting, distance: editDistance(name, setting) }))
        .filter(({ setting, distance }) => isTypingError(name, setting, distance))
        .sort((a, b) => a.distance - b.distance);
      return closest ? [{ name, closest: closest.setting }] : [];
    });
}

/** The warning about a misspelled name. */
export const misspellingText = ({ name, closest }: MisspelledName): string =>
  `The environment variable ${name} is unknown and ignored. Did you mean ${closest}?`;

function isTypingError(name: string, setting: string, distance: number): boolean {
  if (setting.length <= MAX_SHORT_LENGTH)
    return distance === 1 && sortedLetters(name) === sortedLetters(setting);
  return distance <= (setting.length < MIN_LONG_LENGTH ? 1 : 2);
}

const sortedLetters = (text: string): string => Array.from(text).sort().join('');

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
