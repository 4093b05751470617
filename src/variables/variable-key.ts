/** A key is an identifier of Unicode; the hyphen is in because filters name keys such as `"x-y"`. */
const KEY = /^[\p{ID_Start}_][\p{ID_Continue}-]*$/u;
const LONGEST_KEY = 255;
const DEEPEST_VALUE = 64;

/** What is wrong with a key; undefined if nothing is. */
export function keyFault(key: string): string | undefined {
  if (key.length > LONGEST_KEY) return `a key is at most ${String(LONGEST_KEY)} characters long`;
  if (!KEY.test(key))
    return `${JSON.stringify(key)} is not a valid key: an identifier of letters, digits, _ and -, not beginning with a digit or -`;
  return undefined;
}

/** What is wrong with an object of variables; undefined if nothing is. */
export function variablesFault(value: unknown): string | undefined {
  if (!isObject(value)) return 'must be an object of keys and values';
  for (const [key, member] of Object.entries(value)) {
    const fault = keyFault(key) ?? depthFault(key, member);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What is wrong with a JSON value that is to be stored as it is; undefined if nothing is. */
export const jsonFault = (value: unknown): string | undefined => depthFault('this member', value);

/** Walks without recursion: the text may be nested a million levels deep. */
function depthFault(key: string, value: unknown): string | undefined {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST_VALUE)
      return `the value of ${key} is nested deeper than ${String(DEEPEST_VALUE)} levels`;
    const below: unknown[] = [];
    for (const one of level)
      if (typeof one === 'object' && one !== null)
        for (const member of Object.values(one)) below.push(member);
    level = below;
  }
  return undefined;
}
