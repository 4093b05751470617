import { stringEnd } from './json-elements';

/** Quotes, and letters that can begin an exponent. */
const TOKENS = /["eE]/g;

/**
 * How many digits a JSON text can gain when the database prints its numbers: it prints `1e1000` as a one and a thousand
 * zeros. So a few bytes of a request could become many megabytes of every response.
 * @param text valid JSON
 */
export function exponentDigits(text: string): number {
  let digits = 0;
  let at = 0;
  for (;;) {
    TOKENS.lastIndex = at;
    const match = TOKENS.exec(text);
    if (!match) return digits;
    if (match[0] === '"') at = stringEnd(text, match.index);
    else {
      const begin = match.index + (/[+-]/.test(text.charAt(match.index + 1)) ? 2 : 1);
      at = endOfDigits(text, begin);
      digits += Number(text.slice(begin, at));
    }
  }
}

/** The end of the digits at `begin`. The letter e of `true` and `false` is followed by none. */
function endOfDigits(text: string, begin: number): number {
  let end = begin;
  while (/\d/.test(text.charAt(end))) end++;
  return end;
}
