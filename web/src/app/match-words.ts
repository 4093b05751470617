/** Whether each word of a text is the beginning of a word of a title, in any order and in any case. */
export function matchesWords(text: string, title: string): boolean {
  const words = wordsOf(title);
  return wordsOf(text).every((part) => words.some((word) => word.startsWith(part)));
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
