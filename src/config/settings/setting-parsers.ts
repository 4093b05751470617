import { z } from 'zod';

/** An empty variable means the same as an absent one, as in shells and compose files. */
export const optional = <T extends z.ZodType>(type: T) =>
  z.preprocess((v) => (v === '' ? undefined : v), type);
/** A whole number within bounds. */
export const integer = (min: number, max: number) => {
  const message = `must be a whole number from ${String(min)} to ${String(max)}`;
  return z.coerce.number(message).int(message).min(min, message).max(max, message);
};
/** One of a few words. */
export const oneOf = <const T extends readonly [string, ...string[]]>(...words: T) =>
  z.enum(words, `must be one of ${words.join(', ')}`);
