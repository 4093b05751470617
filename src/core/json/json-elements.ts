const BACKSLASH = 0x5c;

/**
 * The index after a string in a JSON text, which must be valid. Not by a pattern, of which each round of a loop may take
 * room on a stack: strings are longer than that.
 * @param begin where its first quote stands
 */
export function stringEnd(text: string, begin: number): number {
  for (let end = text.indexOf('"', begin + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end + 1;
  }
  return text.length;
}

/** Brackets, commas, and what begins a string, within which neither counts. */
const SIGNS = /["[\]{},]/g;

/** The texts of the elements of a JSON array. The text must be valid JSON, and an array. */
export function splitArrayElements(text: string): string[] {
  const elements: string[] = [];
  let depth = 0;
  let start = 0;
  SIGNS.lastIndex = 0;
  for (let sign = SIGNS.exec(text); sign; sign = SIGNS.exec(text)) {
    const { 0: token, index } = sign;
    if (token === '"') SIGNS.lastIndex = stringEnd(text, index);
    else if (token === '[' || token === '{') {
      if (depth++ === 0) start = index + 1;
    } else if (token === ']' || token === '}') {
      if (--depth === 0) elements.push(text.slice(start, index));
    } else if (token === ',' && depth === 1) {
      elements.push(text.slice(start, index));
      start = index + 1;
    }
  }
  // Between the brackets of an empty array there is one element too many.
  return elements.length === 1 && elements[0]?.trim() === '' ? [] : elements;
}
