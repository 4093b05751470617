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

  /**
   * The key to search the database for when a caller names a key. A hidden key is replaced by one that is never set, so
   * that the search makes the same statements, and takes the same time, as for a key that is not set.
   */
  keyOrUnmatchable(key: string): string {
    return this.sees(key) ? key : UNSETTABLE_KEY;
  }
}
