import { characterCount } from '../core/characters';

const MAX_NAME_LENGTH = 255;
const MAX_NAMES = 1_000;

/** What is wrong with a label's name; undefined if nothing is. */
export function labelNameFault(name: unknown): string | undefined {
  if (typeof name !== 'string') return 'a label is a string';
  if (name === '' || characterCount(name) > MAX_NAME_LENGTH)
    return `a label has 1 to ${String(MAX_NAME_LENGTH)} characters`;
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
  if (value.length > MAX_NAMES) return `must be at most ${String(MAX_NAMES)} names`;
  for (const name of value) {
    const fault = labelNameFault(name);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
