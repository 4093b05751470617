import { LRUCache } from 'lru-cache';

/** In milliseconds: one line is written in so long. */
const TOLD_EVERY = 1_000;

/** Whoever is not among them is told of again. */
const MOST_KNOWN = 1_000;

interface Told {
  readonly at: number;
  leftOut: number;
}

/** Keeps what comes again and again to one line a second. */
export class Sparing {
  private readonly told = new LRUCache<string, Told>({ max: MOST_KNOWN });

  /**
   * To be asked each time.
   * @param of what is told of together
   * @returns how many were left out since the last line; undefined if this one is to be left out, too
   */
  leftOut(of: string): number | undefined {
    const now = performance.now();
    const last = this.told.get(of);
    if (last && now - last.at < TOLD_EVERY) {
      last.leftOut++;
      return undefined;
    }
    this.told.set(of, { at: now, leftOut: 0 });
    return last?.leftOut ?? 0;
  }
}
