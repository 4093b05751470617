/** The beginning of a text, in UTF-16 units. It does not end within a character. */
export const beginningOf = (text: string, length: number): string =>
  text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
