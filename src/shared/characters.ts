/** How many characters a text has: one may take two units of a JavaScript string. */
export const characterCount = (text: string): number => Array.from(text).length;
