import { stringEnd } from './json-elements';

/** What may matter, of which each is looked at by itself. */
const SIGNS = /["eE]/g;

/**
 * By how many digits a JSON text can grow when the database prints its numbers: it writes `1e1000` as a one and a
 * thousand noughts. So a few bytes of a request could become many megabytes of every answer that shows them.
 * @param text valid JSON
 */
export function exponentDigits(text: string): number {
  let digits = 0;
  let at = 0;
  for (;;) {
    SIGNS.lastIndex = at;
    const sign = SIGNS.exec(text);
    if (!sign) return digits;
    if (sign[0] === '"') at = stringEnd(text, sign.index);
    else {
      const begin = sign.index + (/[+-]/.test(text.charAt(sign.index + 1)) ? 2 : 1);
      at = endOfDigits(text, begin);
      digits += Number(text.slice(begin, at));
    }
  }
}

/** Those of `true` and `false` have none. */
function endOfDigits(text: string, begin: number): number {
  let end = begin;
  while (/\d/.test(text.charAt(end))) end++;
  return end;
}
