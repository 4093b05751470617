import { KeyPatterns } from './key-patterns';

/** A key that no resource can set, because it is not a valid key. */
const UNSETTABLE_KEY = '-';

/**
 * Which keys somebody may see: all that the project does not hide, and the hidden ones for which there is a role.
 * A hidden key looks everywhere like one that is not set.
 */
export class Visibility {
  /** For those who see everything, and for a project that hides nothing. */
  static readonly WHOLE = new Visibility([], []);

  readonly hidden: KeyPatterns;
  readonly granted: KeyPatterns;

  /**
   * @param hidden the keys that the project hides, each in full or as a prefix followed by `*`
   * @param granted the keys that may be seen all the same
   */
  constructor(hidden: readonly string[], granted: readonly string[]) {
    this.hidden = new KeyPatterns(hidden);
    this.granted = new KeyPatterns(granted);
  }

  /** Whether nothing at all is hidden, so that nobody needs to look. */
  get isWhole(): boolean {
    return this.hidden.isEmpty;
  }

  sees(key: string): boolean {
    return !this.hidden.covers(key) || this.granted.covers(key);
  }

  /**
   * The key to search the database for when a caller names a key. A hidden key is replaced by one that is never set, so
   * that the search makes the same statements, and takes the same time, as for a key that is not set.
   */
  searchableKey(key: string): string {
    return this.sees(key) ? key : UNSETTABLE_KEY;
  }
}
