/** Compares by code points, as the database does. JavaScript compares UTF-16 units: the same without surrogates, and faster. */
export function compareCodePoints(a: string, b: string): number {
  if (SURROGATE.test(a) || SURROGATE.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : Number(a > b);
}

const SURROGATE = /[\ud800-\udfff]/;
