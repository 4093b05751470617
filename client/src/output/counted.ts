/** `1 device`, `2 devices`. */
export const counted = (count: number, word: string): string =>
  `${String(count)} ${word}${count === 1 ? '' : 's'}`;
