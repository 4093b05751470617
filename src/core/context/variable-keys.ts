import { characterCount } from '../text';
import { isDeeperThan } from '../json/json-text';
import { fault, type Fault } from '../error-details';

/** A key is a Unicode identifier. Hyphens are allowed as well, because filters support keys such as `"x-y"`. */
const KEY = /^[\p{ID_Start}_][\p{ID_Continue}-]*$/u;
export const MAX_KEY_LENGTH = 255;
const MAX_VALUE_DEPTH = 64;

/** Why a key is invalid; undefined if it is valid. */
export function variableKeyError(key: string): Fault | undefined {
  if (characterCount(key) > MAX_KEY_LENGTH)
    return fault('too_long', `a key is at most ${String(MAX_KEY_LENGTH)} characters long`);
  if (!KEY.test(key))
    return fault(
      'invalid_format',
      `${JSON.stringify(key)} is not a valid key: an identifier of letters, digits, _ and -, not beginning with a digit or -`,
    );
  return undefined;
}

/** Why an object of variables is invalid; undefined if it is valid. */
export function variablesError(value: unknown): Fault | undefined {
  if (!isObject(value)) return fault('invalid_type', 'must be an object of keys and values');
  for (const [key, member] of Object.entries(value)) {
    const error = variableKeyError(key) ?? depthError(key, member);
    if (error !== undefined) return error;
  }
  return undefined;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Why a JSON value cannot be stored; undefined if it can. */
export const jsonValueError = (value: unknown): Fault | undefined => depthError('this member', value);

const depthError = (key: string, value: unknown): Fault | undefined =>
  isDeeperThan(MAX_VALUE_DEPTH, value)
    ? fault('too_deep', `the value of ${key} is nested deeper than ${String(MAX_VALUE_DEPTH)} levels`)
    : undefined;

/** A key that no resource can set, because it is not a valid key. */
const UNSETTABLE_KEY = '-';

/** Patterns of keys: exact keys, and prefixes followed by `*`. */
export class KeyPatterns {
  readonly exact: readonly string[];
  readonly prefixes: readonly string[];

  constructor(patterns: readonly string[]) {
    this.exact = patterns.filter((pattern) => !pattern.endsWith('*'));
    this.prefixes = patterns
      .filter((pattern) => pattern.endsWith('*'))
      .map((pattern) => pattern.slice(0, -1));
  }

  get patterns(): string[] {
    return [...this.exact, ...this.prefixes.map((prefix) => `${prefix}*`)];
  }

  get isEmpty(): boolean {
    return this.exact.length === 0 && this.prefixes.length === 0;
  }

  covers(key: string): boolean {
    return this.exact.includes(key) || this.prefixes.some((prefix) => key.startsWith(prefix));
  }
}

/** The pattern that covers what both cover; undefined if they have no key in common. */
function narrowerPattern(one: string, other: string): string | undefined {
  const covers = (pattern: string, text: string) =>
    pattern.endsWith('*') ? text.startsWith(pattern.slice(0, -1)) : pattern === text;
  if (covers(one, other)) return other;
  return covers(other, one) ? one : undefined;
}

/**
 * The keys that a caller may see: all keys that the project does not hide, and hidden keys for which the caller has a
 * role. A key that the caller may not see looks like a key that is not set.
 */
export class Visibility {
  /** For callers who see everything, and for projects that hide nothing. */
  static readonly ALL = new Visibility([], []);

  readonly hidden: KeyPatterns;
  readonly granted: KeyPatterns;

  /**
   * @param hidden the keys that the project hides, each in full or as a prefix followed by `*`
   * @param granted the hidden keys that the caller may see
   */
  constructor(hidden: readonly string[], granted: readonly string[]) {
    this.hidden = new KeyPatterns(hidden);
    this.granted = new KeyPatterns(granted);
  }

  /** Whether no key is hidden, so that no key needs a check. */
  get seesEverything(): boolean {
    return this.hidden.isEmpty;
  }

  sees(key: string): boolean {
    return !this.hidden.covers(key) || this.granted.covers(key);
  }

  /** What both see. Both belong to the same project, or see everything. */
  and(other: Visibility): Visibility {
    if (this.seesEverything) return other;
    if (other.seesEverything) return this;
    const common = this.granted.patterns.flatMap((one) =>
      other.granted.patterns.flatMap((another) => narrowerPattern(one, another) ?? []),
    );
    return new Visibility(this.hidden.patterns, common);
  }

  /**
   * The key to search the database for when a caller names a key. A hidden key is replaced by one that is never set, so
   * that the search makes the same statements, and takes the same time, as for a key that is not set.
   */
  keyOrUnmatchable(key: string): string {
    return this.sees(key) ? key : UNSETTABLE_KEY;
  }
}

/**
 * Finds the patterns that match each key. A pattern is a key, or a prefix followed by `*`. The cost depends on the
 * number of keys and of distinct prefix lengths, not on the number of patterns.
 * @returns the matching patterns of each key that has any, shortest prefix first
 */
export function matchingPatterns(
  patterns: readonly string[],
  keys: Iterable<string>,
): ReadonlyMap<string, readonly string[]> {
  const patternSet = new Set(patterns);
  const lengths = [
    ...new Set(patterns.filter((pattern) => pattern.endsWith('*')).map(({ length }) => length - 1)),
  ].sort((a, b) => a - b);
  const matching = new Map<string, readonly string[]>();
  for (const key of keys) {
    const prefixes = lengths
      .filter((length) => length <= key.length)
      .map((length) => `${key.slice(0, length)}*`);
    const found = [...prefixes, key].filter((pattern) => patternSet.has(pattern));
    if (found.length > 0) matching.set(key, found);
  }
  return matching;
}
