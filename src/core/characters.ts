/** The number of code points. `length` counts UTF-16 units, of which a character can have two. */
export const characterCount = (text: string): number => Array.from(text).length;

/** Compares by code points, as the database does. JavaScript compares UTF-16 units. */
export const compareCodePoints = (a: string, b: string): number =>
  Buffer.compare(Buffer.from(a), Buffer.from(b));
