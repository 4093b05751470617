import { characterCount, oneLineError } from '../core/text';

const MAX_NAME_LENGTH = 255;
export const MAX_NAMES = 1_000;

/** The error of a label name; undefined if the name is valid. */
export function labelNameError(name: unknown): string | undefined {
  if (typeof name !== 'string') return 'a label must be a string';
  if (name === '' || characterCount(name) > MAX_NAME_LENGTH)
    return `a label must have 1 to ${String(MAX_NAME_LENGTH)} characters`;
  if (name.includes(',')) return 'a label must not contain ","';
  if (!name.isWellFormed()) return 'a label must not contain lone surrogates';
  const error = oneLineError(name);
  return error && `a label ${error}`;
}

/** Removes outer white space from a name. Other values are returned unchanged; the validation rejects them. */
export const trimLabelName = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value);

/**
 * Splits a comma-separated string into names, and removes their outer white space, also in an array. Other values are
 * returned unchanged; the validation rejects them.
 */
export function parseLabelNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(trimLabelName);
  if (typeof value === 'string') return value.trim() === '' ? [] : value.split(',').map(trimLabelName);
  return value;
}

export function labelNamesError(value: unknown): string | undefined {
  if (!Array.isArray(value)) return 'must be a comma-separated string of names, or an array of names';
  if (value.length > MAX_NAMES) return `must have at most ${String(MAX_NAMES)} names`;
  for (const name of value) {
    const error = labelNameError(name);
    if (error !== undefined) return error;
  }
  return undefined;
}
