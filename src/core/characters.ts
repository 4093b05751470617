/** How many characters a text has: one may take two units of a JavaScript string. */
export const characterCount = (text: string): number => Array.from(text).length;

/** The order of code points, which is the database's; JavaScript's own is that of UTF-16 units. */
export const compareCodePoints = (a: string, b: string): number =>
  Buffer.compare(Buffer.from(a), Buffer.from(b));
