const BACKSLASH = 0x5c;

/**
 * The index after a string in a valid JSON text. A regular expression could overflow the stack on long strings.
 * @param begin the index of the opening quote
 */
export function stringEnd(text: string, begin: number): number {
  for (let end = text.indexOf('"', begin + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end + 1;
  }
  return text.length;
}

/** Brackets, commas and quotes. Brackets and commas within strings are skipped. */
const TOKENS = /["[\]{},]/g;

/** The elements of a JSON array, as JSON texts. The text must be a valid JSON array. */
export function splitJsonArray(text: string): string[] {
  const elements: string[] = [];
  let depth = 0;
  let start = 0;
  TOKENS.lastIndex = 0;
  for (let match = TOKENS.exec(text); match; match = TOKENS.exec(text)) {
    const { 0: token, index } = match;
    if (token === '"') TOKENS.lastIndex = stringEnd(text, index);
    else if (token === '[' || token === '{') {
      if (depth++ === 0) start = index + 1;
    } else if (token === ']' || token === '}') {
      if (--depth === 0) elements.push(text.slice(start, index));
    } else if (token === ',' && depth === 1) {
      elements.push(text.slice(start, index));
      start = index + 1;
    }
  }
  // An empty array yields one blank element.
  return elements.length === 1 && elements[0]?.trim() === '' ? [] : elements;
}
