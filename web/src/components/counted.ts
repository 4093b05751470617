const number = new Intl.NumberFormat();

/**
 * A number with its noun: `1 device`, `2,000 devices`.
 * @param many the plural; by default the singular with an `s`
 */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${number.format(count)} ${count === 1 ? one : many}`;
