import { characterCount } from '../characters';
import { isDeeperThan } from '../json/json-depth';

/** A key is an identifier of Unicode; the hyphen is in because filters name keys such as `"x-y"`. */
const KEY = /^[\p{ID_Start}_][\p{ID_Continue}-]*$/u;
const MAX_KEY_LENGTH = 255;
const DEEPEST_VALUE = 64;

/** What is wrong with a key; undefined if nothing is. */
export function variableKeyError(key: string): string | undefined {
  if (characterCount(key) > MAX_KEY_LENGTH)
    return `a key is at most ${String(MAX_KEY_LENGTH)} characters long`;
  if (!KEY.test(key))
    return `${JSON.stringify(key)} is not a valid key: an identifier of letters, digits, _ and -, not beginning with a digit or -`;
  return undefined;
}

/** What is wrong with an object of variables; undefined if nothing is. */
export function variablesError(value: unknown): string | undefined {
  if (!isObject(value)) return 'must be an object of keys and values';
  for (const [key, member] of Object.entries(value)) {
    const fault = variableKeyError(key) ?? depthFault(key, member);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What is wrong with a JSON value that is to be stored as it is; undefined if nothing is. */
export const jsonValueError = (value: unknown): string | undefined => depthFault('this member', value);

const depthFault = (key: string, value: unknown): string | undefined =>
  isDeeperThan(DEEPEST_VALUE, value)
    ? `the value of ${key} is nested deeper than ${String(DEEPEST_VALUE)} levels`
    : undefined;
