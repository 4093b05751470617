interface Entry<T> {
  readonly value: T;
  readonly until: number;
}

/** What was changed elsewhere is seen here after this long at most; the promise is five seconds. */
const KEEP_MS = 3_000;
const MOST_ENTRIES = 10_000;

/**
 * What was read, kept for three seconds. On this process a change is seen at once, because whoever makes it says so
 * by `forget`.
 */
export class ShortLived<T> {
  private readonly entries = new Map<string, Entry<T>>();
  /** Counts forgettings, so that a look-up that was under way when one came does not put back what it read before. */
  private generation = 0;

  /** @param read looks up what is not known; what is not there is not kept */
  constructor(private readonly read: (key: string) => Promise<T | undefined>) {}

  async get(key: string): Promise<T | undefined> {
    // The time counts from before the question, so that a slow answer does not stretch it.
    const now = Date.now();
    const known = this.entries.get(key);
    if (known && known.until > now) return known.value;
    const { generation } = this;
    const value = await this.read(key);
    if (value !== undefined && generation === this.generation)
      this.keep(key, { value, until: now + KEEP_MS });
    return value;
  }

  /** Also called if a change failed, for a commit's answer can be lost. */
  forget(): void {
    this.generation++;
    this.entries.clear();
  }

  private keep(key: string, entry: Entry<T>): void {
    if (this.entries.size >= MOST_ENTRIES) this.entries.clear();
    this.entries.set(key, entry);
  }
}
