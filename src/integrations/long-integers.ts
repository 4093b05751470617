/** The default limit of Python for the digits of an integer in text (`sys.set_int_max_str_digits`). */
const MAX_DIGITS = 4_300;

/** The lookbehind lets a match start only at the first digit. Otherwise long runs of digits take quadratic time. */
const LONG_INTEGER = new RegExp(`(?<!\\d)\\d{${String(MAX_DIGITS + 1)}}`);

/**
 * Matches strings, which stay unchanged, and numbers as PostgreSQL prints them. It avoids nested repetition, which
 * could overflow the stack: see `stringEnd`.
 */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?(\d+)(\.\d+)?/gs;

/**
 * Converts integers with too many digits for Python into strings, without losing digits. One such integer would make a
 * program written in Python reject the whole JSON text.
 */
export function quoteLongIntegers(text: string): string {
  if (!LONG_INTEGER.test(text)) return text;
  return text.replace(TOKENS, (token, digits: string | undefined, fraction: string | undefined) =>
    digits === undefined || digits.length <= MAX_DIGITS || fraction !== undefined ? token : `"${token}"`,
  );
}
