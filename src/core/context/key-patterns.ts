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
