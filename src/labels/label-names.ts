import { characterCount } from '../core/characters';

const LONGEST_NAME = 255;
const MOST_NAMES = 1_000;

/** What is wrong with a label's name; undefined if nothing is. */
export function labelNameFault(name: unknown): string | undefined {
  if (typeof name !== 'string') return 'a label is a string';
  if (name === '' || characterCount(name) > LONGEST_NAME)
    return `a label has 1 to ${String(LONGEST_NAME)} characters`;
  if (name.includes(',')) return 'a label does not contain ","';
  if (/\p{Cc}/u.test(name)) return 'a label does not contain control characters';
  if (!name.isWellFormed()) return 'a label does not contain lone surrogates';
  return undefined;
}

/** Names from a string that joins them by `,`, or from an array; what is neither is left for the check to refuse. */
export function labelNames(value: unknown): unknown {
  if (typeof value === 'string') return value === '' ? [] : value.split(',');
  return value;
}

export function labelNamesFault(value: unknown): string | undefined {
  if (!Array.isArray(value)) return 'must be a string of names joined by ",", or an array of names';
  if (value.length > MOST_NAMES) return `must be at most ${String(MOST_NAMES)} names`;
  for (const name of value) {
    const fault = labelNameFault(name);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
