/** Strings, which are passed over, and numbers with an exponent. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[eE]([+-]?\d+)/gs;

/**
 * By how many digits a JSON text can grow when the database prints its numbers: it writes `1e1000` as a one and a
 * thousand noughts. So a few bytes of a request could become many megabytes of every answer that shows them.
 */
export function digitsOfExponents(text: string): number {
  let digits = 0;
  for (const [, exponent] of text.matchAll(TOKENS))
    if (exponent !== undefined) digits += Math.abs(Number(exponent));
  return digits;
}
