/** Compares by code points, as Python and the service do. JavaScript compares UTF-16 code units. */
export const compareCodePoints = (a: string, b: string): number =>
  Buffer.compare(Buffer.from(a), Buffer.from(b));
