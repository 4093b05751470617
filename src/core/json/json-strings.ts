const BACKSLASH = 0x5c;

/**
 * The index after a string in a JSON text, which must be valid. Not by a pattern, of which each round of a loop may take
 * room on a stack: strings are longer than that.
 * @param begin where its first quote stands
 */
export function endOfString(text: string, begin: number): number {
  for (let end = text.indexOf('"', begin + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end + 1;
  }
  return text.length;
}
