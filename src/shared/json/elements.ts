/** Brackets, commas, and strings, within which neither counts. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[[\]{},]/gs;

/** The texts of the elements of a JSON array. The text must be valid JSON, and an array. */
export function elementsOf(text: string): string[] {
  const elements: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    if (token === '[' || token === '{') {
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
