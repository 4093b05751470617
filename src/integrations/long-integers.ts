/** How many digits of an integer Python takes from a text, unless its user has told it otherwise. */
const MOST_DIGITS = 4_300;

/** A run of more: it is looked for from its begin alone, or texts of digits would be walked over again and again. */
const LONG = new RegExp(`(?<!\\d)\\d{${String(MOST_DIGITS + 1)}}`);

/**
 * Strings, which are passed over, and numbers as PostgreSQL prints them. A loop takes as little room as it can: see
 * `endOfString`.
 */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?(\d+)(\.\d+)?/gs;

/**
 * A JSON text as programs written in Python can read it: one integer of more digits than they take, and they read nothing
 * of the whole. Such an integer becomes a string; no digit is lost.
 */
export function withoutLongIntegers(text: string): string {
  if (!LONG.test(text)) return text;
  return text.replace(TOKENS, (token, digits: string | undefined, fraction: string | undefined) =>
    digits === undefined || digits.length <= MOST_DIGITS || fraction !== undefined ? token : `"${token}"`,
  );
}
