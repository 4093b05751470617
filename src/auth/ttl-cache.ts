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
  /** Look-ups that are under way. */
  private readonly pending = new Map<string, Promise<T | undefined>>();
  /** Counts forgettings, so that a look-up that was under way when one came does not put back what it read before. */
  private generation = 0;

  /** @param read looks up what is not known; what is not there is not kept */
  constructor(private readonly read: (key: string) => Promise<T | undefined>) {}

  async get(key: string): Promise<T | undefined> {
    const known = this.entries.get(key);
    if (known && known.until > Date.now()) return known.value;
    return this.pending.get(key) ?? this.lookUp(key);
  }

  /** Whoever asks meanwhile gets the same answer: what many want is not asked for by each when its time is over. */
  private async lookUp(key: string): Promise<T | undefined> {
    // The time counts from before the question, so that a slow answer does not stretch it.
    const until = Date.now() + KEEP_MS;
    const { generation } = this;
    const reading = this.read(key);
    this.pending.set(key, reading);
    try {
      const value = await reading;
      if (value !== undefined && generation === this.generation) this.keep(key, { value, until });
      return value;
    } finally {
      if (this.pending.get(key) === reading) this.pending.delete(key);
    }
  }

  /** Also called if a change failed, for a commit's answer can be lost. */
  forget(): void {
    this.generation++;
    this.entries.clear();
    this.pending.clear();
  }

  private keep(key: string, entry: Entry<T>): void {
    if (this.entries.size >= MOST_ENTRIES) this.entries.clear();
    this.entries.set(key, entry);
  }
}
