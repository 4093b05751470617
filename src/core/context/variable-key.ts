import { characterCount } from '../characters';
import { isDeeperThan } from '../json/json-text';

/** A key is a Unicode identifier. Hyphens are allowed as well, because filters support keys such as `"x-y"`. */
const KEY = /^[\p{ID_Start}_][\p{ID_Continue}-]*$/u;
const MAX_KEY_LENGTH = 255;
const MAX_VALUE_DEPTH = 64;

/** Why a key is invalid; undefined if it is valid. */
export function variableKeyError(key: string): string | undefined {
  if (characterCount(key) > MAX_KEY_LENGTH)
    return `a key is at most ${String(MAX_KEY_LENGTH)} characters long`;
  if (!KEY.test(key))
    return `${JSON.stringify(key)} is not a valid key: an identifier of letters, digits, _ and -, not beginning with a digit or -`;
  return undefined;
}

/** Why an object of variables is invalid; undefined if it is valid. */
export function variablesError(value: unknown): string | undefined {
  if (!isObject(value)) return 'must be an object of keys and values';
  for (const [key, member] of Object.entries(value)) {
    const fault = variableKeyError(key) ?? depthError(key, member);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Why a JSON value cannot be stored; undefined if it can. */
export const jsonValueError = (value: unknown): string | undefined => depthError('this member', value);

const depthError = (key: string, value: unknown): string | undefined =>
  isDeeperThan(MAX_VALUE_DEPTH, value)
    ? `the value of ${key} is nested deeper than ${String(MAX_VALUE_DEPTH)} levels`
    : undefined;
