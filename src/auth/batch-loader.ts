/** Somebody who waits for an answer. */
interface Asker<T> {
  readonly resolve: (value: T | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** So many questions are asked together at most. */
const TOGETHER = 500;

/**
 * Asks one thing at a time: what is asked meanwhile waits, and is then asked together. However many questions come, there
 * is one of them under way, and while they are few nobody waits for anybody.
 */
export class Gathered<T> {
  private waiting = new Map<string, Asker<T>[]>();
  private isAsking = false;

  /** @param read looks up several things; what is not there is not in its answer */
  constructor(private readonly read: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>) {}

  /** The answer as of now, or later: never one to a question that was under way already. */
  ask(key: string): Promise<T | undefined> {
    const answer = new Promise<T | undefined>((resolve, reject) => {
      const askers = this.waiting.get(key);
      if (askers) askers.push({ resolve, reject });
      else this.waiting.set(key, [{ resolve, reject }]);
    });
    if (!this.isAsking) void this.askAll();
    return answer;
  }

  private async askAll(): Promise<void> {
    this.isAsking = true;
    while (this.waiting.size > 0) await this.askSome();
    this.isAsking = false;
  }

  private async askSome(): Promise<void> {
    const asked = [...this.waiting].slice(0, TOGETHER);
    for (const [key] of asked) this.waiting.delete(key);
    try {
      const found = await this.read(asked.map(([key]) => key));
      for (const [key, askers] of asked) for (const { resolve } of askers) resolve(found.get(key));
    } catch (error) {
      for (const [, askers] of asked) for (const { reject } of askers) reject(error);
    }
  }
}
